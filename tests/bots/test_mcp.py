"""An assistant at a table, over the Model Context Protocol."""

import os
import random
import sys
from pathlib import Path

import pytest
import sparks

from powderkeg import games
from powderkeg.bots.place import local
from powderkeg.cli.mcp import server
from powderkeg.core.chance import Seeded
from powderkeg.core.errors import Unreadable
from powderkeg.core.table import Table

mcp = pytest.importorskip("mcp")
ROOT = Path(__file__).parents[2]


@pytest.fixture
def place():
    table = Table(sparks, 2, source=Seeded(random.Random(1)))
    return local(table, "red", "random", seed="1")


def words(result):
    return result.content[0].text


@pytest.mark.asyncio
async def test_an_assistant_plays_a_game_to_its_end(place):
    async with mcp.Client(server(place)) as client:
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
    async with mcp.Client(server(place)) as client:
        said = words(await client.call_tool("act", {"action": "castle long"}))
        assert "castle long" in said
        assert place.table.to_act


def test_an_assistant_sees_its_own_seat_only(place):
    seen = place.look() + place.legal("") + place.news()
    assert not any(f"card {card}" in seen for card in place.table.state.hands["blue"])
    assert place.news() == "", "news are told once"


def test_who_is_not_asked_is_told_to_wait(place):
    place.table.act("red", next(iter(place.table.legal("red"))))
    assert place.asked() == "Nothing is asked of you now."
    assert "marked as a bot" in place.about()


def test_a_seat_must_be_there():
    table = Table(sparks, 2, source=Seeded(random.Random(1)))
    with pytest.raises(Unreadable):
        local(table, "green", "random")
    assert local(table, None, "random").seat == "red"


@pytest.mark.parametrize("name", games.NAMES)
def test_every_game_can_be_looked_at(name):
    rules = games.find(name)
    table = Table(rules, rules.players[-1], source=Seeded(random.Random(1)))
    place = local(table, None, "random", seed="1", lang="es")
    for _ in range(3):
        assert f"{name}." not in place.look()
        place.act(str(next(iter(place.table.legal(place.seat)))))


@pytest.mark.asyncio
async def test_the_command_speaks_the_protocol_on_standard_input():
    script = "from powderkeg.cli import main; main()"
    arguments = ["-c", script, "mcp", "tests.tiny.sparks", "--bots", "random", "--seed", "3"]
    env = os.environ | {"PYTHONPATH": str(ROOT), "LANG": "en"}
    command = mcp.StdioServerParameters(command=sys.executable, args=arguments, env=env)
    async with mcp.Client(command) as client:
        assert "sparks" in words(await client.call_tool("look"))
