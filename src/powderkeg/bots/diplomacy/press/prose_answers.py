"""What a bot says to a letter in plain words: which offer it would be, and what holds already."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from powderkeg.bots.diplomacy.press import (
    commitments,
    composing,
    prose,
    prose_topics,
    wording,
)
from powderkeg.bots.diplomacy.press.daide import Offer, Zone, parse_message, parse_offer
from powderkeg.bots.diplomacy.press.memory import AgreedDeal, EnvoyMemory, look_back
from powderkeg.bots.envoy import PromisePart
from powderkeg.core import plain
from powderkeg.core.errors import RulesError
from powderkeg.core.game import Seat, View
from powderkeg.core.words import Msg
from powderkeg.games.diplomacy.actions import parse_order
from powderkeg.games.diplomacy.words import order_name


def answer_letter(view: View, to: Seat, text: str, memory: Any = None, earlier: str = "") -> Msg:
    """The answer of the bot at `to`, from what it reads and what it has agreed on with the writer; a
    letter that is not clear by itself may go on with the `earlier` one."""
    read = prose.read_letter(view, to, text)
    if earlier and not read.parts:
        read = prose_topics.follow_up(view, to, earlier, text, read)
    deals = shared_deals(view, to, memory)
    if not read.parts:
        answer = _prose_remark(read, deals) or prose_topics.unclear_answer(view, to, text)
        return _with_unread(answer, read.unread)
    try:
        wish = _divide_wish(view, to, read.parts, deals)
    except RulesError as error:
        return Msg("bots.prose.impossible", why=error.msg)
    said = [*_wish_answers(view, to, wish, _prose_remark(read, deals))]
    answer = said[0] if len(said) == 1 else Msg("bots.prose.both", first=said[0], second=said[1])
    return _with_unread(answer, read.unread)


def _with_unread(answer: Msg, unread: str) -> Msg:
    """An answer that also says which sentence was not understood."""
    if not unread:
        return answer
    rest = Msg("bots.prose.unread", text=unread)
    return Msg("bots.prose.both", first=answer, second=rest)


def shared_deals(view: View, to: Seat, memory: Any) -> list[AgreedDeal]:
    """The deals in force between the writer of a letter and the bot that reads it."""
    if not memory:
        return []
    now = look_back({**view, "seat": to}, plain.load(EnvoyMemory, memory))
    writer = commitments.speaking_power(view, view["seat"])
    return [deal for deal in now.deals if deal.partner == writer]


# Remarks


def _prose_remark(read: prose.ProseReading, deals: Sequence[AgreedDeal]) -> Msg | None:
    """What there is to say about the part of a letter that is no offer yet."""
    if read.choices:
        orders = tuple(order_name(parse_order(part.action)) for part in read.choices)
        return Msg("bots.prose.which", orders=orders)
    if read.remark == "standing" and deals:
        return Msg("bots.prose.holds", deals=tuple(map(_deal_words, deals)))
    told = read.remark not in ("", "unclear")
    return Msg(f"bots.prose.{read.remark}") if told or (read.remark and read.parts) else None


def _deal_words(deal: AgreedDeal) -> Msg:
    return Msg("bots.prose.deal", offer=wording.offer_words(parse_offer(deal.offer)), n=deal.left)


# Wishes


class DividedWish(NamedTuple):
    """What a letter wishes for: promises that hold already, and those that could be offered."""

    agreed: tuple[Offer, ...]
    parts: tuple[PromisePart, ...]
    offers: tuple[Offer, ...]


def _divide_wish(
    view: View, to: Seat, parts: Sequence[PromisePart], deals: Sequence[AgreedDeal]
) -> DividedWish:
    offers = composing.part_offers(view, [to], parts)
    held = [each for deal in deals for each in commitments.offer_parts(parse_offer(deal.offer))]
    agreed = {o for o in offers if any(commitments.is_same_offer(o, each) for each in held)}
    left = [(part, o) for part, o in zip(parts, offers, strict=True) if o not in agreed]
    return DividedWish(
        tuple(o for o in offers if o in agreed),
        tuple(part for part, _ in left),
        tuple(o for _, o in left),
    )


def _wish_answers(view: View, to: Seat, wish: DividedWish, rest: Msg | None) -> Iterator[Msg]:
    if wish.agreed:
        yield Msg("bots.prose.agreed", what=tuple(map(wording.offer_words, wish.agreed)))
    if wish.parts:
        yield _offer_answer(view, to, wish, rest)
    elif rest is not None:
        yield rest


def _offer_answer(view: View, to: Seat, wish: DividedWish, rest: Msg | None) -> Msg:
    offer = composing.compose_offer(
        view, [to], wish.parts
    )  # in the letter, to fill the form of an offer
    what = wording.message_words(parse_message(offer))
    zone = "_zone" if any(isinstance(offer, Zone) for offer in wish.offers) else ""
    if rest is not None:
        return Msg(f"bots.prose.partly{zone}", what=what, offer=offer, rest=rest)
    return Msg(f"bots.prose.understood{zone}", what=what, offer=offer)
