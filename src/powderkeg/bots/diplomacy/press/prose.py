"""Simple sentences that people write to bots: peace, alliances, zones, supports, moves, draws.

A sentence becomes the promises of a formal offer, or nothing where it is not clear. It binds nobody:
the bot only says what it has understood, and the person decides whether to offer it. A wish that is not
seen costs one more letter; a wish that was never uttered would be a lie, so doubts decide against it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from powderkeg.bots.diplomacy.press import prose_frames, prose_orders
from powderkeg.bots.diplomacy.press.prose_account import (
    DOUBTS,
    KINDS,
    LACKING,
    MOST_LEFT,
    OF_WISHES,
    doubted_remark,
    doubts_of,
    idle_remark,
    leaves_choice,
    left_open,
    may_be_meant,
    opens_courteously,
    unknown_words,
)
from powderkeg.bots.diplomacy.press.prose_remarks import (
    OF_OTHERS,
    TAKES_BACK,
    is_about_more,
    says_more,
    sentence_remark,
)
from powderkeg.bots.diplomacy.press.prose_words import (
    ORDER_KINDS,
    TAG,
    is_about,
    is_between_us,
    is_negated,
    is_only_a_start,
    is_wish,
    lasting_wishes,
    named_places,
    named_powers,
    names_beside_peace,
    negated_remark,
    place_pronouns,
    says_phrase,
    sentence_clauses,
    spoken_sentences,
    without_phrases,
    zone_places,
)
from powderkeg.bots.envoy import PromisePart
from powderkeg.core.game import Seat, View

MOST_CHOICES = 4  # orders that a bot lists when it asks which one is meant
MOST_PARTS = 4  # promises of one offer
MOST_SENTENCES = 20  # that a bot reads: each is compared with many orders
PART_ORDER = ("peace", "alliance", "draw", "order", "zone")
ENDS_TALK = ("refused", "reproach", "no_offer")  # what was said before is no wish any more
TO_OTHERS = ("refused", "denied")  # after a sentence about others
MOODS = ("reproach", "threat", "thanks", "no_offer")  # answered only if the whole letter is in it
DOUBTING = {"trust", "refused", "past", "rumour", "answer", "terms"}  # beside a wish
VAGUE = ("unclear", "joke")
SAID_OF_US = ("answer", "terms", "trust", "pace", "help")  # where names tell of something more
IDLE = ("thanks", "no_offer")
MOST_CLAUSES = 12  # of a sentence that a bot reads


class ProseReading(NamedTuple):
    """What a letter wishes for: promises, or orders among which it does not decide; a remark on what
    could not be read, or on a letter without a wish, and one more of another sentence; its sentences that
    were not understood; whether the rest has parts that were not either; and whether it says little besides."""

    parts: tuple[PromisePart, ...] = ()
    choices: tuple[PromisePart, ...] = ()
    remark: str = ""
    also: str = ""
    unread: str = ""
    rest: bool = False
    sure: bool = True


def read_letter(view: View, to: Seat, text: str) -> ProseReading:
    """What a letter to one seat means, as far as that is clear."""
    marked = [(said, _address(view, to, words)) for said, words in spoken_sentences(text)]
    if len(marked) > MOST_SENTENCES:
        return ProseReading(remark="unclear")
    placed = place_pronouns([words for _, words in marked])
    spoken = {words: said for (said, _), words in zip(marked, placed, strict=True)}
    read = {each: _sentence_reading(view, to, each) for each in spoken}
    read = _with_completions(view, to, read)
    left = [each for each, reading in read.items() if _is_left(each, reading)]
    reading = _joined_reading(_after_refusal([*read.values()]))
    wished = reading.parts or reading.choices
    if not wished and reading.remark in (*MOODS, "unclear", ""):
        return ProseReading(remark=_mood_of(reading.remark, " ".join(spoken), left))
    if not left:
        return reading
    return reading._replace(unread=" ".join(spoken[each] for each in left), sure=False)


def _mood_of(remark: str, whole: str, left: Iterable[str]) -> str:
    """The remark on a letter that wishes for nothing, if it is in one mood."""
    lost = [each for each in left if idle_remark(each) == "unclear"]
    asked = any({"@", "#", "?"} & set(each) for each in lost)
    if asked or remark == "unclear":
        return "unclear"
    return remark if remark in MOODS else idle_remark(whole)


def _joined_reading(found: Sequence[ProseReading]) -> ProseReading:
    """What several sentences wish for together, and the first remarks on them."""
    parts = _sorted_parts(part for each in found for part in each.parts)
    rivals = prose_orders.rival_orders(parts)
    parts = tuple(part for part in parts if part not in rivals)
    choices = next((each.choices for each in found if each.choices), rivals)
    remark = _first_remark(found)
    if remark in ("joke", "no_offer"):
        remark = "" if parts or choices else "no_offer"
    remark = "too_many" if len(parts) > MOST_PARTS else remark
    told = {each.remark for each in found} <= {"", remark} - DOUBTING
    sure = told and all(each.sure for each in found)
    also, rest = _other_remarks(found, remark)
    rest = rest or any(each.rest for each in found)
    return ProseReading(parts[:MOST_PARTS], choices, remark, also, rest=rest, sure=sure)


def _sentence_reading(view: View, to: Seat, sentence: str) -> ProseReading:
    """What one sentence wishes for, and the first remark on it."""
    found = [*_read_sentence(view, to, sentence)]
    parts = tuple(part for each in found for part in each.parts)
    choices = next((each.choices for each in found if each.choices), ())
    lost = any(map(_is_lost, found))
    sure = not lost and all(each.sure for each in found)
    if "@" in sentence:  # a zone that has a name somewhere lacks none
        found = [
            each._replace(remark="unclear") if each.remark == "zone_where" else each
            for each in found
        ]
    remark = _first_remark(found)
    also, rest = _other_remarks(found, remark)
    read = bool(parts or choices) or remark not in ("", "unclear")
    rest = rest or any(each.rest for each in found) or (lost and read)
    return ProseReading(parts, choices, remark, also, rest=rest, sure=sure)


def _is_lost(reading: ProseReading) -> bool:
    """Whether nothing of a clause was understood."""
    empty = not (reading.parts or reading.choices or reading.sure)
    return reading.remark == "unclear" or (empty and not reading.remark)


def _with_completions(
    view: View, to: Seat, read: Mapping[str, ProseReading]
) -> dict[str, ProseReading]:
    """The readings, with what one sentence lacks taken from the next: ``Alliance? Against Austria.``"""
    completed = dict(read)
    for one, other in pairwise(read):
        first, second = read[one], read[other]
        remarks = {first.remark, second.remark}
        lacking = remarks & LACKING and remarks <= LACKING | {"", "unclear", "others"}
        if lacking and not (first.parts or second.parts or first.choices or second.choices):
            joined = _sentence_reading(view, to, f"{one.replace(' ? ', ' ')}{other[1:]}")
            if joined.parts and not joined.remark:
                completed |= {one: joined, other: joined}
    return completed


def _after_refusal(found: Iterable[ProseReading]) -> Sequence[ProseReading]:
    """What counts of several sentences: a refusal takes back what was said before it, and so does a mere no
    after a wish, which otherwise says nothing; a threat makes it doubtful. What others were refused is theirs."""
    counted: list[ProseReading] = []
    for each in found:
        if counted and counted[-1].remark in OF_OTHERS and each.remark in TO_OTHERS:
            continue
        wished = any(map(_has_wish, counted))
        if each.remark in ENDS_TALK or (wished and each.remark == "denied"):
            counted.clear()
        if each.remark == "threat":
            asked = (each for each in counted if _has_wish(each) or each.remark in LACKING)
            counted = [before._replace(sure=False) for before in asked]
        remark = each.remark if each.remark != "denied" else "unclear" if wished else ""
        counted.append(each._replace(remark=remark))
    return counted


def _has_wish(reading: ProseReading) -> bool:
    return bool(reading.parts or reading.choices)


def _is_left(sentence: str, reading: ProseReading) -> bool:
    """Whether nothing accounts for a sentence: no wish, no remark, no courtesy."""
    if reading.remark == "builds":
        return "#" in sentence or "if" in doubts_of(sentence)
    if reading.parts or reading.choices or reading.remark not in ("", "unclear"):
        return False
    left = left_open(sentence, ())
    courteous = opens_courteously(sentence) or idle_remark(sentence) != "unclear"
    if courteous:
        return len(left) > MOST_LEFT
    return bool(left) or prose_frames.asks_openly(sentence)


def _first_remark(found: Sequence[ProseReading]) -> str:
    """The first remark that says more than that something was not understood."""
    vague = next((each.remark for each in found if each.remark in VAGUE), "")
    return next(iter(_telling_remarks(found)), vague)


def _other_remarks(found: Sequence[ProseReading], first: str) -> tuple[str, bool]:
    """Another remark that says something, as a letter may ask for several things; and whether there are more."""
    told = [each for each in _telling_remarks(found) if each not in (first, *IDLE)]
    return (told[0] if told else ""), len(told) > 1


def _telling_remarks(found: Sequence[ProseReading]) -> list[str]:
    """The remarks that say something, each once."""
    zoned = any(part.places for each in found for part in each.parts)
    known = ("", *VAGUE, "zone_where" if zoned else "")
    told = (remark for each in found for remark in (each.remark, each.also))
    return [remark for remark in dict.fromkeys(told) if remark not in known]


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


# Sentences


def _read_sentence(view: View, to: Seat, whole: str) -> Iterator[ProseReading]:
    sentence = prose_frames.without_time(whole)
    if sentence.split() != whole.split():
        yield ProseReading(remark="unclear", sure=False)
    clauses = sentence_clauses(sentence)
    remark = "unclear" if len(clauses) > MOST_CLAUSES else sentence_remark(sentence)
    if remark:
        yield from _settled_readings(view, to, sentence, remark)
        return
    found = [*_read_clauses(view, to, clauses, other_turn=_is_later(view, sentence))]
    if leaves_choice(sentence) and any(map(_is_open, found)):
        found = [ProseReading(remark="either")]
    if "if" in doubts_of(sentence) and not all(each.parts for each in found):
        found = [_without_orders(each) for each in found]
    yield from found


_BUT = re.compile(r" (?=(?:but|pero|ma) )")
_CONTRASTS = re.compile(r",|(?= (?:but|pero|ma) )")


def _settled_readings(view: View, to: Seat, sentence: str, remark: str) -> Iterator[ProseReading]:
    """A remark that settles a sentence, and what stands on the other side of a *but*."""
    if remark not in VAGUE and is_about_more(sentence, remark):
        yield ProseReading(remark="unclear")
        return
    named = remark in SAID_OF_US and {"@", "#"} & set(sentence)
    yield ProseReading(remark=remark, rest=bool(named) or says_more(sentence, remark))
    sides = [f" {side.strip()} " for side in _BUT.split(sentence)]
    other = _is_later(view, sentence)
    for side in sides if len(sides) > 1 and remark not in (*VAGUE, *TAKES_BACK) else ():
        if not sentence_remark(side):
            for each in _read_clauses(view, to, sentence_clauses(side), other_turn=other):
                yield each._replace(sure=False)


def _read_clauses(
    view: View, to: Seat, clauses: Sequence[str], *, other_turn: bool
) -> Iterator[ProseReading]:
    """What the clauses of a sentence wish for; one that lacks something is read with the next."""
    promised = False
    while clauses:
        clause, *clauses = clauses
        reading = _clause_reading(view, to, clause, other_turn=other_turn)
        if clauses and reading.remark in LACKING and not reading.parts:
            whole = f"{clause.rstrip()}{clauses[0]}"
            joined = _clause_reading(view, to, whole, other_turn=other_turn)
            if _completes(joined, reading.remark):
                reading, clauses = joined, clauses[1:]
        if promised and reading.remark == "negative" and _is_echo(clause):
            reading = ProseReading(sure=False)
        promised = promised or bool(reading.parts)
        yield reading


def _completes(joined: ProseReading, lacking: str) -> bool:
    """Whether a clause lacks nothing any more beside the next one: both units of a bounce may be named."""
    return bool(joined.parts and joined.sure and not joined.remark) or (
        lacking == "bounce_which" and joined.remark != lacking
    )


def _clause_reading(view: View, to: Seat, clause: str, *, other_turn: bool) -> ProseReading:
    later = other_turn and not says_phrase(clause, "remarks", "this_turn")
    return _doubted_reading(clause, _read_clause(view, to, clause, later=later))


def _is_open(reading: ProseReading) -> bool:
    """Whether a reading would say what is wished, if the letter did not name two things."""
    return bool(reading.parts) or reading.remark in LACKING | {"third", "one_sided", "negative"}


def _without_orders(reading: ProseReading) -> ProseReading:
    """A guess beside a condition that nobody can promise, on which no order is given."""
    parts = tuple(part for part in reading.parts if part.kind != "order")
    return reading._replace(parts=parts, sure=False)


def _doubted_reading(clause: str, reading: ProseReading) -> ProseReading:
    """A reading as far as its clause is accounted for: what is only guessed is not sure."""
    if not (reading.parts or reading.choices):
        remark = doubted_remark(clause, reading.remark)
        timeless = without_phrases(clause, "remarks", "elsewhen")
        halved = len(named_places(clause)) > 1 and "if" in doubts_of(clause)
        rest = remark in OF_WISHES and (halved or bool(unknown_words(timeless, KINDS)))
        if rest and remark in LACKING:
            return ProseReading(remark=remark, rest=True, sure=False)
        settled = bool(remark) or opens_courteously(clause) or not left_open(clause, ())
        return ProseReading(remark=remark, rest=rest, sure=settled)
    if reading.parts and says_phrase(clause, "small", "by_myself"):
        return ProseReading(remark="refused" if says_phrase(clause, "small", "not") else "unclear")
    left = left_open(clause, reading.parts or reading.choices)
    if not left:
        return reading
    if not reading.parts:
        spoilt = len(left) > 1 or not left[0].isalpha() or left[0] in DOUBTS
        return ProseReading(remark="unclear") if spoilt else reading._replace(sure=False)
    kept = tuple(part for part in reading.parts if may_be_meant(clause, part, reading.parts))
    unnamed = kept != reading.parts or any(each.startswith("@") for each in left)
    remark = (kept and reading.remark) or ("unclear" if unnamed else "")
    return ProseReading(kept, remark=remark, rest=len(left) > MOST_LEFT, sure=False)


def _is_echo(clause: str) -> bool:
    """Whether a clause without names only returns what the one before it promised: ``if you don't``."""
    return not {"@", "#"} & set(clause)


