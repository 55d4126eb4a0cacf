"""Political actions: V-PLACE, V-RECLAIM, V-SETTLE, V-OPT and V-DISCARD."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import powderkeg.games.versailles as game
from powderkeg.games.versailles.board import NATIONS, NOBODY
from powderkeg.games.versailles.rules.political import can_place
from powderkeg.games.versailles.rules.settle import release_cubes
from powderkeg.games.versailles.state import Options, StateBuilder
from powderkeg.games.versailles.steps import (
    AddIssue,
    ChooseKept,
    ChooseOption,
    Turn,
)
from tests.games.versailles.scene import crisis, drawing, lay, midway, opening

# Place


@pytest.mark.rule("V-PLACE-01")
def test_exactly_two_different_issues():
    play = opening(3)("uk place armenia 2")
    play.refuses("uk end", "second_owed", "V-PLACE-01")
    play.refuses("uk place armenia 1", "same_issue", "V-PLACE-01")
    play("uk place womens_suffrage 1")
    play.refuses("uk place ethiopia 1", "political_done", "V-TURN-02")
    assert (play.on("armenia"), play.on("womens_suffrage")) == ({"uk": 2}, {"uk": 1})


@pytest.mark.rule("V-PLACE-01")
def test_the_game_end_is_a_target_like_others():
    play = lay(opening(3), waiting=("rush_to_the_finish", "ethiopia", "constantinople"))
    play("uk place rush_to_the_finish 2", "uk place armenia 1")
    assert play.on("rush_to_the_finish") == {"uk": 2}


@pytest.mark.rule("V-PLACE-01", "V-PLACE-06")
def test_the_first_issue_leaves_enough_for_the_second():
    play = opening(3)
    play.refuses("uk place armenia 15", "second_issue", "V-PLACE-01")
    play("uk place armenia 14")
    assert all(text.endswith(" 1") for text in play.legal("uk"))


@pytest.mark.rule("V-PLACE-02")
def test_at_least_one_cube():
    opening(3).refuses("uk place armenia 0", "no_cubes", "V-PLACE-02")


@pytest.mark.rule("V-PLACE-03")
def test_a_strict_lead_over_the_best_rival():
    play = lay(opening(3), cubes={"armenia": {"france": 3, "usa": 2, "uk": 1}})
    play.refuses("uk place armenia 2", "no_lead", "V-PLACE-03")
    play("uk place armenia 3")
    assert play.on("armenia")["uk"] == 4


@pytest.mark.rule("V-PLACE-04")
def test_one_cube_is_enough_where_one_leads():
    play = lay(opening(3), cubes={"armenia": {"uk": 4, "usa": 3}})
    play("uk place armenia 1")


@pytest.mark.rule("V-PLACE-05")
def test_only_available_cubes():
    play = lay(opening(3), used={"uk": 13}, cubes={"armenia": {"france": 2}})
    play.refuses("uk place armenia 3", "cubes_short", "V-PLACE-05")


@pytest.mark.rule("V-PLACE-06")
def test_more_than_needed_is_allowed():
    play = lay(opening(3), used={"uk": 2})("uk place armenia 12", "uk place ethiopia 1")
    assert play.free("uk") == 0


@pytest.mark.rule("V-PLACE-07")
@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=5, max_size=5),
    st.integers(0, 6),
)
def test_placing_is_legal_iff_some_pair_can_be_paid(rows, spare):
    play = opening(3)
    issues = (*play.state.table, *play.state.waiting)
    rows = [(a, b if a != b else b + 1) for a, b in rows]
    lay(play, cubes={i: {"france": a, "usa": b} for i, (a, b) in zip(issues, rows, strict=True)})
    lay(play, used={"uk": 15 - spare})
    costs = [max(a, b) + 1 for a, b in rows]
    payable = any(one + two <= spare for one, two in combinations(costs, 2))
    assert can_place(play.state, 0) == payable
    assert ("place" in play.verbs("uk")) == payable


@pytest.mark.rule("V-PLACE-08")
def test_no_cubes_on_settled_discarded_or_unknown_cards():
    play = lay(opening(3), held={"syria": "uk"})
    for card in ("syria", "cilicia", "hoover", "korea"):
        play.refuses(f"uk place {card} 1", "not_open", "V-PLACE-08")


# Reclaim


@pytest.mark.rule("V-RECLAIM-01")
def test_up_to_six_cubes():
    play = lay(opening(3), used={"uk": 8}, units={"uk": ("exhausted", "available", "available")})
    play.refuses("uk reclaim 7 -", "reclaim_most", "V-RECLAIM-01")
    assert "reclaim 0 -" in play.legal("uk")
    play("uk reclaim 6 -")
    assert (play.free("uk"), play.used("uk")) == (13, 2)


@pytest.mark.rule("V-RECLAIM-02")
def test_all_exhausted_units_come_back():
    play = lay(opening(3), units={"uk": ("exhausted", "exhausted", "available")})
    play("uk reclaim 0 -")
    assert (play.state.ready[0], play.state.spent[0]) == (3, 0)


@pytest.mark.rule("V-RECLAIM-03")
def test_any_deployed_units_may_come_back():
    play = lay(
        opening(3), units={"uk": ("europe 5", "africa 8", "available")}, unrest={"europe": 4}
    )
    reclaims = [text for text in play.legal("uk") if text.startswith("reclaim")]
    assert reclaims == ["reclaim 0 europe", "reclaim 0 africa", "reclaim 0 europe,africa"]
    play("uk reclaim 0 europe")
    assert (play.state.ready[0], play.column("europe")) == (2, 4)
    play.refuses("uk reclaim 0 africa", "political_done", "V-TURN-02")


@pytest.mark.rule("V-RECLAIM-04")
def test_something_must_be_reclaimed():
    play = opening(3)
    play.refuses("uk reclaim 0 -", "reclaim_nothing", "V-RECLAIM-04")
    play.refuses("uk reclaim 0 europe", "no_such_unit", "V-RECLAIM-03")
    assert "reclaim" not in play.verbs("uk")


# Settle


@pytest.mark.rule("V-SETTLE-01")
def test_only_table_issues_with_cubes():
    play = lay(opening(3), cubes={"armenia": {"france": 1}, "ethiopia": {"uk": 1}})
    play.refuses("uk settle ethiopia", "not_on_table", "V-SETTLE-01")
    play.refuses("uk settle rheinland", "no_cubes_there", "V-SETTLE-01")
    play("uk settle armenia")  # with no cube of its own there


def settled(play, *more):
    """Settle Armenia by the UK, up to the question in `more`."""
    lay(play, cubes={"armenia": {"uk": 1}})
    return play("uk settle armenia", "uk option to_turkey", *more)


@pytest.mark.rule("V-SETTLE-02", "V-EVENT-21")
def test_five_steps_in_order():
    play = settled(opening(3), "uk decline", "uk advance ethiopia", "uk advance hoover")
    play("uk cube no", "uk draw", "chance draw korea syria", "uk keep korea", "chance draw feisal")
    codes = [fact.msg.code.partition(".")[2] for fact in play.facts]
    order = [
        "controls",
        "option",
        "conference",
        "issue_advances",
        "event_advances",
        "kept",
        "crisis",
    ]
    assert [code for code in codes if code in order] == order
    assert isinstance(play.pending, Turn)


@pytest.mark.rule("V-SETTLE-02")
def test_each_step_has_its_decider():
    """The option is the controller's, the event its cube owner's, the rest the active player's."""
    play = lay(opening(4), cubes={"armenia": {"france": 2, "uk": 1}})
    b = StateBuilder(play.state)
    b.event_cube, b.available[2] = 2, b.available[2] - 1
    play.state = b.freeze()
    deciders = []
    for line in ("settle armenia", "option to_turkey", "decline", "advance ethiopia"):
        deciders.append(play.decider)
        play(f"{play.decider} {line}")
    assert deciders == ["uk", "france", "usa", "uk"]
    assert play.decider == "uk"


