"""Starting a server, and `powderkeg` without arguments: real processes, a real terminal."""

import os
import sys
import urllib.request

import pytest

from powderkeg.cli.host.listening import has_screen
from tests.cli.terminals import ADDRESS, terminal

pytestmark = pytest.mark.slow

POWDERKEG = (sys.executable, "-m", "powderkeg")


def test_the_address_is_printed_when_the_server_answers_and_the_browser_opens(tmp_path):
    with terminal(tmp_path, *POWDERKEG, "serve", "--port", "0") as shown:
        address = shown.wait_for(ADDRESS)[1]
        assert not address.endswith(":0")
        with urllib.request.urlopen(f"{address}/healthz") as answer:  # no retry: it listens
            assert answer.status == 200
        assert shown.opened.read_text().strip() == address
    assert shown.process.returncode == 0


@pytest.mark.parametrize(
    ("env", "platform", "terminal", "opens"),
    [
        ({"DISPLAY": ":0"}, "linux", True, True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True, True),
        ({}, "darwin", True, True),
        ({}, "win32", True, True),
        ({}, "linux", True, False),
        ({"DISPLAY": ""}, "linux", True, False),
        ({"DISPLAY": ":0"}, "linux", False, False),
        ({}, "win32", False, False),
    ],
)
def test_a_browser_opens_at_a_terminal_with_a_screen(monkeypatch, env, platform, terminal, opens):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
    assert has_screen(env, platform) is opens


def test_powderkeg_alone_starts_the_server_and_the_browser(tmp_path):
    with terminal(tmp_path, *POWDERKEG) as shown:
        address = shown.wait_for(ADDRESS)[1]
        assert shown.opened.read_text().strip() == address


def test_powderkeg_alone_without_the_server_starts_a_game_in_the_terminal(tmp_path):
    """As after `pip install powderkeg`; the install test does it with a wheel."""
    (tmp_path / "sitecustomize.py").write_text("import sys; sys.modules['uvicorn'] = None")
    path = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    with terminal(tmp_path, *POWDERKEG, PYTHONPATH=path, LANG="es") as shown:
        shown.wait_for("Para jugar en el navegador")
        shown.wait_for("¿Qué juego?")
        shown.type_line("3")
        shown.wait_for("q salir")
        shown.type_line("q")
        assert shown.process.wait(600) == 0
