"""Games of Backstabbr, season by season, as research archives keep them.

Each season lists the orders by power and province: what was ordered, whether it succeeded, and where a
dislodged unit retreated. Units are not named: the replay knows what stands where.
"""

import re
from typing import Any, Final

from powderkeg.core.errors import RulesError, Unreadable
from powderkeg.games.diplomacy.archive.model import (
    Archive,
    ArchivePhase,
    load_phases,
    merge_doubles,
)
from powderkeg.games.diplomacy.board import Power
from powderkeg.games.diplomacy.judge.jsonl import Data
from powderkeg.games.diplomacy.notation.lexicon import find_power
from powderkeg.games.diplomacy.notation.reading import read_place

_YEAR: Final = re.compile(r"(?<!\d)\d{4}(?!\d)")
_LETTERS: Final = {"spring": "S", "fall": "F", "autumn": "F", "winter": "W"}
_TYPES: Final = frozenset(
    {"MOVE", "SUPPORT", "CONVOY", "HOLD", "BUILD", "DISBAND", "REMOVE", "DESTROY", "WAIVE"}
)


def is_season_game(data: Any) -> bool:
    return isinstance(data, dict) and isinstance(data.get("seasons"), dict)


def load_season_game(data: Data) -> Archive:
    """A game from its seasons, such as ``{"id": "7", "seasons": {"1901 spring": {"orders": ...}}}``."""
    seasons = [(str(name), (str(name), found)) for name, found in data["seasons"].items()]
    moves = list(load_phases(_load_season, seasons))
    retreats = [_load_retreats(each) for each in moves if each.results]
    return Archive(str(data.get("id") or ""), tuple(merge_doubles([*moves, *retreats])))


def _load_season(found: tuple[str, Any]) -> ArchivePhase:
    """The moves or builds of a season; its retreats are kept as results."""
    name, season = found
    code = _season_code(name)
    listed = (season or {}).get("orders") or {}
    lines = [
        (_power_named(power), at, _checked_order(at, each))
        for power, orders in listed.items()
        for at, each in (orders or {}).items()
    ]
    texts = _texts_by_power((power, _order_text(at, each)) for power, at, each in lines)
    if code[0] == "W":
        return ArchivePhase(f"{code}A", texts, played=bool(lines))
    retreats = [(power, at, each["retreat"]) for power, at, each in lines if each.get("retreat")]
    return ArchivePhase(
        f"{code}M",
        texts,
        played=bool(lines),
        results=_texts_by_power((power, _retreat_text(at, each)) for power, at, each in retreats),
        failed=frozenset(_province(at) for _, at, each in lines if _has_failed(each)),
        dislodged=frozenset(_province(at) for _, at, _ in retreats),
        certain=frozenset(_order_text(at, each) for _, at, each in lines if _has_moved(each)),
    )


def _load_retreats(moves: ArchivePhase) -> ArchivePhase:
    return ArchivePhase(f"{moves.phase[:-1]}R", moves.results)


def _season_code(name: str) -> str:
    """``S1901``, however season and year are written: ``1901 spring``, ``Spring_1901``."""
    year = _YEAR.search(name)
    season = next((letter for word, letter in _LETTERS.items() if word in name.lower()), "")
    if not year or not season:
        raise Unreadable("judge.bad_phase", text=name)
    return f"{season}{year[0]}"


def _checked_order(at: str, each: Any) -> Data:
    """An order with its type in capitals."""
    kind = str(each["type"]).upper()
    if kind not in _TYPES:
        raise Unreadable("judge.bad_field", field=f"{at}: {kind}")
    if kind == "MOVE" and not each.get("to"):
        raise Unreadable("archive.missing_field", field=f"{at}: to")
    return {**each, "type": kind}


def _power_named(name: str) -> Power:
    power = find_power(name)
    if power is None:
        raise Unreadable("judge.no_such_power", text=name)
    return power


def _province(name: str) -> str:
    return _place_text(name)[:3].lower()


def _place_text(name: str) -> str:
    try:
        return read_place(name)
    except RulesError as error:
        if error.code.startswith("diplomacy_notation.unknown"):
            raise
        return name  # the board decides


def _has_failed(each: Data) -> bool:
    return each["type"] == "MOVE" and str(each.get("result")).upper() == "FAILS"


def _has_moved(each: Data) -> bool:
    return each["type"] == "MOVE" and str(each.get("result")).upper() == "SUCCEEDS"


def _texts_by_power(lines: Any) -> dict[Power, list[str]]:
    texts: dict[Power, list[str]] = {}
    for power, text in lines:
        texts.setdefault(power, []).append(text)
    return texts


def _order_text(at: str, each: Data) -> str:
    place = _place_text(at)
    goal = f" - {_place_text(each['to'])}" if each.get("to") else ""
    match each["type"]:
        case "MOVE":
            return f"{place}{goal}"
        case "SUPPORT" | "CONVOY":
            return f"{place} {each['type'][0]} {_place_text(each['from'])}{goal}"
        case "BUILD":
            return f"{each['unit_type']} {place} B"
        case "DISBAND" | "REMOVE" | "DESTROY":
            return f"{place} D"
        case "WAIVE":
            return "WAIVE"
    return f"{place} H"


def _retreat_text(at: str, each: Data) -> str:
    place = _place_text(at)
    return f"{place} R {_place_text(each['to'])}" if each.get("to") else f"{place} D"
