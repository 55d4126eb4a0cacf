"""Bots in seats: they get what their seat may know, within limits, and hold up nobody."""

import asyncio
import json
import os
import random
import threading
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
import sparks
from sqlalchemy import select

from powderkeg.bots import game_bots, levels
from powderkeg.bots.engine.knowledge import Knowledge
from powderkeg.bots.game_bots import GameBots
from powderkeg.bots.process.guard import BotAnswer, Guard
from powderkeg.core.ask import Orders
from powderkeg.core.chance import CHANCE, Drawn, Seeded
from powderkeg.core.table import Table
from powderkeg.games import GAME_NAMES, find_game
from powderkeg.server.bots import processes
from powderkeg.server.db import schema
from powderkeg.server.db.rows import SeatRow, TableRow
from powderkeg.server.settings import Settings
from powderkeg.server.tables import bot_seats
from powderkeg.server.tables.commands import play_actions
from powderkeg.server.tables.loaded import LoadedTable
from powderkeg.server.tables.replay import resume_replay
from tests.server.visiting import PATIENCE, Clock, play_out, running, seat_names, until


def against(site, ann, level, **wish):
    """A table of Ann against a bot."""
    seats = [{"seat": "red", "kind": "me"}, {"seat": "blue", "kind": "bot", "level": level}]
    return ann.post("/tables", {"game": "sparks", "seats": seats, "start": True, **wish})["id"]


def first_legal(request):
    """An answer to a request, from what is in it."""
    game = find_game(request["game"]) if request["game"] != "sparks" else sparks
    view = request["view"]
    return BotAnswer(
        str(game.default(game.deal(view, SimpleNamespace(randrange=lambda n: 0)), view["seat"]))
    )


# What a bot gets to know


@pytest.mark.slow
def test_a_bot_is_sent_its_view_and_nothing_else(tmp_path, monkeypatch):
    """Neither the state nor the key that decides chance leaves the process."""
    sent = []

    def ask(self, request):
        sent.append(json.loads(json.dumps(request)))
        return first_legal(request)

    monkeypatch.setattr(Guard, "ask", ask)
    with running(Settings(data=str(tmp_path), limits=False)) as site:
        ann = site.guest("Ann")
        table = against(site, ann, "hard")
        play_out(site, table, [ann])

        async def key():
            async with site.server.cache.look(table) as loaded:
                return loaded.row.key

        secret = site.do(key())
    assert sent
    for request in sent:
        assert set(request) == {"game", "bot", "view", "seed", "budget", "exact"}
        view = request["view"]
        assert view["seat"] == "blue"
        assert set(view) == set(sparks.view(started(), "blue"))
        assert set(view["chosen"].values()) <= {"?", *view["hand"]} | set(view["shown"])
        assert secret not in json.dumps(request)


def started():
    state = sparks.start(("red", "blue"), sparks.Options())
    return sparks.apply(state, CHANCE, Drawn(sparks.CARDS)).state


class Scripted(Guard):
    """A bot that says what the test wants."""

    def __init__(self, *answers: BotAnswer) -> None:
        super().__init__(process=SimpleNamespace(poll=lambda: None))  # type: ignore[arg-type]  # it runs
        self.answers = list(answers)
        self.asked = 0

    def ask(self, request):
        self.asked += 1
        return self.answers.pop(0)


def diplomatic_turn(guard, seconds=30.0):
    game = find_game("diplomacy")
    state = game.start(game.seats(7, game.Options()), game.Options())
    return processes._decide_actions(guard, game, state, "FRANCE", "normal", "seed", seconds).texts


def test_a_whole_turn_is_played_in_one_go():
    said = [
        BotAnswer("A par - bur"),
        BotAnswer("A mar H"),
        BotAnswer("F bre - mao"),
        BotAnswer("ready"),
    ]
    assert diplomatic_turn(Scripted(*said)) == ["A par - bur", "A mar H", "F bre - mao", "ready"]


