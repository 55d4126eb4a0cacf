"""The games of this server and their options."""

from typing import Any, Literal

from powderkeg.server.schemas.base import Out


class ChoiceOut(Out):
    value: Any
    label: str


class OptionOut(Out):
    name: str
    label: str
    kind: Literal["bool", "int", "choice", "text"]
    default: Any
    choices: list[ChoiceOut] = []
    least: int = 0
    most: int = 0


class SeatName(Out):
    seat: str
    label: str


class GameOut(Out):
    """A game that can be played here."""

    name: str
    label: str
    version: int
    players: list[int]
    seats: dict[str, list[SeatName]]
    options: list[OptionOut]
    levels: list[str]
    level: str  # the usual one


class PresetOut(Out):
    name: str
    label: str
    settings: dict[str, Any]


class GamesOut(Out):
    games: list[GameOut]
    presets: list[PresetOut]