def _is_later(view: View, sentence: str) -> bool:
    """Whether a sentence speaks of another turn than this one."""
    other = "fall" if view["season"] == "spring" else "spring"
    return any(says_phrase(sentence, "remarks", each) for each in ("elsewhen", other))


def _read_clause(view: View, to: Seat, clause: str, *, later: bool) -> ProseReading:
    if not is_wish(clause):
        return ProseReading()
    if says_phrase(clause, "small", "one_sided"):
        return ProseReading(remark="one_sided")
    if says_phrase(clause, "small", "bounce_you"):
        if named_powers(clause):
            return ProseReading(remark="others")
        spared = says_phrase(clause, "small", "not")
        return ProseReading(remark="one_sided" if spared else "threat")
    if negated := [part for part in _CONTRASTS.split(TAG.sub(" ", clause)) if is_negated(part)]:
        elsewhere = all("@" in part and not is_wish(part) for part in negated)
        return ProseReading(remark="unclear" if elsewhere else negated_remark(clause))
    parts, remark = _lasting_parts(view, to, clause)
    named = bool(named_places(clause)) and not any(part.places for part in parts)
    if parts and not remark and named and is_about(clause, "centres"):
        remark = "centres"
    if parts or remark:
        return ProseReading(parts, remark=remark)
    return _read_order(view, to, clause, later=later)


