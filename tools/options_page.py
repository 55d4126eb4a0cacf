"""Writes docs/reference/options.md from the games' options: `python -m tools.options_page`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from powderkeg.cli.options import options_json
from powderkeg.core.game import game_message
from powderkeg.core.words import say
from powderkeg.games import GAME_NAMES, find_game

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "options.md"
INTRO = """# Options

The defaults follow the rulebook. Set options with `-o name=value` on the command line, in the form
*Set up a table* in the browser, or by name in Python: `powderkeg.table("diplomacy", last_year=1905)`.
`powderkeg options GAME` prints this list in your language.
"""


def page_text() -> str:
    """The whole page."""
    return "\n".join([INTRO, *(line for name in GAME_NAMES for line in game_lines(name))])


def game_lines(name: str) -> Iterator[str]:
    rules = find_game(name)
    yield f"## {say(game_message(rules))}\n"
    yield "| option | meaning | values | default |\n|---|---|---|---|"
    for option in options_json(rules):
        text = str(option["default"])
        default = {"True": "yes", "False": "no", "": "none"}.get(text, text)
        yield f"| `{option['name']}` | {option['label']} | {value_cell(option)} | {default} |"
    yield ""


def value_cell(option: dict[str, Any]) -> str:
    choices = [f"`{choice}`: {words}" for choice, words in option["choices"].items()]
    return "<br>".join(choices) or str(option["values"])


if __name__ == "__main__":
    PAGE.write_text(page_text(), encoding="utf-8")
