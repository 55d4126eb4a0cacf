"""Language models, against a local server that speaks the protocol."""

import json
import random
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
import sparks

from powderkeg import games
from powderkeg.bots import levels
from powderkeg.bots.arena import report
from powderkeg.bots.arena import tournament as arena
from powderkeg.bots.arena.tournament import Duel, TournamentFolder
from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.process import guard, worker
from powderkeg.bots.seats import language_model
from powderkeg.bots.seats.language_model import (
    ModelEndpoint,
    ModelManner,
    ModelPlayer,
    TableMessage,
)
from powderkeg.core.ask import Amount, Assign, One, Option, Orders, Row, Share, Some
from powderkeg.core.chance import Seeded
from powderkeg.core.errors import Unreadable
from powderkeg.core.table import Table
from powderkeg.core.words import LANGS, Msg


class Stub(BaseHTTPRequestHandler):
    """Answers `POST /v1/chat/completions` with what the test has laid out."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.heard.append((self.path, self.headers.get("Authorization"), body))
        said = self.server.replies.pop(0) if self.server.replies else ""
        if isinstance(said, int):
            self.send_error(said)
            return
        if isinstance(said, bytes):
            reply = said
        else:
            message = {"role": "assistant", "content": said}
            reply = json.dumps({"choices": [{"index": 0, "message": message}]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *args):
        pass


@pytest.fixture
def server():
    with HTTPServer(("127.0.0.1", 0), Stub) as made:
        made.heard, made.replies = [], []
        thread = threading.Thread(target=made.serve_forever, daemon=True)
        thread.start()
        made.url = f"http://127.0.0.1:{made.server_port}/v1"
        yield made
        made.shutdown()
        thread.join()


@pytest.fixture
def table():
    return Table(sparks, 2, source=Seeded(random.Random(1)))


def think(player, table, seat="red"):
    legal = table.legal(seat)
    bot = player.bot()
    return bot.think(table.view(seat), table.ask(seat), legal, random.Random(1))


def do(action, why="because"):
    return f"I think.\n```json\n{json.dumps({'why': why, 'do': action})}\n```"


def test_a_model_is_asked_and_its_answer_done(server, table):
    card = list(table.legal("red"))[-1]
    server.replies = [do(str(card), "the highest card")]
    player = ModelPlayer(sparks, ModelEndpoint(server.url, "tiny", "secret-key"))
    thought = think(player, table)
    assert thought.action == card
    assert "the highest card" in str(thought.reason)
    path, key, body = server.heard[0]
    assert (path, key) == ("/v1/chat/completions", "Bearer secret-key")
    assert body["model"] == "tiny"
    asked = body["messages"][-1]["content"]
    assert all(str(action) in asked for action in table.legal("red"))
    assert not any(f"card {c}\n" in asked for c in table.state.hands["blue"])


def test_a_refusal_is_said_and_the_model_may_try_again(server, table):
    theirs = table.state.hands["blue"][0]
    card = next(iter(table.legal("red")))
    server.replies = [do(f"card {theirs}"), "no idea", do("castle"), do(str(card))]
    player = ModelPlayer(sparks, ModelEndpoint(server.url, "tiny"), ModelManner(retries=3))
    assert think(player, table).action == card
    last = [m["content"] for m in server.heard[-1][2]["messages"] if m["role"] == "user"]
    assert len(last) == 4
    assert len(set(last)) == 4, "each refusal has its own reason"
    assert [bool(e.refused) for e in player.exchanges] == [True, True, True, False]


NESTED = '{"do":' * 100_000


@pytest.mark.parametrize(
    ("replies", "fault"),
    [
        (["no"] * 3, "gave_up"),
        ([NESTED] * 3, "gave_up"),
        ([500, "no", 500], "gave_up"),
        ([500] * 3, "unreachable"),
        ([b"not json"] * 3, "unreachable"),
        ([b"{}"] * 3, "unreachable"),
        ([b'{"choices":[]}'] * 3, "unreachable"),
        ([NESTED.encode()] * 3, "unreachable"),
        ([b'{"choices":"' + b"x" * language_model.LONGEST_REPLY + b'"}'] * 3, "unreachable"),
    ],
    ids=["no", "nested", "once", "500", "not json", "empty", "no choice", "nested body", "long"],
)
def test_whoever_gives_no_answer_gets_the_default_and_a_fault(server, table, replies, fault):
    server.replies = list(replies)
    player = ModelPlayer(sparks, ModelEndpoint(server.url, "tiny"))
    thought = think(player, table)
    assert thought.action == sparks.default(table.state, "red")
    assert (thought.reason.code, thought.fault) == ("bots.reason.gave_up", fault)
    assert len(server.heard) == 3


def test_a_fault_of_the_model_is_a_fault_of_the_bot(server, table):
    """Though what was done is legal: it was not the model that did it."""
    player = ModelPlayer(sparks, ModelEndpoint(server.url, "tiny"), ModelManner(retries=0))
    card = list(table.legal("red"))[-1]
    server.replies = ["no", 401, do(str(card))]
    said = [guard.decide_here(sparks, table.state, "red", player.bot(), "1") for _ in range(3)]
    assert [decision.fault for decision in said] == ["gave_up", "unreachable", ""]
    assert said[0].action == said[1].action == sparks.default(table.state, "red")
    assert said[2].action == card
    assert "401" in said[1].detail


# In the arena


@pytest.fixture
def named(monkeypatch, server):
    monkeypatch.setenv("POWDERKEG_LLM_URL", server.url)
    monkeypatch.setenv("POWDERKEG_LLM_MODEL", "tiny")
    monkeypatch.setenv("POWDERKEG_LLM_KEY", "secret-key")
    monkeypatch.setenv("POWDERKEG_LLM_MANNER", '{"retries": 0, "temperature": 0.5}')
    return monkeypatch


def tournament(**more):
    bots = {"model": "powderkeg.bots.seats.language_model:configured", "random": "random"}
    return arena.plan_tournament(sparks, bots, (Duel("model", "random"),), seeds=1, **more)


def test_a_model_that_never_answers_is_no_clean_player(named):
    named.setenv("POWDERKEG_LLM_URL", "http://127.0.0.1:9/v1")
    asked = tournament()
    played = [arena.play_pairing(asked, pairing).played for pairing in asked.schedule()]
    found = report.summarize_games(asked, played)
    faults = found["faults"]["model"]
    assert set(faults) == {"unreachable"}
    page = report.report_page(found)
    assert f"model: unreachable {faults['unreachable']}" in page
    assert "Whether the same seeds give the same games also depends on model" in page


def test_model_and_manner_are_kept_with_a_tournament_and_shown(named, tmp_path):
    TournamentFolder(tmp_path, tournament())
    kept = (tmp_path / "tournament.json").read_text()
    assert json.loads(kept)["entrants"][0]["settings"]["model"] == "tiny"
    assert "secret-key" not in kept
    found = report.summarize_games(tournament(), [])
    assert found["settings"]["model"]["temperature"] == 0.5
    assert "model=tiny" in report.report_page(found)
    assert "random" not in found["settings"]


@pytest.mark.parametrize(
    ("name", "value"), [("MODEL", "large"), ("MANNER", '{"retries": 1}'), ("SECONDS", "5")]
)
def test_another_model_or_manner_is_another_tournament(named, tmp_path, name, value):
    TournamentFolder(tmp_path, tournament())
    TournamentFolder(tmp_path, tournament())
    named.setenv(f"POWDERKEG_LLM_{name}", value)
    with pytest.raises(Unreadable) as refused:
        TournamentFolder(tmp_path, tournament())
    assert refused.value.code == "bots.other_tournament"


def test_a_model_keeps_to_the_seconds_of_its_guard(named, server, table):
    bot = worker.cached_bot("tests.tiny.sparks", "powderkeg.bots.seats.language_model:configured")
    assert bot.budget.seconds == 60
    assert worker.with_budget(bot, None, 300.0).budget.seconds == 60
    assert worker.with_budget(bot, None, 10.0).budget.seconds == 8


def test_no_try_takes_more_seconds_than_are_left(table):
    granted = []

    def model(messages, seconds):
        granted.append(seconds)
        return "no"

    player = ModelPlayer(sparks, ModelEndpoint("http://x/v1", "tiny", seconds=30.0), reply=model)
    for budget in (Budget(3, 1000.0), Budget(1, 5.0), Budget(1)):
        asked = table.view("red"), table.ask("red"), table.legal("red"), random.Random(1)
        player.bot(budget).think(*asked)
    assert granted[:3] == [30.0] * 3
    assert 0 < granted[3] <= 5
    assert granted[4] == 30.0


def test_nobody_at_the_other_end_gets_the_default(table):
    player = ModelPlayer(sparks, ModelEndpoint("http://127.0.0.1:9/v1", "tiny", seconds=1.0))
    assert think(player, table).action == sparks.default(table.state, "red")


def test_the_key_is_never_shown(server, table):
    endpoint = ModelEndpoint(server.url, "tiny", "secret-key")
    server.replies = [401, 401, 401]
    player = ModelPlayer(sparks, endpoint)
    think(player, table)
    assert "secret-key" not in repr(endpoint) + repr(player.exchanges) + repr(player.settings)


def test_how_it_was_asked_is_kept_with_a_result():
    player = ModelPlayer(
        sparks, ModelEndpoint("http://x/v1", "tiny"), ModelManner(legal="tree", retries=1)
    )
    assert player.settings["model"] == "tiny"
    assert player.settings["legal"] == "tree"
    assert player.name == "bot (tiny)"


def test_the_tree_can_be_shown_instead_of_the_list(table):
    player = ModelPlayer(sparks, ModelEndpoint("http://x/v1", "tiny"), ModelManner(legal="tree"))
    prompt = player.prompt(table.view("red"), table.ask("red"), table.legal("red"))
    assert "card c" in prompt


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", games.GAME_NAMES)
def test_every_game_can_be_put_in_words(name, lang):
    rules = games.find_game(name)
    table = Table(rules, rules.players[-1], source=Seeded(random.Random(1)))
    seat = min(table.to_act)
    player = ModelPlayer(rules, ModelEndpoint("http://x/v1", "tiny"), ModelManner(lang=lang))
    prompt = player.prompt(table.view(seat), table.ask(seat), table.legal(seat))
    assert f"{name}." not in prompt
    assert f"{name}." not in player.rules(table.view(seat)).replace(f"{name} ", "")


def test_an_outline_shows_every_kind_of_node():
    label = Msg("core.and", some="x", last="y")
    options = (Option("a", label, then=Amount(1, 3)), Option("b", label))
    node = Orders(
        (Row("r", label, Some(options, 0, 2, then=Assign((Share("s", label, 2),), 1, 2))),),
        (Option("ready", label, then=One(options, label)),),
    )
    lines = list(language_model.outline_question(node, "en"))
    assert any("1-3" in line for line in lines)
    assert any(line.strip().startswith("s (0-2)") for line in lines)
    assert any(line.startswith("ready") for line in lines)


# Talk


def test_talk_is_off_unless_allowed(server, table):
    player = ModelPlayer(sparks, ModelEndpoint(server.url, "tiny"))
    assert player.talk(table.view("red"), [], ["blue"]) == []
    assert server.heard == []


@pytest.mark.parametrize(
    "said",
    [
        '{"say": null}',
        '{"say": 3}',
        '{"say": {"to": "blue"}}',
        '{"say": [{"to": 3, "text": "x"}]}',
        '{"say": [{"to": [3, null], "text": "x"}]}',
        '{"say": [{"to": "bluebell", "text": "x"}]}',
        '{"say": [{"to": ["blue"], "text": ""}]}',
        '{"say": [{"to": ["blue"], "text": null}]}',
        '{"say":' * 100_000,
    ],
)
def test_what_cannot_be_sent_is_not_said(server, table, said):
    server.replies = [said]
    player = ModelPlayer(sparks, ModelEndpoint(server.url, "tiny"), ModelManner(press=3))
    assert player.talk(table.view("red"), [], ["blue"]) == []


@pytest.mark.parametrize("to", ["blue", ["blue"], ["blue", "nobody"]])
def test_one_seat_or_several_may_be_written_to(server, table, to):
    server.replies = [json.dumps({"say": [{"to": to, "text": "Peace?"}]})]
    player = ModelPlayer(sparks, ModelEndpoint(server.url, "tiny"), ModelManner(press=3))
    assert player.talk(table.view("red"), [], ["blue"]) == [
        TableMessage("red", ("blue",), "Peace?")
    ]


def test_only_the_last_exchanges_are_remembered(table):
    player = ModelPlayer(
        sparks, ModelEndpoint("http://x/v1", "tiny"), reply=lambda talk, seconds: "no"
    )
    for _ in range(language_model.MOST_EXCHANGES):
        think(player, table)
    assert len(player.exchanges) == language_model.MOST_EXCHANGES


def test_talk_keeps_to_its_budget(server, table):
    said = [
        {"to": ["blue"], "text": "x" * 50},
        {"to": ["nobody"], "text": "lost"},
        {"text": "to all"},
        "nonsense",
        {"to": ["blue"], "text": "too much"},
    ]
    server.replies = [json.dumps({"say": said}), 500]
    player = ModelPlayer(
        sparks, ModelEndpoint(server.url, "tiny"), ModelManner(press=2, press_length=10)
    )
    inbox = [TableMessage("blue", ("red",), "Peace?")]
    assert player.talk(table.view("red"), inbox, ["blue"]) == [
        TableMessage("red", ("blue",), "x" * 10),
        TableMessage("red", (), "to all"),
    ]
    assert "Peace?" in server.heard[0][2]["messages"][-1]["content"]
    prompt = player.prompt(table.view("red"), table.ask("red"), table.legal("red"))
    assert "Peace?" in prompt
    assert "red -> *: to all" in prompt
    assert player.talk(table.view("red"), inbox, ["blue"]) == []


# Off by default


def test_a_model_is_never_found_among_the_levels():
    assert not [name for name in levels.LEVEL_NAMES if "llm" in name]


def test_a_model_must_be_named_first(monkeypatch):
    monkeypatch.delenv("POWDERKEG_LLM_URL", raising=False)
    with pytest.raises(Unreadable):
        levels.load_bot(sparks, "powderkeg.bots.seats.language_model:configured")
    with pytest.raises(Unreadable):
        ModelPlayer(sparks, ModelEndpoint("file:///etc/passwd", "tiny"))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MANNER", "loud"),
        ("MANNER", '{"press": -1}'),
        ("SECONDS", "0"),
        ("SECONDS", "true"),
        ("SECONDS", "1e999"),
        ("SECONDS", "NaN"),
        ("SECONDS", "soon"),
    ],
)
def test_settings_that_make_no_sense_are_refused_in_words(named, name, value):
    named.setenv(f"POWDERKEG_LLM_{name}", value)
    with pytest.raises(Unreadable):
        levels.load_bot(sparks, "powderkeg.bots.seats.language_model:configured")


def test_the_environment_names_a_model(monkeypatch, server, table):
    monkeypatch.setenv("POWDERKEG_LLM_URL", server.url)
    monkeypatch.setenv("POWDERKEG_LLM_MODEL", "tiny")
    monkeypatch.setenv("POWDERKEG_LLM_MANNER", '{"retries": 0}')
    card = next(iter(table.legal("red")))
    server.replies = [do(str(card))]
    bot = levels.load_bot(sparks, "powderkeg.bots.seats.language_model:configured")
    said = bot(table.view("red"), table.ask("red"), table.legal("red"), random.Random(1))
    assert said == card
