"""`powderkeg` without arguments: start a game."""

import socket
import sys

import typer

from powderkeg.cli.host.serve import USUAL_PORT, need_server, run_server
from powderkeg.cli.say import console, t
from powderkeg.core.extras import MissingExtra


def start_game(context: typer.Context) -> None:
    """Start the server and the browser, or a game in the terminal; for programs, print the help."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        sys.stdout.write(context.get_help())
        raise typer.Exit(2)
    try:
        need_server()
    except MissingExtra:
        _start_terminal_game()
    else:
        run_server(port=USUAL_PORT if _is_free(USUAL_PORT) else 0)


def _start_terminal_game() -> None:
    from powderkeg.cli.play.commands import play_here

    console.print(t("cli.browser_hint"), markup=False)
    play_here()


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0
