"""The words of letters in plain language: names of places and powers marked, slips of the pen mended."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from powderkeg.bots.diplomacy.press.prose_frames import (
    denies_harm,
    keeps_other_out,
    keeps_out,
    leaves_in_peace,
    lists_names,
    urges_attack,
    without_kept_out,
)
from powderkeg.core.words import LANGS, say
from powderkeg.games.diplomacy.board import CENTRES, CODES, Power
from powderkeg.games.diplomacy.notation.lexicon import (
    edit_distance,
    fold_text,
    name_words,
    order_lexicon,
    place_aliases,
)
from powderkeg.games.diplomacy.words import place_name

LONGEST_NAME = 5  # words
LEAST_MENDED, MOST_MENDED = 6, 30  # letters of a word that may be misspelt
TOKENS = re.compile(r"[^\W_]+|[.;!?,\n]|-+>?|>|\N{EN DASH}|\N{RIGHTWARDS ARROW}")
ARROW = "-"  # from a place to another, however it was written
SHORT_ANSWER = 5  # words of a letter that can be a mere yes or no
ENDS = frozenset(".;!?\n")


def phrase_list(part: str, meaning: str) -> tuple[str, ...]:
    """The phrases of `prose.toml` that mean something."""
    return tuple(_prose_data()[part][meaning])


def phrase_lists(part: str) -> frozenset[str]:
    """The names of the lists in a part of `prose.toml`."""
    return frozenset(_prose_data()[part])


@cache
def _prose_data() -> dict[str, dict[str, Any]]:
    path = files("powderkeg.bots.diplomacy.press") / "prose.toml"
    return tomllib.loads(path.read_text("utf-8"))


@cache
def _prose_spelling() -> dict[str, str]:
    """Short forms that people type, with the words they stand for."""
    return dict(_prose_data()["spelling"])


def says_phrase(words: str, part: str, meaning: str) -> bool:
    """Whether a marked sentence has a phrase with this meaning."""
    return phrase_pattern(part, meaning).search(words) is not None


_DENIED = re.compile(
    r" (?:t|not|never|no|non|nunca|mai|without|sin|senza|(?:why|para que|por que|perche)(?: \w+){0,3}) $"
)


def says_plainly(words: str, part: str, meaning: str) -> bool:
    """Whether a marked sentence has such a phrase without a no right before it, or a why: ``I won't forget it``."""
    found = phrase_pattern(part, meaning).finditer(words)
    return any(not _DENIED.search(words[: each.start()]) for each in found)


def opens_with(words: str, part: str, meaning: str) -> bool:
    """Whether a marked sentence begins with such a phrase."""
    return phrase_pattern(part, meaning).match(words, 1) is not None


def from_phrase(words: str, part: str, meaning: str) -> str:
    """A marked sentence from the first such phrase on; empty without one."""
    found = phrase_pattern(part, meaning).search(words)
    return words[found.start() :] if found else ""


def without_phrases(words: str, part: str, meaning: str) -> str:
    return phrase_pattern(part, meaning).sub(" ", words)


@cache
def phrase_pattern(part: str, meaning: str) -> re.Pattern[str]:
    return re.compile(rf"(?<= )(?:{'|'.join(map(as_pattern, phrase_list(part, meaning)))})")


def as_pattern(phrase: str) -> str:
    """A phrase as a pattern: `@` stands for a place, with or without an article before it."""
    plain = re.escape(phrase)
    for sign, meaning in _SIGNS.items():
        plain = plain.replace(sign, meaning)
    return plain


_ANY_ARTICLE = r"(?:(?:the|el|la|los|las|il|lo|l|al|del|all|alla|dell|della|i|gli|le) )?"
_SIGNS = {
    r"\$": r"(?:\? )?$",
    "@": rf"{_ANY_ARTICLE}@\w+",
    r"\#": rf"{_ANY_ARTICLE}\#[A-Z]+",
    r"\{": "(?:",
    r"\|": "|",
    r"\}": ")",
}


# Sentences


