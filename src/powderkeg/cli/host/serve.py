"""`powderkeg serve` and `powderkeg worker`: run a server, or help one with its jobs."""

import os
import socket
from typing import Annotated

import typer

from powderkeg.cli.say import Lang, use_language
from powderkeg.core.errors import Unreadable
from powderkeg.core.extras import need_extra

USUAL_PORT = 8000


def run_server(
    *,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen on; 0: any free one.")
    ] = USUAL_PORT,
    browser: Annotated[
        bool | None,
        typer.Option("--open/--no-open", help="Open the browser; default: at a terminal."),
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Web processes (PostgreSQL only).")] = 1,
    data: Annotated[str | None, typer.Option(help="Data folder, for SQLite.")] = None,
    database: Annotated[str | None, typer.Option(help="Database URL; default: SQLite.")] = None,
    public_url: Annotated[str | None, typer.Option(help="Address that links lead to.")] = None,
    jobs: Annotated[
        bool | None, typer.Option(help="Run jobs here; no: leave them to workers.")
    ] = None,
    lang: Lang = None,
) -> None:
    """Run a server: tables, bots, deadlines and notifications."""
    use_language(lang)
    need_server()
    from powderkeg.cli.host import listening
    from powderkeg.server import process
    from powderkeg.server.settings import read_settings

    _set_variable("DATA", data)
    _set_variable("DATABASE_URL", database)
    _set_variable("JOBS", None if jobs is None else str(jobs))
    settings = read_settings()
    if workers > 1 and settings.is_sqlite:
        raise Unreadable("server.workers_need_postgres")
    process.check_database(settings)
    bound = _bind_port(host, port)
    here = local_url(host, bound.getsockname()[1])
    _set_variable("PUBLIC_URL", public_url or os.environ.get("POWDERKEG_PUBLIC_URL") or here)
    listening.listen_on(bound, read_settings(), workers, here, browser=browser)


def run_worker(
    *,
    database: Annotated[str | None, typer.Option(help="Database URL (PostgreSQL).")] = None,
    lang: Lang = None,
) -> None:
    """Run the jobs of a server on PostgreSQL: bots, deadlines, notifications. Run as many workers as you like."""
    use_language(lang)
    need_server()
    import asyncio

    from powderkeg.server import process
    from powderkeg.server.settings import read_settings

    _set_variable("DATABASE_URL", database)
    settings = read_settings(jobs=True)  # web processes of the same site may leave jobs to us
    if settings.is_sqlite:
        raise Unreadable("server.workers_need_postgres")
    asyncio.run(process.run_worker(settings))


def need_server() -> None:
    """Refuse if Powderkeg was installed without its server."""
    need_extra("server", "sqlalchemy", "greenlet", "uvicorn")


def _bind_port(host: str, port: int) -> socket.socket:
    """Take the port, or refuse in words. Nobody can connect before the server listens on it."""
    bound = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    if os.name == "posix":  # on Windows this would share a port that is in use
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
    except OSError as error:
        bound.close()
        why = error.strerror or str(error)
        raise Unreadable("server.no_port", host=host, port=port, why=why) from None
    return bound


def _set_variable(name: str, value: str | None) -> None:
    """Processes started later read their settings from the environment."""
    if value is not None:
        os.environ[f"POWDERKEG_{name}"] = value


def local_url(host: str, port: int) -> str:
    """The address under which this machine reaches the server."""
    near = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host)  # noqa: S104  # compared, not bound
    return f"http://{near or (f'[{host}]' if ':' in host else host)}:{port}"
