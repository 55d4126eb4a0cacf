"""A language model at a table, against a local server that speaks the protocol."""

import json
import random

import pytest
import sparks

import powderkeg
from powderkeg.bots import levels
from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.models import ModelEndpoint, ModelManner, ModelPlayer, ModelReply
from powderkeg.bots.models.chat import LONGEST_REPLY
from powderkeg.bots.models.player import MOST_EXCHANGES
from powderkeg.bots.process import guard, worker
from powderkeg.bots.seats.letters import TableMessage
from powderkeg.core.chance import Seeded
from powderkeg.core.errors import Unreadable
from powderkeg.core.table import Table
from tests.bots.models.fake_endpoint import HANG, last_user_text, turn
from tests.server.visiting import until


@pytest.fixture
def table():
    return Table(sparks, 2, source=Seeded(random.Random(1)))


def think(player, table, seat="red"):
    legal = table.legal(seat)
    return player.bot().think(table.view(seat), table.ask(seat), legal, random.Random(1))


def play_turn(player, table, seat):
    """The actions of a seat until nothing is asked of it any more."""
    done = []
    while (question := table.ask(seat)) is not None and seat in table.to_act:
        legal = table.legal(seat)
        thought = player.bot().think(table.view(seat), question, legal, random.Random(1))
        table.act(seat, thought.action)
        done.append(thought)
    return done


def test_a_model_is_asked_and_its_answer_done(server, table):
    card = list(table.legal("red"))[-1]
    server.replies = [turn(str(card), why="the highest card")]
    player = ModelPlayer(sparks, ModelEndpoint(server.url, "tiny", "secret-key"))
    thought = think(player, table)
    assert thought.action == card
    assert "the highest card" in str(thought.reason)
    path, key, body = server.heard[0]
    assert (path, key) == ("/v1/chat/completions", "Bearer secret-key")
    assert body["model"] == "tiny"
    asked = last_user_text(body)
    assert all(str(action) in asked for action in table.legal("red"))
    assert not any(f"card {c}\n" in asked for c in table.state.hands["blue"])


# Whole turns

OPENING = ("Army Vienna - Galicia", "A bud - ser", "F tri - alb")


def test_one_request_brings_a_whole_turn(server):
    table = powderkeg.table("diplomacy", seed=1)
    server.replies = [turn(*OPENING)]
    player = ModelPlayer(table.game, ModelEndpoint(server.url, "tiny"))
    done = [str(thought.action) for thought in play_turn(player, table, "AUSTRIA")]
    assert done == ["A vie - gal", "A bud - ser", "F tri - alb", "ready"]
    assert len(server.heard) == player.seat_usage("AUSTRIA").requests == 1


@pytest.mark.parametrize(
    "text", ["A vie - gal; A bud - ser; F tri - alb", "A vie - gal\nA bud - ser"]
)
def test_a_turn_may_be_one_text(server, text):
    table = powderkeg.table("diplomacy", seed=1)
    server.replies = [json.dumps({"orders": text})]
    player = ModelPlayer(table.game, ModelEndpoint(server.url, "tiny"))
    assert str(play_turn(player, table, "AUSTRIA")[1].action) == "A bud - ser"


def test_only_what_was_refused_is_asked_again(server):
    table = powderkeg.table("diplomacy", seed=1)
    server.replies = [turn("A vie - gal", "A bud - par", "F tri - alb"), turn("A bud - rum")]
    player = ModelPlayer(table.game, ModelEndpoint(server.url, "tiny"))
    done = [str(thought.action) for thought in play_turn(player, table, "AUSTRIA")]
    assert done == ["A vie - gal", "F tri - alb", "A bud - rum", "ready"]
    again = last_user_text(server.heard[1][2])
    assert "A bud - par: " in again
    assert "Accepted so far: A vie - gal; F tri - alb" in again


def test_what_could_be_read_is_played_and_the_rest_is_a_fault(server):
    table = powderkeg.table("diplomacy", seed=1)
    server.replies = [turn("A vie - gal", "A bud - par"), turn("A bud - lon"), turn("A bud - edi")]
    player = ModelPlayer(table.game, ModelEndpoint(server.url, "tiny"))
    done = play_turn(player, table, "AUSTRIA")
    assert [str(thought.action) for thought in done] == ["A vie - gal", "ready"]
    assert [thought.fault for thought in done] == ["gave_up", ""]
    assert player.seat_usage("AUSTRIA").faults == {"gave_up": 1}


