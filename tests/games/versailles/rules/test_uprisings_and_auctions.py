"""Uprising checks, unsettled issues, bids and strategies: V-UPR and V-STRAT."""

import pytest

import powderkeg.games.versailles as game
from powderkeg.core.chance import CHANCE
from powderkeg.games.versailles.board import NATIONS, NOBODY, REGIONS
from powderkeg.games.versailles.events import operations
from powderkeg.games.versailles.state import Options
from powderkeg.games.versailles.steps import Announce, Bidding, Do, RollOff
from tests.games.versailles.scene import conference, crisis, lay, midway, opening, unsettled


def checked(play, region="highest", modifier=0, **more):
    """Call an uprising check."""
    effect = operations.Check(region, modifier, **more)
    return midway(play, Do((effect,), play.state.active, play.state.active, "crisis"))


def rising(play=None, region="middle_east", **laid):
    """An uprising in the Middle East is certain to be rolled with a six."""
    play = play or opening(3)
    lay(play, unrest={region: 5}, **laid)
    return checked(play, region)("chance roll 6")


@pytest.mark.rule("V-UPR-01")
def test_only_events_call_checks():
    play = lay(opening(3), unrest={"europe": 8})
    play("uk place armenia 1", "uk place ethiopia 1", "uk end")
    assert play.facts_of("rises") == []
    crisis(lay(opening(3), unrest={"europe": 8}), "balfour").act("chance", "roll 1")


@pytest.mark.rule("V-UPR-02")
def test_the_region_with_most_unrest_or_all_that_tie():
    play = lay(opening(3), unrest={"europe": 5, "pacific": 5, "africa": 3})
    checked(play)("chance roll 1", "chance roll 1")
    assert [args["region"].code for args in play.facts_of("quiet")] == [
        "versailles.region.europe",
        "versailles.region.pacific",
    ]
    named = checked(lay(opening(3), unrest={"europe": 5, "africa": 4}), "africa")
    assert isinstance(named.pending, Announce)
    assert REGIONS[named.pending.region] == "africa"


@pytest.mark.rule("V-UPR-03")
@pytest.mark.parametrize("column", [1, 2])
def test_no_roll_in_an_x_column(column):
    play = checked(lay(opening(3), unrest=dict.fromkeys(REGIONS, column)))
    assert len(play.facts_of("no_roll")) == 5
    assert play.decider == "uk"


@pytest.mark.rule("V-UPR-04")
@pytest.mark.parametrize("column", [3, 4, 5, 6, 7, 8])
def test_equal_to_the_number_of_the_column_is_an_uprising(column):
    number = 9 - column
    play = checked(lay(opening(3), unrest={"africa": column}))(f"chance roll {number}")
    assert play.facts_of("rises")
    if number > 1:
        quiet = checked(lay(opening(3), unrest={"africa": column}))(f"chance roll {number - 1}")
        assert quiet.facts_of("quiet")


@pytest.mark.rule("V-UPR-05", "V-MIL-08")
def test_units_in_columns_five_to_seven_may_change_the_die():
    play = lay(
        opening(4),
        unrest={"europe": 4},
        units={
            "uk": ("europe 8", "available", "available"),
            "france": ("europe 5", "available", "available"),
            "usa": ("africa 6", "available", "available"),
            "italy": ("europe 7", "available", "available"),
        },
    )
    checked(play, "europe")
    assert play.legal("france") == ["modify +1", "modify 0", "modify -1"]
    play("france modify -1", "italy modify -1", "chance roll 6")
    assert play.facts_of("quiet")[0]["modifier"] == -2


@pytest.mark.rule("V-UPR-06")
def test_announcements_go_clockwise_and_the_active_player_is_last():
    play = opening(4, first=2)
    lay(play, unrest={"europe": 4})
    lay(
        play,
        units={
            n: (f"europe {c}", "available", "available")
            for n, c in zip(("uk", "france", "usa"), (5, 6, 7), strict=True)
        },
    )
    checked(play, "europe")
    asked = []
    while play.decider != CHANCE:
        asked.append(play.decider)
        play(f"{play.decider} modify 0")
    assert asked == ["usa", "uk", "france"]


