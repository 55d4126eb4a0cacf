"""Card packs: the sheet that a person edits, and packs saved to an account."""

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from powderkeg.core.cards.packs import LONGEST_NAME
from powderkeg.core.cards.tool import Certainty, FindingLevel
from powderkeg.server.schemas.base import In, Out

PackText = Annotated[str, StringConstraints(max_length=300_000)]
PackName = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_NAME)
]
CardPath = Annotated[str, StringConstraints(max_length=200)]


class PackEditIn(In):
    """One change: a new value, a certainty, a part added to a card or removed, the shipped value
    again, or the name of the pack."""

    do: Literal["set", "sure", "add", "remove", "reset", "name"]
    path: CardPath = ""
    text: Annotated[str, StringConstraints(max_length=2000)] = ""
    sure: Certainty = "certain"


class PackIn(In):
    """A pack as a TOML file or as the line of the option, changes to it, and the card to show."""

    text: PackText = ""
    edits: Annotated[list[PackEditIn], Field(max_length=500)] = []
    card: CardPath = ""


class CardChoiceOut(Out):
    """A word that a value is chosen from."""

    value: str
    text: str


class CardValueOut(Out):
    """A value of a card. Where it has choices, a *choice* is one of them, *several* are a list of
    them, and *numbers* stand beside them."""

    path: str
    label: str
    kind: Literal["bool", "int", "text", "long", "choice", "several", "numbers"]
    choices: list[CardChoiceOut]
    text: str
    sure: str
    changed: bool


class CardPartOut(Out):
    """The card itself or one of its parts, such as an option."""

    path: str
    title: str
    removable: bool
    values: list[CardValueOut]


class CardOut(Out):
    path: str
    title: str
    parts: list[CardPartOut]
    may_add: bool
    view: dict[str, Any]
    captions: dict[str, str]


class CardLineOut(Out):
    """A card in the list."""

    path: str
    title: str
    group: str
    reconstructed: int
    probable: int
    changed: bool


class PackChangeOut(Out):
    """A difference from the shipped pack, in words."""

    card: str
    what: str
    old: str
    new: str


class PackFindingOut(Out):
    level: FindingLevel
    text: str


class PackSheetOut(Out):
    """A pack, checked: how to play with it and share it, where it differs, what is odd about it."""

    name: str
    line: str
    toml: str
    cards: list[CardLineOut]
    card: CardOut | None
    changes: list[PackChangeOut]
    findings: list[PackFindingOut]


class TablePackOut(Out):
    """The pack that a table plays with, for everybody there."""

    name: str
    changes: list[PackChangeOut]


class PackSaveIn(In):
    game: Annotated[str, StringConstraints(max_length=40)]
    name: PackName
    text: PackText


class SavedPackOut(Out):
    id: str
    game: str
    name: str
    line: str
    mine: bool
    link: str
    updated: float


class SavedPacksOut(Out):
    packs: list[SavedPackOut]