@pytest.mark.rule("V-SETTLE-03")
def test_most_cubes_control():
    play = lay(opening(3), cubes={"armenia": {"france": 3, "uk": 2, "usa": 1}})
    play("uk settle armenia")
    assert play.owner("armenia") == "france"


@pytest.mark.rule("V-SETTLE-04", "V-SETTLE-05", "V-SETTLE-06")
def test_cubes_of_the_rulebooks_smyrna():
    play = lay(opening(3), table=("smyrna", "rheinland"))
    lay(play, cubes={"smyrna": {"france": 5, "uk": 3}})
    b = StateBuilder(play.state)
    b.acting = 1  # France settles
    release_cubes(b, b.cubes["smyrna"], 1)
    assert (b.exhausted[1], b.exhausted[0], b.available[0] - play.free("uk")) == (5, 1, 2)
    play("uk settle smyrna")  # the UK settles: all its cubes return
    assert (play.used("france"), play.used("uk"), play.free("uk")) == (5, 0, 15)


@pytest.mark.rule("V-SETTLE-04")
def test_the_settlers_own_cubes_are_exhausted_if_it_controls():
    play = settled(opening(3))
    assert play.used("uk") == 1


@pytest.mark.rule("V-SETTLE-06")
@pytest.mark.parametrize(("n", "lost"), [(1, 0), (2, 1), (3, 1), (4, 2)])
def test_others_lose_half_rounded_down(n, lost):
    play = lay(opening(3), cubes={"armenia": {"france": 6, "usa": n}})
    play("uk settle armenia")
    assert (play.used("usa"), play.free("usa")) == (lost, 15 - lost)


