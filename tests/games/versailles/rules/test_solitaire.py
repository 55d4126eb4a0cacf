"""The solitaire game and its bots: V-SOLO. The human begins as the USA, the UK moves first."""

import pytest

import powderkeg.games.versailles as game
from powderkeg.core.chance import CHANCE
from powderkeg.games.versailles.board import FRANCE, GAME_END, NATIONS, NOBODY, UK, USA
from powderkeg.games.versailles.rules.solo import (
    FACTION_ICONS,
    bot_column,
    bot_demobilises,
    bot_options,
    bot_regions,
    bot_waiting_issues,
    faction_strength,
    potential_value,
    settled_value,
)
from powderkeg.games.versailles.state import Options, StateBuilder
from powderkeg.games.versailles.steps import (
    AddIssue,
    AdvanceIssueAndEvent,
    BotMilitary,
    BotPlaces,
    BotPolitical,
    BotReclaims,
    BotRegion,
    ChooseOption,
    ChooseToAdvance,
    ChooseUnit,
    Turn,
)
from tests.games.versailles.rules.solo_scenes import bot_step, solo, turn_of
from tests.games.versailles.scene import conference, crisis, lay, midway, opening

# Set-up and score


@pytest.mark.rule("V-SOLO-01")
def test_set_up():
    state = solo().state
    assert (len(state.table), len(state.waiting), len(state.pile)) == (2, 2, 1)
    assert (state.dealt, state.points) == ((), 0)
    assert state.happiness == (20, 20, 20, NOBODY, NOBODY)
    assert [faction_strength(state, n) for n in state.order] == [0, 0, 0]


@pytest.mark.rule("V-SOLO-02")
def test_the_human_begins_with_the_last_faction():
    play = opening(1, options=Options(solo_order="chosen"))
    assert NATIONS[play.state.human] == "usa"
    drawn = game.start(game.seats(1, Options()), Options())
    assert game.to_act(drawn) == {CHANCE}
    state = game.apply(drawn, CHANCE, game.parse("draw usa uk france")).state
    assert (state.order, state.human) == ((USA, UK, FRANCE), FRANCE)


@pytest.mark.rule("V-SOLO-03")
def test_the_order_stays_when_the_faction_changes():
    play = turn_of(solo(human=UK), "uk")
    assert isinstance(play.pending, Turn)
    lay(play, used={"uk": 3})("P1 reclaim 3 -", "P1 end")
    assert NATIONS[play.state.active] == "france"
    assert play.state.order == (UK, FRANCE, USA)


@pytest.mark.rule("V-SOLO-04")
def test_icons_of_the_factions():
    assert FACTION_ICONS[FRANCE] == {"german_containment", "german_reparations", "empire.france"}
    assert FACTION_ICONS[UK] == {"naval.uk", "bolshevik_containment", "empire.uk"}
    assert FACTION_ICONS[USA] == {"self_determination", "industrial_growth", "naval.usa"}


@pytest.mark.rule("V-SOLO-05")
def test_value_of_a_settled_issue():
    play = solo(held={"rheinland": ("uk", "remains_german")})
    assert [settled_value(play.state, "rheinland", n) for n in (USA, UK, FRANCE)] == [7, 6, 6]


@pytest.mark.rule("V-SOLO-06")
def test_potential_value():
    state = solo().state
    assert [potential_value(state, "rheinland", n) for n in (USA, FRANCE, UK)] == [7, 7, 6]
    assert [potential_value(state, "shantung", n) for n in (UK, USA, FRANCE)] == [8, 8, 6]
    assert potential_value(state, GAME_END, UK) == 7


@pytest.mark.rule("V-SOLO-07")
def test_strength_counts_counters_wherever_they_are():
    play = solo(held={"anschluss": ("uk", "no"), "korea": ("usa", "independent")})
    assert [faction_strength(play.state, n) for n in (UK, FRANCE, USA)] == [4, 1, 3]