def spoken_sentences(text: str) -> Iterator[tuple[str, str]]:
    """The sentences of a letter as they were written, each with its marked form."""
    whole = re.sub(r"\b(St|S|San)\. ", r"\1 ", text)
    whole = re.sub(r"(?:^|(?<=\s))\(?\d{1,2}[).](?=\s)", "; ", whole)  # 1) peace 2) a zone
    whole = _LAUGH.sub(r"\1", whole)
    for written in re.findall(r"[^.;!?\n]+[.;!?\n]*", whole):
        if marked := mark_sentence(written):
            yield written.strip(), marked


def mark_sentence(written: str) -> str:
    """A sentence as words between spaces, without case and accents: ``@bur`` is a place, ``#ITALY`` a
    power; a comma stays, and the mark of a question. Empty without words."""
    words: list[str] = []
    tokens = TOKENS.findall(_tidy_text(written))
    while tokens:
        count, word = _next_word(tokens)
        del tokens[:count]
        if word == ARROW and not _joins_places(words, tokens):
            continue
        if word not in ENDS:
            words.append(word)
        elif word == "?" and words[-1:] != ["?"]:
            words.append("?")
    spoken = f" {' '.join(words)} "
    return without_phrases(spoken, "small", "decoys") if any(map(str.isalnum, spoken)) else ""


def _joins_places(words: Sequence[str], tokens: Sequence[str]) -> bool:
    """Whether an arrow stands between the places of an order: ``Ven-Pie``."""
    after = tokens and _next_word(tokens)[1]
    return bool(words and after) and words[-1].startswith("@") and str(after).startswith("@")


def _tidy_text(text: str) -> str:
    """A text with codes that are surely places in capitals: units as in orders (``A Mar``), lists (``ven/tri``, ``bud and ser``), goals (``to gal``), names (``in Gal``)."""
    plain = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    plain = _NAPLES.sub("Naples", re.sub(r"(?i)\bw/o\b", "without", plain))
    plain = _NO_NEVER.sub(r"\1", plain)
    plain = re.sub(r"\b([AF]) ([A-Z][a-z]{2})\b", _in_capitals, plain)
    plain = _LISTED_CODES.sub(lambda found: _listed_codes(found[0]), plain)
    plain = re.sub(rf"(?<=[a-z,] )(?:{_code_choice()})\b", _in_capitals, plain)
    codes = "|".join(phrase_list("traps", "codes"))
    plain = re.sub(rf"(?i)\b(?:{codes})(?= dmz\b)", _in_capitals, plain)
    goal = rf"(?i)\b(?:{_GOAL_WORDS}) (?:{codes})\b"
    return re.sub(goal, _in_capitals, plain)


# A laugh after a few words or a question is no mockery: "peace? lol".
_LAUGH = re.compile(
    r"(?i)^((?:[^\s.;!]+ ){1,6}?)(?:x?d|lol|lmao|rofl|a?(?:ha){2,}h?|(?:ja){2,}j?|(?:je){2,}|(?:ah){2,}) ?[!.]*$"
)
_NO_NEVER = re.compile(
    r"(?i)\b(no te atac\w+|non ti attacc\w+) (?:nunca|jamas|mai)\b"
)  # one no, not two
_NAPLES = re.compile(r"(?i)(?<=\b[AF] )nap\b|\bnap(?= ?-+>? ?[a-z]{3}\b)")  # else a pact: NAP
_LISTED_CODES = re.compile(r"(?i)\b[a-z]{3}(?:(?: ?[-/>&,+]+ ?| and | y | e )[a-z]{3})+\b")
_LISTED_CODE = re.compile(r"(?i)\b(?!and\b)[a-z]{3}\b")
_GOAL_WORDS = "to|into|in|dmz|from|at|en|a|desde|da|su"


def _in_capitals(found: re.Match[str]) -> str:
    return found[0].upper()


def _listed_codes(text: str) -> str:
    """A list in capitals if all of it are codes of places."""
    codes = {found.lower() for found in _LISTED_CODE.findall(text)}
    return _LISTED_CODE.sub(_in_capitals, text) if codes <= {*CODES} else text


@cache
def _code_choice() -> str:
    """Codes with a capital letter, but for those that are common words."""
    return "|".join(c.capitalize() for c in CODES if c not in ("war", "con", "por", "ser", "mar"))


