"""The first thing in which two positions of the same game differ, in words."""

from powderkeg.core.errors import Unreadable
from powderkeg.core.words import Msg
from powderkeg.games.diplomacy.archive.model import ArchivePhase
from powderkeg.games.diplomacy.board import CENTRES, POWERS, PROVINCES, Power, Unit
from powderkeg.games.diplomacy.judge.sheet import Sheet, sheet_of, sheet_phase_name
from powderkeg.games.diplomacy.notation.writing import written_unit
from powderkeg.games.diplomacy.rules.outcomes import Outcome, Verdict
from powderkeg.games.diplomacy.state import State
from powderkeg.games.diplomacy.words import place_name, power_name

Stand = tuple[Power, Unit] | None  # the unit in a province, and whose it is


def position_difference(
    state: State, theirs: Sheet | None, *, owners_only: bool = False
) -> Unreadable | None:
    """The first unit or centre in which a position of a file differs from ours.

    At the end of a game our rules go on to the next spring, when powers without centres have no
    units left (D-ADJ-01): with `owners_only` their units are not compared.
    """
    if theirs is None:
        return None
    ours = sheet_of(state.situation)
    powers = [p for p in POWERS if not owners_only or p in ours.centres.values()]
    return (
        _unit_difference(ours, theirs, powers)
        or centre_difference(ours, theirs)
        or _dislodged_difference(state, theirs)
    )


def stand_difference(state: State, theirs: Sheet | None) -> Unreadable | None:
    """The first unit that differs, apart from dislodged ones."""
    if theirs is None:
        return None
    return _unit_difference(sheet_of(state.situation), theirs, list(POWERS))


def _unit_difference(ours: Sheet, theirs: Sheet, powers: list[Power]) -> Unreadable | None:
    here, there = _units_by_place(ours, powers), _units_by_place(theirs, powers)
    for place in PROVINCES:
        if not _same_stand(here.get(place), there.get(place)):
            return Unreadable(
                "archive.unit_differs",
                phase=sheet_phase_name(theirs.phase),
                place=place_name(place),
                theirs=_stand_name(there.get(place)),
                ours=_stand_name(here.get(place)),
            )
    return None


def _same_stand(ours: Stand, theirs: Stand) -> bool:
    """Whether the same unit stands there; a fleet without a coast may be on any."""
    if ours is None or theirs is None:
        return ours is theirs
    (owner, unit), (power, other) = ours, theirs
    return (owner, unit.kind) == (power, other.kind) and other.at in (unit.at, unit.province)


def _units_by_place(sheet: Sheet, powers: list[Power]) -> dict[str, Stand]:
    return {unit.province: (power, unit) for power in powers for unit in sheet.units[power]}


def _stand_name(stand: Stand) -> Msg:
    if stand is None:
        return Msg("archive.no_unit")
    power, unit = stand
    return Msg("archive.unit_of", unit=written_unit(unit), power=power_name(power))


def centre_difference(ours: Sheet, theirs: Sheet | None) -> Unreadable | None:
    """The first centre whose owner differs, if the file names owners."""
    if theirs is None or not theirs.centres:
        return None
    for place in CENTRES:
        if ours.centres.get(place) != theirs.centres.get(place):
            return Unreadable(
                "archive.centre_differs",
                phase=sheet_phase_name(theirs.phase),
                place=place_name(place),
                theirs=_owner_name(theirs.centres.get(place)),
                ours=_owner_name(ours.centres.get(place)),
            )
    return None


def _owner_name(owner: Power | None) -> Msg:
    return Msg("archive.no_owner") if owner is None else power_name(owner)


def _dislodged_difference(state: State, theirs: Sheet) -> Unreadable | None:
    """Some programs list dislodged units that cannot retreat, others do not."""
    if theirs.kind != "R":
        return None
    there = {(p, _without_coast(unit)) for p, units in theirs.dislodged.items() for unit in units}
    every = {(each.power, _without_coast(each.unit)) for each in state.dislodged}
    able = {(each.power, _without_coast(each.unit)) for each in state.dislodged if each.retreats}
    for code, missing in (
        ("archive.dislodged_there", there - every),
        ("archive.dislodged_here", able - there),
    ):
        if missing:
            found = min(missing, key=str)
            phase = sheet_phase_name(theirs.phase)
            return Unreadable(code, phase=phase, unit=_stand_name(found))
    return None


def _without_coast(unit: Unit) -> Unit:
    return Unit(unit.kind, unit.province)


def phase_difference(ours: str, theirs: str) -> Unreadable:
    """The file and our rules go on with different phases."""
    return Unreadable(
        "archive.phase_differs", theirs=sheet_phase_name(theirs), ours=sheet_phase_name(ours)
    )


def unread_order(phase: ArchivePhase, power: Power, text: str, why: Msg) -> Unreadable:
    """An order that cannot be read, or not in the position that we have."""
    return Unreadable(
        "archive.order_unread",
        phase=sheet_phase_name(phase.phase),
        power=power_name(power),
        order=text,
        why=why,
    )


def result_difference(phase: ArchivePhase, outcomes: tuple[Outcome, ...]) -> Unreadable | None:
    """The first order whose result differs, for forms that give results and no positions."""
    for outcome in outcomes:
        place = outcome.order.unit.province if hasattr(outcome.order, "unit") else ""
        beaten = outcome.dislodged_by is not None
        if phase.dislodged is not None and beaten != (place in phase.dislodged):
            return _result_error("dislodged", phase, outcome, here=beaten)
        failed = outcome.verdict in (Verdict.BOUNCED, Verdict.NO_CONVOY)
        if phase.failed is not None and failed != (place in phase.failed):
            return _result_error("failed", phase, outcome, here=failed)
    return None


def _result_error(what: str, phase: ArchivePhase, outcome: Outcome, *, here: bool) -> Unreadable:
    return Unreadable(
        f"archive.{what}_{'here' if here else 'there'}_only",
        phase=sheet_phase_name(phase.phase),
        order=str(outcome.order),
        power=power_name(outcome.power),
    )