def test_nonsense_costs_one_answer_and_no_more():
    said = Scripted(BotAnswer("A par - bur"), BotAnswer("gibberish"))
    assert diplomatic_turn(said) == ["A par - bur", "ready"]


@pytest.mark.parametrize("fault", processes.FATAL_FAULTS)
def test_a_bot_that_is_late_or_too_large_is_not_asked_again_this_turn(fault):
    state = started()
    guard = Scripted(BotAnswer("", fault, "x"))
    turn = processes._decide_actions(guard, sparks, state, "blue", "normal", "s", 30.0)
    assert (turn.texts, guard.asked) == ([str(sparks.default(state, "blue"))], 1)


def test_time_that_is_over_ends_thinking():
    guard = Scripted()
    assert diplomatic_turn(guard, seconds=-1.0) == ["absent"]
    assert guard.asked == 0


@pytest.mark.parametrize(("players", "seat"), [(7, "FRANCE"), (2, "ENTENTE")])
def test_the_plan_of_a_turn_gets_its_time_whatever_the_number_of_units(players, seat):
    """The plan is made at the first question; what is left is shared among the other pieces."""
    game = find_game("diplomacy")
    state = game.start(game.seats(players, game.Options()), game.Options())
    own = levels.find_bot(game, "expert").budget.seconds
    assert processes._turn_budget(game, state, seat, "expert", 30.0).seconds == own
    short = processes._turn_budget(game, state, seat, "expert", 4.0).seconds
    assert short is not None
    assert 2.0 < short < 4.0
    state = game.apply(state, seat, game.parse("A par H")).state
    question = game.ask(state, seat)
    assert question is not None
    assert isinstance(question.node, Orders)
    rest = processes._turn_budget(game, state, seat, "expert", 4.0 - short).seconds
    assert rest is not None
    assert len(question.node.rows) * rest < 4.0 - short


# Bots that misbehave, in real processes


@pytest.mark.slow
@pytest.mark.parametrize("bot", ["raising", "nonsense", "leaking", "dying", "hanging"])
def test_a_game_goes_on_whatever_a_bot_does(tmp_path, monkeypatch, bot):
    monkeypatch.setattr(processes, "_turn_budget", lambda *args: None)
    monkeypatch.setattr(
        "powderkeg.server.bots.turns.seat_bot_name", lambda *args: f"tests.bots.bad_bots:{bot}"
    )
    settings = Settings(data=str(tmp_path), limits=False, bot_seconds=1.0, bot_megabytes=512)
    with running(settings) as site:
        ann = site.guest("Ann")
        table = against(site, ann, "normal", options={"rounds": 1})
        over = play_out(site, table, [ann])
        log = ann.get(f"/tables/{table}/log")["entries"]
    assert over["status"] == "over"
    assert any(entry["by"] == "bot" for entry in log)


# Nobody waits for somebody's slow bot


@pytest.mark.slow
def test_slow_bots_hold_up_neither_quick_ones_nor_deadlines(tmp_path, monkeypatch):
    """Many tables of experts who think forever; other tables and their clocks do not notice."""
    gate = threading.Event()

    def ask(self, request):
        if bot_seats.thinks_long(sparks, request["bot"]):
            gate.wait(PATIENCE)
        return first_legal(request)

    monkeypatch.setattr(Guard, "ask", ask)
    with running(Settings(data=str(tmp_path), limits=False)) as site:
        ann, ben, eve = site.guest("Ann"), site.guest("Ben"), site.guest("Eve")
        slow = [against(site, ann, "expert") for _ in range(8)]
        quick = against(site, ann, "easy")
        clock = {"kind": "turn", "length": 1.0}
        late = site.table(ben, eve, settings={"clock": clock})
        assert play_out(site, quick, [ann])["status"] == "over"
        until(lambda: ben.get(f"/tables/{late}")["seq"] > 2)
        assert all(ann.get(f"/tables/{table}")["seats"][1]["to_act"] for table in slow)
        gate.set()
        for table in slow:
            until(lambda table=table: not ann.get(f"/tables/{table}")["seats"][1]["to_act"])