@pytest.mark.rule("V-SETTLE-07")
def test_cubes_move_before_the_option_is_chosen():
    play = lay(opening(3), cubes={"armenia": {"france": 2, "uk": 1}})
    play("uk settle armenia")
    assert isinstance(play.pending, ChooseOption)
    assert (play.used("france"), play.free("uk")) == (2, 15)


@pytest.mark.rule("V-SETTLE-08", "V-OPT-04")
def test_every_printed_option_is_open_even_without_effect():
    play = lay(opening(3), cubes={"armenia": {"uk": 1}})("uk settle armenia")
    assert play.legal("uk") == ["option to_turkey", "option independent", "option us_mandate"]
    play("uk option us_mandate")  # unrest left of column 1: no change, no error
    assert play.column("middle_east") == 1


@pytest.mark.rule("V-SETTLE-09")
def test_the_card_stays_with_its_controller_and_its_option():
    play = settled(opening(3))
    held = play.state.held["armenia"]
    assert (NATIONS[held.owner], held.option) == ("uk", 0)
    assert "armenia" not in play.state.table


@pytest.mark.rule("V-SETTLE-10", "V-EVENT-04")
def test_the_table_event_is_discarded_with_its_cube():
    play = opening(3)
    b = StateBuilder(play.state)
    b.event_cube, b.available[1] = 1, 14
    play.state = b.freeze()
    settled(play, "france decline")
    assert (play.state.event, play.state.past, play.state.event_cube) == (
        "",
        ("churchill",),
        NOBODY,
    )
    assert play.used("france") == 1


@pytest.mark.rule("V-SETTLE-11")
def test_an_issue_moves_with_its_cubes():
    play = lay(opening(3), cubes={"ethiopia": {"france": 2, "usa": 1}})
    settled(play, "uk decline", "uk advance ethiopia")
    assert play.on("ethiopia") == {"france": 2, "usa": 1}
    assert play.state.table == ("rheinland", "ethiopia")
    other = settled(opening(3), "uk decline", "uk advance constantinople")  # without cubes
    assert other.state.table == ("rheinland", "constantinople")


@pytest.mark.rule("V-SETTLE-12")
def test_issue_and_event_advance_in_either_order():
    one = settled(
        opening(3), "uk decline", "uk advance ethiopia", "uk advance hoover", "uk cube no"
    )
    two = settled(
        opening(3), "uk decline", "uk advance hoover", "uk cube no", "uk advance ethiopia"
    )
    assert one.state == two.state
    assert one.state.event == "hoover"


@pytest.mark.rule("V-SETTLE-12")
def test_one_issue_and_one_event_no_more():
    play = settled(opening(3), "uk decline", "uk advance ethiopia")
    play.refuses("uk advance constantinople", "not_waiting", "V-SETTLE-11")


@pytest.mark.rule("V-SETTLE-13")
def test_two_are_drawn_one_is_kept_one_discarded():
    play = drawing(opening(3))
    play("uk draw", "chance draw korea syria")
    play.refuses("uk dive cilicia", "already_drawn", "V-SETTLE-13")
    play("uk keep syria")
    assert (play.state.waiting[-1], play.state.pile) == ("syria", ("korea", "cilicia"))


@pytest.mark.rule("V-SETTLE-14", "V-END-01")
def test_the_game_end_must_be_kept():
    play = drawing(lay(opening(3), above=1))
    play("uk draw", "chance draw korea")
    assert play.state.waiting[-1] == "rush_to_the_finish"
    assert play.state.pile[0] == "korea"
    first = drawing(lay(opening(3), above=0))  # it is on top: the other card is drawn after it
    first("uk draw", "chance draw korea")
    assert first.state.waiting[-1] == "rush_to_the_finish"


