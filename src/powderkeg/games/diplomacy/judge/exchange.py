"""Saved games of other programs: read, replayed, written.

The form is the JSON of the public Python package `diplomacy` (``to_saved_game_format``), in which
large archives of games are kept: id, map, rules, and phases with name, state, orders, results and
messages. A file holds one game, or one per line.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Final, NamedTuple

import powderkeg.games.diplomacy as game
from powderkeg.core import chance
from powderkeg.core.chance import CHANCE
from powderkeg.core.errors import Unreadable
from powderkeg.core.table import UNDO, Table
from powderkeg.games.diplomacy.actions import DRAW, Accept, Move, Order, Propose, Ready, Waive
from powderkeg.games.diplomacy.board import HOMES, POWERS, Power, unit_moves
from powderkeg.games.diplomacy.judge.jsonl import (
    Data,
    dump_sheet,
    load_orders,
    load_sheet,
    mapping_in,
    texts_in,
)
from powderkeg.games.diplomacy.judge.judge import sheet_due
from powderkeg.games.diplomacy.judge.sheet import OVER, Sheet, sheet_of, sheet_phase_name
from powderkeg.games.diplomacy.rules.adjustments import build_sites
from powderkeg.games.diplomacy.rules.outcomes import Outcome, Verdict, Why
from powderkeg.games.diplomacy.rules.refusals import action_refusal
from powderkeg.games.diplomacy.state import Options, State, survivors

MAP: Final = "standard"
# Readings of the rulebook under which archives were played, the likeliest first. Many programs
# let an army walk when its convoy is missing (D-CONV-14).
_READINGS: Final = (Options(), Options(land_fallback=True))
_RESULT_WORDS: Final = {
    Verdict.BOUNCED: "bounce",
    Verdict.NO_CONVOY: "no convoy",
    Verdict.CUT: "cut",
    Verdict.DISRUPTED: "disrupted",
    Verdict.UNMATCHED: "void",
    Verdict.VOID: "void",
}
_NOT_WRITTEN: Final = frozenset(
    {Why.UNORDERED, Why.NO_RETREAT_ORDER, Why.NO_RETREAT, Why.REMOVED_BY_RULE, Why.IN_DISORDER}
)
# Notes on the last phase: the winners (known to all such programs), or that time was up.
_VICTORS: Final = "Victory by: "
_TIME: Final = "Time limit: "


class ArchivePhase(NamedTuple):
    """One phase of a saved game. Orders are texts, as they were written."""

    sheet: Sheet
    orders: dict[Power, list[str]]
    results: dict[str, list[str]]
    messages: list[Data]
    note: str = ""


class Archive(NamedTuple):
    """A saved game."""

    id: str
    rules: list[str]
    phases: tuple[ArchivePhase, ...]

    @property
    def over(self) -> bool:
        return bool(self.phases) and self.phases[-1].sheet.phase == OVER


# Reading


def load_archives(text: str) -> list[Archive]:
    """Every game of a file: one JSON document, or one per line."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return [
            load_archive(_parse_archive_line(line)) for line in text.splitlines() if line.strip()
        ]
    return [load_archive(each) for each in (data if isinstance(data, list) else [data])]


def first_archive(text: str) -> Archive:
    """The first game of a file."""
    archives = load_archives(text)
    if not archives:
        raise Unreadable("judge.not_a_saved_game")
    return archives[0]


def load_archive(data: Any) -> Archive:
    """A saved game from its JSON."""
    if not isinstance(data, dict) or not isinstance(data.get("phases"), list):
        raise Unreadable("judge.not_a_saved_game")
    if data.get("map", MAP) != MAP:
        raise Unreadable("judge.other_map", map=str(data["map"]))
    rules = texts_in(data.get("rules") or [], "rules")
    phases = tuple(_load_phase(each) for each in data["phases"])
    return Archive(str(data.get("id", "")), rules, phases)