@pytest.mark.rule("V-SOLO-08")
@pytest.mark.parametrize(
    ("held", "points"),
    [
        ({"rheinland": "usa", "mesopotamia": "uk", "cilicia": "france"}, 1),
        ({"rheinland": "usa", "indemnity": ("uk", "no"), "cilicia": "france"}, 1),
        ({"disarmament": "usa", "constantinople": ("uk", "to_turkey"), "cilicia": "france"}, 0),
        ({"rheinland": "usa", "mesopotamia": "uk"}, 0),  # a faction without an issue
    ],
)
def test_a_point_for_the_only_strongest(held, points):
    """In the third case the USA tie with the UK: 6 and 6."""
    play = turn_of(solo(held=held), "usa")
    assert play.state.points == points


@pytest.mark.rule("V-SOLO-08")
def test_no_point_in_a_bots_turn():
    play = solo(held={"rheinland": "usa", "syria": "uk", "arabia": "france"})
    turn_of(play, "uk")
    assert play.state.points == 0


@pytest.mark.rule("V-SOLO-09")
def test_the_human_turn_is_free():
    play = turn_of(solo(pile=("korea", "banat")), "usa")
    lay(play, cubes={"armenia": {"usa": 1}})
    play("P1 settle armenia", "P1 option independent")
    while not play.verbs("P1") & {"draw"}:
        play("P1 " + play.legal("P1")[0])
    assert "dive banat" in play.legal("P1")


@pytest.mark.rule("V-SOLO-10")
def test_leading_both_table_issues_one_must_be_settled():
    play = turn_of(solo(), "usa")
    lay(play, cubes={"armenia": {"usa": 1}, "rheinland": {"usa": 2}}, used={"usa": 4})
    play.refuses("P1 place ethiopia 1", "must_settle", "V-SOLO-10")
    play.refuses("P1 reclaim 1 -", "must_settle", "V-SOLO-10")
    assert {"settle", "deploy", "demobilise"} == play.verbs("P1")


@pytest.mark.rule("V-SOLO-10")
def test_leading_one_of_them_leaves_the_choice():
    play = turn_of(solo(), "usa")
    lay(play, cubes={"armenia": {"usa": 1}, "rheinland": {"uk": 2}}, used={"usa": 4})
    assert {"settle", "place", "reclaim", "deploy", "demobilise"} == play.verbs("P1")


@pytest.mark.rule("V-SOLO-11")
def test_happiness_is_not_scored():
    play = turn_of(solo(table=(GAME_END, "rheinland"), happiness={"usa": 30}), "usa")
    lay(play, cubes={GAME_END: {"usa": 1}})("P1 settle " + GAME_END)
    assert game.result(play.state).scores == {"P1": 0.0}


# Bot military


def threatened(unrest=4, **laid):
    return solo(held={"syria": "uk"}, unrest={"middle_east": unrest}, **laid)


@pytest.mark.rule("V-SOLO-12")
def test_where_a_bot_deploys():
    assert bot_regions(threatened().state, UK) == (2,)
    assert bot_regions(threatened(unrest=3).state, UK) == ()
    assert bot_regions(threatened().state, FRANCE) == ()  # no issue there
    tied = solo(held={"syria": "uk", "arabia": "usa"}, unrest={"middle_east": 4})
    assert bot_regions(tied.state, USA) == (2,)
    there = threatened(units={"uk": ("middle_east 7", "available", "available")})
    assert bot_regions(there.state, UK) == ()
    spent = threatened(units={"uk": ("exhausted", "africa 8", "exhausted")})
    assert bot_regions(spent.state, UK) == ()


@pytest.mark.rule("V-SOLO-13", "V-SOLO-14")
def test_which_column():
    assert bot_column(threatened().state, UK, 2) == 7
    taken = threatened(units={"usa": ("middle_east 7", "available", "available")})
    assert bot_column(taken.state, UK, 2) == 8
    assert bot_column(threatened(happiness={"uk": 11}).state, UK, 2) == 8  # column 7: mutiny
    full = threatened(
        units={
            "usa": ("middle_east 7", "available", "available"),
            "france": ("middle_east 8", "available", "available"),
        }
    )
    assert bot_column(full.state, UK, 2) == 0
    assert bot_regions(full.state, UK) == ()


