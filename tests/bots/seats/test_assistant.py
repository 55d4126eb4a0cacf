"""An assistant at a table, over the Model Context Protocol."""

import os
import random
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import sparks
from typer.testing import CliRunner

import powderkeg
from powderkeg import games
from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.engine.thought import ThinkingBot, Thought
from powderkeg.bots.models.outline import outline_question
from powderkeg.bots.seats.assistant import take_seat
from powderkeg.cli.app import app
from powderkeg.cli.play.saves import GameWishes, notes_path
from powderkeg.cli.seats.mcp import make_server, open_game, take_local_seat
from powderkeg.core.chance import Seeded
from powderkeg.core.errors import Unreadable
from powderkeg.core.record import read_record
from powderkeg.core.table import Table
from powderkeg.core.words import Msg
from powderkeg.games.diplomacy.actions import Ready

mcp = pytest.importorskip("mcp")
ROOT = Path(__file__).parents[3]
TOOLS = {"look", "answers", "act", "undo", "news", "talk"}


@pytest.fixture
def place():
    table = Table(sparks, 2, source=Seeded(random.Random(1)))
    return take_seat(table, "red", "random", seed="1")


@pytest.fixture
def austria():
    table = powderkeg.table("diplomacy", seed=1)
    return take_seat(table, "AUSTRIA", "random", seed="1")


def words(result):
    return result.content[0].text


@pytest.mark.asyncio
async def test_an_assistant_plays_a_game_to_its_end(place):
    async with mcp.Client(make_server(place)) as client:
        tools = await client.list_tools()
        assert {tool.name for tool in tools.tools} == TOOLS
        for _ in range(20):
            if place.table.result:
                break
            card = str(next(iter(place.table.legal("red"))))
            assert card in words(await client.call_tool("answers"))
            assert f"Done: {card}" in words(await client.call_tool("act", {"orders": card}))
        assert place.table.result is not None
        assert str(place.table.result.why) in words(await client.call_tool("look"))


@pytest.mark.asyncio
async def test_a_whole_turn_is_one_call_in_ordinary_notation(austria):
    async with mcp.Client(make_server(austria)) as client:
        said = words(
            await client.call_tool(
                "act", {"orders": "Army Vienna to Galicia; A bud - par; F Trieste - Albania"}
            )
        )
        assert "Done: A vie - gal; F tri - alb" in said
        assert "Refused: A bud - par: " in said
        assert "Without an order: A Budapest." in said
        assert len(said) < 600, "the tree is sent only when it is asked for"
        said = words(await client.call_tool("act", {"orders": "A bud - rum; ready"}))
        assert "Fall 1901" in said
        assert "Budapest" in said, "what followed is there"


def test_an_assistant_hears_what_a_bot_says_about_its_move(austria):
    def refuse(view, question, legal, rng, clock):
        return Thought(Ready(), Msg("bots.reason.only"), spoken="versailles_bots.say.worse")

    austria.bot = ThinkingBot("random", refuse, Budget(1))
    assert "ITALY -> *: This deal would leave me worse off." in austria.act("ready")


@pytest.mark.asyncio
async def test_orders_can_be_taken_back(austria):
    async with mcp.Client(make_server(austria)) as client:
        await client.call_tool("act", {"orders": "A vie - gal"})
        assert "A Vienna" in words(await client.call_tool("undo"))
        assert "You cannot undo this" in words(await client.call_tool("undo"))


@pytest.mark.asyncio
async def test_rules_are_resources_and_a_prompt_starts_the_game(austria):
    async with mcp.Client(make_server(austria)) as client:
        listed = {str(found.uri) for found in (await client.list_resources()).resources}
        assert listed == {"powderkeg://rules", "powderkeg://rules/full"}
        short = (await client.read_resource("powderkeg://rules")).contents[0].text
        assert "Control 18 supply centres" in short
        assert "par Paris" in short
        full = (await client.read_resource("powderkeg://rules/full")).contents[0].text
        assert "**D-SET-01**" in full
        (prompt,) = (await client.list_prompts()).prompts
        found = await client.get_prompt(prompt.name, {})
        assert "as Austria" in found.messages[0].content.text


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("act", {"action": "ready"}, "act has no argument “action”. It takes: orders."),
        ("act", {}, "for: orders. It takes: orders."),
        ("act", {"orders": ["ready"]}, "for: orders. It takes: orders."),
        ("look", {"deep": True}, "look has no argument “deep”. It takes: -."),
    ],
)
@pytest.mark.asyncio
async def test_a_wrong_argument_is_a_plain_sentence(place, tool, arguments, said):
    async with mcp.Client(make_server(place)) as client:
        result = await client.call_tool(tool, arguments)
        assert result.is_error
        assert words(result).endswith(said)
        assert "pydantic" not in words(result)


