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
from typing import Any, Final, Literal, NamedTuple, TypeVar

from powderkeg.core.errors import RulesError, Unreadable
from powderkeg.core.words import LANGS, Msg
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
from powderkeg.games.diplomacy.notation.lexicon import (
    find_power,
    name_words,
    order_lexicon,
    similar_power,
)
from powderkeg.games.diplomacy.notation.reading import (
    read_order_set,
    read_place,
    read_unit,
    split_orders,
)
from powderkeg.games.diplomacy.notation.writing import written_order
from powderkeg.games.diplomacy.rules.position import STANDARD, Rulebook
from powderkeg.games.diplomacy.words import power_name

T = TypeVar("T")
_PHASE_CODE: Final = re.compile(r"\s*([SFW]\d{1,5}[MRA])\W*", re.IGNORECASE)
_REMARK: Final = re.compile(r"\([^()]*\)")
_SMALL_WORDS: Final = frozenset(["of", "the", "for", "de", "del", "para", "di", "per", "ad"])
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
    unread: list["UnreadOrder"] = field(default_factory=list)
    corrected: list["CorrectedText"] = field(default_factory=list)

    def add_items(self, section: str, power: Power, items: Iterable[Item]) -> None:
        self.lists.setdefault(section, {}).setdefault(power, []).extend(items)


class UnreadOrder(NamedTuple):
    """An order that could not be read; without a power, a line that belongs to none."""

    line: int
    power: Power | Literal[""]
    text: str
    error: RulesError


class CorrectedText(NamedTuple):
    """A text that was read with a correction, and what it was read as."""

    line: int
    power: Power
    text: str
    meaning: Msg


class JudgedPhase(NamedTuple):
    """One phase of a page, judged; `judged` is None where no orders were given."""

    sheet: Sheet
    orders: dict[Power, list[Order]]
    refused: list[UnreadOrder]
    judged: Judged | None
    corrected: list[CorrectedText]


def judge_page(
    text: str, rulebook: Rulebook = STANDARD, lang: str | None = None
) -> list[JudgedPhase]:
    """Judge every phase of a page, one after the other. Orders that make equal sense in several
    languages are read in that of the page, else in `lang`."""
    turns: list[JudgedPhase] = []
    prefer = page_language(text, lang)
    for block in page_blocks(text):
        turns.append(_judge_block(block, turns[-1] if turns else None, rulebook, prefer))
    return turns


def _judge_block(
    block: Block, before: JudgedPhase | None, rulebook: Rulebook, prefer: str | None
) -> JudgedPhase:
    sheet = _block_sheet(block, before, prefer)
    orders, refused, corrected = _block_orders(block, sheet, prefer)
    judged = judge_phase(sheet, orders, rulebook) if "orders" in block.lists else None
    unread = sorted(block.unread + refused, key=lambda each: each.line)
    return JudgedPhase(sheet, orders, unread, judged, block.corrected + corrected)


def page_language(text: str, lang: str | None = None) -> str | None:
    """The language in which a page names the powers; `lang` where several are possible."""
    names = [name_words(line.partition(":")[0]) for line in text.splitlines() if ":" in line]
    counts = {
        each: sum(name in order_lexicon(each).powers for name in names)
        for each in sorted(LANGS, key=lambda each: each != lang)
    }
    return max(counts, key=lambda each: counts[each]) if any(counts.values()) else lang


# From text to blocks


def page_blocks(text: str) -> list[Block]:
    """The phases of a page."""
    found: list[Block] = []
    section, power = "orders", ""
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        line = line.partition("#")[0].strip()  # noqa: PLW2901  # comments are never of interest
        if phase := read_phase(line):
            found.append(Block(number, phase))
            section, power = "orders", ""
        elif head := read_section(line):
            section, power = head, ""
        elif line and section != "results":
            if not found:
                found.append(Block(number))
            power = _add_line(found[-1], section, power, Item(number, line))
    return [_tidy_block(block) for block in found] or [Block(1)]


def _add_line(block: Block, section: str, power: Power, line: Item) -> Power:
    """Add what a line lists to the block; the power that the next line belongs to."""
    try:
        owner, rest = _line_owner(line.text, power)
    except RulesError as error:
        if section != "orders":  # no position is judged in part
            raise _at_line(line.line, error) from None
        block.unread.append(UnreadOrder(line.line, "", line.text, error))
        return "" if error.code == "judge.no_such_power" else power
    if find_power(heading := line_heading(line.text)) is None and owner == similar_power(heading):
        block.corrected.append(CorrectedText(line.line, owner, heading, power_name(owner)))
    block.add_items(section, owner, _line_items(rest, line.line))
    return owner


