"""Saved games as JSON: id, map, rules, and phases with name, state, orders, results, messages.

This is the form of the public Python package `diplomacy` (``to_saved_game_format``) and of the
archives made with it and with *dipcc*. They differ in details: units without refuge are listed or
not, empty parts are ``{}``, ``[]``, null or missing, results are there or not.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

import powderkeg.games.diplomacy as game
from powderkeg.core import chance
from powderkeg.core.chance import CHANCE
from powderkeg.core.errors import Unreadable
from powderkeg.core.record import Letter
from powderkeg.core.table import UNDO, Table
from powderkeg.games.diplomacy.actions import Move, Order, Waive
from powderkeg.games.diplomacy.archive.model import (
    Archive,
    ArchiveLetter,
    ArchivePhase,
    clean_text,
    load_phases,
    merge_doubles,
)
from powderkeg.games.diplomacy.archive.replay import TIME_NOTE, VICTORS_NOTE
from powderkeg.games.diplomacy.board import HOMES, POWERS, PROVINCES, Power, Unit, unit_moves
from powderkeg.games.diplomacy.judge.jsonl import Data, dump_sheet, load_sheet, texts_in
from powderkeg.games.diplomacy.judge.judge import sheet_due
from powderkeg.games.diplomacy.judge.sheet import OVER, Sheet, check_phase, sheet_of
from powderkeg.games.diplomacy.notation.lexicon import find_power
from powderkeg.games.diplomacy.rules.adjustments import build_sites
from powderkeg.games.diplomacy.rules.outcomes import Outcome, Verdict, Why
from powderkeg.games.diplomacy.state import State

__all__ = ["PlayedPhase", "export_game", "load_saved_game", "phase_history"]

MAP: Final = "standard"
_LONG_PHASE: Final = re.compile(
    r"(SPRING|FALL|AUTUMN|WINTER) (\d+) (MOVEMENT|RETREATS?|ADJUSTMENTS?)"
)
_MAPS: Final = frozenset({MAP, "classic"})
_NOBODY: Final = frozenset({"UNOWNED", "NEUTRAL", "NONE"})  # written where a power should be
_ARMY_COAST: Final = re.compile(r"\b(A [A-Z]{3}(?: [-R] [A-Z]{3})?)/[NES]C\b", re.IGNORECASE)
_FLEET_VIA: Final = re.compile(r"(F \S+ - \S+) VIA", re.IGNORECASE)
_MISPLACED_VIA: Final = re.compile(r"(F \S+|[AF] \S+ [SC] .*) - \S+ VIA", re.IGNORECASE)
_NOT_BEGUN: Final = "FORMING"  # a phase in which players are still joining
_LINE_BREAK: Final = re.compile(r" ?~N~ ?")  # in messages from webDiplomacy
_NO_COAST: Final = re.compile(r"\*?F (STP|SPA|BUL)", re.IGNORECASE)
_EVERYBODY: Final = frozenset({"GLOBAL", "ALL", "EVERYONE", ""})
_RESULT_WORDS: Final = {
    Verdict.BOUNCED: "bounce",
    Verdict.NO_CONVOY: "no convoy",
    Verdict.CUT: "cut",
    Verdict.DISRUPTED: "disrupted",
    Verdict.UNMATCHED: "void",
    Verdict.VOID: "void",
}
NOT_WRITTEN: Final = frozenset(
    {Why.UNORDERED, Why.NO_RETREAT_ORDER, Why.NO_RETREAT, Why.REMOVED_BY_RULE, Why.IN_DISORDER}
)


# Reading


def load_saved_game(data: Any) -> Archive:
    """A saved game from its JSON."""
    if not isinstance(data, dict) or "phases" not in data:
        raise Unreadable("archive.not_a_saved_game")
    if not isinstance(data["phases"], list):
        raise Unreadable("judge.bad_field", field="phases")
    board = str(data.get("map") or MAP)
    if re.split(r"[/\\]", board.lower())[-1].removesuffix(".map") not in _MAPS:
        raise Unreadable("judge.other_map", map=board)
    rules = data["rules"] if isinstance(data.get("rules"), list) else []
    titled = [(_phase_title(each), each) for each in data["phases"]]
    phases = merge_doubles(load_phases(_load_phase, titled, _is_forming))
    names = tuple(str(rule).upper() for rule in rules)
    return Archive(str(data.get("id") or ""), tuple(phases), names)


def _is_forming(data: Any) -> bool:
    return _phase_title(data) == _NOT_BEGUN


def _phase_title(data: Any) -> str:
    """What a phase is called; empty if it has no name."""
    state = data.get("state") if isinstance(data, dict) else None
    named = [each.get("name") for each in (data, state) if isinstance(each, dict)]
    return str(next(filter(None, named), "")).upper()


def _load_phase(data: Any) -> ArchivePhase:
    if not isinstance(data, dict):
        raise Unreadable("archive.bad_phase")
    phase = _short_phase(_phase_title(data))
    state, results = _map_field(data, "state"), _map_field(data, "results")
    orders = {
        power: [_tidy_order(text) for text in _listed_orders(texts) if not _was_void(text, results)]
        for power, texts in _power_field(data, "orders").items()
    }
    return ArchivePhase(
        phase,
        {power: texts for power, texts in orders.items() if texts},
        _load_position(phase, state),
        played=bool(results),
        results=dict(results),
        letters=tuple(filter(None, map(_load_letter, message_list(data)))),
        note=str(state.get("note") or ""),
    )


def _listed_orders(texts: Any) -> list[str]:
    """The orders of a power, in a list or by unit: ``{"A PAR": "- BUR"}``."""
    if isinstance(texts, dict):
        texts = [f"{unit} {order}" for unit, order in texts.items() if order is not None]
    if isinstance(texts, list):
        texts = [text for text in texts if text is not None]
    return texts_in(texts or [], "orders")


def _was_void(text: str, results: Mapping[str, Any]) -> bool:
    """Whether VIA where it does not belong made an order void there."""
    found = results.get(" ".join(text.split()[:2])) or ()
    return isinstance(found, list) and "void" in found and bool(_MISPLACED_VIA.fullmatch(text))


def _short_phase(title: str) -> str:
    """``S1901M``, also where it is written in full: ``SPRING 1901 MOVEMENT``."""
    if found := _LONG_PHASE.fullmatch(title):
        season = "F" if found[1] == "AUTUMN" else found[1][0]
        return check_phase(f"{season}{found[2]}{found[3][0]}")
    return check_phase(title)


def _load_position(phase: str, state: Mapping[str, Any]) -> Sheet | None:
    """The position, if the file has it; without centres where it does not name their owners."""
    listed = {p: texts_in(u or [], "units") for p, u in _power_field(state, "units").items()}
    if not listed:
        return None
    units = {power: list(map(_tidy_unit, texts)) for power, texts in listed.items()}
    centres = _power_field(state, "centers") or _power_field(state, "centres")
    retreats = _load_retreats(state)
    sheet = load_sheet({"phase": phase, "units": units, "centers": centres, "retreats": retreats})
    vague = {
        found[1].lower() for u in listed.values() for t in u if (found := _NO_COAST.fullmatch(t))
    }
    stands = {
        power: tuple(_vague_unit(u, vague) for u in each) for power, each in sheet.units.items()
    }
    return replace(sheet, units=stands, centres=sheet.centres if centres else {})


def _vague_unit(unit: Unit, vague: set[str]) -> Unit:
    """A fleet whose coast the file does not name has none."""
    return Unit("F", unit.province) if unit.kind == "F" and unit.province in vague else unit


def _tidy_unit(text: str) -> str:
    """A unit as we read it: armies stand on no coast, and fleets without a coast on the first."""
    text = _ARMY_COAST.sub(r"\1", text)
    found = _NO_COAST.fullmatch(text)
    return text[:-3] + PROVINCES[found[1].lower()].coasts[0] if found else text


def _tidy_order(text: str) -> str:
    """An order without coasts of armies (of the unit, then of its goal) and without VIA of a fleet."""
    text = _ARMY_COAST.sub(r"\1", _ARMY_COAST.sub(r"\1", text))
    return found[1] if (found := _FLEET_VIA.fullmatch(text)) else text


def _load_retreats(state: Mapping[str, Any]) -> Data:
    """Refuges by power and unit; other programs write an empty object as an empty list."""
    return {
        power: {
            _tidy_unit(unit): places or []
            for unit, places in _map_field({"retreats": units}, "retreats").items()
        }
        for power, units in _power_field(state, "retreats").items()
    }


def _load_letter(data: Any) -> ArchiveLetter | None:
    """A message; one without text or only for observers is left out."""
    if not isinstance(data, dict) or not isinstance(data.get("message"), str):
        return None
    sender = find_power(str(data.get("sender") or ""))
    to = str(data.get("recipient") or "").upper()
    reader = None if to in _EVERYBODY else find_power(to)
    if reader is None and to not in _EVERYBODY:
        return None
    text = _LINE_BREAK.sub("\n", clean_text(data["message"]))
    return ArchiveLetter(sender, (reader,) if reader else (), text, _seconds(data.get("time_sent")))


def _seconds(time: Any) -> float | None:
    """A time in seconds; archives count in seconds, or in some small part of one."""
    if not isinstance(time, int | float) or isinstance(time, bool) or not 0 <= time < 1e30:
        return None
    while time >= 1e10:  # the year 2286
        time /= 10
    return float(time)


def _map_field(data: Mapping[str, Any], field: str) -> Mapping[str, Any]:
    """A field that holds an object; null and an empty list are empty ones."""
    found = data.get(field) or {}
    if not isinstance(found, dict):
        raise Unreadable("judge.bad_field", field=field)
    return found


def _power_field(data: Mapping[str, Any], field: str) -> Mapping[str, Any]:
    """A field with an entry per power, without what belongs to nobody."""
    found = _map_field(data, field)
    return {power: held for power, held in found.items() if power.upper() not in _NOBODY}


def message_list(data: Mapping[str, Any]) -> Iterable[Any]:
    """The messages of a phase, in a list or as the values of an object."""
    found = data.get("messages") or []
    if not isinstance(found, list | dict):
        raise Unreadable("judge.bad_field", field="messages")
    return found.values() if isinstance(found, dict) else found


# Writing


def export_game(table: Table, name: str = "powderkeg", letters: tuple[Letter, ...] = ()) -> Data:
    """A game of ours as a saved game."""
    rules = ["POWER_CHOICE"] if letters else ["NO_PRESS", "POWER_CHOICE"]
    influence: dict[str, Power] = {}
    phases = []
    written = 0
    for sheet, outcomes, end in phase_history(table):
        said = [letter for letter in letters if written <= letter.after < end]
        written = end
        influence |= {u.province: power for power, units in sheet.units.items() for u in units}
        state = {**_state_data(sheet, influence), "game_id": name, "map": MAP, "rules": rules}
        state["note"] = _ending_note(table.state) if sheet.phase == OVER else ""
        phases.append(
            {
                "name": sheet.phase,
                "state": state,
                "orders": _order_texts(outcomes),
                "results": _result_texts(outcomes or ()),
                "messages": [
                    _dump_letter(letter, sheet.phase, to)
                    for letter in said
                    for to in letter.to or ("GLOBAL",)
                ],
            }
        )
    return {"id": name, "map": MAP, "rules": rules, "phases": phases}


def _dump_letter(letter: Letter, phase: str, to: str) -> Data:
    return {
        "sender": letter.seat or "SYSTEM",
        "recipient": to,
        "time_sent": round((letter.at or 0) * 1_000_000),
        "phase": phase,
        "message": letter.text,
    }


class PlayedPhase(NamedTuple):
    """A phase that a seat decided: the position before, the outcomes if it was played, and the
    length of the log after it."""

    sheet: Sheet
    outcomes: tuple[Outcome, ...] | None
    end: int


def phase_history(table: Table) -> Iterator[PlayedPhase]:
    """Every phase that a seat decided, and the present position."""
    state: State = game.start(table.seats, table.options)
    for position, entry in enumerate(table.log):
        if entry.do == UNDO or position in table.undone:
            continue
        action = chance.parse_outcome(entry.do) if entry.seat == CHANCE else game.parse(entry.do)
        after: State = game.apply(state, entry.seat, action).state
        if after.phase != state.phase:
            found = [r.outcomes for r in after.reports if r.phase == state.phase]
            unplayed = after.ending and after.ending.how in ("draw", "concession")
            outcomes = None if unplayed else found[0] if found else ()
            yield PlayedPhase(sheet_of(state.situation), outcomes, position + 1)
        state = after
    yield PlayedPhase(sheet_of(state.situation), None, len(table.log) + 1)


def _ending_note(state: State) -> str:
    """How the game ended."""
    how, seats = state.ending or ("", ())
    if how == "time":
        return f"{TIME_NOTE}{state.year}"
    powers = [power for power in POWERS for seat in seats if power in state.hands[seat]]
    return VICTORS_NOTE + ", ".join(power[:3] for power in powers)


def _order_texts(outcomes: tuple[Outcome, ...] | None) -> dict[Power, list[str] | None]:
    """The orders of every power; None where the phase was not played (yet)."""
    if outcomes is None:
        return dict.fromkeys(POWERS)
    orders: dict[Power, list[str] | None] = {
        power: [
            _order_text(each.order)
            for each in outcomes
            if each.power == power and each.why not in NOT_WRITTEN
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
