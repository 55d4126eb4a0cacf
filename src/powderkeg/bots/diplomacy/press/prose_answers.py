"""What a bot says to a letter in plain words: which offer it would be, and what holds already."""

import re
from collections.abc import Iterator, Sequence
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
_ORDINALS = (
    re.compile(r" (?:first|former|primer[oa]?|prim[oa]|1|1st) "),
    re.compile(r" (?:second|latter|segund[oa]|second[oa]|2|2nd) "),
)
NOT_READ = Msg("bots.prose.rest")


def answer_letter(view: View, to: Seat, text: str, memory: Any = None, earlier: str = "") -> Msg:
    """The answer of the bot at `to`, from what it reads and what it has agreed on with the writer; a
    letter that is not clear by itself may go on with the `earlier` one."""
    read = prose.read_letter(view, to, text)
    if earlier and not read.parts:
        read = follow_up(view, to, earlier, text, read)
    deals = shared_deals(view, to, memory)
    mine = _open_offers(view, to, memory)
    if mine and read.remark in ("answer", "refused") and not read.parts:
        return Msg("bots.prose.answer_mine", offers=tuple(map(wording.offer_words, mine)))
    if not read.parts:
        answer = _prose_remark(read, deals) or unclear_answer(text)
        if read.also:
            answer = Msg("bots.prose.both", first=answer, second=Msg(f"bots.prose.{read.also}"))
        return _with_unread(answer, read.unread)
    try:
        wish = _divide_wish(view, to, read.parts, deals)
    except RulesError as error:
        return Msg("bots.prose.impossible", why=error.msg)
    if wish.offers and (wished := [each for each in mine if _contains_all(each, wish.offers)]):
        return Msg("bots.prose.offered", offer=wording.offer_words(wished[0]))
    if not read.sure and wish.parts and not wish.agreed:
        guess = _guess_answer(view, to, read.parts)
        rest = _prose_remark(read, deals) if not read.unread else None
        guess = Msg("bots.prose.both", first=guess, second=rest) if rest else guess
        return _with_unread(guess, read.unread)
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


def _open_offers(view: View, to: Seat, memory: Any) -> list[Offer]:
    """What the bot has offered the writer in this movement and has not agreed on yet."""
    if not memory:
        return []
    now = look_back({**view, "seat": to}, plain.load(EnvoyMemory, memory))
    writer = commitments.speaking_power(view, view["seat"])
    agreed = {deal.offer for deal in now.deals if deal.partner == writer}
    made = (text.partition(" ")[::2] for text in now.proposed)
    return [parse_offer(text) for power, text in made if power == writer and text not in agreed]


def _contains_all(offer: Offer, wished: Sequence[Offer]) -> bool:
    """Whether all that is wished for is in an offer."""
    parts = commitments.offer_parts(offer)
    return all(any(commitments.is_same_offer(each, part) for part in parts) for each in wished)


# Remarks


def _prose_remark(read: prose.ProseReading, deals: Sequence[AgreedDeal]) -> Msg | None:
    """What there is to say about the part of a letter that is no offer yet."""
    if read.choices:
        orders = tuple(order_name(parse_order(part.action)) for part in read.choices)
        return Msg("bots.prose.which", orders=orders)
    if read.remark == "standing" and deals:
        return Msg("bots.prose.holds", deals=tuple(map(_deal_words, deals)))
    if read.remark == "unclear":
        return NOT_READ if read.parts else None
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


def _wish_answers(view: View, to: Seat, wish: DividedWish, rest: Msg | None) -> Iterator[Msg]:
    if wish.agreed:
        yield Msg("bots.prose.agreed", what=tuple(map(wording.offer_words, wish.agreed)))
    if wish.parts:
        yield _offer_answer(view, to, wish, rest)
    elif rest is not None:
        yield rest


def _offer_answer(view: View, to: Seat, wish: DividedWish, rest: Msg | None) -> Msg:
    offer = composing.compose_offer(view, [to], wish.parts)  # it fills the form of an offer
    what = wording.message_words(parse_message(offer))
    zone = "_zone" if any(isinstance(each, Zone) for each in wish.offers) else ""
    if rest is not None and rest != NOT_READ:
        return Msg(f"bots.prose.partly{zone}", what=what, offer=offer, rest=rest)
    answer = Msg(f"bots.prose.understood{zone}", what=what, offer=offer)
    return Msg("bots.prose.both", first=answer, second=NOT_READ) if rest else answer


def _guess_answer(view: View, to: Seat, parts: Sequence[PromisePart]) -> Msg:
    """The offer that a letter may mean."""
    offer = composing.compose_offer(view, [to], parts)
    return Msg("bots.prose.perhaps", what=wording.message_words(parse_message(offer)), offer=offer)


# Letters without a clear wish


def unclear_answer(text: str) -> Msg:
    """The answer to a letter that is not understood, with the names and the kinds of promises in it."""
    marked = _marked_letter(text)
    kinds = [kind for kind in ("peace", "alliance", "draw") if says_phrase(marked, "wishes", kind)]
    places, powers = named_places(marked), named_powers(marked)
    named = (*map(power_name, powers), *map(place_name, places))
    if names := (*(Msg(f"bots.prose.about.{kind}") for kind in kinds), *named):
        return Msg("bots.prose.unclear_about", names=names)
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
    if before.parts and read.remark in ("answer", "asked"):
        return before
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
