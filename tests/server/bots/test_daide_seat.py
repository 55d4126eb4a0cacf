"""A DAIDE program sits at a table of a real server, beside a person and bots."""

import asyncio

import pytest
from typer.testing import CliRunner

from powderkeg import client
from powderkeg.bots.diplomacy.daide.game_host import HostSettings
from powderkeg.bots.diplomacy.daide.player import DaidePlayer, join_game
from powderkeg.bots.diplomacy.daide.requests import answer_request
from powderkeg.bots.levels import find_bot
from powderkeg.cli.app import app
from powderkeg.cli.daide import commands
from powderkeg.cli.daide.bridge import BridgeServer, TableBridge
from powderkeg.core.errors import Unreadable
from powderkeg.games.diplomacy.board import POWERS
from tests.server.accounts.test_accounts import account
from tests.server.visiting import PATIENCE

OPENED = ("FRANCE", "ENGLAND")


def bot_token(site):
    person = account(site)
    made = person.post("/me/tokens", {"name": "bot", "scopes": ["read", "play", "tables"]})
    return person, made["token"]


def seven_table(person, **options):
    """A started table of seven: the account plays France, bots the others."""
    seats = [{"seat": "FRANCE", "kind": "me"}]
    seats += [{"seat": p, "kind": "bot", "level": "random"} for p in POWERS if p != "FRANCE"]
    wish = {"game": "diplomacy", "players": 7, "seats": seats, "options": options}
    made = person.post("/tables", wish)
    person.post(f"/tables/{made['id']}/start", expect=None)
    return made["id"]


def end_game(person, table):
    """The only person at the table ends the game without a result."""
    person.post(f"/tables/{table}/proposals", {"kind": "cancel"})
    assert person.get(f"/tables/{table}")["status"] == "closed"


@pytest.mark.slow
def test_a_program_plays_a_game_on_a_server(on_sqlite):
    person, token = bot_token(on_sqlite)
    table = seven_table(person, last_year=1901)
    log = []

    async def play(remote):
        bridge = TableBridge(HostSettings(1), remote=remote)
        server = BridgeServer(bridge, lambda way, text: log.append(f"{way} {text}"))
        port = await server.open_port(port=0)
        program = DaidePlayer(find_bot("diplomacy", "normal"))
        await asyncio.wait_for(
            asyncio.gather(server.play_game(), join_game(program, "127.0.0.1", port)), 120
        )
        return program

    with client.ServerClient(person.base, token) as server:
        program = asyncio.run(play(server.table(table)))
    assert program.power == "FRANCE"
    assert program.ending
    assert program.closed
    assert person.get(f"/tables/{table}")["status"] == "over"
    notes = [line for line in log if line.startswith("> THX")]
    assert len(notes) >= 6
    assert all(line.endswith("( MBV )") for line in notes)
    assert any(line.startswith("> ORD ( SPR 1901 ) ( ( FRA") for line in log)


class Program:
    """A program at the other end of a line that carries texts."""

    def __init__(self):
        self.heard = []

    def send(self, text):
        self.heard.append(text)


@pytest.mark.slow
def test_a_program_and_a_person_write_to_each_other(on_sqlite):
    person, token = bot_token(on_sqlite)
    seats = [{"seat": "FRANCE", "kind": "me"}, {"seat": "ENGLAND", "kind": "open"}]
    seats += [{"seat": p, "kind": "bot", "level": "random"} for p in POWERS if p not in OPENED]
    made = person.post("/tables", {"game": "diplomacy", "players": 7, "seats": seats})
    table, ann = made["id"], on_sqlite.guest("Ann")
    ann.post(f"/tables/{table}/join", {"invite": made["invite"]})
    person.post(f"/tables/{table}/start", expect=None)
    program, offer = Program(), "PRP ( PCE ( ENG FRA ) )"
    with client.ServerClient(person.base, token) as server:
        bridge = TableBridge(HostSettings(1, level=20), remote=server.table(table))
        answer_request(bridge, program, "NME ( 'Peer' ) ( '1' )")
        answer_request(bridge, program, "YES ( MAP ( 'standard' ) )")
        ann.post(f"/tables/{table}/press", {"command": "x1", "to": ["FRANCE"], "form": offer})
        bridge.catch_up()
        assert program.heard[-1] == f"FRM ( ENG ) ( FRA ) ( {offer} )"
        answer_request(bridge, program, f"SND ( ENG ) ( YES ( {offer} ) )")
        assert program.heard[-1] == f"YES ( SND ( ENG ) ( YES ( {offer} ) ) )"
    said = ann.get(f"/tables/{table}/press")["messages"][-1]
    assert said["form"] == f"YES ( {offer} )"
    assert said["seat"] == "FRANCE"


