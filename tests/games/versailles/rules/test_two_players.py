"""The two-player game with its shared USA: V-2P."""

import pytest

import powderkeg.games.versailles as game
from powderkeg.games.versailles.board import GAME_END, NATIONS, NOBODY, USA
from powderkeg.games.versailles.rules.score import score_sheet
from powderkeg.games.versailles.state import StateBuilder
from powderkeg.games.versailles.steps import (
    AddIssue,
    ChooseToAdvance,
    SelectStrategies,
    Turn,
    Uprising,
    UsaTurn,
)
from tests.games.versailles.scene import conference, lay, midway, opening, unsettled


def usa_turn(play=None, **laid):
    """The UK has finished its own actions; the USA are to act."""
    play = lay(play or opening(2), **laid)
    lay(play, political=True, military=True)
    b = StateBuilder(play.state)
    assert isinstance(b.agenda[-1], Turn)
    play.state = b.freeze()
    return midway(play)


@pytest.mark.rule("V-2P-01", "V-2P-02")
def test_sides():
    play = opening(2)
    assert [NATIONS[n] for n in play.state.order] == ["uk", "france"]
    state = play.state
    assert (state.available[USA], state.ready[USA], state.happiness[USA]) == (15, 0, NOBODY)
    assert (state.happiness[3], state.happiness[4]) == (20, 20)


@pytest.mark.rule("V-2P-02", "V-OPT-08")
def test_happiness_of_the_usa_is_ignored():
    play = lay(opening(2), cubes={"armenia": {"uk": 1}})
    play("uk settle armenia", "uk option to_turkey")
    assert play.state.happiness[USA] == NOBODY


@pytest.mark.rule("V-2P-03")
def test_the_usa_act_at_the_end_of_every_turn():
    play = opening(2)
    play("uk place armenia 1", "uk place rheinland 1", "uk end")
    assert isinstance(play.pending, UsaTurn)
    assert (play.decider, play.verbs("uk")) == ("uk", {"place", "settle"} - {"settle"})
    play.refuses("uk deploy available europe 8", "usa_action", "V-2P-03")
    play("uk place ethiopia 1", "uk place constantinople 1")
    assert (play.decider, NATIONS[play.state.active]) == ("france", "france")
    play("france place armenia 2", "france place rheinland 2", "france end")
    assert isinstance(play.pending, UsaTurn)
    assert play.decider == "france"


@pytest.mark.rule("V-2P-04")
def test_the_owner_of_the_turn_decides_for_the_usa():
    """A USA cube placed by one player is decided by the other in his own turn."""
    play = lay(opening(2, first=2))
    conference(play, "hoover", cube="usa")
    assert play.decider == "france"


@pytest.mark.rule("V-2P-05")
def test_the_usa_place_the_minimum():
    play = usa_turn(cubes={"armenia": {"usa": 1, "uk": 3}})
    play.refuses("uk place armenia 2", "no_lead", "V-PLACE-03")
    play.refuses("uk place armenia 4", "minimum_only", "V-2P-05")
    play("uk place armenia 3")
    play.refuses("uk place ethiopia 2", "minimum_only", "V-2P-05")
    play("uk place ethiopia 1")
    assert play.on("armenia") == {"usa": 4, "uk": 3}


@pytest.mark.rule("V-2P-06")
def test_the_usa_never_settle_for_the_owner_of_the_turn():
    cubes = {"armenia": {"uk": 2}, "rheinland": {"france": 2}}
    play = usa_turn(cubes=cubes)
    play.refuses("uk settle armenia", "not_for_owner", "V-2P-06")
    assert "settle rheinland" in play.legal("uk")
    own = usa_turn(cubes={"armenia": {"usa": 1}})
    assert "settle armenia" in own.legal("uk")


@pytest.mark.rule("V-2P-07")
def test_cubes_when_the_usa_settle():
    play = opening(2, first=2)
    usa_turn(play, cubes={"armenia": {"uk": 4, "usa": 2, "france": 3}})
    play("france settle armenia")
    assert (play.used("uk"), play.used("usa"), play.used("france")) == (4, 0, 1)
    assert (play.free("usa"), play.free("france")) == (15, 14)


