"""The rules about events: V-EVENT."""

import pytest

import powderkeg.games.versailles as game
from powderkeg.games.versailles.board import NOBODY
from powderkeg.games.versailles.events import operations
from powderkeg.games.versailles.events.effects import open_branches
from powderkeg.games.versailles.state import Options, StateBuilder
from powderkeg.games.versailles.steps import (
    Bidding,
    ChooseCube,
    ChooseToAdvance,
    Do,
    DrawEvent,
    Turn,
)
from tests.games.versailles.scene import conference, crisis, lay, midway, opening


def doing(play, *effects, you="uk"):
    """Carry out effects."""
    n = ("uk", "france", "usa", "italy").index(you)
    return midway(play, Do(effects, n, n, "conference"))


@pytest.mark.rule("V-EVENT-01")
def test_each_half_once():
    play = lay(opening(3), settled="syria", controller=0)
    crisis(play, "murdoch")
    assert play.column("pacific") == 1  # only the crisis; nobody has a unit out
    conference(play, "murdoch")("uk perform")
    assert play.column("pacific") == 3


@pytest.mark.rule("V-EVENT-02", "V-EVENT-07")
def test_the_cubes_owner_decides_the_conference_even_later():
    play = conference(opening(3), "hoover", cube="usa")
    assert play.decider == "usa"
    play("usa perform")
    assert play.decider == "uk"  # step 3 is the active player's
    none = conference(opening(3), "hoover")
    assert none.decider == "uk"


@pytest.mark.rule("V-EVENT-02")
def test_the_crisis_is_the_active_players():
    play = lay(opening(3, first=2), units={"france": ("exhausted", "available", "available")})
    crisis(play, "koo")
    assert play.decider == "france"


@pytest.mark.rule("V-EVENT-03", "V-EVENT-04")
def test_an_optional_event_can_be_declined():
    play = lay(opening(3), unrest={"europe": 5})
    conference(play, "hoover", cube="france")("france decline")
    assert (play.column("europe"), play.used("france")) == (5, 1)
    assert play.state.past[-1:] == ("hoover",)


@pytest.mark.rule("V-EVENT-03")
def test_other_events_are_forced():
    play = conference(opening(3), "feisal")
    assert play.legal("uk") == ["choose 1", "choose 2"]


@pytest.mark.rule("V-EVENT-05", "V-EVENT-06")
def test_one_cube_only_on_the_way_to_the_table_and_only_with_the_icon():
    play = conference(opening(3), "feisal")("uk choose 1", "uk advance hoover")
    assert isinstance(play.pending, ChooseCube)
    play("uk cube yes")
    assert (play.state.event_cube, play.free("uk")) == (0, 14)
    assert isinstance(play.pending, ChooseToAdvance)
    bare = lay(opening(3))
    b = StateBuilder(bare.state)
    b.lobby, b.events = ("lodge", "murdoch"), tuple(sorted({*b.events, "hoover"} - {"lodge"}))
    bare.state = b.freeze()
    conference(bare, "feisal")("uk choose 1", "uk advance lodge")
    assert isinstance(bare.pending, ChooseToAdvance)  # no icon, no question
    poor = conference(lay(opening(3), used={"uk": 15}), "feisal")
    poor("uk choose 1", "uk advance hoover")
    assert isinstance(poor.pending, ChooseToAdvance)  # no cube, no question


@pytest.mark.rule("V-EVENT-08")
@pytest.mark.parametrize(
    ("die", "region"),
    [(1, "europe"), (2, "balkans"), (3, "middle_east"), (4, "pacific"), (5, "africa")],
)
def test_a_random_region(die, region):
    play = crisis(opening(3), "fawcett")(f"chance roll {die}")
    assert play.column(region) == 3
    nothing = crisis(opening(3), "fawcett")("chance roll 6")
    assert nothing.state.unrest == (1,) * 5


@pytest.mark.rule("V-EVENT-09")
def test_a_cost_is_paid_in_full_or_not_at_all():
    play = conference(lay(opening(3), used={"uk": 14}), "balfour")  # costs two
    assert play.facts_of("cannot_perform")
    assert isinstance(play.pending, ChooseToAdvance)


@pytest.mark.rule("V-EVENT-09")
def test_a_loss_takes_what_there_is():
    play = lay(opening(3), units={"uk": ("available", "available", "mutinied")})
    lay(play, happiness={"uk": 5}, cubes={"armenia": {"uk": 1}}, used={"uk": 10})
    conference(play, "cottin")
    assert (play.free("uk"), play.used("uk"), play.on("armenia")) == (0, 14, {"uk": 1})


@pytest.mark.rule("V-EVENT-10")
def test_recovering_takes_what_there_is():
    play = crisis(lay(opening(3), used={"uk": 2, "france": 6}), "orlando")
    assert (play.used("uk"), play.used("france")) == (0, 2)


