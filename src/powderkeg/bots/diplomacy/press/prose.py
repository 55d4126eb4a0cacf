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
from powderkeg.bots.diplomacy.press.prose_words import (
    from_phrase,
    is_only_a_start,
    is_wish,
    named_places,
    named_powers,
    opens_with,
    place_pronouns,
    says_phrase,
    sentence_clauses,
    spoken_sentences,
    without_phrases,
)
from powderkeg.bots.envoy import PromisePart
from powderkeg.core.game import Seat, View
from powderkeg.games.diplomacy.board import CENTRES

MOST_CHOICES = 4  # orders that a bot lists when it asks which one is meant
MOST_PARTS = 4  # promises of one offer
MOST_SENTENCES = 20  # that a bot reads: each is compared with many orders
PART_ORDER = ("peace", "alliance", "draw", "order", "zone")
TAKES_BACK = ("threat", "refused")
ENDS_TALK = (
    *TAKES_BACK,
    "reproach",
    "no_offer",
)  # what was said before one of these is no wish any more
# Remarks that an offer in the same letter makes needless
BACKGROUND = ("others", "past", "builds")
# What a sentence may lack and another may have
LACKING = frozenset(("against_whom", "zone_where", "support_which", "order_which", "bounce_which"))
SHORT_ANSWER = 5  # words of a letter that can be a mere yes or no


class ProseReading(NamedTuple):
    """What a letter wishes for: promises, or orders among which it does not decide; a remark on what
    could not be read, or on a letter without a wish; and its first sentence that was not understood."""

    parts: tuple[PromisePart, ...] = ()
    choices: tuple[PromisePart, ...] = ()
    remark: str = ""
    unread: str = ""


def read_letter(view: View, to: Seat, text: str) -> ProseReading:
    """What a letter to one seat means, as far as that is clear."""
    marked = [(said, _address(view, to, words)) for said, words in spoken_sentences(text)]
    if len(marked) > MOST_SENTENCES:
        return ProseReading(remark="unclear")
    placed = place_pronouns([words for _, words in marked])
    spoken = {words: said for (said, _), words in zip(marked, placed, strict=True)}
    whole = " ".join(spoken)
    read = {each: _sentence_reading(view, to, each) for each in spoken}
    read = _with_completions(view, to, read)
    found = _after_refusal([*read.values()])
    parts = _sorted_parts(part for each in found for part in each.parts)
    choices = next((each.choices for each in found if each.choices), ())
    remark = _first_remark(found)
    if remark == "joke":
        remark = "" if parts or choices else "no_offer"
    if len(parts) > MOST_PARTS:
        parts, remark = parts[:MOST_PARTS], "too_many"
    if remark in BACKGROUND and (parts or choices):
        remark = ""
    if not (parts or choices or remark):
        return ProseReading(remark=_idle_remark(whole))
    lost = [spoken[each] for each, reading in read.items() if _is_lost(each, reading)]
    return ProseReading(parts, choices, remark, lost[0] if lost and remark != "unclear" else "")


def _sentence_reading(view: View, to: Seat, sentence: str) -> ProseReading:
    """What one sentence wishes for, and the first remark on it."""
    found = [*_read_sentence(view, to, sentence)]
    parts = tuple(part for each in found for part in each.parts)
    choices = next((each.choices for each in found if each.choices), ())
    return ProseReading(parts, choices, _first_remark(found))


def _with_completions(
    view: View, to: Seat, read: Mapping[str, ProseReading]
) -> dict[str, ProseReading]:
    """The readings, with what one sentence lacks taken from the next: ``Alliance? Against Austria.``"""
    completed = dict(read)
    for one, other in pairwise(read):
        first, second = read[one], read[other]
        lacking = {first.remark, second.remark} & LACKING
        if lacking and not (first.parts or second.parts or first.choices or second.choices):
            joined = _sentence_reading(view, to, f"{one.replace(' ? ', ' ')}{other[1:]}")
            if joined.parts and not joined.remark:
                completed |= {one: joined, other: joined}
    return completed


def _after_refusal(found: Sequence[ProseReading]) -> Sequence[ProseReading]:
    """What counts of several sentences: a refusal takes back what was said before it."""
    last = max((at for at, each in enumerate(found) if each.remark in ENDS_TALK), default=0)
    return found[last:]


def _is_lost(sentence: str, reading: ProseReading) -> bool:
    """Whether a sentence of some length was not understood at all, not even as small talk."""
    nothing = not reading.parts and not reading.choices and reading.remark in ("", "unclear")
    long = len(sentence.split()) > SHORT_ANSWER or "#" in sentence or "@" in sentence
    return nothing and long and _idle_remark(sentence) == "unclear"


def _first_remark(found: Iterable[ProseReading]) -> str:
    """The first remark that says more than that something was not understood."""
    remarks = [each.remark for each in found if each.remark]
    vague = ("unclear", "joke")
    return next((each for each in remarks if each not in vague), remarks[0] if remarks else "")


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


