"""`powderkeg admin`: what the host of a server may have to do by hand."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import typer

from powderkeg.cli.say import Lang, console, use
from powderkeg.cli.serve import need_server

T = TypeVar("T")
Status = Literal["open", "live", "paused", "over", "closed"]
Table = Annotated[str, typer.Argument(help="The id of a table.")]
admin = typer.Typer(
    no_args_is_help=True, help="Host's commands: look, export, rewind, replace, close, ban."
)


def _with_server(lang: str | None, work: Callable[[Any], Awaitable[T]]) -> T:
    """Open the database beside a running server; what is changed reaches its readers."""
    use(lang)
    need_server()
    from powderkeg.server.admin import HostCommands
    from powderkeg.server.settings import read_settings

    async def run() -> T:
        host = HostCommands(read_settings())
        await host.open()
        try:
            return await work(host)
        finally:
            await host.close()

    return asyncio.run(run())


def _print(rows: Any) -> None:
    print(json.dumps(rows, indent=1, ensure_ascii=False))


@admin.command("list", epilog="Example: powderkeg admin list --status live")
def list_tables(
    *,
    status: Annotated[Status | None, typer.Option(help="Only tables in this state.")] = None,
    lang: Lang = None,
) -> None:
    """Tables, latest first."""
    _print(_with_server(lang, lambda host: host.list_tables(status)))


@admin.command("show", epilog="Example: powderkeg admin show AbCdEf1234")
def show(table: Table, *, lang: Lang = None) -> None:
    """All about a table: seats, log, press and reports. Holds secrets: it is for the host only."""
    _print(_with_server(lang, lambda host: host.show_table(table)))


@admin.command("export", epilog="Example: powderkeg admin export AbCdEf1234 > game.jsonl")
def export(table: Table, *, lang: Lang = None) -> None:
    """The game file of a table, also of a running one (then without the key)."""
    sys.stdout.write(_with_server(lang, lambda host: host.export_table(table)))


@admin.command("rewind", epilog="Example: powderkeg admin rewind AbCdEf1234 40")
def rewind(
    table: Table,
    seq: Annotated[int, typer.Argument(min=0, help="How many entries to keep.")],
    *,
    lang: Lang = None,
) -> None:
    """Take a game back to its first SEQ entries; the rest goes to a file beside the database."""
    kept = _with_server(lang, lambda host: host.rewind_table(table, seq))
    console.print(kept, markup=False)


@admin.command("replace", epilog="Example: powderkeg admin replace AbCdEf1234 red --bot normal")
def replace(
    table: Table,
    seat: Annotated[str, typer.Argument(help="The seat.")],
    *,
    bot: Annotated[str | None, typer.Option(help="Give it to a bot of this level.")] = None,
    user: Annotated[str | None, typer.Option(help="Give it to this account.")] = None,
    lang: Lang = None,
) -> None:
    """Take a seat from who holds it: for a bot, an account, or whoever comes."""
    _with_server(lang, lambda host: host.replace_seat(table, seat, bot, user))


@admin.command("close", epilog="Example: powderkeg admin close AbCdEf1234")
def close(table: Table, *, lang: Lang = None) -> None:
    """End a game without a result."""
    _with_server(lang, lambda host: host.close_table(table))


@admin.command("ban", epilog="Example: powderkeg admin ban troll")
def ban(
    user: Annotated[str, typer.Argument(help="Name of the account, or id.")],
    *,
    lift: Annotated[bool, typer.Option(help="Let them in again.")] = False,
    lang: Lang = None,
) -> None:
    """Close an account: it is logged out and its seats are open to others."""
    _with_server(lang, lambda host: host.ban_user(user, lift=lift))


@admin.command("reports", epilog="Example: powderkeg admin reports")
def reports(*, lang: Lang = None) -> None:
    """What players have reported."""
    _print(_with_server(lang, lambda host: host.list_reports()))


@admin.command("backup", epilog="Example: powderkeg admin backup /backups/today.sqlite")
def backup(file: Annotated[Path, typer.Argument(help="Where to.")], *, lang: Lang = None) -> None:
    """Copy the SQLite database while the server runs. For PostgreSQL use pg_dump."""
    _with_server(lang, lambda host: host.backup_database(file))
