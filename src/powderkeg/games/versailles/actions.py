"""The verbs, one class each; `str` is the wire notation and `parse` its inverse.

Most answers name one thing by its id: ``settle rheinland``, ``option to_turkey``. A unit is named
by where it is: ``available``, ``exhausted`` or a region.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias, get_args

from powderkeg.core import chance
from powderkeg.core.agenda import quicken_constructors
from powderkeg.core.errors import Unreadable

NO_REGIONS = "-"


@dataclass(frozen=True, slots=True)
class Nation:
    """Play this nation (V-SET-03)."""

    nation: str

    def __str__(self) -> str:
        return f"nation {self.nation}"


@dataclass(frozen=True, slots=True)
class Place:
    """Put cubes on an issue; the political action has two of these (V-PLACE-01)."""

    issue: str
    n: int

    def __str__(self) -> str:
        return f"place {self.issue} {self.n}"


@dataclass(frozen=True, slots=True)
class Reclaim:
    """Take cubes back, and units from these regions; exhausted units come by themselves."""

    n: int
    regions: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"reclaim {self.n} {','.join(self.regions) or NO_REGIONS}"


@dataclass(frozen=True, slots=True)
class Settle:
    issue: str

    def __str__(self) -> str:
        return f"settle {self.issue}"


@dataclass(frozen=True, slots=True)
class DeployUnit:
    unit: str
    region: str
    column: int

    def __str__(self) -> str:
        return f"deploy {self.unit} {self.region} {self.column}"


@dataclass(frozen=True, slots=True)
class DemobiliseUnit:
    unit: str

    def __str__(self) -> str:
        return f"demobilise {self.unit}"


@dataclass(frozen=True, slots=True, init=False)
class End:
    """End the turn, or leave a political action that cannot be taken (V-TURN-06)."""

    def __str__(self) -> str:
        return "end"


@dataclass(frozen=True, slots=True)
class TakeOption:
    """Choose this option of the issue (V-SETTLE-08)."""

    option: str

    def __str__(self) -> str:
        return f"option {self.option}"


@dataclass(frozen=True, slots=True)
class Flag:
    """The flag of one naval counter (V-OPT-10)."""

    nation: str

    def __str__(self) -> str:
        return f"flag {self.nation}"


@dataclass(frozen=True, slots=True, init=False)
class Perform:
    def __str__(self) -> str:
        return "perform"


@dataclass(frozen=True, slots=True, init=False)
class Decline:
    def __str__(self) -> str:
        return "decline"


@dataclass(frozen=True, slots=True)
class Choose:
    """The answer to a question that asks for a nation, region, issue or numbered branch."""

    what: str

    def __str__(self) -> str:
        return f"choose {self.what}"


@dataclass(frozen=True, slots=True)
class Advance:
    """Move this issue or event from the waiting room to the table (V-SETTLE-11, 12)."""

    card: str

    def __str__(self) -> str:
        return f"advance {self.card}"


@dataclass(frozen=True, slots=True)
class Cube:
    """Put a cube on the event, or not (V-EVENT-06)."""

    put: bool

    def __str__(self) -> str:
        return f"cube {'yes' if self.put else 'no'}"


@dataclass(frozen=True, slots=True, init=False)
class DrawCards:
    """Take two issues from the deck (V-SETTLE-13)."""

    def __str__(self) -> str:
        return "draw"


@dataclass(frozen=True, slots=True)
class Dive:
    """Take this issue from the discard pile (V-DISCARD-02)."""

    issue: str

    def __str__(self) -> str:
        return f"dive {self.issue}"


@dataclass(frozen=True, slots=True)
class Keep:
    """Put this one of two drawn issues in the waiting room."""

    issue: str

    def __str__(self) -> str:
        return f"keep {self.issue}"


@dataclass(frozen=True, slots=True)
class Mutiny:
    """This unit mutinies (V-MUT-03)."""

    unit: str

    def __str__(self) -> str:
        return f"mutiny {self.unit}"


@dataclass(frozen=True, slots=True)
class Modify:
    """Announce a change of the die (V-UPR-05)."""

    n: int

    def __str__(self) -> str:
        return f"modify {self.n:+d}" if self.n else "modify 0"


@dataclass(frozen=True, slots=True)
class Bid:
    """Units that are available, a unit in the region (0 or 1), and cubes: ``bid 2+1 4``."""

    units: int
    local: int
    cubes: int

    def __str__(self) -> str:
        return f"bid {self.units}+{self.local} {self.cubes}"

    @property
    def strength(self) -> int:
        return self.units + 2 * self.local  # V-UPR-18

    @property
    def rank(self) -> tuple[int, int]:
        return self.units + 2 * self.local, self.cubes  # V-UPR-20


@dataclass(frozen=True, slots=True, init=False)
class Pass:
    def __str__(self) -> str:
        return "pass"


@dataclass(frozen=True, slots=True)
class TakeStrategy:
    strategy: str

    def __str__(self) -> str:
        return f"strategy {self.strategy}"


@dataclass(frozen=True, slots=True)
class ProposeDeal:
    """Offer a deal with these terms to other players (see `deals`)."""

    to: tuple[str, ...]
    terms: tuple[str, ...]

    def __str__(self) -> str:
        return f"propose {'+'.join(self.to)} {','.join(self.terms)}"


@dataclass(frozen=True, slots=True)
class CounterDeal:
    """Refuse a deal by offering another to the same parties."""

    deal: int
    terms: tuple[str, ...]

    def __str__(self) -> str:
        return f"counter {self.deal} {','.join(self.terms)}"


@dataclass(frozen=True, slots=True)
class AcceptDeal:
    deal: int

    def __str__(self) -> str:
        return f"accept {self.deal}"


@dataclass(frozen=True, slots=True)
class RefuseDeal:
    deal: int

    def __str__(self) -> str:
        return f"refuse {self.deal}"


@dataclass(frozen=True, slots=True)
class WithdrawDeal:
    deal: int

    def __str__(self) -> str:
        return f"withdraw {self.deal}"


Talk: TypeAlias = ProposeDeal | CounterDeal | AcceptDeal | RefuseDeal | WithdrawDeal
Military: TypeAlias = DeployUnit | DemobiliseUnit
Action: TypeAlias = (
    Nation
    | Place
    | Reclaim
    | Settle
    | Military
    | End
    | TakeOption
    | Flag
    | Perform
    | Decline
    | Choose
    | Advance
    | Cube
    | DrawCards
    | Dive
    | Keep
    | Mutiny
    | Modify
    | Bid
    | Pass
    | TakeStrategy
    | Talk
)

ALL = frozenset(get_args(Action))
TALK = frozenset(get_args(Talk))
quicken_constructors(ALL)

_NAMED: dict[str, Callable[[str], Action]] = {
    "nation": Nation,
    "settle": Settle,
    "demobilise": DemobiliseUnit,
    "option": TakeOption,
    "flag": Flag,
    "choose": Choose,
    "advance": Advance,
    "dive": Dive,
    "keep": Keep,
    "mutiny": Mutiny,
    "strategy": TakeStrategy,
}
_BARE: dict[str, Action] = {
    "end": End(),
    "perform": Perform(),
    "decline": Decline(),
    "draw": DrawCards(),
    "pass": Pass(),
    "cube yes": Cube(put=True),
    "cube no": Cube(put=False),
    "modify +1": Modify(1),
    "modify 0": Modify(0),
    "modify -1": Modify(-1),
}
_NUMBERED: dict[str, Callable[[int], Action]] = {
    "accept": AcceptDeal,
    "refuse": RefuseDeal,
    "withdraw": WithdrawDeal,
}


def parse(text: str) -> Action | chance.Outcome:
    """The action written in `text`: the inverse of `str`."""
    if text in _BARE:
        return _BARE[text]
    match text.split(" "):
        case [verb, name] if verb in _NAMED and name:
            return _NAMED[verb](name)
        case [verb, n] if verb in _NUMBERED and _is_whole(n):
            return _NUMBERED[verb](int(n))
        case ["place", issue, n] if _is_whole(n):
            return Place(issue, int(n))
        case ["reclaim", n, regions] if _is_whole(n):
            return Reclaim(int(n), () if regions == NO_REGIONS else tuple(regions.split(",")))
        case ["deploy", unit, region, column] if _is_whole(column):
            return DeployUnit(unit, region, int(column))
        case ["bid", units, cubes] if _is_whole(cubes):
            there, plus, local = units.partition("+")
            if plus and _is_whole(there) and _is_whole(local):
                return Bid(int(there), int(local), int(cubes))
        case ["propose", to, terms]:
            return ProposeDeal(tuple(to.split("+")), tuple(terms.split(",")))
        case ["counter", n, terms] if _is_whole(n):
            return CounterDeal(int(n), tuple(terms.split(",")))
        case ["roll" | "draw", *_]:
            return chance.parse_outcome(text)
    raise Unreadable("versailles.not_an_action", text=text)


def _is_whole(text: str) -> bool:
    """Whether `text` is a whole number in its only spelling."""
    return text.isascii() and text.isdecimal() and str(int(text)) == text
