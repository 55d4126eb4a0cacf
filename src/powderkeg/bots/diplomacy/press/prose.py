"""Simple sentences that people write to bots: peace, alliances, zones, supports, moves, draws.

A sentence becomes the promises of a formal offer, or nothing where it is not clear. It binds nobody:
the bot only says what it has understood, and the person decides whether to offer it. A wish that is not
seen costs one more letter; a wish that was never uttered would be a lie, so doubts decide against it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from powderkeg.bots.diplomacy.press import prose_orders
from powderkeg.bots.diplomacy.press.prose_words import (
    from_phrase,
    is_only_a_start,
    is_wish,
    marked_sentences,
    named_places,
    named_powers,
    opens_with,
    says_phrase,
    sentence_clauses,
    without_phrases,
)
from powderkeg.bots.envoy import PromisePart
from powderkeg.core.game import Seat, View
from powderkeg.games.diplomacy.board import CENTRES

MOST_CHOICES = 4  # orders that a bot lists when it asks which one is meant
MOST_PARTS = 4  # promises of one offer
MOST_SENTENCES = 20  # that a bot reads: each is compared with many orders
PART_ORDER = ("peace", "alliance", "draw", "order", "zone")
SHORT_ANSWER = 5  # words of a letter that can be a mere yes or no


class ProseReading(NamedTuple):
    """What a letter wishes for: promises, or orders among which it does not decide, and a remark on
    what could not be read, or on a letter without a wish."""

    parts: tuple[PromisePart, ...] = ()
    choices: tuple[PromisePart, ...] = ()
    remark: str = ""


def read_letter(view: View, to: Seat, text: str) -> ProseReading:
    """What a letter to one seat means, as far as that is clear."""
    sentences = [_address(view, to, each) for each in marked_sentences(text)]
    whole = " ".join(sentences)
    if remark := _whole_remark(whole):
        return ProseReading(remark=remark)
    wishes = [*dict.fromkeys(sentences)]
    if len(wishes) > MOST_SENTENCES:
        return ProseReading(remark="unclear")
    found = [reading for each in wishes for reading in _read_sentence(view, to, each)]
    parts = _sorted_parts(part for each in found for part in each.parts)
    choices = next((each.choices for each in found if each.choices), ())
    remark = _first_remark(found)
    if len(parts) > MOST_PARTS:
        parts, remark = parts[:MOST_PARTS], "too_many"
    if parts or choices or remark:
        return ProseReading(parts, choices, remark)
    return ProseReading(remark=_idle_remark(whole))


def _first_remark(found: Iterable[ProseReading]) -> str:
    """The first remark that says more than that something was not understood."""
    remarks = [each.remark for each in found if each.remark]
    return next((each for each in remarks if each != "unclear"), remarks[0] if remarks else "")


def _sorted_parts(parts: Iterable[PromisePart]) -> tuple[PromisePart, ...]:
    """The parts in the order in which they are best read, with all zones as one at the end."""
    listed = sorted(dict.fromkeys(parts), key=lambda part: PART_ORDER.index(part.kind))
    places = tuple(dict.fromkeys(place for part in listed for place in part.places))
    zones = [PromisePart("zone", places=places)] if places else []
    return (*(part for part in listed if part.kind != "zone"), *zones)


def _address(view: View, to: Seat, sentence: str) -> str:
    """A sentence with `you` and `me` in place of the names of both sides."""
    names = dict.fromkeys(view["seats"][view["seat"]]["powers"], "me")
    names |= dict.fromkeys(view["seats"][to]["powers"], "you")
    return re.sub(r"#([A-Z]+)", lambda found: names.get(found[1], found[0]), sentence)


def _whole_remark(words: str) -> str:
    """A remark that settles the whole letter: mockery, reproach, refusal, war, a yes."""
    if says_phrase(words, "remarks", "reproach"):
        return "reproach"
    plain = _without_kind_no(words)
    for remark in ("threat", "refused"):
        if says_phrase(plain, "remarks", remark):
            return remark
    if is_wish(words) and says_phrase(plain, "remarks", "joking"):
        return "no_offer"
    asked = words.endswith(" ? ") or says_phrase(words, "remarks", "standing")
    return "answer" if says_phrase(words, "remarks", "accepted") and not asked else ""


def _without_kind_no(words: str) -> str:
    """The words without those in which a no means a yes: do not attack me; why not?"""
    for part, meaning in (("small", "why_not"), ("wishes", "peace"), ("wishes", "zone")):
        words = without_phrases(words, part, meaning)
    return re.sub(r" (?:ni|nor|ne) (?=@)| , (?:no|non|eh) (?:\? )?$", " ", words)


IDLE_REMARKS = ("insult", "chat", "sorry", "thanks", "goodbye", "luck", "greeting")
LONGEST_GREETING = 14  # words: a longer letter, or one with names, says something that was not read


def _idle_remark(words: str) -> str:
    """The remark on a letter without any wish."""
    count, names = len(words.split()), {"@", "#"} & set(words)
    for remark in IDLE_REMARKS[: 3 if names or count > LONGEST_GREETING else None]:
        if says_phrase(words, "remarks", remark):
            return remark
    if count <= SHORT_ANSWER and not names and opens_with(words, "remarks", "agreed"):
        return "answer"
    return "unclear"


# Sentences

QUESTIONS = ("standing", "rumour", "trust", "advice", "plans", "secrets", "help", "opening")
ASKED_OF_OTHERS = re.compile(
    r" (?:did|has|have|is|does|will|what|why|where|y|e|esta|va|ha|sta) (?:\S+ )?#"
)
UNDECIDED = re.compile(r"#[A-Z]+ (?:, )?(?:or|o|oppure) .*#")  # against this power or that
# A sentence about what another power does or wants: ``England wants peace``, ``tell Italy to move``.
OTHER_SUBJECT = re.compile(
    r" (?:tell |ask |dile a |di a |di all |di alla |the |la |l )?#[A-Z]+ "
    r"(?:\w+ed|wants|want|asks|offers|says|said|told|will|is|has|moves|supports|attacks|to|quiere|dice|me|"
    r"ofrece|va|esta|ha|que|mueve|apoya|ataca|vuole|mi|offre|sta|di|muove|appoggia|attacca)\b"
)


def _read_sentence(view: View, to: Seat, sentence: str) -> Iterator[ProseReading]:
    if remark := _sentence_remark(sentence):
        yield ProseReading(remark=remark)
        return
    later = _is_later(view, sentence)
    for clause in sentence_clauses(sentence):
        yield _read_clause(view, to, clause, later=later)


def _sentence_remark(sentence: str) -> str:
    """A remark that settles one sentence: a question, or a word about somebody else."""
    if ASKED_OF_OTHERS.match(sentence):
        return "secrets"
    for remark in QUESTIONS:
        words = _without_kind_no(sentence) if remark == "plans" else sentence
        if says_phrase(words, "remarks", remark):
            return remark
    if says_phrase(sentence, "remarks", "warning") and not _lasting_wishes(sentence):
        return "threat"
    if not is_wish(sentence):
        return "terms" if says_phrase(sentence, "remarks", "terms") else ""
    if OTHER_SUBJECT.match(sentence):
        return "third"
    return "unclear" if says_phrase(sentence, "remarks", "unsure") else ""


def _is_later(view: View, sentence: str) -> bool:
    """Whether a sentence speaks of another turn than this one."""
    other = "fall" if view["season"] == "spring" else "spring"
    return any(says_phrase(sentence, "remarks", each) for each in ("elsewhen", other))


def _read_clause(view: View, to: Seat, clause: str, *, later: bool) -> ProseReading:
    if not is_wish(clause):
        return ProseReading()
    if says_phrase(clause, "small", "one_sided"):
        return ProseReading(remark="one_sided")
    if says_phrase(_without_kind_no(clause), "small", "not"):
        return ProseReading(remark="negative")
    parts, remark = _lasting_parts(view, clause)
    if parts or remark:
        return ProseReading(parts, remark=remark)
    return _read_order(view, to, clause, later=later)


# Promises that last


def _lasting_parts(view: View, clause: str) -> tuple[tuple[PromisePart, ...], str]:
    """Peace, alliance, zone and draw in a clause, and what is missing for one of them."""
    wishes = _lasting_wishes(clause)
    places, others = tuple(_zone_places(clause)), _other_seats(view, clause)
    parts: list[PromisePart] = []
    remark = ""
    if "draw" in wishes:
        parts.append(PromisePart("draw"))
    if "zone" in wishes:
        parts += _zone_parts(view, places)
        remark = "" if places else "zone_where"
    if wishes & {"alliance", "attack_together"}:
        joined = says_phrase(clause, "small", "against") or "attack_together" in wishes
        others = () if UNDECIDED.search(clause) else others
        parts += [PromisePart("alliance", against=others)] if others and joined else []
        remark = remark or ("" if others and joined else "third" if others else "against_whom")
    if "peace" in wishes:
        direct = not others or _is_between_us(clause)
        parts += [PromisePart("peace")] if direct else []
        remark = remark or ("" if direct or parts else "third")
    return tuple(parts), remark


def _zone_parts(view: View, places: Sequence[str]) -> list[PromisePart]:
    """A zone; but not to attack what one side owns, and would not leave, is peace."""
    owned = {place for centres in view["centres"].values() for place in centres}
    empty = tuple(place for place in places if place not in owned)
    zone = [PromisePart("zone", places=empty)] if empty else []
    return [*([PromisePart("peace")] if len(empty) < len(places) else []), *zone]


def _zone_places(clause: str) -> list[str]:
    """The places of a zone: those named with it or after it, or else any."""
    return named_places(from_phrase(clause, "wishes", "zone")) or named_places(clause)


def _lasting_wishes(words: str) -> set[str]:
    kinds = ("peace", "zone", "alliance", "attack_together", "draw")
    return {each for each in kinds if says_phrase(words, "wishes", each)}


def _is_between_us(clause: str) -> bool:
    """Whether a clause that names others speaks of both sides alone."""
    return says_phrase(clause, "small", "us") and not says_phrase(clause, "small", "with_other")


def _other_seats(view: View, clause: str) -> tuple[Seat, ...]:
    """The third parties that a clause names."""
    powers = set(named_powers(clause))
    return tuple(seat for seat, known in view["seats"].items() if set(known["powers"]) & powers)


# Orders


ORDER_KINDS = ("convoy", "support", "bounce", "hold", "centres", "move")


def _is_about(clause: str, kind: str) -> bool:
    """Whether a clause wishes for something of this kind; ``I take the Channel`` shares out no centre."""
    places = set(named_places(clause))
    seas = kind == "centres" and places and not places & set(CENTRES)
    return not seas and says_phrase(clause, "wishes", kind)


def _read_order(view: View, to: Seat, clause: str, *, later: bool) -> ProseReading:
    kind = next((each for each in ORDER_KINDS if _is_about(clause, each)), "")
    if kind in ("convoy", "centres"):
        return ProseReading(remark=kind)
    if later:
        return ProseReading(remark="this_turn")
    if not named_places(clause):
        return ProseReading(remark=f"{kind}_which" if kind in ("support", "bounce") else "")
    conditional = kind == "move" and clause.startswith((" if ", " si ", " se "))
    if conditional or says_phrase(clause, "remarks", "reported"):
        return ProseReading(remark="unclear")
    if kind == "move" and is_only_a_start(clause):
        return ProseReading(remark="order_which")
    if kind == "bounce":
        return _read_bounce(view, to, clause)
    if not kind:
        return ProseReading(remark="unclear")
    return _read_named(view, to, clause, kind)


def _read_bounce(view: View, to: Seat, clause: str) -> ProseReading:
    """A bounce: both sides move to one place, each with the only unit that can."""
    sides = prose_orders.named_bounce(view, to, clause)
    if not all(sides):
        return ProseReading(remark="no_such_order")
    if any(len(orders) > 1 for orders in sides):
        return ProseReading(remark="bounce_which")
    return ProseReading(tuple(PromisePart("order", action=str(order)) for (order,) in sides))


def _read_named(view: View, to: Seat, clause: str, kind: str) -> ProseReading:
    search = {
        "support": prose_orders.named_supports,
        "hold": prose_orders.named_holds,
        "move": prose_orders.named_moves,
    }[kind]
    found = [PromisePart("order", action=str(order)) for order in search(view, to, clause)]
    if not found:
        return ProseReading(remark="no_such_order")
    if named_powers(clause) and f"@{found[0].action[2:5]}" not in clause:
        return ProseReading(remark="third")
    if len(found) == 1:
        return ProseReading(tuple(found))
    if len(found) > MOST_CHOICES:
        return ProseReading(remark=f"{'support' if kind == 'support' else 'order'}_which")
    return ProseReading(choices=tuple(found))
