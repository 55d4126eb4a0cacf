"""The words of letters in plain language: names of places and powers marked, slips of the pen mended."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from importlib.resources import files

from powderkeg.core.words import LANGS, say
from powderkeg.games.diplomacy.board import CODES, Power
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
TOKENS = re.compile(r"[^\W_]+|[.;!?,\n]")
ENDS = frozenset(".;!?\n")


def phrase_list(part: str, meaning: str) -> tuple[str, ...]:
    """The phrases of `prose.toml` that mean something."""
    return tuple(_prose_data()[part][meaning])


@cache
def _prose_data() -> dict[str, dict[str, list[str]]]:
    path = files("powderkeg.bots.diplomacy.press") / "prose.toml"
    return tomllib.loads(path.read_text("utf-8"))


def says_phrase(words: str, part: str, meaning: str) -> bool:
    """Whether a marked sentence has a phrase with this meaning."""
    return _phrase_pattern(part, meaning).search(words) is not None


def opens_with(words: str, part: str, meaning: str) -> bool:
    """Whether a marked sentence begins with such a phrase."""
    return _phrase_pattern(part, meaning).match(words, 1) is not None


def without_phrases(words: str, part: str, meaning: str) -> str:
    return _phrase_pattern(part, meaning).sub(" ", words)


@cache
def _phrase_pattern(part: str, meaning: str) -> re.Pattern[str]:
    return re.compile(rf"(?<= )(?:{'|'.join(map(_as_pattern, phrase_list(part, meaning)))})")


def _as_pattern(phrase: str) -> str:
    """A phrase as a pattern: `@` stands for a place, with or without an article before it."""
    article = r"(?:(?:the|el|la|los|las|il|lo|l) )?"
    plain = re.escape(phrase)
    plain = plain.replace(r"\$", "$")
    return plain.replace("@", rf"{article}@\w+").replace(r"\#", rf"{article}\#[A-Z]+")


# Sentences


def marked_sentences(text: str) -> list[str]:
    """The sentences of a letter as words between spaces, without case and accents: ``@bur`` is a
    place, ``#ITALY`` a power, a comma stays."""
    sentences: list[list[str]] = [[]]
    tokens = TOKENS.findall(_tidy_text(text))
    while tokens:
        count, word = _next_word(tokens)
        del tokens[:count]
        if word in ENDS:
            sentences.append([])
        else:
            sentences[-1].append(word)
    spoken = [f" {' '.join(words)} " for words in sentences if words]
    return [without_phrases(each, "small", "decoys") for each in spoken]


def _tidy_text(text: str) -> str:
    """A text whose full stops end sentences, with units as in orders in capitals: ``A Mar``."""
    plain = re.sub(r"\b(St|S|San)\. ", r"\1 ", text)
    return re.sub(r"\b([AF]) ([A-Z][a-z]{2})\b", lambda unit: unit[0].upper(), plain)


def _next_word(tokens: Sequence[str]) -> tuple[int, str]:
    """How many tokens the next word takes, and the word."""
    for count in range(min(LONGEST_NAME, len(tokens)), 0, -1):
        if mark := _marked_name(tokens[:count]):
            return count, mark
    word = fold_text(tokens[0])
    return 1, _mended_word(word)


def _marked_name(tokens: Sequence[str]) -> str:
    name = " ".join(map(fold_text, tokens))
    if name in phrase_list("traps", "never"):
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
    return {**names, **dict(zip(CODES, CODES, strict=True)), **_full_names()}


@cache
def _full_names() -> dict[str, str]:
    return {" ".join(name_words(say(place_name(c), lang))): c for c in CODES for lang in LANGS}


@cache
def _power_names() -> dict[str, Power]:
    return {
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
    near = {name for name in _mendable_words() if edit_distance(word, name, 1) == 1}
    if len(near) != 1:
        return word
    (meant,) = near
    return _marked_name([meant]) or meant


def _is_known(word: str) -> bool:
    return any(word.startswith(phrase) for phrase in _single_words())


@cache
def _mendable_words() -> frozenset[str]:
    """Names and phrases of one long word."""
    names = (name for name in (*_full_names(), *_power_names()) if " " not in name)
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
    parts = re.split(rf" (?=(?:,|{joints}) )", sentence.strip())
    clauses: list[str] = []
    for part in (f" {part.strip()} " for part in parts):
        if clauses and not (is_wish(part) and is_wish(clauses[-1])):
            clauses[-1] += part.lstrip()
        else:
            clauses.append(part)
    return clauses


def is_wish(words: str) -> bool:
    return any(says_phrase(words, "wishes", meaning) for meaning in _prose_data()["wishes"])


def named_places(words: str) -> list[str]:
    """The places in a marked clause, in their order."""
    return list(dict.fromkeys(re.findall(r"@(\w+)", words)))


def named_powers(words: str) -> list[Power]:
    return list(dict.fromkeys(re.findall(r"#([A-Z]+)", words)))


def places_after(words: str, meaning: str) -> set[str]:
    """The places before which a small word stands, an article or a unit between them or not."""
    small = "|".join(re.escape(phrase.strip()) for phrase in phrase_list("small", meaning))
    between = r"(?:(?:the|my|your|el|la|mi|tu|il|lo|l|army|fleet|ejercito|flota|armata|flotta) )*"
    return set(re.findall(rf" (?:{small}) {between}@(\w+)", words))
