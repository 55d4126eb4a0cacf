"""The real games on the server, with everybody connected: nobody learns another's secret.

What a reader is sent must not depend on what the reader may not know. So every message is compared
with the one the server would send if all hidden things were dealt again: they must be equal.
"""

# ruff: noqa: PT018  # two halves of one statement about a table belong together

import json
import random
import re
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from powderkeg.core import record
from powderkeg.core.table import Table
from powderkeg.core.words import say
from powderkeg.games import GAME_NAMES, find_game
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.lobby import copies
from powderkeg.server.settings import Settings
from powderkeg.server.views import present, readers
from tests.server.visiting import Person, Running, principal, running, seat_names, until

pytestmark = pytest.mark.slow

ACTIONS = 25


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Iterator[Running]:
    games = {name: find_game(name) for name in GAME_NAMES}
    settings = Settings(data=str(tmp_path_factory.mktemp("games")), limits=False)
    with running(settings, games=games) as found:
        yield found


def all_seats(name: str) -> list[str]:
    return seat_names(name, find_game(name).players[-1])


async def as_if_dealt_again(site: Running, person: Person, table: str, rng: random.Random) -> Any:
    """What the server would show this person if hidden things were otherwise."""
    async with site.server.cache.look(table) as loaded:
        who = principal(person.me["id"]) if person.me else Principal()
        reader = readers.find_reader(loaded, who, None, text=True, raw=True, lists=True)
        replayed = loaded.current
        state, base = replayed.table.state, replayed.base_state
        replayed.table.state = loaded.game.deal(loaded.game.view(state, reader.seat), rng)
        loaded.rendered.clear()
        try:
            return present.present_loaded(loaded, reader, 0).model_dump(mode="json")
        finally:
            replayed.table.state, replayed.base_state = state, base
            loaded.rendered.clear()


def act_somebody(people: list[Person], table: str, rng: random.Random) -> Any:
    """Somebody who is asked does something; the table after it, or None when nobody is asked."""
    for person in rng.sample(people, len(people)):
        now = person.get(f"/tables/{table}?text=0&raw=1")
        if now["question"] and now["legal"]:
            return person.act(table, rng.choice(now["legal"]), now["question"]["id"])["table"]
    return None


@pytest.mark.parametrize("name", GAME_NAMES)
def test_no_message_depends_on_what_its_reader_may_not_know(site, name):
    """All seats and a watcher are connected; every table message that any of them hears is
    compared with what they would hear if hidden things were otherwise."""
    rng = random.Random(name)
    people = [site.guest(f"P{i}") for i, _ in enumerate(all_seats(name))]
    table = site.table(*people, game=name)
    readers = [*people, site.guest("W")]
    with ExitStack() as open_:
        wires = [open_.enter_context(each.live(table, "text=1&raw=1")) for each in readers]
        for _ in range(ACTIONS):
            now = act_somebody(people, table, rng)
            if now is None:
                break
            for reader, wire in zip(readers, wires, strict=True):
                heard = wire.table(lambda t, now=now: t["seq"] >= now["seq"])
                other = site.do(as_if_dealt_again(site, reader, table, rng))
                wrong = [k for k in heard if k != "seats" and heard[k] != other[k]]
                assert wrong == [], (name, now["seq"], heard["seat"], wrong)
        assert table_length(people[0], table) > 5
        kinds = {m["type"] for wire in wires for m in wire.heard}
        assert kinds <= {"table", "press"}, "a kind of message that nobody has looked at"


def table_length(person: Person, table: str) -> int:
    return int(person.get(f"/tables/{table}?text=0")["seq"])


def without_marks(sentence: str) -> str:
    """A sentence without the marks behind values of cards that nobody has confirmed."""
    return re.sub("[°·]", "", sentence)


async def as_played(site: Running, table: str) -> Table:
    """The game replayed from its log by core alone, with all facts."""
    async with site.server.cache.look(table) as loaded:
        row, game = loaded.row, loaded.game
    file = await copies.write_game_file(site.server.cache, row, {})
    return record.replay_record(record.read_record(file), game)