@pytest.mark.rule("V-UPR-07", "V-EVENT-19")
def test_modifiers_of_players_and_cards_are_summed():
    play = lay(
        opening(3),
        unrest={"europe": 4},
        units={
            "uk": ("europe 5", "available", "available"),
            "france": ("europe 7", "available", "available"),
        },
    )
    checked(play, "europe", 1)("france modify +1", "uk modify -1", "chance roll 4")
    assert play.facts_of("rises")[0]["modifier"] == 1


@pytest.mark.rule("V-UPR-08")
def test_no_die_always_succeeds():
    play = lay(opening(3), unrest={"europe": 8})
    checked(play, "europe", -1)("chance roll 1")
    assert play.facts_of("quiet")
    low = checked(lay(opening(3), unrest={"europe": 3}), "europe", -1)("chance roll 6")
    assert low.facts_of("quiet")


@pytest.mark.rule("V-UPR-09", "V-STRAT-01", "V-UPR-32")
def test_several_uprisings_are_rolled_first_and_resolved_top_down():
    held = {"rheinland": ("france", "french_occupation"), "syria": ("uk", "french_mandate")}
    play = lay(opening(3), held=held, unrest={"europe": 5, "middle_east": 5})
    checked(play)("chance roll 6", "chance roll 6")
    assert play.pending.issue == "rheinland"
    play("france pass", "usa pass", "uk pass")
    assert play.pending.issue == "syria"
    play("uk pass", "france pass", "usa pass")
    assert play.verbs(play.decider) == {"strategy"}
    assert len(play.facts_of("first_uprising")) == 1


@pytest.mark.rule("V-UPR-32", "V-STRAT-01")
def test_a_check_without_an_uprising_brings_no_strategies():
    quiet = checked(lay(opening(3), unrest={"africa": 5}), "africa")("chance roll 1")
    assert quiet.facts_of("quiet")
    assert not quiet.state.risen
    assert quiet.verbs("uk") >= {"place", "deploy"}
    no_roll = checked(opening(3), "africa")
    assert no_roll.verbs("uk") >= {"place", "deploy"}


@pytest.mark.rule("V-STRAT-01")
def test_strategies_right_after_the_first_uprising_as_an_option():
    held = {"rheinland": ("france", "french_occupation"), "syria": ("uk", "french_mandate")}
    play = lay(opening(3, options=Options(strategies_at_once=True)), held=held)
    lay(play, unrest={"europe": 5, "middle_east": 5})
    checked(play)("chance roll 6", "chance roll 6", "france pass", "usa pass", "uk pass")
    assert play.verbs(play.decider) == {"strategy"}


@pytest.mark.rule("V-UPR-10")
def test_most_issues_of_the_region_are_hit():
    play = rising(held={"syria": "uk", "arabia": "uk", "mesopotamia": "usa", "rheinland": "usa"})
    assert play.facts_of("hit")[0]["nation"].code == "versailles.nation.uk"


@pytest.mark.rule("V-UPR-11")
def test_the_leftmost_unit_decides_a_tie_even_from_outside():
    play = lay(
        opening(3),
        held={"syria": "uk", "arabia": "france"},
        units={
            "usa": ("middle_east 7", "available", "available"),
            "uk": ("middle_east 8", "available", "available"),
        },
        unrest={"middle_east": 5},
    )
    checked(play, "middle_east")("usa modify +1", "chance roll 6")
    assert play.decider == "usa"
    assert play.legal("usa") == ["choose uk", "choose france"]
    play.refuses("usa choose usa", "not_tied", "V-UPR-11")
    play("usa choose france")
    assert play.pending.issue == "arabia"


@pytest.mark.rule("V-UPR-12")
def test_without_units_the_highest_die_is_hit():
    play = rising(held={"syria": "uk", "arabia": "france", "kurdistan": "usa"})
    assert isinstance(play.pending, RollOff)
    play("chance roll 5 5 3")
    assert play.pending.tied == (0, 1)  # only those who tie for the top roll again
    play("chance roll 3 5")
    assert play.facts_of("hit")[0]["nation"].code == "versailles.nation.france"


