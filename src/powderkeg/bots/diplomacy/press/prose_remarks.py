"""The remark that settles one sentence: a question, a stance, or a word about somebody else."""

import re

from powderkeg.bots.diplomacy.press import prose_frames
from powderkeg.bots.diplomacy.press.prose_account import (
    IDLE_REMARKS,
    KINDS,
    MOST_LEFT,
    before_condition,
    unknown_words,
)
from powderkeg.bots.diplomacy.press.prose_words import (
    SHORT_ANSWER,
    is_wish,
    lasting_wishes,
    phrase_list,
    phrase_lists,
    says_phrase,
    says_plainly,
    without_kind_no,
    without_phrases,
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
OTHER_PHRASES = {  # lists of phrases that lead to a remark with another name
    "others": ("views",),
    "pace": ("deadline",),
    "refused": ("unwilling",),
    "secrets": ("pledged", "you_two"),
    "terms": ("refusal",),
    "thanks": ("kept",),
    "threat": ("warning", "if_you_go"),
}
# How the writer stands to the bot: worse to claim in error than not to see
STANCES = ("answer", "help", "no_offer", "pace", "past", "refused", "reproach", "terms", "threat")
MOST_PIECES = 12  # of a sentence that are looked at
OF_OTHERS = ("secrets", "others", "rumour", "third")
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
    if _is_warning(sentence):
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
        return "past" if "@" in sentence else "unclear"
    return "unclear" if says_phrase(sentence, "remarks", "unsure") else ""


def is_about_more(sentence: str, remark: str) -> bool:
    """Whether a sentence with a remark is rather about something else: many of its words are unknown."""
    most = MOST_LEFT - (remark in STANCES)
    return len(_words_beside(sentence, remark)) > most


def says_more(sentence: str, remark: str) -> bool:
    """Whether a sentence with a remark has a piece that says something else."""
    pieces = [f" {piece.strip()} " for piece in _PIECES.split(sentence)]
    if len(pieces) > MOST_PIECES:
        return True
    return len(pieces) > 1 and any(_says_else(piece, remark) for piece in pieces)


_PIECES = re.compile(
    r" (?:,|and|but|so|y|pero|ma|ed|asi que|quindi) | e (?=(?:io|tu|ti|mi|non|ci) )"
)


def _says_else(piece: str, remark: str) -> bool:
    """Whether a piece of a sentence is not about its remark: it has names, a wish or words of its own."""
    own = sentence_remark(piece)
    if own == remark or (remark == "threat" and not lasting_wishes(piece)):
        return False
    named = "@" in piece or ("#" in piece and remark not in OF_OTHERS)
    said = own not in ("", "unclear", *IDLE_REMARKS, "joke", "no_offer")
    return said or named or is_wish(piece) or len(_words_beside(piece, remark)) > 1


def _words_beside(sentence: str, remark: str) -> list[str]:
    """The words of a sentence that have no place in it beside the phrases of a remark."""
    for phrases in (remark, *OTHER_PHRASES.get(remark, ())):
        if phrases in phrase_lists("remarks"):
            sentence = without_phrases(sentence, "remarks", phrases)
    empty = phrase_list("known", "auxiliaries")
    return [word for word in unknown_words(sentence, KINDS) if word not in empty]


def _asked_remark(sentence: str) -> str:
    """The remark on a question about the bot, about what holds, or about others."""
    asks = sentence.endswith(" ? ")
    if asks and ASKED_OF_OTHERS.match(sentence):
        return "secrets"
    if asks and says_phrase(sentence, "remarks", "you_two"):
        return "secrets"
    if asks and prose_frames.asks_of_him(sentence):
        return "others"
    if asks and says_phrase(sentence, "remarks", "in_force"):
        return "standing"
    for remark in QUESTIONS:
        if remark == "rules" and not asks:
            continue
        words = without_kind_no(sentence) if remark == "plans" else sentence
        told = not asks and prose_frames.only_tells(sentence, remark)
        kinds = ("terms",) if asks else ("terms", "secrets", "plans")
        wished = remark in kinds and _has_promise(sentence)
        if says_phrase(words, "remarks", remark) and not (wished or told):
            of_others = remark == "plans" and prose_frames.wonders_of_others(sentence)
            return "others" if of_others else remark
    if prose_frames.asks_of_plans(sentence):
        return "plans"
    if not (asks and not is_wish(sentence) and prose_frames.asks_of_others(sentence)):
        return ""
    return "others" if prose_frames.tells_with_tag(sentence) else "secrets"


def _has_promise(sentence: str) -> bool:
    return bool(lasting_wishes(sentence)) or says_phrase(sentence, "wishes", "support")


def _is_warning(sentence: str) -> bool:
    """Whether a sentence says what the reader shall not do: that it will be sorry, or only ``if you go to``."""
    if lasting_wishes(sentence) or prose_frames.aims_elsewhere(sentence):
        return False
    common = _has_promise(sentence) or says_phrase(sentence, "small", "together")
    return says_phrase(sentence, "remarks", "warning") or (
        not common and says_phrase(sentence, "remarks", "if_you_go")
    )


def _told_remark(sentence: str) -> str:
    """The remark on a sentence that wishes for nothing."""
    if says_phrase(sentence, "remarks", "terms"):
        return "terms"
    if sentence.endswith(" ? ") and says_phrase(sentence, "remarks", "deadline"):
        return "pace"
    of_others = prose_frames.tells_of_others(sentence)
    if says_phrase(sentence, "remarks", "builds") and not of_others:
        return "builds"
    if "@" in sentence and prose_frames.tells_of_my_past(sentence):
        return "past"
    if of_others:
        return "others"
    if prose_frames.DENIES.match(without_kind_no(sentence)):
        return "denied"
    alone = not {"@", "#"} & set(sentence) and says_phrase(sentence, "small", "together")
    return "against_whom" if alone else ""


def _is_joke(sentence: str) -> bool:
    """Whether a sentence mocks: a short one what was said before it, a long one what it says itself; a
    laugh beside more words is none."""
    short = len(sentence.split()) <= SHORT_ANSWER and not says_phrase(sentence, "remarks", "chat")
    plain = without_kind_no(sentence)
    laughs = short and says_phrase(plain, "remarks", "laughing")
    return laughs or ((short or is_wish(sentence)) and says_plainly(plain, "remarks", "joking"))


def _stance_remark(sentence: str) -> str:
    """Reproach, refusal, war, or a yes."""
    plain = without_kind_no(sentence)
    if says_phrase(before_condition(plain), "remarks", "reproach") or prose_frames.asks_why(
        sentence
    ):
        return "reproach"
    if prose_frames.refuses_deal(plain):
        return "others" if prose_frames.is_with_other(plain) else "refused"
    for remark in TAKES_BACK[:1] if sentence.endswith(" ? ") else TAKES_BACK:
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
