"""The crown cards as tables that a person can look at, correct and check."""

import tomllib
from collections.abc import Iterator
from itertools import permutations
from typing import get_args

from powderkeg.core.cards import CardTool, FindingLevel, PackTables
from powderkeg.core.words import Msg
from powderkeg.games.risk_europe.board import (
    CASTLE_PRICE,
    CASTLES,
    FULL_ARMY,
    PRICES,
    SEA_LINES,
    TERRITORIES,
    UNITS,
)
from powderkeg.games.risk_europe.cards import pack as packs
from powderkeg.games.risk_europe.cards.pack import Bonus, CrownCard, Mission
from powderkeg.games.risk_europe.rules.moves import MANOEUVRE_RANGE


def crown_tables() -> PackTables:
    return tomllib.loads(packs.pack_source())


def parse_crown_option(text: str) -> PackTables:
    return {
        name: {part: _part_table(getattr(crown, part)) for part in ("mission", "bonus")}
        for name, crown in packs.crown_pack(text).items()
    }


def _part_table(part: Mission | Bonus) -> PackTables:
    return {key: getattr(part, key) for key in part.__slots__}


def format_crown_option(pack: PackTables) -> str:
    return packs.crown_changes(_read_pack(pack))


def _read_pack(pack: PackTables) -> packs.CrownPack:
    return packs.read_crowns({key: value for key, value in pack.items() if key != "name"})


def crown_titles(pack: PackTables) -> dict[str, Msg]:
    return {name: Msg(f"risk_europe.crown.{name}") for name in pack if name != "name"}


def crown_part_title(pack: PackTables, path: str) -> Msg | None:
    _, _, part = path.partition(".")
    return Msg(f"cards.risk_europe.{part}") if part in ("mission", "bonus") else None


def check_crowns(pack: PackTables) -> Iterator[tuple[FindingLevel, Msg]]:
    crowns = _read_pack(pack)
    for crown in crowns.values():
        if crown.mission.least > (most := most_reachable(crown.mission)):
            yield "wrong", Msg("cards.check.unreachable", card=_crown_name(crown), most=most)
        if not bonus_helps(crown.bonus):
            yield "doubt", Msg("cards.check.no_help", card=_crown_name(crown))
    for worse, better in permutations(crowns.values(), 2):
        if is_worse_crown(worse, better):
            yield (
                "doubt",
                Msg("cards.check.card_dominated", card=_crown_name(worse), by=_crown_name(better)),
            )
    yield "note", Msg("cards.check.cards", n=len(crowns))
    yield "note", Msg("cards.check.no_examples")


def _crown_name(crown: CrownCard) -> Msg:
    return Msg(f"risk_europe.crown.{crown.name}")


def most_reachable(mission: Mission) -> int:
    """The most that the box allows of what a mission asks for."""
    match mission.type:
        case "castles":
            return CASTLES
        case "sea_lines":
            return len(SEA_LINES)
        case "units":
            return FULL_ARMY[UNITS.index(mission.unit)]
        case "territories":
            return len(TERRITORIES)
        case "coins" | "attacks_won":
            return 99


def bonus_helps(bonus: Bonus) -> bool:
    """Whether a bonus is better than what everybody has without it."""
    match bonus.type:
        case "unit_price":
            return bonus.amount < PRICES[UNITS.index(bonus.unit)]
        case "castle_discount":
            return bonus.amount < CASTLE_PRICE
        case "manoeuvre_range":
            return bonus.amount > MANOEUVRE_RANGE
        case _:
            return True


def is_worse_crown(worse: CrownCard, better: CrownCard) -> bool:
    """Whether one card asks for more of the same than another, for no more of the same."""
    a, b = worse, better
    same = (a.mission.type, a.mission.unit, a.bonus.type, a.bonus.unit) == (
        b.mission.type,
        b.mission.unit,
        b.bonus.type,
        b.bonus.unit,
    )
    if not same or (a.mission.least, a.bonus.amount) == (b.mission.least, b.bonus.amount):
        return False
    cheap = a.bonus.type == "unit_price"  # the one bonus that is better when smaller
    gives = a.bonus.amount >= b.bonus.amount if cheap else a.bonus.amount <= b.bonus.amount
    return a.mission.least >= b.mission.least and gives


def crown_choices(path: str) -> dict[str, Msg]:
    """The kinds of missions and bonuses, and of units."""
    part, _, key = path.partition(".")[2].partition(".")
    if key == "unit":
        units = {unit: Msg(f"risk_europe.unit.{unit}") for unit in UNITS}
        return {"": Msg("cards.risk_europe.no_unit"), **units}
    if key != "type":
        return {}
    kinds = get_args(packs.MissionType if part == "mission" else packs.BonusType)
    return {kind: Msg(f"cards.risk_europe.kind.{kind}") for kind in kinds}


CROWN_TOOL = CardTool(
    option="cards",
    whole_tables=(),
    named=(),
    open_lists={},
    shipped_pack=crown_tables,
    parse_option=parse_crown_option,
    format_option=format_crown_option,
    card_titles=crown_titles,
    part_title=crown_part_title,
    card_preview=lambda pack, path: ({}, {}),
    value_choices=crown_choices,
    mark_names=lambda option, msg: msg,
    check_pack=check_crowns,
)
