"""The sandbox: all seven powers in one hand, and positions that a person has put together."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from typing import Any, Final

from powderkeg.core.errors import Illegal
from powderkeg.core.game import SandboxTool
from powderkeg.games.diplomacy.actions import parse_unit
from powderkeg.games.diplomacy.board import CENTRES, POWERS, Power, Unit, can_stand
from powderkeg.games.diplomacy.rules.turn import FIRST_YEAR
from powderkeg.games.diplomacy.state import HANDS, State
from powderkeg.games.diplomacy.words import place_name, unit_name

LAST_YEAR: Final = 2000
SEASONS: Final = ("spring", "fall")


class DiplomacySandbox:
    """The sandbox of Diplomacy."""

    def gather(self, state: State) -> State:
        return replace(
            state,
            hands=HANDS[1],
            drafts={},
            ready=frozenset(),
            absent=frozenset(),
            proposals=(),
        )

    def edit(self, state: State, position: Mapping[str, Any]) -> State:
        """A movement phase with the given year, season, units and centres (D-SET-07 need not hold)."""
        units = {power: _read_units(position, power) for power in POWERS}
        owned = [
            (code, power) for power in POWERS for code in _listed_texts(position, "centres", power)
        ]
        for fault in _position_faults(units, sorted(code for code, _ in owned)):
            raise fault
        return replace(
            self.gather(state),
            year=_read_year(position.get("year", state.year)),
            season=_read_season(position.get("season", state.season)),
            stage="movement",
            units=units,
            centres=dict(owned),
            dislodged=(),
            reports=(),
            counts=(),
            ending=None,
        )


def _listed_texts(position: Mapping[str, Any], key: str, power: Power) -> list[str]:
    by_power = position.get(key)
    found = by_power.get(power, []) if isinstance(by_power, Mapping) else []
    return [str(each) for each in found] if isinstance(found, list) else []


def _read_units(position: Mapping[str, Any], power: Power) -> tuple[Unit, ...]:
    return tuple(parse_unit(text) for text in _listed_texts(position, "units", power))


def _position_faults(
    units: Mapping[Power, tuple[Unit, ...]], centres: list[str]
) -> Iterator[Illegal]:
    """What cannot be on any board."""
    all_units = [unit for found in units.values() for unit in found]
    if not all_units:
        yield Illegal("diplomacy.position.empty")
    for unit in all_units:
        if not can_stand(unit):
            yield Illegal("diplomacy.position.cannot_stand", unit=unit_name(unit), rule="D-MAP-01")
    provinces = sorted(unit.province for unit in all_units)
    for province, here in groupby(provinces):
        if len(list(here)) > 1:
            yield Illegal("diplomacy.position.crowded", at=place_name(province), rule="D-SET-10")
    for code, listed in groupby(centres):
        if code not in CENTRES:
            yield Illegal("diplomacy.position.no_centre", at=code)
        elif len(list(listed)) > 1:
            yield Illegal("judge.centre_twice", place=place_name(code))


def _read_year(year: object) -> int:
    if not isinstance(year, int) or not FIRST_YEAR <= year <= LAST_YEAR:
        raise Illegal("diplomacy.position.year", first=FIRST_YEAR, last=LAST_YEAR)
    return year


def _read_season(season: object) -> Any:
    if season not in SEASONS:
        raise Illegal("diplomacy.position.season")
    return season


SANDBOX_TOOL: Final[SandboxTool] = DiplomacySandbox()