@pytest.mark.rule("V-SOLO-15")
@pytest.mark.parametrize(
    ("happiness", "units", "yes"),
    [(12, 3, True), (11, 3, True), (13, 3, False), (12, 2, False), (6, 2, True), (7, 2, False)],
)
def test_when_a_bot_demobilises(happiness, units, yes):
    places = ("available",) * units + ("mutinied",) * (3 - units)
    play = solo(units={"uk": places}, happiness={"uk": happiness})
    assert bot_demobilises(play.state, UK) == yes


@pytest.mark.rule("V-SOLO-15")
def test_only_for_a_space_of_two_or_more_and_the_human_picks_the_unit():
    full = {
        "usa": ("space 0", "space 1", "space 2"),
        "france": ("space 3", "available", "available"),
    }
    play = solo(units=full, happiness={"uk": 12})
    assert not bot_demobilises(play.state, UK)
    some = solo(units={"uk": ("available", "exhausted", "available")}, happiness={"uk": 12})
    bot_step(some, BotMilitary(UK))
    assert some.legal("P1") == ["demobilise available", "demobilise exhausted"]
    assert isinstance(some.pending, ChooseUnit)


@pytest.mark.rule("V-SOLO-16")
def test_deploying_goes_before_demobilising():
    play = threatened(happiness={"uk": 12})
    bot_step(play, BotMilitary(UK))
    assert play.facts_of("bot_deploys")
    assert play.state.spaces[0] == NOBODY
    full = threatened(
        happiness={"uk": 12},
        units={
            "usa": ("middle_east 7", "available", "available"),
            "france": ("middle_east 8", "available", "available"),
        },
    )
    bot_step(full, BotMilitary(UK))
    assert full.facts_of("bot_demobilises")


@pytest.mark.rule("V-SOLO-17")
def test_several_regions():
    calm = {"middle_east": 4, "europe": 4, "africa": 4}
    most = solo(held={"syria": "uk", "arabia": "uk", "rheinland": "uk"}, unrest=calm)
    assert bot_regions(most.state, UK) == (2,)
    stars = solo(held={"syria": "uk", "rheinland": "uk"}, unrest=calm)
    assert bot_regions(stars.state, UK) == (0,)
    dice = solo(held={"syria": "uk", "south_west_africa": "uk"}, unrest=calm)
    bot_step(dice, BotMilitary(UK))
    assert isinstance(dice.pending, BotRegion)
    dice("chance roll 4 4", "chance roll 2 5")
    assert dice.facts_of("bot_deploys")[0]["where"].code == "versailles.in.africa"


@pytest.mark.rule("V-SOLO-18")
def test_before_the_political_action_or_after_it_but_once():
    before = turn_of(threatened(), "uk")
    assert before.state.military
    assert isinstance(before.pending, BotPlaces)
    after = solo(held={"syria": "uk"}, unrest={"middle_east": 3}, cubes={"armenia": {"uk": 1}})
    turn_of(after, "uk")
    assert not after.state.military
    lay(after, unrest={"middle_east": 5})
    draws = iter(("chance draw korea banat", "chance draw orlando"))
    while NATIONS[after.state.active] == "uk":
        after(next(draws) if after.decider == CHANCE else "P1 " + after.legal("P1")[0])
    assert len(after.facts_of("bot_deploys")) == 1


# Bot political


@pytest.mark.rule("V-SOLO-19")
def test_a_bot_settles_what_it_leads():
    play = solo(table=("korea", "rheinland"), cubes={"korea": {"uk": 1}, "rheinland": {"uk": 1}})
    bot_step(play, BotPolitical(UK))
    assert play.facts_of("settles")[0]["issue"].code == "versailles.issue.rheinland"
    twin = solo(table=("sudetenland", "silesia"))
    lay(twin, cubes={"sudetenland": {"uk": 1}, "silesia": {"uk": 1}})
    bot_step(twin, BotPolitical(UK))
    assert twin.legal("P1") == ["settle sudetenland", "settle silesia"]