def test_decisions_in_sequence_are_one_request(server):
    table = powderkeg.table("versailles", players=3, seed=1)
    while table.game.marks(table.state).phase == "setup":
        seat = min(table.to_act)
        table.act(seat, next(iter(table.legal(seat))))
    (seat,) = table.to_act
    first, second = [issue["issue"] for issue in table.view(seat)["table"]][:2]
    server.replies = [turn(f"place {first} 1", f"place {second} 1", "end", "place nowhere 3")]
    player = ModelPlayer(table.game, ModelEndpoint(server.url, "tiny"))
    done = [str(thought.action) for thought in play_turn(player, table, seat)]
    assert done[:2] == [f"place {first} 1", f"place {second} 1"]
    assert len(server.heard) == 1


def test_a_plan_ends_with_its_phase(server):
    table = powderkeg.table("risk_europe", players=2, seed=1)
    player = ModelPlayer(table.game, ModelEndpoint(server.url, "tiny"))
    server.replies = [turn("bid 1", "bid 1", "bid 1")]
    assert [str(t.action) for t in play_turn(player, table, "blue")] == ["bid 1"]
    assert not player.seat_mind("blue").plan


# Forms of answers


def test_a_schema_is_asked_for(server, table):
    server.answer = lambda body: turn(str(next(iter(table.legal("red")))))
    think(ModelPlayer(sparks, ModelEndpoint(server.url, "tiny")), table)
    form = server.heard[0][2]["response_format"]
    assert form["json_schema"]["schema"]["required"] == ["why", "orders", "diary"]


def test_an_endpoint_without_schema_is_asked_with_tools_and_then_in_plain_text(server, table):
    card = str(next(iter(table.legal("red"))))
    call = {"function": {"name": "answer", "arguments": json.dumps({"orders": [card]})}}
    server.replies = [400, {"content": None, "tool_calls": [call]}]
    player = ModelPlayer(sparks, ModelEndpoint(server.url, "tiny"))
    assert str(think(player, table).action) == card
    assert "tools" in server.heard[1][2]
    server.replies = [422, turn(card)]
    assert str(think(player, table).action) == card
    assert not {"tools", "response_format"} & server.heard[3][2].keys()
    assert player.seat_usage("red").requests == 4


def test_a_redirect_is_not_followed_with_the_key(server, table):
    server.answer = lambda body: 302
    player = ModelPlayer(sparks, ModelEndpoint(server.url, "tiny", "secret-key"))
    assert think(player, table).fault == "unreachable"


# Refusals and faults


def test_a_refusal_is_said_and_the_model_may_try_again(server, table):
    theirs = table.state.hands["blue"][0]
    card = next(iter(table.legal("red")))
    server.replies = [turn(f"card {theirs}"), "no idea", turn("castle"), turn(str(card))]
    player = ModelPlayer(sparks, ModelEndpoint(server.url, "tiny"), ModelManner(retries=3))
    assert think(player, table).action == card
    last = [m["content"] for m in server.heard[-1][2]["messages"] if m["role"] == "user"]
    assert len(last) == len(set(last)) == 4, "each refusal has its own reason"
    assert [bool(e.refused) for e in player.exchanges] == [True, True, True, False]


NESTED = '{"orders":' * 50_000


@pytest.mark.parametrize(
    ("replies", "fault", "requests"),
    [
        (["no", "never", "nothing"], "gave_up", 3),
        (["no"] * 3, "repeated", 2),
        ([NESTED] * 3, "repeated", 2),
        ([500, "no", 500], "gave_up", 3),
        ([500] * 3, "unreachable", 3),
        ([b"not json"] * 3, "unreachable", 3),
        ([b"{}"] * 3, "unreachable", 3),
        ([b'{"choices":[]}'] * 3, "unreachable", 3),
        ([NESTED.encode()] * 3, "unreachable", 3),
        ([b'{"choices":"' + b"x" * LONGEST_REPLY + b'"}'] * 3, "unreachable", 3),
    ],
    ids=["no", "same", "nested", "once", "500", "not json", "empty", "no choice", "deep", "long"],
)
def test_without_an_answer_the_default_is_played(server, table, replies, fault, requests):
    server.replies = list(replies)
    player = ModelPlayer(sparks, ModelEndpoint(server.url, "tiny"))
    thought = think(player, table)
    assert thought.action == sparks.default(table.state, "red")
    assert (thought.reason.code, thought.fault) == (f"bots.reason.{fault}", fault)
    assert len(server.heard) == requests


