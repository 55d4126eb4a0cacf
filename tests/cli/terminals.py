"""Commands in a terminal, as a person starts them."""

import os
import pty
import re
import select
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class Terminal:
    """A command in a terminal of its own, with a browser that notes what it is asked to open."""

    def __init__(self, folder: Path, *command: str, **env: str) -> None:
        self.opened, self.unread = folder / "opened.txt", ""
        os.mkfifo(self.opened)
        browser = folder / "browser.sh"
        browser.write_text(f'#!/bin/sh\necho "$1" > {self.opened}\n')
        browser.chmod(0o755)
        ours, theirs = pty.openpty()
        settings = {"POWDERKEG_DATA": str(folder), "COLUMNS": "200"}
        settings |= {"BROWSER": f"{browser} %s", "DISPLAY": ":0"}
        self.process = subprocess.Popen(
            command,
            stdin=theirs,
            stdout=theirs,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env={**os.environ, **settings, **env},
        )
        os.close(theirs)
        self.screen = os.fdopen(ours, "r+b", buffering=0)

    def wait_for(self, pattern: str) -> re.Match[str]:
        """Read until the command has printed something that matches."""
        while not (found := re.search(pattern, self.unread)):
            more = self.read_some()
            assert more, f"nothing more after {self.unread!r}"
            self.unread += more
        self.unread = self.unread[found.end() :]
        return found

    def read_some(self) -> str:
        """What is printed next; nothing if the command has ended or is silent for minutes."""
        try:
            ready, _, _ = select.select([self.screen], [], [], 600)
            return self.screen.read(4096).decode() if ready else ""
        except OSError:  # the other end is closed
            return ""

    def type_line(self, text: str) -> None:
        self.screen.write(f"{text}\n".encode())


@contextmanager
def terminal(*args, **more) -> Iterator[Terminal]:
    shown = Terminal(*args, **more)
    try:
        yield shown
    finally:
        shown.process.send_signal(signal.SIGINT)
        shown.process.wait(600)
        shown.screen.close()


ADDRESS = r"running at (http://127\.0\.0\.1:\d+)"
