"""The verbs of Diplomacy and their wire notation: one frozen value per verb, `str` is its text.

Movement ``A par H``, ``A par - bur``, ``A lon - bre VIA``, ``A par S A mar - bur``,
``A par S A mar``, ``F eng C A lon - bre``; retreat ``A par R pic``, ``A par D``; adjustment
``F stp/nc B``, ``A par D``, ``WAIVE bre``. Other actions of a seat: ``ready``, ``revise``,
``absent``, and ``propose``, ``accept``, ``refuse``, ``withdraw`` with ``draw`` or a seat's name.

`parse` reads exactly these, in upper or lower case. Orders as people write them, in three
languages, are read by `notation`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from powderkeg.core.errors import Unreadable
from powderkeg.games.diplomacy.board import NUMBER_OF, Unit


@dataclass(frozen=True, slots=True)
class Hold:
    """Stay. Among adjustments: keep this unit."""

    unit: Unit

    def __str__(self) -> str:
        return f"{self.unit} H"


@dataclass(frozen=True, slots=True)
class Move:
    """Go or attack; `via` insists on a convoy where there is a way over land too (D-CONV-12)."""

    unit: Unit
    to: str
    via: bool = False

    def __str__(self) -> str:
        return f"{self.unit} - {self.to}" + (" VIA" if self.via else "")


@dataclass(frozen=True, slots=True)
class Support:
    """Help `target` to stay, or to go `to` somewhere."""

    unit: Unit
    target: Unit
    to: str | None = None

    def __str__(self) -> str:
        return f"{self.unit} S {self.target}" + (f" - {self.to}" if self.to else "")


@dataclass(frozen=True, slots=True)
class Convoy:
    """Carry `army` over this fleet's sea on its way `to` a coast."""

    unit: Unit
    army: Unit
    to: str

    def __str__(self) -> str:
        return f"{self.unit} C {self.army} - {self.to}"


@dataclass(frozen=True, slots=True)
class Retreat:
    unit: Unit
    to: str

    def __str__(self) -> str:
        return f"{self.unit} R {self.to}"


@dataclass(frozen=True, slots=True)
class Disband:
    """Take a unit off the board: instead of a retreat, or because centres were lost."""

    unit: Unit

    def __str__(self) -> str:
        return f"{self.unit} D"


@dataclass(frozen=True, slots=True)
class Build:
    unit: Unit

    def __str__(self) -> str:
        return f"{self.unit} B"


@dataclass(frozen=True, slots=True)
class Waive:
    """Build nothing at this home centre, which distinguishes one waiver from another.

    Without a place (as other programs write it) it is a remark: builds not ordered are waived.
    """

    at: str = ""

    def __str__(self) -> str:
        return f"WAIVE {self.at}".rstrip()


@dataclass(frozen=True, slots=True)
class Ready:
    """My orders stand; go on when everybody is ready."""

    def __str__(self) -> str:
        return "ready"


@dataclass(frozen=True, slots=True)
class Revise:
    """Not ready after all."""

    def __str__(self) -> str:
        return "revise"


@dataclass(frozen=True, slots=True)
class Absent:
    """Nobody gives orders this turn: civil disorder (D-CD-01)."""

    def __str__(self) -> str:
        return "absent"


DRAW: Final = "draw"


@dataclass(frozen=True, slots=True)
class Propose:
    """End the game: a draw, or (`what` is a seat) that seat has won."""

    what: str

    def __str__(self) -> str:
        return f"propose {self.what}"


@dataclass(frozen=True, slots=True)
class Accept:
    what: str

    def __str__(self) -> str:
        return f"accept {self.what}"


@dataclass(frozen=True, slots=True)
class Refuse:
    what: str

    def __str__(self) -> str:
        return f"refuse {self.what}"


@dataclass(frozen=True, slots=True)
class Withdraw:
    what: str

    def __str__(self) -> str:
        return f"withdraw {self.what}"


Movement: TypeAlias = Hold | Move | Support | Convoy
Order: TypeAlias = Movement | Retreat | Disband | Build | Waive
Ballot: TypeAlias = Propose | Accept | Refuse | Withdraw
Action: TypeAlias = Order | Ready | Revise | Absent | Ballot

_PLACE: Final = r"[a-z]{3}(?:/[nes]c)?"
_UNIT: Final = rf"[AF] {_PLACE}"
_ORDER: Final = re.compile(
    rf"(?P<unit>{_UNIT}) (?:(?P<plain>[HDB])|- (?P<to>{_PLACE})(?P<via> VIA)?|R (?P<retreat>{_PLACE})"
    rf"|(?P<help>[SC]) (?P<other>{_UNIT})(?: - (?P<other_to>{_PLACE}))?)"
    rf"|WAIVE(?: (?P<waive>{_PLACE}))?",
    re.IGNORECASE,
)
_UNIT_VERBS: Final[dict[str, Callable[[Unit], Order]]] = {"H": Hold, "D": Disband, "B": Build}
_SEAT_ACTIONS: Final[dict[str, Action]] = {"ready": Ready(), "revise": Revise(), "absent": Absent()}
_BALLOT_VERBS: Final[dict[str, Callable[[str], Ballot]]] = {
    "propose": Propose,
    "accept": Accept,
    "refuse": Refuse,
    "withdraw": Withdraw,
}


def parse(text: str) -> Action:
    """The action written in `text`: the inverse of `str`."""
    match text.split():
        case [word] if word.lower() in _SEAT_ACTIONS:
            return _SEAT_ACTIONS[word.lower()]
        case [verb, what] if verb.lower() in _BALLOT_VERBS:
            return _BALLOT_VERBS[verb.lower()](DRAW if what.lower() == DRAW else what.upper())
    return parse_order(text)


def parse_order(text: str) -> Order:
    """The order written in `text`."""
    found = _ORDER.fullmatch(" ".join(text.split()))
    if not found:
        raise Unreadable("diplomacy.unreadable", text=text)
    part = found.groupdict()
    if part["unit"] is None:
        return Waive(_parse_location(part["waive"]) if part["waive"] else "")
    unit = parse_unit(part["unit"])
    if part["plain"]:
        return _UNIT_VERBS[part["plain"].upper()](unit)
    if part["to"]:
        return Move(unit, _parse_location(part["to"]), via=part["via"] is not None)
    if part["retreat"]:
        return Retreat(unit, _parse_location(part["retreat"]))
    other, to = parse_unit(part["other"]), part["other_to"] and _parse_location(part["other_to"])
    if part["help"].upper() == "S":
        return Support(unit, other, to)
    if not to:
        raise Unreadable("diplomacy.unreadable", text=text)
    return Convoy(unit, other, to)


def parse_unit(text: str) -> Unit:
    """The unit written in `text`, such as ``F stp/sc``."""
    kind, _, at = text.partition(" ")
    return Unit("A" if kind.upper() == "A" else "F", _parse_location(at))


def _parse_location(text: str) -> str:
    location = text.lower()
    if location not in NUMBER_OF:
        raise Unreadable("diplomacy.no_such_place", text=text)
    return location
