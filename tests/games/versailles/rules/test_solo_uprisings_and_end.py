"""Uprisings, bids and the end of the solitaire game: V-SOLO."""

import pytest

import powderkeg.games.versailles as game
from powderkeg.core.chance import CHANCE
from powderkeg.core.errors import Illegal
from powderkeg.games.versailles.board import FRANCE, GAME_END, NATIONS, NOBODY, UK, USA
from powderkeg.games.versailles.rules.solo import (
    bot_bids,
    bot_modifiers,
    next_target,
    potential_value,
)
from powderkeg.games.versailles.state import Options
from powderkeg.games.versailles.steps import (
    AddIssue,
    Announce,
    BotMilitary,
    BotPolitical,
    ChangeFaction,
    SoloBid,
    SoloWinner,
    Turn,
    Uprising,
)
from tests.games.versailles.rules.solo_scenes import bot_step, solo, turn_of
from tests.games.versailles.scene import lay, midway, unsettled

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
    assert play.facts_of("announces")[-1]["modifier"] == -1


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
    play("P1 settle armenia", "P1 option independent", "P1 perform")
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


@pytest.mark.rule("V-SOLO-43")
def test_the_game_ends_when_the_deck_is_emptied():
    def emptied(options):
        play = turn_of(solo(options), "usa")
        lay(play, table=("armenia", GAME_END), waiting=play.state.waiting[:1])
        lay(play, pile=(*play.state.pile, *(i for i in play.state.deck if i != "korea")))
        return midway(play, AddIssue())("P1 draw", "chance draw korea")

    assert emptied(Options()).state.over == "deck"
    assert emptied(Options(deck_end="never")).state.over == ""


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


@pytest.mark.rule("V-SOLO-45")
@pytest.mark.parametrize(
    ("series", "points", "target", "then"),
    [("", 20, 20, 25), ("", 19, 20, 15), ("w", 25, 25, 30), ("wl", 24, 25, 24), ("l", 15, 15, 15)],
)
def test_the_next_target_is_announced(series, points, target, then):
    play = solo(Options(solo_series=series), table=(GAME_END, "rheinland"), points=points)
    lay(turn_of(play, "usa"), cubes={GAME_END: {"usa": 1}})("P1 settle " + GAME_END)
    result = game.result(play.state)
    assert (result.why.args["target"], result.why.args["next"]) == (target, then)
    won = "w" if points >= target else "l"
    assert result.next_options == {"solo_series": series + won}
    assert f"{then}" in str(result.why)


@pytest.mark.rule("V-SOLO-45")
def test_a_series_is_written_in_w_and_l():
    with pytest.raises(Illegal) as error:
        game.seats(1, Options(solo_series="win"))
    assert error.value.rule == "V-SOLO-45"


@pytest.mark.rule("V-SOLO-46")
def test_no_deals():
    play = turn_of(solo(), "usa")
    play.refuses("P1 propose uk usa.give.uk.1", "no_deals", "V-SOLO-46")