def _parse_archive_line(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise Unreadable("judge.not_a_saved_game") from None


def _load_phase(data: Any) -> ArchivePhase:
    if not isinstance(data, dict) or not isinstance(data.get("state"), dict):
        raise Unreadable("judge.not_a_saved_game")
    state = {**data["state"], "phase": data.get("name", data["state"].get("name"))}
    orders = mapping_in(data.get("orders") or {}, "orders")
    messages = data.get("messages") or []
    if not isinstance(messages, list):
        raise Unreadable("judge.bad_field", field="messages")
    return ArchivePhase(
        load_sheet(state),
        {power: texts_in(texts or [], "orders") for power, texts in orders.items()},
        dict(mapping_in(data.get("results") or {}, "results")),
        messages,
        str(data["state"].get("note") or ""),
    )


# Replaying


def import_archive(text: str) -> Table:
    """The first game of a file, played again at a table of ours."""
    return replay_archive(first_archive(text))


def replay_archive(archive: Archive) -> Table:
    """The game played again by our rules, under the first reading that leads where it led.

    A game that was over before anybody had won ends by agreement of the survivors (D-WIN-04). Our
    rules know no draw among some survivors only: such a game stays at its last phase.

    Raises `Unreadable` with the phase where our position and the archive's part.
    """
    wrong: Unreadable | None = None
    for options in _READINGS:
        try:
            return _replay_under(archive, replace(options, last_year=_last_year(archive)))
        except Unreadable as error:
            wrong = wrong or error
    raise wrong or AssertionError


def _last_year(archive: Archive) -> int:
    found = re.fullmatch(rf"{_TIME}(\d{{4}})", archive.phases[-1].note) if archive.over else None
    return min(int(found[1]), 2000) if found else 0


def _replay_under(archive: Archive, options: Options) -> Table:
    table = Table(game, len(POWERS), options)
    for number, phase in enumerate(archive.phases, 1):
        if phase.sheet.phase == OVER:
            _finish_game(table, phase)
            continue
        _check_sheet(sheet_of(table.state.situation), phase.sheet)
        if _was_played(phase, archive.phases[number:]):
            _play_phase(table, phase)
    return table


def _was_played(phase: ArchivePhase, later: tuple[ArchivePhase, ...]) -> bool:
    """The last phase may still be open; or the players agreed to end the game in it."""
    if phase.results or not later:
        return bool(phase.results)
    after = later[0].sheet
    return after.phase != OVER or _sheet_shape(after)[:2] != _sheet_shape(phase.sheet)[:2]


def _finish_game(table: Table, last: ArchivePhase) -> None:
    """End the game as it ended there, if our rules have not ended it already."""
    ours = sheet_of(table.state.situation)
    if _final_shape(ours) != _final_shape(last.sheet):
        raise _divergence_error(ours, last.sheet)
    what = _agreed_proposal(table.state, last.note)
    if table.to_act and what:
        first, *others = [seat for seat in survivors(table.state) if seat != what] or [what]
        table.act(first, Propose(what))
        for seat in others:
            table.act(seat, Accept(what))


def _final_shape(sheet: Sheet) -> tuple[Any, ...]:
    """The parts of a sheet that must agree at the end. Where no seat has anything to decide, our
    rules go on to the next spring, when powers without centres have no units left (D-ADJ-01)."""
    units, centres, _ = _sheet_shape(sheet)
    return {power: units[power] for power in units if power in centres.values()}, centres


def _agreed_proposal(state: State, note: str) -> str | None:
    """The proposal that ends the game as noted, if there is one."""
    found = note.removeprefix(_VICTORS).split(", ") if note.startswith(_VICTORS) else []
    victors = [power for power in POWERS if power[:3] in found]
    alive = survivors(state)
    if len(victors) == 1 and victors[0] in alive:
        return victors[0]
    return DRAW if not victors or set(alive) <= set(victors) else None


def _check_sheet(ours: Sheet, theirs: Sheet) -> None:
    if ours.phase == theirs.phase and _sheet_shape(ours) == _sheet_shape(theirs):
        return
    raise _divergence_error(ours, theirs)


def _divergence_error(ours: Sheet, theirs: Sheet) -> Unreadable:
    found, here = sheet_phase_name(theirs.phase), sheet_phase_name(ours.phase)
    return Unreadable("judge.diverges", found=found, here=here)


def _sheet_shape(sheet: Sheet) -> tuple[Any, ...]:
    """The parts of a sheet that must agree; our rules decide where units may retreat."""
    units = {power: frozenset(units) for power, units in sheet.units.items()}
    beaten = {power: frozenset(units) for power, units in sheet.dislodged.items() if units}
    return units, dict(sheet.centres), beaten


def _play_phase(table: Table, phase: ArchivePhase) -> None:
    orders, _ = load_orders(sheet_of(table.state.situation), phase.orders)
    for power in sorted(table.to_act):
        for order in _valid_orders(table.state, power, orders.get(power, ())):
            if action_refusal(table.state, power, order) is None:
                table.act(power, order)
    for power in sorted(table.to_act):
        table.act(power, Ready())


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


# Writing


def export_game(table: Table, name: str = "powderkeg") -> Data:
    """A game of ours as a saved game."""
    rules = ["NO_PRESS", "POWER_CHOICE"]
    influence: dict[str, Power] = {}
    phases = []
    for sheet, outcomes in _phase_history(table):
        influence |= {u.province: power for power, units in sheet.units.items() for u in units}
        state = {**_state_data(sheet, influence), "game_id": name, "map": MAP, "rules": rules}
        state["note"] = _ending_note(table.state) if sheet.phase == OVER else ""
        phases.append(
            {
                "name": sheet.phase,
                "state": state,
                "orders": _order_texts(outcomes),
                "results": _result_texts(outcomes or ()),
                "messages": [],
            }
        )
    return {"id": name, "map": MAP, "rules": rules, "phases": phases}


def _phase_history(table: Table) -> Iterator[tuple[Sheet, tuple[Outcome, ...] | None]]:
    """Every phase that a seat decided, with its outcomes, and the present position."""
    state: State = game.start(table.seats, table.options)
    for position, entry in enumerate(table.log):
        if entry.do == UNDO or position in table.undone:
            continue
        action = chance.parse_outcome(entry.do) if entry.seat == CHANCE else game.parse(entry.do)
        after: State = game.apply(state, entry.seat, action).state
        if after.phase != state.phase:
            found = [r.outcomes for r in after.reports if r.phase == state.phase]
            unplayed = after.ending and after.ending.how in ("draw", "concession")
            yield sheet_of(state.situation), None if unplayed else found[0] if found else ()
        state = after
    yield sheet_of(state.situation), None


def _ending_note(state: State) -> str:
    """How the game ended."""
    how, seats = state.ending or ("", ())
    if how == "time":
        return f"{_TIME}{state.year}"
    powers = [power for power in POWERS for seat in seats if power in state.hands[seat]]
    return _VICTORS + ", ".join(power[:3] for power in powers)


def _order_texts(outcomes: tuple[Outcome, ...] | None) -> dict[Power, list[str] | None]:
    """The orders of every power; None where the phase was not played (yet)."""
    if outcomes is None:
        return dict.fromkeys(POWERS)
    orders: dict[Power, list[str] | None] = {
        power: [
            _order_text(each.order)
            for each in outcomes
            if each.power == power and each.why not in _NOT_WRITTEN
        ]
        for power in POWERS
    }
    return orders


def _order_text(order: Order) -> str:
    """An order as these programs write it: a move that is possible only by sea says so."""
    text = str(order).upper()
    by_sea = (
        isinstance(order, Move)
        and order.unit.kind == "A"
        and order.to not in unit_moves(order.unit)
    )
    return text if not by_sea or text.endswith("VIA") else f"{text} VIA"


def _result_texts(outcomes: tuple[Outcome, ...]) -> dict[str, list[str]]:
    return {
        str(each.order.unit).upper(): _result_words(each)
        for each in outcomes
        if not isinstance(each.order, Waive)
    }


def _result_words(outcome: Outcome) -> list[str]:
    words = [_RESULT_WORDS[outcome.verdict]] if outcome.verdict in _RESULT_WORDS else []
    words += ["dislodged"] if outcome.dislodged_by else []
    gone = (Why.DISBANDED, Why.NO_RETREAT_ORDER, Why.RETREATS_CLASH)
    return [*words, "disband"] if outcome.why in gone else words


def _state_data(sheet: Sheet, influence: dict[str, Power]) -> Data:
    """All that such a state holds; the time and the hash are the reader's to fill in."""
    data = dump_sheet(sheet)
    del data["phase"]
    owed = {power: sheet_due(sheet, power) if sheet.kind == "A" else 0 for power in POWERS}
    return {
        "timestamp": 0,
        "zobrist_hash": "0",
        "note": "",
        "name": sheet.phase,
        **data,
        "retreats": {power: data["retreats"].get(power, {}) for power in POWERS},
        "homes": {power: [home.upper() for home in HOMES[power]] for power in POWERS},
        "influence": {
            power: [at.upper() for at, owner in influence.items() if owner == power]
            for power in POWERS
        },
        "civil_disorder": dict.fromkeys(POWERS, 0),
        "builds": {power: _build_data(sheet, power, owed[power]) for power in POWERS},
    }


def _build_data(sheet: Sheet, power: Power, owed: int) -> Data:
    sites = build_sites(sheet.position, sheet.centres, power) if owed > 0 else ()
    return {"count": owed, "homes": [site.upper() for site in sites]}
