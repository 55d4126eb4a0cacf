"""Three languages, complete, with the same fields; and every code in the source has words."""

import ast
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from powderkeg import games
from powderkeg.core import words

SOURCE = Path(__file__).parent.parent / "src" / "powderkeg"
# `messages` is gettext's own: English sentences and not codes (tests/cli/test_usage.py).
DOMAINS = sorted({p.stem for p in (SOURCE / "locale").rglob("*.po")} - {"messages"})


def catalogue(lang: str, domain: str) -> dict[str, tuple[str, ...]]:
    """Code to its sentences: one, or one per plural form."""
    path = SOURCE / "locale" / lang / "LC_MESSAGES" / f"{domain}.po"
    with path.open("rb") as file:
        messages = [m for m in read_po(file, locale=lang) if m.id]
    found: dict[str, tuple[str, ...]] = {}
    for m in messages:
        code = m.id if isinstance(m.id, str) else m.id[0]
        found[code] = (m.string,) if isinstance(m.string, str) else tuple(m.string or ())
    return found


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("lang", ["es", "it"])
def test_catalogues_agree(domain, lang):
    english, other = catalogue("en", domain), catalogue(lang, domain)
    assert set(english) == set(other)
    for code, texts in english.items():
        assert all(other[code]), f"{code} has no words in {lang}"
        wanted = set().union(*map(fields, texts))
        assert set().union(*map(fields, other[code])) == wanted, code


def codes(path: Path) -> set[str]:
    """The codes in a module: literal first arguments of messages and refusals."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in {"Msg", "Illegal", "Unreadable", "Stale", "t"}:
                found.add(node.args[0].value)
    return {c for c in found if isinstance(c, str) and re.fullmatch(r"\w+(\.[\w/-]+)+", c)}


@pytest.mark.slow
def test_every_code_has_words():
    used = {code for path in SOURCE.rglob("*.py") for code in codes(path)}
    known = {code for domain in DOMAINS for code in catalogue("en", domain)}
    assert {code for code in used - known if code.split(".")[0] in DOMAINS} == set()


@pytest.mark.parametrize("game", games.GAME_NAMES)
@pytest.mark.parametrize("lang", words.LANGS)
def test_every_game_has_a_name(game, lang):
    assert words.has_words(f"{game}.name", lang)


# The words that the client explains: `web/src/lib/words/glossary.svelte.ts` finds them in this way.


def found(form: str, texts: list[str]) -> bool:
    word = re.compile(rf"(?<![^\W_]){re.escape(form)}(?![^\W_])", re.IGNORECASE)
    return any(map(word.search, texts))


def texts_of(game: str, lang: str) -> list[str]:
    """What a player of the game reads: its sentences, and those of its lesson."""
    lesson = re.compile(rf"web\.(learn|lesson)\.{game}\.")
    web = [texts for code, texts in catalogue(lang, "web").items() if lesson.match(code)]
    return [text for texts in (*catalogue(lang, game).values(), *web) for text in texts]


@pytest.mark.parametrize("lang", words.LANGS)
@pytest.mark.parametrize("game", games.GAME_NAMES)
def test_what_the_glossary_explains_is_said_in_the_game(game, lang):
    """A term under another name than the game's is explained to nobody."""
    texts = texts_of(game, lang)
    terms = {code: forms for code, (forms,) in catalogue(lang, f"{game}_terms").items()}
    for code, forms in terms.items():
        if not code.endswith(".is"):
            assert any(found(form, texts) for form in forms.split("|")), code


# Words that nobody at a table says today, and phrases that read like another century.
OLD_VOICE = re.compile(
    r"\b(whoever|whomever|whosoever|anew|thereof|hereby|then be ready|for want of|"
    r"of one's own|is not told|are not told|told of|take a sheet|put it to the table)\b",
    re.IGNORECASE,
)


@pytest.mark.parametrize("domain", DOMAINS)
def test_english_sentences_are_of_today(domain):
    found = [
        (code, text)
        for code, texts in catalogue("en", domain).items()
        for text in texts
        if OLD_VOICE.search(text)
    ]
    assert found == []


@pytest.mark.parametrize("game", games.GAME_NAMES)
def test_the_rules_are_in_english_of_today(game):
    page = (SOURCE.parent.parent / "docs" / "rules" / f"{game}.md").read_text("utf-8")
    assert [line for line in page.splitlines() if OLD_VOICE.search(line)] == []


PROSE = (
    *("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs", "src", "tools", "bench"),
    *("tests", "web/src", "web/test"),
)
# In names of tests underscores stand for spaces, and no apostrophe can be written.
OLD_PROSE = re.compile(
    r"\b(whoever|whomever|anew|thereof|hereby|(?:is|are|was|were|as|be|not|both) told(?! apart)|of one'?s own)\b",
    re.IGNORECASE,
)


def written_files() -> Iterator[Path]:
    """Docs, docstrings, comments and names of tests, which are in English; without this file."""
    root = SOURCE.parent.parent
    for name in PROSE:
        found = [root / name] if (root / name).is_file() else sorted((root / name).rglob("*"))
        kinds = (".md", ".py", ".ts", ".svelte")
        yield from (p for p in found if p.suffix in kinds and p != Path(__file__))


def test_docs_comments_and_names_of_tests_are_in_english_of_today():
    found = [
        (path.name, line)
        for path in written_files()
        for line in path.read_text("utf-8").splitlines()
        if OLD_PROSE.search(line.replace("_", " "))
    ]
    assert found == []


def test_a_planted_old_phrase_is_found():
    assert OLD_PROSE.search("# whoever asks is told so")
    assert OLD_PROSE.search("def test_a_bot_of_ones_own_is_found():".replace("_", " "))
    assert OLD_VOICE.search("Whoever has the marker begins anew.")


@pytest.mark.parametrize("lang", words.LANGS)
def test_no_sentence_has_a_hyphen_for_a_minus(lang):
    """Numbers with a sign are written by `say`; what is left stands in the catalogue."""
    sign = re.compile(r"(?<![\w{/-])-(?:\{\w+\}|\d)(?!\d*\s*(?:and|y|e)\b)")
    found = [
        text
        for texts in catalogue(lang, "versailles").values()
        for text in texts
        if sign.search(text)
    ]
    assert found == []