@pytest.mark.slow
def test_tables_of_bots_take_turns(tmp_path, monkeypatch):
    """More tables of bots than lanes: none waits until another is over."""
    monkeypatch.setattr("powderkeg.server.bots.turns.TABLE_SHARE", 0.0)
    gate = threading.Event()

    def ask(self, request):
        gate.wait(PATIENCE)
        return first_legal(request)

    monkeypatch.setattr(Guard, "ask", ask)
    with running(Settings(data=str(tmp_path), limits=False, bots=1)) as site:
        ann = site.guest("Ann")
        seats = [{"seat": seat, "kind": "bot", "level": "easy"} for seat in seat_names("sparks", 2)]
        made = [
            ann.post("/tables", {"game": "sparks", "seats": seats, "start": True})["id"]
            for _ in range(4)
        ]
        gate.set()
        spans = []
        for table in made:
            until(lambda table=table: ann.get(f"/tables/{table}")["status"] == "over")
            times = [
                entry["at"]
                for entry in ann.get(f"/tables/{table}/log")["entries"]
                if entry["by"] == "bot"
            ]
            spans.append((min(times), max(times)))
    assert max(begun for begun, _ in spans) < min(ended for _, ended in spans)


def at_table(*seats: SeatRow, to_act: list[str]) -> LoadedTable:
    """A table of these seats, whose last move was at 1000."""
    row = TableRow(
        id="t",
        rules="sparks",
        version=1,
        players=2,
        options={},
        key="",
        status="live",
        to_act=to_act,
        created=0.0,
        moved=1000.0,
    )
    replayed = resume_replay(sparks, 2, sparks.Options(), b"", state=None, length=0)
    return LoadedTable(row, sparks, {seat.seat: seat for seat in seats}, replayed=replayed)


def bot_in(seat: str, level: str) -> SeatRow:
    return SeatRow(game="t", seat=seat, place=0, kind="bot", level=level)


def person_in(seat: str, **fields: Any) -> SeatRow:
    return SeatRow(game="t", seat=seat, place=0, kind="person", user="u", **fields)


def test_a_level_belongs_to_one_lane():
    loaded = at_table(
        bot_in("a", "expert"),
        bot_in("b", "easy"),
        person_in("c", autopilot=True),
        person_in("d"),
        to_act=["a", "b", "c", "d"],
    )
    assert bot_seats.bots_to_act(loaded) == ["a", "b", "c"]
    assert bot_seats.bots_to_act(loaded, "slow") == ["a"]
    assert bot_seats.bots_to_act(loaded, "bots") == ["b", "c"]


@pytest.mark.slow
@pytest.mark.parametrize("name", GAME_NAMES)
@pytest.mark.parametrize("level", ["easy", "hard"])
def test_a_real_bot_answers_in_time(name, level):
    """No default: every answer is the bot's own."""
    game = find_game(name)
    options = game.Options()
    state = game.start(game.seats(game.players[-1], options), options)
    while CHANCE in game.to_act(state):
        state = game.apply(state, CHANCE, game.legal(state, CHANCE).sample(random.Random(1))).state
    seat = min(game.to_act(state))
    faults = []

    class Watched(Guard):
        def decide(self, *args, **more):
            said = super().decide(*args, **more)
            faults.append((said.fault, said.detail))
            return said

    with Watched(60.0) as guard:
        assert processes._decide_actions(guard, game, state, seat, level, "seed", 60.0).texts
    assert {fault for fault, _ in faults} == {""}, faults


def offering(monkeypatch, *offers):
    """As if these offers were open at every table."""
    made = GameBots(Knowledge(sparks), pending_offers=lambda state: offers)
    monkeypatch.setattr(game_bots, "_own_bots", lambda name: made)


