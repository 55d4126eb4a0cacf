"""Disputed territories and battles."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import powderkeg.games.risk_europe as game
from powderkeg.games.risk_europe.board import TERRITORY_NUMBER, total_units
from powderkeg.games.risk_europe.rules import battle_dice
from tests.games.risk_europe.scene import Scene, units

HOMES = {
    "rome": "blue 1f",
    "sweden": "orange 1f",
    "turkey": "green 1f",
    "leon_castile": "purple 1f",
}


def fighting(attackers, defenders, at="bavaria", castles="", **more):
    """Orange attacks blue."""
    lands = {**HOMES, at: f"blue {defenders}", **more.pop("lands", {})}
    s = Scene(
        lands,
        attacks={at: f"orange {attackers}", **more.pop("attacks", {})},
        castles=castles,
        **more,
    )
    return s.battles()


# R-DISP


@pytest.mark.rule("R-DISP-02")
def test_the_defender_keeps_all_until_the_battle_ends():
    s = Scene({"saxony": "blue 2f"}, attacks={"saxony": "orange 3f"}, castles="saxony")
    assert (s.crowns("blue"), s.crowns("orange"), s.owner("saxony")) == (1, 0, "blue")
    assert game.view(s.state, None)["shields"]["berlin"]["holder"] == "blue"


@pytest.mark.rule("R-DISP-05", "R-BAT-16", "R-CROWN-03", "R-CROWN-07")
def test_the_winner_takes_city_and_castle_without_coins():
    s = fighting("3f", "1f", at="hungary", castles="hungary").has("blue", bought=1)
    s.roll(6, 1, 1, 2)
    s.do("blue", "stand")
    assert (s.owner("hungary"), s.units("hungary")) == ("orange", "3f")
    assert (s.crowns("orange"), s.crowns("blue")) == (2, 2 + 1)  # Rome and the card stay
    assert s.coins("orange") == 5 + 4  # Stockholm, and no tax value
    [fact] = [fact for fact in s.facts if fact.msg.code == "risk_europe.took_city"]
    assert str(fact.msg) == "Buda changes hands: Orange 2 crowns, Blue 3 crowns."
    assert TERRITORY_NUMBER["hungary"] in s.state.castles


@pytest.mark.rule("R-BAT-16", "R-CITY-14")
def test_rome_is_worth_two_both_ways_and_at_once():
    lands = {**HOMES, "rome": "blue 1f", "saxony": "blue 1f"}
    s = Scene(lands, attacks={"rome": "orange 2f"}).has("orange", bought=4)
    assert (s.crowns("blue"), s.crowns("orange")) == (3, 5)
    s.battles().roll(6, 6, 1)
    assert (s.crowns("blue"), s.crowns("orange")) == (1, 7)
    assert game.result(s.state).winners == ("orange",)


@pytest.mark.rule("R-DISP-06")
def test_several_battles_against_different_opponents():
    s = fighting("1f", "1f", lands={"france": "blue 1f"}, attacks={"france": "green 1f"})
    s.do("blue", "fight france").roll(6, 1).roll(1, 6)
    assert (s.owner("france"), s.owner("bavaria")) == ("green", "blue")


DISPUTE = {
    "franconia": "blue 3f 1s", "saxony": "blue 5f 1s", "bohemia": "orange 3f 1s", "poland": "orange 3f",
    "highlands": "green 4f 1s", "denmark": "green 2f", "swabia": "blue 2f", "england": "green 2f",
}  # fmt: skip


@pytest.mark.rule("R-DISP-07")
@pytest.mark.parametrize(
    ("seat", "card", "actions", "allowed"),
    [
        ("orange", "fortify", ["order expand", "from bohemia", "to saxony"], False),
        ("blue", "fortify", ["order expand", "from franconia", "to saxony"], False),
        ("green", "fortify", ["order expand", "from denmark", "to saxony"], False),
        ("blue", "fortify", ["order expand", "from saxony", "to friesland"], True),
        ("orange", "fortify", ["order expand", "from saxony", "to friesland"], False),
        ("orange", "split", ["order manoeuvre", "from bohemia", "to saxony"], True),
        ("blue", "split", ["order manoeuvre", "from franconia", "to saxony"], True),
        ("green", "split", ["order manoeuvre", "from denmark", "to saxony"], False),
        ("blue", "split", ["order manoeuvre", "from saxony", "to franconia"], False),
        ("orange", "split", ["order manoeuvre", "from saxony", "to bohemia"], False),
        ("blue", "fortify", ["fortify saxony"], True),
        ("orange", "fortify", ["fortify saxony"], False),
        ("green", "fortify", ["fortify saxony"], False),
        ("blue", "tax", ["order spend", "buy footman saxony 1"], False),
        ("orange", "tax", ["order spend", "buy footman saxony 1"], False),
        ("blue", "tax", ["order spend", "build saxony"], False),
        ("blue", "tax", ["order tax", "tax saxony"], False),
        ("orange", "siege", ["besiege bohemia saxony"], False),
        ("blue", "siege", ["besiege saxony bohemia"], False),
    ],
)
def test_what_still_works_in_a_dispute(seat, card, actions, allowed):
    s = Scene({**DISPUTE, "bavaria": "orange 1f"}, attacks={"saxony": "orange 2f 1s"})
    for colour in ("blue", "orange", "green"):
        s.has(colour, coins=40)
    s.turn(seat, card)
    ok = True
    for text in actions:
        if text in s.legal(seat) or s._is_forced(game.parse(text)):
            s.do(seat, text)
        else:
            ok = False
            s.refuses(seat, text)
            break
    assert ok is allowed


# R-BAT


@pytest.mark.rule("R-BAT-01", "R-KING-04")
def test_the_marker_holder_chooses_the_next_battle():
    s = fighting(
        "1f", "1f", lands={"france": "blue 1f"}, attacks={"france": "green 1f"}, marker="purple"
    )
    assert s.to_act == {"purple"}
    assert s.legal("purple") == ["fight bavaria", "fight france"]
    assert s.refuses("purple", "fight rome") == ("no_battle", "R-BAT-01")
    assert s.refuses("blue", "fight france")[0] == "not_your_turn"


@pytest.mark.rule("R-BAT-02", "R-BAT-07", "R-BAT-19")
def test_ranks_in_order_and_again():
    s = fighting("1f 1a 1c 1s", "4f")
    ranks = []
    for dice in ((1, 1), (1,), (1,), (1, 1, 1, 6, 6)):
        ranks.append(s.state.agenda[-1].rank)
        s.roll(*dice)
    s.do("orange", "lose footman:1,archer:1")
    ranks.append(s.state.agenda[-1].rank)
    assert ranks == [1, 2, 3, 4, 1]
    s.roll(6, 6)  # two of four footmen
    assert s.state.agenda[-1].rank == 3  # no archers are left to roll


@pytest.mark.rule("R-BAT-03")
def test_a_unit_hit_in_a_rank_still_rolls_in_it():
    s = fighting("1a", "1a")
    s.roll(5, 5)
    assert s.owner("bavaria") is None


@pytest.mark.rule("R-BAT-04", "R-BAT-05", "R-BAT-06")
@pytest.mark.parametrize(
    ("rank", "there", "count", "dice", "hits"),
    [
        (1, "2s 3f", 4, (1, 2, 3, 5), 2),
        (2, "2a", 2, (5, 6), 2),
        (2, "6a", 6, (3, 4, 5, 5, 5, 6), 4),
        (3, "3c 1s", 3, (2, 3, 6), 2),
    ],
)
def test_dice_and_hits(rank, there, count, dice, hits):
    assert battle_dice.count_dice(rank, units(there), attacking=True) == count
    assert battle_dice.count_dice(rank, units(there), attacking=False) == count
    assert battle_dice.count_hits(rank, dice, ()) == (hits, 0)
    assert battle_dice.count_hits(rank, (), dice) == (0, hits)


@pytest.mark.rule("R-BAT-06", "R-BAT-02")
def test_only_the_side_with_cavalry_rolls():
    s = fighting("2c", "3f")
    assert s.state.agenda[-1].rank == 3
    assert game.legal(s.state, "chance").count_all() == 6**2


@pytest.mark.rule("R-BAT-07", "R-BAT-20")
def test_owners_choose_losses_together_and_in_secret():
    s = fighting("2f 2c", "2f 2c")
    s.roll(6, 1, 6, 1)
    assert s.to_act == {"blue", "orange"}
    assert s.refuses("blue", "lose footman:2") == ("wrong_losses", "R-BAT-07")
    twin = fighting("2f 2c", "2f 2c").roll(6, 1, 6, 1).do("blue", "lose footman:1")
    s.do("blue", "lose cavalry:1")
    assert s.to_act == {"orange"}
    assert game.view(s.state, "orange") == game.view(twin.state, "orange")
    s.do("orange", "lose footman:1")
    assert s.barrier
    assert (s.units("bavaria"), s.attackers("bavaria")) == ("2f 1c", "1f 2c")


@pytest.mark.rule("R-BAT-20")
@pytest.mark.parametrize(("first", "other"), [("blue", "orange"), ("orange", "blue")])
def test_losses_are_a_secret_of_either_side_until_both_have_chosen(first, other):
    views = []
    for kind in ("footman", "cavalry"):
        s = fighting("2f 2c", "2f 2c").roll(6, 1, 6, 1).do(first, f"lose {kind}:1")
        views.append([game.view(s.state, seat) for seat in (other, "green", None)])
        assert game.view(s.state, first)["state"]["agenda"][-1][
            "attacker_loses" if first == "orange" else "defender_loses"
        ] == [int(kind == "footman"), 0, int(kind == "cavalry"), 0]
    assert views[0] == views[1]


@pytest.mark.rule("R-BAT-07")
def test_losses_lower_the_dice_of_later_ranks():
    s = fighting("1s 5f", "3a 1f").roll(6, 6)
    s.do("blue", "lose archer:2")
    assert game.legal(s.state, "chance").count_all() == 6


@pytest.mark.rule("R-BAT-08")
def test_more_hits_than_units():
    s = fighting("3s", "3f").roll(6, 6, 6, 6, 6, 6)
    assert (s.owner("bavaria"), s.left("blue")) == ("orange", "34f 12a 12c 4s")


@pytest.mark.rule("R-BAT-09")
@pytest.mark.parametrize(
    ("there", "attacker", "defender"),
    [("1f", 1, 1), ("1f 1s", 2, 2), ("1f 1a 1c", 3, 2), ("8f", 3, 2), ("6a", 3, 2)],
)
def test_dice_of_the_general_attack(there, attacker, defender):
    assert battle_dice.count_dice(4, units(there), attacking=True) == attacker
    assert battle_dice.count_dice(4, units(there), attacking=False) == defender


@pytest.mark.rule("R-BAT-10", "R-BAT-11")
@pytest.mark.parametrize(
    ("attacker", "defender", "hits"),
    [
        ((6, 3, 3), (5, 3), (1, 1)),
        ((3, 6, 3), (3, 5), (1, 1)),
        ((6, 6, 6), (5, 5), (2, 0)),
        ((5, 5, 5), (5, 5), (0, 2)),
        ((6,), (5, 6), (0, 1)),
        ((1, 2, 6), (5,), (1, 0)),
    ],
)
def test_comparing_dice(attacker, defender, hits):
    assert battle_dice.count_hits(4, attacker, defender) == hits


@pytest.mark.rule("R-BAT-11")
@given(
    st.lists(st.integers(1, 6), min_size=1, max_size=3),
    st.lists(st.integers(1, 6), min_size=1, max_size=2),
)
@settings(deadline=None)
def test_a_general_attack_scores_as_many_hits_as_there_are_pairs(attacker, defender):
    won, lost = battle_dice.count_hits(4, tuple(attacker), tuple(defender))
    assert won + lost == min(len(attacker), len(defender)) <= 2
    assert won <= len(defender)
    assert lost <= len(attacker)


@pytest.mark.rule("R-BAT-12")
def test_footmen_only_fight_general_attacks_without_a_click():
    s = fighting("3f", "2f")
    for dice in ((6, 6, 1, 5, 6), (6, 5, 1)):
        assert s.state.agenda[-1].rank == 4
        s.roll(*dice)
    assert s.owner("bavaria") == "orange"


@pytest.mark.rule("R-BAT-13")
def test_castle_defence():
    s = fighting("2s 2a 8f", "6a 2f", castles="bavaria")
    s.roll(1, 1, 1, 1)  # no defender's dice: nothing to reroll
    s.roll(5, 6, 1, 2, 3, 4, 4, 1)
    assert s.to_act == {"blue"}
    assert s.legal("blue") == ["stand", "reroll"]
    s.do("blue", "reroll")
    assert game.legal(s.state, "chance").count_all() == 6**6  # his own dice only, all of them
    s.roll(3, 4, 5, 5, 5, 6)
    s.do("orange", "lose footman:4").do("blue", "lose footman:2")
    s.roll(6, 3, 3, 5, 3)
    assert s.to_act == {"orange"}  # blue's archers fall without a choice; no second reroll
    s.do("orange", "lose footman:1")
    assert s.state.agenda[-1].reroll  # a new pass


@pytest.mark.rule("R-BAT-13")
def test_castle_defence_in_the_general_attack_and_in_every_pass():
    s = fighting("5f", "5f", castles="bavaria")
    for _ in range(2):
        s.roll(6, 6, 6, 1, 1)
        assert s.legal("blue") == ["stand", "reroll"]
        s.do("blue", "reroll").roll(5, 6)
    assert (s.units("bavaria"), s.attackers("bavaria")) == ("3f", "3f")


@pytest.mark.rule("R-BAT-13")
def test_the_attacker_in_a_castle_rerolls_nothing_and_perfect_dice_are_left():
    s = fighting("5a", "3f", castles="bavaria").roll(1, 1, 1, 1, 1)
    assert s.to_act == {"chance"}
    s.roll(1, 1, 1, 6, 6)  # both of his dice hit
    assert s.state.agenda[-1].stage == "roll"


@pytest.mark.rule("R-BAT-13")
@pytest.mark.parametrize(
    ("attackers", "dice", "asked"),
    [
        ("3f", (5, 1, 1), True),  # one hit of three: more are to be had
        ("3f", (5, 5, 5), False),  # every die has hit
        ("2f", (5, 5, 1), False),  # and more hits than attackers are worth nothing
        ("2f", (5, 1, 1), True),
        ("1f", (5, 1, 1), False),
    ],
)
def test_the_castle_is_asked_about_whenever_another_roll_could_hit_more(attackers, dice, asked):
    s = fighting(attackers, "3a", castles="bavaria").roll(*dice)
    assert bool(s.legal("blue", "reroll")) is asked


@pytest.mark.rule("R-BAT-13")
def test_one_hit_of_two_may_be_rolled_again_in_the_general_attack():
    s = fighting("3f", "3f", castles="bavaria").roll(6, 1, 1, 2, 2)
    assert s.legal("blue") == ["stand", "reroll"]


@pytest.mark.rule("R-BAT-14", "R-BAT-17")
def test_a_battle_ends_as_soon_as_one_army_is_gone():
    s = fighting("1f 1c", "2a 1c").roll(6, 6)
    assert (s.owner("bavaria"), s.units("bavaria"), s.state.attacks) == ("blue", "2a 1c", ())
    assert "held" in s.fact_codes()
    assert s.crowns("blue") == 2


@pytest.mark.rule("R-BAT-15", "R-CITY-03", "R-CROWN-05", "R-CROWN-06")
def test_both_armies_destroyed():
    lands = {"saxony": "blue 1a", "bohemia": "green 3f"}
    s = fighting("1a", "1a", at="saxony", castles="saxony", lands=lands).roll(5, 6)
    assert (s.owner("saxony"), s.crowns("blue")) == (None, 2)
    view = game.view(s.state, None)
    assert view["shields"]["berlin"]["holder"] is None
    assert view["reserve"]["crowns"] == 15 - 4
    assert view["territories"]["saxony"]["castle"]
    s.turn("green", "fortify").do(
        "green", "order expand", "from bohemia", "to saxony", "march footman:1"
    )
    assert s.coins("green") == 5 + 4  # the tax value is paid again
    assert game.view(s.state, None)["reserve"]["crowns"] == 15 - 5


@pytest.mark.rule("R-BAT-18")
def test_lost_units_return_to_the_reserve():
    s = fighting("3s", "3a")
    before = s.left("blue")
    s.roll(6, 6, 6, 1, 1, 1)
    assert (before, s.left("blue")) == ("34f 9a 12c 4s", "34f 12a 12c 4s")
    assert s.broken() == []


@pytest.mark.rule("R-BAT-19")
def test_the_rulebook_battle_from_start_to_finish():
    s = fighting("2s 2a 8f", "6a 4f", castles="bavaria")
    s.roll(1, 2, 3, 5).do("blue", "lose footman:2")
    s.roll(5, 6, 1, 2, 3, 4, 1, 2).do("blue", "reroll").roll(3, 4, 5, 5, 5, 6)
    s.do("orange", "lose footman:4").do("blue", "lose footman:2")
    assert (s.attackers("bavaria"), s.units("bavaria")) == ("4f 2a 2s", "6a")
    s.roll(3, 3, 6, 3, 5).do("orange", "lose footman:1")
    assert (s.attackers("bavaria"), s.units("bavaria")) == ("3f 2a 2s", "5a")
    assert s.state.agenda[-1].rank == 1


# Golden cases


GOLDEN = json.loads(
    (Path(__file__).parents[1] / "cases" / "golden.json").read_text(encoding="utf-8")
)
RANKS = [case for case in GOLDEN["cases"] if case["kind"] == "battle_rank"]


def counts(army):
    return tuple(army.get(unit, 0) for unit in ("footman", "archer", "cavalry", "siege"))


@pytest.mark.rule("R-BAT-04", "R-BAT-05", "R-BAT-06", "R-BAT-10")
@pytest.mark.parametrize("case", RANKS, ids=lambda case: case["id"])
def test_golden_ranks(case):
    given_, expect = case["given"], case["expect"]
    rank, attacker, defender = (
        given_["rank"],
        counts(given_["attacker"]),
        counts(given_["defender"]),
    )
    dice = (
        battle_dice.count_dice(rank, attacker, attacking=True),
        battle_dice.count_dice(rank, defender, attacking=False),
    )
    if "attacker_dice_count" in expect:
        assert dice[0] == expect["attacker_dice_count"]
    if "defender_dice_count" in expect:
        assert dice[1] == expect["defender_dice_count"]
    if expect.get("skipped"):
        assert dice == (0, 0)
        return
    won, lost = battle_dice.count_hits(
        rank, tuple(given_["attacker_dice"]), tuple(given_["defender_dice"])
    )
    assert (won, lost) == (expect["attacker_hits"], expect["defender_hits"])
    if "attacker_after" in expect:
        assert total_units(attacker) - lost == total_units(counts(expect["attacker_after"]))
    if "defender_after" in expect:
        assert total_units(defender) - won == total_units(counts(expect["defender_after"]))
    if "attacker_total_after" in expect:
        assert total_units(attacker) - lost == expect["attacker_total_after"]
        assert total_units(defender) - won == expect["defender_total_after"]
        assert battle_dice.next_rank(rank) == expect["next_rank"]
    if case["given"].get("castle_reroll"):
        low = (given_["defender_first_roll_all_below"] - 1,) * dice[1]
        assert battle_dice.count_hits(rank, (), low)[1] == expect["defender_hits_first"]
        assert battle_dice.reroll_may_help(
            rank, tuple(given_["attacker_dice"]), low, total_units(attacker)
        )