@pytest.mark.rule("V-SOLO-20")
def test_a_bot_places_the_minimum_where_the_human_says():
    play = solo(cubes={"rheinland": {"usa": 2}})
    bot_step(play, BotPolitical(UK))
    assert play.legal("P1") == [
        "place armenia 1",
        "place rheinland 3",
        "place ethiopia 1",
        "place womens_suffrage 1",
    ]
    play.refuses("P1 place rheinland 4", "bot_place", "V-SOLO-20")
    play("P1 place rheinland 3")
    play.refuses("P1 place armenia 2", "minimum_only", "V-SOLO-20")
    poor = solo(cubes={"rheinland": {"usa": 2}}, used={"uk": 13})
    bot_step(poor, BotPolitical(UK))
    assert "place rheinland 3" not in poor.legal("P1")  # no second issue could be paid


@pytest.mark.rule("V-SOLO-21")
def test_a_bot_recovers():
    play = solo(used={"uk": 15})
    b = StateBuilder(play.state)
    b.available[UK], b.exhausted[UK] = 0, 8
    b.set_cubes("ethiopia", UK, 7)
    play.state = b.freeze()
    bot_step(play, BotPolitical(UK))
    assert (play.used("uk"), play.free("uk")) == (2, 6)
    out = solo(used={"uk": 15}, units={"uk": ("exhausted", "europe 8", "available")})
    bot_step(out, BotPolitical(UK))
    assert isinstance(out.pending, BotReclaims)
    assert out.legal("P1") == ["reclaim 6 -", "reclaim 6 europe"]
    out("P1 reclaim 6 -")
    assert out.state.ready[UK] == 2


@pytest.mark.rule("V-SOLO-22")
def test_the_last_resort_is_to_settle_for_the_other_bot():
    stuck = {"ethiopia": {"uk": 15}}
    play = solo(cubes={**stuck, "armenia": {"france": 1}, "rheinland": {"usa": 1}})
    bot_step(play, BotPolitical(UK))
    assert play.owner("armenia") == "france"
    two = solo(cubes={**stuck, "armenia": {"france": 1}, "rheinland": {"france": 1}})
    bot_step(two, BotPolitical(UK))
    assert two.legal("P1") == ["settle armenia", "settle rheinland"]
    never = solo(cubes={**stuck, "armenia": {"usa": 1}})
    bot_step(never, BotPolitical(UK))
    assert never.facts_of("forced_pass")


# Bot settling


@pytest.mark.rule("V-SOLO-23")
def test_which_option_a_bot_chooses():
    state = solo().state
    assert [o.id for o in bot_options(state, FRANCE, "anschluss")] == ["no"]  # worth most
    assert [o.id for o in bot_options(state, UK, "south_west_africa")] == [
        "annexed",
        "south_african_mandate",
    ]  # equal: the human picks
    assert [o.id for o in bot_options(state, UK, "anschluss")] == ["no", "yes"]
    assert [o.id for o in bot_options(state, USA, "widow_pensions")] == ["no"]
    # worth the same to the UK, which loses happiness by the first alone
    assert [o.id for o in bot_options(state, UK, "racial_equality")] == ["exclude"]


@pytest.mark.rule("V-SOLO-23")
def test_a_bot_shows_its_own_flag_no_matter_who_settled():
    play = turn_of(solo(table=("smyrna", "rheinland")), "usa")
    lay(play, cubes={"smyrna": {"uk": 1}})("P1 settle smyrna")
    assert play.state.held["smyrna"].counters == ("naval.uk",)
    choice = midway(solo(held={"kiel_canal": "france"}), ChooseOption("kiel_canal", FRANCE))
    options = choice.state.pack.issues["kiel_canal"].options
    assert options[choice.state.held["kiel_canal"].option].id == "close"


@pytest.mark.rule("V-SOLO-24")
def test_cubes_are_handled_by_faction():
    play = solo(cubes={"armenia": {"uk": 4, "france": 3, "usa": 2}})
    bot_step(play, BotPolitical(UK))
    assert (play.used("uk"), play.used("france"), play.used("usa")) == (4, 1, 1)