def _next_word(tokens: Sequence[str]) -> tuple[int, str]:
    """How many tokens the next word takes, and the word."""
    for count in range(min(LONGEST_NAME, len(tokens)), 0, -1):
        if mark := _marked_name(tokens[:count]):
            return count, mark
    word = fold_text(tokens[0])
    if not word.isalnum() and word not in ENDS and word != ",":
        return 1, ARROW
    return 1, _prose_spelling().get(word) or _mended_word(word)


def _marked_name(tokens: Sequence[str]) -> str:
    name = " ".join(fold_text(token) for token in tokens if token != ARROW)
    if ARROW in (tokens[0], tokens[-1]) or name in phrase_list("traps", "never"):
        return ""
    capitals = len(tokens) == 1 and tokens[0].isupper()
    if name in _place_names() and (capitals or name not in phrase_list("traps", "words")):
        return f"@{_place_names()[name]}"
    if name in _power_names():
        return f"#{_power_names()[name]}"
    return ""


@cache
def _place_names() -> dict[str, str]:
    """Every name of a place in any language, with its code."""
    names = {" ".join(name_words(alias)): code for alias, code in place_aliases()}
    other = _prose_data()["places"]
    return {**other, **names, **dict(zip(CODES, CODES, strict=True)), **_full_names()}


@cache
def _full_names() -> dict[str, str]:
    return {" ".join(name_words(say(place_name(c), lang))): c for c in CODES for lang in LANGS}


@cache
def _power_names() -> dict[str, Power]:
    return _prose_data()["peoples"] | {
        " ".join(phrase): power
        for lang in LANGS
        for phrase, power in order_lexicon(lang).powers.items()
        if len(" ".join(phrase)) > 3
    }


@lru_cache(4096)
def _mended_word(word: str) -> str:
    """A word with one slip as the name or phrase that was meant, if there is only one."""
    if (
        not LEAST_MENDED <= len(word) <= MOST_MENDED
        or word in phrase_list("traps", "words")
        or _is_known(word)
    ):
        return word
    near = {name for name in _mendable_words() if _is_slip(word, name)}
    if len(near) != 1:
        return word
    (meant,) = near
    return _marked_name([meant]) or meant


def _is_slip(word: str, name: str) -> bool:
    """Whether a word is a name with one slip: not in its first letter, and no other letter in a short
    one, as words in other forms differ by just that: ``venire`` and Venice, ``hablas`` and ``tablas``."""
    if word[0] != name[0] or edit_distance(word, name, 1) != 1:
        return False
    swapped = sorted(word) == sorted(name)
    return len(word) != len(name) or swapped or len(word) > LEAST_MENDED


def _is_known(word: str) -> bool:
    return any(word.startswith(phrase) for phrase in _single_words())


@cache
def _mendable_words() -> frozenset[str]:
    """Names and phrases of one long word."""
    peoples = _prose_data()["peoples"]  # short words that others resemble
    named = (*_full_names(), *(name for name in _power_names() if name not in peoples))
    names = (name for name in named if " " not in name)
    return frozenset(n for n in (*names, *_single_words()) if len(n) >= LEAST_MENDED)


@cache
def _single_words() -> frozenset[str]:
    found: Iterator[str] = (
        phrase.strip()
        for meaning in _prose_data()["wishes"]
        for phrase in phrase_list("wishes", meaning)
    )
    return frozenset(word for word in found if word.isalpha())


# Clauses


def sentence_clauses(sentence: str) -> list[str]:
    """The clauses of a sentence, each with a wish of its own: it is divided at commas and joints, and
    what wishes for nothing belongs to the clause before it."""
    joints = "|".join(map(re.escape, phrase_list("joints", "words")))
    turns = rf"(?<! no)(?<! non) (?!{_IS_EMPTY})(?=(?:,|{joints}) )" + (
        "" if _CONDITION.search(sentence) else _NEW_SUBJECT
    )
    parts = re.split(turns, _without_instead(sentence))
    clauses: list[str] = []
    for part in (f" {part.strip()} " for part in parts):
        if clauses and not (is_wish(part) and is_wish(clauses[-1])):
            clauses[-1] += part.lstrip()
        else:
            clauses.append(part)
    return clauses


