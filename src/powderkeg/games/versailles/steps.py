"""The steps that can be pending on the agenda, which is a stack: the last step runs next.

A step acts by itself, or waits for the answer of a nation (its seat) or of chance. The five steps
of settling an issue are the five classes under *Settle an Issue*, in the rulebook's order.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from powderkeg.core.agenda import quicken_constructors
from powderkeg.games.versailles.actions import Bid
from powderkeg.games.versailles.board import NOBODY
from powderkeg.games.versailles.events import operations

Half: TypeAlias = Literal["conference", "crisis"]
Work: TypeAlias = Literal["withdraw", "rally", "demobilise"]

EMPTY_BID = Bid(0, 0, 0)

# Set-up


@dataclass(frozen=True, slots=True, init=False)
class FirstPlayer:
    """Chance draws the first player (V-SET-02)."""


@dataclass(frozen=True, slots=True)
class ChooseNation:
    seat: int


@dataclass(frozen=True, slots=True)
class FactionOrder:
    """Solitaire: the order of the factions, drawn or chosen (V-SOLO-02)."""

    order: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, init=False)
class DealIssues:
    pass


@dataclass(frozen=True, slots=True, init=False)
class DealEvents:
    pass


@dataclass(frozen=True, slots=True, init=False)
class DealStrategies:
    pass


# Turns


@dataclass(frozen=True, slots=True)
class StartTurn:
    nation: int


@dataclass(frozen=True, slots=True, init=False)
class Turn:
    """The active player's own actions (V-TURN)."""


@dataclass(frozen=True, slots=True, init=False)
class UsaTurn:
    """Two players: a political action of the USA (V-2P-03)."""


@dataclass(frozen=True, slots=True, init=False)
class EndTurn:
    pass


@dataclass(frozen=True, slots=True)
class PlaceSecond:
    """The second of the two issues (V-PLACE-01)."""

    nation: int
    first: str


# Settle an Issue


@dataclass(frozen=True, slots=True)
class ResolveIssue:
    """Step 1."""

    issue: str


@dataclass(frozen=True, slots=True, init=False)
class ResolveConferenceEvent:
    """Step 2."""


@dataclass(frozen=True, slots=True, init=False)
class AdvanceIssueAndEvent:
    """Step 3."""


@dataclass(frozen=True, slots=True, init=False)
class AddIssue:
    """Step 4."""


@dataclass(frozen=True, slots=True, init=False)
class DrawEvent:
    """Step 5."""


@dataclass(frozen=True, slots=True, init=False)
class RevealEvent:
    """Chance draws the event, then its crisis is performed."""


@dataclass(frozen=True, slots=True)
class ChooseOption:
    issue: str
    nation: int


@dataclass(frozen=True, slots=True)
class ChooseFlag:
    """One flag for each naval icon of the chosen option (V-OPT-10)."""

    issue: str
    nation: int
    option: int
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChoosePerform:
    event: str
    you: int


@dataclass(frozen=True, slots=True)
class DiscardEvent:
    event: str


@dataclass(frozen=True, slots=True)
class ChooseToAdvance:
    """Whether an issue and an event are still to be moved to the table."""

    issue: bool = True
    event: bool = True


@dataclass(frozen=True, slots=True, init=False)
class ChooseCube:
    pass


@dataclass(frozen=True, slots=True, init=False)
class ChooseSource:
    pass


@dataclass(frozen=True, slots=True)
class DrawIssues:
    drawn: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChooseKept:
    drawn: tuple[str, ...]


# Events


@dataclass(frozen=True, slots=True)
class Do:
    """Effects still to be carried out, with the nations they concern."""

    effects: tuple[operations.Effect, ...]
    you: int
    subject: int
    half: Half
    regions: tuple[int, ...] = ()  # chosen, or checked


@dataclass(frozen=True, slots=True)
class ChoosePlayer:
    effect: operations.ChoosePlayer
    you: int
    half: Half


@dataclass(frozen=True, slots=True)
class ChooseRegions:
    effect: operations.ChoosePlayer
    you: int
    subject: int
    half: Half
    regions: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ChooseKegRegion:
    n: int
    you: int


@dataclass(frozen=True, slots=True)
class ChooseBranch:
    effect: operations.Either
    you: int
    subject: int
    half: Half
    regions: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ChooseSign:
    """Bela Kun: whether the counters raise or lower the die."""

    check: operations.Check
    n: int
    you: int
    subject: int
    half: Half


@dataclass(frozen=True, slots=True)
class ChooseUnit:
    """Which unit an event moves; `rally` may be declined."""

    nation: int
    work: Work


@dataclass(frozen=True, slots=True)
class ChooseDeploy:
    nation: int


@dataclass(frozen=True, slots=True)
class ChooseCleared:
    """Which issue of the waiting room loses its cubes."""

    you: int


@dataclass(frozen=True, slots=True)
class RollRegion:
    """A random region (V-EVENT-08)."""

    effect: operations.Unrest | operations.Keg


