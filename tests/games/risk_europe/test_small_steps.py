"""Big moves in small steps at a table: undone until something comes out, and no needless click."""

import random

import pytest

import powderkeg.games.risk_europe as game
from powderkeg.core.chance import CHANCE, Scripted, Seeded
from powderkeg.core.errors import RulesError
from powderkeg.core.table import Table
from powderkeg.core.words import Msg
from powderkeg.games.risk_europe.steps import Act, Battles, EndRound
from tests.games.risk_europe.scene import Scene, settled

HOMES = {"saxony": "blue 4f", "rome": "orange 4f", "turkey": "green 4f", "england": "purple 4f"}
SEATS = ("blue", "orange", "green", "purple")


def table(scene, *dice):
    """A table at which the scene goes on; chance rolls `dice`."""
    at = Table(game, 4, scene.state.options, source=Scripted(dice))
    at.state = scene.state
    return at


def taken_back(at, seat):
    """All that the seat can undo, one by one; the states on the way."""
    states = []
    while at.can_undo(seat):
        at.undo(seat)
        states.append(at.state)
    return states


# Undo


MOVES = {
    "expand": ["order expand", "from bohemia", "to bavaria", "march footman:2", "fortify saxony"],
    "manoeuvre": ["fortify saxony", "order manoeuvre", "from bohemia", "to saxony"],
    "split": ["order split", "from bohemia", "to bavaria", "march footman:1", "to poland"],
    "spend": ["order spend", "buy archer saxony 2", "build bohemia", "buy footman bohemia 3", "crown"],
}  # fmt: skip


@pytest.mark.rule("R-CARD-04", "R-CARD-07", "R-SPLIT-07", "R-SPEND-08")
@pytest.mark.parametrize("name", MOVES)
def test_every_small_step_of_a_turn_is_taken_back_one_by_one(name):
    card = {"split": "split", "spend": "tax"}.get(name, "fortify")
    lands = {**HOMES, "bohemia": "blue 6f", "highlands": "blue 2f"}
    at = table(Scene(lands).has("blue", coins=40).turn("blue", card))
    before = []
    for text in MOVES[name]:
        before.append(at.state)
        at.act("blue", text)
    assert taken_back(at, "blue") == before[::-1]
    for text in MOVES[name]:  # and again
        at.act("blue", text)


def test_others_take_back_nothing():
    at = table(Scene({**HOMES, "bohemia": "blue 6f"}).turn("blue", "fortify"))
    at.act("blue", "fortify saxony")
    for seat in SEATS[1:]:
        with pytest.raises(RulesError):
            at.undo(seat)


@pytest.mark.rule("R-CARD-03", "R-ROUND-02")
def test_no_way_back_once_the_next_card_is_turned():
    s = Scene({**HOMES, "bohemia": "blue 6f"}, round=0).new_round()
    at = table(s)
    for seat in SEATS:
        at.act(seat, "pick tax fortify")
        assert at.can_undo(seat) == (seat != "purple")  # with the last one a card comes out
    at.act("blue", "order tax")
    assert at.to_act == {"orange"}
    assert not at.can_undo("blue")


@pytest.mark.rule("R-SET-05", "R-CARD-02")
def test_a_secret_choice_is_taken_back_until_all_have_made_theirs():
    at = table(settled())
    at.act("blue", "pick tax split")
    at.undo("blue")
    assert "blue" in at.to_act
    at = Table(game, 4, source=Scripted(()))
    at.act("green", "bid 5")
    at.undo("green")
    assert at.to_act == set(SEATS)


@pytest.mark.rule("R-SIEGE-01")
def test_no_way_back_once_dice_are_rolled():
    lands = {**HOMES, "franconia": "blue 3f 1s", "swabia": "orange 3f"}
    at = table(Scene(lands).turn("blue", "siege"), "roll 1 1")
    at.act("blue", "order manoeuvre")
    assert at.can_undo("blue")
    at.undo("blue")
    at.act("blue", "besiege franconia swabia")
    assert not at.can_undo("blue")


def test_an_action_that_needs_a_territory_asks_for_it():
    lands = {**HOMES, "franconia": "blue 3f 1s", "swabia": "orange 3f"}
    besiege = step_after(Scene(lands).turn("blue", "siege"), "besiege")
    assert besiege.prompt == Msg("risk_europe.ask.assault_from")
    assert besiege.options[0].then.prompt == Msg("risk_europe.ask.assault_to")
    fortify = step_after(Scene(lands).turn("blue", "fortify"), "fortify")
    assert fortify.prompt == Msg("risk_europe.ask.where")


