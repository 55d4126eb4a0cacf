"""The end of the game and its score: V-END, V-SCORE and V-TIE."""

import pytest

import powderkeg.games.versailles as game
from powderkeg.games.versailles.board import NATIONS
from powderkeg.games.versailles.cards.pack import Condition
from powderkeg.games.versailles.rules.score import (
    condition_points,
    count_condition,
    flag_points,
    happiness_line,
    ranking_key,
    score_sheet,
)
from powderkeg.games.versailles.state import Options, StateBuilder, with_item
from tests.games.versailles.scene import lay, opening


def ended(play, **laid):
    """The position as a finished game."""
    lay(play, **laid)
    b = StateBuilder(play.state)
    b.over, b.agenda = "deck", ()
    play.state = b.freeze()
    return play


def with_strategies(play, **cards):
    b = StateBuilder(play.state)
    for nation, card in cards.items():
        b.strategy = with_item(b.strategy, NATIONS.index(nation), card)
    b.dealt, b.risen = tuple(dict.fromkeys((*b.dealt, *cards.values()))), True
    play.state = b.freeze()
    return play


def rush(play):
    return lay(play, table=("rush_to_the_finish", "rheinland"))


@pytest.mark.rule("V-END-02", "V-END-03", "V-END-07")
def test_settling_the_game_end_ends_the_game_at_once():
    play = rush(opening(3))
    play.refuses("uk settle rush_to_the_finish", "no_cubes_there", "V-SETTLE-01")
    lay(play, cubes={"rush_to_the_finish": {"france": 2, "uk": 1}})
    before = play.state
    play("uk settle rush_to_the_finish")
    after = play.state
    assert (after.over, game.to_act(after)) == ("rush", frozenset())
    assert play.owner("rush_to_the_finish") == "france"
    assert (after.event, after.lobby, after.waiting) == (before.event, before.lobby, before.waiting)
    assert after.exhausted == before.exhausted  # cubes are not handled
    play.refuses("uk end", "over", "V-END-03")


@pytest.mark.rule("V-END-04")
def test_the_game_end_has_no_region():
    assert (
        game.view(rush(opening(3)).state, None)["cards"]["rush_to_the_finish"]["region"] == "none"
    )


@pytest.mark.rule("V-END-06")
def test_an_unsettled_game_end_gives_nobody_points():
    play = ended(rush(opening(3)), cubes={"rush_to_the_finish": {"uk": 5}})
    assert score_sheet(play.state, 0).issues == 0


@pytest.mark.rule("V-SCORE-01")
def test_stars_of_controlled_issues():
    play = opening(3)
    lay(play, held={"indemnity": "uk", "korea": "uk", "syria": "usa"})
    rush(play)
    lay(play, cubes={"rush_to_the_finish": {"uk": 1}})
    play("uk settle rush_to_the_finish")
    assert score_sheet(play.state, 0).issues == 6 + 2 + 7


@pytest.mark.rule("V-SCORE-02")
def test_flags_count_on_own_issues_only():
    held = {
        "syria": ("france", "french_mandate"),
        "arabia": ("uk", "french_mandate"),
        "shantung": ("uk", "to_japan", ("uk", "usa")),
        "tyrol": ("uk", "to_italy"),
    }
    play = lay(opening(3), held=held)
    assert [flag_points(play.state, n) for n in range(3)] == [1, 1, 0]


@pytest.mark.rule("V-SCORE-03", "V-STRAT-07")
def test_without_a_strategy_there_are_no_points_for_one():
    play = ended(opening(3), held={"armenia": ("uk", "independent")})
    assert score_sheet(play.state, 0).conditions == ()
    with_strategies(play, uk="global_trade")
    assert (
        score_sheet(play.state, 0).strategy == 5
    )  # five quiet regions; double happiness adds nothing


@pytest.mark.rule("V-SCORE-04", "V-SCORE-02")
def test_counters_count_wherever_they_are_and_flags_twice():
    held = {"syria": ("france", "uk_mandate"), "arabia": ("uk", "uk_mandate")}
    play = lay(opening(3), held=held)
    assert count_condition(play.state, 0, "empire") == 2
    assert flag_points(play.state, 0) == 1


@pytest.mark.rule("V-SCORE-05")
def test_quiet_and_restless_regions():
    play = lay(opening(3), unrest={"europe": 3, "balkans": 4, "africa": 8})
    assert (
        count_condition(play.state, 0, "unrest_low"),
        count_condition(play.state, 0, "unrest_high"),
    ) == (3, 2)


@pytest.mark.rule("V-SCORE-06")
def test_units_not_demobilised_count():
    play = lay(opening(3), units={"uk": ("exhausted", "europe 8", "space 0")})
    assert count_condition(play.state, 0, "units") == 2