def _is_joke(sentence: str) -> bool:
    """Whether a sentence mocks: a short one what was said before it, a long one what it says itself."""
    short = len(sentence.split()) <= SHORT_ANSWER and not says_phrase(sentence, "remarks", "chat")
    return (short or is_wish(sentence)) and says_phrase(
        _without_kind_no(sentence), "remarks", "joking"
    )


def _stance_remark(sentence: str) -> str:
    """Reproach, refusal, war, or a yes."""
    if says_phrase(sentence, "remarks", "reproach") or prose_frames.asks_why(sentence):
        return "reproach"
    plain = _without_kind_no(sentence)
    if prose_frames.refuses_deal(plain):
        return "refused"
    for remark in TAKES_BACK:
        elsewhere = remark == "threat" and prose_frames.aims_elsewhere(plain)
        if says_phrase(plain, "remarks", remark) and not elsewhere:
            return "threat" if sentence.startswith((" if ", " si ", " se ")) else remark
    asked = sentence.endswith(" ? ") or says_phrase(sentence, "remarks", "standing")
    asked = asked or (bool(_lasting_wishes(sentence)) and prose_frames.sets_terms(sentence))
    return "answer" if says_phrase(sentence, "remarks", "accepted") and not asked else ""


TAG = re.compile(r" , (?:no|non|eh) (?:\? )?$")  # peace, no?


def _without_kind_no(words: str) -> str:
    """The words without those in which a no means a yes: do not attack me; why not?"""
    kind = (("small", "why_not"), ("wishes", "peace"), ("wishes", "zone"), ("wishes", "hold"))
    for part, meaning in kind:
        words = without_phrases(words, part, meaning)
    words = prose_frames.without_kept_out(words)
    return TAG.sub(" ", re.sub(r" (?:ni|nor|ne) (?=@)", " ", words))


IDLE_REMARKS = (
    "insult",
    "chat",
    "sorry",
    "hesitant",
    "pact_which",
    "asked",
    "thanks",
    "goodbye",
    "luck",
    "greeting",
)
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

QUESTIONS = ("standing", "rumour", "terms", "plans", "secrets", "help", "opening")
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
    other_turn = _is_later(view, sentence)
    promised = False
    for clause in sentence_clauses(sentence):
        later = other_turn and not says_phrase(clause, "remarks", "this_turn")
        reading = _read_clause(view, to, clause, later=later)
        if not (promised and reading.remark == "negative" and _is_echo(clause)):
            yield reading
        promised = promised or bool(reading.parts)


def _is_echo(clause: str) -> bool:
    """Whether a clause without names only returns what the one before it promised: ``if you don't``."""
    return not {"@", "#"} & set(clause)


def _sentence_remark(sentence: str) -> str:
    """A remark that settles one sentence: a question, a stance, or a word about somebody else."""
    if _is_joke(sentence):
        return "no_offer" if len(sentence.split()) <= SHORT_ANSWER else "joke"
    for remark in ("advice", "trust", "pace"):
        if says_phrase(sentence, "remarks", remark):
            return remark
    if prose_frames.takes_as_war(sentence):
        return "threat"
    if prose_frames.refers_to_offer(sentence):
        return "answer"
    if remark := _stance_remark(sentence) or _asked_remark(sentence):
        return remark
    aimed = not _has_promise(sentence) and not prose_frames.aims_elsewhere(sentence)
    if aimed and says_phrase(sentence, "remarks", "warning"):
        return "threat"
    if prose_frames.tells_of_your_past(sentence) and not _lasting_wishes(sentence):
        return "reproach"
    if not is_wish(sentence):
        return _told_remark(sentence)
    if OTHER_SUBJECT.match(sentence):
        return "third"
    if prose_frames.keeps_other_out(sentence):
        return "others"
    if prose_frames.tells_of_my_past(sentence) and not _lasting_wishes(sentence):
        return "past"
    return "unclear" if says_phrase(sentence, "remarks", "unsure") else ""


def _asked_remark(sentence: str) -> str:
    """The remark on a question about the bot, about what holds, or about others."""
    if ASKED_OF_OTHERS.match(sentence):
        return "secrets"
    for remark in QUESTIONS:
        words = _without_kind_no(sentence) if remark == "plans" else sentence
        wished = remark == "terms" and _has_promise(sentence)
        if says_phrase(words, "remarks", remark) and not wished:
            return remark
    if prose_frames.asks_of_plans(sentence):
        return "plans"
    if says_phrase(sentence, "remarks", "builds") and not is_wish(sentence):
        return "builds"
    asked = sentence.endswith(" ? ") and not is_wish(sentence)
    return "secrets" if asked and prose_frames.asks_of_others(sentence) else ""


def _has_promise(sentence: str) -> bool:
    return bool(_lasting_wishes(sentence)) or says_phrase(sentence, "wishes", "support")


