"""An assistant at a table on a server: it must be a bot's account, and plays like anybody."""

import pytest
import sparks

from powderkeg import games
from powderkeg.cli import mcp
from powderkeg.core.errors import Unreadable
from tests.server.test_bot_api import bot_account


@pytest.fixture
def sparks_is_known(monkeypatch):
    monkeypatch.setattr("powderkeg.client.find", lambda name: sparks if name == "sparks" else games)


def test_only_a_bots_account_lets_an_assistant_in(on_sqlite):
    person, token = bot_account(on_sqlite)
    with pytest.raises(Unreadable) as refused:
        mcp.remote(person.base, token, "nowhere", None, "en")
    assert refused.value.code == "bots.mcp.not_a_bot"


def test_an_assistant_plays_talks_and_is_told_the_news(on_sqlite, sparks_is_known):
    person, token = bot_account(on_sqlite)
    robot = on_sqlite.person(Authorization=f"Bearer {token}")
    robot.post("/bot/upgrade")
    ben = on_sqlite.guest("Ben")
    table = on_sqlite.table(ben, robot)
    place = mcp.remote(person.base, token, table, None, "en")
    assert place.seat == "blue"
    listed = place.legal("card").splitlines()[1:]
    assert len(listed) == 3
    assert all(text in place.look() for text in listed)
    assert "castle" in place.act("castle")
    told = place.act(listed[0])
    assert "Nothing is asked of you now." in told
    assert place.news() == ""
    assert "hello" in place.talk("hello", [])
    tools = set(mcp.server(place)._tool_manager._tools)
    assert tools == {"look", "legal", "act", "news", "talk"}
    place.table.server.close()
