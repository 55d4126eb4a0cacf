"""Region tracks, military actions and mutiny: V-REG, V-MIL and V-MUT."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import powderkeg.games.versailles as game
from powderkeg.games.versailles.board import REGIONS
from powderkeg.games.versailles.rules.military import demobilise_values
from powderkeg.games.versailles.rules.tracks import add_happiness, add_keg, add_unrest, unrest_cap
from powderkeg.games.versailles.state import Options, StateBuilder, unit_count
from powderkeg.games.versailles.steps import Mutinies
from tests.games.versailles.scene import crisis, lay, midway, opening

ME = REGIONS.index("middle_east")


def changed(play, change, *args):
    """A builder of the position after a change."""
    b = StateBuilder(play.state)
    change(b, *args)
    return b


# Tracks


@pytest.mark.rule("V-REG-01")
def test_five_rows_of_eight_columns():
    view = game.view(opening(3).state, None)
    assert list(view["regions"]) == list(REGIONS)
    play = lay(opening(3), unrest={"europe": 8})
    assert changed(play, add_unrest, 0, 5).unrest[0] == 8


@pytest.mark.rule("V-REG-02", "V-REG-04")
@pytest.mark.parametrize(("keg", "unrest", "after"), [(1, 2, 3), (1, 5, 5), (0, 1, 2), (2, 3, 4)])
def test_a_powder_keg_pushes_unrest_only_when_it_meets_it(keg, unrest, after):
    play = lay(opening(3), kegs={"europe": keg}, unrest={"europe": unrest})
    b = changed(play, add_keg, 0, 1)
    assert (b.kegs[0], b.unrest[0]) == (keg + 1, after)


@pytest.mark.rule("V-REG-03")
def test_a_powder_keg_stops_in_column_three():
    play = lay(opening(3), kegs={"europe": 3}, unrest={"europe": 4})
    b = changed(play, add_keg, 0, 1)
    assert (b.kegs[0], b.unrest[0]) == (3, 4)


@pytest.mark.rule("V-REG-05")
def test_a_push_never_meets_a_unit():
    play = lay(opening(3), kegs={"europe": 2}, unrest={"europe": 3})
    lay(play, units={"uk": ("europe 5", "available", "available")})
    b = changed(play, add_keg, 0, 1)
    assert (b.kegs[0], b.unrest[0], unrest_cap(b, 0)) == (3, 4, 4)


@pytest.mark.rule("V-REG-06")
def test_removing_a_powder_keg():
    """In column 1 it stays, for an event that would move it further left is ignored."""
    play = lay(opening(3), kegs={"europe": 2, "africa": 1}, unrest={"europe": 4, "africa": 3})
    b = changed(play, add_keg, 0, -1)
    assert (b.kegs[0], b.unrest[0]) == (1, 4)
    assert changed(play, add_keg, 4, -1).kegs[4] == 1
    assert changed(opening(3), add_keg, 0, -1).kegs[0] == 0
    lawrence = crisis(play, "lawrence")("chance roll 5")
    assert lawrence.keg("africa") == 1
    assert lawrence.facts_of("keg_stays")


@pytest.mark.rule("V-REG-06")
def test_the_option_lets_a_powder_keg_go_back_to_its_start():
    play = opening(3, options=Options(keg_stays=False))
    lay(play, kegs={"africa": 1}, unrest={"africa": 3})
    assert crisis(play, "lawrence")("chance roll 5").keg("africa") == 0


@pytest.mark.rule("V-REG-07")
def test_the_leftmost_unit_caps_no_matter_who_owns_it():
    play = lay(
        opening(3),
        units={
            "uk": ("europe 8", "available", "available"),
            "usa": ("europe 6", "available", "available"),
        },
    )
    assert unrest_cap(play.state, 0) == 5
    assert changed(play, add_unrest, 0, 7).unrest[0] == 5


@pytest.mark.rule("V-REG-08", "V-MIL-10")
@pytest.mark.parametrize(
    ("unrest", "column", "after"), [(8, 6, 5), (4, 5, 4), (8, 5, 4), (6, 6, 5)]
)
def test_a_unit_pushes_unrest_back(unrest, column, after):
    play = lay(opening(3), unrest={"africa": unrest})
    play(f"uk deploy available africa {column}")
    assert play.column("africa") == after


@pytest.mark.rule("V-REG-09")
def test_unrest_stays_when_the_unit_leaves():
    play = lay(opening(3), unrest={"africa": 8})
    play("uk deploy available africa 5", "uk reclaim 0 africa")
    assert play.column("africa") == 4
    assert changed(play, add_unrest, 4, 9).unrest[4] == 8


@pytest.mark.rule("V-REG-02", "V-REG-10")
@settings(max_examples=80, deadline=None)
@given(st.integers(0, 3), st.integers(1, 8), st.integers(0, 4), st.integers(-9, 9))
def test_unrest_is_stopped_not_bounced(keg, unrest, post, move):
    play = opening(3)
    unit = [f"europe {post + 4}"] if post else ["available"]
    top = post + 3 if post else 8
    unrest = max(keg + 1, min(unrest, top))
    lay(
        play,
        units={"uk": (*unit, "available", "available")},
        unrest={"europe": unrest},
        kegs={"europe": keg},
    )
    after = changed(play, add_unrest, 0, move).unrest[0]
    assert after == max(keg + 1, min(unrest + move, top))


# Military actions


@pytest.mark.rule("V-MIL-02")
def test_exhausted_and_demobilised_units_are_not_deployed():
    play = lay(opening(3), units={"uk": ("exhausted", "space 0", "mutinied")}, happiness={"uk": 4})
    play.refuses("uk deploy exhausted europe 8", "unit_exhausted", "V-MIL-02")
    play.refuses("uk deploy available europe 8", "no_such_unit", "V-MIL-02")
    assert "deploy" not in play.verbs("uk")


@pytest.mark.rule("V-MIL-03")
def test_an_empty_space_in_columns_five_to_eight():
    play = lay(opening(3), units={"usa": ("europe 6", "available", "available")})
    play.refuses("uk deploy available europe 6", "post_taken", "V-MIL-03")
    play.refuses("uk deploy available europe 4", "no_such_post", "V-MIL-03")
    play.refuses("uk deploy available league 5", "no_such_region", "V-MIL-03")


@pytest.mark.rule("V-MIL-04")
def test_one_own_unit_a_region():
    play = lay(opening(3), units={"uk": ("europe 8", "available", "available")})
    play.refuses("uk deploy available europe 6", "one_unit_a_region", "V-MIL-04")
    play("uk deploy europe europe 6")
    assert game.view(play.state, None)["regions"]["europe"]["units"] == {"6": "uk"}


@pytest.mark.rule("V-MIL-05")
def test_four_nations_share_a_row():
    play = lay(
        opening(4),
        units={
            n: (f"europe {c}", "available", "available")
            for n, c in zip(("uk", "france", "usa"), (5, 6, 7), strict=True)
        },
    )
    lay(play, active=3, acting=3)
    play("italy deploy available europe 8")
    assert len(game.view(play.state, None)["regions"]["europe"]["units"]) == 4


@pytest.mark.rule("V-MIL-06")
@pytest.mark.parametrize(("column", "cubes", "loss"), [(5, 3, 4), (6, 3, 2), (7, 2, 1), (8, 0, 0)])
def test_what_a_column_brings_and_costs(column, cubes, loss):
    play = lay(opening(3), used={"uk": 10})(f"uk deploy available europe {column}")
    assert (play.free("uk"), play.happy("uk")) == (5 + cubes, 20 - loss)


@pytest.mark.rule("V-MIL-06")
def test_no_more_cubes_than_there_are():
    play = lay(opening(3), used={"uk": 1})("uk deploy available europe 5")
    assert (play.free("uk"), play.used("uk")) == (15, 0)


@pytest.mark.rule("V-MIL-07")
def test_moving_pays_again_and_needs_another_space():
    play = lay(opening(3), used={"uk": 10}, units={"uk": ("europe 7", "available", "available")})
    play.refuses("uk deploy europe europe 7", "post_taken", "V-MIL-03")
    play("uk deploy europe africa 6")
    assert (play.free("uk"), play.happy("uk")) == (8, 18)


@pytest.mark.rule("V-MIL-09", "V-MUT-02")
def test_order_of_a_deployment_that_causes_mutiny():
    play = lay(opening(3), happiness={"uk": 11}, unrest={"europe": 8}, used={"uk": 5})
    play("uk deploy available europe 7")
    assert (play.column("europe"), play.free("uk"), play.happy("uk")) == (6, 12, 10)
    assert play.legal("uk") == ["mutiny available", "mutiny europe"]
    play("uk mutiny europe")  # even the one just placed; unrest does not go back
    assert (play.happy("uk"), play.column("europe"), unit_count(play.state, 0)) == (11, 6, 2)


@pytest.mark.rule("V-MIL-11")
def test_at_zero_deploying_costs_nothing_and_brings_cubes():
    play = lay(opening(3), units={"uk": ("available", "mutinied", "mutinied")})
    lay(play, happiness={"uk": 0}, used={"uk": 5})
    play("uk deploy available europe 5")
    assert (play.happy("uk"), play.free("uk")) == (0, 13)


@pytest.mark.rule("V-MIL-12")
@pytest.mark.parametrize("place", ["available", "exhausted", "europe"])
def test_demobilising_takes_the_best_space(place):
    where = "europe 8" if place == "europe" else place
    play = lay(
        opening(3),
        units={
            "uk": (where, "available", "available"),
            "usa": ("space 0", "available", "available"),
        },
    )
    play(f"uk demobilise {place}")
    assert (play.happy("uk"), play.state.spaces[:2]) == (24, (2, 0))


@pytest.mark.rule("V-MIL-12")
def test_demobilising_at_the_limits():
    assert lay(opening(3), happiness={"uk": 28})("uk demobilise available").happy("uk") == 30
    play = lay(opening(3), happiness={"uk": 0}, units={"uk": ("available", "mutinied", "mutinied")})
    assert play("uk demobilise available").happy("uk") == 0


@pytest.mark.rule("V-MIL-13")
def test_the_last_space_holds_any_number():
    play = lay(
        opening(3),
        units={
            "uk": ("space 0", "space 1", "available"),
            "usa": ("space 2", "space 3", "available"),
            "france": ("mutinied", "available", "available"),
        },
    )
    play("uk demobilise available")
    assert (play.happy("uk"), play.state.retired[:2]) == (21, (1, 1))


@pytest.mark.rule("V-SET-15", "V-MIL-12")
def test_four_players_have_two_more_spaces():
    assert demobilise_values(opening(4).state) == (5, 4, 3, 3, 2, 2)
    assert demobilise_values(opening(3).state) == (5, 4, 3, 2)


@pytest.mark.rule("V-MIL-14")
def test_a_demobilised_unit_is_gone():
    play = opening(3)("uk demobilise available")
    lay(play, used={"uk": 6})
    play("uk reclaim 6 -")
    assert (play.state.ready[0], play.state.spaces[0], unit_count(play.state, 0)) == (2, 0, 2)


@pytest.mark.rule("V-MIL-15")
def test_there_are_only_two_military_actions():
    play = opening(3)("uk place armenia 1", "uk place ethiopia 1")
    assert play.verbs("uk") - {"end"} == {"deploy", "demobilise"}


# Mutiny


def unhappy(play, nation, n):
    """Lose `n` happiness, up to the first question."""
    b = changed(play, add_happiness, nation, -n)
    play.state = b.freeze()
    return midway(play)


def spread(nation="uk"):
    return {nation: ("available", "exhausted", "europe 8")}


@pytest.mark.rule("V-MUT-02", "V-MUT-03")
def test_entering_a_lower_zone_with_too_many_units():
    play = unhappy(lay(opening(3), happiness={"uk": 11}, units=spread()), 0, 1)
    assert play.legal("uk") == ["mutiny available", "mutiny exhausted", "mutiny europe"]
    play.refuses("uk place armenia 1", "mutiny_owed", "V-MUT-03")
    play("uk mutiny exhausted")
    assert (play.happy("uk"), play.state.retired[0], play.state.spaces[0]) == (11, 1, -1)


@pytest.mark.rule("V-MUT-02")
def test_enough_room_in_the_new_zone():
    play = lay(
        opening(3), happiness={"uk": 11}, units={"uk": ("available", "exhausted", "space 0")}
    )
    unhappy(play, 0, 1)
    assert (play.happy("uk"), play.facts_of("mutiny")) == (10, [])


@pytest.mark.rule("V-MUT-04")
@pytest.mark.parametrize(
    ("start", "loss", "lost", "end"), [(12, 9, 2, 5), (11, 7, 1, 5), (12, 2, 1, 11)]
)
def test_one_unit_after_the_other(start, loss, lost, end):
    play = unhappy(lay(opening(3), happiness={"uk": start}, units=spread()), 0, loss)
    while "mutiny" in play.verbs("uk"):
        play("uk mutiny " + play.legal("uk")[0].split()[1])
    assert (play.state.retired[0], play.happy("uk")) == (lost, end)


@pytest.mark.rule("V-MUT-05")
def test_at_zero_nothing_is_gained():
    play = unhappy(lay(opening(3), happiness={"uk": 11}, units=spread()), 0, 11)
    while "mutiny" in play.verbs("uk"):
        play("uk mutiny " + play.legal("uk")[0].split()[1])
    assert (play.state.retired[0], play.happy("uk"), unit_count(play.state, 0)) == (2, 0, 1)


@pytest.mark.rule("V-MUT-06")
def test_no_unit_returns_when_happiness_rises():
    play = lay(
        opening(3), happiness={"uk": 10}, units={"uk": ("available", "available", "mutinied")}
    )
    play("uk demobilise available")
    assert (play.happy("uk"), unit_count(play.state, 0)) == (15, 1)


@pytest.mark.rule("V-MUT-07")
def test_a_loss_of_several_points_is_one_change():
    play = unhappy(lay(opening(3), happiness={"uk": 12}, units=spread()), 0, 2)
    assert play.happy("uk") == 10
    play("uk mutiny available")
    assert play.happy("uk") == 11
    assert "mutiny" not in play.verbs("uk")


@pytest.mark.rule("V-MUT-09")
def test_deployments_that_cause_mutiny_are_legal():
    play = lay(opening(3), happiness={"uk": 11})
    assert "deploy available europe 5" in play.legal("uk")


@pytest.mark.rule("V-MUT-10")
def test_nations_nobody_plays_never_mutiny():
    b = changed(lay(opening(3), happiness={"italy": 11}), add_happiness, 3, -8)
    assert b.happiness[3] == 3
    assert not any(isinstance(step, Mutinies) for step in b.agenda)
