"""What a bot says to a letter in plain words: which offer it would be, and what holds already."""

import re
import textwrap
from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Any, NamedTuple

from powderkeg.bots.diplomacy.press import (
    commitments,
    composing,
    prose,
    prose_account,
    wording,
)
from powderkeg.bots.diplomacy.press.daide import Offer, Zone, parse_message, parse_offer
from powderkeg.bots.diplomacy.press.memory import AgreedDeal, EnvoyMemory, look_back
from powderkeg.bots.diplomacy.press.prose_frames import DENIES
from powderkeg.bots.diplomacy.press.prose_words import (
    named_places,
    named_powers,
    says_phrase,
    spoken_sentences,
)
from powderkeg.bots.envoy import PromisePart
from powderkeg.core import plain
from powderkeg.core.errors import RulesError
from powderkeg.core.game import Seat, View
from powderkeg.core.words import Msg
from powderkeg.games.diplomacy.actions import parse_order
from powderkeg.games.diplomacy.words import order_name, place_name, power_name

LONGEST_CHOICE = 8  # words of a letter that only chooses between orders
LONGEST_QUOTE = 120  # letters of what was not understood
MOST_NAMES = 8  # that an answer lists of a letter that it did not understand
_ORDINALS = (
    re.compile(r" (?:first|former|primer[oa]?|prim[oa]|1|1st) "),
    re.compile(r" (?:second|latter|segund[oa]|second[oa]|2|2nd) "),
)
NOT_READ = Msg("bots.prose.rest")
ASKS_ORDERS = ("support_which", "order_which", "bounce_which")


def answer_letter(view: View, to: Seat, text: str, memory: Any = None, earlier: str = "") -> Msg:
    """The answer of the bot at `to`, from what it reads and what it has agreed on with the writer; a
    letter that is not clear by itself may go on with the `earlier` one."""
    read = prose.read_letter(view, to, text)
    if earlier and not read.parts:
        read = follow_up(view, to, earlier, text, read)
    standing = known_between(view, to, memory)
    if not standing.orders:
        read = _without_orders_of(view, to, read)
    try:
        wish = _divide_wish(view, to, read.parts, standing.deals)
    except RulesError as error:
        return Msg("bots.prose.impossible", why=error.msg)
    rest = [*_rest_of(read, standing)]
    said = [*_wish_answers(view, to, wish, rest, standing.offers, sure=read.sure)]
    if not said:
        said = rest or [unclear_answer(text)]
    return reduce(lambda first, second: Msg("bots.prose.both", first=first, second=second), said)


def _shortened(text: str) -> str:
    """The beginning of a long text, up to a whole word."""
    return (
        textwrap.shorten(text, LONGEST_QUOTE, placeholder="...")
        if " " in text
        else text[:LONGEST_QUOTE]
    )


class KnownBetween(NamedTuple):
    """What a bot knows of itself and the writer of a letter: the deals in force, the offers of this movement
    that it still waits to hear of, and whether it promises orders at all."""

    deals: tuple[AgreedDeal, ...] = ()
    offers: tuple[Offer, ...] = ()
    orders: bool = True


def known_between(view: View, to: Seat, memory: Any) -> KnownBetween:
    """What the bot at `to` knows of itself and the writer of a letter."""
    if not memory:
        return KnownBetween()
    now = look_back({**view, "seat": to}, plain.load(EnvoyMemory, memory))
    writer = commitments.speaking_power(view, view["seat"])
    deals = tuple(deal for deal in now.deals if deal.partner == writer)
    return KnownBetween(deals, tuple(now.offers_to(writer)), now.habits.attacks)


def _without_orders_of(view: View, to: Seat, read: prose.ProseReading) -> prose.ProseReading:
    """A reading for a bot that promises no orders."""
    own = {unit for power in view["seats"][to]["powers"] for unit in view["units"][power]}
    asked = {part for part in (*read.parts, *read.choices) if part.action.startswith(tuple(own))}
    if not asked and (read.parts or read.remark not in ASKS_ORDERS):
        return read
    parts = tuple(part for part in read.parts if part not in asked)
    return read._replace(parts=parts, choices=(), remark="orders")


def _contains_all(offer: Offer, wished: Sequence[Offer]) -> bool:
    """Whether all that is wished for is in an offer."""
    parts = [*commitments.offer_parts(offer)]
    return all(any(commitments.is_same_offer(each, part) for part in parts) for each in wished)


# Remarks


def _rest_of(read: prose.ProseReading, standing: KnownBetween) -> Iterator[Msg]:
    """What there is to say about all in a letter that is no offer yet."""
    if read.choices:
        orders = tuple(order_name(parse_order(part.action)) for part in read.choices)
        yield Msg("bots.prose.which", orders=orders)
    if remark := _prose_remark(read, standing):
        yield remark
    if read.also:
        yield Msg(f"bots.prose.{read.also}")
    open_rest = read.rest or (read.remark == "unclear" and bool(read.parts or read.choices))
    if read.unread:
        code = "unread_too" if open_rest else "unread"
        yield Msg(f"bots.prose.{code}", text=_shortened(read.unread))
    elif open_rest:
        yield NOT_READ