@pytest.mark.asyncio
async def test_what_is_refused_is_said(place):
    async with mcp.Client(make_server(place)) as client:
        assert "castle long" in words(await client.call_tool("act", {"orders": "castle long"}))
        assert "no order" in words(await client.call_tool("act", {"orders": " ; "}))
        assert place.table.to_act


def test_an_assistant_sees_its_own_seat_only(place):
    seen = place.look() + place.answers() + place.read_news()
    assert not any(f"card {card}" in seen for card in place.table.state.hands["blue"])
    assert place.read_news() == "", "news comes once"


def test_a_list_that_is_cut_says_so(place, monkeypatch):
    assert "first" not in place.answers()
    monkeypatch.setattr("powderkeg.bots.seats.assistant.MOST_LINES", 2)
    monkeypatch.setattr("powderkeg.bots.seats.assistant.MOST_TREE_LINES", 2)
    for text in (place.answers("c"), place.answers()):
        assert text.endswith(
            "Only the first 2 lines are shown."
            " Call answers with the beginning of an action to see more."
        )


def test_legal_actions_may_be_asked_for_by_their_beginning(place):
    card = str(next(iter(place.table.legal("red"))))
    head, *listed = place.answers(card).splitlines()
    assert (f"“{card}”" in head, listed) == (True, [card])


@pytest.mark.slow
def test_every_term_of_a_deal_is_shown():
    """The longest question of our games: what can be proposed in Versailles."""
    rules = games.find_game("versailles")
    table = Table(rules, 4, source=Seeded(random.Random(1)))
    place, longest = take_seat(table, None, "random", seed="1"), 0
    for _ in range(30):
        lines = list(outline_question(table.ask(place.seat).node, "en"))
        longest = max(longest, len(lines))
        assert place.answers().endswith("\n".join(lines))
        place.act(str(table.legal(place.seat).sample(random.Random(len(table.log)))))
        if not table.to_act:
            break
    assert longest > 200


# Talk


@pytest.mark.slow
@pytest.mark.asyncio
async def test_an_assistant_negotiates_with_bots():
    table = powderkeg.table("diplomacy", seed=1)
    place = take_seat(table, "AUSTRIA", "normal", seed="1")
    async with mcp.Client(make_server(place)) as client:
        peace = {"to": ["ITALY"], "text": "Friends?", "promises": [{"kind": "peace"}]}
        said = words(await client.call_tool("talk", peace))
        assert "AUSTRIA -> ITALY: I propose peace between Austria and Italy. Friends?" in said
        assert "ITALY -> AUSTRIA: " in said
        assert "offer" in words(await client.call_tool("talk", {"offer": 999, "agree": True}))
        waiting = [letter for letter in place.read_letters() if letter.asks]
        if waiting:
            yes = {"offer": waiting[0].number, "agree": True}
            assert "Agreed: " in words(await client.call_tool("talk", yes))


@pytest.mark.asyncio
async def test_offers_need_a_game_whose_bots_understand_them(place):
    async with mcp.Client(make_server(place)) as client:
        assert "Nobody has written" in words(await client.call_tool("talk"))
        assert "red -> *: Hello." in words(await client.call_tool("talk", {"text": "Hello."}))
        said = words(await client.call_tool("talk", {"promises": [{"kind": "peace"}]}))
        assert said == "There are no formal offers in this game."


# The command


@pytest.mark.parametrize(
    "half",
    [
        [],
        ["--server", "http://127.0.0.1:9"],
        ["--table", "AbC"],
        ["--server", "http://127.0.0.1:9", "diplomacy"],
    ],
)
def test_a_server_and_a_table_belong_together(half):
    said = CliRunner().invoke(app, ["mcp", *half])
    assert isinstance(said.exception, Unreadable)
    assert said.exception.code == "bots.mcp.which_table"