@pytest.mark.rule("V-UPR-13")
def test_an_uprising_where_nobody_controls_an_issue():
    play = rising()
    assert (play.keg("middle_east"), play.column("middle_east")) == (1, 5)
    assert play.verbs(play.decider) == {"strategy"}
    other = opening(3, options=Options(empty_uprising_resets=True))
    rising(other)
    assert (other.keg("middle_east"), other.column("middle_east")) == (1, 2)


@pytest.mark.rule("V-UPR-14")
def test_the_issue_with_most_stars_of_that_region():
    held = {"syria": ("uk", "french_mandate"), "arabia": "uk", "rheinland": "uk"}
    assert rising(held=held).pending.issue == "syria"


@pytest.mark.rule("V-UPR-14")
def test_its_owner_picks_among_equal_stars():
    play = rising(held={"arabia": ("uk", "uk_mandate"), "cilicia": "uk"})
    assert (play.decider, play.legal("uk")) == ("uk", ["choose arabia", "choose cilicia"])
    play.refuses("uk choose syria", "not_that_issue", "V-UPR-14")
    play("uk choose cilicia")
    assert play.pending.issue == "cilicia"


# Bids


def bidding(play=None, issue="syria", owner="uk", **laid):
    """The issue is unsettled by an uprising (League and Reparations: by an event) and bid for."""
    play = lay(play or opening(3), held={issue: owner}, **laid)
    region = play.state.pack.issues[issue].region
    return midway(play, unsettled(issue, NOBODY if region > 4 else region))


@pytest.mark.rule("V-UPR-15")
@pytest.mark.parametrize("owner", ["uk", "france", "usa", "italy"])
def test_the_controller_bids_first_then_clockwise(owner):
    play = bidding(opening(4), owner=owner)
    order = []
    for _ in range(4):
        order.append(play.decider)
        play(f"{play.decider} pass")
    circle = ["uk", "france", "usa", "italy"]
    start = circle.index(owner)
    assert order == circle[start:] + circle[:start]


@pytest.mark.rule("V-UPR-16", "V-UPR-18", "V-MIL-08")
def test_units_and_cubes_of_any_mix():
    play = bidding(units={"uk": ("middle_east 8", "available", "available")})
    assert "bid 2+1 7" in play.legal("uk")
    play("uk bid 1+1 2")
    assert play.pending.best.rank == (3, 2)
    play.refuses("france bid 1+0 99", "cubes_short", "V-UPR-16")


@pytest.mark.rule("V-UPR-17")
def test_only_available_units_and_the_one_in_the_region():
    play = bidding(units={"uk": ("africa 8", "exhausted", "available")})
    play.refuses("uk bid 2+0 0", "units_short", "V-UPR-17")
    play.refuses("uk bid 1+1 0", "units_short", "V-UPR-17")
    play("uk bid 1+0 0")


@pytest.mark.rule("V-UPR-17")
def test_league_and_reparations_have_no_region():
    play = bidding(issue="indemnity", units={"uk": ("europe 8", "available", "available")})
    play.refuses("uk bid 2+1 0", "units_short", "V-UPR-17")


@pytest.mark.rule("V-UPR-19")
def test_no_military():
    play = bidding(issue="disarmament")
    play.refuses("uk bid 1+0 0", "no_military", "V-UPR-19")
    assert all(text == "pass" or text.startswith("bid 0+0 ") for text in play.legal("uk"))


@pytest.mark.rule("V-UPR-20")
def test_a_bid_must_beat_the_best():
    play = bidding()("uk bid 1+0 9")
    play.refuses("france bid 1+0 9", "low_bid", "V-UPR-20")
    play.refuses("france bid 0+0 15", "low_bid", "V-UPR-20")
    play("france bid 2+0 0", "usa bid 2+0 4")
    play.refuses("uk bid 2+0 4", "low_bid", "V-UPR-20")


@pytest.mark.rule("V-UPR-21")
def test_an_empty_bid_is_no_bid():
    bidding().refuses("uk bid 0+0 0", "empty_bid", "V-UPR-21")