@pytest.mark.rule("V-SCORE-07")
def test_who_signs():
    play = lay(opening(4), happiness={"japan": 15, "italy": 14})
    assert (count_condition(play.state, 0, "signs"), count_condition(play.state, 0, "refuses")) == (
        1,
        1,
    )


@pytest.mark.rule("V-SCORE-08")
def test_own_issues_of_a_category():
    held = {"disarmament": "uk", "womens_suffrage": "uk", "labor_reform": "usa", "indemnity": "usa"}
    play = lay(opening(3), held={**held, "syria": "uk", "arabia": "uk", "korea": "uk"})
    assert count_condition(play.state, 0, "league_held") == 2
    assert count_condition(play.state, 2, "reparations_held") == 1
    assert count_condition(play.state, 0, "regions_held") == 2


def test_points_for_each():
    play = lay(opening(3), unrest={"europe": 5})
    condition = Condition("unrest_low", -2, play.state.pack.strategies["outlaw_war"].sure)
    assert condition_points(play.state, 0, condition) == -8


def ranks(players, *happiness):
    names = ("uk", "france", "usa", "italy")[:players]
    play = ended(opening(players), happiness=dict(zip(names, happiness, strict=True)))
    return [happiness_line(play.state, n) for n in range(players)]


@pytest.mark.rule("V-SCORE-09")
def test_rank_points():
    assert ranks(2, 20, 18) == [6, 0]
    assert ranks(3, 22, 18, 20) == [6, 0, 3]
    assert ranks(4, 12, 14, 16, 18) == [0, 2, 4, 6]


@pytest.mark.rule("V-SCORE-10")
@pytest.mark.parametrize(
    ("happiness", "points"),
    [
        ((22, 22, 20, 18), [6, 6, 2, 0]),
        ((22, 22, 22, 18), [6, 6, 6, 0]),
        ((22, 20, 20, 18), [6, 4, 4, 0]),
        ((20, 20, 20, 20), [6, 6, 6, 6]),
    ],
)
def test_equals_take_the_higher_place(happiness, points):
    assert ranks(4, *happiness) == points


@pytest.mark.rule("V-SCORE-11")
def test_five_less_at_zero():
    play = opening(3)
    lay(play, units={"uk": ("available", "mutinied", "mutinied")})
    ended(play, happiness={"uk": 0})
    assert happiness_line(play.state, 0) == -5


@pytest.mark.rule("V-SCORE-12")
def test_double_happiness():
    play = with_strategies(ended(opening(3), happiness={"uk": 22}), uk="isolationism")
    assert happiness_line(play.state, 0) == 12
    sad = opening(3)
    lay(sad, units={"uk": ("available", "mutinied", "mutinied")})
    with_strategies(ended(sad, happiness={"uk": 0}), uk="isolationism")
    assert happiness_line(sad.state, 0) == -10
    once = opening(3, options=Options(zero_doubled=False))
    lay(once, units={"uk": ("available", "mutinied", "mutinied")})
    with_strategies(ended(once, happiness={"uk": 0}), uk="isolationism")
    assert happiness_line(once.state, 0) == -5


@pytest.mark.rule("V-SCORE-13")
def test_the_total_is_the_sum_of_the_lines():
    play = with_strategies(ended(opening(3), held={"rheinland": "uk"}), uk="global_trade")
    lines = score_sheet(play.state, 0)
    assert lines.total == lines.issues + lines.flags + sum(lines.conditions) + lines.happiness == 23
    assert game.result(play.state).winners == ("P1",)


# Ties


@pytest.mark.rule("V-TIE-01")
def test_equal_totals_are_parted_by_happiness():
    play = ended(
        opening(3), held={"indemnity": "france"}, happiness={"uk": 20, "france": 19, "usa": 21}
    )
    # UK: 0 + 3; France: 6 + 0; USA: 0 + 6
    assert [ranking_key(play.state, n)[0] for n in range(3)] == [3, 6, 6]
    found = game.result(play.state)
    assert (found.ranking[0], found.rule) == (("P3",), "V-TIE-01")


@pytest.mark.rule("V-TIE-02")
def test_then_more_issues():
    held = {"sudetenland": "uk", "korea": "usa", "vietnam": "usa"}
    found = game.result(ended(opening(3), held=held, happiness={"france": 18}).state)
    assert (found.ranking[0], found.rule) == (("P3",), "V-TIE-02")


@pytest.mark.rule("V-TIE-03")
def test_then_the_victory_is_shared():
    held = {"sudetenland": "uk", "silesia": "usa"}
    found = game.result(ended(opening(3), held=held, happiness={"france": 18}).state)
    assert (found.ranking[0], found.rule) == (("P1", "P3"), "V-TIE-03")
