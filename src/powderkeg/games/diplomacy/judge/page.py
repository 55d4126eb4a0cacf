"""A page: the text of a moderator, which the judge answers in the same form.

    Spring 1901

    Units                             (left out: the start of the game, or as the last phase ended)
    Austria: A Vie, A Bud, F Tri
    Centres                           (left out: the power that stands there, else its home power)
    Austria: Vie, Bud, Tri

    Orders
    Austria: A Vie-Gal, A Bud-Ser
      F Tri-Alb                       # more of the same power; comments like this one

One page may hold several phases. *Results* are not read, so that a page that the judge wrote can be
filled in and handed in again. All three languages are understood.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, NamedTuple, TypeVar

from powderkeg.core.errors import RulesError, Unreadable
from powderkeg.core.words import LANGS
from powderkeg.games.diplomacy.actions import Order
from powderkeg.games.diplomacy.board import Power, Unit, data_text
from powderkeg.games.diplomacy.judge.judge import Judged, judge_phase, sheet_context
from powderkeg.games.diplomacy.judge.sheet import (
    FIRST,
    Sheet,
    check_phase,
    checked_sheet,
    first_sheet,
    sheet_phase_name,
)
from powderkeg.games.diplomacy.notation.lexicon import find_power, name_words
from powderkeg.games.diplomacy.notation.reading import (
    read_orders,
    read_place,
    read_unit,
    split_orders,
)
from powderkeg.games.diplomacy.rules.position import STANDARD, Rulebook

T = TypeVar("T")
_PHASE_CODE: Final = re.compile(r"\s*([SFW]\d{1,5}[MRA])\W*", re.IGNORECASE)
_REMARK: Final = re.compile(r"\(.*?\)")
_BRACKETS: Final = re.compile(r"(.*?)\[(.*)\]\s*")


class Item(NamedTuple):
    """A unit, a centre or an order as written, and the line that it was written on."""

    line: int
    text: str


Lists = dict[Power, list[Item]]


@dataclass
class Block:
    """One phase of a page, as written."""

    line: int
    phase: str = ""
    lists: dict[str, Lists] = field(default_factory=dict)  # by section

    def add_items(self, section: str, power: Power, items: Iterable[Item]) -> None:
        self.lists.setdefault(section, {}).setdefault(power, []).extend(items)


class UnreadOrder(NamedTuple):
    """An order that could not be read."""

    line: int
    power: Power
    text: str
    error: RulesError


class JudgedPhase(NamedTuple):
    """One phase of a page, judged; `judged` is None where no orders were given."""

    sheet: Sheet
    orders: dict[Power, list[Order]]
    refused: list[UnreadOrder]
    judged: Judged | None


def judge_page(text: str, rulebook: Rulebook = STANDARD) -> list[JudgedPhase]:
    """Judge every phase of a page, one after the other."""
    turns: list[JudgedPhase] = []
    for block in page_blocks(text):
        sheet = _block_sheet(block, turns[-1] if turns else None)
        orders, refused = _block_orders(block, sheet)
        judged = judge_phase(sheet, orders, rulebook) if "orders" in block.lists else None
        turns.append(JudgedPhase(sheet, orders, refused, judged))
    return turns


# From text to blocks


def page_blocks(text: str) -> list[Block]:
    """The phases of a page."""
    found: list[Block] = []
    section, power = "orders", ""
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        line = line.partition("#")[0].strip()  # noqa: PLW2901  # comments are never of interest
        if phase := _read_phase(line):
            found.append(Block(number, phase))
            section, power = "orders", ""
        elif head := _read_section(line):
            section, power = head, ""
        elif line and section != "results":
            if not found:
                found.append(Block(number))
            power, rest = _line_owner(line, number, power)
            found[-1].add_items(section, power, _line_items(rest, number))
    return [_tidy_block(block) for block in found] or [Block(1)]


def _tidy_block(block: Block) -> Block:
    """Drop an orders section left blank; *none* stands for an empty set of orders."""
    lists = block.lists.pop("orders", {})
    if any(lists.values()):
        empty = _page_words()["none"]
        kept = {
            p: [i for i in items if name_words(i.text) not in empty] for p, items in lists.items()
        }
        block.lists["orders"] = kept
    return block


def _read_phase(line: str) -> str:
    """The phase that a line names: ``S1901M``, ``Fall 1901, retreats``, ``Otoño de 1901``."""
    if code := _PHASE_CODE.fullmatch(line):
        return check_phase(code[1].upper())
    season, kind = _first_meaning(line, "seasons"), _first_meaning(line, "phases")
    year = next((word for word in name_words(line) if word.isdecimal()), "")
    if not season or not year or ":" in line.rstrip(": "):
        return ""
    if season == "W" or kind == "A":
        return f"W{year}A"
    return f"{season}{year}{kind or 'M'}"


def _first_meaning(line: str, table: str) -> str:
    """The meaning of the first word in `line` that the table knows."""
    for word in name_words(line):
        for meaning, names in _page_words()[table].items():
            if (word,) in names:
                return str(meaning)
    return ""


def _read_section(line: str) -> str:
    head = name_words(line.partition(":")[0])
    bare = not line.partition(":")[2].strip()
    for section, names in _page_words()["sections"].items():
        if head in names and (bare or section == "results"):
            return str(section)
    return ""


def _line_owner(line: str, number: int, power: Power) -> tuple[Power, str]:
    """The power of a line, and the rest of it."""
    name, colon, rest = line.partition(":")
    named = find_power(_REMARK.sub("", name).strip())
    if named:
        return named, rest
    word, _, after = line.partition(" ")
    if len(word) > 3 and (named := find_power(word)):  # "Eng" may be the Channel
        return named, after
    if colon:
        raise _at_line(number, Unreadable("judge.no_such_power", text=name.strip()))
    if not power:
        raise _at_line(number, Unreadable("judge.whose", text=line))
    return power, line


def _line_items(text: str, number: int) -> Iterator[Item]:
    return (Item(number, part) for part in split_orders(text))


@cache
def _page_words() -> dict[str, Any]:
    data = tomllib.loads(data_text("page.toml"))
    tables = {
        table: {key: frozenset(map(name_words, names)) for key, names in data[table].items()}
        for table in ("seasons", "phases", "sections")
    }
    return {**tables, "none": frozenset(map(name_words, data["none"]["words"]))}


# From blocks to sheets and orders


def _block_sheet(block: Block, before: JudgedPhase | None) -> Sheet:
    if "units" not in block.lists:
        return _continued_sheet(block, before)
    units = _read_lists(block.lists["units"], read_unit)
    centres = _read_lists(block.lists.get("centres", {}), read_place)
    beaten = _read_lists(block.lists.get("dislodged", {}), _read_dislodged)
    dislodged = {power: dict(found) for power, found in beaten.items()}
    return checked_sheet(block.phase or FIRST, units, centres, dislodged)


def _continued_sheet(block: Block, before: JudgedPhase | None) -> Sheet:
    """Without units a phase follows the one before it, or is the first of the game."""
    if before is None or before.judged is None:
        start = before.sheet if before else first_sheet()
        return Sheet(block.phase or start.phase, start.units, start.centres, start.dislodged)
    sheet = before.judged.sheet
    if block.phase and block.phase != sheet.phase:
        names = [
            sheet_phase_name(phase) for phase in (before.sheet.phase, sheet.phase, block.phase)
        ]
        wrong = Unreadable("judge.other_phase", done=names[0], next=names[1], found=names[2])
        raise _at_line(block.line, wrong)
    return sheet


def _read_lists(lists: Lists, reader: Callable[[str, str | None], T]) -> dict[Power, list[T]]:
    """Lists read in the first language in which all of them make sense."""
    wrong: RulesError | None = None
    for lang in LANGS:
        try:
            return {p: [_read_item(i, lang, reader) for i in items] for p, items in lists.items()}
        except RulesError as error:
            wrong = wrong or error
    try:
        return {p: [_read_item(i, None, reader) for i in items] for p, items in lists.items()}
    except RulesError:
        raise wrong or AssertionError from None


def _read_item(item: Item, lang: str | None, reader: Callable[[str, str | None], T]) -> T:
    try:
        return reader(item.text, lang)
    except RulesError as error:
        raise _at_line(item.line, error) from None


def _read_dislodged(text: str, lang: str | None) -> tuple[Unit, list[str] | None]:
    """``A Bur [Gas, Pic]``; without brackets, wherever it can go."""
    found = _BRACKETS.fullmatch(text)
    if not found:
        return read_unit(text, lang), None
    goals = [part for part in found[2].split(",") if part.strip()]
    return read_unit(found[1], lang), [read_place(goal, lang) for goal in goals]


def _block_orders(block: Block, sheet: Sheet) -> tuple[dict[Power, list[Order]], list[UnreadOrder]]:
    orders: dict[Power, list[Order]] = {}
    refused: list[UnreadOrder] = []
    for power, items in block.lists.get("orders", {}).items():
        _, read = read_orders([item.text for item in items], sheet_context(sheet, power))
        for item, found in zip(items, read, strict=True):
            if isinstance(found, RulesError):
                refused.append(UnreadOrder(item.line, power, item.text, found))
            else:
                orders.setdefault(power, []).append(found)
    return orders, refused


def _at_line(line: int, error: RulesError) -> Unreadable:
    return Unreadable("judge.at_line", rule=error.rule, line=line, why=error.msg)
