"""An assistant at a table on a server: it must be a bot's account, and plays like anybody."""

import pytest
import sparks

from powderkeg import games
from powderkeg.bots.seats.letters import TableMessage
from powderkeg.cli.seats import mcp
from powderkeg.core.errors import Unreadable
from tests.server.http.test_bot_api import bot_account
from tests.server.visiting import play_out

pytestmark = pytest.mark.slow


@pytest.fixture
def sparks_is_known(monkeypatch):
    monkeypatch.setattr(
        "powderkeg.client.find_game", lambda name: sparks if name == "sparks" else games
    )


def test_only_a_bots_account_lets_an_assistant_in(on_sqlite):
    person, token = bot_account(on_sqlite)
    with pytest.raises(Unreadable) as refused:
        mcp.take_remote_seat(person.base, token, "nowhere", None, "en")
    assert refused.value.code == "bots.mcp.not_a_bot"


def test_an_assistant_plays_talks_and_gets_the_news(on_sqlite, sparks_is_known):
    person, token = bot_account(on_sqlite)
    robot = on_sqlite.person(Authorization=f"Bearer {token}")
    robot.post("/bot/upgrade")
    ben = on_sqlite.guest("Ben")
    table = on_sqlite.table(ben, robot)
    place = mcp.take_remote_seat(person.base, token, table, None, "en")
    assert place.seat == "blue"
    listed = place.answers("card").splitlines()[1:]
    assert len(listed) == 3
    assert all(text in place.answers() for text in listed)
    assert "castle" in place.act("castle")
    assert "There is nothing for you to decide now." in place.act(listed[0])
    assert place.read_news() == ""
    assert place.undo() != ""
    place.act(listed[0])
    assert "hello" in place.talk(TableMessage("blue", (), "hello"))
    ben.post(f"/tables/{table}/press", {"command": "c", "text": "and you?"})
    assert "red -> *: and you?" in place.read_news()
    assert "hello" in place.talk(TableMessage("blue", (), ""))
    place.table.server.close()


def test_an_assistant_that_comes_late_gets_all_the_news(on_sqlite, sparks_is_known, monkeypatch):
    monkeypatch.setattr("powderkeg.client.PAGE_SIZE", 2)
    person, token = bot_account(on_sqlite)
    robot = on_sqlite.person(Authorization=f"Bearer {token}")
    robot.post("/bot/upgrade")
    ben = on_sqlite.guest("Ben")
    table = on_sqlite.table(ben, robot)
    for number in range(5):
        ben.post(f"/tables/{table}/press", {"command": f"c{number}", "text": f"letter {number}"})
    place = mcp.take_remote_seat(person.base, token, table, None, "en")
    play_out(on_sqlite, table, [ben, robot])
    log = robot.get(f"/tables/{table}/log")
    assert len(log["entries"]) > 4
    facts = [fact["text"] for entry in log["entries"] for fact in entry["facts"]]
    letters = [f"red -> *: letter {number}" for number in range(5)]
    assert place.read_news().splitlines() == [*facts, *letters]
    assert place.read_news() == ""
    assert place.talk(TableMessage("blue", (), "")).splitlines() == letters
    place.table.server.close()
