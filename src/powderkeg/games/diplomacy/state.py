"""The state of a game: powers of each seat, units, centres, drafts, proposals, reports."""

from dataclasses import dataclass, field
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

from powderkeg.core.errors import Illegal
from powderkeg.core.game import Seat
from powderkeg.core.plain import Between, for_players
from powderkeg.games.diplomacy.actions import Order
from powderkeg.games.diplomacy.board import POWERS, START, Power, Unit
from powderkeg.games.diplomacy.rules.outcomes import Dislodged, Outcome
from powderkeg.games.diplomacy.rules.position import Position, Rulebook
from powderkeg.games.diplomacy.rules.turn import (
    FIRST_YEAR,
    HOME_CENTRES,
    VICTORY_CENTRES,
    Season,
    Situation,
    Stage,
    phase_code,
)

# The powers of each seat, by the number of players (D-ALT). Powers without a player are static.
HANDS: Final[dict[int, dict[Seat, tuple[Power, ...]]]] = {
    7: {power: (power,) for power in POWERS},
    6: {power: (power,) for power in POWERS if power != "ITALY"},
    5: {power: (power,) for power in POWERS if power not in ("ITALY", "GERMANY")},
    4: {
        "ENGLAND": ("ENGLAND",),
        "AUSTRIA_FRANCE": ("AUSTRIA", "FRANCE"),
        "GERMANY_TURKEY": ("GERMANY", "TURKEY"),
        "ITALY_RUSSIA": ("ITALY", "RUSSIA"),
    },
    3: {
        "AUSTRIA_ENGLAND_GERMANY": ("AUSTRIA", "ENGLAND", "GERMANY"),
        "ITALY_RUSSIA": ("ITALY", "RUSSIA"),
        "FRANCE_TURKEY": ("FRANCE", "TURKEY"),
    },
    2: {
        "ENTENTE": ("ENGLAND", "FRANCE", "RUSSIA"),
        "CENTRAL": ("AUSTRIA", "GERMANY", "TURKEY"),
    },
    1: {"ALL": POWERS},  # a sandbox
}
# Two powers on the map of seven: nobody owns or defends the homes of the others.
DUELS: Final[dict[str, tuple[Power, Power]]] = {
    "france_austria": ("FRANCE", "AUSTRIA"),
    "germany_italy": ("GERMANY", "ITALY"),
}
ITALIAN_LAND: Final = frozenset({"apu", "nap", "pie", "rom", "tus", "ven"})
FIRST_YEAR_OF_TWO: Final = 1914

# What a game without a winner is worth: shared equally, or by the centres of each.
CentreScoring: TypeAlias = Literal["squares", "carnage", "c_diplo"]
Scoring: TypeAlias = Literal["shared", "squares", "carnage", "c_diplo"]


@dataclass(frozen=True, slots=True)
class Options(Rulebook):
    """The options of a game; the defaults are the rulebook's."""

    victory_centres: Annotated[int, Between(0, 34, 5)] = 0  # 0: 18, or 24 between two players
    sum_of_nations: bool = for_players(3, 4, default=False)  # their centres add up (D-WIN-06)
    last_year: Annotated[int, Between(0, 2000, 1901)] = 0  # the game stops after its fall; 0: never
    scoring: Scoring = "shared"  # what a game without a winner is worth to each (D-WIN-04)
    # Two powers alone, not the rulebook's alliances (D-ALT-06).
    duel: Literal["no", "france_austria", "germany_italy"] = for_players(2, default="no")
    talk_always: bool = False  # players may talk between movements too (D-PHASE-06)


class Proposal(NamedTuple):
    """A proposal to end the game with a draw, or with the victory of the seat `what`. Answers are secret."""

    what: str
    by: Seat
    yes: frozenset[Seat] = frozenset()
    no: frozenset[Seat] = frozenset()


class Report(NamedTuple):
    """The outcomes of a phase, such as ``S1901M``."""

    phase: str
    outcomes: tuple[Outcome, ...]


class Count(NamedTuple):
    """How many centres every power had after the fall of a year."""

    year: int
    centres: dict[Power, int]