TAG = re.compile(r" , (?:no|non|eh) (?:\? )?$")  # peace, no?


def without_kind_no(words: str) -> str:
    """The words without those in which a no means a yes: do not attack me; why not?"""
    kind = (("small", "why_not"), ("wishes", "peace"), ("wishes", "zone"), ("wishes", "hold"))
    words = _ECHOED_NO.sub(" ", without_kept_out(words))
    for part, meaning in kind:
        words = without_phrases(words, part, meaning)
    return TAG.sub(
        " ",
        re.sub(
            r" (?:ni|nor|ne) (?=(?:(?:en|in|nel|nella|el|la|il|a|al|the|to) ){0,2}@)", " ", words
        ),
    )


_ECHOED_NO = re.compile(  # I won't go there and neither will you
    r" (?:(?:and|y|e|ed) )?(?:(?:tu|yo|io) (?:nemmeno|neanche|neppure|tampoco)|(?:nemmeno|neanche|neppure|tampoco) (?:tu|yo|io)"
    r"|(?:neither|nor) (?:do|will|should|shall|would|can) (?:i|you))(?= )"
)
_IS_EMPTY = r"e (?:zona|vuot|liber|smilit|sgombr|neutral)"  # Italian *is*, without its accent
_CONDITION = re.compile(" (?:if|si|se) ")
_NEW_SUBJECT = r"|(?<=@\w\w\w) (?=(?:i|you|yo|tu|io) )"  # you go to Burgundy I take the Channel


def _without_instead(sentence: str) -> str:
    """A sentence without what is not meant: ``to Finland rather than Norway``."""
    cut = rf"{phrase_pattern('small', 'instead').pattern}[^,]*"
    return re.sub(cut, " ", sentence).strip()


def is_wish(words: str) -> bool:
    phrased = any(says_phrase(words, "wishes", meaning) for meaning in _prose_data()["wishes"])
    frames = (keeps_out, urges_attack, keeps_other_out, denies_harm)
    framed = any(frame(words) for frame in (*frames, leaves_in_peace))
    return (
        phrased
        or framed
        or any(says_phrase(words, "small", meaning) for meaning in ("one_sided", "bounce_you"))
    )


def named_places(words: str) -> list[str]:
    """The places in a marked clause, in their order."""
    return list(dict.fromkeys(re.findall(r"@(\w+)", words)))


_THERE = re.compile(r" (?:there|alli|ahi|alla(?= (?:[,?]|$))) ")  # Italian *alla* is "to the"


def place_pronouns(sentences: Iterable[str]) -> list[str]:
    """Marked sentences in which ``there`` is the last place that was named before it."""
    placed, last = [], ""
    for sentence in sentences:
        named = last and "@" not in sentence
        placed.append(_THERE.sub(f" in @{last} ", sentence) if named else sentence)
        last = [last, *named_places(sentence)][-1]
    return placed


def named_powers(words: str) -> list[Power]:
    return list(dict.fromkeys(re.findall(r"#([A-Z]+)", words)))


def places_after(words: str, meaning: str) -> set[str]:
    """The places before which a small word stands, an article or a unit between them or not."""
    small = "|".join(re.escape(phrase.strip()) for phrase in phrase_list("small", meaning))
    between = r"(?:(?:the|my|your|el|la|mi|tu|il|lo|l|army|fleet|ejercito|flota|armata|flotta) )*"
    return set(re.findall(rf" (?:{small}) {between}@(\w+)", words))


def is_only_a_start(words: str) -> bool:
    """Whether the only place in a clause is where a unit stands: ``my fleet in Brest goes west``."""
    return len(named_places(words)) == 1 and bool(_UNIT_AT.search(words))


_UNIT_AT = re.compile(
    r" (?:army|fleet|unit|ejercito|flota|unidad|armata|flotta|unita) (?:(?:in|of|at|from|de|en|del|di|da|a|the|la|el|l) )*@\w+"
)
_OWN_UNIT_AT = re.compile(  # my fleet in Naples shall not go to
    rf" (?:the|my|your|la|mi|tu|el|l|mia|tua|il){_UNIT_AT.pattern}"
)


