"""Terms about what an event asks for hold until it is answered: V-NEG-02."""

from dataclasses import replace

import pytest

import powderkeg.games.versailles as game
from powderkeg.core import plain
from powderkeg.core.words import say
from powderkeg.games.versailles.cards.reader import default_pack
from powderkeg.games.versailles.deals.form import deal_form
from powderkeg.games.versailles.deals.words import term_label, term_text
from powderkeg.games.versailles.state import Options
from tests.games.versailles.deals.deal_scenes import UP_TO_EVENT, deal, table

LEAGUE = ("disarmament", "freedom_of_the_seas")
REPARATIONS = ("indemnity", "reconstruction")


def settled_issues(*issues):
    return {id_: ("uk", default_pack().issues[id_].options[0].id) for id_ in issues}


PICKED = [  # event, what lies there, what is agreed, what is played after the option is chosen
    ("orlando", {}, "africa", ("usa choose uk",)),
    ("white", {"held": settled_issues(*LEAGUE)}, "freedom_of_the_seas", ("usa perform",)),
    ("pichon", {"held": settled_issues(*LEAGUE)}, "disarmament", ("usa perform",)),
    ("hankey", {"held": settled_issues(*LEAGUE)}, "disarmament", ("usa perform",)),
    ("mordacq", {"held": settled_issues(*REPARATIONS)}, "indemnity", ("usa perform",)),
]


@pytest.mark.rule("V-NEG-02")
@pytest.mark.parametrize(("event", "laid", "what", "moves"), PICKED)
def test_what_an_event_asks_for_can_be_agreed_before_the_settlement(event, laid, what, moves):
    play = deal(table(event=event, **laid), f"usa.pick.{what}", to="france+usa")
    play(*UP_TO_EVENT, *moves)
    assert play.legal("usa") == [f"choose {what}"]
    play(f"usa choose {what}")
    assert play.facts_of("deal_kept")


@pytest.mark.rule("V-NEG-02")
@pytest.mark.parametrize(
    ("version", "event", "term", "moves", "stays"),
    [
        (1, "orlando", "uk.branch.2", ("usa choose uk",), False),
        (3, "orlando", "uk.branch.2", ("usa choose uk",), True),
        (3, "orlando", "usa.pick.africa", ("usa choose uk",), True),
        (3, "white", "usa.pick.disarmament", ("usa perform",), False),
    ],
)
def test_stored_games_keep_how_long_a_term_about_an_event_lasted(
    version, event, term, moves, stays
):
    play = table(event=event, held=settled_issues(*LEAGUE))
    options = plain.load(Options, game.upgrade_options(version, {}))
    play.state = replace(play.state, options=options)
    deal(play, term, to="france+usa")(*UP_TO_EVENT, *moves)
    assert bool(play.state.deals) is stays
    assert bool(play.facts_of("deal_expired")) is not stays


def test_a_term_about_a_branch_says_what_the_branch_does():
    event = default_pack().events["orlando"]
    said = [say(term_label(f"uk.branch.{n}", event)).partition(": ") for n in (1, 2)]
    assert [who for who, _, _ in said] == ["UK chooses from the event"] * 2
    assert [what for _, _, what in said] == ["exhaust 4 cubes·", "+1 unrest: both chosen regions·"]
    assert term_label("uk.branch.2", None) == term_text("uk.branch.2")
    assert term_label("uk.settle.syria", event) == term_text("uk.settle.syria")


def test_a_new_event_makes_no_new_lines_of_a_form_but_those_that_name_it():
    plain, other = (deal_form(table(event=event).state) for event in ("hoover", "house"))
    assert any(plain.now[n] is other.now[n] for n in plain.now)