@pytest.mark.rule("V-2P-08")
@pytest.mark.parametrize(
    ("issue", "open_"),
    [
        ("armenia", ["option independent"]),  # 2, 0, 2 icons of USA unhappiness
        ("rheinland", ["option remains_german", "option french_occupation"]),  # 0, 0, 2
        ("racial_equality", None),  # 2, 0: nothing to choose
    ],
)
def test_an_issue_of_the_usa_takes_least_unhappiness(issue, open_):
    play = lay(opening(2), table=(issue, "syria"))
    lay(play, cubes={issue: {"usa": 1}})("uk settle " + issue)
    if open_ is None or len(open_) == 1:
        assert play.state.held[issue].option == 1
    else:
        assert (play.decider, play.legal("uk")) == ("uk", open_)
    assert play.owner(issue) == "usa"


@pytest.mark.rule("V-2P-08")
def test_a_gain_of_the_usa_counts_no_more_than_nothing():
    """A Zionist state pleases the USA; the three options that leave them cold are as good."""
    play = lay(opening(2), table=("palestine", "syria"))
    lay(play, cubes={"palestine": {"usa": 1}})("uk settle palestine")
    assert len(play.legal("uk")) == len(play.state.pack.issues["palestine"].options) == 4


@pytest.mark.rule("V-2P-08")
def test_the_usa_refuse_unhappier_options():
    play = lay(opening(2), cubes={"rheinland": {"usa": 1}})("uk settle rheinland")
    play.refuses("uk option to_france", "usa_option", "V-2P-08")


@pytest.mark.rule("V-2P-09")
def test_the_owner_of_the_turn_decides_all_steps_of_a_usa_settlement():
    play = usa_turn(cubes={"armenia": {"usa": 1}})
    play("uk settle armenia")
    deciders = []
    while not isinstance(play.pending, Turn) and len(deciders) < 8:
        if play.decider == "chance":
            play("chance draw korea syria" if not play.facts_of("drawn") else "chance draw gompers")
            continue
        deciders.append(play.decider)
        choice = play.legal("uk")[-1] if play.verbs("uk") != {"draw", "dive"} else "draw"
        play(f"uk {choice}")
    assert set(deciders) == {"uk"}
    assert play.decider == "france"


@pytest.mark.rule("V-2P-10")
def test_costs_of_a_usa_settlement_are_paid_by_the_usa():
    play = lay(opening(2), acting=USA, pile=("korea", "syria", "cilicia"))
    lay(play, used={"usa": 14}, waiting=play.state.waiting[:2])
    midway(play, AddIssue())
    assert play.legal("uk") == ["draw", "dive korea", "dive syria"]
    play("uk dive syria")
    assert (play.free("usa"), play.free("uk")) == (0, 15)
    cube = conference(lay(opening(2), used={"usa": 15}), "feisal", you="usa")
    cube("uk choose 1", "uk advance hoover")
    assert isinstance(cube.pending, ChooseToAdvance)  # no USA cube, no question
    rich = conference(opening(2), "feisal", you="usa")("uk choose 1", "uk advance hoover")
    rich("uk cube yes")
    assert (rich.state.event_cube, rich.free("usa")) == (USA, 14)


@pytest.mark.rule("V-2P-11")
def test_you_are_the_usa_when_the_usa_settle():
    play = conference(opening(2), "du_bois", you="usa")("uk perform")
    assert (play.free("usa"), play.free("uk"), play.happy("uk")) == (12, 15, 20)
    none = conference(opening(2), "churchill", you="usa")  # a deployment means nothing to it
    assert none.facts_of("cannot_perform")


@pytest.mark.rule("V-2P-12")
def test_the_usa_can_be_chosen_and_void_branches_stay_open():
    play = conference(opening(2), "smuts")("uk choose usa")
    assert (play.decider, play.legal("uk")) == ("uk", ["choose 1", "choose 2"])
    play("uk choose 1")
    assert (play.column("africa"), play.state.happiness[USA]) == (1, NOBODY)
    foch = conference(opening(2), "foch")("uk choose usa")
    assert foch.legal("uk") == ["choose 1", "choose 2"]
    foch("uk choose 1")
    assert foch.facts_of("no_effect")


@pytest.mark.rule("V-2P-13")
def test_each_player_includes_the_usa_after_the_owner_of_the_turn():
    play = conference(lay(opening(2), used={"usa": 5}), "keynes")  # ending with the UK
    asked = []
    while not isinstance(play.pending, ChooseToAdvance):
        asked.append((NATIONS[play.pending.subject], play.decider))
        play(f"{play.decider} choose 1")
    assert asked == [("usa", "uk"), ("france", "france"), ("uk", "uk")]
    assert play.used("usa") == 1


