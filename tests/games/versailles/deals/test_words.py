"""How deals are answered, in words."""

import pytest

from powderkeg.core.words import LANGS, Msg, say

ANSWERS = ("accept", "refuse", "withdraw", "counter")


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("answer", ANSWERS)
def test_the_name_of_an_answer_begins_with_the_word_on_its_button(answer, lang):
    """Who speaks to a page says the word that is seen."""
    seen = say(Msg(f"versailles.board.answer.{answer}"), lang).rstrip("…")
    assert say(Msg(f"versailles.do.{answer}_deal", deal=3), lang).startswith(seen)
