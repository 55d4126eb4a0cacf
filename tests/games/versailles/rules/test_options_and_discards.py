"""What an option does, and the discard pile: V-OPT and V-DISCARD."""

import pytest

import powderkeg.games.versailles as game
from powderkeg.games.versailles.board import NOBODY
from powderkeg.games.versailles.rules.political import least_to_lead
from tests.games.versailles.scene import drawing, lay, opening

# Options


def option(play, issue, choice, *more, by="uk"):
    """`by` settles `issue` alone and chooses."""
    lay(play, table=(issue, "rheinland" if issue != "rheinland" else "armenia"))
    lay(play, cubes={issue: {by: 1}})
    return play(f"{by} settle {issue}", f"{by} option {choice}", *more)


@pytest.mark.rule("V-OPT-01")
def test_unrest_is_added():
    play = option(lay(opening(3), unrest={"middle_east": 3}), "smyrna", "to_greece", "uk flag uk")
    assert play.column("middle_east") == 5
    both = option(opening(3), "thrace", "plebiscite")
    assert (both.column("balkans"), both.column("middle_east")) == (2, 2)


@pytest.mark.rule("V-OPT-02")
def test_unrest_is_removed():
    play = option(lay(opening(3), unrest={"middle_east": 5}), "armenia", "us_mandate")
    assert play.column("middle_east") == 4


@pytest.mark.rule("V-OPT-03", "V-REG-10")
def test_unrest_stops_at_a_unit_and_at_the_powder_keg():
    play = lay(opening(3), units={"usa": ("middle_east 5", "available", "available")})
    lay(play, unrest={"middle_east": 3})
    assert option(play, "armenia", "independent").column("middle_east") == 4
    low = lay(opening(3), kegs={"middle_east": 2}, unrest={"middle_east": 3})
    assert option(low, "armenia", "us_mandate").column("middle_east") == 3
    high = option(lay(opening(3), unrest={"middle_east": 7}), "armenia", "independent")
    assert high.column("middle_east") == 8


@pytest.mark.rule("V-OPT-05")
def test_happiness_moves_for_players_and_others():
    play = option(opening(3), "shantung", "to_japan", "uk flag uk", "uk flag usa")
    assert play.happy("japan") == 22


@pytest.mark.rule("V-OPT-06")
def test_happiness_stops_at_thirty():
    play = lay(opening(3), happiness={"japan": 29})
    option(play, "shantung", "to_japan", "uk flag uk", "uk flag usa")
    assert play.happy("japan") == 30
    play = option(lay(opening(3), happiness={"usa": 30}), "armenia", "to_turkey")
    assert play.happy("usa") == 28


@pytest.mark.rule("V-OPT-07")
def test_zero_is_for_ever():
    play = option(lay(opening(3), happiness={"japan": 1}), "shantung", "to_china")
    assert play.happy("japan") == 0
    up = option(lay(opening(3), happiness={"japan": 0}), "korea", "to_japan", "uk flag uk")
    assert up.happy("japan") == 0
    assert up.facts_of("happiness_locked")


@pytest.mark.rule("V-OPT-08")
def test_nations_without_a_marker_are_passed_over():
    play = option(opening(2), "armenia", "to_turkey")
    assert play.state.happiness[2] == NOBODY


@pytest.mark.rule("V-OPT-09")
def test_one_counter_an_icon():
    play = option(opening(3), "negotiations_with_russia", "do_not_offer")
    assert play.state.held["negotiations_with_russia"].counters == ("bolshevik_containment",) * 2


@pytest.mark.rule("V-OPT-10")
@pytest.mark.parametrize("flags", [("uk", "uk"), ("uk", "usa"), ("usa", "usa")])
def test_each_naval_icon_has_its_flag(flags):
    play = option(opening(3), "shantung", "to_japan", *(f"uk flag {flag}" for flag in flags))
    assert play.state.held["shantung"].counters == tuple(f"naval.{flag}" for flag in flags)


@pytest.mark.rule("V-OPT-10")
def test_the_controller_picks_the_flag():
    play = lay(opening(3), table=("smyrna", "rheinland"))
    lay(play, cubes={"smyrna": {"france": 1}})("uk settle smyrna", "france option to_greece")
    assert play.decider == "france"
    assert play.legal("france") == ["flag uk", "flag usa"]