def short_deck(play, *left):
    """At the question where the new issue comes from; only these are left to draw, the game end
    is on the table, all others lie in the pile."""
    lay(play, table=("armenia", "rush_to_the_finish"), waiting=play.state.waiting[:2])
    lay(play, pile=(*play.state.pile, *(i for i in play.state.deck if i not in left)))
    return midway(play, AddIssue())


@pytest.mark.rule("V-SETTLE-15")
def test_the_last_card_goes_to_the_waiting_room():
    play = short_deck(opening(3), "korea")
    pile = play.state.pile
    play("uk draw", "chance draw korea")
    assert (play.state.waiting[-1], play.state.deck, play.state.pile) == ("korea", (), pile)
    assert play.state.over == ""


@pytest.mark.rule("V-END-05")
def test_the_option_ends_every_game_with_the_last_issue():
    play = short_deck(opening(3, options=Options(deck_end="always")), "korea")
    play("uk draw", "chance draw korea")
    assert (play.state.over, play.state.waiting[-1]) == ("deck", "korea")


@pytest.mark.rule("V-SETTLE-16", "V-END-05", "V-END-07")
def test_an_empty_deck_ends_the_game_if_one_draws():
    play = short_deck(opening(3))
    assert play.legal("uk")[:2] == ["draw", "dive cilicia"]
    play("uk draw")
    assert (play.state.over, game.to_act(play.state)) == ("deck", frozenset())
    assert play.facts_of("crisis") == []  # step 5 is not done
    other = short_deck(opening(3))("uk dive cilicia")
    assert other.state.over == ""


@pytest.mark.rule("V-SETTLE-17")
def test_drawn_cards_are_shown_to_all():
    play = drawing(opening(3))("uk draw", "chance draw korea syria")
    assert isinstance(play.pending, ChooseKept)
    seen = game.view(play.state, None)["state"]["agenda"][-1]
    assert seen["drawn"] == ["korea", "syria"]
    assert play.facts[-1].seen_by(None)


@pytest.mark.rule("V-SETTLE-18", "V-EVENT-01")
def test_only_the_crisis_of_a_drawn_event_is_performed():
    play = lay(opening(3), held={"syria": "uk"}, settled="syria", controller=0)
    lay(play, unrest={"middle_east": 3})
    crisis(play, "smuts")  # unrest there -1
    assert play.column("middle_east") == 2
    assert play.state.lobby[-1] == "smuts"
    assert play.column("africa") == 1


@pytest.mark.rule("V-SETTLE-19")
def test_the_table_is_laid_again_after_a_settlement():
    play = settled(opening(3), "uk decline", "uk advance ethiopia", "uk advance hoover")
    play("uk cube no", "uk draw", "chance draw korea syria", "uk keep korea", "chance draw lodge")
    state = play.state
    laid = len(state.table), len(state.waiting), bool(state.event), len(state.lobby)
    assert laid == (2, 3, True, 2)


@pytest.mark.rule("V-SETTLE-20")
def test_a_settlement_is_remembered_though_its_issue_was_lost():
    play = lay(opening(3), settled="syria", controller=1, unrest={"middle_east": 3})
    crisis(play, "dulles")
    assert play.column("middle_east") == 4


@pytest.mark.rule("V-SETTLE-20")
def test_a_crisis_hits_the_player_who_controls_the_settled_issue_now():
    """France settled Disarmament; an event unsettled it, and the USA won the bid."""
    laid = {"settled": "disarmament", "controller": 1}
    bid = crisis(lay(opening(3), **laid, held={"disarmament": "usa"}), "gompers")
    assert (bid.happy("france"), bid.happy("usa")) == (20, 19)
    lost = crisis(lay(opening(3), **laid, pile=("disarmament",)), "gompers")
    assert lost.state.happiness == (20,) * 5
    assert lost.facts_of("no_effect")


@pytest.mark.rule("V-SETTLE-20")
def test_the_option_keeps_the_controller_of_the_settlement():
    play = opening(3, options=Options(rebid_controller=False))
    lay(play, settled="disarmament", controller=1, held={"disarmament": "usa"})
    assert crisis(play, "gompers").happy("france") == 19


@pytest.mark.rule("V-SETTLE-21")
def test_who_acts_is_shown():
    play = settled(opening(3))
    view = game.view(play.state, "P2")
    assert (view["active"], view["deciding"]) == ("uk", "uk")