@pytest.mark.rule("V-UPR-22", "V-UPR-26", "V-UPR-27")
def test_a_bid_replaces_the_last_and_only_the_winner_pays():
    play = bidding()
    play("uk bid 2+0 6", "france bid 2+0 7", "usa pass", "uk bid 3+0 0")
    before = play.state
    play("france pass")
    assert (play.state.spent[0], play.used("uk"), play.free("uk")) == (3, 0, 15)
    assert play.state.available[1:] == before.available[1:]
    assert play.state.ready[1:] == before.ready[1:]


@pytest.mark.rule("V-UPR-23", "V-UPR-28")
def test_happiness_is_lost_for_units_not_for_strength():
    play = bidding(units={"uk": ("middle_east 8", "available", "available")})
    lay(play, happiness={"uk": 20})
    assert {"bid 2+0 0", "bid 0+1 0"} <= set(play.legal("uk"))  # both of strength two
    play("uk bid 0+1 0", "france pass", "usa pass")
    assert (play.happy("uk"), play.state.spent[0], play.state.ready[0]) == (19, 1, 2)
    both = bidding(units={"uk": ("middle_east 8", "available", "available")})
    both("uk bid 1+1 0", "france pass", "usa pass")
    assert both.happy("uk") == 18


@pytest.mark.rule("V-UPR-24", "V-UPR-25")
def test_a_nation_that_passes_is_out_and_the_last_bidder_wins_at_once():
    play = bidding()("uk pass", "france bid 1+0 0")
    assert play.decider == "usa"
    play("usa pass")
    assert play.owner("syria") == "france"
    assert play.verbs("france") == {"option"}


@pytest.mark.rule("V-UPR-27")
def test_an_unopposed_bid_is_paid_in_full():
    play = bidding()("uk bid 2+0 3", "france pass", "usa pass")
    assert (play.state.spent[0], play.used("uk")) == (2, 3)


@pytest.mark.rule("V-UPR-27")
@pytest.mark.parametrize("cubes", [1, 2, 5])
def test_every_cube_of_the_last_bid_is_paid(cubes):
    play = midway(lay(opening(3), held={"syria": "uk"}), unsettled("syria", 2))
    play(f"uk bid 0+0 {cubes}", "france pass", "usa pass")
    assert (play.free("uk"), play.used("uk")) == (15 - cubes, cubes)


@pytest.mark.rule("V-UPR-29")
def test_nobody_bids():
    play = rising(held={"syria": ("uk", "independent")})("uk pass", "france pass", "usa pass")
    assert play.state.pile[0] == "syria"
    assert "syria" not in play.state.held
    assert (play.keg("middle_east"), play.column("middle_east")) == (1, 2)
    assert play.happy("uk") == 20


@pytest.mark.rule("V-UPR-30")
@pytest.mark.parametrize(("keg", "after"), [(0, (1, 2)), (1, (2, 3)), (3, (3, 4))])
def test_reset(keg, after):
    play = lay(
        opening(3),
        held={"syria": ("uk", "french_mandate")},
        kegs={"middle_east": keg},
        unrest={"middle_east": 5},
    )
    checked(play, "middle_east")("chance roll 6", "uk bid 0+0 1", "france pass", "usa pass")
    assert (play.keg("middle_east"), play.column("middle_east")) == after


@pytest.mark.rule("V-UPR-31", "V-UPR-33", "V-OPT-11")
def test_the_winner_chooses_again_and_everything_happens_again():
    play = rising(held={"syria": ("uk", "independent")})
    play("uk bid 0+0 1", "france pass", "usa pass")
    assert play.state.held["syria"].counters == ()
    assert play.column("middle_east") == 2  # the reset comes before the option
    play("uk option uk_mandate")
    assert (play.happy("france"), play.column("middle_east")) == (18, 3)
    midway(play, unsettled("syria", 2))
    play("uk bid 0+0 1", "france pass", "usa pass", "uk option uk_mandate")
    assert play.happy("france") == 16
    assert play.state.held["syria"].counters == ("empire.uk",)


