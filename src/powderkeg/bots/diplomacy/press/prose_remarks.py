"""The remark that settles one sentence: a question, a stance, or a word about somebody else."""

import re

from powderkeg.bots.diplomacy.press import prose_frames
from powderkeg.bots.diplomacy.press.prose_words import (
    SHORT_ANSWER,
    is_wish,
    lasting_wishes,
    says_phrase,
    says_plainly,
    without_kind_no,
)

TAKES_BACK = ("threat", "refused")
QUESTIONS = (
    "misread",
    "rules",
    "standing",
    "rumour",
    "terms",
    "plans",
    "secrets",
    "help",
    "opening",
)
ASKED_OF_OTHERS = re.compile(
    r" (?:did|has|have|is|does|will|what|why|where|y|e|esta|va|ha|sta) (?:\S+ )?#"
)


def sentence_remark(sentence: str) -> str:
    """A remark that settles one sentence: a question, a stance, or a word about somebody else."""
    if _is_joke(sentence):
        return "no_offer" if len(sentence.split()) <= SHORT_ANSWER else "joke"
    named = {"@", "#"} & set(sentence)
    for remark in ("advice", "trust", *(() if named else ("pace",))):
        if says_phrase(sentence, "remarks", remark):
            return "others" if prose_frames.is_about_other(sentence) else remark
    if "#" in sentence and says_phrase(sentence, "remarks", "rumour"):
        return "rumour"
    if prose_frames.takes_as_war(sentence) or prose_frames.warns_of_moves(sentence):
        return "threat"
    for phrase, remark in (("refusal", "terms"), ("kept", "thanks"), ("views", "others")):
        if says_phrase(sentence, "remarks", phrase):
            return remark
    if prose_frames.refers_to_offer(sentence):
        return "answer"
    if "#" in sentence and says_phrase(sentence, "remarks", "pledged"):
        return "secrets"
    if remark := _stance_remark(sentence) or _asked_remark(sentence):
        return remark
    aimed = not _has_promise(sentence) and not prose_frames.aims_elsewhere(sentence)
    if aimed and says_phrase(sentence, "remarks", "warning"):
        return "threat"
    if prose_frames.tells_of_your_past(sentence) and not lasting_wishes(sentence):
        return "reproach"
    if not is_wish(sentence):
        return _told_remark(sentence)
    if prose_frames.OTHER_SUBJECT.match(sentence):
        return "third"
    if prose_frames.keeps_other_out(sentence):
        return "others"
    if prose_frames.tells_of_my_past(sentence) and not lasting_wishes(sentence):
        return "past"
    return "unclear" if says_phrase(sentence, "remarks", "unsure") else ""


def _asked_remark(sentence: str) -> str:
    """The remark on a question about the bot, about what holds, or about others."""
    if ASKED_OF_OTHERS.match(sentence):
        return "secrets"
    if sentence.endswith(" ? ") and says_phrase(sentence, "remarks", "you_two"):
        return "secrets"
    states = not sentence.endswith(" ? ")
    if not states and says_phrase(sentence, "remarks", "in_force"):
        return "standing"
    for remark in QUESTIONS:
        if remark == "rules" and states:
            continue
        words = without_kind_no(sentence) if remark == "plans" else sentence
        told = states and prose_frames.only_tells(sentence, remark)
        kinds = ("terms", "secrets", "plans") if states else ("terms",)
        wished = remark in kinds and _has_promise(sentence)
        if says_phrase(words, "remarks", remark) and not (wished or told):
            return remark
    if prose_frames.asks_of_plans(sentence):
        return "plans"
    asked = sentence.endswith(" ? ") and not is_wish(sentence)
    if not (asked and prose_frames.asks_of_others(sentence)):
        return ""
    return "others" if prose_frames.tells_with_tag(sentence) else "secrets"


def _has_promise(sentence: str) -> bool:
    return bool(lasting_wishes(sentence)) or says_phrase(sentence, "wishes", "support")


def _told_remark(sentence: str) -> str:
    """The remark on a sentence that wishes for nothing."""
    for phrase, remark in (("terms", "terms"), ("deadline", "pace"), ("builds", "builds")):
        if says_phrase(sentence, "remarks", phrase):
            return remark
    if "@" in sentence and prose_frames.tells_of_my_past(sentence):
        return "past"
    if prose_frames.tells_of_others(sentence):
        return "others"
    if prose_frames.DENIES.match(without_kind_no(sentence)):
        return "denied"
    alone = "#" not in sentence and says_phrase(sentence, "small", "together")
    return "against_whom" if alone else ""


def _is_joke(sentence: str) -> bool:
    """Whether a sentence mocks: a short one what was said before it, a long one what it says itself."""
    short = len(sentence.split()) <= SHORT_ANSWER and not says_phrase(sentence, "remarks", "chat")
    return (short or is_wish(sentence)) and says_phrase(
        without_kind_no(sentence), "remarks", "joking"
    )


def _stance_remark(sentence: str) -> str:
    """Reproach, refusal, war, or a yes."""
    plain = without_kind_no(sentence)
    if says_phrase(plain, "remarks", "reproach") or prose_frames.asks_why(sentence):
        return "reproach"
    if prose_frames.refuses_deal(plain):
        return "others" if prose_frames.is_with_other(plain) else "refused"
    for remark in TAKES_BACK:
        elsewhere = remark == "threat" and prose_frames.aims_elsewhere(plain)
        if says_plainly(plain, "remarks", remark) and not elsewhere:
            return "threat" if prose_frames.opens_with_condition(sentence) else remark
    if says_phrase(plain, "remarks", "unwilling") and _is_of_deals(plain):
        return "refused"
    asked = sentence.endswith(" ? ") or says_phrase(sentence, "remarks", "standing")
    asked = asked or (bool(lasting_wishes(sentence)) and prose_frames.sets_terms(sentence))
    return "answer" if says_phrase(sentence, "remarks", "answer") and not asked else ""


def _is_of_deals(words: str) -> bool:
    """Whether what somebody does not want is an agreement, and no place or third power."""
    return bool(lasting_wishes(words)) or not {"@", "#"} & set(words)