@pytest.mark.rule("V-OPT-12")
def test_counters_are_unlimited():
    issues = ("rheinland", "prussia", "sudetenland", "silesia", "kiel_canal", "tyrol", "anschluss")
    choices = ("remains_german",) * 2 + ("to_germany", "remains_german", "to_germany")
    choices += ("remains_austrian", "yes")
    play = lay(opening(3), held={i: ("uk", c) for i, c in zip(issues, choices, strict=True)})
    counters = [c for held in play.state.held.values() for c in held.counters]
    assert counters == ["industrial_growth"] * 7


@pytest.mark.rule("V-OPT-13")
def test_unrest_before_happiness():
    """The unit that mutinies still caps the unrest of the same option."""
    play = lay(
        opening(3),
        happiness={"uk": 11},
        units={"uk": ("middle_east 5", "available", "available")},
        unrest={"middle_east": 4},
    )
    option(play, "smyrna", "to_greece", "uk flag uk")  # Middle East +2, UK -1
    assert play.verbs("uk") == {"mutiny"}
    play("uk mutiny middle_east")
    assert play.column("middle_east") == 4


@pytest.mark.rule("V-OPT-14")
def test_icons_of_one_region_are_summed():
    play = lay(opening(3), units={"usa": ("middle_east 5", "available", "available")})
    lay(play, unrest={"middle_east": 2})
    option(play, "armenia", "independent")  # three icons, two fit
    moves = [args for args in play.facts_of("unrest") if "middle_east" in args["region"].code]
    assert [args["change"] for args in moves] == [2]


# The discard pile


@pytest.mark.rule("V-DISCARD-01")
def test_the_pile_is_public_and_ordered():
    play = lay(opening(3), pile=("korea", "syria", "cilicia"))
    for seat in ("P1", "P3", None):
        assert game.view(play.state, seat)["pile"] == ["korea", "syria", "cilicia"]


@pytest.mark.rule("V-DISCARD-02", "V-DISCARD-03")
def test_diving_costs_nothing_one_or_two():
    play = drawing(lay(opening(3), pile=("korea", "syria", "cilicia", "banat"), used={"uk": 14}))
    assert play.legal("uk") == ["draw", "dive korea", "dive syria"]
    play.refuses("uk dive cilicia", "dive_cost", "V-DISCARD-02")
    play.refuses("uk dive banat", "too_deep", "V-DISCARD-02")
    play("uk dive syria")
    assert (play.state.pile, play.free("uk")) == (("korea", "cilicia", "banat"), 0)
    assert play.state.waiting[-1] == "syria"


@pytest.mark.rule("V-DISCARD-04")
def test_an_issue_nobody_bid_for_can_be_taken_in_the_same_settlement():
    play = lay(opening(3), held={"indemnity": ("france", "no")}, event="mordacq")
    lay(play, cubes={"armenia": {"uk": 1}})
    play("uk settle armenia", "uk option to_turkey", "uk perform")
    play("france pass", "usa pass", "uk pass")
    assert play.state.pile[0] == "indemnity"
    play("uk advance ethiopia", "uk advance murdoch", "uk cube no", "uk dive indemnity")
    assert play.state.waiting[-1] == "indemnity"


@pytest.mark.rule("V-DISCARD-05", "V-OPT-11")
def test_a_discarded_issue_has_no_counters():
    play = lay(opening(3), held={"indemnity": ("france", "yes")}, event="mordacq")
    lay(play, cubes={"armenia": {"uk": 1}})
    play("uk settle armenia", "uk option to_turkey", "uk perform")
    play("france pass", "usa pass", "uk pass")
    assert "indemnity" not in play.state.held
    assert [c for held in play.state.held.values() for c in held.counters] == []


@pytest.mark.rule("V-DISCARD-07")
def test_an_empty_pile_leaves_only_the_deck():
    play = drawing(lay(opening(3), pile=()))
    assert play.decider == "chance"


def test_least_counts_the_best_rival_only():
    play = lay(opening(4), cubes={"armenia": {"france": 3, "usa": 2, "italy": 1, "uk": 1}})
    assert least_to_lead(play.state, 0, "armenia") == 3