# Wishes that last


def lasting_wishes(words: str) -> set[str]:
    kinds = ("peace", "zone", "alliance", "attack_together", "draw")
    found = {each for each in kinds[1:] if says_phrase(words, "wishes", each)}
    kept = keeps_out(words) and not says_phrase(words, "wishes", "bounce")
    found |= {"zone"} if kept else set()
    found |= {"attack_together"} if urges_attack(words) else set()
    if denies_harm(words):
        found.add("zone" if named_places(words) else "peace")
    if leaves_in_peace(words):
        return found | {"zone"}
    left = without_phrases(words, "wishes", "zone")  # to leave a place in peace is no peace
    return found | ({"peace"} if says_phrase(left, "wishes", "peace") else set())


def zone_places(clause: str) -> list[str]:
    """The places of a zone: those of the pieces of a clause that wish for it or only list names, and there
    those after the wish if another one stands before it. Where a unit stands is none of them."""
    clause = _BETWEEN.sub(" ", clause)
    goals = _OWN_UNIT_AT.sub(" ", clause)
    clause = goals if "@" in goals else clause
    pieces = [f" {piece.strip()} " for piece in _TURNS.split(clause)]
    zoned = [piece for piece in pieces if "zone" in lasting_wishes(piece)]
    near = " ".join(piece for piece in pieces if piece in zoned or lists_names(piece))
    words = near if zoned else clause
    after = from_phrase(words, "wishes", "zone")
    before = words.removesuffix(after)
    return (named_places(after) if is_wish(before) else []) or named_places(words)


_BETWEEN = re.compile(
    rf" (?:between|entre|tra|fra) {_ANY_ARTICLE}@\w+ (?:and|y|e) {_ANY_ARTICLE}@\w+ "
)
_TURNS = re.compile(
    r" (?:,|so|but|if|asi que|pero|si|quindi|ma|se) | (?:and|y|e) (?=(?:i|you|yo|tu|io) )"
)


def is_between_us(clause: str) -> bool:
    """Whether a clause that names others speaks of both sides alone."""
    return says_phrase(clause, "small", "us") and not says_phrase(clause, "small", "with_other")


def names_beside_peace(clause: str) -> bool:
    """Whether a third party is named in the same breath as peace."""
    pieces = re.split(r" (?:,|so|asi que|quindi|but|pero|ma) ", clause)
    return any("#" in piece for piece in pieces if says_phrase(f" {piece} ", "wishes", "peace"))


# Orders and what shall not be


ORDER_KINDS = ("convoy", "support", "bounce", "hold", "centres", "move")


def is_about(clause: str, kind: str) -> bool:
    """Whether a clause wishes for something of this kind; ``I take the Channel`` shares out no centre."""
    places = set(named_places(clause))
    seas = kind == "centres" and places and not places & set(CENTRES)
    return not seas and says_phrase(clause, "wishes", kind)


def negated_remark(clause: str) -> str:
    """The remark on what shall not be: a deal, an order, a build, or that somebody has a centre."""
    if says_phrase(clause, "remarks", "builds"):
        return "builds"
    orders = [kind for kind in ORDER_KINDS if kind != "centres" and is_about(clause, kind)]
    wishes = lasting_wishes(clause)
    if wishes & {"peace", "alliance", "draw"}:
        doubtful = clause.endswith(" ? ") or _CONDITION.search(clause) or "#" in clause
        return "unclear" if doubtful else "refused"
    if orders or wishes:
        return "negative"
    return "centres" if is_about(clause, "centres") else "unclear"


_NOT_NAMED = re.compile(r" (?:not|no|non|ni|don t|nor|ne)(?: \w+){0,3} @")


def is_negated(words: str) -> bool:
    """Whether a no stands beside a wish, or corrects it in a few words: ``not me``, ``don't you?``"""
    about_us = len(words.split()) < SHORT_ANSWER and {"me", "you", "us", "mi"} & set(words.split())
    named = _NOT_NAMED.search(words) or (about_us and opens_with(words, "small", "not"))
    near = is_wish(words) or named
    return bool(near) and says_phrase(without_kind_no(words), "small", "not")