# Promises that last


def _lasting_parts(view: View, to: Seat, clause: str) -> tuple[tuple[PromisePart, ...], str]:
    """Peace, alliance, zone and draw in a clause, and what is missing for one of them."""
    wishes = lasting_wishes(clause)
    places, others = tuple(zone_places(clause)), _other_seats(view, clause)
    parts: list[PromisePart] = []
    remark = ""
    if "draw" in wishes:
        parts.append(PromisePart("draw"))
    if "zone" in wishes:
        shared = [place for place in places if not _is_at_home(view, to, clause, place)]
        parts += _zone_parts(view, to, shared)
        lost = "unclear" if named_places(clause) else "zone_where"
        remark = "" if shared else "negative" if places else lost
    if wishes & {"alliance", "attack_together"}:
        joined = says_phrase(clause, "small", "against") or "attack_together" in wishes
        partners = prose_frames.named_partners(clause)
        others = tuple(seat for seat in others if seat not in partners)
        joined = joined and (len(others) < 2 or prose_frames.lists_powers(clause))
        parts += [PromisePart("alliance", against=others)] if others and joined else []
        full = bool(others) and joined and not partners
        remark = remark or ("" if full else "third" if others else "against_whom")
    if "peace" in wishes:
        apart = any(part.against == others for part in parts) or not names_beside_peace(clause)
        with_other = says_phrase(clause, "small", "with_other")
        direct = not others or is_between_us(clause) or (apart and not with_other)
        parts += [PromisePart("peace")] if direct else []
        remark = remark or ("" if direct else "third")
    return tuple(parts), remark