def step_after(scene, verb):
    """What is asked after the first word of an answer."""
    options = game.ask(scene.state, "blue").node.options
    return next(option.then for option in options if option.text == verb)


@pytest.mark.rule("R-BAT-20")
def test_losses_chosen_in_secret_are_taken_back_until_the_other_side_has_chosen():
    lands = {**HOMES, "bavaria": "blue 2f 2c"}
    s = Scene(lands, attacks={"bavaria": "orange 2f 2c"}).next(Battles(), EndRound())
    at = table(s.roll(6, 1, 6, 1), "roll 1 1 1 1 1")
    assert at.to_act == {"blue", "orange"}
    at.act("blue", "lose cavalry:1")
    at.undo("blue")
    at.act("blue", "lose footman:1")
    at.act("orange", "lose footman:1")
    assert not at.can_undo("orange")
    assert not at.can_undo("blue")


# No needless click


@pytest.mark.rule("R-BAT-12")
@pytest.mark.parametrize("seed", range(5))
def test_a_battle_of_footmen_is_fought_without_a_question(seed):
    """From the end of the last turn to the next choice of cards only dice are logged."""
    s = Scene({**HOMES, "bavaria": "blue 6f"}, attacks={"bavaria": "orange 7f"})
    at = Table(game, 4, source=Seeded(random.Random(seed)))
    at.state = s.next(Act(0, "fortify"), Battles(), EndRound()).state
    at.act("blue", "pass")
    assert [entry.seat for entry in at.log if entry.seat != CHANCE] == ["blue"]
    assert at.state.attacks == ()
    assert at.state.round == 2


@pytest.mark.rule("R-BAT-07", "R-BAT-20")
@pytest.mark.parametrize(
    ("attackers", "defenders", "dice", "asked"),
    [
        ("3a", "3a", "roll 5 1 1 6 1 1", set()),  # all alike on both sides
        ("3a", "1f 1a", "roll 5 1 1 1", {"blue"}),  # only one side has a choice
        ("2f 1a", "2a", "roll 1 5 1", {"orange"}),
        ("1f 1a 1c", "3a 1f", "roll 1 6 6 6", set()),  # the whole army falls
        ("2f 2a", "2f 2a", "roll 5 1 5 1", {"blue", "orange"}),
        ("2f 2a", "2f 2a", "roll 1 1 1 1", set()),  # nobody is hit
    ],
)
def test_losses_are_asked_only_where_there_is_a_choice(attackers, defenders, dice, asked):
    s = Scene({**HOMES, "bavaria": f"blue {defenders}"}, attacks={"bavaria": f"orange {attackers}"})
    s.next(Battles(), EndRound()).roll(*map(int, dice.split()[1:]))
    assert {seat for seat in SEATS if s.legal(seat, "lose")} == asked
    assert not asked or s.to_act == asked
    assert "losses_chosen" not in s.fact_codes()  # nobody is said to have chosen what was no choice


@pytest.mark.rule("R-BAT-01")
def test_a_single_battle_is_not_asked_for_and_two_are():
    lands = {**HOMES, "bavaria": "blue 1f", "serbia": "blue 1f"}
    one = Scene(lands, attacks={"bavaria": "orange 1f"}).next(Battles(), EndRound())
    assert one.to_act == {CHANCE}
    two = Scene(lands, attacks={"bavaria": "orange 1f", "serbia": "orange 1f"})
    assert two.next(Battles(), EndRound()).to_act == {"blue"}


@pytest.mark.rule("R-EXP-01", "R-TAX-01")
def test_a_single_origin_target_force_or_city_is_taken_without_asking():
    lands = {**HOMES, "saxony": "blue 1f", "tunisia": "blue 2f", "sicily": "blue 1f"}
    lands |= {"algeria": "blue 1f", "sardinia": "blue 1f"}
    s = Scene(lands).turn("blue", "split").do("blue", "order split")
    assert s.fact_codes()[-1] != "ordered"  # one origin, one target, one footman: it is done
    s = Scene(HOMES).turn("blue", "tax").do("blue", "order tax")
    assert "taxed" in s.fact_codes()
