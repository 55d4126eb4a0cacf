"""Crown cards: missions and bonuses, and how your own pack travels inside the options.

The printed texts are unknown (R-MISSION-07), so `data/crowns.toml` is a reconstruction that
anybody may replace. Options hold only what differs, as JSON text.
"""

import json
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal, TypeAlias, get_args

from powderkeg.core.errors import Unreadable
from powderkeg.games.risk_europe.board import UNITS

MissionType: TypeAlias = Literal[
    "castles", "sea_lines", "coins", "units", "territories", "attacks_won"
]
BonusType: TypeAlias = Literal[
    "castle_discount",
    "manoeuvre_range",
    "tax_coins",
    "tax_units",
    "unit_price",
    "fortify",
    "battle_coins",
]
WITH_UNIT: Final = ("units", "tax_units", "unit_price")


@dataclass(frozen=True, slots=True)
class Mission:
    """The condition of a crown card."""

    type: MissionType
    least: int
    unit: str = ""
    certainty: str = "custom"


@dataclass(frozen=True, slots=True)
class Bonus:
    """The bonus of a completed card for the rest of the game."""

    type: BonusType
    amount: int
    unit: str = ""
    certainty: str = "custom"


@dataclass(frozen=True, slots=True)
class CrownCard:
    """One crown card."""

    name: str
    mission: Mission
    bonus: Bonus


CrownPack: TypeAlias = dict[str, CrownCard]


def parse_pack(text: str) -> CrownPack:
    """The pack written in TOML `text`. `Unreadable` names the card and the place at fault."""
    try:
        cards = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Unreadable("risk_europe.pack_not_toml", problem=str(error)) from None
    return read_crowns(cards)


def pack_source() -> str:
    """The pack that comes with the game, as written."""
    return (files("powderkeg.games.risk_europe") / "data" / "crowns.toml").read_text(
        encoding="utf-8"
    )


def printed_pack() -> CrownPack:
    """The pack that comes with the game."""
    return crown_pack("")


def crown_changes(pack: CrownPack) -> str:
    """What `pack` changes, as text for `Options.cards`; empty when it changes nothing."""
    ours = printed_pack()
    changed: dict[str, dict[str, dict[str, Any]]] = {}
    for name, crown in pack.items():
        for part in ("mission", "bonus"):
            old, new = _part_values(getattr(ours[name], part)), _part_values(getattr(crown, part))
            if edits := {key: value for key, value in new.items() if old[key] != value}:
                changed.setdefault(name, {})[part] = edits
    return json.dumps(changed, sort_keys=True, separators=(",", ":")) if changed else ""


@cache
def crown_pack(cards: str) -> CrownPack:
    """The pack that a game plays with: ours, changed by `Options.cards`."""
    raw = _raw_pack()
    for name, parts in _parse_crown_changes(cards).items():
        for part, edits in parts.items():
            raw[name][part] = {**raw[name][part], **edits, "certainty": "custom"}
    return read_crowns(raw)


def _raw_pack() -> dict[str, dict[str, dict[str, Any]]]:
    return tomllib.loads(pack_source())


def _parse_crown_changes(cards: str) -> dict[str, dict[str, dict[str, Any]]]:
    try:
        changes = json.loads(cards or "{}")
    except ValueError:
        raise Unreadable("risk_europe.pack_not_json") from None
    known = _raw_pack()
    for name, parts in changes.items() if isinstance(changes, dict) else [("", None)]:
        if name not in known or not isinstance(parts, dict):
            raise Unreadable("risk_europe.pack_card", card=name)
        for part, edits in parts.items():
            if part not in ("mission", "bonus") or not isinstance(edits, dict):
                raise Unreadable("risk_europe.pack_value", card=name, where=part)
    return changes  # type: ignore[no-any-return]  # its shape was just looked at


def _part_values(part: Mission | Bonus) -> dict[str, Any]:
    return {name: getattr(part, name) for name in part.__slots__ if name != "certainty"}


def read_crowns(raw: dict[str, Any]) -> CrownPack:
    """The pack in tables as TOML gives them."""
    names = list(_raw_pack())
    if missing := sorted(set(names) ^ set(raw)):
        raise Unreadable("risk_europe.pack_card", card=missing[0])
    return {name: _read_crown(name, raw[name]) for name in names}


def _read_crown(name: str, raw: Any) -> CrownCard:
    parts = raw if isinstance(raw, dict) else {}
    if set(parts) != {"mission", "bonus"}:
        raise Unreadable("risk_europe.pack_value", card=name, where="mission, bonus")
    return CrownCard(name, _read_part(Mission, name, raw), _read_part(Bonus, name, raw))  # type: ignore[arg-type]  # by its kind


def _read_part(
    kind: type[Mission] | type[Bonus], card: str, raw: dict[str, Any]
) -> Mission | Bonus:
    where = kind.__name__.lower()
    number = "least" if kind is Mission else "amount"
    types = get_args(MissionType if kind is Mission else BonusType)
    part = raw[where] if isinstance(raw[where], dict) else {}
    wrong = set(part) - {"type", number, "unit", "certainty"}
    wrong |= {key for key, fine in _part_checks(part, number, types).items() if not fine}
    if wrong:
        raise Unreadable("risk_europe.pack_value", card=card, where=f"{where}.{min(wrong)}")
    return kind(**part)


def _part_checks(part: dict[str, Any], number: str, types: tuple[str, ...]) -> dict[str, bool]:
    value, unit, kind = part.get(number), part.get("unit", ""), part.get("type")
    return {
        "type": kind in types,
        number: type(value) is int and 0 < value < 1000,
        "unit": unit in UNITS if kind in WITH_UNIT else unit == "",
    }
