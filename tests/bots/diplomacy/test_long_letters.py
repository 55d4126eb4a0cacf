"""Letters that promise never to attack, and letters that are long."""

import pytest

from powderkeg.bots.diplomacy.press.prose import read_letter
from powderkeg.core.table import Table
from powderkeg.games import diplomacy


@pytest.fixture(scope="module")
def view():
    return Table(diplomacy, 7).view("FRANCE")


@pytest.mark.parametrize(
    "text",
    [
        "I will never attack you.",
        "Let us never attack each other.",
        "Prima di tutto facciamo pace.",
        "No te atacaré nunca.",
        "Nunca te atacaré.",
        "Non ti attaccherò mai.",
    ],
)
def test_never_to_attack_is_peace(view, text):
    found = read_letter(view, "GERMANY", text)
    assert [part.kind for part in found.parts] == ["peace"]
    assert found.sure


@pytest.mark.parametrize(
    "shape", ["Ruhr or Ruhr and ", "if you do Ruhr and then ", "peace or war, "]
)
def test_a_long_letter_of_one_sentence_is_answered(view, shape):
    """Reading takes time by its length, not by a power of it: this test would not end."""
    assert read_letter(view, "GERMANY", (shape * 300)[:4000])