@pytest.mark.slow
def test_a_program_waits_until_the_game_starts(on_sqlite, monkeypatch):
    person, token = bot_token(on_sqlite)
    seats = [{"seat": "FRANCE", "kind": "me"}, {"seat": "ENGLAND", "kind": "open"}]
    seats += [{"seat": p, "kind": "bot", "level": "random"} for p in POWERS if p not in OPENED]
    made = person.post("/tables", {"game": "diplomacy", "players": 7, "seats": seats})
    table, ann = made["id"], on_sqlite.guest("Ann")

    def start(text):
        ann.post(f"/tables/{table}/join", {"invite": made["invite"]})
        person.post(f"/tables/{table}/start", expect=None)

    monkeypatch.setattr(commands.console, "print", start)
    with client.ServerClient(person.base, token) as server:
        bridge = TableBridge(HostSettings(1), remote=commands.await_start(server.table(table)))
        assert bridge.state.phase == "S1901M"


def check_codes(bridge):
    """A program can take no seat but its own, even with the passcode."""
    stranger, code = Program(), bridge.seats["ENGLAND"].passcode
    answer_request(bridge, stranger, f"IAM ( ENG ) ( {code} )")
    assert stranger.heard[0].startswith("REJ")
    return code


@pytest.mark.slow
def test_a_game_that_ends_waits_for_no_program(on_sqlite):
    person, token = bot_token(on_sqlite)
    codes = set()

    async def wait(table, program):
        bridge = TableBridge(HostSettings(1), remote=server.table(table))
        if program:
            answer_request(bridge, program, "NME ( 'Peer' ) ( '1' )")
            answer_request(bridge, program, "YES ( MAP ( 'standard' ) )")
        codes.add(check_codes(bridge))
        serving = BridgeServer(bridge)
        await serving.open_port(port=0)
        game = asyncio.create_task(serving.play_game())
        await asyncio.to_thread(end_game, person, table)
        await asyncio.wait_for(game, PATIENCE)

    with client.ServerClient(person.base, token) as server:
        for program in (None, None, Program()):
            table = seven_table(person)
            asyncio.run(wait(table, program))
            with pytest.raises(Unreadable) as error:
                TableBridge(HostSettings(1), remote=server.table(table))
            assert error.value.code == "daide.game_over"
    assert program.heard[-1] == "OFF"
    assert len(codes) > 1, "no seed tells the passcodes"


@pytest.mark.slow
def test_a_game_that_has_not_started_has_no_seat_for_daide(on_sqlite):
    person, token = bot_token(on_sqlite)
    made = person.post("/tables", {"game": "diplomacy", "players": 7})
    with client.ServerClient(person.base, token) as server, pytest.raises(Unreadable) as error:
        TableBridge(HostSettings(1), remote=server.table(made["id"]))
    assert error.value.code == "daide.never_started"


def test_a_server_that_is_not_there_is_said_in_words_to_a_program(monkeypatch):
    monkeypatch.setattr("powderkeg.client.time.sleep", lambda seconds: None)
    said = CliRunner().invoke(
        app, ["daide", "seat", "http://127.0.0.1:9", "--table", "x", "--token", "x"]
    )
    assert isinstance(said.exception, Unreadable)
    assert said.exception.code == "bots.seat.no_server"


@pytest.mark.slow
def test_only_diplomacy_for_seven_has_a_seat_for_daide(on_sqlite):
    person, token = bot_token(on_sqlite)
    table = on_sqlite.table(person, on_sqlite.guest("Ben"), game="diplomacy")
    with client.ServerClient(person.base, token) as server, pytest.raises(Unreadable) as error:
        TableBridge(HostSettings(1), remote=server.table(table))
    assert error.value.code == "daide.not_seven"
