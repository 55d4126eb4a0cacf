"""What the Tab key offers where a game or a level is expected."""

from typing import Annotated, TypeAlias

import typer

from powderkeg.games import GAME_NAMES


def complete_game(incomplete: str) -> list[str]:
    return [name for name in GAME_NAMES if name.startswith(incomplete)]


def complete_level(incomplete: str) -> list[str]:
    from powderkeg.bots.levels import LEVEL_NAMES

    return [name for name in LEVEL_NAMES if name.startswith(incomplete)]


GameName: TypeAlias = Annotated[
    str,
    typer.Argument(help="diplomacy, versailles or risk_europe.", autocompletion=complete_game),
]
