"""Letters as people write them are read as they were meant, or not at all."""

import pytest

from powderkeg.bots.diplomacy.press import envoy
from powderkeg.bots.diplomacy.press.prose import read_letter
from powderkeg.core.table import Table
from powderkeg.core.words import LANGS, say
from powderkeg.games import diplomacy
from tests.bots.diplomacy.letters.notation import (
    listed_letters,
    meaning_of,
    noted,
    table_letters,
)

LEAST_LETTERS = 150  # per language


@pytest.fixture(scope="module")
def view():
    return Table(diplomacy, 7).view("FRANCE")


@pytest.mark.parametrize("lang", LANGS)
def test_letters_from_tables_are_read_as_they_were_meant(lang):
    table = Table(diplomacy, 7)
    misread = {}
    for writer, reader, meaning, text in table_letters(lang):
        found = read_letter(table.view(writer), reader, text)
        rest = {f"~{found.remark}"} if found.parts and found.remark else set()
        if meaning_of(found) | rest != noted(meaning):
            misread[text] = found
    assert misread == {}


@pytest.mark.parametrize("lang", LANGS)
def test_letters_are_read_as_they_were_meant(view, lang):
    letters = list(listed_letters(lang))
    assert len(letters) >= LEAST_LETTERS
    misread = {
        text: found
        for to, meaning, text in letters
        if not is_right(found := read_letter(view, to, text), meaning)
    }
    assert misread == {}


def is_right(reading, meaning):
    """Whether a reading is the right one; ``-`` is right if nothing is claimed."""
    if meaning == "-":
        return not reading.parts and not reading.choices
    return meaning_of(reading) == noted(meaning)


@pytest.mark.parametrize("lang", LANGS)
def test_every_letter_gets_an_answer_in_words(view, lang):
    for to, meaning, text in listed_letters(lang):
        answer = envoy.answer_prose(view, to, text)
        said = say(answer, lang)
        assert "{" not in said
        assert "bots." not in said
        assert answer.code != "bots.prose.impossible", text
        offered = answer.code in ("bots.prose.understood", "bots.prose.both")
        assert offered >= (meaning in ("peace", "draw"))
