"""A phase of a game by post: the letters of all players become one set of orders, and are judged.

The latest order for a unit counts; in winter, when orders are no longer about single units, the latest
letter does. Powers that sent nothing are named, and so is everything that was corrected or not read.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from powderkeg.core.errors import RulesError, Unreadable
from powderkeg.core.words import Msg
from powderkeg.games.diplomacy.actions import Order
from powderkeg.games.diplomacy.board import POWERS, Power, Unit
from powderkeg.games.diplomacy.judge.judge import judge_phase, sheet_context, sheet_due
from powderkeg.games.diplomacy.judge.letters import Letter, Players, read_letter
from powderkeg.games.diplomacy.judge.page import CorrectedText, JudgedPhase, UnreadOrder
from powderkeg.games.diplomacy.judge.sheet import Sheet
from powderkeg.games.diplomacy.notation.reading import OrderSet, UnderstoodOrder, read_order_set
from powderkeg.games.diplomacy.notation.writing import written_order, written_unit
from powderkeg.games.diplomacy.rules.position import STANDARD, Rulebook
from powderkeg.games.diplomacy.words import power_name


class UnusedLetter(NamedTuple):
    """A letter, or a line of one, that gave no orders, and why."""

    letter: Letter
    why: Msg


@dataclass
class PowerPost:
    """What one power sent so far."""

    power: Power
    orders: list[Order] = field(default_factory=list)
    refused: list[UnreadOrder] = field(default_factory=list)  # in the latest letter
    earlier: list[UnreadOrder] = field(default_factory=list)  # in the letters before it
    corrected: dict[Order, CorrectedText] = field(default_factory=dict)
    replaced: list[Msg] = field(default_factory=list)
    letter: Letter | None = None  # the latest with orders
    lang: str | None = None


@dataclass(frozen=True, slots=True)
class PostedPhase:
    """A phase judged by letters."""

    turn: JudgedPhase
    post: dict[Power, PowerPost]
    missing: tuple[Power, ...]  # powers that had to decide and sent nothing
    unused: tuple[UnusedLetter, ...]

    def is_complete(self) -> bool:
        """Whether everything in the letters was read."""
        return not (self.turn.refused or self.unused)


def judge_letters(
    sheet: Sheet,
    letters: Sequence[Letter],
    players: Players,
    rulebook: Rulebook = STANDARD,
    *,
    page: JudgedPhase | None = None,
    prefer: str | None = None,
) -> PostedPhase:
    """Judge the phase of `sheet` with the orders in `letters`, the latest last. `page` has orders that
    the moderator typed; letters may change them."""
    given = page.orders if page else {}
    post = {power: PowerPost(power, list(orders)) for power, orders in given.items()}
    unused: list[UnusedLetter] = []
    for letter in letters:
        unused += _file_letter(letter, sheet, players, post, prefer)
    orders = {power: each.orders for power, each in post.items()}
    refused = list(page.refused) if page else []
    refused += [line for each in post.values() for line in _still_unread(each, sheet)]
    corrected = [
        each.corrected[o] for each in post.values() for o in each.orders if o in each.corrected
    ]
    corrected = [*(page.corrected if page else ()), *corrected]
    turn = JudgedPhase(sheet, orders, refused, judge_phase(sheet, orders, rulebook), corrected)
    missing = tuple(power for power in POWERS if must_decide(sheet, power) and power not in post)
    return PostedPhase(turn, post, missing, tuple(unused))


def must_decide(sheet: Sheet, power: Power) -> bool:
    """Whether the power has orders to give in this phase."""
    if sheet.kind == "A":
        return bool(sheet_due(sheet, power))
    return bool(sheet.dislodged.get(power) if sheet.kind == "R" else sheet.units[power])


def unordered_units(post: PowerPost, sheet: Sheet) -> list[Unit]:
    """Units of a power that wrote, for which no order was read; winter orders are not about units."""
    able = {"M": sheet.units[post.power], "R": sheet.dislodged.get(post.power, ()), "A": ()}
    ordered = {_order_place(order) for order in post.orders}
    return [unit for unit in able[sheet.kind] if unit.province not in ordered]


def _still_unread(post: PowerPost, sheet: Sheet) -> list[UnreadOrder]:
    """Unread lines of earlier letters count as long as a unit is without an order."""
    return [*(post.earlier if unordered_units(post, sheet) else []), *post.refused]


# One letter after the other


def _file_letter(
    letter: Letter, sheet: Sheet, players: Players, post: dict[Power, PowerPost], prefer: str | None
) -> Iterator[UnusedLetter]:
    if not players.powers_of(letter):
        yield UnusedLetter(letter, Msg("judge.stranger", sender=letter.sender))
        return
    found = read_letter(letter, sheet, players)
    for power, texts in found.texts.items():
        prefers = players.lang_of(power) or prefer
        read = read_order_set(texts, sheet_context(sheet, power), prefer=prefers)
        mine = post.setdefault(power, PowerPost(power))
        _take_orders(mine, letter, texts, read, whole=sheet.kind == "A")
    for power, text in found.foreign:
        yield UnusedLetter(letter, Msg("judge.not_the_player", power=power_name(power), text=text))
    for text in found.unowned:
        yield UnusedLetter(letter, Unreadable("judge.whose", text=text).msg)


def _take_orders(
    post: PowerPost, letter: Letter, texts: list[str], read: OrderSet, *, whole: bool
) -> None:
    """Add the orders of a letter to those that the power sent before, or put them in their place."""
    fresh = [found for found in read.orders if isinstance(found, UnderstoodOrder)]
    _replace_orders(post, letter, [found.order for found in fresh], whole=whole)
    post.earlier += post.refused
    post.refused = [
        UnreadOrder(0, post.power, text, found)
        for text, found in zip(texts, read.orders, strict=True)
        if isinstance(found, RulesError)
    ]
    for text, found in zip(texts, read.orders, strict=True):
        if isinstance(found, UnderstoodOrder) and found.corrected:
            meaning = written_order(found.order)
            post.corrected[found.order] = CorrectedText(0, post.power, text, meaning)
    post.letter, post.lang = letter, read.lang if fresh else post.lang


def _replace_orders(post: PowerPost, letter: Letter, fresh: list[Order], *, whole: bool) -> None:
    places = {_order_place(order) for order in fresh}
    old = [o for o in post.orders if fresh and (whole or _order_place(o) in places)]
    if changed := [order for order in old if order not in fresh]:
        touched = places if whole else {_order_place(order) for order in changed}
        news = [o for o in fresh if o not in old and _order_place(o) in touched]
        post.replaced.append(_replaced_note(post.power, letter, changed, news))
    post.orders = [order for order in post.orders if order not in old] + fresh


def _replaced_note(power: Power, letter: Letter, old: list[Order], new: list[Order]) -> Msg:
    texts = [list(map(written_order, orders)) for orders in (old, new)]
    code = "judge.replaced" if new else "judge.dropped"
    return Msg(code, power=power_name(power), sent=letter.sent, old=texts[0], new=texts[1])


def _order_place(order: Order) -> str:
    unit: Unit | None = getattr(order, "unit", None)
    return unit.province if unit else ""


# What the moderator reads


def post_notes(posted: PostedPhase) -> Iterator[Msg]:
    """Who is missing, which units have no orders, which orders were replaced, what was not used."""
    if posted.missing:
        yield Msg("judge.missing", powers=[power_name(power) for power in posted.missing])
    for power in POWERS:
        yield from power_notes(posted, power)
    for unused in posted.unused:
        sender = unused.letter.sender or "?"
        yield Msg("judge.unused", sender=sender, sent=unused.letter.sent, why=unused.why)


def power_notes(posted: PostedPhase, power: Power) -> Iterator[Msg]:
    """Which orders of a power were replaced, and which of its units have none."""
    if not (post := posted.post.get(power)):
        return
    yield from post.replaced
    if idle := unordered_units(post, posted.turn.sheet):
        yield Msg("judge.idle", power=power_name(power), units=list(map(written_unit, idle)))