def _told_remark(sentence: str) -> str:
    """The remark on a sentence that wishes for nothing."""
    for remark in ("terms", "builds"):
        if says_phrase(sentence, "remarks", remark):
            return remark
    if "@" in sentence and prose_frames.tells_of_my_past(sentence):
        return "past"
    if prose_frames.tells_of_others(sentence):
        return "others"
    return "against_whom" if says_phrase(sentence, "small", "together") else ""


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
        spared = says_phrase(clause, "small", "not")
        return ProseReading(remark="one_sided" if spared else "threat")
    if any(map(_is_negated, TAG.sub(" ", clause).split(","))):
        return ProseReading(remark="negative")
    parts, remark = _lasting_parts(view, to, clause)
    named = bool(named_places(clause)) and not any(part.places for part in parts)
    if parts and not remark and named and _is_about(clause, "centres"):
        remark = "centres"
    if parts or remark:
        return ProseReading(parts, remark=remark)
    return _read_order(view, to, clause, later=later)


def _is_negated(words: str) -> bool:
    """Whether a no stands beside a wish, or corrects it in a few words: ``not me``, ``don't you?``"""
    about_us = len(words.split()) < SHORT_ANSWER and {"me", "you", "us", "mi"} & set(words.split())
    named = "@" in words or (about_us and opens_with(words, "small", "not"))
    near = is_wish(words) or named
    return bool(near) and says_phrase(_without_kind_no(words), "small", "not")


# Promises that last


def _lasting_parts(view: View, to: Seat, clause: str) -> tuple[tuple[PromisePart, ...], str]:
    """Peace, alliance, zone and draw in a clause, and what is missing for one of them."""
    wishes = _lasting_wishes(clause)
    places, others = tuple(_zone_places(clause)), _other_seats(view, clause)
    parts: list[PromisePart] = []
    remark = ""
    if "draw" in wishes:
        parts.append(PromisePart("draw"))
    if "zone" in wishes:
        shared = [place for place in places if not _is_at_home(view, to, clause, place)]
        parts += _zone_parts(view, to, shared)
        remark = "" if shared else "negative" if places else "zone_where"
    if wishes & {"alliance", "attack_together"}:
        joined = says_phrase(clause, "small", "against") or "attack_together" in wishes
        partners = prose_frames.named_partners(clause)
        others = () if UNDECIDED.search(clause) else tuple(s for s in others if s not in partners)
        parts += [PromisePart("alliance", against=others)] if others and joined else []
        full = bool(others) and joined and not partners
        remark = remark or ("" if full else "third" if others else "against_whom")
    if "peace" in wishes:
        direct = not others or _is_between_us(clause) or not _names_beside_peace(clause)
        parts += [PromisePart("peace")] if direct else []
        remark = remark or ("" if direct or parts else "third")
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


def _zone_places(clause: str) -> list[str]:
    """The places of a zone: those of the pieces of a clause that wish for it or only list names, and there
    those after the wish if another one stands before it."""
    pieces = [f" {piece.strip()} " for piece in _PIECES.split(clause)]
    zoned = [piece for piece in pieces if "zone" in _lasting_wishes(piece)]
    near = " ".join(piece for piece in pieces if piece in zoned or prose_frames.lists_names(piece))
    words = near if zoned else clause
    after = from_phrase(words, "wishes", "zone")
    before = words.removesuffix(after)
    return (named_places(after) if is_wish(before) else []) or named_places(words)


_PIECES = re.compile(r" (?:,|so|but|asi que|pero|quindi|ma) | (?:and|y|e) (?=(?:i|you|yo|tu|io) )")


def _lasting_wishes(words: str) -> set[str]:
    kinds = ("peace", "zone", "alliance", "attack_together", "draw")
    found = {each for each in kinds[1:] if says_phrase(words, "wishes", each)}
    found |= {"zone"} if prose_frames.keeps_out(words) else set()
    found |= {"attack_together"} if prose_frames.urges_attack(words) else set()
    if prose_frames.denies_harm(words):
        found.add("zone" if named_places(words) else "peace")
    left = without_phrases(words, "wishes", "zone")  # to leave a place in peace is no peace
    return found | ({"peace"} if says_phrase(left, "wishes", "peace") else set())


def _is_between_us(clause: str) -> bool:
    """Whether a clause that names others speaks of both sides alone."""
    return says_phrase(clause, "small", "us") and not says_phrase(clause, "small", "with_other")


def _names_beside_peace(clause: str) -> bool:
    """Whether a third party is named in the same breath as peace."""
    pieces = re.split(r" (?:,|so|asi que|quindi|but|pero|ma) ", clause)
    return any("#" in piece for piece in pieces if says_phrase(f" {piece} ", "wishes", "peace"))


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
    if kind == "centres" and prose_orders.names_moves(clause):
        kind = "move"
    if kind in ("convoy", "centres"):
        return ProseReading(remark=kind)
    if later:
        return ProseReading(remark="this_turn")
    if not named_places(clause):
        return ProseReading(remark=f"{kind}_which" if kind in ("support", "bounce") else "")
    conditional = kind == "move" and clause.startswith((" if ", " si ", " se "))
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
