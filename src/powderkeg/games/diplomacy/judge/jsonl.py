"""Positions, orders and results as JSON, in the upper-case form that other programs use.

``{"phase": "S1901M", "units": {"FRANCE": ["A PAR"]}, "centers": {"FRANCE": ["PAR"]}, "retreats":
{}, "orders": {"FRANCE": ["A PAR - BUR"]}}``: coasts are ``STP/SC``, dislodged units ``*A PAR``. The
answer of `judge_data` has the same form, so the answer of one phase is the position of the next.
"""

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from powderkeg.core.errors import RulesError, Unreadable
from powderkeg.core.words import Msg, say
from powderkeg.games.diplomacy.actions import Order, parse_order, parse_unit
from powderkeg.games.diplomacy.board import NUMBER_OF, POWERS, Power, Unit
from powderkeg.games.diplomacy.judge.judge import Judged, judge_phase, sheet_context
from powderkeg.games.diplomacy.judge.sheet import (
    FIRST,
    ListedRefuges,
    Sheet,
    check_phase,
    checked_sheet,
    first_sheet,
)
from powderkeg.games.diplomacy.notation.lexicon import find_power
from powderkeg.games.diplomacy.notation.reading import read_orders, read_place, read_unit
from powderkeg.games.diplomacy.notation.writing import written_reason
from powderkeg.games.diplomacy.rules.outcomes import CAUSES, Outcome, Verdict, Why
from powderkeg.games.diplomacy.rules.position import STANDARD, Rulebook

Data = dict[str, Any]
RefusedOrder = tuple[Power, str, Msg]  # an order, and why it is none
_NOT_OWN = (Why.NO_UNIT, Why.FOREIGN_UNIT, Why.NOT_DISLODGED)


def judge_line(line: str, lang: str = "en", rulebook: Rulebook = STANDARD) -> str:
    """One line of JSON for one line of JSON; errors are answered in the same way."""
    data: Any = None
    try:
        data = _parse_data(line)
        answer = judge_data(data, lang, rulebook)
    except RulesError as error:
        found = data.get("id") if isinstance(data, dict) else None
        answer = {"id": found, "error": {"code": error.code, "message": say(error.msg, lang)}}
    return json.dumps(answer, ensure_ascii=False)


def judge_data(data: Data, lang: str = "en", rulebook: Rulebook = STANDARD) -> Data:
    """The next position, and the result of every order."""
    sheet = load_sheet(data)
    orders, refused = load_orders(sheet, data.get("orders") or {}, lang)
    judged = judge_phase(sheet, orders, rulebook)
    answer = {
        "id": data.get("id"),
        **dump_sheet(judged.sheet),
        "results": unit_results(sheet, judged),
    }
    refused += _not_own(judged.outcomes)
    if refused:
        answer["refused"] = [
            {"power": power, "order": text, "code": why.code, "message": say(why, lang)}
            for power, text, why in refused
        ]
    return answer


def _parse_data(line: str) -> Data:
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
        return Sheet(phase, first_sheet().units, first_sheet().centres)
    listed = _lists_by_power(data, "units")
    units = {
        power: [_cached_unit(t) for t in texts if t[:1] != "*"] for power, texts in listed.items()
    }
    centres = {
        power: [_cached_place(t) for t in texts]
        for power, texts in _lists_by_power(
            data, "centers" if "centers" in data else "centres"
        ).items()
    }
    if phase[-1] != "R":
        return checked_sheet(phase, units, centres, {})
    stars = {power: [t for t in texts if t[:1] == "*"] for power, texts in listed.items()}
    return checked_sheet(phase, units, centres, _starred_units(stars, data.get("retreats") or {}))


def _starred_units(stars: dict[Power, list[str]], retreats: Data) -> Mapping[Power, ListedRefuges]:
    beaten: dict[Power, dict[Unit, list[str] | None]] = {}
    for power, texts in stars.items():
        beaten.setdefault(power, {}).update(dict.fromkeys(map(_cached_unit, texts)))
    for power, listed in mapping_in(retreats, "retreats").items():
        for text, places in mapping_in(listed, "retreats").items():
            goals = [_cached_place(place) for place in texts_in(places, "retreats")]
            beaten.setdefault(_cached_power(power), {})[_cached_unit(text)] = goals
    return beaten


def dump_sheet(sheet: Sheet) -> Data:
    """`sheet` as JSON: phase, units, centers, retreats."""
    units = {power: [_upper_text(unit) for unit in listed] for power, listed in sheet.units.items()}
    retreats: Data = {}
    for power, refuges in sheet.dislodged.items():
        units[power] += [f"*{_upper_text(unit)}" for unit in refuges]
        retreats[power] = {
            _upper_text(unit): [to.upper() for to in places] for unit, places in refuges.items()
        }
    centres: dict[Power, list[str]] = {power: [] for power in POWERS}
    for centre, owner in sheet.centres.items():
        centres[owner].append(centre.upper())
    return {"phase": sheet.phase, "units": units, "centers": centres, "retreats": retreats}


