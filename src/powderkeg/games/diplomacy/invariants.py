"""Invariants of every state."""

from collections import Counter
from collections.abc import Iterator

from powderkeg.games.diplomacy.board import CENTRES, POWERS, can_stand
from powderkeg.games.diplomacy.state import State
from powderkeg.games.diplomacy.steps import draft_objection


def broken(state: State) -> list[str]:
    """The invariants that `state` violates."""
    return [*_unit_faults(state), *_centre_faults(state), *_draft_faults(state)]


def _unit_faults(state: State) -> Iterator[str]:
    units = [unit for found in state.units.values() for unit in found]
    crowd = Counter(unit.province for unit in units)
    yield from (f"{n} units in {at}" for at, n in crowd.items() if n > 1)  # D-SET-10
    yield from (f"{unit} cannot stand there" for unit in units if not can_stand(unit))
    if set(state.units) != set(POWERS):
        yield f"powers {sorted(state.units)}"
    if state.stage == "movement" and not state.in_sandbox:
        for power, found in state.units.items():
            if len(found) > len(state.centres_of(power)):  # D-SET-07
                yield f"{power} has {len(found)} units and {len(state.centres_of(power))} centres"


def _centre_faults(state: State) -> Iterator[str]:
    yield from (f"{code} is no centre" for code in state.centres if code not in CENTRES)
    yield from (f"{p} owns a centre" for p in state.centres.values() if p not in POWERS)
    for seat, powers in state.hands.items():
        yield from (f"{seat} plays {power}" for power in powers if power not in POWERS)


def _draft_faults(state: State) -> Iterator[str]:
    for province, order in state.drafts.items():
        if (why := draft_objection(state, province, order)) is not None:
            yield f"draft {order}: {why}"
    if strangers := (state.ready | state.absent) - set(state.hands):
        yield f"ready but not seated: {sorted(strangers)}"
    if state.absent - state.ready:
        yield "absent but not ready"