def _zone_parts(view: View, to: Seat, places: Sequence[str]) -> list[PromisePart]:
    """A zone; but not to attack what one side owns, and would not leave, is peace."""
    powers = [power for seat in (view["seat"], to) for power in view["seats"][seat]["powers"]]
    owned = {place for power in powers for place in view["centres"].get(power, ())}
    empty = tuple(place for place in places if place not in owned)
    zone = [PromisePart("zone", places=empty)] if empty else []
    return [*([PromisePart("peace")] if len(empty) < len(places) else []), *zone]


def _is_at_home(view: View, to: Seat, clause: str, place: str) -> bool:
    """Whether one side shall keep out of its own centre, which is no wish for peace."""
    mine, yours = (says_phrase(clause, "small", by) for by in ("by_me", "by_you"))
    alone = mine != yours or prose_frames.forbids(clause)
    owners = [power for power, centres in view["centres"].items() if place in centres]
    meant = view["seat"] if mine and not yours else to
    return alone and bool(set(owners) & set(view["seats"][meant]["powers"]))


def _other_seats(view: View, clause: str) -> tuple[Seat, ...]:
    """The third parties that a clause names."""
    powers = set(named_powers(clause))
    return tuple(seat for seat, known in view["seats"].items() if set(known["powers"]) & powers)


