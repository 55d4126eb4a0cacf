"""Saved games of other programs: read, replayed, written.

The form is the JSON of the public Python package `diplomacy` (``to_saved_game_format``), in which
large archives of games are kept: id, map, rules, and phases with name, state, orders, results and
messages. A file holds one game, or one a line.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

import powderkeg.games.diplomacy as game
from powderkeg.core import chance
from powderkeg.core.chance import CHANCE
from powderkeg.core.errors import Unreadable
from powderkeg.core.table import UNDO, Table
from powderkeg.games.diplomacy.adjustments import build_sites
from powderkeg.games.diplomacy.board import HOMES, POWERS, Power, moves
from powderkeg.games.diplomacy.drafting import refusal
from powderkeg.games.diplomacy.judge import due
from powderkeg.games.diplomacy.lines import (
    Data,
    dump_sheet,
    load_orders,
    load_sheet,
    mapping_in,
    texts_in,
)
from powderkeg.games.diplomacy.orders import Move, Order, Ready, Waive
from powderkeg.games.diplomacy.outcomes import Outcome, Verdict, Why
from powderkeg.games.diplomacy.sheet import OVER, Sheet, phase_msg
from powderkeg.games.diplomacy.state import Options, State

MAP: Final = "standard"
# Readings of the rulebook under which archives were played, the likeliest first. Many programs
# let an army walk when its convoy is missing (D-CONV-14).
_READINGS: Final = (Options(), Options(land_fallback=True))
_WORDS: Final = {
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


class Phase(NamedTuple):
    """One phase of a saved game. Orders are texts, as they were written."""

    sheet: Sheet
    orders: dict[Power, list[str]]
    results: dict[str, list[str]]
    messages: list[Data]


class Archive(NamedTuple):
    """A saved game."""

    id: str
    rules: list[str]
    phases: tuple[Phase, ...]


# Reading


def load_all(text: str) -> list[Archive]:
    """Every game of a file: one JSON document, or one a line."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return [load(_json(line)) for line in text.splitlines() if line.strip()]
    return [load(each) for each in (data if isinstance(data, list) else [data])]


def load(data: Any) -> Archive:
    """A saved game from its JSON."""
    if not isinstance(data, dict) or not isinstance(data.get("phases"), list):
        raise Unreadable("judge.not_a_saved_game")
    if data.get("map", MAP) != MAP:
        raise Unreadable("judge.other_map", map=str(data["map"]))
    rules = texts_in(data.get("rules") or [], "rules")
    phases = tuple(_phase(each) for each in data["phases"])
    return Archive(str(data.get("id", "")), rules, phases)


