"""Every worked example of the rulebook, replayed by the engine."""

import json
from pathlib import Path

import pytest

import powderkeg.games.risk_europe as game
from powderkeg.games.risk_europe.board import (
    ADJACENT_BY_LAND,
    TARGETS,
    TERRITORY_NAMES,
    TERRITORY_NUMBER,
)
from powderkeg.games.risk_europe.rules import battle_dice
from powderkeg.games.risk_europe.rules.economy import tax_income
from tests.games.risk_europe.scene import Scene, opening, settled

FILE = Path(__file__).parents[1] / "cases" / "golden.json"
CASES = {case["id"]: case for case in json.loads(FILE.read_text(encoding="utf-8"))["cases"]}
PLAYED: set[str] = set()


def case(name):
    PLAYED.add(name)
    return CASES[name]["given"], CASES[name]["expect"]


def bidding():
    s = (
        opening()
        .do("blue", "bid 0")
        .do("orange", "bid 0")
        .do("green", "bid 1")
        .do("purple", "bid 0")
    )
    s.do("green", "settle turkey", "garrison bulgaria 5").do("purple", "settle sweden")
    return s.do("purple", "garrison finland 5")


@pytest.mark.rule("R-SET-09", "R-SET-11")
def test_setup_berlin():
    given, expect = case("setup_berlin")
    s = bidding()
    assert s.coins("blue") == given["coins"]
    s.do("blue", f"settle {given['city']}", f"garrison bohemia {given['place']['bohemia']}")
    view = game.view(s.state, None)
    assert (
        view["armies"]["blue"]["coins"]
        == expect["coins"]
        == given["coins"] + expect["coins_gained"]
    )
    assert view["armies"]["blue"]["crowns"] == expect["crowns"]
    assert view["armies"]["blue"]["reserve"] == expect["reserve"]
    assert view["territories"][expect["castle_in"]]["castle"]
    assert view["territories"][expect["crown_in"]]["crown"]
    for name, footmen in given["place"].items():
        assert view["territories"][name]["units"]["footman"] == footmen


@pytest.mark.rule("R-SET-10")
def test_setup_rome_banner():
    given, expect = case("setup_rome_banner")
    s = bidding().do("blue", f"settle {given['city']}")
    assert s.coins("blue") == 5 + expect["coins_gained"]
    assert s.crowns("blue") == expect["crowns"]


@pytest.mark.rule("R-CROWN-02", "R-EXP-05")
def test_claim_warsaw():
    given, expect = case("claim_warsaw")
    s = Scene({"bohemia": "blue 4f"}).turn("blue", "fortify").do("blue", "order expand")
    s.do("blue", "from bohemia", f"to {given['to']}", f"march footman:{given['units']['footman']}")
    assert s.coins("blue") == 5 + expect["coins_gained"]
    assert s.crowns("blue") == expect["crowns_gained"]
    assert s.state.attacks == ()


@pytest.mark.rule("R-CROWN-03", "R-DISP-02")
def test_attack_buda():
    given, expect = case("attack_buda")
    lands = {
        "highlands": "blue 4f",
        "hungary": "orange 1f",
        "rome": "orange 1f",
        "turkey": "blue 1f",
    }
    s = Scene(lands).turn("blue", "split").do("blue", "order split", "from highlands")
    s.do("blue", f"to {given['to']}", f"march footman:{given['units']['footman']}")
    before = (1, 3)
    assert (s.crowns("blue"), s.crowns("orange")) == (before[0] + expect["crowns_now"], before[1])
    assert s.coins("blue") == 5 + expect["coins_gained"]
    s.roll(6, 6, 6, 1)
    wins = expect["if_blue_wins"]
    assert s.crowns("blue") == before[0] + wins["crowns_gained"]
    assert s.crowns("orange") == before[1] + wins["opponent_crowns"]
    assert s.coins("blue") == 5 + wins["coins_gained"]


@pytest.mark.rule("R-EXP-01", "R-EXP-02", "R-EXP-07")
def test_expand_from_bohemia():
    given, expect = case("expand_from_bohemia")
    lands = {"bohemia": "blue 3f 1s", "highlands": "orange 1f", "poland": "orange 1f"}
    lands |= {"denmark": "blue 1f", "franconia": "blue 1f"}
    s = Scene(lands, castles="poland").turn("blue", "fortify")
    s.do("blue", "order expand", f"from {given['from']}")
    assert sorted(s.legal("blue", "to")) == expect["legal_targets"]
    most = 0
    for target in expect["legal_targets"]:
        there = Scene(lands, castles="poland").turn("blue", "fortify")
        there.do("blue", "order expand", "from bohemia", f"to {target}")
        storm = bool(there.legal("blue", "storm"))
        assert storm == (target in expect["needs_siege"])
        most = max(most, *(a.units[0] + a.units[3] for a in game.legal(there.state, "blue")))
    assert most == expect["max_units_moving"]


