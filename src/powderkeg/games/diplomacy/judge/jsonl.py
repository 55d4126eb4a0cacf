"""Positions, orders and results as JSON, in the upper-case form that other programs use.

``{"phase": "S1901M", "units": {"FRANCE": ["A PAR"]}, "centers": {"FRANCE": ["PAR"]}, "retreats":
{}, "orders": {"FRANCE": ["A PAR - BUR"]}}``: coasts are ``STP/SC``, dislodged units ``*A PAR``. What
`judge_data` answers has the same form, so the answer of one phase is the position of the next.
"""

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from powderkeg.core.errors import RulesError, Unreadable
from powderkeg.core.words import Msg, say
from powderkeg.games.diplomacy.actions import Order, parse_order, parse_unit
from powderkeg.games.diplomacy.board import NUMBER, POWERS, Power, Unit
from powderkeg.games.diplomacy.judge.judge import Judged, context, judge
from powderkeg.games.diplomacy.judge.sheet import (
    FIRST,
    Listed,
    Sheet,
    check_phase,
    checked_sheet,
    first,
)
from powderkeg.games.diplomacy.notation.lexicon import power_named
from powderkeg.games.diplomacy.notation.reading import read_place, read_set, read_unit
from powderkeg.games.diplomacy.notation.writing import reason_msg
from powderkeg.games.diplomacy.rules.outcomes import RULES, Outcome, Verdict, Why
from powderkeg.games.diplomacy.rules.position import STANDARD, Rulebook

Data = dict[str, Any]
Refusal = tuple[Power, str, Msg]  # an order, and why it is none
_NOT_OWN = (Why.NO_UNIT, Why.FOREIGN_UNIT, Why.NOT_DISLODGED)


def judge_line(line: str, lang: str = "en", rulebook: Rulebook = STANDARD) -> str:
    """One line of JSON for one line of JSON; what is wrong with it becomes an answer too."""
    data: Any = None
    try:
        data = _parsed(line)
        answer = judge_data(data, lang, rulebook)
    except RulesError as error:
        found = data.get("id") if isinstance(data, dict) else None
        answer = {"id": found, "error": {"code": error.code, "message": say(error.msg, lang)}}
    return json.dumps(answer, ensure_ascii=False)


def judge_data(data: Data, lang: str = "en", rulebook: Rulebook = STANDARD) -> Data:
    """The next position, and what became of every order."""
    sheet = load_sheet(data)
    orders, refused = load_orders(sheet, data.get("orders") or {})
    judged = judge(sheet, orders, rulebook)
    answer = {"id": data.get("id"), **dump_sheet(judged.sheet), "results": results(sheet, judged)}
    refused += _not_own(judged.outcomes)
    if refused:
        answer["refused"] = [
            {"power": power, "order": text, "code": why.code, "message": say(why, lang)}
            for power, text, why in refused
        ]
    return answer


