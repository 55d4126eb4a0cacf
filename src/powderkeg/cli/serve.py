"""`powderkeg serve` and `powderkeg worker`: run a server, or help one with its jobs."""

import os
import socket
from importlib.util import find_spec
from typing import Annotated

import typer

from powderkeg.cli.say import Lang, console, t, use_language
from powderkeg.core.errors import Unreadable


def run_server(
    *,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on.")] = 8000,
    workers: Annotated[int, typer.Option(min=1, help="Web processes (PostgreSQL only).")] = 1,
    data: Annotated[str | None, typer.Option(help="Data folder, for SQLite.")] = None,
    database: Annotated[str | None, typer.Option(help="Database URL; default: SQLite.")] = None,
    public_url: Annotated[str | None, typer.Option(help="Address that links lead to.")] = None,
    jobs: Annotated[bool, typer.Option(help="Run jobs here; no: leave them to workers.")] = True,
    lang: Lang = None,
) -> None:
    """Run a server: tables, bots, deadlines and notifications."""
    use_language(lang)
    need_server()
    import uvicorn

    from powderkeg.server import process
    from powderkeg.server.settings import read_settings

    _set_variable("DATA", data)
    _set_variable("DATABASE_URL", database)
    _set_variable(
        "PUBLIC_URL", public_url or os.environ.get("POWDERKEG_PUBLIC_URL") or _local_url(host, port)
    )
    _set_variable("JOBS", "1" if jobs else "0")
    settings = read_settings()
    if workers > 1 and settings.is_sqlite:
        raise Unreadable("server.workers_need_postgres")
    process.check_database(settings)
    _need_port(host, port)
    console.print(t("server.serving", url=settings.public_url))
    uvicorn.run(
        "powderkeg.server.app:from_environment",
        factory=True,
        host=host,
        port=port,
        workers=workers if workers > 1 else None,
        log_config=None,
        ws_max_size=process.LARGEST_MESSAGE,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        timeout_graceful_shutdown=10,
        timeout_keep_alive=30,
        proxy_headers=settings.trusted_proxy,
        forwarded_allow_ips="*" if settings.trusted_proxy else None,
        server_header=False,
    )


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
    settings = read_settings()
    if settings.is_sqlite:
        raise Unreadable("server.workers_need_postgres")
    asyncio.run(process.run_worker(settings))


def need_server() -> None:
    """Refuse where Powderkeg was installed without its server."""
    if find_spec("uvicorn") is None:
        raise Unreadable("server.not_installed")


def _need_port(host: str, port: int) -> None:
    """Refuse in words where nobody could listen, before it is said where we are."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host, port), family=family).close()
    except OSError as error:
        why = error.strerror or str(error)
        raise Unreadable("server.no_port", host=host, port=port, why=why) from None


def _set_variable(name: str, value: str | None) -> None:
    """Processes started later read their settings from the environment."""
    if value is not None:
        os.environ[f"POWDERKEG_{name}"] = value


def _local_url(host: str, port: int) -> str:
    return f"http://{'127.0.0.1' if host == '0.0.0.0' else host}:{port}"  # noqa: S104  # compared, not bound