def test_a_bot_waits_a_while_for_a_person_who_is_there(monkeypatch):
    """Its offer is open: the person may answer before the bot goes on, but not forever."""
    offering(monkeypatch, ("d", "1"))

    def loaded(level: str, seen: float) -> LoadedTable:
        return at_table(bot_in("a", level), person_in("d", seen=seen), to_act=["a"])

    assert bot_seats.others_may_answer(loaded("normal", 1000), "a", 1001)
    assert not bot_seats.others_may_answer(
        loaded("normal", 1000), "a", 1000 + bot_seats.READER_SECONDS
    )
    end = 1000 + bot_seats.READER_SECONDS
    assert bot_seats.offer_deadline(loaded("normal", 1000), "d", 1000) == end
    assert bot_seats.offer_deadline(loaded("normal", 1000), "c", 1000) is None  # is not asked
    assert bot_seats.offer_deadline(loaded("normal", 0), "d", 1000) is None  # is away
    assert not bot_seats.others_may_answer(loaded("normal", 0), "a", 1001)
    assert not bot_seats.others_may_answer(loaded("random", 1000), "a", 1001)


@pytest.mark.parametrize(("level", "waits"), [("hard", True), ("random", False)])
def test_a_quick_bot_waits_for_a_slow_one_that_has_an_offer_to_answer(monkeypatch, level, waits):
    offering(monkeypatch, ("b", "1"))
    loaded = at_table(bot_in("a", "easy"), bot_in("b", level), to_act=["a"])
    assert bot_seats.others_may_answer(loaded, "a", 1001) == waits
    assert not bot_seats.others_may_answer(loaded, "b", 1001)


def bots_wait(site, clock, table):
    """In how many seconds the bots of a table are asked again."""

    async def when():
        async with site.server.store.read() as tx:
            j = schema.jobs.c
            return await tx.value(select(j.run_at).where(j.game == table, j.kind == "bots"))

    asked = site.do(when())
    return None if asked is None else asked - clock()


@pytest.mark.slow
def test_a_bot_goes_on_though_somebody_came_while_it_was_to_begin(settings, monkeypatch):
    """Nobody was there when the bot was asked for; when it begins, somebody is, and it waits."""
    offering(monkeypatch, ("red", "1"))
    monkeypatch.setattr(Guard, "ask", lambda self, request: first_legal(request))
    clock = Clock()
    with running(replace(settings, jobs=False), clock=clock) as site:
        ann = site.guest("Ann")
        table = against(site, ann, "easy")
        assert bots_wait(site, clock, table) == 0
        site.server.cache.note_presence(table, "red", clock())
        assert site.do(site.server.worker.run_one(("bots",)))
        assert "blue" in ann.get(f"/tables/{table}")["to_act"]
        clock.now += bot_seats.READER_SECONDS
        assert site.do(site.server.worker.run_one(("bots",)))
        assert "blue" not in ann.get(f"/tables/{table}")["to_act"]


@pytest.mark.slow
def test_what_else_happens_at_a_table_makes_a_bot_wait_no_longer(settings, monkeypatch):
    offering(monkeypatch, ("red", "1"))
    clock = Clock()
    with running(replace(settings, jobs=False), clock=clock) as site:
        ann = site.guest("Ann")
        table = against(site, ann, "easy")
        for _ in range(2):
            clock.now += 5
            site.server.cache.note_presence(table, "red", clock())
            ann.post(f"/tables/{table}/hooks", {"url": "http://127.0.0.1:9/"})
        assert bots_wait(site, clock, table) == bot_seats.READER_SECONDS - 10


# What a bot says with its move


def speaking(monkeypatch, before=lambda: None):
    """Bots say something with their first move; `before` it, something else happens."""
    turns = iter(["versailles_bots.say.worse"])

    def ask(self, request):
        if spoken := next(turns, ""):
            before()
        return first_legal(request)._replace(spoken=spoken)

    monkeypatch.setattr(Guard, "ask", ask)
    monkeypatch.setattr(processes, "_start_process", lambda *args: None)


