"""Battles rank by rank, the bonuses of cities, and the score pad."""

import pytest

import powderkeg.games.risk_europe as game
from powderkeg.core.game import fact
from powderkeg.core.words import LANGS, say
from tests.games.risk_europe.rules.test_battles import fighting
from tests.games.risk_europe.scene import Scene


def report_of(s: Scene):
    return game.scenes(game.view(s.state, None), s.facts)


def test_a_battle_is_reported_with_dice_losses_and_chances():
    s = fighting("2f 1a", "2f")
    s.roll(5)
    (battle,) = report_of(s)
    attacker, defender = battle.sides
    assert (battle.kind, battle.about, str(battle.title)) == (
        "battle",
        "bavaria",
        "Battle: Bavaria",
    )
    assert [side.who for side in battle.sides] == ["orange", "blue"]
    assert say(attacker.note) == "2 footmen and 1 archer"
    assert 0 < (defender.chance or 0) < (attacker.chance or 0) < 1
    archers = battle.beats[0]
    assert str(archers.text) == "archers' volley"
    assert archers.rule == "R-BAT-05"
    assert (archers.sides[0].dice, archers.sides[0].counts) == ((5,), (True,))
    assert say(archers.sides[1].lost) == "1 footman"
    assert (archers.sides[0].chance or 0) > (attacker.chance or 0)


@pytest.mark.parametrize("castle", ["", "bavaria"])
def test_chances_after_each_rank_are_those_of_the_units_left(castle):
    s = fighting("3f", "2f", castles=castle)
    s.roll(6, 1, 1, 1, 1)
    if castle:
        s.do("blue", "stand")
    (battle,) = report_of(s)
    last = battle.beats[-1]
    assert all(side.lost for side in last.sides)
    odds = game.view(s.state, None)["odds"]["battles"]["bavaria"]
    assert [side.chance for side in last.sides] == [odds["attacker"], odds["defender"]]


def test_the_castle_rerolls_in_a_step_of_its_own():
    s = fighting("3f", "2f", castles="bavaria")
    s.roll(6, 5, 4, 3, 2)
    s.do("blue", "reroll")
    s.roll(6, 6)
    (battle,) = report_of(s)
    reroll = next(beat for beat in battle.beats if str(beat.text) == "The castle rerolls")
    assert reroll.sides[1].dice == (6, 6)
    assert reroll.sides[1].counts == (True, True)
    assert reroll.sides[0].dice == ()


def test_battles_are_kept_until_the_cards_of_the_next_round_are_turned():
    s = fighting("3f", "1f")
    s.roll(6, 1, 1, 2)
    assert len(report_of(s)) == 1
    assert report_of(s)[0].over
    s.facts.append(fact("risk_europe.revealed", "R-ROUND-03"))
    assert len(report_of(s)) == 1  # the second card of the same round
    s.facts.append(fact("risk_europe.revealed", "R-ROUND-02"))
    assert report_of(s) == ()


def test_each_gold_city_says_its_bonus_in_three_languages():
    view = game.view(Scene({"rome": "blue 1f"}).state, None)
    bonuses = game.captions(view)
    assert set(bonuses) == set(view["shields"])
    assert len(bonuses) == 8
    for lang in LANGS:
        assert len({say(msg, lang) for msg in bonuses.values()}) == 8
    assert say(bonuses["rome"]) == "Rome counts as two crowns."
    assert {shield["rule"] for shield in view["shields"].values()} >= {"R-CITY-05", "R-CITY-14"}


def test_the_score_pad_adds_up_to_the_crowns():
    s = Scene({"rome": "blue 1f", "saxony": "blue 1f", "sweden": "orange 1f"}).has("blue", bought=1)
    lines = {
        line.label.code.rpartition(".")[2]: line for line in game.score(game.view(s.state, None))
    }
    parts = ("cities", "rome", "cards")
    assert [lines[part].points["blue"] for part in parts] == [2, 1, 1]
    assert lines["total"].points["blue"] == 4 == s.crowns("blue")
    assert say(lines["cities"].notes["blue"]) == "Berlin and Rome"
    assert lines["needed"].open
