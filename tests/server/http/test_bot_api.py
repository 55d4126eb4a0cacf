"""The bot API: streams that resume, and a bot for the local contract on a server."""

# ruff: noqa: PT018  # two halves of one statement about a table belong together

import json
import random
import threading
from dataclasses import replace

import pytest
import sparks

from powderkeg import client
from powderkeg.bots.models import ModelEndpoint, ModelManner, ModelPlayer, ModelReply
from powderkeg.core.errors import Illegal, Stale
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.http import bots
from powderkeg.server.tables.commands import play_actions
from powderkeg.server.views import history, present
from tests.server.accounts.test_accounts import account
from tests.server.visiting import play_out, running, until


def random_bot(view, question, legal, rng):
    return legal.sample(rng)


def bot_account(site):
    person = account(site)
    token = person.post(
        "/me/tokens", {"name": "bot", "scopes": ["read", "play", "tables", "account"]}
    )
    return person, token["token"]


@pytest.mark.slow
def test_a_bot_account_is_made_for_good(site):
    _, token = bot_account(site)
    robot = site.person(Authorization=f"Bearer {token}")
    assert robot.post("/bot/upgrade")["kind"] == "bot"
    assert site.guest("G").post("/bot/upgrade", expect=409)["code"] == "server.not_a_bot"
    ann, ben = account(site), site.guest("Ben")
    site.table(ann, ben)
    assert ann.post("/bot/upgrade", expect=409)["code"] == "server.has_played"


@pytest.mark.slow
def test_a_remote_table_has_the_face_of_a_local_one(site):
    person, token = bot_account(site)
    ben = site.guest("Ben")
    table = site.table(person, ben)
    with client.ServerClient(person.base, token) as server:
        remote = server.table(table, game=sparks)
        assert remote.seat == "red" and remote.to_act == {"red", "blue"} and remote.result is None
        legal = remote.legal("red")
        assert remote.ask("red") is not None and legal.count_all() == 3
        assert remote.view("red")["hand"] == [str(a).split()[1] for a in legal]
        remote.act("red", legal.sample(random.Random(1)))
        assert remote.ask() is None and remote.to_act == {"blue"}
        remote.undo()
        assert remote.ask() is not None
        with pytest.raises(Illegal) as refused:
            remote.act("duck")
        assert refused.value.rule == "S-01" and "sparks" in refused.value.code
        with pytest.raises(Illegal):
            remote.view("blue")
        remote.say("hello")
        assert ben.get(f"/tables/{table}/press")["messages"][-1]["text"] == "hello"


@pytest.mark.slow
def test_two_local_bots_play_each_other_on_the_server(site):
    people = [bot_account(site), bot_account(site)]
    table = site.table(people[0][0], people[1][0])
    games = {"sparks": sparks}

    def play(token):
        with client.ServerClient(people[0][0].base, token) as server:
            over = lambda: server.table(table, game=sparks).now["status"] == "over"  # noqa: E731  # one word
            server.play(random_bot, rng=random.Random(3), games=games, until=over)

    threads = [threading.Thread(target=play, args=(token,), daemon=True) for _, token in people]
    for thread in threads:
        thread.start()
    until(lambda: people[0][0].get(f"/tables/{table}")["status"] == "over", 60)


@pytest.mark.slow
def test_a_bot_is_made_for_every_table_that_an_account_plays_at(site):
    """What has `for_game` is asked once for a table, and its bot keeps what it remembers."""
    person, token = bot_account(site)
    ben = site.guest("Ben")
    tables = [site.table(person, ben) for _ in range(2)]
    made = []

    class Maker:
        def for_game(self, game):
            made.append(game)
            return random_bot

    def done():
        return not any(person.get(f"/tables/{table}")["question"] for table in tables)

    with client.ServerClient(person.base, token) as server:
        server.play(Maker(), rng=random.Random(1), games={"sparks": sparks}, until=done)
    assert made == [sparks] * len(tables), "one bot per table, so that none remembers another"


# Talk


def talker(said, press=20):
    """A language model at the other end of its adapter, and the conversations that it got."""
    asked = []

    def model(request):
        asked.append(request.lines[-1]["content"])
        return ModelReply(json.dumps({"say": said}))

    return ModelPlayer(
        sparks,
        ModelEndpoint("http://127.0.0.1:9/v1", "tiny"),
        ModelManner(press=press),
        reply=model,
    ), asked


