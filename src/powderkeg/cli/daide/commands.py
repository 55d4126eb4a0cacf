"""`powderkeg daide`: other programs' bots at our table, and our bots at theirs."""

import asyncio
import importlib.metadata
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from powderkeg.cli.say import Lang, console, t, use_language
from powderkeg.core.errors import Unreadable

daide_app = typer.Typer(
    no_args_is_help=True,
    help="Play Diplomacy with other programs over DAIDE, as a server or as a player.",
)

Level = Literal["0", "10", "20", "30"]
Transcript = Annotated[
    Path | None, typer.Option(help="Write every message to this file, for a look at the dialogue.")
]


@daide_app.command("serve", epilog="Example: powderkeg daide serve --programs 2 --bots hard")
def serve_programs(
    *,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on.")] = 16713,
    programs: Annotated[int, typer.Option(min=1, max=7, help="Seats for other programs.")] = 1,
    bots: Annotated[str, typer.Option(help="The level of our bots in the other seats.")] = "normal",
    level: Annotated[Level, typer.Option(help="The level of press.")] = "0",
    seconds: Annotated[
        int, typer.Option(min=0, max=8191, help="Seconds per phase; 0: no limit.")
    ] = 0,
    last_year: Annotated[
        int, typer.Option(min=0, max=2000, help="End the game after this year; 0: play on.")
    ] = 0,
    seed: Annotated[int, typer.Option(help="Equal seeds give equal seats and bots.")] = 0,
    save: Annotated[Path | None, typer.Option(help="Store the game in this file.")] = None,
    transcript: Transcript = None,
    lang: Lang = None,
) -> None:
    """Host one game of Diplomacy for programs that speak DAIDE."""
    from powderkeg.bots.diplomacy.daide import game_host, server

    use_language(lang)
    if save and save.exists():
        raise Unreadable("cli.save_exists", path=str(save))
    settings = game_host.HostSettings(programs, bots, int(level), seconds, last_year, seed)
    game = game_host.GameHost(settings)
    with_log = _Transcript(transcript)
    try:
        asyncio.run(server.host_game(game, host, port, _say_port(host), with_log.write_line))
    except OSError as error:
        raise Unreadable("daide.no_port", host=host, port=port, why=str(error)) from None
    finally:
        with_log.close_file()
        if save:
            _save_game(game.table, save)
    for seat in game.seats.values():
        count = len(game.state.centres_of(seat.power))
        console.print(t("daide.result", power=seat.power.title(), name=seat.name, count=count))


@daide_app.command("join", epilog="Example: powderkeg daide join 127.0.0.1:16713 --bot hard")
def join_server(
    address: Annotated[str, typer.Argument(help="HOST:PORT of a DAIDE server.")],
    *,
    bot: Annotated[str, typer.Option(help="The level of the bot that plays.")] = "normal",
    seed: Annotated[int, typer.Option(help="Equal seeds give equal decisions.")] = 0,
    transcript: Transcript = None,
    lang: Lang = None,
) -> None:
    """Let one of our bots play at another program's DAIDE server."""
    from powderkeg.bots.diplomacy.daide import player
    from powderkeg.bots.diplomacy.daide.framing import ProtocolFault
    from powderkeg.bots.levels import find_bot

    use_language(lang)
    host, port = read_address(address)
    version = importlib.metadata.version("powderkeg")
    me = player.DaidePlayer(find_bot("diplomacy", bot), version, seed)
    with_log = _Transcript(transcript)
    try:
        asyncio.run(player.join_game(me, host, port, with_log.write_line))
    except (OSError, ProtocolFault) as error:
        raise Unreadable("daide.no_server", address=address, why=str(error)) from None
    finally:
        with_log.close_file()
    console.print(t("daide.played", power=(me.power or "?").title(), end=me.ending or "-"))


@daide_app.command(
    "seat", epilog="Example: powderkeg daide seat http://127.0.0.1:8000 --table abc --token ..."
)
def seat_program(
    url: Annotated[str, typer.Argument(help="The address of a Powderkeg server.")],
    *,
    table: Annotated[str, typer.Option(help="The id of the table, as in its address.")],
    token: Annotated[
        str, typer.Option(envvar="POWDERKEG_TOKEN", help="An API token of the account that plays.")
    ],
    seat: Annotated[
        str | None, typer.Option(help="Which seat, if the account has several.")
    ] = None,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on.")] = 16713,
    level: Annotated[Level, typer.Option(help="The level of press.")] = "0",
    transcript: Transcript = None,
    lang: Lang = None,
) -> None:
    """Put a DAIDE program into your seat at a table on a Powderkeg server."""
    use_language(lang)
    bridge, remote = _open_bridge(url, token, table, seat, int(level))
    with_log = _Transcript(transcript)
    try:
        asyncio.run(_run_bridge(bridge(with_log.write_line), host, port))
    except OSError as error:
        raise Unreadable("daide.no_port", host=host, port=port, why=str(error)) from None
    finally:
        with_log.close_file()
        remote.close()


def _open_bridge(
    url: str, token: str, table: str, seat: str | None, level: int
) -> tuple[Callable[[Callable[[str, str], None]], Any], Any]:
    """A maker of the server beside the table, and the connection to the table."""
    from powderkeg.bots.diplomacy.daide.game_host import HostSettings
    from powderkeg.cli.daide.bridge import BridgeServer, TableBridge
    from powderkeg.cli.seats.model import open_client

    client = open_client(url, token)
    remote = await_start(client.table(table, seat))
    host = TableBridge(HostSettings(1, level=level), remote=remote)
    return lambda on_text: BridgeServer(host, on_text), client


def await_start(remote: Any) -> Any:
    """The table, as soon as its game has started."""
    if remote.now["status"] == "open":
        console.print(t("daide.not_started"))
        next((now for now in remote.follow() if now["status"] != "open"), None)
    return remote


async def _run_bridge(server: Any, host: str, port: int) -> None:
    _say_port(host)(await server.open_port(host, port))
    await server.play_game()
    if not server.host.started:
        console.print(t("daide.game_over"))


def read_address(text: str) -> tuple[str, int]:
    """``HOST:PORT``; without a port, DAIDE's own."""
    host, colon, port = text.rpartition(":")
    if not colon:
        return text, 16713
    if not port.isdecimal() or not 0 < int(port) < 65536 or not host:
        raise Unreadable("daide.bad_address", address=text)
    return host.strip("[]"), int(port)


def _say_port(host: str) -> Callable[[int], None]:
    return lambda port: console.print(t("daide.listening", host=host, port=port))


def _save_game(table: Any, path: Path) -> None:
    from powderkeg.core import record

    path.write_text(record.write_record(record.make_record(table)), encoding="utf-8")


class _Transcript:
    """A file with one line per message, or none."""

    def __init__(self, path: Path | None) -> None:
        self.file = path.open("w", encoding="utf-8") if path else None

    def write_line(self, way: str, text: str) -> None:
        if self.file:
            self.file.write(f"{way} {text}\n")

    def close_file(self) -> None:
        if self.file:
            self.file.close()
