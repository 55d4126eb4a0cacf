"""Games of webDiplomacy as its API gives them: units, orders and centres by number.

A turn is half a year, counted from spring 1901; its phases are *Diplomacy*, *Retreats* and *Builds*.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from powderkeg.core.errors import Unreadable
from powderkeg.core.record import Letter
from powderkeg.core.table import Table
from powderkeg.games.diplomacy.actions import (
    Build,
    Convoy,
    Disband,
    Move,
    Order,
    Retreat,
    Support,
    Waive,
)
from powderkeg.games.diplomacy.archive.model import (
    Archive,
    ArchiveLetter,
    ArchivePhase,
    clean_text,
    load_phases,
    merge_doubles,
)
from powderkeg.games.diplomacy.archive.saved_game import (
    NOT_WRITTEN,
    PlayedPhase,
    message_list,
    phase_history,
)
from powderkeg.games.diplomacy.board import CENTRES, Power, Unit, unit_moves
from powderkeg.games.diplomacy.judge.jsonl import Data, load_sheet
from powderkeg.games.diplomacy.judge.sheet import OVER, Sheet
from powderkeg.games.diplomacy.rules.outcomes import Outcome, Verdict

CLASSIC: Final = 1  # the number of the standard map among the variants
_POWERS: Final = ("ENGLAND", "FRANCE", "ITALY", "GERMANY", "AUSTRIA", "TURKEY", "RUSSIA")
_PLACES: Final = [
    "cly",
    "edi",
    "lvp",
    "yor",
    "wal",
    "lon",
    "por",
    "spa",
    "naf",
    "tun",
    "nap",
    "rom",
    "tus",
    "pie",
    "ven",
    "apu",
    "gre",
    "alb",
    "ser",
    "bul",
    "rum",
    "con",
    "smy",
    "ank",
    "arm",
    "syr",
    "sev",
    "ukr",
    "war",
    "lvn",
    "mos",
    "stp",
    "fin",
    "swe",
    "nwy",
    "den",
    "kie",
    "ber",
    "pru",
    "sil",
    "mun",
    "ruh",
    "hol",
    "bel",
    "pic",
    "bre",
    "par",
    "bur",
    "mar",
    "gas",
    "bar",
    "nwg",
    "nth",
    "ska",
    "hel",
    "bal",
    "bot",
    "nao",
    "iri",
    "eng",
    "mao",
    "wes",
    "lyo",
    "tys",
    "ion",
    "adr",
    "aeg",
    "eas",
    "bla",
    "tyr",
    "boh",
    "vie",
    "tri",
    "bud",
    "gal",
    "spa/nc",
    "spa/sc",
    "stp/nc",
    "stp/sc",
    "bul/ec",
    "bul/sc",
]
_STAGES: Final = {"Diplomacy": "M", "Retreats": "R", "Builds": "A"}
_IDLE: Final = frozenset({"pre-game", "finished"})
_YES: Final = ("Yes", "yes", True)


def is_api_game(data: Any) -> bool:
    """Whether this is a game of the API, and not a saved game with the same outer form."""
    if not isinstance(data, dict) or not isinstance(data.get("phases"), list):
        return False
    numbered = [each for each in data["phases"] if isinstance(each, dict) and "turn" in each]
    return "variantID" in data or bool(numbered)


# Reading


def load_api_game(data: Data) -> Archive:
    """A game from the answer of the API to a request for its status."""
    variant = data.get("variantID", CLASSIC)
    if str(variant) != str(CLASSIC):
        raise Unreadable("judge.other_map", map=f"variant {variant}")
    listed = [(_phase_title(each), each) for each in data["phases"]]
    phases = merge_doubles(load_phases(_load_phase, listed, _is_idle))
    if data.get("gameOver") == "Drawn":
        phases.append(ArchivePhase(OVER, {}))
    return Archive(str(data.get("gameID") or ""), tuple(phases))


def _phase_title(data: Any) -> str:
    named = [data.get(field) for field in ("phase", "turn")] if isinstance(data, dict) else []
    return " ".join(str(each) for each in named if each is not None)


def _is_idle(data: Any) -> bool:
    """Whether a phase comes before the first or after the last in which units act."""
    return isinstance(data, dict) and str(data.get("phase")).lower() in _IDLE


def _load_phase(data: Data) -> ArchivePhase:
    phase = _phase_code(int(data["turn"]), str(data["phase"]))
    kinds = {_place_of(each)[:3]: each["unitType"][0] for each in data.get("units") or []}
    orders: dict[Power, list[str]] = {}
    for each in data.get("orders") or []:
        orders.setdefault(_power_of(each["countryID"]), []).append(_order_text(each, kinds))
    return ArchivePhase(
        phase,
        orders,
        _load_position(phase, data),
        played=bool(orders),
        letters=tuple(filter(None, map(_load_letter, message_list(data)))),
    )


def _phase_code(turn: int, name: str) -> str:
    stage = next((_STAGES[known] for known in _STAGES if known.lower() == name.lower()), "")
    if not stage:
        raise Unreadable("judge.bad_phase", text=name)
    season = "W" if stage == "A" else "SF"[turn % 2]
    return f"{season}{1901 + turn // 2}{stage}"


def _power_of(number: Any) -> Power:
    return _listed_at(_POWERS, number, "countryID")


def _place_of(each: Data, field: str = "terrID") -> str:
    return _listed_at(_PLACES, each[field], field)


def _listed_at(names: Sequence[str], number: Any, field: str) -> str:
    """What a number stands for; they are counted from 1."""
    if not 1 <= int(number) <= len(names):
        raise Unreadable("archive.bad_number", field=field, n=int(number))
    return names[int(number) - 1]


def _load_position(phase: str, data: Data) -> Sheet | None:
    """The position, if the file has it; without centres where it does not name their owners. For
    retreats the site lists only the units that retreat."""
    if all(each.get("retreating") in _YES for each in data.get("units") or []):
        return None
    sheet = load_sheet({"phase": phase, **_position_data(data)})
    return sheet if data.get("centers") else replace(sheet, centres={})


def _position_data(data: Data) -> Data:
    units: dict[Power, list[str]] = {power: [] for power in _POWERS}
    for each in data["units"]:
        star = "*" if each.get("retreating") in _YES else ""
        unit = f"{star}{each['unitType'][0]} {_place_of(each)}"
        units[_power_of(each["countryID"])].append(unit.upper())
    centers: dict[Power, list[str]] = {power: [] for power in _POWERS}
    for each in data.get("centers") or []:
        if int(each["countryID"]) and _place_of(each) in CENTRES:
            centers[_power_of(each["countryID"])].append(_place_of(each))
    return {"units": units, "centers": centers}


def _order_text(each: Data, kinds: dict[str, str]) -> str:
    """An order in wire notation."""
    kind = str(each["type"] or "")
    if kind == "Wait":
        return "WAIVE"
    if kind.startswith(("Build", "Destroy")):
        at = _place_of(each, "toTerrID" if int(each.get("toTerrID") or 0) else "terrID")
        unit = kind.split()[1][0] if kind.startswith("Build") else kinds.get(at[:3], "A")
        return f"{unit} {at} {'B' if kind.startswith('Build') else 'D'}".upper()
    unit = f"{each['unitType'][0]} {_place_of(each)}"
    return f"{unit} {_verb_text(each, kinds)}".upper()


def _verb_text(each: Data, kinds: dict[str, str]) -> str:
    match each["type"]:
        case "Move":
            via = " VIA" if each.get("viaConvoy") in _YES else ""
            return f"- {_place_of(each, 'toTerrID')}{via}"
        case "Support hold":
            at = _place_of(each, "toTerrID")
            return f"S {_kind_at(kinds, at)} {at}"
        case "Support move" | "Convoy":
            at, to = _place_of(each, "fromTerrID"), _place_of(each, "toTerrID")
            return f"{each['type'][0]} {_kind_at(kinds, at)} {at} - {to}"
        case "Retreat":
            return f"R {_place_of(each, 'toTerrID')}"
        case "Disband":
            return "D"
        case "Hold" | "" | None:
            return "H"
    raise Unreadable("judge.bad_field", field=f"type: {each['type']}")


def _kind_at(kinds: dict[str, str], at: str) -> str:
    """The kind of the unit that is helped; an order for an empty place may name any."""
    if not kinds:
        raise Unreadable("archive.missing_field", field="units")
    return kinds.get(at[:3], "A")


def _load_letter(each: Any) -> ArchiveLetter | None:
    """A message; one without text is left out."""
    if not isinstance(each, dict) or not isinstance(each.get("message"), str):
        return None
    sender, to = int(each.get("fromCountryID") or 0), int(each.get("toCountryID") or 0)
    return ArchiveLetter(
        _power_of(sender) if sender else None,
        (_power_of(to),) if to else (),
        clean_text(each["message"]),
        float(each.get("timeSent") or 0) or None,
    )


# Writing


def export_api_game(table: Table, name: str, letters: Iterable[Letter] = ()) -> Data:
    """A game of ours in the form of the API."""
    phases, written, said = [], 0, list(letters)
    for played in phase_history(table):
        if played.sheet.phase != OVER:
            mine = [letter for letter in said if written <= letter.after < played.end]
            phases.append(_phase_data(played, mine))
        written = played.end
    last = phases[-1]
    how = table.state.ending.how if table.state.ending else ""
    return {
        "gameID": name,
        "variantID": CLASSIC,
        "turn": last["turn"],
        "phase": "Finished" if how else last["phase"],
        "gameOver": {"": "No", "draw": "Drawn"}.get(how, "Won"),
        "pressType": "Regular" if said else "NoPress",
        "phases": phases,
    }


def _phase_data(played: PlayedPhase, letters: list[Letter]) -> Data:
    sheet = played.sheet
    turn = 2 * (sheet.year - 1901) + (sheet.season != "S")
    name = next(name for name, letter in _STAGES.items() if letter == sheet.kind)
    own = [each for each in played.outcomes or () if each.why not in NOT_WRITTEN]
    return {
        "turn": turn,
        "phase": name,
        "units": _units_data(sheet),
        "centers": [
            {"terrID": _PLACES.index(at) + 1, "countryID": _power_number(sheet.centres.get(at))}
            for at in CENTRES
        ],
        "orders": [{"turn": turn, "phase": name, **_order_data(each, name)} for each in own],
        "messages": [
            _letter_data(letter, to, name) for letter in letters for to in letter.to or (None,)
        ],
    }


def _power_number(power: str | None) -> int:
    return _POWERS.index(power) + 1 if power in _POWERS else 0


def _units_data(sheet: Sheet) -> list[Data]:
    standing = [(p, unit, "No") for p, units in sheet.units.items() for unit in units]
    beaten = [(p, unit, "Yes") for p, units in sheet.dislodged.items() for unit in units]
    return [
        {**_unit_data(unit), "retreating": away, "countryID": _power_number(power)}
        for power, unit, away in standing + beaten
    ]


def _unit_data(unit: Unit) -> Data:
    kind = "Army" if unit.kind == "A" else "Fleet"
    return {"unitType": kind, "terrID": _PLACES.index(unit.at) + 1}


def _order_data(outcome: Outcome, phase: str) -> Data:
    kind, start, to = _order_parts(outcome.order)
    if isinstance(outcome.order, Disband) and phase == "Builds":
        kind = "Destroy"
    by_sea = isinstance(outcome.order, Move) and (
        outcome.order.via or outcome.order.to not in unit_moves(outcome.order.unit)
    )
    unit = {} if isinstance(outcome.order, Waive) else _unit_data(outcome.order.unit)
    return {
        "countryID": _power_number(outcome.power),
        **unit,
        "type": kind,
        "fromTerrID": _PLACES.index(start) + 1 if start else 0,
        "toTerrID": _PLACES.index(to) + 1 if to else 0,
        "viaConvoy": "Yes" if by_sea else "No",
        "success": "Yes" if outcome.verdict is Verdict.OK else "No",
        "dislodged": "Yes" if outcome.dislodged_by else "No",
    }


def _order_parts(order: Order) -> tuple[str, str, str]:
    """The type of an order, where the unit that it helps stands, and where it leads."""
    match order:
        case Move(_, to) | Retreat(_, to):
            return type(order).__name__, "", to
        case Support(_, target, None):
            return "Support hold", "", target.at
        case Support(_, target, str(to)):
            return "Support move", target.at, to
        case Convoy(_, army, to):
            return "Convoy", army.at, to
        case Build(unit):
            return f"Build {'Army' if unit.kind == 'A' else 'Fleet'}", "", unit.at
        case Disband(unit):
            return "Disband", "", unit.at
        case Waive():
            return "Wait", "", ""
    return "Hold", "", ""


def _letter_data(letter: Letter, to: str | None, phase: str) -> Data:
    return {
        "message": letter.text,
        "fromCountryID": _power_number(letter.seat),
        "toCountryID": _power_number(to),
        "timeSent": int(letter.at or 0),
        "phaseMarker": phase,
    }