def test_a_fault_of_the_model_is_a_fault_of_the_bot(server, table):
    """Though what was done is legal: it was not the model that did it."""
    player = ModelPlayer(sparks, ModelEndpoint(server.url, "tiny"), ModelManner(retries=0))
    bot, card = player.bot(), next(iter(table.legal("red")))
    server.replies = ["no", 401, turn(str(card))]
    said = [guard.decide_here(sparks, table.state, "red", bot, "1") for _ in range(3)]
    assert [decision.fault for decision in said] == ["gave_up", "unreachable", ""]
    assert said[0].action == said[1].action == sparks.default(table.state, "red")
    assert said[2].action == card
    assert "401" in said[1].detail


def test_a_hanging_endpoint_is_left_after_its_seconds(server, table):
    server.answer = lambda body: HANG
    endpoint = ModelEndpoint(server.url, "tiny", seconds=0.2)
    player = ModelPlayer(sparks, endpoint, ModelManner(failures=4))
    for _ in range(3):
        assert think(player, table).fault == "unreachable"
    until(lambda: len(server.heard) >= 4)  # it may hear of a request when we have given up
    assert len(server.heard) == 4, "an endpoint that is gone is not asked forever"


def test_nobody_at_the_other_end_gets_the_default(table):
    player = ModelPlayer(sparks, ModelEndpoint("http://127.0.0.1:9/v1", "tiny", seconds=1.0))
    assert think(player, table).action == sparks.default(table.state, "red")


# Bounds


def talker(text="no"):
    """A stand-in that says something else every time."""
    count = iter(range(10_000))
    return lambda request: ModelReply(f"{text} {next(count)}", 100, 10)


@pytest.mark.parametrize(
    ("manner", "most"),
    [
        ({"phase_requests": 5}, 5),
        ({"game_requests": 7}, 7),
        ({"phase_tokens": 10_000, "tokens": 9_000}, 9),
        ({"game_tokens": 10_000, "tokens": 9_000}, 9),
    ],
)
def test_a_seat_spends_no_more_than_its_bounds(table, manner, most):
    endpoint = ModelEndpoint("http://127.0.0.1:9/v1", "tiny")
    player = ModelPlayer(sparks, endpoint, ModelManner(rules="none", **manner), reply=talker())
    faults = [think(player, table).fault for _ in range(20)]
    usage = player.seat_usage("red")
    assert 0 < usage.requests <= most
    assert usage.tokens <= 10_000
    assert faults[-1] == "spent"
    assert usage.faults["spent"] + usage.faults["gave_up"] == 20


def test_tokens_are_counted_and_priced(server, table):
    card = str(next(iter(table.legal("red"))))
    server.replies, server.usage = [turn(card)], {"prompt_tokens": 2000, "completion_tokens": 100}
    manner = ModelManner(price_in=3.0, price_out=15.0)
    player = ModelPlayer(sparks, ModelEndpoint(server.url, "tiny"), manner)
    think(player, table)
    usage = player.seat_usage("red")
    assert (usage.requests, usage.tokens_in, usage.tokens_out) == (1, 2000, 100)
    assert usage.cost == pytest.approx(0.0075)


def test_a_model_keeps_to_the_seconds_of_its_guard(named, server, table):
    bot = worker.cached_bot("tests.tiny.sparks", "powderkeg.bots.models:configured")
    assert bot.budget.seconds == 60
    assert worker.with_budget(bot, None, 300.0).budget.seconds == 60
    assert worker.with_budget(bot, None, 10.0).budget.seconds == 8


def test_no_try_takes_more_seconds_than_are_left(table):
    granted = []

    def model(request):
        granted.append(request.seconds)
        return ModelReply(f"no {len(granted)}")

    endpoint = ModelEndpoint("http://127.0.0.1:9/v1", "tiny", seconds=30.0)
    for budget in (Budget(3, 1000.0), Budget(1, 5.0), Budget(1)):
        player = ModelPlayer(sparks, endpoint, reply=model)
        asked = table.view("red"), table.ask("red"), table.legal("red"), random.Random(1)
        player.bot(budget).think(*asked)
    assert granted[:3] == [30.0] * 3
    assert all(0 < seconds <= 5 for seconds in granted[3:6])
    assert granted[6] == 30.0


def test_only_the_last_exchanges_are_remembered(table):
    player = ModelPlayer(sparks, ModelEndpoint("http://127.0.0.1:9/v1", "tiny"), reply=talker())
    for number in range(MOST_EXCHANGES):
        player.minds.clear()
        think(player, table)
        assert len(player.exchanges) == min(3 * (number + 1), MOST_EXCHANGES)


# What is kept


def test_the_key_is_never_shown(server, table):
    endpoint = ModelEndpoint(server.url, "tiny", "secret-key")
    server.replies = [401, 401, 401]
    player = ModelPlayer(sparks, endpoint)
    think(player, table)
    assert "secret-key" not in repr(endpoint) + repr(player.exchanges) + repr(player.settings)