# Orders


def _read_order(view: View, to: Seat, clause: str, *, later: bool) -> ProseReading:
    kind = next((each for each in ORDER_KINDS if is_about(clause, each)), "")
    if kind == "centres" and prose_orders.names_moves(clause):
        kind = "move"
    if kind in ("convoy", "centres"):
        return ProseReading(remark=kind)
    if later:
        return ProseReading(remark="this_turn")
    if not named_places(clause):
        return ProseReading(remark=f"{kind}_which" if kind in ("support", "bounce") else "")
    conditional = kind == "move" and prose_frames.opens_with_condition(clause)
    if conditional or says_phrase(clause, "remarks", "reported"):
        return ProseReading(remark="unclear")
    if kind == "move" and (is_only_a_start(clause) or prose_orders.goes_nowhere(view, to, clause)):
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
    orders = search(view, to, clause)
    found = [PromisePart("order", action=str(order)) for order in orders]
    if kind == "move" and prose_orders.are_all_moves(orders, clause):
        return ProseReading(tuple(found))
    if kind == "move" and not found and (listed := prose_orders.listed_moves(view, to, clause)):
        return ProseReading(tuple(PromisePart("order", action=str(order)) for order in listed))
    if not found:
        return ProseReading(remark=prose_orders.missing_remark(view, to, clause, kind))
    if named_powers(clause) and f"@{found[0].action[2:5]}" not in clause:
        return ProseReading(remark="third")
    if len(found) == 1:
        return ProseReading(tuple(found))
    if len(found) > MOST_CHOICES:
        return ProseReading(remark=f"{'support' if kind == 'support' else 'order'}_which")
    return ProseReading(choices=tuple(found))