async def play_default(site, table, seat):
    """Another process of the server is quicker with the turn of a bot."""
    cache = site.server.cache
    async with cache.look(table) as loaded:
        text, seq = str(loaded.game.default(loaded.current.table.state, seat)), loaded.current.seq
    await play_actions(cache, table, seat, [text], command=None, question=seq, by="bot")


def heard_after_turn(site, person, table):
    """The seats that have spoken when the bots of a table have played."""
    assert site.do(site.server.worker.run_one(("bots",)))
    log = person.get(f"/tables/{table}/log")["entries"]
    assert any(entry["by"] == "bot" for entry in log)
    return [message["seat"] for message in person.get(f"/tables/{table}/press")["messages"]]


@pytest.mark.slow
def test_a_bot_speaks_of_a_move_that_was_played(tmp_path, monkeypatch):
    """Not of one that came too late, and not in the name of a person who is away."""
    with running(Settings(data=str(tmp_path), limits=False, jobs=False)) as site:
        ann, ben = site.guest("Ann"), site.guest("Ben")
        table = against(site, ann, "easy")
        speaking(monkeypatch)
        assert heard_after_turn(site, ann, table) == ["blue"]

        late = against(site, ann, "easy")
        speaking(monkeypatch, lambda: site.do(play_default(site, late, "blue")))
        assert heard_after_turn(site, ann, late) == []

        left = site.table(ann, ben)
        ben.post(f"/tables/{left}/leave")
        speaking(monkeypatch)
        assert heard_after_turn(site, ann, left) == []


# Beside people


@pytest.mark.slow
def test_a_host_says_how_strong_bots_may_be_and_they_step_back(tmp_path):
    settings = Settings(data=str(tmp_path), limits=False, bot_level="easy", bot_nice=7)
    with running(settings) as site:
        ann = site.guest("Ann")
        shown = ann.get("/games/sparks")
        assert (shown["levels"], shown["level"]) == (["random", "easy"], "easy")
        seats = [{"seat": "red", "kind": "me"}, {"seat": "blue", "kind": "bot", "level": "hard"}]
        refused = ann.post("/tables", {"game": "sparks", "seats": seats, "start": True}, 422)
        assert refused["code"] == "server.no_such_level"
        table = against(site, ann, "easy")
        now = ann.get(f"/tables/{table}")
        ann.act(table, now["legal"][0], now["question"]["id"])
        guards = site.server.bots.quick.all
        until(lambda: any(guard.process for guard in guards))
        (process,) = [guard.process for guard in guards if guard.process]
        until(lambda: os.getpriority(os.PRIO_PROCESS, process.pid) == min(19, 7 + os.nice(0)))


def test_a_bot_of_a_level_that_is_no_longer_offered_plays_the_strongest_that_is(monkeypatch):
    asked = []

    def decide(guard, game, state, seat, level, *rest):
        asked.append(level)
        return []

    monkeypatch.setattr(processes, "_decide_actions", decide)
    guards = processes.BotProcesses([Guard(), Guard()], 1.0, ("random", "easy"))
    for level in ("expert", "random"):
        asyncio.run(guards.decide_turn(sparks, None, "red", level, ""))
    assert asked == ["easy", "random"]


def test_nobody_judges_a_game_that_is_over():
    """A vote may be counted when the game has just ended: there is nothing left to share."""
    table = Table(sparks, 2, source=Seeded(random.Random(1)))
    for _ in range(500):
        if table.to_act:
            seat = min(table.to_act)
            table.act(seat, next(iter(table.legal(seat))))
    assert not table.to_act
    guard = SimpleNamespace(process=None)
    asked = processes.BotProcesses([guard, guard], 1.0, ("random",))
    assert asyncio.run(asked.estimate_shares(sparks, table.state, "red", "")) is None