# Orders


def load_orders(
    sheet: Sheet, data: Any, lang: str | None = None
) -> tuple[dict[Power, list[Order]], list[RefusedOrder]]:
    """The orders of every power, and those that could not be read. What makes equal sense in several
    languages is read in `lang`."""
    orders: dict[Power, list[Order]] = {}
    refused: list[RefusedOrder] = []
    for power, texts in _lists_by_power({"orders": data}, "orders").items():
        orders[power] = []
        for text, found in zip(texts, _read_all(sheet, power, texts, lang), strict=True):
            if isinstance(found, RulesError):
                refused.append((power, text, found.msg))
            else:
                orders[power].append(found)
    return orders, refused


def _read_all(
    sheet: Sheet, power: Power, texts: list[str], lang: str | None
) -> Iterable[Order | RulesError]:
    """Wire notation where all is written so; else as people write (in one language)."""
    try:
        return [_wire_order(text) for text in texts]
    except Unreadable:
        return read_orders(texts, sheet_context(sheet, power), prefer=lang)[1]


_wire_order = lru_cache(maxsize=1 << 16)(parse_order)


# Results


def unit_results(sheet: Sheet, judged: Judged) -> Data:
    """The result of every unit's order: of the one that counted, or why none did."""
    found: dict[str, Data] = {}
    own = _units_by_province(sheet)
    for outcome in judged.outcomes:
        unit: Unit | None = getattr(outcome.order, "unit", None)
        if unit is None or outcome.why in _NOT_OWN:
            continue
        key = _upper_text(own.get((outcome.power, unit.at[:3]), unit))
        known = found.get(key)
        if known and outcome.why is Why.NO_RETREAT:  # its order was judged before it was lost
            known["disbanded"] = outcome.why.value
        elif known is None or outcome.verdict is not Verdict.VOID:
            if known and outcome.why is Why.UNORDERED:  # the void order says more
                known.update(_dislodger_entry(outcome))
            else:
                found[key] = _result_entry(outcome)
    return found


def _units_by_province(sheet: Sheet) -> dict[tuple[Power, str], Unit]:
    """Units as they stand, by owner and province, however their letter and coast were written."""
    able = sheet.dislodged if sheet.kind == "R" else sheet.units
    return {(power, unit.at[:3]): unit for power, listed in able.items() for unit in listed}


def _result_entry(outcome: Outcome) -> Data:
    why = outcome.why
    rule = CAUSES[why]
    entry: Data = {
        "order": str(outcome.order).upper(),
        "outcome": _outcome_word(outcome),
        "why": why.value,
        "by": [str(order).upper() for order in outcome.by],
        "rule": rule.number or None,
        "rule_id": rule.rule,
    }
    if outcome.strengths:
        entry["strengths"] = list(outcome.strengths)
    return {**entry, **_dislodger_entry(outcome)} if outcome.dislodged_by else entry


def _outcome_word(outcome: Outcome) -> str:
    if outcome.verdict is Verdict.OK:
        return "dislodged" if outcome.dislodged_by else "succeeds"
    return "bounces" if outcome.verdict is Verdict.BOUNCED else outcome.verdict.value


def _dislodger_entry(outcome: Outcome) -> Data:
    return {"dislodged_by": str(outcome.dislodged_by).upper()} if outcome.dislodged_by else {}


def _not_own(outcomes: Iterable[Outcome]) -> list[RefusedOrder]:
    return [
        (each.power, str(each.order).upper(), written_reason(each))
        for each in outcomes
        if each.why in _NOT_OWN
    ]


# Small parts


@lru_cache(maxsize=1 << 12)
def _cached_unit(text: str) -> Unit:
    text = text.removeprefix("*")
    try:
        return parse_unit(text)
    except Unreadable:
        return read_unit(text)


@lru_cache(maxsize=1 << 12)
def _cached_place(text: str) -> str:
    return text.lower() if text.lower() in NUMBER_OF else read_place(text)


@lru_cache(maxsize=1 << 12)
def _upper_text(unit: Unit) -> str:
    return str(unit).upper()


@lru_cache(maxsize=1 << 8)
def _cached_power(name: str) -> Power:
    power = find_power(name)
    if power is None:
        raise Unreadable("judge.no_such_power", text=name)
    return power


def _lists_by_power(data: Data, field: str) -> dict[Power, list[str]]:
    """The lists of a field by power; a power that is named twice keeps both."""
    found: dict[Power, list[str]] = {}
    for name, texts in mapping_in(data.get(field) or {}, field).items():
        found.setdefault(_cached_power(name), []).extend(texts_in(texts or [], field))
    return found


def mapping_in(data: Any, field: str) -> Mapping[str, Any]:
    if not isinstance(data, dict):
        raise Unreadable("judge.bad_field", field=field)
    return data


def texts_in(data: Any, field: str) -> list[str]:
    if not isinstance(data, list) or not all(isinstance(text, str) for text in data):
        raise Unreadable("judge.bad_field", field=field)
    return data
