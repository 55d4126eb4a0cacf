"""`powderkeg admin`: commands for the host of a server."""

import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import typer

from powderkeg.cli.host.serve import need_server
from powderkeg.cli.say import Lang, console, use_language

T = TypeVar("T")
TableStatus = Literal["open", "live", "paused", "over", "closed"]
TableId = Annotated[str, typer.Argument(help="The id of a table.")]
admin_app = typer.Typer(
    no_args_is_help=True,
    help="Commands for hosts: show, export, rewind, replace, close, ban, token.",
)


def _with_server(lang: str | None, work: Callable[[Any], Awaitable[T]]) -> T:
    """Open the database beside a running server; what is changed reaches its readers."""
    use_language(lang)
    need_server()
    from powderkeg.server.admin import HostCommands
    from powderkeg.server.logs import keep_output_clean
    from powderkeg.server.settings import read_settings

    keep_output_clean()

    async def run() -> T:
        async with HostCommands(read_settings()) as host:
            return await work(host)

    return asyncio.run(run())


def _print_json(rows: Any) -> None:
    print(json.dumps(rows, indent=1, ensure_ascii=False))


@admin_app.command("list", epilog="Example: powderkeg admin list --status live")
def list_tables(
    *,
    status: Annotated[TableStatus | None, typer.Option(help="Only tables in this state.")] = None,
    lang: Lang = None,
) -> None:
    """List the tables, latest first."""
    _print_json(_with_server(lang, lambda host: host.list_tables(status)))


@admin_app.command("show", epilog="Example: powderkeg admin show AbCdEf1234")
def show_table(table: TableId, *, lang: Lang = None) -> None:
    """Everything about a table: seats, log, letters and reports. Contains secrets: for the host only."""
    _print_json(_with_server(lang, lambda host: host.show_table(table)))


@admin_app.command("export", epilog="Example: powderkeg admin export AbCdEf1234 > game.jsonl")
def export_table(table: TableId, *, lang: Lang = None) -> None:
    """Print the game file of a table; while the game runs, without its key."""
    sys.stdout.write(_with_server(lang, lambda host: host.export_table(table)))


@admin_app.command("rewind", epilog="Example: powderkeg admin rewind AbCdEf1234 40")
def rewind_table(
    table: TableId,
    seq: Annotated[int, typer.Argument(min=0, help="How many entries to keep.")],
    *,
    lang: Lang = None,
) -> None:
    """Rewind a game to its first SEQ entries; the rest is saved in a file beside the database."""
    kept = _with_server(lang, lambda host: host.rewind_table(table, seq))
    console.print(kept, markup=False)


@admin_app.command("replace", epilog="Example: powderkeg admin replace AbCdEf1234 red --bot normal")
def replace_player(
    table: TableId,
    seat: Annotated[str, typer.Argument(help="The seat.")],
    *,
    bot: Annotated[str | None, typer.Option(help="Give it to a bot of this level.")] = None,
    user: Annotated[str | None, typer.Option(help="Give it to this account.")] = None,
    lang: Lang = None,
) -> None:
    """Give a seat to a bot or an account, or open it to anyone."""
    _with_server(lang, lambda host: host.replace_seat(table, seat, bot, user))


@admin_app.command("close", epilog="Example: powderkeg admin close AbCdEf1234")
def close_table(table: TableId, *, lang: Lang = None) -> None:
    """End a game without a result."""
    _with_server(lang, lambda host: host.close_table(table))


@admin_app.command("ban", epilog="Example: powderkeg admin ban troll")
def ban_account(
    user: Annotated[str, typer.Argument(help="Name of the account, or id.")],
    *,
    lift: Annotated[bool, typer.Option(help="Let them in again.")] = False,
    lang: Lang = None,
) -> None:
    """Close an account: it is signed out and its seats open to others."""
    _with_server(lang, lambda host: host.ban_user(user, lift=lift))


@admin_app.command("token", epilog="Example: powderkeg admin token Talleyrand")
def make_bot_token(
    name: Annotated[str, typer.Argument(help="Name of a bot's account; made if there is none.")],
    *,
    days: Annotated[
        int | None, typer.Option(min=1, max=3650, help="How many days it lasts; default: forever.")
    ] = None,
    lang: Lang = None,
) -> None:
    """Make a token for a bot. It is shown only once."""
    print(_with_server(lang, lambda host: host.make_bot_token(name, days, time.time())))


@admin_app.command("reports", epilog="Example: powderkeg admin reports")
def list_reports(*, lang: Lang = None) -> None:
    """List what players have reported."""
    _print_json(_with_server(lang, lambda host: host.list_reports()))


@admin_app.command("backup", epilog="Example: powderkeg admin backup /backups/today.sqlite")
def backup_database(
    file: Annotated[Path, typer.Argument(help="The file to write.")], *, lang: Lang = None
) -> None:
    """Copy the SQLite database while the server runs. For PostgreSQL use pg_dump."""
    _with_server(lang, lambda host: host.backup_database(file))
