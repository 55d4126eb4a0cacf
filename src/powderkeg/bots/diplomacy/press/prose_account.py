"""How much of a letter is accounted for: by its promises, by the words of their frames, and by courtesy.

Only a letter of which nothing is left open is surely understood. Whatever else stands beside a wish may turn it
into its opposite, so that the wish is only guessed, and not even that where it may be about something else.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import islice

from powderkeg.bots.diplomacy.press.prose_frames import (
    FRAME_VERBS,
    is_unreal,
    opens_with_condition,
    tells_of_others,
)
from powderkeg.bots.diplomacy.press.prose_words import (
    SHORT_ANSWER,
    as_pattern,
    is_wish,
    lasting_wishes,
    named_places,
    named_powers,
    opens_with,
    phrase_list,
    says_phrase,
    without_kind_no,
    without_phrases,
)
from powderkeg.bots.envoy import PromisePart
from powderkeg.games.diplomacy.board import CENTRES

COURTESY = ("agreed", "asked", "greeting", "luck", "sorry", "thanks", "this_turn")
# What a sentence may lack, and another may have
LACKING = frozenset(("against_whom", "zone_where", "support_which", "order_which", "bounce_which"))
# Remarks on a wish, as on something that the letter surely asks for
OF_ORDERS = ("no_such_order", "order_which")
OF_WISHES = LACKING | {
    *OF_ORDERS,
    *("negative", "refused", "one_sided", "third", "centres", "this_turn"),
}
LONGEST_COURTESY = 8  # words
NEAR = 5  # words after an *or*
MOST_UNKNOWN = 1  # words beside what a wish lacks
MOST_LEFT = 3  # words beside a wish: with more it may be about something else
KINDS = frozenset(("peace", "alliance", "draw", "order", "zone"))
DOUBTS = ("if", "not", "fact", "than")  # beside a wish
_IF = re.compile(  # where `si` is not a yes, and `si` and `se` are no pronouns
    r" (?:if|si(?! (?:,|me gust|\?|claro|seguro|muov|spost|ferm|ved|fa |puo|va ))(?! $)"
    r"|se(?! (?:qued|muev|mov|pued|podr|agrad|va |ira ))) "
)
_COMPARED = re.compile(  # war more than peace
    r" (?:(?:more|rather|sooner|less) than|(?:over|than) (?:a |an |the |your )?(?:peace|war|truce|alliance|draw)"
    r"|antes que|(?:mas|menos) que|piuttosto che|piu (?:che|della|di)|(?:guerra|guerra che) alla pace) "
)
_FACT = re.compile(
    r"^ (?:is|was|does|did|has|esta|estan|estaba) (?:the |your |my |la |el )?@.*\?"
    r"|@\w+ (?:is|are|esta|estan|e) (?:\w+ )?(?:empty|free|clear|open|vaci|libre|vuot|liber)"
)


def left_open(words: str, parts: Sequence[PromisePart]) -> tuple[str, ...]:
    """What of a marked clause neither its promises nor courtesy account for: names, words, and a condition,
    a no, a comparison or a question of fact. Nothing is left only of a clause that is understood as a whole."""
    told = " ".join(" ".join((*part.places, part.action, *part.against)) for part in parts)
    spared = "zone" in lasting_wishes(words) and any(part.kind == "peace" for part in parts)
    homes = CENTRES if spared else ()  # not to go to a centre is peace
    names = (*named_places(words), *named_powers(words))
    rest = (f"@{name}" for name in names if name not in told and name not in homes)
    return (*doubts_of(words), *unknown_words(words, _kinds_of(words, parts)), *rest)


def doubts_of(words: str) -> tuple[str, ...]:
    """The condition, the no, the comparison and the question of fact in a clause, beside those of its wish."""
    plain = _whole_pattern("known", "phrases").sub("  ", words)
    found = ["if"] if _IF.search(plain) or says_phrase(plain, "small", "condition") else []
    found += ["not"] if says_phrase(without_kind_no(plain), "small", "not") else []
    found += ["than"] if _COMPARED.search(words) else []
    return (*found, *(["fact"] if _FACT.search(words) or is_unreal(words) else []))


def before_condition(words: str) -> str:
    """The words of a sentence before its *if*: what comes after it has not happened."""
    return f"{_IF.split(words)[0]} "


def unknown_words(words: str, kinds: frozenset[str]) -> list[str]:
    """The words of a clause that have no place in a sentence with promises of these kinds."""
    left = _without_all(words, _accounted(kinds))
    return [word for word in left.split() if word.isalpha() and word not in _fillers()]


def _kinds_of(words: str, parts: Sequence[PromisePart]) -> frozenset[str]:
    """The kinds of the promises in a clause; not to go to a centre is peace in the words of a zone."""
    kinds = {part.kind for part in parts}
    spared = {"zone"} & lasting_wishes(words) if "peace" in kinds else set()
    return frozenset(kinds | spared)


_APPOSED = re.compile(r" (?:,|or|o|oppure|and|y|e|ed|before|antes|prima|then|luego|poi) ")


def spoils_names(words: str, parts: Sequence[PromisePart]) -> bool:
    """Whether something beside the names in a clause, and not in an apposition, is left open."""
    pieces = [f" {piece.strip()} " for piece in _APPOSED.split(words)]
    kinds = _kinds_of(words, parts)
    return any(unknown_words(each, kinds) for each in pieces if {"@", "#"} & set(each))


def _without_all(words: str, patterns: Iterable[re.Pattern[str]]) -> str:
    for pattern in patterns:
        words = pattern.sub("  ", words)
    return words


# The phrases and the small words that promises of a kind may have beside those of their name
_WISHES = {
    "order": ("move", "support", "bounce", "hold"),
    "alliance": ("alliance", "attack_together"),
}
_SMALL = {"order": ("help_me", "help_you"), "alliance": ("together", "against")}


@cache
def _accounted(kinds: frozenset[str]) -> tuple[re.Pattern[str], ...]:
    """What may stand in a sentence with promises of these kinds: courtesy, and the words of their frames."""
    wished = sorted(kinds & KINDS)
    frames = [("known", "phrases"), ("small", "why_not")]
    frames += [("wishes", each) for kind in wished for each in _WISHES.get(kind, (kind,))]
    frames += [("small", each) for kind in wished for each in ("us", *_SMALL.get(kind, ()))]
    verbs = [FRAME_VERBS[kind] for kind in wished if kind in FRAME_VERBS]
    rest = [*(("frames", kind) for kind in wished), *(("remarks", each) for each in COURTESY)]
    return (
        *(_whole_pattern(*each) for each in frames),
        *verbs,
        *(_whole_pattern(*each) for each in rest),
    )


@cache
def _whole_pattern(part: str, meaning: str) -> re.Pattern[str]:
    """Phrases, each with the rest of its last word."""
    phrases = (
        as_pattern(phrase) + ("" if phrase.endswith((" ", "$")) else r"\w*")
        for phrase in phrase_list(part, meaning)
    )
    return re.compile(rf"(?<= )(?:{'|'.join(phrases)})")


@cache
def _fillers() -> frozenset[str]:
    joints = (word for phrase in phrase_list("joints", "words") for word in phrase.split())
    return frozenset((*phrase_list("known", "words"), *joints))


def opens_courteously(words: str) -> bool:
    """Whether a short sentence is mere courtesy: ``Good morning, Kaiser``, ``sorry about Burgundy``."""
    named = {"@", "#"} & set(words)
    short = len(words.split()) <= (SHORT_ANSWER if named else LONGEST_COURTESY)
    kinds = ("sorry", "thanks") if named else COURTESY
    kind = any(opens_with(words, "remarks", each) for each in kinds)
    denied = says_phrase(without_kind_no(words), "small", "not")
    return short and kind and not denied and "?" not in words


def doubted_remark(clause: str, remark: str) -> str:
    """A remark on a clause without promises, if it surely is a wish that lacks something."""
    if remark not in OF_WISHES:
        return remark
    unknown = len(unknown_words(clause, KINDS))
    most = MOST_UNKNOWN if remark in (*LACKING, "one_sided") else MOST_LEFT
    most = 0 if remark in ("no_such_order", "negative") else most
    told = remark != "third" and tells_of_others(clause)
    told = told or (remark == "against_whom" and "@" in clause)
    if unknown > most or {"fact", "than"} & set(doubts_of(clause)) or told:
        return "unclear"
    return "third" if named_powers(clause) and remark in OF_ORDERS else remark


def may_be_meant(clause: str, part: PromisePart, parts: Sequence[PromisePart]) -> bool:
    """Whether a promise can at least be guessed in a clause: no place and no third power of which a no, a
    question or a verb that is not of the wish may speak, and no order on a condition."""
    doubts = set(doubts_of(clause))
    if part.kind == "order":
        return not doubts and not unknown_words(clause, frozenset((part.kind,)))
    if part.kind == "peace" and "peace" not in lasting_wishes(clause):  # of a zone at home
        zones = [each for each in parts if each.kind == "zone"]
        doubts |= {"not"} if zones and spoils_names(clause, parts) else set()
    if part.kind in ("peace", "draw"):
        return not doubts - {"if"} and len(unknown_words(clause, KINDS)) <= MOST_LEFT
    opens = opens_with_condition(clause)
    return not doubts - ({"if"} if opens else set()) and not spoils_names(clause, parts)


OF_PERSONS = ("insult", "chat", "small_talk", "sorry")
IDLE_REMARKS = (
    *OF_PERSONS,
    *("hesitant", "pact_which", "asked", "thanks", "goodbye", "luck", "greeting"),
)
OF_TALK = ("pact_which", "asked")  # only a letter of known words is no more than that
LONGEST_GREETING = 14  # words: a longer letter, or one with names, says something that was not read


def idle_remark(words: str) -> str:
    """The remark on a letter without any wish."""
    count, names = len(words.replace(",", "").split()), {"@", "#"} & set(words)
    fitting: Sequence[str] = IDLE_REMARKS
    if names or count > LONGEST_GREETING:  # a long apology with names tells of something
        fitting = [each for each in OF_PERSONS if each != "sorry" or count <= SHORT_ANSWER]
    for remark in fitting:
        says = opens_with if remark == "greeting" else says_phrase
        beside = without_phrases(words, "remarks", remark) if remark in OF_TALK else ""
        vague = len(unknown_words(beside, KINDS)) > MOST_UNKNOWN
        if says(words, "remarks", remark) and not vague:
            return remark
    if count <= SHORT_ANSWER and not names and opens_with(words, "remarks", "agreed"):
        return "answer"
    return "unclear"


_OR = re.compile(
    r" (?:or|o|oppure) (?!(?:i|we|you|yo|io|noi|te|ti|me|mi|else|not|no|non|so|two|more|less|mas|menos|piu|meno) )"
)
_NOR = re.compile(r" (?:nobody|no one|neither|nadie|out|away|off|fuera|lejos|fuori|lontan\w+) ")
_NO_CHOICE = ("what", "something", "anything", "algo", "que", "qualcosa", "cosa", "che", "whatever")
MOST_CHOICES = 12  # looked at in one sentence


def leaves_choice(words: str) -> bool:
    """Whether a sentence names one thing or another: ``Burgundy or Ruhr``, ``peace or an alliance``."""
    for found in islice(_OR.finditer(words), MOST_CHOICES):
        before, after = f"{words[: found.start()]} ", words[found.end() - 1 :]
        near = f" {' '.join(after.partition(' , ')[0].split()[:NEAR])} "
        nor = says_phrase(before, "small", "not") or _NOR.search(before)
        asked = words.endswith(" ? ") and after.strip(" ?") not in _NO_CHOICE
        if not nor and _names_wish(before) and (asked or _names_wish(near)):
            return True
    return False


def _names_wish(words: str) -> bool:
    return bool({"@", "#"} & set(words)) or is_wish(words)
