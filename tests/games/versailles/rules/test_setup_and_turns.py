"""Set-up and turns: V-SET and V-TURN."""

import random

import pytest

import powderkeg.games.versailles as game
from powderkeg.core.chance import CHANCE, Seeded
from powderkeg.core.table import Table
from powderkeg.games.versailles.board import NATIONS, NOBODY
from powderkeg.games.versailles.rules.settle import deck_size
from powderkeg.games.versailles.state import Options
from powderkeg.games.versailles.steps import ChooseNation, DrawIssues, Turn
from tests.games.versailles.scene import Play, lay, midway, opening


@pytest.mark.rule("V-SET-01")
@pytest.mark.parametrize(
    ("players", "nations"),
    [
        (1, {"uk", "france", "usa"}),
        (2, {"uk", "france"}),
        (3, {"uk", "france", "usa"}),
        (4, {"uk", "france", "usa", "italy"}),
    ],
)
def test_nations_by_number_of_players(players, nations):
    assert {NATIONS[n] for n in opening(players).state.order} == nations


@pytest.mark.rule("V-SET-02")
def test_chance_draws_who_begins():
    state = game.start(game.seats(4, Options()), Options())
    assert {str(o) for o in game.legal(state, CHANCE)} == {f"draw P{i}" for i in range(1, 5)}
    assert NATIONS[opening(4, first=3).state.active] == "usa"


@pytest.mark.rule("V-SET-03")
def test_nations_are_chosen_in_seat_order_from_the_first_player():
    play = Play(game.start(game.seats(3, Options()), Options()))
    play("chance draw P2", "P2 nation usa")
    assert game.to_act(play.state) == {"P3"}
    play.refuses("P3 nation usa", "nation_taken", "V-SET-03")
    play.refuses("P3 nation italy", "nation_taken", "V-SET-03")
    play("P3 nation france")  # the last nation goes to the last player by itself
    assert not isinstance(play.pending, ChooseNation)
    assert [NATIONS[n] for n in play.state.order] == ["uk", "usa", "france"]


@pytest.mark.rule("V-SET-03", "V-SET-16", "V-TURN-01")
def test_turns_follow_the_seats_not_the_nations():
    play = opening(4, first=2)
    order = []
    for _ in range(8):
        order.append(NATIONS[play.state.active])
        lay(play, used={order[-1]: 6})
        play(f"{order[-1]} reclaim 1 -", f"{order[-1]} end")
    assert order == ["france", "usa", "italy", "uk"] * 2


@pytest.mark.rule("V-SET-04")
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_tokens(players):
    play = opening(players)
    for nation in play.state.order:
        assert play.state.available[nation] == 15
        assert play.state.ready[nation] == 3
        assert play.state.exhausted[nation] == play.state.spent[nation] == 0


@pytest.mark.rule("V-SET-05", "V-SET-06", "V-SOLO-01")
@pytest.mark.parametrize(("players", "waiting", "deck", "above"), [(4, 3, 47, 26), (1, 2, 48, 27)])
def test_issues_are_laid_out(players, waiting, deck, above):
    play = opening(players)
    assert (len(play.state.table), len(play.state.waiting), len(play.state.pile)) == (2, waiting, 1)
    faceup = play.state.table + play.state.waiting + play.state.pile
    assert "rush_to_the_finish" not in faceup
    assert (deck_size(play.state), play.state.above) == (deck, above)


@pytest.mark.rule("V-SET-07", "V-SET-08", "V-SET-09", "V-SET-12")
@pytest.mark.parametrize(
    ("players", "length", "above", "happiness"),
    [
        (3, 15, 31, (20, 20, 20, 20, 20)),
        (3, 10, 36, (22, 22, 22, 20, 20)),
        (4, 10, 36, (22, 22, 22, 22, 20)),
        (4, 5, 41, (24, 24, 24, 24, 20)),
        (2, 20, 26, (20, 20, NOBODY, 20, 20)),
        (2, 5, 41, (24, 24, NOBODY, 20, 20)),
        (1, 20, 27, (20, 20, 20, NOBODY, NOBODY)),
    ],
)
def test_lengths(players, length, above, happiness):
    play = opening(players, options=Options(length=length))
    assert play.state.above == above
    assert play.state.happiness == happiness