def test_how_it_was_asked_is_kept_with_a_result():
    player = ModelPlayer(
        sparks, ModelEndpoint("http://127.0.0.1:9/v1", "tiny"), ModelManner(legal="list", retries=1)
    )
    assert player.settings["model"] == "tiny"
    assert player.settings["legal"] == "list"
    assert player.name == "bot (tiny)"


def test_the_diary_comes_back_and_stays_small(server):
    table = powderkeg.table("diplomacy", seed=1)
    manner = ModelManner(diary=100, retries=0)
    player = ModelPlayer(table.game, ModelEndpoint(server.url, "tiny"), manner)
    server.answer = lambda body: turn("A vie H", diary="Italy lies. " + "x" * 40)
    for number in range(4):
        for seat in sorted(table.to_act):
            if seat == "AUSTRIA":
                play_turn(player, table, seat)
            else:
                table.act(seat, "ready")
        asked = last_user_text(server.heard[-1][2])
        assert ("Italy lies." in asked) == bool(number)
    assert sum(map(len, player.seat_mind("AUSTRIA").diary)) <= 100
    assert "S1901M: Italy lies." not in asked, "the oldest entries go first"


def test_the_prompt_says_what_happened(server, table):
    player = ModelPlayer(sparks, ModelEndpoint(server.url, "tiny"), ModelManner(history=2))
    player.hear_news("red", ["first", "second", "third"])
    think(player, table)
    asked = last_user_text(server.heard[0][2])
    assert "second\nthird" in asked
    assert "first" not in asked


# Talk


def test_talk_is_off_without_messages(server, table):
    player = ModelPlayer(sparks, ModelEndpoint(server.url, "tiny"), ModelManner(press=0))
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


def test_talk_keeps_to_its_budget(server, table):
    said = [
        {"to": ["blue"], "text": "x" * 50},
        {"to": ["nobody"], "text": "lost"},
        {"text": "to all"},
        "nonsense",
        {"to": ["blue"], "text": "too much"},
    ]
    server.replies = [json.dumps({"say": said, "diary": "Blue is kind."})]
    player = ModelPlayer(
        sparks, ModelEndpoint(server.url, "tiny"), ModelManner(press=2, press_length=10)
    )
    inbox = [TableMessage("blue", ("red",), "Peace?")]
    assert player.talk(table.view("red"), inbox, ["blue"]) == [
        TableMessage("red", ("blue",), "x" * 10),
        TableMessage("red", (), "to all"),
    ]
    assert "Peace?" in last_user_text(server.heard[0][2])
    assert player.talk(table.view("red"), inbox, ["blue"]) == [], "no more in this phase"
    assert len(server.heard) == 1
    think(player, table)
    asked = last_user_text(server.heard[1][2])
    assert "Peace?" in asked
    assert "Blue is kind." in asked


def test_offers_and_answers_are_formal(server):
    table = powderkeg.table("diplomacy", seed=1)
    peace = {"kind": "peace", "against": [], "places": [], "action": ""}
    said = {
        "answers": [{"offer": 3, "agree": True}],
        "say": [{"to": ["ITALY"], "text": "Friends?", "promises": [peace]}],
    }
    server.replies = [json.dumps(said)]
    player = ModelPlayer(table.game, ModelEndpoint(server.url, "tiny"))
    answer, offer = player.talk(table.view("AUSTRIA"), [], ["ITALY"])
    assert (answer.answers, answer.agree) == (3, True)
    assert [part.kind for part in offer.promises] == ["peace"]


# Off by default


def test_a_model_is_never_found_among_the_levels():
    assert not [name for name in levels.LEVEL_NAMES if "model" in name]


@pytest.mark.parametrize("spec", ["model", "model:large", "powderkeg.bots.models:configured"])
def test_a_model_must_be_named_first(monkeypatch, spec):
    monkeypatch.delenv("POWDERKEG_LLM_URL", raising=False)
    with pytest.raises(Unreadable):
        levels.load_bot(sparks, spec)
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
        levels.load_bot(sparks, "model")


@pytest.mark.parametrize(("spec", "model"), [("model", "tiny"), ("model:large", "large")])
def test_the_environment_names_a_model(named, server, table, spec, model):
    card = next(iter(table.legal("red")))
    server.replies = [turn(str(card))]
    bot = levels.load_bot(sparks, spec)
    said = bot(table.view("red"), table.ask("red"), table.legal("red"), random.Random(1))
    assert said == card
    assert server.heard[0][2]["model"] == model
    assert server.heard[0][2]["temperature"] == 0.5