@pytest.mark.rule("V-SOLO-25")
def test_optional_events_must_be_performed():
    play = conference(turn_of(solo(unrest={"europe": 5}), "usa"), "hoover")
    assert play.column("europe") == 2
    poor = conference(turn_of(solo(used={"usa": 15}), "usa"), "du_bois")
    assert poor.facts_of("cannot_perform")
    none = conference(turn_of(solo(units={"usa": ("exhausted",) * 3}), "usa"), "churchill")
    assert none.facts_of("cannot_perform")


@pytest.mark.rule("V-SOLO-25")
def test_whether_and_how_to_perform_an_event_with_choices():
    """Smuts asks for a faction, Mordacq for an issue, Gompers for a branch of each faction."""
    for event in ("smuts", "gompers"):
        play = conference(turn_of(solo(), "usa"), event)
        assert play.legal("P1") == ["perform", "decline"]
        play("P1 decline")
        assert play.state.happiness[:3] == (20, 20, 20)
    held = conference(turn_of(solo(held={"indemnity": ("usa", "no")}), "usa"), "mordacq")
    assert held("P1 decline").owner("indemnity") == "usa"
    each = conference(turn_of(solo(), "usa"), "gompers")("P1 perform")
    for _ in range(3):
        assert each.decider == "P1"
        each("P1 choose 2")
    assert each.state.happiness[:3] == (18, 18, 18)


@pytest.mark.rule("V-SOLO-25")
def test_the_option_forces_every_event():
    play = conference(turn_of(solo(options=Options(solo_events="forced")), "usa"), "gompers")
    assert play.legal("P1") == ["choose 1", "choose 2"]


@pytest.mark.rule("V-SOLO-26")
def test_no_cubes_on_events():
    play = turn_of(solo(), "usa")
    midway(lay(play, event="feisal"), AdvanceIssueAndEvent())
    b = StateBuilder(play.state)
    b.event, b.past = "", (b.event,)
    play.state = b.freeze()
    play("P1 advance hoover")
    assert isinstance(play.pending, ChooseToAdvance)
    assert play.state.event_cube == NOBODY


@pytest.mark.rule("V-SOLO-27", "V-SOLO-28")
def test_what_a_bot_advances():
    led = solo(cubes={"ethiopia": {"uk": 1}, "womens_suffrage": {"usa": 1}})
    assert bot_waiting_issues(led.state, UK) == ("ethiopia",)
    both = solo(cubes={"ethiopia": {"uk": 1}})  # one led, one without cubes
    assert bot_waiting_issues(both.state, UK) == ("ethiopia",)
    bare = solo(cubes={"ethiopia": {"france": 1}})
    assert bot_waiting_issues(bare.state, UK) == ("womens_suffrage",)
    other = solo(cubes={"ethiopia": {"france": 1}, "womens_suffrage": {"usa": 1}})
    assert bot_waiting_issues(other.state, UK) == ("ethiopia", "womens_suffrage")
    lay(led, active=UK, acting=UK)
    b = StateBuilder(led.state)
    b.event, b.past = "", (b.event,)
    led.state = b.freeze()
    midway(led, AdvanceIssueAndEvent())
    assert led.legal("P1") == ["advance ethiopia", "advance hoover", "advance murdoch"]
    led.refuses("P1 advance womens_suffrage", "bot_advance", "V-SOLO-27")


@pytest.mark.rule("V-SOLO-29")
def test_a_bot_draws_top_to_waiting_next_to_the_pile():
    play = lay(solo(), active=UK, acting=UK, waiting=("ethiopia",))
    midway(play, AddIssue())("chance draw korea banat")
    assert (play.state.waiting[-1], play.state.pile[0]) == ("korea", "banat")
    end = lay(solo(), active=UK, acting=UK, waiting=("ethiopia",), above=1)
    midway(end, AddIssue())("chance draw korea")
    assert (end.state.waiting[-1], end.state.pile[0]) == (GAME_END, "korea")


@pytest.mark.rule("V-SOLO-30")
def test_choices_of_a_crisis_are_the_humans():
    play = solo(units={"uk": ("exhausted", "available", "available")})
    lay(play, active=FRANCE, acting=FRANCE)
    crisis(play, "koo")
    assert play.decider == "P1"
    assert play.legal("P1") == ["choose exhausted", "decline"]
