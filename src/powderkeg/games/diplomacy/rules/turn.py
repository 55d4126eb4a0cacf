"""The turn: the effect of each phase on the board, and the phase that follows.

Movement, retreats where units were dislodged, and after the fall the count of centres and the
adjustments. The flow of a game (`flow`) and the judge of games played elsewhere (`judge`) both
resolve their phases here; they differ only in the seats they wait for and in how a game ends.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias

from powderkeg.games.diplomacy.actions import Disband, Order
from powderkeg.games.diplomacy.board import CENTRES, HOMES, POWERS, Power, Unit
from powderkeg.games.diplomacy.rules.adjudicate import adjudicate
from powderkeg.games.diplomacy.rules.adjustments import Centres, resolve_adjustments
from powderkeg.games.diplomacy.rules.outcomes import Dislodged, Outcome, Verdict, Why
from powderkeg.games.diplomacy.rules.position import STANDARD, Position, Rulebook
from powderkeg.games.diplomacy.rules.retreats import resolve_retreats

Season: TypeAlias = Literal["spring", "fall"]
Stage: TypeAlias = Literal["movement", "retreat", "adjustment", "toss", "over"]
OrderLists: TypeAlias = Mapping[Power, Iterable[Order]]

FIRST_YEAR: Final = 1901
VICTORY_CENTRES: Final = 18  # D-WIN-01
HOME_CENTRES: Final[dict[str, Power]] = {home: power for power in POWERS for home in HOMES[power]}
_NOBODY: Final[frozenset[Power]] = frozenset()


class Situation(NamedTuple):
    """The board at the beginning of a phase."""

    year: int
    season: Season
    stage: Stage
    position: Position
    centres: Centres
    dislodged: tuple[Dislodged, ...] = ()


class Resolved(NamedTuple):
    """The outcomes of a phase, and the situation in which the next one begins."""

    outcomes: tuple[Outcome, ...]
    after: Situation
    counted: bool = False  # centres were counted, so a power may have won


@lru_cache(maxsize=1024)
def phase_code(year: int, season: Season, stage: Stage) -> str:
    """A phase in short: ``S1901M``, ``F1902R``, ``W1902A``."""
    letter = "W" if stage in ("adjustment", "toss") else season[0].upper()
    return f"{letter}{year}{stage[0].upper()}"


def resolve_phase(
    before: Situation,
    orders: OrderLists,
    rulebook: Rulebook = STANDARD,
    *,
    static: frozenset[Power] = _NOBODY,
    helpless: frozenset[Power] = _NOBODY,
) -> Resolved:
    """Resolve one phase. Powers in `static` never build; units of the `helpless` cannot retreat."""
    match before.stage:
        case "movement":
            return _resolve_movement(before, orders, rulebook, helpless)
        case "retreat":
            done = resolve_retreats(before.position, before.dislodged, orders)
            return _end_season(before, done.position, done.outcomes)
        case "adjustment":
            result = resolve_adjustments(before.position, before.centres, orders, rulebook, static)
            return Resolved(result.outcomes, _next_spring(before, result.position))
    raise ValueError(before.stage)


def _resolve_movement(
    before: Situation, orders: OrderLists, rulebook: Rulebook, helpless: frozenset[Power]
) -> Resolved:
    done = adjudicate(before.position, orders, rulebook)
    lost = tuple(
        Outcome(each.power, Disband(each.unit), Verdict.OK, Why.IN_DISORDER, (each.by,))
        for each in done.dislodged
        if each.power in helpless
    )
    dislodged = tuple(each for each in done.dislodged if each.power not in helpless)
    if not dislodged:
        return _end_season(before, done.position, done.outcomes + lost)
    after = before._replace(stage="retreat", position=done.position, dislodged=dislodged)
    return Resolved(done.outcomes + lost, after)


def _end_season(before: Situation, position: Position, outcomes: tuple[Outcome, ...]) -> Resolved:
    """After spring comes fall; after fall centres are counted, retreats included (D-SC-01)."""
    year, season, _, _, centres, _ = before
    if season == "spring":
        return Resolved(outcomes, Situation(year, "fall", "movement", position, centres))
    counted = count_centres(position.units, centres)
    after = Situation(year, "fall", "adjustment", position, counted)
    return Resolved(outcomes, after, counted=True)


def _next_spring(before: Situation, position: Position) -> Situation:
    return Situation(before.year + 1, "spring", "movement", position, before.centres)


def count_centres(units: Mapping[Power, tuple[Unit, ...]], centres: Centres) -> dict[str, Power]:
    """A centre belongs to the power that stands there now, else to its owner so far (D-SC-02,
    D-SC-03)."""
    stands = {u.province: power for power, listed in units.items() for u in listed}
    return {**centres, **{at: power for at, power in stands.items() if at in CENTRES}}