@pytest.mark.rule("R-MAN-01", "R-MAN-03")
def test_manoeuvre_poland():
    given, expect = case("maneuver_poland")
    lands = dict.fromkeys(given["controlled"], "orange 2f") | {"poland": "blue 2f"}
    s = Scene(lands, attacks={"poland": "orange 1f"}).turn("orange", "split")
    s.do("orange", "order manoeuvre", f"from {given['origin_reconstructed']}")
    assert set(expect["legal_destinations_include"]) <= set(s.legal("orange", "to"))


@pytest.mark.rule("R-TAX-03", "R-TAX-05")
def test_tax_split_by_lorraine():
    given, expect = case("tax_split_by_lorraine")
    lands = dict.fromkeys(given["controlled"], "blue 1f")
    s = Scene(lands, attacks=dict.fromkeys(given["disputed"], "orange 1f"))
    totals = {
        city: tax_income(s.state, 0, TERRITORY_NUMBER[city]) for city in given["taxable_cities"]
    }
    assert totals == expect["totals"]


@pytest.mark.rule("R-SIEGE-04")
def test_siege_assault_targets():
    given, expect = case("siege_assault_targets")
    lands = dict.fromkeys(given["enemy"], "orange 2f") | {given["origin_deduced"]: "blue 1f 1s"}
    s = Scene(lands, attacks=dict.fromkeys(given["disputed"], "green 1f")).turn("blue", "siege")
    targets = sorted(text.split()[1] for text in s.legal("blue", "besiege"))
    assert targets == expect["legal_targets"]
    enemy = {TERRITORY_NUMBER[name] for name in given["enemy"]}
    assert [TERRITORY_NAMES[at] for at in range(49) if enemy <= set(ADJACENT_BY_LAND[at])] == [
        expect["unique_origin"]
    ]


@pytest.mark.rule("R-SET-01", "R-3P-13", "R-2P-09")
def test_win_thresholds():
    _, expect = case("win_thresholds")
    assert {str(players): target for players, target in TARGETS.items()} == expect


@pytest.mark.rule("R-CARD-05", "R-CARD-06")
def test_hand_sizes():
    given, expect = case("hand_sizes")
    sizes = []
    homes = {"saxony": "blue 1f", "rome": "orange 1f", "turkey": "green 1f", "england": "purple 1f"}
    s = Scene(homes, round=0).new_round()
    for number in given["rounds"]:
        assert s.state.round == number
        sizes.append(len(s.state.armies[0].hand))
        while s.state.round == number:
            seat = min(s.to_act)
            s.do(seat, "pass" if "pass" in s.legal(seat) else s.legal(seat)[0])
    assert sizes == expect["hand_before_choosing"]


@pytest.mark.rule("R-BAT-09")
def test_general_dice_table():
    _, expect = case("general_dice_table")
    for side, attacking in (("attacker", True), ("defender", False)):
        for count, dice in expect[side].items():
            assert battle_dice.count_dice(4, (int(count), 0, 0, 0), attacking=attacking) == dice


@pytest.mark.rule("R-3P-07", "R-2P-06")
@pytest.mark.parametrize("players", [3, 2])
def test_setup_with_mercenaries(players):
    _, expect = case(f"setup_{players}p")
    s = settled(players)
    view = game.view(s.state, None)
    assert (
        sum(bool(shield["holder"]) for shield in view["shields"].values())
        == expect["gold_cities_used"]
    )
    assert len(s.state.castles) == expect["castles_on_board"]
    assert 15 - view["reserve"]["crowns"] == expect["crowns_on_board"]


@pytest.mark.rule("R-WIN-04")
def test_tie_marker_ten_coins():
    given, expect = case("tie_marker_ten_coins")
    blue = [
        "saxony",
        "bohemia",
        "bavaria",
        "denmark",
        "franconia",
        "friesland",
        "lorraine",
        "highlands",
        "poland",
    ]
    orange = [
        "rome",
        "sicily",
        "lombardy",
        "venice",
        "serbia",
        "sardinia",
        "tunisia",
        "algeria",
        "morocco",
    ]
    assert (len(blue), len(orange)) == tuple(given["territories"])
    lands = dict.fromkeys(blue, "blue 1f") | dict.fromkeys(orange, "orange 1f")
    s = Scene(lands, marker=("blue", "orange")[given["marker_holder"]])
    for colour, crowns, coins in zip(
        ("blue", "orange"), given["crowns"], given["coins"], strict=True
    ):
        s.has(colour, coins=coins)
        s.has(colour, bought=crowns - s.crowns(colour))
    assert game.result(s.end().state).winners == (("blue", "orange")[expect["winner"]],)


@pytest.mark.rule("R-CITY-11")
def test_berlin_castle_price():
    _, expect = case("berlin_castle_price")
    prices = game.view(Scene({"saxony": "blue 1f"}).state, "blue")["armies"]["blue"]["prices"]
    assert prices["castle"] == expect["castle"]


def test_no_example_is_left_out():
    """Battle ranks are played in test_battles."""
    ranks = {name for name, one in CASES.items() if one["kind"] == "battle_rank"}
    written = Path(__file__).read_text(encoding="utf-8")
    others = {name for name in CASES if f'"{name}"' in written or name.startswith("setup_")}
    assert ranks | others == set(CASES)
