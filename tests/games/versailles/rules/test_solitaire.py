"""The solitaire game and its bots: V-SOLO. The human begins as the USA, the UK moves first."""

import pytest

import powderkeg.games.versailles as game
from powderkeg.core.chance import CHANCE
from powderkeg.games.versailles.board import FRANCE, GAME_END, NATIONS, NOBODY, UK, USA
from powderkeg.games.versailles.rules.solo import (
    FACTION_ICONS,
    bot_bids,
    bot_column,
    bot_demobilises,
    bot_modifiers,
    bot_options,
    bot_regions,
    bot_waiting_issues,
    faction_strength,
    next_target,
    potential_value,
    settled_value,
)
from powderkeg.games.versailles.state import Options, StateBuilder
from powderkeg.games.versailles.steps import (
    AddIssue,
    AdvanceIssueAndEvent,
    Announce,
    BotMilitary,
    BotPlaces,
    BotPolitical,
    BotReclaims,
    BotRegion,
    ChangeFaction,
    ChooseOption,
    ChooseToAdvance,
    ChooseUnit,
    EndTurn,
    SoloBid,
    SoloWinner,
    StartTurn,
    Turn,
    Uprising,
)
from tests.games.versailles.scene import conference, crisis, lay, midway, opening, unsettled


def solo(**laid):
    return lay(opening(1, options=Options(solo_order="chosen")), **laid)


def turn_of(play, nation):
    """Begin the turn of a faction."""
    b = StateBuilder(play.state)
    b.agenda = (StartTurn(NATIONS.index(nation)),)
    play.state = b.freeze()
    return midway(play)


def bot_step(play, step):
    """Let one step of a bot go on, with the end of its turn behind it."""
    b = StateBuilder(play.state)
    b.agenda = (EndTurn(),)
    b.active = b.acting = step.nation
    play.state = b.freeze()
    return midway(play, step)


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
    assert play.told("bot_deploys")
    assert play.state.spaces[0] == NOBODY
    full = threatened(
        happiness={"uk": 12},
        units={
            "usa": ("middle_east 7", "available", "available"),
            "france": ("middle_east 8", "available", "available"),
        },
    )
    bot_step(full, BotMilitary(UK))
    assert full.told("bot_demobilises")


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
    assert dice.told("bot_deploys")[0]["where"].code == "versailles.in.africa"


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
    assert len(after.told("bot_deploys")) == 1


# Bot political


@pytest.mark.rule("V-SOLO-19")
def test_a_bot_settles_what_it_leads():
    play = solo(table=("korea", "rheinland"), cubes={"korea": {"uk": 1}, "rheinland": {"uk": 1}})
    bot_step(play, BotPolitical(UK))
    assert play.told("settles")[0]["issue"].code == "versailles.issue.rheinland"
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
    assert never.told("forced_pass")


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
def test_a_bot_shows_its_own_flag_whoever_settled():
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
    assert poor.told("cannot_perform")
    each = conference(turn_of(solo(), "usa"), "gompers")
    for _ in range(3):
        assert each.decider == "P1"
        each("P1 choose 2")
    assert each.state.happiness[:3] == (18, 18, 18)
    none = conference(turn_of(solo(units={"usa": ("exhausted",) * 3}), "usa"), "churchill")
    assert none.told("cannot_perform")


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


# Uprisings and bids


@pytest.mark.rule("V-SOLO-31")
def test_how_bots_change_the_die():
    state = solo(held={"syria": "uk", "arabia": "france"}).state
    assert bot_modifiers(state, USA, 2) == [1]
    assert bot_modifiers(state, UK, 2) == [1, -1]  # tied: the human picks
    assert bot_modifiers(solo(held={"syria": "uk"}).state, UK, 2) == [-1]
    play = solo(held={"syria": "uk"}, unrest={"middle_east": 5})
    lay(
        play,
        units={
            "uk": ("middle_east 7", "available", "available"),
            "usa": ("middle_east 6", "available", "available"),
        },
    )
    lay(play, unrest={"middle_east": 5}, active=FRANCE, acting=FRANCE)
    midway(play, Announce(2, 0, (USA, UK)))
    assert play.legal("P1") == ["modify +1", "modify 0", "modify -1"]  # the human's own
    play("P1 modify 0")
    assert play.decider == CHANCE  # the bot's -1 was applied
    assert play.told("announces")[-1]["modifier"] == -1


@pytest.mark.rule("V-SOLO-32")
def test_ties_are_the_humans():
    play = solo(held={"arabia": "uk", "cilicia": "uk"})
    midway(play, Uprising(2))
    assert play.legal("P1") == ["choose arabia", "choose cilicia"]
    unit = solo(
        held={"syria": "uk", "arabia": "usa"},
        units={"france": ("middle_east 8", "available", "available")},
    )
    midway(unit, Uprising(2))
    assert unit.legal("P1") == ["choose uk", "choose usa"]