def _prose_remark(read: prose.ProseReading, standing: KnownBetween) -> Msg | None:
    """What the remark of a reading is in words; nothing if the whole letter is not understood."""
    offers = tuple(map(wording.offer_words, standing.offers))
    match read.remark:
        case "answer" | "refused" if offers and not read.parts:
            return Msg("bots.prose.answer_mine", offers=offers)
        case "against_whom" if offers:
            open_offer = Msg("bots.prose.open_offer", offers=offers)
            return Msg("bots.prose.both", first=Msg("bots.prose.against_whom"), second=open_offer)
        case "standing" if standing.deals:
            return Msg("bots.prose.holds", deals=tuple(map(_deal_words, standing.deals)))
        case "orders":
            return Msg("bots.press.why.orders")
        case "unclear":
            return None
    return Msg(f"bots.prose.{read.remark}") if read.remark else None


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


def _wish_answers(
    view: View,
    to: Seat,
    wish: DividedWish,
    rest: Sequence[Msg],
    open_offers: Sequence[Offer],
    *,
    sure: bool,
) -> Iterator[Msg]:
    """What to say to a wish: what holds already, which offer the others would be, and the rest."""
    if what := tuple(map(wording.offer_words, wish.agreed)):
        yield Msg(f"bots.prose.{'agreed' if sure or wish.parts else 'perhaps_agreed'}", what=what)
    offered = [each for each in open_offers if wish.offers and _contains_all(each, wish.offers)]
    if wish.parts and not sure:
        yield _offer_answer(view, to, wish, "perhaps")
    elif offered:
        yield Msg("bots.prose.offered", offer=wording.offer_words(offered[0]))
    elif wish.parts and rest and rest[0] != NOT_READ:
        yield _offer_answer(view, to, wish, "partly", rest=rest[0])
        rest = rest[1:]
    elif wish.parts:
        yield _offer_answer(view, to, wish, "understood")
    if wish.agreed or wish.parts:
        yield from rest


def _offer_answer(view: View, to: Seat, wish: DividedWish, code: str, **more: Any) -> Msg:
    """A wish as a formal offer, which fills the form of one."""
    offer = composing.compose_offer(view, [to], wish.parts)
    binds_both = code != "perhaps" and any(isinstance(each, Zone) for each in wish.offers)
    what = wording.message_words(parse_message(offer))
    return Msg(f"bots.prose.{code}{'_zone' if binds_both else ''}", what=what, offer=offer, **more)


# Letters without a clear wish


def unclear_answer(text: str) -> Msg:
    """The answer to a letter that is not understood, with the names and the kinds of promises in it."""
    marked = _marked_letter(text)
    kinds = [kind for kind in ("peace", "alliance", "draw") if says_phrase(marked, "wishes", kind)]
    places, powers = named_places(marked), named_powers(marked)
    named = (*map(power_name, powers), *map(place_name, places))
    if names := (*(Msg(f"bots.prose.about.{kind}") for kind in kinds), *named):
        return Msg("bots.prose.unclear_about", names=names[:MOST_NAMES])
    return Msg(f"bots.prose.{'no_answer' if marked.endswith(' ? ') else 'unclear'}")


def _marked_letter(text: str) -> str:
    return " ".join(sentence for _, sentence in spoken_sentences(text))


# Letters that go on with the one before


def follow_up(
    view: View, to: Seat, earlier: str, text: str, read: prose.ProseReading
) -> prose.ProseReading:
    """A letter read as an answer to what the bot said to the one before it."""
    before = prose.read_letter(view, to, earlier)
    marked = _marked_letter(text)
    if len(marked.split()) <= LONGEST_CHOICE and (chosen := _chosen_order(before.choices, marked)):
        return before._replace(parts=(*before.parts, chosen), choices=(), unread="")
    if before.parts and DENIES.match(marked):
        return prose.ProseReading(remark="no_offer")
    if before.parts and read.remark in ("answer", "asked"):
        return before._replace(sure=True, remark="", also="", unread="")
    if before.remark in prose_account.LACKING:
        joined = prose.read_letter(view, to, f"{earlier.rstrip(' .!?;')}. {text}")
        return joined if joined.parts else read
    return read


def _chosen_order(choices: Sequence[PromisePart], words: str) -> PromisePart | None:
    """The only order that has all places of an answer, or the one it counts."""
    places = named_places(words)
    fitting = [part for part in choices if places and _has_places(part.action, places)]
    if len(fitting) == 1:
        return fitting[0]
    counted = [
        part for part, ordinal in zip(choices, _ORDINALS, strict=False) if ordinal.search(words)
    ]
    return counted[0] if len(counted) == 1 and not places else None


def _has_places(action: str, places: Sequence[str]) -> bool:
    return set(places) <= set(re.findall(r"[a-z]{3}", action))
