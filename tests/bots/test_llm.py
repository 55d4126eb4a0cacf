"""Language models, against a local server that speaks the protocol."""

import json
import random
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
import sparks

from powderkeg import games
from powderkeg.bots import levels, llm
from powderkeg.bots.llm import Endpoint, Manner, Message, Player
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
    player = Player(sparks, Endpoint(server.url, "tiny", "secret-key"))
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
    player = Player(sparks, Endpoint(server.url, "tiny"), Manner(retries=3))
    assert think(player, table).action == card
    last = [m["content"] for m in server.heard[-1][2]["messages"] if m["role"] == "user"]
    assert len(last) == 4
    assert len(set(last)) == 4, "each refusal has its own reason"
    assert [bool(e.refused) for e in player.exchanges] == [True, True, True, False]


@pytest.mark.parametrize(
    "replies", [["no"] * 3, [500] * 3, [b"not json"] * 3, [b"{}"] * 3, [b'{"choices":[]}'] * 3]
)
def test_whoever_gives_no_answer_gets_the_default(server, table, replies):
    server.replies = list(replies)
    player = Player(sparks, Endpoint(server.url, "tiny"))
    thought = think(player, table)
    assert thought.action == sparks.default(table.state, "red")
    assert thought.reason.code == "bots.reason.gave_up"
    assert len(server.heard) == 3


def test_nobody_at_the_other_end_gets_the_default(table):
    player = Player(sparks, Endpoint("http://127.0.0.1:9/v1", "tiny", seconds=1.0))
    assert think(player, table).action == sparks.default(table.state, "red")


def test_the_key_is_never_shown(server, table):
    endpoint = Endpoint(server.url, "tiny", "secret-key")
    server.replies = [401, 401, 401]
    player = Player(sparks, endpoint)
    think(player, table)
    assert "secret-key" not in repr(endpoint) + repr(player.exchanges) + repr(player.settings)


def test_how_it_was_asked_is_kept_with_a_result():
    player = Player(sparks, Endpoint("http://x/v1", "tiny"), Manner(legal="tree", retries=1))
    assert player.settings["model"] == "tiny"
    assert player.settings["legal"] == "tree"
    assert player.name == "bot (tiny)"


def test_the_tree_can_be_shown_instead_of_the_list(table):
    player = Player(sparks, Endpoint("http://x/v1", "tiny"), Manner(legal="tree"))
    prompt = player.prompt(table.view("red"), table.ask("red"), table.legal("red"))
    assert "card c" in prompt


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", games.NAMES)
def test_every_game_can_be_put_in_words(name, lang):
    rules = games.find(name)
    table = Table(rules, rules.players[-1], source=Seeded(random.Random(1)))
    seat = min(table.to_act)
    player = Player(rules, Endpoint("http://x/v1", "tiny"), Manner(lang=lang))
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
    lines = list(llm.outline(node, "en"))
    assert any("1-3" in line for line in lines)
    assert any(line.strip().startswith("s (0-2)") for line in lines)
    assert any(line.startswith("ready") for line in lines)


# Talk


def test_talk_is_off_unless_allowed(server, table):
    player = Player(sparks, Endpoint(server.url, "tiny"))
    assert player.talk(table.view("red"), [], ["blue"]) == []
    assert server.heard == []


def test_talk_keeps_to_its_budget(server, table):
    said = [
        {"to": ["blue"], "text": "x" * 50},
        {"to": ["nobody"], "text": "lost"},
        {"text": "to all"},
        "nonsense",
        {"to": ["blue"], "text": "too much"},
    ]
    server.replies = [json.dumps({"say": said}), 500]
    player = Player(sparks, Endpoint(server.url, "tiny"), Manner(press=2, press_length=10))
    inbox = [Message("blue", ("red",), "Peace?")]
    assert player.talk(table.view("red"), inbox, ["blue"]) == [
        Message("red", ("blue",), "x" * 10),
        Message("red", (), "to all"),
    ]
    assert "Peace?" in server.heard[0][2]["messages"][-1]["content"]
    assert player.talk(table.view("red"), inbox, ["blue"]) == []


# Off by default


def test_a_model_is_never_found_among_the_levels():
    assert not [name for name in levels.NAMES if "llm" in name]


def test_a_model_must_be_named_first(monkeypatch):
    monkeypatch.delenv("POWDERKEG_LLM_URL", raising=False)
    with pytest.raises(Unreadable):
        levels.load(sparks, "powderkeg.bots.llm:configured")
    with pytest.raises(Unreadable):
        Player(sparks, Endpoint("file:///etc/passwd", "tiny"))


def test_the_environment_names_a_model(monkeypatch, server, table):
    monkeypatch.setenv("POWDERKEG_LLM_URL", server.url)
    monkeypatch.setenv("POWDERKEG_LLM_MODEL", "tiny")
    monkeypatch.setenv("POWDERKEG_LLM_MANNER", '{"retries": 0}')
    card = next(iter(table.legal("red")))
    server.replies = [do(str(card))]
    bot = levels.load(sparks, "powderkeg.bots.llm:configured")
    said = bot(table.view("red"), table.ask("red"), table.legal("red"), random.Random(1))
    assert said == card
