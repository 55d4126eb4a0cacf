"""A server for the browser tests: our games and the tiny one, on a port of its own choosing.

Run as a process: `python serve.py DATA_FOLDER PORT`.
"""

import sys
from pathlib import Path

import uvicorn

TINY = Path(__file__).parent.parent / "tiny"
sys.path.insert(0, str(TINY))

import sparks  # noqa: E402  # found by the line above

from powderkeg.core import words  # noqa: E402  # needs the path above
from powderkeg.server.app import create_app  # noqa: E402  # needs the path above
from powderkeg.server.games import load_games  # noqa: E402  # needs the path above
from powderkeg.server.lobby import create  # noqa: E402  # needs the path above
from powderkeg.server.settings import read_settings  # noqa: E402  # needs the path above

words.LOCALE_FOLDERS.append(TINY / "locale")
create.draw_key = lambda: (
    "5eed" * 16
)  # the same luck at every table: a test means the same every day


def main(folder: str, port: int) -> None:
    address = f"http://127.0.0.1:{port}"
    settings = read_settings(data=folder, public_url=address, limits=False, bot_seconds=10)
    games = {**load_games(), "sparks": sparks}
    app = create_app(settings, games)
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