@pytest.fixture
def letters(site, request):
    """A remote table of a bot's, Ben who sits there too, and what Ben has read."""
    settings = getattr(request, "param", {})
    person, token = bot_account(site)
    ben = site.guest("Ben")
    table = site.table(person, ben, **settings)

    def read():
        page = ben.get(f"/tables/{table}/press")
        return [(m["channel"], m["text"]) for m in page["messages"] if m["seat"] == "red"]

    with client.ServerClient(person.base, token) as server:
        yield server.table(table, game=sparks), ben, read


def write(ben, table, text, *to):
    ben.post(f"/tables/{table.id}/press", {"command": text, "text": text, "to": list(to)})


def test_a_language_model_talks_at_a_table(letters):
    table, ben, read = letters
    write(ben, table, "Peace?", "red")
    player, asked = talker(
        [{"to": ["blue"], "text": "Yes."}, {"text": "Hear me."}, {"text": "No."}], press=2
    )
    table.talk(player.talk)
    assert "blue -> *: Peace?" in asked[0]
    assert [text for _, text in read()] == ["Yes.", "Hear me."], "no more than it may"


def test_talk_comes_to_an_end_before_the_next_action(letters):
    table, ben, read = letters
    player, asked = talker([{"text": "And you?"}])
    table.talk(player.talk, times=2)
    table.talk(player.talk, times=2)
    assert len(asked) == 1, "nothing new was said"
    for number in range(3):
        write(ben, table, f"Not me {number}.")
        table.talk(player.talk, times=2)
    assert len(asked) == len(read()) == 2
    table.act(next(iter(table.legal())))
    table.talk(player.talk, times=2)
    assert len(asked) == 3
    assert "Not me 2." in asked[2] and "red -> *: And you?" in asked[2]
    table.talk(player.talk, times=2)
    assert len(asked) == 3, "it is not its turn, and nobody wrote"


def test_a_follower_speaks_at_its_turn_and_answers_letters(letters):
    table, ben, read = letters
    player, asked = talker([{"text": "Hear me."}])
    turns = []
    for now in table.follow():
        before = len(asked)
        table.talk(player.talk)
        if len(asked) > before:
            turns.append("red" in now["to_act"])
        if len(turns) == 2:
            break
        if "red" in now["to_act"]:
            table.act(next(iter(table.legal())))
            write(ben, table, "And now?")  # while it is Ben's turn
    assert turns == [True, False] and "And now?" in asked[1]
    assert [text for _, text in read()] == ["Hear me."] * 2


def test_news_older_than_what_was_looked_at_is_passed_over(letters, monkeypatch):
    table, _, _ = letters
    before = {"type": "table", "table": table.now}
    table.act(next(iter(table.legal())))
    after = {"type": "table", "table": table.now}
    monkeypatch.setattr(table.server, "stream", lambda path: iter([before, after]))
    assert [now["to_act"] for now in table.follow()] == [after["table"]["to_act"]]


@pytest.mark.parametrize("letters", [{"settings": {"press": "public"}}], indirect=True)
def test_a_private_letter_is_streamed_to_its_reader_only(letters):
    table, _, read = letters
    player, _ = talker([{"to": ["blue"], "text": "Between us."}, {"text": "To all."}])
    table.talk(player.talk)
    assert read() == [("all", "To all.")]


@pytest.mark.parametrize("letters", [{"settings": {"press": "none"}}], indirect=True)
def test_nobody_talks_where_nobody_may(letters):
    table, _, read = letters
    player, asked = talker([{"text": "Hello?"}])
    table.talk(player.talk)
    assert (asked, read()) == ([], [])


@pytest.mark.slow
def test_the_game_stream_resumes_where_it_broke_off(site):
    person, token = bot_account(site)
    ben = site.guest("Ben")
    table = site.table(person, ben)
    with client.ServerClient(person.base, token) as server:
        first = next(server.stream(f"/bot/tables/{table}/stream"))
        assert first["type"] == "table" and len(first["log"]) == first["table"]["seq"]
        assert first["table"]["question"]["raw"] and first["table"]["legal"]
        remote = server.table(table, game=sparks)
        remote.act(remote.legal().sample(random.Random(1)))
        seq = first["table"]["seq"]
        again = next(server.stream(f"/bot/tables/{table}/stream?since={seq}"))
        assert [entry["seq"] for entry in again["log"]] == [seq]


@pytest.mark.slow
def test_streams_keep_alive_with_empty_lines(site):
    _, token = bot_account(site)
    robot = site.person(Authorization=f"Bearer {token}")
    with robot.http.stream("GET", f"{robot.base}/api/bot/events") as stream:
        assert next(stream.iter_lines()) == ""