@pytest.mark.rule("V-SET-09")
def test_the_longest_game_hides_the_end_among_six():
    """It cannot come before the last six cards; then it is one of those that chance may draw."""
    many = midway(opening(3, options=Options(length=5)), DrawIssues())
    assert "rush_to_the_finish" not in game.legal(many.state, CHANCE).items
    few = midway(lay(opening(3, options=Options(length=5)), above=0), DrawIssues())
    assert "rush_to_the_finish" in game.legal(few.state, CHANCE).items
    play = midway(lay(opening(3, options=Options(length=5)), above=1), DrawIssues())
    assert game.legal(play.state, CHANCE).count == 1  # one for sure, the other perhaps the end
    play("chance draw korea")
    assert len(game.legal(play.state, CHANCE).items) == len(play.state.deck) + 1


@pytest.mark.rule("V-SET-11")
def test_events_are_laid_out_and_no_crisis_is_performed():
    play = opening(4)
    assert (play.state.event, len(play.state.lobby), len(play.state.events)) == ("churchill", 2, 43)
    assert play.state.unrest == (1,) * 5
    assert play.state.event_cube == NOBODY
    assert play.facts_of("crisis") == []


@pytest.mark.rule("V-SET-13", "V-STRAT-08")
@pytest.mark.parametrize(("players", "cards"), [(1, 0), (2, 3), (3, 4), (4, 5)])
def test_strategies_are_dealt_at_the_start(players, cards):
    assert len(opening(players).state.dealt) == cards


@pytest.mark.rule("V-SET-14")
def test_tracks_at_the_start():
    state = opening(3).state
    assert (state.kegs, state.unrest) == ((0,) * 5, (1,) * 5)


@pytest.mark.rule("V-SET-15")
@pytest.mark.parametrize(("players", "spaces"), [(1, 4), (2, 4), (3, 4), (4, 6)])
def test_grey_spaces_are_for_four(players, spaces):
    assert len(opening(players).state.spaces) == spaces


# Turns


@pytest.mark.rule("V-TURN-02", "V-TURN-07", "V-TURN-09")
def test_a_turn_has_one_political_action_and_at_most_one_military():
    play = opening(3)
    play.refuses("uk end", "political_owed", "V-TURN-07")
    play("uk deploy available europe 8")
    play.refuses("uk end", "political_owed", "V-TURN-07")
    play.refuses("uk deploy available africa 8", "military_done", "V-TURN-02")
    play.refuses("uk demobilise available", "military_done", "V-TURN-02")
    play("uk place armenia 1", "uk place rheinland 1")
    assert play.decider == "france"  # nothing was left to do: the turn has passed


@pytest.mark.rule("V-TURN-09")
def test_after_the_political_action_military_or_end():
    play = opening(3)("uk place armenia 1", "uk place rheinland 1")
    assert play.decider == "uk"
    assert play.verbs("uk") == {"deploy", "demobilise", "end"}
    play.refuses("uk place ethiopia 1", "political_done", "V-TURN-02")
    play("uk end")
    assert play.decider == "france"


@pytest.mark.rule("V-TURN-03")
def test_no_military_action_between_the_steps_of_a_settlement():
    play = lay(opening(3), cubes={"armenia": {"uk": 1}})
    play("uk settle armenia")
    play.refuses("uk deploy available europe 8", "no_such_option", "V-SETTLE-08")
    assert play.verbs("uk") == {"option"}


@pytest.mark.rule("V-TURN-04")
def test_the_menu_lists_what_is_legal():
    play = lay(opening(3), cubes={"armenia": {"uk": 2}}, used={"uk": 4})
    assert play.verbs("uk") == {"place", "reclaim", "settle", "deploy", "demobilise"}


@pytest.mark.rule("V-TURN-05")
def test_settling_is_the_last_resort_even_if_it_ends_the_game():
    play = lay(opening(3), table=("rush_to_the_finish", "rheinland"), military=True)
    lay(play, cubes={"rush_to_the_finish": {"france": 2}, "ethiopia": {"uk": 15}})
    assert play.legal("uk") == ["settle rush_to_the_finish"]