@pytest.mark.rule("V-EVENT-11")
def test_the_chosen_player_picks_the_branch():
    play = conference(opening(3), "foch")("uk choose france")
    assert play.decider == "france"
    units = {"france": ("mutinied",) * 3}
    none = conference(lay(opening(3), units=units, happiness={"france": 4}), "foch")
    none("uk choose france")  # no unit to demobilise: the other branch is forced
    assert none.happy("france") == 2
    own = conference(opening(3), "foch")("uk choose uk")
    assert own.decider == "uk"


@pytest.mark.rule("V-EVENT-11")
def test_a_branch_must_be_payable_but_tracks_always_move():
    pay = operations.Either(((operations.Exhaust(4),), (operations.Unrest("europe", 1),)))
    poor = lay(opening(3), used={"uk": 12})
    assert open_branches(poor.state, pay, 0) == [1]
    assert open_branches(opening(3).state, pay, 0) == [0, 1]
    none = operations.Either(((operations.Exhaust(4),), (operations.Pay(5),)))
    assert open_branches(poor.state, none, 0) == [0, 1]  # as much as possible of one
    full = operations.Either(((operations.Unrest("europe", -2),), (operations.Pay(1),)))
    assert open_branches(opening(3).state, full, 0) == [0, 1]


@pytest.mark.rule("V-EVENT-12")
@pytest.mark.parametrize("first", [1, 2, 3])
def test_each_player_ending_or_starting_with_you(first):
    circle = ["uk", "france", "usa"]
    you = circle[first - 1]
    after = circle[first:] + circle[:first]
    for event, order in (("keynes", after), ("trotsky", [you, *after[:-1]])):
        play = conference(opening(3, first=first), event)
        asked = []
        while isinstance(play.pending, Turn | ChooseToAdvance) is False:
            asked.append(play.decider)
            play(f"{play.decider} choose 2")
        assert asked == order


@pytest.mark.rule("V-EVENT-13")
def test_cards_demobilise_and_deploy_as_usual():
    play = conference(opening(3), "foch")("uk choose france", "france choose 1")
    assert (play.happy("france"), play.state.spaces[0]) == (25, 1)
    out = conference(lay(opening(3), used={"uk": 5}), "churchill")("uk perform")
    out("uk deploy available europe 6")
    assert (out.happy("uk"), out.free("uk")) == (20 - 2 + 1, 13)


@pytest.mark.rule("V-EVENT-14")
def test_all_units_leave_and_unrest_stays():
    play = lay(opening(3), units={"usa": ("europe 5", "available", "available")})
    lay(play, unrest={"europe": 4})
    crisis(play, "du_bois")
    assert (play.column("europe"), play.state.spent[2]) == (4, 1)
    assert game.view(play.state, None)["regions"]["europe"]["cap"] == 8


@pytest.mark.rule("V-EVENT-15")
def test_counters_on_anybodys_issues_count():
    play = lay(opening(3), held={"indemnity": ("usa", "yes"), "widow_pensions": ("france", "yes")})
    conference(play, "dulles")
    assert play.column("europe") == 4
    none = conference(opening(3), "dulles")
    assert (none.column("europe"), len(none.facts_of("no_counters"))) == (1, 1)


@pytest.mark.rule("V-EVENT-16")
@pytest.mark.parametrize("issue", ["disarmament", "indemnity"])
def test_league_and_reparations_count_for_europe(issue):
    """Playbook, round 4: the speech after Disarmament removes an unrest from Europe."""
    play = lay(opening(3), settled=issue, controller=0, unrest={"europe": 2, "africa": 2})
    crisis(play, "smuts")
    assert (play.column("europe"), play.column("africa")) == (1, 2)
    stirred = crisis(lay(opening(3), settled=issue, controller=0), "dulles")
    assert stirred.state.unrest == (2, 1, 1, 1, 1)


@pytest.mark.rule("V-EVENT-16")
def test_the_option_leaves_league_issues_without_a_region():
    options = Options(league_region="none")
    play = opening(3, options=options)
    lay(play, settled="disarmament", controller=0, unrest={"europe": 8})
    crisis(play, "hymans")
    assert play.facts_of("no_track")
    assert isinstance(play.pending, Turn)
    calm = crisis(lay(opening(3, options=options), settled="indemnity", controller=0), "dulles")
    assert calm.state.unrest == (1,) * 5


@pytest.mark.rule("V-EVENT-17")
def test_if_there_is_no_uprising():
    play = conference(lay(opening(3), unrest={"middle_east": 2}), "weizmann")  # an X column
    assert play.column("middle_east") == 1
    failed = conference(lay(opening(3), unrest={"middle_east": 5}), "weizmann")("chance roll 1")
    assert failed.column("middle_east") == 4


