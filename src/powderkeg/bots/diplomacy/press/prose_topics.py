"""What a letter is about where it says no clear wish: by its names, or by the letter before it."""

import re
from collections.abc import Iterator, Sequence

from powderkeg.bots.diplomacy.press import composing, prose, prose_orders, wording
from powderkeg.bots.diplomacy.press.prose_words import (
    SHORT_ANSWER,
    lasting_wishes,
    named_places,
    named_powers,
    says_phrase,
    spoken_sentences,
)
from powderkeg.bots.envoy import PromisePart
from powderkeg.core.errors import RulesError
from powderkeg.core.game import Seat, View
from powderkeg.core.words import Msg
from powderkeg.games.diplomacy.words import place_name, power_name

MOST_TOPICS = 2  # places about which a bot lists what could be agreed on
LONGEST_CHOICE = 8  # words of a letter that only chooses between orders
_ORDINALS = (
    re.compile(r" (?:first|former|primer[oa]?|prim[oa]|1|1st) "),
    re.compile(r" (?:second|latter|segund[oa]|second[oa]|2|2nd) "),
)


def unclear_answer(view: View, to: Seat, text: str) -> Msg:
    """The answer to a letter without a clear wish: what could be agreed on where it names places."""
    marked = _marked_letter(text)
    places = named_places(marked)
    others = [p for p in named_powers(marked) if p not in _both_powers(view, to)]
    kinds = _named_kinds(marked)
    names = (*kinds.values(), *map(power_name, others), *map(place_name, places))
    ordered = len(marked.split()) <= SHORT_ANSWER or _is_of_orders(marked)
    few = len(places) <= MOST_TOPICS
    options = tuple(_place_options(view, to, places, ordered=ordered)) if few else ()
    if not names[len(kinds) :]:
        options = tuple(
            _part_options(
                view, to, [PromisePart(kind) for kind in kinds if kind in ("peace", "draw")]
            )
        )
    if options and not others:
        return Msg("bots.prose.topic", names=names, options=options)
    if others and not (places or kinds):
        return Msg("bots.prose.topic_powers", names=names)
    if names:
        return Msg("bots.prose.unclear_names", names=names)
    return Msg(f"bots.prose.{'no_answer' if marked.endswith(' ? ') else 'unclear'}")


def _named_kinds(marked: str) -> dict[str, Msg]:
    """The promises that a letter has words for, in words."""
    kinds = ("peace", "alliance", "draw", "support")
    found = [kind for kind in kinds if says_phrase(marked, "wishes", kind)]
    found = [kind for kind in found if kind != "support" or "@" in marked]
    return {kind: Msg(f"bots.prose.about.{kind}") for kind in found}


def _marked_letter(text: str) -> str:
    return " ".join(sentence for _, sentence in spoken_sentences(text))


def _both_powers(view: View, to: Seat) -> list[str]:
    return [power for seat in (view["seat"], to) for power in view["seats"][seat]["powers"]]


def _is_of_orders(marked: str) -> bool:
    """Whether a letter wishes for orders of any kind, and not that something is left undone."""
    kinds = ("move", "support", "bounce", "hold")
    wished = any(says_phrase(marked, "wishes", kind) for kind in kinds)
    return wished and not lasting_wishes(marked) and not says_phrase(marked, "small", "not")


def _place_options(view: View, to: Seat, places: Sequence[str], *, ordered: bool) -> Iterator[Msg]:
    """What the two could promise about places: a zone where nobody is at home, and peace where
    somebody is; and, where a letter may be about orders, units that stay, and moves."""
    owned = {place for centres in view["centres"].values() for place in centres}
    free = tuple(place for place in places if place not in owned)
    lasting = [PromisePart("zone", places=free)] if free else []
    lasting += [PromisePart("peace")] if len(free) < len(places) else []
    orders = [
        *(order for p in places for order in prose_orders.named_holds(view, to, f" @{p} ")),
        *(
            order
            for place in free
            for seat in (to, view["seat"])
            for order in prose_orders.moves_to(view, seat, place)
        ),
    ]
    listed = [PromisePart("order", action=str(order)) for order in orders[: prose.MOST_CHOICES]]
    yield from _part_options(view, to, [*lasting, *listed] if ordered else lasting)


def _part_options(view: View, to: Seat, parts: Sequence[PromisePart]) -> Iterator[Msg]:
    """The promises of some that can be offered, in words."""
    for part in parts:
        try:
            (offer,) = composing.part_offers(view, [to], [part])
        except RulesError:
            continue
        yield wording.offer_words(offer)


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
    if before.remark in prose.LACKING:
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