@pytest.mark.rule("V-TURN-06")
def test_nothing_legal_is_a_forced_pass():
    play = lay(opening(3), cubes={"ethiopia": {"uk": 15}}, units={"uk": ["mutinied"] * 3})
    lay(play, happiness={"uk": 3})
    midway(play)
    assert play.facts_of("forced_pass")
    assert play.decider == "france"


@pytest.mark.rule("V-TURN-06")
def test_a_deployment_can_make_reclaim_legal_so_there_is_no_pass():
    play = lay(opening(3), cubes={"ethiopia": {"uk": 15}})
    assert "end" in play.legal("uk")
    play("uk deploy available europe 8")
    assert play.legal("uk") == ["reclaim 0 europe"]
    play.refuses("uk end", "political_owed", "V-TURN-07")


@pytest.mark.rule("V-TURN-06")
def test_a_round_in_which_nobody_can_do_anything_ends_the_game():
    """Random play found it: all cubes lie in the waiting room and nobody has a unit left."""
    play = opening(2)
    gone = dict.fromkeys(("uk", "france"), ("mutinied", "mutinied", "mutinied"))
    lay(play, units=gone, happiness={"uk": 3, "france": 3})
    lay(play, cubes={"ethiopia": {"uk": 14}, "constantinople": {"france": 14, "usa": 13}})
    lay(play, cubes={"womens_suffrage": {"usa": 1}})
    midway(play)
    assert play.state.over == "deadlock"
    assert game.result(play.state) is not None
    some = lay(opening(3), cubes={"ethiopia": {"uk": 15}}, units={"uk": gone["uk"]})
    midway(lay(some, happiness={"uk": 3}))
    assert some.decider == "france"  # others can act, so the game goes on


@pytest.mark.rule("V-TURN-08")
def test_a_military_action_moves_one_unit():
    play = opening(3)("uk deploy available europe 8")
    assert play.state.ready[0] == 2
    assert "deploy" not in play.verbs("uk")


@pytest.mark.rule("V-TURN-10")
def test_a_deployment_by_an_event_is_not_the_turns_own():
    play = lay(opening(3), cubes={"armenia": {"uk": 1}})
    play("uk settle armenia", "uk option to_turkey", "uk perform", "uk deploy available europe 8")
    play("uk advance ethiopia", "uk advance hoover", "uk cube no", "uk draw")
    play("chance draw korea syria", "uk keep korea", "chance draw keynes")
    assert isinstance(play.pending, Turn)
    assert "deploy available africa 8" in play.legal("uk")


@pytest.mark.rule("V-TURN-11")
def test_decisions_without_an_owner_are_the_active_players():
    play = lay(opening(3), cubes={"armenia": {"france": 1}})
    play("uk settle armenia")
    assert play.decider == "france"  # the option is its controller's
    play("france option to_turkey")
    assert play.decider == "uk"
    play.refuses("france decline", "not_your_decision", "V-TURN-11")


@pytest.mark.rule("V-TURN-12")
def test_mutinies_are_asked_clockwise_from_the_active_player():
    play = opening(4, first=3)
    lay(
        play,
        happiness={"uk": 12, "france": 11, "usa": 20, "italy": 11},
        units={
            "uk": ("available", "exhausted", "available"),
            "france": ("available", "exhausted", "available"),
            "italy": ("available", "exhausted", "available"),
        },
        table=("disarmament", "rheinland"),
    )
    lay(play, cubes={"disarmament": {"usa": 1}})
    play("usa settle disarmament", "usa option limited")  # UK -3, France -3, Italy -1
    asked = []
    while play.verbs(play.decider) == {"mutiny"}:
        asked.append(play.decider)
        play(f"{play.decider} mutiny available")
    assert asked == ["italy", "uk", "france"]


def test_a_table_plays_it():
    table = Table(game, 3, source=Seeded(random.Random(1)))
    assert not table.to_act & {CHANCE}