@pytest.mark.rule("V-2P-14")
@pytest.mark.parametrize(("usa", "own", "most"), [(9, 3, 3), (3, 12, 3), (9, 9, 6), (4, 0, 0)])
def test_the_owner_may_recover_beside_the_usa(usa, own, most):
    play = usa_turn(used={"usa": usa, "uk": own})
    reclaims = [text for text in play.legal("uk") if text.startswith("reclaim")]
    assert reclaims == [f"reclaim {n} -" for n in range(most + 1)]
    play.refuses(f"uk reclaim {most + 1} -", "reclaim_most", "V-2P-14")
    play(f"uk reclaim {most} -")
    assert (play.used("usa"), play.used("uk")) == (max(0, usa - 6), own - most)


@pytest.mark.rule("V-2P-15")
def test_the_usa_count_for_issues_not_for_happiness():
    play = lay(opening(2), held={"syria": "usa", "arabia": "usa", "korea": "uk"})
    midway(play, Uprising(2))
    assert play.facts_of("hit")[0]["nation"].code == "versailles.nation.usa"
    low = conference(lay(opening(2), happiness={"france": 19}), "cottin")
    assert (low.used("france"), low.used("usa")) == (6, 0)


@pytest.mark.rule("V-2P-16")
def test_reclaim_as_the_last_resort():
    play = usa_turn(used={"usa": 15})
    assert play.verbs("uk") == {"reclaim"}
    fresh = usa_turn()
    fresh.refuses("uk reclaim 0 -", "reclaim_nothing", "V-2P-16")
    stuck = opening(2)
    lay(stuck, cubes={"ethiopia": {"usa": 15}})
    usa_turn(stuck)
    assert stuck.facts_of("forced_pass")
    assert stuck.decider == "france"


@pytest.mark.rule("V-2P-17", "V-2P-18")
def test_the_usa_never_bid_and_the_owner_of_the_turn_starts():
    play = midway(lay(opening(2, first=2), held={"syria": "usa"}), unsettled("syria", 2))
    assert [NATIONS[n] for n in play.pending.waiting] == ["france", "uk"]
    play("france pass", "uk pass")
    assert play.state.pile[0] == "syria"


@pytest.mark.rule("V-2P-17")
def test_the_owner_of_the_turn_picks_for_the_usa():
    play = midway(lay(opening(2), held={"arabia": "usa", "cilicia": "usa"}), Uprising(2))
    assert (play.decider, play.legal("uk")) == ("uk", ["choose arabia", "choose cilicia"])


@pytest.mark.rule("V-2P-19")
def test_only_players_take_strategies():
    play = midway(opening(2), Uprising(2), SelectStrategies())
    play("uk strategy global_trade", "france strategy outlaw_war")
    assert play.state.strategy[USA] == ""


@pytest.mark.rule("V-2P-20")
def test_usa_cubes_block_a_lead():
    play = lay(opening(2), cubes={"armenia": {"usa": 2}})
    play.refuses("uk place armenia 2", "no_lead", "V-PLACE-03")
    lay(play, cubes={"armenia": {"uk": 3}})("uk settle armenia")
    assert (play.used("usa"), play.free("usa")) == (1, 14)


@pytest.mark.rule("V-2P-21")
def test_the_game_end_of_the_usa():
    play = lay(opening(2), table=(GAME_END, "rheinland"))
    usa_turn(play, cubes={GAME_END: {"usa": 2}})("uk settle " + GAME_END)
    assert (play.owner(GAME_END), play.state.over) == ("usa", "rush")
    assert [score_sheet(play.state, n).issues for n in (0, 1)] == [0, 0]
    own = lay(opening(2), table=(GAME_END, "rheinland"))
    lay(own, cubes={GAME_END: {"uk": 1}})("uk settle " + GAME_END)
    assert game.to_act(own.state) == frozenset()  # no USA action any more


@pytest.mark.rule("V-2P-22")
def test_the_usa_cannot_win():
    play = lay(opening(2), table=(GAME_END, "rheinland"), held={"indemnity": "usa"})
    lay(play, cubes={GAME_END: {"uk": 1}})("uk settle " + GAME_END)
    found = game.result(play.state)
    assert found is not None
    assert set(found.scores) == {"P1", "P2"}
    assert found.scores["P1"] == 7 + 6


@pytest.mark.rule("V-2P-23", "V-NEG-10")
def test_no_deals_with_the_usa():
    play = lay(opening(2), used={"uk": 4, "usa": 4})
    play.refuses("uk propose usa uk.give.usa.1", "not_a_player", "V-NEG-10")
    play.refuses("uk propose france usa.give.uk.1", "not_a_party", "V-NEG-10")