@pytest.mark.rule("V-SOLO-33")
def test_the_human_takes_the_weakest_faction():
    held = {"rheinland": "uk", "syria": "usa", "korea": "france"}
    play = midway(solo(held=held), unsettled("rheinland", 0))
    assert NATIONS[play.state.human] == "france"
    assert isinstance(play.pending, SoloBid)
    tie = midway(
        solo(held={"rheinland": "uk", "korea": ("usa", "independent")}), unsettled("rheinland", 0)
    )
    assert NATIONS[tie.state.human] == "france"
    equal = midway(solo(held={"rheinland": "uk"}), unsettled("rheinland", 0))
    assert isinstance(equal.pending, ChangeFaction)
    assert equal.legal("P1") == ["choose france", "choose usa"]
    equal.refuses("P1 choose uk", "not_weakest", "V-SOLO-33")
    none = midway(solo(), Uprising(0))
    assert NATIONS[none.state.human] == "usa"  # no issue there, no change


@pytest.mark.rule("V-SOLO-33", "V-SOLO-32")
def test_the_faction_changes_before_the_human_picks_among_issues_of_equal_stars():
    """Two issues of the UK tie; the human becomes France or the USA first, then says which."""
    issues = solo().state.pack.issues
    tied = sorted(i for i in issues if issues[i].region == 0 and issues[i].stars == 4)[:2]
    play = midway(solo(held=dict.fromkeys(tied, "uk")), Uprising(0))
    assert isinstance(play.pending, ChangeFaction)
    play("P1 choose france")
    assert play.legal("P1") == [f"choose {issue}" for issue in tied]
    play(f"P1 choose {tied[0]}")
    assert isinstance(play.pending, SoloBid)


@pytest.mark.rule("V-SOLO-34")
def test_the_faction_can_change_twice_in_one_check():
    held = {"rheinland": "uk", "syria": "usa", "korea": "france"}
    play = midway(solo(held=held), unsettled("rheinland", 0), unsettled("syria", 2))
    assert NATIONS[play.state.human] == "france"
    play("P1 bid 3+0 0", "P1 " + "option remains_german")
    assert NATIONS[play.state.human] == "uk"


@pytest.mark.rule("V-SOLO-35")
def test_a_change_in_mid_turn_hands_the_turn_over():
    """The human's USA settle; an event makes the human France; step 4 is drawn as a bot draws."""
    held = {"indemnity": ("usa", "no"), "shantung": ("uk", "to_china")}
    play = turn_of(solo(held=held, event="mordacq"), "usa")
    points = play.state.points
    lay(play, cubes={"armenia": {"usa": 1}})
    play("P1 settle armenia", "P1 option independent")
    assert NATIONS[play.state.human] == "france"
    play("P1 pass")
    while play.decider != CHANCE:
        play("P1 " + play.legal("P1")[0])
    play("chance draw banat kurdistan")
    assert (play.state.waiting[-1], play.state.pile[0]) == ("banat", "kurdistan")
    assert play.state.points == points


@pytest.mark.rule("V-SOLO-35")
def test_a_turn_that_became_the_humans():
    play = lay(solo(), human=UK, active=UK, acting=UK, political=True)
    bot_step(play, BotMilitary(UK))
    assert isinstance(play.pending, Turn)
    assert play.verbs("P1") == {"deploy", "demobilise", "end"}


@pytest.mark.rule("V-SOLO-36")
@pytest.mark.parametrize(
    ("units", "bid"),
    [
        (("available", "available", "available"), (2, 0)),
        (("middle_east 8", "available", "available"), (1, 1)),
        (("middle_east 8", "exhausted", "exhausted"), (0, 1)),
        (("available", "exhausted", "mutinied"), (1, 0)),
        (("exhausted", "africa 8", "mutinied"), (0, 0)),
        (("available", "mutinied", "mutinied"), (1, 0)),
    ],
)
def test_units_a_bot_bids(units, bid):
    happy = {1: 4, 2: 10, 3: 20}[sum(u != "mutinied" for u in units)]
    play = solo(units={"uk": units}, happiness={"uk": happy})
    found = dict(bot_bids(play.state, "syria"))[UK]
    assert (found.units, found.local) == bid


@pytest.mark.rule("V-SOLO-36")
def test_no_units_where_units_are_barred():
    assert all(bid.units == 0 for _, bid in bot_bids(solo().state, "disarmament"))


@pytest.mark.rule("V-SOLO-37")
def test_cubes_a_bot_bids():
    play = solo(used={"uk": 12})
    bids = dict(bot_bids(play.state, "korea"))
    assert bids[UK].cubes == 3  # PIV 3 (a naval icon), all that it has
    assert bids[FRANCE].cubes == potential_value(play.state, "korea", FRANCE) == 2