@pytest.mark.rule("V-UPR-32", "V-STRAT-04")
def test_only_the_first_uprising_brings_strategies():
    play = rising()
    for _ in range(3):
        play(f"{play.decider} strategy " + play.legal(play.decider)[0].split()[1])
    assert play.decider == "uk"
    again = checked(lay(play, unrest={"africa": 8}), "africa")("chance roll 6")
    assert "strategy" not in again.verbs(again.decider)


@pytest.mark.rule("V-UPR-34")
def test_an_issue_can_be_unsettled_again_and_again():
    play = rising(held={"syria": ("uk", "french_mandate")})
    play("uk bid 0+0 1", "france pass", "usa pass", "uk option french_mandate")
    for _ in range(3):
        play(f"{play.decider} strategy " + play.legal(play.decider)[0].split()[1])
    lay(play, unrest={"middle_east": 8})
    checked(play, "middle_east")("chance roll 6")
    assert play.pending.issue == "syria"


@pytest.mark.rule("V-UPR-35", "V-END-04")
def test_league_and_reparations_are_never_hit():
    held = {"disarmament": "uk", "indemnity": "uk"}
    play = lay(opening(3), held=held, unrest=dict.fromkeys(REGIONS, 8))
    checked(play)(*["chance roll 6"] * 5)
    assert len(play.facts_of("nobody_hit")) == 5


@pytest.mark.rule("V-MUT-08")
def test_mutiny_of_the_winner_comes_before_reset_and_option():
    play = lay(opening(3), happiness={"uk": 11}, held={"syria": "uk"}, unrest={"middle_east": 5})
    checked(play, "middle_east")("chance roll 6", "uk bid 1+0 0", "france pass", "usa pass")
    assert play.legal("uk") == ["mutiny available", "mutiny exhausted"]
    assert play.column("middle_east") == 5
    play("uk mutiny exhausted")
    assert (play.happy("uk"), play.column("middle_east")) == (11, 2)
    assert play.verbs("uk") == {"option"}


@pytest.mark.rule("V-MUT-09")
def test_a_bid_that_causes_mutiny_is_legal():
    play = bidding(happiness={"uk": 11})
    assert "bid 3+0 0" in play.legal("uk")


def test_a_bidder_who_cannot_raise_passes_by_itself():
    """It has no unit to bid, and no exchange of influence could help."""
    play = bidding(units={"france": ("exhausted",) * 3}, used={"france": 3})
    play("uk bid 1+0 0")
    assert play.decider == "usa"
    assert isinstance(play.pending, Bidding)


# Strategies


@pytest.mark.rule("V-STRAT-02", "V-STRAT-03")
def test_fewest_stars_choose_first_and_ties_go_clockwise_from_the_active_player():
    play = opening(4, first=2)
    lay(
        play, held={"rheinland": "france", "korea": "italy", "vietnam": "usa"}, unrest={"africa": 8}
    )
    checked(play, "africa")("chance roll 6")
    order = []
    while play.verbs(play.decider) == {"strategy"}:
        order.append(play.decider)
        play(f"{play.decider} strategy " + play.legal(play.decider)[0].split()[1])
    assert order == ["uk", "usa", "italy", "france"]


@pytest.mark.rule("V-STRAT-04", "V-STRAT-05", "V-STRAT-06")
def test_each_takes_one_and_one_is_left():
    play = rising()
    play("uk strategy global_trade")
    play.refuses("france strategy global_trade", "strategy_taken", "V-STRAT-04")
    play.refuses("france end", "strategy_taken", "V-STRAT-04")
    play("france strategy outlaw_war", "usa strategy isolationism")
    assert game.view(play.state, None)["strategies"] == {
        "fourteen_points": None,
        "global_trade": "uk",
        "outlaw_war": "france",
        "isolationism": "usa",
    }


def test_an_event_can_unsettle():
    play = lay(opening(3), held={"disarmament": "france"})
    conference(play, "white")("uk perform")
    assert play.pending.issue == "disarmament"
    assert NATIONS[play.pending.waiting[0]] == "france"
