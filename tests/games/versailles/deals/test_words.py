"""Deals in words: the same on the form, on the board, in the log and in refusals."""

from dataclasses import replace

import pytest

import powderkeg.games.versailles as game
from powderkeg.core.errors import Illegal
from powderkeg.core.words import LANGS, Msg, say
from powderkeg.games.versailles.state import Deal
from tests.games.versailles.deals.deal_scenes import UP_TO_CARDS, deal, table

CHOSEN = "UK chooses from the event: "
NUMBERED = "UK chooses alternative 2 of the event"


def board_text(view):
    return "\n".join(say(line) for section in game.describe(view) for line in section.lines)


ANSWERS = ("accept", "refuse", "withdraw", "counter")


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("answer", ANSWERS)
def test_the_name_of_an_answer_begins_with_the_word_on_its_button(answer, lang):
    """Who speaks to a page says the word that is seen."""
    seen = say(Msg(f"versailles.board.answer.{answer}"), lang).rstrip("…")
    assert say(Msg(f"versailles.do.{answer}_deal", deal=3), lang).startswith(seen)


def test_what_is_taken_from_the_event_is_named_wherever_the_term_is_said():
    play = deal(table(event="orlando"), "uk.branch.2")
    view = game.view(play.state, "P1")
    said = say(game.captions(view)["uk.branch.2"])
    assert said.startswith(CHOSEN)
    assert said in board_text(view)
    assert said in say(play.facts_of("offered")[0]["terms"])
    with pytest.raises(Illegal) as refused:
        play("uk propose france uk.branch.1")
    assert CHOSEN in say(refused.value.msg)
    assert NUMBERED not in board_text(view)


def test_a_term_is_not_read_with_an_event_of_later_turns():
    """The event that advanced has branches, too, but nobody chooses among them this turn."""
    play = table(event="smuts")(*UP_TO_CARDS)
    deals = (Deal(1, 0, (0, 1), ("uk.branch.2",), (0, 1), made=True),)
    view = game.view(replace(play.state, event="orlando", deals=deals), "P1")
    assert say(game.captions(view)["uk.branch.2"]) == NUMBERED
    assert NUMBERED in board_text(view)