@pytest.mark.parametrize("name", GAME_NAMES)
def test_a_log_tells_each_reader_their_own_facts(site, name):
    rng = random.Random(1)
    people = [site.guest(f"P{i}") for i, _ in enumerate(all_seats(name))]
    table = site.table(*people, game=name)
    for _ in range(25):
        act_somebody(people, table, rng)
    played = site.do(as_played(site, table))
    for person in (*people, site.guest("W")):
        page = person.get(f"/tables/{table}/log")
        seat = person.get(f"/tables/{table}")["seat"]
        assert len(page["entries"]) == len(played.log)
        for entry, line, facts in zip(page["entries"], played.log, played.facts, strict=True):
            assert entry["do"] == (line.do if line.seat == seat else None)
            mine = line.seat == seat  # that another seat is ready is for that seat alone
            known = [f for f in facts if f.seen_by(seat) and (mine or not f.quiet)]
            sentences = [(f.msg.code, say(f.msg, "en"), f.rule) for f in known]
            shown = [(f["code"], without_marks(f["text"]), f["rule"]) for f in entry["facts"]]
            assert shown == sentences
        moment = person.get(f"/tables/{table}/at/{page['seq']}")
        assert moment["view"] == json.loads(json.dumps(played.view(seat)))
    copy = people[0].post(f"/tables/{table}/sandbox", {"seq": page["seq"]})
    table = copy["table"]
    assert table["status"] == "live" and len(table["held"]) == len(table["seats"])


@pytest.mark.parametrize("name", GAME_NAMES)
def test_private_words_reach_whom_they_are_for(site, name):
    people = [site.guest(f"P{i}") for i, _ in enumerate(all_seats(name))]
    table = site.table(*people, game=name)
    readers = [*people, site.guest("W")]
    with ExitStack() as open_:
        wires = [open_.enter_context(each.live(table)) for each in readers]
        secret = {"text": "between us", "sketch": ["x - y"], "to": [all_seats(name)[1]]}
        people[0].post(f"/tables/{table}/press", secret)
        deal = {"kind": "deal", "to": [all_seats(name)[1]], "args": {"text": "a secret deal"}}
        people[0].post(f"/tables/{table}/proposals", deal)
        people[-1].post(f"/tables/{table}/press", {"text": "the end"})
        for place, (reader, wire) in enumerate(zip(readers, wires, strict=True)):
            while not any(m["text"] == "the end" for m in wire.next("press")["messages"]):
                pass
            everything = [*wire.drain(0.1), reader.get(f"/tables/{table}/press")]
            everything += [reader.get(f"/tables/{table}"), reader.get("/inbox")]
            said = json.dumps(everything)
            assert ("between us" in said) == ("x - y" in said) == (place < 2)
            assert ("a secret deal" in said) == (place < 2)


@pytest.mark.parametrize("name", GAME_NAMES)
def test_a_game_with_bots_goes_on_by_itself(site, name):
    ann = site.guest("Ann")
    seats = [{"seat": s, "kind": "bot", "level": "random"} for s in all_seats(name)]
    players = len(seats)
    made = ann.post("/tables", {"game": name, "players": players, "seats": seats, "start": True})
    until(lambda: ann.get(f"/tables/{made['id']}?text=0")["seq"] > 30)
    ann.post(f"/tables/{made['id']}/leave", expect=403)


def test_a_bot_answers_an_offer_out_of_turn(site):
    """A deal can be offered to a seat that is not to act: a bot there is asked all the same, and soon."""
    ann = site.guest("Ann")
    names = list(find_game("versailles").seats(3, find_game("versailles").Options()))
    bots = [{"seat": name, "kind": "bot", "level": "normal"} for name in names[1:]]
    wish = {"game": "versailles", "players": 3, "start": True}
    seats = [{"seat": names[0], "kind": "me"}, *bots]
    table = ann.post("/tables", {**wish, "seats": seats})["id"]

    def asked() -> Any:
        now = wait_for(
            ann, table, lambda t: t["question"] and t["legal"] and t["to_act"] == names[:1]
        )
        return now, [text for text in now["legal"] if text.startswith("propose")]

    now, offers = asked()
    while not offers:  # nations are chosen first
        ann.act(table, now["legal"][0], now["question"]["id"])
        now, offers = asked()
    made = ann.act(table, offers[0], now["question"]["id"])["table"]["seq"]

    def answers() -> list[str]:
        log = site.do(as_played(site, table)).log[made:]
        return [line.do for line in log if line.seat != names[0]]

    wait_for(ann, table, lambda t: t["seq"] > made)
    assert answers()[0].split()[0] in ("accept", "refuse", "counter")


def wait_for(person: Person, table: str, what: Any) -> Any:
    def look() -> Any:
        now = person.get(f"/tables/{table}?raw=1")
        return now if what(now) else None

    return until(look)