def _parsed(line: str) -> Data:
    try:
        data = json.loads(line.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        raise Unreadable("judge.not_json") from None
    if not isinstance(data, dict):
        raise Unreadable("judge.not_json")
    return data


# Positions


def load_sheet(data: Data) -> Sheet:
    """The sheet that `data` describes; without units, the start of the game."""
    phase = check_phase(str(data.get("phase", data.get("name", FIRST))))
    if "units" not in data:
        return Sheet(phase, first().units, first().centres)
    listed = _by_power(data, "units")
    units = {power: [_unit(t) for t in texts if t[:1] != "*"] for power, texts in listed.items()}
    centres = {
        power: [_place(t) for t in texts]
        for power, texts in _by_power(data, "centers" if "centers" in data else "centres").items()
    }
    if phase[-1] != "R":
        return checked_sheet(phase, units, centres, {})
    stars = {power: [t for t in texts if t[:1] == "*"] for power, texts in listed.items()}
    return checked_sheet(phase, units, centres, _dislodged(stars, data.get("retreats") or {}))


def _dislodged(stars: dict[Power, list[str]], retreats: Data) -> Mapping[Power, Listed]:
    beaten: dict[Power, dict[Unit, list[str] | None]] = {}
    for power, texts in stars.items():
        beaten.setdefault(power, {}).update(dict.fromkeys(map(_unit, texts)))
    for power, listed in mapping_in(retreats, "retreats").items():
        for text, places in mapping_in(listed, "retreats").items():
            goals = [_place(place) for place in texts_in(places, "retreats")]
            beaten.setdefault(_power(power), {})[_unit(text)] = goals
    return beaten


def dump_sheet(sheet: Sheet) -> Data:
    """`sheet` as JSON: phase, units, centers, retreats."""
    units = {power: [_upper(unit) for unit in listed] for power, listed in sheet.units.items()}
    retreats: Data = {}
    for power, refuges in sheet.dislodged.items():
        units[power] += [f"*{_upper(unit)}" for unit in refuges]
        retreats[power] = {
            _upper(unit): [to.upper() for to in places] for unit, places in refuges.items()
        }
    centres: dict[Power, list[str]] = {power: [] for power in POWERS}
    for centre, owner in sheet.centres.items():
        centres[owner].append(centre.upper())
    return {"phase": sheet.phase, "units": units, "centers": centres, "retreats": retreats}


# Orders


def load_orders(sheet: Sheet, data: Any) -> tuple[dict[Power, list[Order]], list[Refusal]]:
    """The orders of every power, and what could not be read."""
    orders: dict[Power, list[Order]] = {}
    refused: list[Refusal] = []
    for power, texts in _by_power({"orders": data}, "orders").items():
        orders[power] = []
        for text, found in zip(texts, _read_all(sheet, power, texts), strict=True):
            if isinstance(found, RulesError):
                refused.append((power, text, found.msg))
            else:
                orders[power].append(found)
    return orders, refused


def _read_all(sheet: Sheet, power: Power, texts: list[str]) -> Iterable[Order | RulesError]:
    """Wire notation where all is written so; else as people write (in one language)."""
    try:
        return [_wire(text) for text in texts]
    except Unreadable:
        return read_set(texts, context(sheet, power))[1]


_wire = lru_cache(maxsize=1 << 16)(parse_order)


# Results


def results(sheet: Sheet, judged: Judged) -> Data:
    """For every unit what became of its order: the one that counted, or why none did."""
    found: dict[str, Data] = {}
    own = _standing(sheet)
    for outcome in judged.outcomes:
        unit: Unit | None = getattr(outcome.order, "unit", None)
        if unit is None or outcome.why in _NOT_OWN:
            continue
        key = _upper(own.get((outcome.power, unit.at[:3]), unit))
        known = found.get(key)
        if known is None or outcome.verdict is not Verdict.VOID:
            if known and outcome.why is Why.UNORDERED:  # the void order says more
                known.update(_fall(outcome))
            else:
                found[key] = _entry(outcome)
    return found


def _standing(sheet: Sheet) -> dict[tuple[Power, str], Unit]:
    """Units as they stand, by owner and province, whatever letter and coast were written."""
    able = sheet.dislodged if sheet.kind == "R" else sheet.units
    return {(power, unit.at[:3]): unit for power, listed in able.items() for unit in listed}


def _entry(outcome: Outcome) -> Data:
    why = outcome.why
    rule = RULES[why]
    entry = {
        "order": str(outcome.order).upper(),
        "outcome": _word(outcome),
        "why": why.value,
        "by": [str(order).upper() for order in outcome.by],
        "rule": rule.number or None,
        "rule_id": rule.rule,
    }
    return {**entry, **_fall(outcome)} if outcome.dislodged_by else entry


def _word(outcome: Outcome) -> str:
    if outcome.verdict is Verdict.OK:
        return "dislodged" if outcome.dislodged_by else "succeeds"
    return "bounces" if outcome.verdict is Verdict.BOUNCED else outcome.verdict.value


def _fall(outcome: Outcome) -> Data:
    return {"dislodged_by": str(outcome.dislodged_by).upper()} if outcome.dislodged_by else {}


def _not_own(outcomes: Iterable[Outcome]) -> list[Refusal]:
    return [
        (each.power, str(each.order).upper(), reason_msg(each))
        for each in outcomes
        if each.why in _NOT_OWN
    ]


# Small parts


@lru_cache(maxsize=1 << 12)
def _unit(text: str) -> Unit:
    text = text.removeprefix("*")
    try:
        return parse_unit(text)
    except Unreadable:
        return read_unit(text)


@lru_cache(maxsize=1 << 12)
def _place(text: str) -> str:
    return text.lower() if text.lower() in NUMBER else read_place(text)


@lru_cache(maxsize=1 << 12)
def _upper(unit: Unit) -> str:
    return str(unit).upper()


@lru_cache(maxsize=1 << 8)
def _power(name: str) -> Power:
    power = power_named(name)
    if power is None:
        raise Unreadable("judge.no_such_power", text=name)
    return power


def _by_power(data: Data, field: str) -> dict[Power, list[str]]:
    """What a field lists for every power; one that is named twice keeps both lists."""
    found: dict[Power, list[str]] = {}
    for name, texts in mapping_in(data.get(field) or {}, field).items():
        found.setdefault(_power(name), []).extend(texts_in(texts or [], field))
    return found


def mapping_in(data: Any, field: str) -> Mapping[str, Any]:
    if not isinstance(data, dict):
        raise Unreadable("judge.bad_field", field=field)
    return data


def texts_in(data: Any, field: str) -> list[str]:
    if not isinstance(data, list) or not all(isinstance(text, str) for text in data):
        raise Unreadable("judge.bad_field", field=field)
    return data