class Ending(NamedTuple):
    """How the game ended, and the seats that won or shared."""

    how: Literal["victory", "draw", "concession", "time"]
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class State:
    """A game at one moment.

    `drafts` holds the orders written so far, by province: a province has one unit that can be
    ordered in a phase, or one that can be built. `reports` go back to the latest movement,
    `counts` to the first fall (in a game stored by an earlier version: to its next one).
    """

    options: Options
    hands: dict[Seat, tuple[Power, ...]]
    year: int
    season: Season
    stage: Stage
    units: dict[Power, tuple[Unit, ...]]
    centres: dict[str, Power]
    dislodged: tuple[Dislodged, ...] = ()
    drafts: dict[str, Order] = field(default_factory=dict)
    ready: frozenset[Seat] = frozenset()
    absent: frozenset[Seat] = frozenset()
    proposals: tuple[Proposal, ...] = ()
    reports: tuple[Report, ...] = ()
    counts: tuple[Count, ...] = ()
    ending: Ending | None = None

    @property
    def phase(self) -> str:
        """The phase in short: ``S1901M``, ``F1902R``, ``W1902A``."""
        return phase_code(self.year, self.season, self.stage)

    @property
    def situation(self) -> Situation:
        """The state as `rules.turn` needs it."""
        return Situation(
            self.year, self.season, self.stage, self.position, self.centres, self.dislodged
        )

    @property
    def position(self) -> Position:
        players = {power: seat for seat, powers in self.hands.items() for power in powers}
        if self.in_sandbox:
            players = {power: power for power in POWERS}  # each still fights for itself
        neutral = self.between_alliances and "ITALY" not in players
        return Position(self.units, players, ITALIAN_LAND if neutral else frozenset())

    @property
    def in_sandbox(self) -> bool:
        """Whether one person orders all powers: nobody wins, and nothing needs to be agreed on."""
        return len(self.hands) == 1

    @property
    def between_alliances(self) -> bool:
        """Whether two players share the powers as in the rulebook (D-ALT-06)."""
        return len(self.hands) == 2 and not is_duel(2, self.options)

    @property
    def static(self) -> frozenset[Power]:
        """Powers without a player: they hold, and never build (D-ALT-01, D-ALT-11)."""
        return frozenset(POWERS) - {p for powers in self.hands.values() for p in powers}

    @property
    def target(self) -> int:
        """Centres needed to win (D-WIN-01, D-WIN-05)."""
        return self.options.victory_centres or (24 if self.between_alliances else VICTORY_CENTRES)

    def centres_of(self, power: Power) -> tuple[str, ...]:
        return tuple(sorted(code for code, owner in self.centres.items() if owner == power))


def seats(players: int, options: Options) -> tuple[Seat, ...]:
    """The seats for a number of people; with few people a seat has several powers."""
    return tuple(seat_powers(players, options))


def seat_powers(players: int, options: Options) -> dict[Seat, tuple[Power, ...]]:
    """The powers of each seat."""
    if players not in HANDS:
        raise Illegal("diplomacy.players", rule="D-SET-01", n=players)
    if players == 2 and is_duel(players, options):
        return {power: (power,) for power in DUELS[options.duel]}
    return HANDS[players]


def is_duel(players: int, options: Options) -> bool:
    """Whether two powers meet alone, or met before one person took all; with more players the
    option means nothing."""
    return players <= 2 and options.duel != "no"


def opening_homes(players: int, options: Options) -> dict[str, Power]:
    """The owner of each centre at the start; in a duel most are free."""
    if not is_duel(players, options):
        return HOME_CENTRES
    return {code: power for code, power in HOME_CENTRES.items() if power in DUELS[options.duel]}


def start(seats: tuple[Seat, ...], options: Options) -> State:
    """Spring 1901 (or 1914), every power on its home centres."""
    hands = seat_powers(len(seats), options)
    if tuple(hands) != seats:
        raise Illegal("diplomacy.players", rule="D-SET-01", n=len(seats))
    homes = opening_homes(len(seats), options)
    return State(
        options,
        hands,
        opening_year(len(seats), options),
        "spring",
        "movement",
        {power: START[power] if power in homes.values() else () for power in POWERS},
        homes,
    )


def opening_year(players: int, options: Options) -> int:
    """The year of the first spring (D-ALT-08)."""
    return FIRST_YEAR_OF_TWO if players == 2 and not is_duel(players, options) else FIRST_YEAR


def survivors(state: State) -> tuple[Seat, ...]:
    """Seats with a unit: they share a draw and must agree to end the game (D-WIN-04)."""
    alive = {power for power, units in state.units.items() if units}
    alive |= {each.power for each in state.dislodged}
    return tuple(seat for seat, powers in state.hands.items() if alive.intersection(powers))


def power_in_game(state: State, power: Power) -> bool:
    """Whether a power has units or centres left (D-ADJ-15)."""
    if state.units[power] or power in state.centres.values():
        return True
    return any(each.power == power for each in state.dislodged)


def seat_in_game(state: State, seat: Seat) -> bool:
    """Whether any power of `seat` has units or centres left."""
    return any(power_in_game(state, power) for power in state.hands[seat])