@pytest.mark.rule("V-SOLO-38")
def test_equal_bids_are_parted_by_the_richer_bot():
    play = solo(used={"uk": 7, "france": 8})
    bids = dict(bot_bids(play.state, "dobruja"))
    assert bids[UK].cubes > bids[FRANCE].cubes
    same = dict(bot_bids(play.state, "sudetenland"))  # UK 4, France 5: not equal
    assert (same[UK].cubes, same[FRANCE].cubes) == (4, 5)
    thrace = dict(bot_bids(play.state, "thrace"))
    assert (thrace[UK].cubes, thrace[FRANCE].cubes) == (5, 4)
    equal = dict(bot_bids(solo().state, "thrace"))
    assert (equal[UK].cubes, equal[FRANCE].cubes) == (4, 4)


@pytest.mark.rule("V-SOLO-39")
def test_the_human_may_beat_the_best_bot():
    play = midway(
        solo(held={"rheinland": "uk", "syria": "usa", "korea": "france"}), unsettled("rheinland", 0)
    )
    best = max(bid.rank for _, bid in play.pending.bids)
    assert best == (2, 7)
    play.refuses("P1 bid 2+0 7", "low_bid", "V-UPR-20")
    play("P1 bid 2+0 8")
    assert play.owner("rheinland") == "france"


@pytest.mark.rule("V-SOLO-39")
def test_else_the_best_bot_wins_and_the_human_parts_ties():
    play = midway(solo(held={"thrace": "uk", "syria": "france"}), unsettled("thrace", 2))
    assert NATIONS[play.state.human] == "usa"
    play("P1 pass")
    assert isinstance(play.pending, SoloWinner)
    assert play.legal("P1") == ["choose uk", "choose france"]
    play("P1 choose france")
    assert play.owner("thrace") == "france"


@pytest.mark.rule("V-SOLO-40")
def test_nobody_bids():
    none = dict.fromkeys(("uk", "france"), ("exhausted",) * 3)
    play = solo(held={"thrace": "uk", "syria": "france"}, units=none, used={"uk": 15, "france": 15})
    midway(play, unsettled("thrace", 2))("P1 pass")
    assert play.state.pile[0] == "thrace"


@pytest.mark.rule("V-SOLO-41")
def test_a_bot_pays_its_bid():
    held = {"thrace": "uk", "syria": "france"}
    play = midway(solo(held=held, happiness={"uk": 12}), unsettled("thrace", 2))
    play("P1 pass", "P1 choose uk")
    assert (play.happy("uk"), play.state.spent[UK], play.used("uk")) == (10, 2, 4)
    assert play.verbs("P1") == {"mutiny"}  # the human picks the bot's unit


@pytest.mark.rule("V-SOLO-42")
def test_a_bot_that_wins_chooses_as_bots_do():
    play = solo(held={"anschluss": ("usa", "yes"), "syria": "uk"}, unrest={"europe": 5})
    lay(play, used={"uk": 15}, units={"uk": ("exhausted",) * 3})
    midway(play, unsettled("anschluss", 0))
    assert NATIONS[play.state.human] == "france"
    play("P1 pass")
    assert play.owner("anschluss") == "usa"
    held = play.state.held["anschluss"]
    assert play.state.pack.issues["anschluss"].options[held.option].id == "yes"
    assert (play.keg("europe"), play.column("europe")) == (1, 2)  # reset; its option may lower it
    event = midway(
        solo(held={"indemnity": ("usa", "no"), "syria": "uk"}), unsettled("indemnity", NOBODY)
    )
    event("P1 pass")
    assert event.keg("europe") == 0


# The end


@pytest.mark.rule("V-SOLO-43")
def test_a_bot_settles_the_game_end():
    play = solo(table=(GAME_END, "rheinland"), cubes={GAME_END: {"uk": 1}})
    bot_step(play, BotPolitical(UK))
    assert (play.state.over, game.to_act(play.state)) == ("rush", frozenset())


@pytest.mark.rule("V-SOLO-44")
@pytest.mark.parametrize(("points", "code"), [(19, "solo_lost"), (20, "solo_won")])
def test_twenty_points_win(points, code):
    play = turn_of(solo(table=(GAME_END, "rheinland"), points=points), "usa")
    lay(play, cubes={GAME_END: {"usa": 1}})("P1 settle " + GAME_END)
    assert game.result(play.state).why.code == f"versailles.result.{code}"


@pytest.mark.rule("V-SOLO-45")
@pytest.mark.parametrize(
    ("won", "target"),
    [
        ((), 20),
        ((True,), 25),
        ((True, True), 30),
        ((True, False), 25),
        ((True, False, False), 24),
        ((True, False, False, False), 23),
        ((True, False, False, True), 24),
        ((True, False, False, True, True), 25),
        ((False,), 15),
        ((False, False), 10),
        ((False, True), 15),
        ((False, True, True), 20),
    ],
)
def test_levels(won, target):
    assert next_target(won) == target


@pytest.mark.rule("V-SOLO-46")
def test_no_deals():
    play = turn_of(solo(), "usa")
    play.refuses("P1 propose uk usa.give.uk.1", "no_deals", "V-SOLO-46")