def test_a_seat_that_is_not_asked_must_wait(place):
    place.table.act("red", next(iter(place.table.legal("red"))))
    assert place.question() == "There is nothing for you to decide now."
    assert "marked as a bot" in place.introduction()


def test_a_seat_must_be_there():
    table = Table(sparks, 2, source=Seeded(random.Random(1)))
    with pytest.raises(Unreadable):
        take_seat(table, "green", "random")
    assert take_seat(table, None, "random").seat == "red"


@pytest.mark.parametrize("name", games.GAME_NAMES)
def test_every_game_can_be_looked_at(name):
    rules = games.find_game(name)
    table = Table(rules, rules.players[-1], source=Seeded(random.Random(1)))
    place = take_seat(table, None, "random", seed="1", lang="es")
    for _ in range(3):
        for text in (place.look(), place.answers(), place.rules()):
            assert not [w for w in text.split() if w.startswith((f"{name}.", "bots."))]
        place.act(str(next(iter(place.table.legal(place.seat)))))


def command(*arguments):
    script = "from powderkeg.cli import main; main()"
    return [sys.executable, "-c", script, "mcp", *map(str, arguments)]


def environment():
    paths = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    return os.environ | {"PYTHONPATH": paths, "LANG": "en"}


@pytest.mark.parametrize(
    ("game", "wish", "code"),
    [
        ("diplomacy", {}, "cli.save_other_game"),
        ("risk_europe", {"players": 3}, "cli.save_differs"),
        ("risk_europe", {"options": ["rounds=2"]}, "cli.save_differs"),
        ("risk_europe", {"seed": 4}, "cli.save_differs"),
    ],
)
def test_a_file_of_another_game_is_not_resumed(tmp_path, game, wish, code):
    file = tmp_path / "game.jsonl"
    asked = GameWishes("risk_europe", 2, [], 3)
    opened, notes = open_game(file, asked, "easy", "en")
    take_local_seat(opened, notes, None, file, "en")
    before = file.read_bytes()
    wishes = GameWishes(game, None, [], None)._replace(**wish)
    with pytest.raises(Unreadable) as refused:
        open_game(file, wishes, None, "en")
    assert refused.value.code == code
    assert file.read_bytes() == before
    again, kept = open_game(file, GameWishes(None, None, [], None), None, "en")
    assert (len(again.seats), kept.bots, kept.people) == (2, "easy", ("blue",))
    assert open_game(file, asked, "hard", "en")[1].bots == "hard"


def test_a_game_that_lost_its_key_says_so(tmp_path, capsys):
    file = tmp_path / "game.jsonl"
    take_local_seat(
        *open_game(file, GameWishes("risk_europe", 2, [], 3), None, "en"), None, file, "en"
    )
    notes_path(file).unlink()
    open_game(file, GameWishes(None, None, [], None), None, "en")
    said = capsys.readouterr()
    assert "nobody can verify" in said.err
    assert said.out == "", "standard output belongs to the protocol"


@pytest.mark.slow
@pytest.mark.asyncio
async def test_the_command_saves_and_resumes(tmp_path):
    file = tmp_path / "game.jsonl"
    program, *arguments = command("risk_europe", "--bots", "random", "--save", file)
    started = mcp.StdioServerParameters(command=program, args=arguments, env=environment())
    async with mcp.Client(started) as client:
        assert "You play Blue." in words(await client.call_tool("look"))
        await client.call_tool("act", {"orders": "bid 2"})
    kept = read_record(file.read_text()).entries
    assert next(entry.do for entry in kept if entry.seat == "blue") == "bid 2"
    async with mcp.Client(started) as client:
        assert "Opening bids" not in words(await client.call_tool("look"))


@pytest.fixture
def http_address():
    """Where `powderkeg mcp --http` listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    line = command("diplomacy", "--bots", "random", "--http", port)
    with subprocess.Popen(line, env=environment(), stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        for said in process.stderr:
            if "running on" in said:
                break
        yield f"http://127.0.0.1:{port}/mcp"
        process.terminate()
        process.communicate()


@pytest.mark.slow
@pytest.mark.asyncio
async def test_the_command_serves_http(http_address):
    async with mcp.Client(http_address) as client:
        assert "You play Austria." in words(await client.call_tool("look"))
