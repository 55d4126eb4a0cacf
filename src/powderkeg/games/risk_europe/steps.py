"""The steps of the agenda, in the words of the rulebook. `flow.KINDS` says what each can do.

Inside the rules an army is a number, and `NOBODY` stands for no army.
"""

from typing import Literal, NamedTuple, TypeAlias

from powderkeg.games.risk_europe.board import NOBODY, Units


class Shields(NamedTuple):
    """Chance gives the mercenaries their cities."""


class Bid(NamedTuple):
    """A secret bid: for the first place (`army` is nobody) or for a mercenary army."""

    army: int = NOBODY


class Tie(NamedTuple):
    """Dice among those who bid the same."""

    army: int
    amount: int
    among: tuple[int, ...]


class Settle(NamedTuple):
    """Choose the gold city of a kingdom."""

    army: int
    footmen: int
    castle: bool


class Garrison(NamedTuple):
    """Split the footmen between that city and a territory beside it."""

    army: int
    city: int
    footmen: int


class NewRound(NamedTuple):
    """Shields begin to work, empty hands are refilled, the turn order is fixed."""


class Pick(NamedTuple):
    """Everybody places two cards face down."""


class Auctions(NamedTuple):
    """Two players: which mercenary army is bid for first."""


class Turn(NamedTuple):
    """An army's card is turned over."""

    army: int
    number: int


class Missions(NamedTuple):
    """Chance shows the two top missions."""

    army: int


class Keep(NamedTuple):
    """One of them is kept."""

    army: int
    cards: tuple[str, ...]


class Act(NamedTuple):
    """A turned card is carried out: its order, its bonus action, Berlin's manoeuvre."""

    army: int
    card: str
    order: bool = True  # still to be chosen
    bonus: bool = True  # still to be used
    berlin: bool = False  # a free manoeuvre may follow


class Group(NamedTuple):
    """Units on their way."""

    to: int
    units: Units


class Move(NamedTuple):
    """Expansion, split expansion or manoeuvre in the making."""

    army: int
    order: str
    origin: int = NOBODY
    target: int = NOBODY
    groups: tuple[Group, ...] = ()


class Tax(NamedTuple):
    """Choose the city whose supply line pays."""

    army: int


class Spend(NamedTuple):
    """Buy until done."""

    army: int


class Assault(NamedTuple):
    """Siege weapons roll against a territory beside them."""

    army: int
    origin: int
    target: int


class Casualties(NamedTuple):
    """The victim of a Siege Assault removes units."""

    at: int
    by: int
    hits: int


class Battles(NamedTuple):
    """The marker's holder chooses the next battle."""


Losses: TypeAlias = tuple[int, ...]  # units to remove; () while nobody chose them


class Battle(NamedTuple):
    """One rank of a battle."""

    at: int
    rank: int = 1
    stage: Literal["roll", "castle", "reroll", "losses"] = "roll"
    reroll: bool = True  # the castle's defence is unused in this pass (R-BAT-13)
    attacker: tuple[int, ...] = ()  # dice
    defender: tuple[int, ...] = ()
    attacker_loses: Losses = ()
    defender_loses: Losses = ()


class Reveals(NamedTuple):
    """After the battles: missions may be shown before the winner is sought (R-MISSION-05)."""

    passed: tuple[int, ...] = ()


class EndRound(NamedTuple):
    """Discard, victory, elimination."""


Pending: TypeAlias = (
    Shields
    | Bid
    | Tie
    | Settle
    | Garrison
    | NewRound
    | Pick
    | Auctions
    | Turn
    | Missions
    | Keep
    | Act
    | Move
    | Tax
    | Spend
    | Assault
    | Casualties
    | Battles
    | Battle
    | Reveals
    | EndRound
)