def _json(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise Unreadable("judge.not_a_saved_game") from None


def _phase(data: Any) -> Phase:
    if not isinstance(data, dict) or not isinstance(data.get("state"), dict):
        raise Unreadable("judge.not_a_saved_game")
    state = {**data["state"], "phase": data.get("name", data["state"].get("name"))}
    orders = mapping_in(data.get("orders") or {}, "orders")
    messages = data.get("messages") or []
    if not isinstance(messages, list):
        raise Unreadable("judge.bad_field", field="messages")
    return Phase(
        load_sheet(state),
        {power: texts_in(texts or [], "orders") for power, texts in orders.items()},
        dict(mapping_in(data.get("results") or {}, "results")),
        messages,
    )


# Replaying


def import_game(text: str) -> Table:
    """The first game of a file, played again at a table of ours."""
    archives = load_all(text)
    if not archives:
        raise Unreadable("judge.not_a_saved_game")
    return replay(archives[0])


def replay(archive: Archive) -> Table:
    """The game played again by our rules, under the first reading that leads where it led.

    Raises `Unreadable` with the phase where our position and the archive's part.
    """
    wrong: Unreadable | None = None
    for options in _READINGS:
        try:
            return _replayed(archive, options)
        except Unreadable as error:
            wrong = wrong or error
    raise wrong or AssertionError


def _replayed(archive: Archive, options: Options) -> Table:
    table = Table(game, len(POWERS), options)
    for number, phase in enumerate(archive.phases, 1):
        _compare(sheet_of(table.state), phase.sheet)
        if number < len(archive.phases) or phase.results:  # the last may still be open
            _play(table, phase)
    return table


def _compare(ours: Sheet, theirs: Sheet) -> None:
    if ours.phase == theirs.phase and _shape(ours) == _shape(theirs):
        return
    raise Unreadable("judge.diverges", found=phase_msg(theirs.phase), here=phase_msg(ours.phase))


def _shape(sheet: Sheet) -> tuple[Any, ...]:
    """What must agree; where units may retreat is judged by our rules."""
    units = {power: frozenset(units) for power, units in sheet.units.items()}
    beaten = {power: frozenset(units) for power, units in sheet.dislodged.items() if units}
    return units, dict(sheet.centres), beaten


def _play(table: Table, phase: Phase) -> None:
    orders, _ = load_orders(sheet_of(table.state), phase.orders)
    for power in sorted(table.to_act):
        for order in _counting(table.state, power, orders.get(power, ())):
            if refusal(table.state, power, order) is None:
                table.act(power, order)
    for power in sorted(table.to_act):
        table.act(power, Ready())


def _counting(state: State, power: Power, orders: Iterable[Order]) -> list[Order]:
    """Orders without those that cancel each other (D-ORD-15); builds and removals count as they
    come (D-ADJ-12)."""
    valid = [
        order
        for order in orders
        if not isinstance(order, Waive) and refusal(state, power, order) is None
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
    for sheet, outcomes in _history(table):
        influence |= {u.province: power for power, units in sheet.units.items() for u in units}
        state = {**_state(sheet, influence), "game_id": name, "map": MAP, "rules": rules}
        phases.append(
            {
                "name": sheet.phase,
                "state": state,
                "orders": _orders(outcomes),
                "results": _results(outcomes or ()),
                "messages": [],
            }
        )
    return {"id": name, "map": MAP, "rules": rules, "phases": phases}


def sheet_of(state: State) -> Sheet:
    """The position of a game of ours."""
    beaten: dict[Power, dict[Any, tuple[str, ...]]] = {}
    for each in state.dislodged:
        if each.retreats:
            beaten.setdefault(each.power, {})[each.unit] = each.retreats
    return Sheet(OVER if state.stage == "over" else state.phase, state.units, state.centres, beaten)


def _history(table: Table) -> Iterator[tuple[Sheet, tuple[Outcome, ...] | None]]:
    """Every phase in which somebody decided, with what came of it, and the present position."""
    state: State = game.start(table.seats, table.options)
    for position, entry in enumerate(table.log):
        if entry.do == UNDO or position in table.undone:
            continue
        action = chance.parse(entry.do) if entry.seat == CHANCE else game.parse(entry.do)
        after: State = game.apply(state, entry.seat, action).state
        if after.phase != state.phase:
            found = [r.outcomes for r in after.reports if r.phase == state.phase]
            yield sheet_of(state), found[0] if found else ()
        state = after
    yield sheet_of(state), None


def _orders(outcomes: tuple[Outcome, ...] | None) -> dict[Power, list[str] | None]:
    """The orders of every power; None where the phase is still open."""
    if outcomes is None:
        return dict.fromkeys(POWERS)
    orders: dict[Power, list[str] | None] = {
        power: [
            _text(each.order)
            for each in outcomes
            if each.power == power and each.why not in _NOT_WRITTEN
        ]
        for power in POWERS
    }
    return orders


def _text(order: Order) -> str:
    """There, whoever cannot walk must say that he goes by sea."""
    text = str(order).upper()
    by_sea = (
        isinstance(order, Move) and order.unit.kind == "A" and order.to not in moves(order.unit)
    )
    return text if not by_sea or text.endswith("VIA") else f"{text} VIA"


def _results(outcomes: tuple[Outcome, ...]) -> dict[str, list[str]]:
    return {
        str(each.order.unit).upper(): _words(each)
        for each in outcomes
        if not isinstance(each.order, Waive)
    }


def _words(outcome: Outcome) -> list[str]:
    words = [_WORDS[outcome.verdict]] if outcome.verdict in _WORDS else []
    words += ["dislodged"] if outcome.dislodged_by else []
    gone = (Why.DISBANDED, Why.NO_RETREAT_ORDER, Why.RETREATS_CLASH)
    return [*words, "disband"] if outcome.why in gone else words


def _state(sheet: Sheet, influence: dict[str, Power]) -> Data:
    """All that such a state holds; the time and the hash are the reader's to fill in."""
    data = dump_sheet(sheet)
    del data["phase"]
    owed = {power: due(sheet, power) if sheet.kind == "A" else 0 for power in POWERS}
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
        "builds": {power: _builds(sheet, power, owed[power]) for power in POWERS},
    }


def _builds(sheet: Sheet, power: Power, owed: int) -> Data:
    sites = build_sites(sheet.position, sheet.centres, power) if owed > 0 else ()
    return {"count": owed, "homes": [site.upper() for site in sites]}
