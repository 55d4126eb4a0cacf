"""`powderkeg seat`: a language model plays at a table of a server, by one command."""

import json
import threading
import time

import pytest
import sparks
from typer.testing import CliRunner

from powderkeg import client, games
from powderkeg.bots.models import ModelEndpoint, ModelManner, ModelPlayer
from powderkeg.cli.app import app
from powderkeg.cli.seats import model as seats
from powderkeg.cli.seats.model import ModelRun, TableAddress, parse_address
from powderkeg.core.errors import Unreadable
from powderkeg.server.refusals import Refused
from tests.bots.models.fake_endpoint import last_user_text, running_endpoint, turn
from tests.server.http.test_bot_api import bot_account
from tests.server.visiting import PATIENCE, hosted, play_out, running, until

pytestmark = pytest.mark.slow


@pytest.fixture
def site(settings):
    with running(settings) as found:
        yield found


@pytest.fixture
def endpoint():
    with running_endpoint() as made:
        made.answer = play_first_answer
        yield made


@pytest.fixture
def sparks_is_known(monkeypatch):
    monkeypatch.setattr(
        "powderkeg.client.find_game", lambda name: sparks if name == "sparks" else games
    )


def play_first_answer(body):
    if '"say"' in body["messages"][0]["content"]:
        return json.dumps({"say": [{"to": ["red"], "text": "Good luck."}]})
    listed = last_user_text(body).partition("explains:\n")[2].splitlines()
    return turn(listed[0].partition(" : ")[0])


def make_token(site, name="Talleyrand", days=None):
    return hosted(site, lambda host: host.make_bot_token(name, days, time.time()))


def test_a_token_of_the_host_is_a_bots_token(site):
    token = make_token(site)
    robot = site.person(Authorization=f"Bearer {token}")
    assert {key: robot.get("/me")[key] for key in ("kind", "name")} == {
        "kind": "bot",
        "name": "Talleyrand",
    }
    again = site.person(Authorization=f"Bearer {make_token(site, 'talleyrand', 3)}")
    assert again.get("/me")["name"] == "Talleyrand", "the same account"
    person, _ = bot_account(site)
    with pytest.raises(Refused) as refused:
        make_token(site, person.get("/me")["name"])
    assert refused.value.code == "server.not_a_bot_name"


def test_everybody_sees_that_a_bots_account_plays(site):
    robot, ben = site.person(Authorization=f"Bearer {make_token(site)}"), site.guest("Ben")
    table = site.table(ben, robot)
    assert [seat["program"] for seat in ben.get(f"/tables/{table}")["seats"]] == [False, True]
    site.server.cache.entries.clear()
    assert [seat["program"] for seat in ben.get(f"/tables/{table}")["seats"]] == [False, True]
    secret = site.table(ben, robot, settings={"anonymous": True})
    assert [seat["program"] for seat in ben.get(f"/tables/{secret}")["seats"]] == [False, False]


def test_a_model_sits_down_by_one_command(site, endpoint, sparks_is_known, monkeypatch, tmp_path):
    ben = site.guest("Ben")
    wish = {"game": "sparks", "players": 2, "seats": [{"seat": "red", "kind": "me"}]}
    made = ben.post("/tables", wish)
    monkeypatch.setenv("POWDERKEG_TOKEN", make_token(site))
    monkeypatch.setenv("POWDERKEG_LLM_URL", endpoint.url)
    monkeypatch.setenv("POWDERKEG_LLM_MANNER", '{"legal": "list"}')
    link = f"{ben.base}/t/{made['id']}?invite={made['invite']}"
    said = []

    def sit():
        arguments = ["seat", link, "--model", "tiny", "--diary", str(tmp_path / "diary.json")]
        said.append(CliRunner().invoke(app, arguments, catch_exceptions=False))

    runner = threading.Thread(target=sit, daemon=True)
    runner.start()
    until(lambda: all(x["name"] for x in ben.get(f"/tables/{made['id']}")["seats"]))
    ben.post(f"/tables/{made['id']}/start")
    play_out(site, made["id"], [ben])
    runner.join(PATIENCE)
    assert "bot (tiny) sits at the table as blue" in said[0].output
    assert "Faults: -" in said[0].output
    texts = [m["text"] for m in ben.get(f"/tables/{made['id']}/press")["messages"]]
    assert "Good luck." in texts
    assert (tmp_path / "diary.json").exists()


def run_at(site, endpoint, **more):
    """A model's run at a table where it is asked now."""
    ben, token = site.guest("Ben"), make_token(site)
    robot = site.person(Authorization=f"Bearer {token}")
    table = site.table(robot, ben)
    server = client.ServerClient(ben.base, token)
    found = server.table(table, game=sparks)
    player = ModelPlayer(
        sparks, ModelEndpoint(endpoint.url, "tiny"), ModelManner(retries=0, legal="list")
    )
    return ModelRun(found, player, talk=False, **more), server


def test_a_silent_endpoint_is_asked_again_before_the_default_is_played(site, endpoint):
    endpoint.replies = [500, 500]
    run, server = run_at(site, endpoint, pauses=(0.0, 0.0))
    run.take_turn()
    assert run.player.seat_usage("red").requests == 3
    assert run.player.seat_usage("red").faults == {"unreachable": 2}
    assert "red" not in run.table.to_act
    server.close()


def test_what_happened_and_the_diary_are_there_again_after_a_restart(site, endpoint, tmp_path):
    diary = tmp_path / "diary.json"
    diary.write_text(json.dumps(["Ben bluffs."]))
    run, server = run_at(site, endpoint, diary=diary)
    run.take_turn()
    assert "Ben bluffs." in last_user_text(endpoint.heard[0][2])
    assert json.loads(diary.read_text()) == ["Ben bluffs."]
    server.close()


def test_only_a_bots_account_may_be_a_models(site, endpoint, monkeypatch):
    person, token = bot_account(site)
    with pytest.raises(Unreadable) as refused:
        seats.open_bot_client(person.base, token)
    assert refused.value.code == "bots.mcp.not_a_bot"


def test_a_server_that_is_not_there_is_said_in_words(monkeypatch):
    monkeypatch.setattr("powderkeg.client.time.sleep", lambda seconds: None)
    with pytest.raises(Unreadable) as refused:
        seats.open_bot_client("http://127.0.0.1:9", "x")
    assert refused.value.code == "bots.seat.no_server"


def test_a_link_is_taken_apart():
    assert parse_address("http://127.0.0.1:8000/t/AbC?invite=xyz") == TableAddress(
        "http://127.0.0.1:8000", "AbC", "xyz"
    )
    assert parse_address("https://127.0.0.1/games/t/AbC") == TableAddress(
        "https://127.0.0.1/games", "AbC"
    )
    for wrong in ("127.0.0.1/t/AbC", "https://127.0.0.1", "https://127.0.0.1/t/"):
        with pytest.raises(Unreadable):
            parse_address(wrong)