@pytest.mark.rule("V-EVENT-17")
def test_if_no_issue_is_unsettled():
    play = lay(opening(3), unrest={"africa": 5, "europe": 5})
    crisis(play, "hankey")("chance roll 6", "chance roll 1")  # nobody has an issue in Europe
    for _ in range(3):
        play(f"{play.decider} strategy " + play.legal(play.decider)[0].split()[1])
    assert (play.column("europe"), play.column("africa")) == (6, 6)


@pytest.mark.rule("V-EVENT-17")
def test_an_issue_unsettled_by_an_earlier_check_does_not_count():
    """Each check asks again: what the last one unsettled is past."""
    play = lay(opening(3), unrest={"africa": 5}, unsettled=True)
    crisis(play, "hankey")("chance roll 1")
    assert play.column("africa") == 6


@pytest.mark.rule("V-EVENT-18")
def test_an_event_that_unsettles_is_no_uprising():
    play = lay(opening(3), held={"disarmament": ("france", "full"), "womens_suffrage": "usa"})
    lay(play, unrest={"europe": 5})
    conference(play, "white")("uk perform")
    assert play.legal("uk") == ["choose disarmament", "choose womens_suffrage"]
    play("uk choose disarmament", "france bid 0+0 1", "usa pass", "uk pass", "france option full")
    assert (play.column("europe"), play.keg("europe"), play.state.risen) == (7, 0, False)
    assert isinstance(play.pending, ChooseToAdvance)
    none = conference(opening(3), "white")
    assert none.facts_of("cannot_perform")


@pytest.mark.rule("V-EVENT-19")
def test_printed_modifiers():
    play = crisis(lay(opening(3), unrest={"africa": 4}), "nansen")("chance roll 4")
    assert play.facts_of("rises")
    plain = crisis(lay(opening(3), unrest={"africa": 4}), "balfour")("chance roll 4")
    assert plain.facts_of("quiet")


@pytest.mark.rule("V-EVENT-19")
def test_bela_kuns_sign_is_chosen():
    held = {"negotiations_with_russia": ("uk", "do_not_offer"), "banat": "usa"}
    play = conference(lay(opening(3), held=held, unrest={"balkans": 4}), "kun")
    assert play.legal("uk") == ["choose plus", "choose minus"]
    play("uk choose minus", "chance roll 6")
    assert play.facts_of("quiet")[0]["modifier"] == -2
    none = conference(lay(opening(3), unrest={"balkans": 4}), "kun")("chance roll 1")
    assert none.facts_of("quiet")[0]["modifier"] == 0


@pytest.mark.rule("V-EVENT-20")
def test_an_empty_deck_is_made_of_the_discards():
    play = opening(3)
    b = StateBuilder(play.state)
    b.past, b.events, b.lobby = (*b.events, b.lobby[1]), (), b.lobby[:1]
    play.state = b.freeze()
    midway(play, DrawEvent())
    assert (len(play.state.events), play.state.past) == (44, ())
    play("chance draw keynes")
    assert (len(play.state.events), len(play.state.lobby)) == (43, 2)


@pytest.mark.rule("V-EVENT-21")
def test_what_an_event_causes_ends_before_the_next_step():
    play = lay(opening(3), held={"syria": "france"}, unrest={"middle_east": 5})
    conference(play, "zaghloul")("chance roll 6")
    assert isinstance(play.pending, Bidding)
    play("france bid 0+0 1", "usa pass", "uk pass", "france option french_mandate")
    assert play.verbs(play.decider) == {"strategy"}
    while play.verbs(play.decider) == {"strategy"}:
        play(f"{play.decider} strategy " + play.legal(play.decider)[0].split()[1])
    assert isinstance(play.pending, ChooseToAdvance)


@pytest.mark.rule("V-EVENT-22")
def test_all_cubes_of_a_waiting_issue_go_home():
    play = lay(opening(3), waiting=("rush_to_the_finish", "ethiopia", "constantinople"))
    lay(play, cubes={"rush_to_the_finish": {"france": 5, "usa": 2}, "ethiopia": {"uk": 1}})
    conference(play, "house")
    assert play.legal("uk") == ["choose rush_to_the_finish", "choose ethiopia"]
    play("uk choose rush_to_the_finish")
    assert (play.on("rush_to_the_finish"), play.free("france"), play.free("usa")) == ({}, 15, 15)


@pytest.mark.rule("V-EVENT-23")
def test_all_who_tie_are_meant():
    play = lay(opening(3), happiness={"uk": 12, "france": 12, "italy": 3})
    conference(play, "cottin")
    assert (play.used("uk"), play.used("france"), play.used("usa")) == (6, 6, 0)
    held = {"syria": "uk", "arabia": "france"}
    most = crisis(lay(opening(3), held=held), "sykes_picot")
    assert (most.used("uk"), most.used("france"), most.used("usa")) == (2, 2, 0)


def test_nobody_is_meant_while_nobody_has_an_issue():
    play = crisis(opening(3), "sykes_picot")
    assert play.state.exhausted == (0,) * 5
    assert play.state.event_cube == NOBODY
