"""An assistant at a table, over the Model Context Protocol."""

import os
import random
import sys
from pathlib import Path

import pytest
import sparks
from typer.testing import CliRunner

from powderkeg import games
from powderkeg.bots.seats.assistant import take_seat
from powderkeg.bots.seats.language_model import outline_question
from powderkeg.cli.app import app
from powderkeg.cli.mcp import make_server
from powderkeg.core.chance import Seeded
from powderkeg.core.errors import Unreadable
from powderkeg.core.table import Table

mcp = pytest.importorskip("mcp")
ROOT = Path(__file__).parents[3]


@pytest.fixture
def place():
    table = Table(sparks, 2, source=Seeded(random.Random(1)))
    return take_seat(table, "red", "random", seed="1")


def words(result):
    return result.content[0].text


@pytest.mark.asyncio
async def test_an_assistant_plays_a_game_to_its_end(place):
    async with mcp.Client(make_server(place)) as client:
        tools = await client.list_tools()
        assert {tool.name for tool in tools.tools} == {"look", "legal", "act", "news"}
        for _ in range(20):
            if place.table.result:
                break
            listed = words(await client.call_tool("legal", {"start": ""})).splitlines()[1:]
            assert listed == [str(action) for action in place.table.legal("red")]
            told = words(await client.call_tool("act", {"action": listed[0]}))
            assert told
        assert place.table.result is not None
        assert str(place.table.result.why) in words(await client.call_tool("look"))


@pytest.mark.asyncio
async def test_what_is_refused_is_said(place):
    async with mcp.Client(make_server(place)) as client:
        said = words(await client.call_tool("act", {"action": "castle long"}))
        assert "castle long" in said
        assert place.table.to_act


def test_an_assistant_sees_its_own_seat_only(place):
    seen = place.look() + place.legal("") + place.news()
    assert not any(f"card {card}" in seen for card in place.table.state.hands["blue"])
    assert place.news() == "", "news are told once"


def test_a_list_that_is_cut_says_so(place, monkeypatch):
    assert "first" not in place.legal("") + place.look()
    monkeypatch.setattr("powderkeg.bots.seats.assistant.MOST_LINES", 2)
    monkeypatch.setattr("powderkeg.bots.seats.assistant.MOST_TREE_LINES", 2)
    assert len(place.legal("").splitlines()) == 1 + 2 + 1
    for told in (place.legal(""), place.look()):
        assert told.endswith(
            "Only the first 2 lines are shown."
            " Call legal with the beginning of an action to see more."
        )


def test_only_what_was_asked_for_is_said_to_begin_so(place):
    assert place.legal("").splitlines()[0] == "There are 3 legal actions:"
    card = str(next(iter(place.table.legal("red"))))
    head, *listed = place.legal(card).splitlines()
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
        assert place.asked().endswith("\n".join(lines))
        place.act(str(table.legal(place.seat).sample(random.Random(len(table.log)))))
        if not table.to_act:
            break
    assert longest > 200


@pytest.mark.parametrize(
    "half", [["--server", "http://x"], ["--table", "AbC"], ["--server", "http://x", "diplomacy"]]
)
def test_a_server_and_a_table_belong_together(half):
    said = CliRunner().invoke(app, ["mcp", *half])
    assert isinstance(said.exception, Unreadable)
    assert said.exception.code == "bots.mcp.which_table"


def test_who_is_not_asked_is_told_to_wait(place):
    place.table.act("red", next(iter(place.table.legal("red"))))
    assert place.asked() == "There is nothing for you to decide now."
    assert "marked as a bot" in place.about()


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
        assert f"{name}." not in place.look()
        place.act(str(next(iter(place.table.legal(place.seat)))))


@pytest.mark.slow
@pytest.mark.asyncio
async def test_the_command_speaks_the_protocol_on_standard_input():
    script = "from powderkeg.cli import main; main()"
    arguments = ["-c", script, "mcp", "tests.tiny.sparks", "--bots", "random", "--seed", "3"]
    env = os.environ | {"PYTHONPATH": str(ROOT), "LANG": "en"}
    command = mcp.StdioServerParameters(command=sys.executable, args=arguments, env=env)
    async with mcp.Client(command) as client:
        assert "sparks" in words(await client.call_tool("look"))