def _tidy_block(block: Block) -> Block:
    """Drop an orders section left blank; *none* stands for an empty set of orders."""
    lists = block.lists.pop("orders", {})
    if any(lists.values()):
        kept = {p: [i for i in items if not is_empty_set(i.text)] for p, items in lists.items()}
        block.lists["orders"] = kept
    return block


def read_phase(line: str) -> str:
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


def is_phase_heading(line: str) -> bool:
    """Whether a line names a phase and says nothing else: *see you in spring 1902* does not."""
    words = _page_words()
    known = {
        w for table in ("seasons", "phases", "sections") for n in words[table].values() for w in n
    }
    said = (word for word in name_words(line) if not word.isdecimal() and word not in _SMALL_WORDS)
    plain = all((word,) in known or find_power(word) for word in said)
    return bool(_PHASE_CODE.fullmatch(line) or (plain and read_phase(line)))


def is_empty_set(text: str) -> bool:
    """Whether a text hands in an empty set of orders: *none*."""
    return name_words(text) in _page_words()["none"]


def _first_meaning(line: str, table: str) -> str:
    """The meaning of the first word in `line` that the table knows."""
    for word in name_words(line):
        for meaning, names in _page_words()[table].items():
            if (word,) in names:
                return str(meaning)
    return ""


def read_section(line: str) -> str:
    head = name_words(line.partition(":")[0])
    bare = not line.partition(":")[2].strip()
    for section, names in _page_words()["sections"].items():
        if head in names and (bare or section == "results"):
            return str(section)
    return ""


def line_heading(line: str) -> str:
    """The words before the colon of a line, without remarks; the whole line if it has none."""
    return _REMARK.sub("", line.partition(":")[0]).strip()


def _line_owner(line: str, power: Power) -> tuple[Power, str]:
    """The power of a line, and the rest of it."""
    name, colon, rest = line.partition(":")
    heading = line_heading(line)
    named = find_power(heading) or similar_power(heading)
    if named:
        return named, rest
    word, _, after = line.partition(" ")
    if len(word) > 3 and (named := find_power(word)):  # "Eng" may be the Channel
        return named, after
    if colon:
        raise Unreadable("judge.no_such_power", text=name.strip())
    if not power:
        raise Unreadable("judge.whose", text=line)
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


def _block_sheet(block: Block, before: JudgedPhase | None, prefer: str | None) -> Sheet:
    if "units" not in block.lists:
        return _continued_sheet(block, before)
    units = _read_lists(block.lists["units"], read_unit, prefer)
    centres = _read_lists(block.lists.get("centres", {}), read_place, prefer)
    beaten = _read_lists(block.lists.get("dislodged", {}), _read_dislodged, prefer)
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


def _read_lists(
    lists: Lists, reader: Callable[[str, str | None], T], prefer: str | None
) -> dict[Power, list[T]]:
    """Lists read in the first language in which all of them make sense."""
    wrong: RulesError | None = None
    for lang in sorted(LANGS, key=lambda each: each != prefer):
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


def _block_orders(
    block: Block, sheet: Sheet, prefer: str | None
) -> tuple[dict[Power, list[Order]], list[UnreadOrder], list[CorrectedText]]:
    orders: dict[Power, list[Order]] = {}
    refused: list[UnreadOrder] = []
    corrected: list[CorrectedText] = []
    for power, items in block.lists.get("orders", {}).items():
        texts = [item.text for item in items]
        read = read_order_set(texts, sheet_context(sheet, power), prefer=prefer)
        for item, found in zip(items, read.orders, strict=True):
            if isinstance(found, RulesError):
                refused.append(UnreadOrder(item.line, power, item.text, found))
                continue
            orders.setdefault(power, []).append(found.order)
            if found.corrected:
                meaning = written_order(found.order)
                corrected.append(CorrectedText(item.line, power, item.text, meaning))
    return orders, refused, corrected


def _at_line(line: int, error: RulesError) -> Unreadable:
    return Unreadable("judge.at_line", rule=error.rule, line=line, why=error.msg)
