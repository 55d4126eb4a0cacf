"""An archived game played again under our rules, each position compared with the file's.

Programs differ in the phases they keep: some skip a retreat or a winter in which nobody has
anything to decide, some do not, and some offer retreats that do not exist. Such a phase is passed
over; the next position must agree all the same. They also differ in a few readings of the
rulebook: the readings under which a game was played are found by trying.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from typing import Any, Final, NamedTuple

import powderkeg.games.diplomacy as game
from powderkeg.core.errors import Unreadable
from powderkeg.core.record import Letter
from powderkeg.core.table import Table
from powderkeg.games.diplomacy.actions import (
    DRAW,
    Accept,
    Build,
    Disband,
    Move,
    Order,
    Propose,
    Ready,
    Retreat,
    Waive,
)
from powderkeg.games.diplomacy.archive.differences import (
    centre_difference,
    phase_difference,
    position_difference,
    result_difference,
    stand_difference,
    unread_order,
)
from powderkeg.games.diplomacy.archive.model import Archive, ArchivePhase, phase_order
from powderkeg.games.diplomacy.board import CENTRES, POWERS, Power, Unit
from powderkeg.games.diplomacy.judge.jsonl import RefusedOrder, load_orders
from powderkeg.games.diplomacy.judge.sheet import FIRST, OVER, Sheet, sheet_of, sheet_phase_name
from powderkeg.games.diplomacy.rules.adjustments import (
    adjustment_due,
    build_sites,
    removal_order,
)
from powderkeg.games.diplomacy.rules.refusals import action_refusal
from powderkeg.games.diplomacy.state import Options, State, survivors

__all__ = ["Replay", "replay_archive"]

# Readings of the rulebook in which programs differ from us, the likeliest first: webDiplomacy
# moves an army by sea only with VIA; many programs let an army walk when its convoy is missing.
_READINGS: Final[tuple[dict[str, Any], ...]] = (
    {"convoy_intent": "via_only"},
    {"land_fallback": True},
    {"retreat_to_convoy_origin": False},
    {"paradox": "szykman"},
    {"convoyed_dislodger_silences": True},
)
# Notes on the last phase: the winners (known to the package `diplomacy`), or that time was up.
VICTORS_NOTE: Final = "Victory by: "
TIME_NOTE: Final = "Time limit: "


class Replay(NamedTuple):
    """A game played again: the table, and the letters of the players."""

    table: Table
    letters: tuple[Letter, ...]


class _Attempt(NamedTuple):
    """A game played again under some options, as far as it went."""

    archive: Archive
    replay: Replay
    options: Options
    reached: int
    wrong: Unreadable | None


def replay_archive(archive: Archive) -> Replay:
    """The game played again, under the readings of the rulebook that lead where it led.

    A game that was over before anybody had won ends by agreement of the survivors (D-WIN-04). Our
    rules know no draw among some survivors only: such a game stays at its last phase.

    Raises `Unreadable` with the first unit or centre that differs.
    """
    _check_beginning(archive)
    best = _play_archive(archive, _game_options(archive))
    while best.wrong:
        better = (try_ for try_ in _other_attempts(best) if try_.reached > best.reached)
        found = next(better, None)
        if found is None:
            raise best.wrong
        best = found
    return best.replay


def _other_attempts(best: _Attempt) -> Iterator[_Attempt]:
    """The game with the orders of a copy of a phase, beyond a victory, then under other readings."""
    for archive in _other_copies(best.archive, best.reached):
        yield _play_archive(archive, best.options)
    state: State = best.replay.table.state
    if state.ending and state.ending.how == "victory":
        yield _play_archive(
            best.archive, replace(best.options, victory_centres=_next_victory(state))
        )
    known = asdict(best.options)
    for reading in _READINGS:
        if reading.items() - known.items():
            yield _play_archive(best.archive, replace(best.options, **reading))


def _other_copies(archive: Archive, end: int) -> Iterator[Archive]:
    for index, phase in enumerate(archive.phases[:end]):
        for orders in phase.other_orders:
            changed = phase._replace(orders=orders)
            phases = (*archive.phases[:index], changed, *archive.phases[index + 1 :])
            yield archive._replace(phases=phases)


def _next_victory(state: State) -> int:
    """More centres than anybody has: players may go on after a victory."""
    owners = list(state.centres.values())
    return min(max(map(owners.count, POWERS)) + 1, len(CENTRES))


def _check_beginning(archive: Archive) -> None:
    if not archive.phases:
        raise Unreadable("archive.empty")
    first = archive.phases[0].phase
    if first not in (FIRST, OVER):
        raise Unreadable("archive.starts_late", phase=sheet_phase_name(first))
    if "BUILD_ANY" in archive.rules:
        raise Unreadable("archive.other_rules", name="BUILD_ANY")


def _game_options(archive: Archive) -> Options:
    note = archive.phases[-1].note if archive.over else ""
    year = note.removeprefix(TIME_NOTE) if note.startswith(TIME_NOTE) else ""
    last_year = min(int(year), 2000) if re.fullmatch("[0-9]{4}", year) else 0
    return Options(last_year=last_year)


def _play_archive(archive: Archive, options: Options) -> _Attempt:
    run = _Run(options)
    for index, phase in enumerate(archive.phases):
        wrong = run.enter_phase(phase, archive.phases[index + 1 :])
        if wrong:
            return _Attempt(archive, run.replay, options, index, run.doubt or wrong)
    return _Attempt(archive, run.replay, options, len(archive.phases), None)


class _Run:
    """A table on which an archived game is played, phase by phase."""

    def __init__(self, options: Options) -> None:
        self.table = Table(game, len(POWERS), options)
        self.letters: list[Letter] = []
        self.doubt: Unreadable | None = (
            None  # in a phase that was passed over, if all is well later
        )

    @property
    def state(self) -> State:
        state: State = self.table.state
        return state

    @property
    def phase(self) -> str:
        return OVER if self.state.stage == "over" else self.state.phase

    @property
    def replay(self) -> Replay:
        return Replay(self.table, tuple(self.letters))

    def enter_phase(
        self, phase: ArchivePhase, later: tuple[ArchivePhase, ...]
    ) -> Unreadable | None:
        """Compare a phase of the file with ours and play it; return the first difference."""
        missing = self._pass_to(phase, _next_sheet((phase, *later)))
        if missing:
            return missing
        self._keep_letters(phase)
        if phase.phase == OVER:
            return self._finish_game(phase)
        if phase_order(self.phase) > phase.order_key and phase.phase[-1] in "RA":
            return self._skip_phase(phase)
        if self.phase == OVER and not later:
            return centre_difference(sheet_of(self.state.situation), phase.sheet)
        if self.phase != phase.phase:
            return phase_difference(self.phase, phase.phase)
        wrong = position_difference(self.state, phase.sheet)
        if wrong:
            return wrong
        self.doubt = None
        if not _was_played(phase, later):
            return None
        return self._play_phase(phase, _next_sheet(later))

    def _skip_phase(self, phase: ArchivePhase) -> Unreadable | None:
        """Pass over a phase in which nobody had anything to decide; the next position is compared.

        Remember the first difference in retreats that we do not have, before units move again.
        """
        if phase.phase.endswith("A") and phase.certain and self.phase != OVER:
            return phase_difference(self.phase, phase.phase)
        adjusted = phase.phase[0] == "F" and self.state.stage != "adjustment"
        if phase.phase.endswith("R") and not adjusted:
            self.doubt = stand_difference(self.state, phase.sheet)
        return None

    def _pass_to(self, phase: ArchivePhase, after: Sheet | None) -> Unreadable | None:
        """Play the retreats and adjustments that the file leaves out, as its next position shows.
        Without a position nobody knows where the dislodged units went."""
        while phase_order(self.phase) < phase.order_key and self.state.stage != "movement":
            if phase.phase == OVER and self._ends_here(phase):
                return None
            if after is None and any(each.retreats for each in self.state.dislodged):
                return phase_difference(self.phase, phase.phase)
            self._give_orders({}, after)
        return None

    def _ends_here(self, phase: ArchivePhase) -> bool:
        return position_difference(self.state, phase.sheet, owners_only=True) is None

    def _keep_letters(self, phase: ArchivePhase) -> None:
        after = len(self.table.log)
        self.letters += [
            Letter(each.sender or "", each.to, each.text, after, each.at) for each in phase.letters
        ]

    def _play_phase(self, phase: ArchivePhase, after: Sheet | None) -> Unreadable | None:
        orders, refused = load_orders(sheet_of(self.state.situation), phase.orders)
        for power, text, why in (*refused, *self._impossible_orders(phase, orders, refused)):
            if text in phase.certain:
                return unread_order(phase, power, text, why)
        self._give_orders(orders, after)
        played = [r.outcomes for r in self.state.reports if r.phase == phase.phase]
        return result_difference(phase, played[0]) if played else None

    def _impossible_orders(
        self, phase: ArchivePhase, orders: dict[Power, list[Order]], unread: list[RefusedOrder]
    ) -> Iterator[RefusedOrder]:
        """Orders that can be read, but not be carried out: neither due nor possible."""
        if not phase.certain:
            return
        skipped = {(power, text) for power, text, _ in unread}
        for power, given in orders.items():
            texts = [text for text in phase.orders[power] if (power, text) not in skipped]
            for text, order in zip(texts, given, strict=True):
                why = action_refusal(self.state, power, order)
                if why and not _may_fail(self.state, phase, power, order):
                    yield power, text, why.msg

    def _give_orders(self, orders: dict[Power, list[Order]], after: Sheet | None) -> None:
        for power in sorted(self.table.to_act):
            given = _valid_orders(self.state, power, orders.get(power, ()))
            for order in [*given, *_missing_orders(self.state, power, given, after)]:
                if action_refusal(self.state, power, order) is None:
                    self.table.act(power, order)
        for power in sorted(self.table.to_act):
            self.table.act(power, Ready())

    def _finish_game(self, last: ArchivePhase) -> Unreadable | None:
        """End the game as it ended there, if our rules have not ended it already.

        Some programs still adjust after a victory: then only the centres must agree.
        """
        if self.phase == OVER:
            return centre_difference(sheet_of(self.state.situation), last.sheet)
        wrong = position_difference(self.state, last.sheet, owners_only=True)
        what = _agreed_proposal(self.state, last.note)
        if wrong or not what:
            return wrong
        first, *others = [seat for seat in survivors(self.state) if seat != what] or [what]
        self.table.act(first, Propose(what))
        for seat in others:
            self.table.act(seat, Accept(what))
        return None


def _may_fail(state: State, phase: ArchivePhase, power: Power, order: Order) -> bool:
    """Whether an order that we refuse is no difference: in a movement all but moves that the file
    does not call failed; in winter the removals of a power without centres, which decides nothing."""
    if state.stage == "movement":
        return not isinstance(order, Move) or order.unit.province in (phase.failed or ())
    due = adjustment_due(state.position, state.centres, power)
    return isinstance(order, Disband) and due < 0 and order.unit in state.units[power]


def _was_played(phase: ArchivePhase, later: tuple[ArchivePhase, ...]) -> bool:
    """The last phase may still be open; or the players agreed to end the game in it."""
    if phase.played or not later:
        return phase.played
    after = later[0]
    if after.phase != OVER or not phase.sheet or not after.sheet:
        return after.phase != OVER
    return _sheet_units(after.sheet) != _sheet_units(phase.sheet) or (
        bool(after.sheet.centres and phase.sheet.centres)
        and dict(after.sheet.centres) != dict(phase.sheet.centres)
    )


def _sheet_units(sheet: Sheet) -> dict[Power, frozenset[Any]]:
    return {power: frozenset(units) for power, units in sheet.units.items()}


def _next_sheet(later: Iterable[ArchivePhase]) -> Sheet | None:
    """The next position before units move again."""
    for phase in later:
        if phase.sheet or phase.phase.endswith("M"):
            return phase.sheet
    return None


def _agreed_proposal(state: State, note: str) -> str | None:
    """The proposal that ends the game as noted, if there is one."""
    found = note.removeprefix(VICTORS_NOTE).split(", ") if note.startswith(VICTORS_NOTE) else []
    victors = [power for power in POWERS if power[:3] in found]
    alive = survivors(state)
    if len(victors) == 1 and victors[0] in alive:
        return victors[0]
    return DRAW if not victors or set(alive) <= set(victors) else None


# Orders


def _valid_orders(state: State, power: Power, orders: Iterable[Order]) -> list[Order]:
    """Orders without those that cancel each other (D-ORD-15); builds and removals count as they
    come (D-ADJ-12)."""
    valid = [
        order
        for order in orders
        if not isinstance(order, Waive) and action_refusal(state, power, order) is None
    ]
    if state.stage == "adjustment":
        first = {order.unit.province: order for order in reversed(valid)}
        return [order for order in dict.fromkeys(valid) if order in first.values()]
    places = [order.unit.province for order in dict.fromkeys(valid)]
    return [order for order in valid if places.count(order.unit.province) == 1]


def _missing_orders(
    state: State, power: Power, given: list[Order], after: Sheet | None
) -> list[Order]:
    """Retreats and adjustments that are not in the file, as its next position shows them."""
    if after is None:
        return []
    if state.stage == "retreat":
        return _shown_retreats(state, power, given, after)
    if state.stage == "adjustment":
        return _shown_adjustments(state, power, given, after)
    return []


def _shown_retreats(state: State, power: Power, given: list[Order], after: Sheet) -> list[Order]:
    ordered = {order.unit for order in given if isinstance(order, Retreat | Disband)}
    taken = {order.to[:3] for order in given if isinstance(order, Retreat)}
    taken |= {unit.province for unit in state.units[power]}
    new = {(u.kind, u.at) for u in after.units[power] if u.province not in taken}
    return _match_refuges(
        {
            unit: [to for to in refuges if {(unit.kind, to), (unit.kind, to[:3])} & new]
            for owner, unit, _, refuges in state.dislodged
            if owner == power and unit not in ordered
        }
    )


def _match_refuges(goals: dict[Unit, list[str]]) -> list[Order]:
    """Retreats with a place of its own for each unit, those with the fewest places first."""
    left = {unit: places for unit, places in goals.items() if places}
    if not left:
        return []
    unit = min(left, key=lambda each: len(left[each]))
    to = left.pop(unit)[0]
    rest = {each: [at for at in places if at[:3] != to[:3]] for each, places in left.items()}
    return [Retreat(unit, to), *_match_refuges(rest)]


def _shown_adjustments(state: State, power: Power, given: list[Order], after: Sheet) -> list[Order]:
    due = adjustment_due(state.position, state.centres, power)
    sites = build_sites(state.position, state.centres, power)
    if due > 0:
        used = {order.unit.province for order in given if isinstance(order, Build)}
        free = [unit for unit in after.units[power] if unit.province in {*sites} - used]
        return [Build(unit) for unit in free[: due - len(used)]]
    there = {unit.province for unit in after.units[power]}
    gone = [unit for unit in state.units[power] if unit.province not in there]
    gone = [unit for unit in gone if Disband(unit) not in given]
    rest = [unit for unit in state.units[power] if Disband(unit) not in given]
    by_rule = removal_order(rest, power, state.centres, state.options)[: len(gone)]
    missing = len(gone) == -due - len(given) and set(gone) != set(by_rule)
    return [Disband(unit) for unit in gone] if missing else []