# Uprisings


@dataclass(frozen=True, slots=True)
class Checking:
    """A check going on: regions still to roll, those rolled, those in uprising."""

    check: operations.Check
    modifier: int
    queue: tuple[int, ...]
    you: int
    subject: int
    half: Half
    checked: tuple[int, ...] = ()
    risen: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Announce:
    """Owners of units announce modifiers, then the die is rolled (V-UPR-05)."""

    region: int
    modifier: int
    waiting: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Uprising:
    region: int


@dataclass(frozen=True, slots=True)
class ChooseAffected:
    region: int
    tied: tuple[int, ...]
    by: int


@dataclass(frozen=True, slots=True)
class RollOff:
    region: int
    tied: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Affected:
    """The owner of the issue is known; next, which issue is hit (V-UPR-14)."""

    region: int
    nation: int


@dataclass(frozen=True, slots=True)
class Unsettle:
    """One of these issues is going to be unsettled; `nation` chooses which."""

    issues: tuple[str, ...]
    nation: int
    region: int


@dataclass(frozen=True, slots=True)
class ChooseUnsettled:
    """`region` is NOBODY when an event unsettles the issue."""

    issues: tuple[str, ...]
    nation: int
    region: int


@dataclass(frozen=True, slots=True)
class StartBid:
    issue: str
    region: int


@dataclass(frozen=True, slots=True)
class Bidding:
    """The first of `waiting` bids or passes; `leader` holds the best bid so far (V-UPR-15..25)."""

    issue: str
    region: int
    waiting: tuple[int, ...]
    leader: int = NOBODY
    best: Bid = EMPTY_BID


@dataclass(frozen=True, slots=True)
class Reset:
    """Powder keg and unrest after an uprising (V-UPR-30)."""

    region: int


@dataclass(frozen=True, slots=True)
class AfterCheck:
    kept: tuple[operations.Effect, ...]
    checked: tuple[int, ...]
    you: int
    subject: int
    half: Half


@dataclass(frozen=True, slots=True, init=False)
class SelectStrategies:
    pass


@dataclass(frozen=True, slots=True)
class ChooseStrategy:
    waiting: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Mutinies:
    """Too many units for the happiness of this nation (V-MUT)."""

    nation: int


@dataclass(frozen=True, slots=True)
class ChooseMutineer:
    nation: int


# Solitaire


@dataclass(frozen=True, slots=True)
class BotMilitary:
    nation: int


@dataclass(frozen=True, slots=True)
class BotRegion:
    """A die for each region where the bot would deploy (V-SOLO-17)."""

    nation: int
    regions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BotPolitical:
    nation: int


@dataclass(frozen=True, slots=True)
class BotSettles:
    """The human picks which issue the bot settles (V-SOLO-19, 22)."""

    issues: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BotPlaces:
    nation: int


@dataclass(frozen=True, slots=True)
class BotReclaims:
    nation: int


@dataclass(frozen=True, slots=True, init=False)
class ChangeFaction:
    """Before an issue is unsettled the human takes the weakest faction (V-SOLO-33)."""


@dataclass(frozen=True, slots=True)
class SoloBid:
    """The bots' bids are known; the human may beat them (V-SOLO-39)."""

    issue: str
    region: int
    bids: tuple[tuple[int, Bid], ...]


@dataclass(frozen=True, slots=True)
class SoloWinner:
    issue: str
    region: int
    bids: tuple[tuple[int, Bid], ...]


DealStep: TypeAlias = DealIssues | DealEvents | DealStrategies
TurnStep: TypeAlias = StartTurn | Turn | UsaTurn | EndTurn | PlaceSecond
SoloStep: TypeAlias = BotSettles | BotPlaces | BotReclaims | ChangeFaction | SoloBid | SoloWinner
Pending: TypeAlias = (
    FirstPlayer
    | ChooseNation
    | FactionOrder
    | DealStep
    | TurnStep
    | ResolveIssue
    | ResolveConferenceEvent
    | AdvanceIssueAndEvent
    | AddIssue
    | DrawEvent
    | RevealEvent
    | ChooseOption
    | ChooseFlag
    | ChoosePerform
    | DiscardEvent
    | ChooseToAdvance
    | ChooseCube
    | ChooseSource
    | DrawIssues
    | ChooseKept
    | Do
    | ChoosePlayer
    | ChooseRegions
    | ChooseKegRegion
    | ChooseBranch
    | ChooseSign
    | ChooseUnit
    | ChooseDeploy
    | ChooseCleared
    | RollRegion
    | Checking
    | Announce
    | Uprising
    | ChooseAffected
    | RollOff
    | Affected
    | ChooseUnsettled
    | Unsettle
    | StartBid
    | Bidding
    | Reset
    | AfterCheck
    | SelectStrategies
    | ChooseStrategy
    | Mutinies
    | ChooseMutineer
    | BotMilitary
    | BotRegion
    | BotPolitical
    | SoloStep
)
quicken_constructors(get_args(Pending))
