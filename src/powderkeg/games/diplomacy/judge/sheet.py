"""A sheet: everything that a moderator needs between two phases. Units, centres, dislodged units, date.

Sheets come from people and from other programs, so they are checked here, once.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from powderkeg.core.errors import Unreadable
from powderkeg.core.words import Msg
from powderkeg.games.diplomacy.actions import Move
from powderkeg.games.diplomacy.board import (
    CENTRES,
    POWERS,
    START,
    Power,
    Unit,
    can_stand,
    unit_moves,
)
from powderkeg.games.diplomacy.notation.writing import written_unit
from powderkeg.games.diplomacy.rules.outcomes import Dislodged
from powderkeg.games.diplomacy.rules.position import Position
from powderkeg.games.diplomacy.rules.turn import (
    FIRST_YEAR,
    HOME_CENTRES,
    Season,
    Situation,
    Stage,
    phase_code,
)
from powderkeg.games.diplomacy.words import phase_name, place_name

OVER: Final = "COMPLETED"
FIRST: Final = phase_code(FIRST_YEAR, "spring", "movement")
_STAGE_OF: Final[dict[str, Stage]] = {"M": "movement", "R": "retreat", "A": "adjustment"}
_PHASE: Final = re.compile(r"(S|F|W)(\d{1,5})(M|R|A)")

Refuges = Mapping[Unit, tuple[str, ...]]  # dislodged units and where each may retreat
ListedRefuges = Mapping[Unit, Iterable[str] | None]  # the same as written; None: wherever it can go


@dataclass(frozen=True, slots=True)
class Sheet:
    """A position with its date: ``S1901M``, ``F1901R``, ``W1901A``, or ``COMPLETED``."""

    phase: str
    units: Mapping[Power, tuple[Unit, ...]]
    centres: Mapping[str, Power]
    dislodged: Mapping[Power, Refuges] = field(default_factory=dict)

    @property
    def season(self) -> str:
        return self.phase[0]

    @property
    def year(self) -> int:
        return int(self.phase[1:-1])

    @property
    def kind(self) -> str:
        """M for moves, R for retreats, A for adjustments; D when all is done."""
        return self.phase[-1]

    @property
    def position(self) -> Position:
        return Position(self.units)

    @property
    def situation(self) -> Situation:
        """The sheet as `rules.turn` needs it; attackers are unknown, since they are not on a sheet."""
        dislodged = tuple(
            Dislodged(power, unit, Move(unit, unit.at), places)
            for power, refuges in self.dislodged.items()
            for unit, places in refuges.items()
        )
        season: Season = "spring" if self.season == "S" else "fall"
        return Situation(
            self.year, season, _STAGE_OF[self.kind], self.position, self.centres, dislodged
        )

    def owned(self, power: Power) -> tuple[str, ...]:
        return tuple(centre for centre, owner in self.centres.items() if owner == power)


def first_sheet() -> Sheet:
    """The start of the game (D-SET-03, D-SET-04)."""
    return Sheet(FIRST, START, HOME_CENTRES)


def sheet_of(situation: Situation) -> Sheet:
    """A situation as a sheet; only units that can retreat are listed as dislodged."""
    year, season, stage, position, centres, dislodged = situation
    refuges: dict[Power, dict[Unit, tuple[str, ...]]] = {}
    for each in dislodged:
        if each.retreats:
            refuges.setdefault(each.power, {})[each.unit] = each.retreats
    phase = OVER if stage == "over" else phase_code(year, season, stage)
    return Sheet(phase, position.units, centres, refuges)


def sheet_phase_name(phase: str) -> Msg:
    """A phase in words, also when the game is over."""
    return Msg("judge.over_phase") if phase == OVER else phase_name(phase)


def checked_sheet(
    phase: str,
    units: Mapping[Power, Iterable[Unit]],
    centres: Mapping[Power, Iterable[str]],
    beaten: Mapping[Power, ListedRefuges],
) -> Sheet:
    """A sheet from outside, if it can be; without centres their owners are assumed."""
    stand = check_units(units)
    owners = check_centres(centres) if centres else assumed_centres(stand)
    refuges = {power: check_refuges(stand, found) for power, found in beaten.items() if found}
    return Sheet(phase, stand, owners, refuges)


def check_phase(text: str) -> str:
    """`text` if it is a phase; spring and fall have moves and retreats, winter adjustments."""
    found = _PHASE.fullmatch(text)
    if text != OVER and (not found or (found[1] == "W") != (found[3] == "A")):
        raise Unreadable("judge.bad_phase", text=text)
    return text


def check_units(units: Mapping[Power, Iterable[Unit]]) -> dict[Power, tuple[Unit, ...]]:
    """`units` of all seven powers, if they can stand so (D-SET-10, D-MAP-01, D-MAP-05)."""
    listed = [unit for each in units.values() for unit in each]
    if not all(map(can_stand, listed)):
        wrong = next(unit for unit in listed if not can_stand(unit))
        raise Unreadable("judge.bad_unit", rule="D-MAP-01", unit=written_unit(wrong, "full"))
    places = [unit.at[:3] for unit in listed]
    if len(set(places)) < len(places):
        twice = next(place for place in places if places.count(place) > 1)
        raise Unreadable("judge.two_units", rule="D-SET-10", place=place_name(twice))
    return {power: tuple(units.get(power, ())) for power in POWERS}


def check_centres(centres: Mapping[Power, Iterable[str]]) -> dict[str, Power]:
    """The owner of each centre, if none is listed for two powers."""
    owner: dict[str, Power] = {}
    for power, listed in centres.items():
        for place in listed:
            if place not in CENTRES:
                raise Unreadable("judge.not_a_centre", rule="D-MAP-11", place=place_name(place))
            if owner.setdefault(place, power) != power:
                raise Unreadable("judge.centre_twice", place=place_name(place))
    return owner


def assumed_centres(units: Mapping[Power, Iterable[Unit]]) -> dict[str, Power]:
    """The owners of centres that were not listed: the power that stands there, else the home power."""
    owner = dict(HOME_CENTRES)
    for power, listed in units.items():
        owner |= {unit.province: power for unit in listed if unit.province in CENTRES}
    return owner


def check_refuges(units: Mapping[Power, Iterable[Unit]], beaten: ListedRefuges) -> Refuges:
    """Where dislodged units may go: next to them and free, and among the places listed, if any."""
    taken = {unit.province for listed in units.values() for unit in listed}
    return {
        unit: tuple(
            to
            for to in unit_moves(unit)
            if to[:3] not in taken
            and (listed is None or to in set(listed) or to[:3] in set(listed))
        )
        for unit, listed in beaten.items()
    }