@pytest.mark.slow
def test_a_late_answer_is_stale(site):
    person, token = bot_account(site)
    ben = site.guest("Ben")
    table = site.table(person, ben)
    with client.ServerClient(person.base, token) as server:
        remote = server.table(table, game=sparks)
        text = str(remote.legal().sample(random.Random(1)))
        for who in (person, ben):
            now = who.get(f"/tables/{table}")
            who.act(table, now["legal"][0], now["question"]["id"])
        with pytest.raises(Stale):
            remote.act(text)


def test_a_seats_link_is_a_key_for_a_program_too(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    link = ann.post(f"/tables/{table}/seats/red/link")
    with client.ServerClient(ann.base, link["token"]) as server:
        remote = server.table(table, game=sparks)
        assert remote.seat == "red"
        remote.play(random_bot, random.Random(1))
        assert "red" not in remote.to_act or remote.now["status"] == "over"


def test_every_question_of_a_game_survives_the_wire(site):
    """What the client rebuilds is the question that was asked."""
    from powderkeg.server import message_json

    state = sparks.start(("red", "blue"), sparks.Options())
    state = sparks.apply(state, "chance", sparks.Drawn(sparks.CARDS)).state
    asked = sparks.ask(state, "red")
    assert client.parse_question(json.loads(json.dumps(message_json.raw_question(asked)))) == asked


@pytest.mark.slow
def test_the_end_of_a_game_is_streamed_though_it_was_never_my_turn(site):
    person, token = bot_account(site)
    ben = site.guest("Ben")
    table = site.table(person, ben)
    now = person.get(f"/tables/{table}")
    person.act(table, now["legal"][0], now["question"]["id"])
    robot = site.person(Authorization=f"Bearer {token}")
    with robot.http.stream("GET", f"{robot.base}/api/bot/events") as stream:
        lines = stream.iter_lines()
        assert next(lines) == ""
        ben.post(f"/tables/{table}/proposals", {"kind": "concede", "args": {"winner": "red"}})
        heard_line = next(filter(None, lines))
        assert next(lines) == ""  # nothing more follows
    event = json.loads(heard_line)
    assert (event["type"], event["table"]) == ("over", table)


async def heard(site, table):
    """What the stream of a table tells of its log until it falls silent or ends."""
    heard_events = []
    async for line in bots._table_lines(site.server, Principal(), table, None, 0):
        if line == "\n":
            break
        heard_events += [entry["seq"] for entry in json.loads(line)["log"]]
    return heard_events


@pytest.mark.slow
def test_the_stream_of_a_long_game_tells_all_of_it(settings, monkeypatch):
    monkeypatch.setattr(bots, "LOG_PAGE", 3)
    with running(settings) as site:
        ann, ben = site.guest("Ann"), site.guest("Ben")
        table = site.table(ann, ben)
        seq = play_out(site, table, [ann, ben])["seq"]
        assert site.do(heard(site, table)) == list(range(seq))


@pytest.mark.slow
@pytest.mark.parametrize("last", [False, True], ids=["goes on", "ends"])
def test_what_happens_while_the_stream_looks_is_sent(settings, monkeypatch, last):
    """An action between the two looks, at the log and at the table, is in one or the other."""
    waiting = replace(settings, keep_alive=1.5)
    with running(waiting) as site:
        ann, ben = site.guest("Ann"), site.guest("Ben")
        table = site.table(ann, ben, options={"rounds": 1, "sparks": False})
        cache, looks = site.server.cache, []

        async def acts():
            async with cache.look(table) as loaded:
                state = loaded.current.table.state
                seat = min(sparks.to_act(state))
                text = str(sparks.default(state, seat))
            await play_actions(cache, table, seat, [text], command=None, question=None)

        def watched(look):
            async def then(*args, **more):
                found = await look(*args, **more)
                looks.append(look)
                if len(looks) == 1:
                    await acts()
                return found

            return then

        for _ in range(2 if last else 0):  # then the loser's draw is the last decision
            site.do(acts())
        monkeypatch.setattr(bots.history, "read_log", watched(history.read_log))
        monkeypatch.setattr(bots.present, "present_table", watched(present.present_table))
        heard_events = site.do(heard(site, table))
        monkeypatch.undo()
        now = ann.get(f"/tables/{table}")
        assert now["status"] == ("over" if last else "live")
        assert heard_events == list(range(now["seq"]))
