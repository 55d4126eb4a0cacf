"""The games of this server and their options."""

from typing import Any, Literal

from powderkeg.server.schemas.base import Out
from powderkeg.server.schemas.tables import PresetName, Speed


class SeatName(Out):
    seat: str
    label: str


class ChoiceOut(Out):
    value: Any
    label: str
    seats: list[SeatName] = []  # where this choice changes who plays


class OptionOut(Out):
    name: str
    label: str
    kind: Literal["bool", "int", "choice", "text"]
    default: Any
    hint: str = ""
    choices: list[ChoiceOut] = []
    least: int = 0
    most: int = 0
    players: list[int] = []  # with how many players it matters; empty: always


class StageOut(Out):
    """A kind of phase that may have a deadline of its own."""

    name: str
    label: str


class DeckOut(Out):
    """How certain the cards of a game are; `option` is the option that holds a pack."""

    option: str
    values: int
    reconstructed: int
    probable: int


class PresetOut(Out):
    """How fast a table plays, with the settings that this means."""

    name: PresetName
    label: str
    hint: str
    speed: Speed
    settings: dict[str, Any]


class GameOut(Out):
    """A game that can be played here."""

    name: str
    label: str
    version: int
    players: list[int]
    seats: dict[str, list[SeatName]]
    options: list[OptionOut]
    stages: list[StageOut]  # empty where players take turns
    presets: list[PresetOut]
    levels: list[str]
    level: str  # the usual one
    characters: list[str]  # of bots; empty where they make no deals
    deck: DeckOut | None = None


class GamesOut(Out):
    games: list[GameOut]
