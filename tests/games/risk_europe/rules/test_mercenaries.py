"""Three and two players: mercenary armies, their bids, turns and battles."""

import pytest

import powderkeg.games.risk_europe as game
from powderkeg.games.risk_europe.board import TERRITORY_NAMES
from powderkeg.games.risk_europe.steps import Act, Auctions, Battles, Bid, EndRound, NewRound, Turn
from tests.games.risk_europe.scene import Scene, opening, settled

THREE = {"saxony": "blue 4f", "rome": "orange 4f", "turkey": "green 4f", "england": "purple 9f"}


def three(lands=None, controller="blue", **more):
    s = Scene(lands or THREE, players=3, **more)
    return s.has("purple", controller=s.number(controller))


# Setup


@pytest.mark.rule("R-3P-01", "R-3P-02", "R-3P-03", "R-3P-04")
def test_the_mercenary_army_of_three_players():
    s = opening(3)
    owed = game.legal(s.state, "chance")
    assert owed.count_all() == 8 * 7
    s.draw("sweden", "rome")
    assert (s.units("sweden"), s.units("rome"), s.left("purple")) == (
        "10f",
        "10f",
        "15f 12a 12c 4s",
    )
    assert [TERRITORY_NAMES[at] for at in s.state.castles] == [
        "sweden"
    ]  # home city, not the outpost
    assert s.coins("purple") == 5 + 3 + 4
    assert s.state.people == 3


def settle_all(s: Scene) -> list[str]:
    """Settle all cities, as far as there is a choice; the seats in the order in which they chose."""
    order = []
    cities = iter(("saxony", "rome", "sweden", "rusland", "france"))
    while s.state.round == 0:
        (seat,) = s.to_act
        if s.legal(seat, "settle"):
            order.append(seat)
            s.do(seat, f"settle {next(cities)}")
        else:
            assert {text.split()[1] for text in s.legal(seat, "garrison")} == {"1", "2", "3", "4"}
            s.do(seat, s.legal(seat)[0])
    return order


@pytest.mark.rule("R-3P-05", "R-3P-06", "R-3P-07", "R-3P-08", "R-3P-09")
def test_two_drafts_in_the_same_order():
    s = opening(3).draw("england", "turkey")
    s.do("blue", "bid 0").do("orange", "bid 2").do("green", "bid 0")
    # blue's last city is what is left
    assert settle_all(s) == ["orange", "green", "blue", "orange", "green"]
    view = game.view(s.state, None)
    assert all(shield["holder"] for shield in view["shields"].values())
    castles = {TERRITORY_NAMES[at] for at in s.state.castles}
    assert castles == {"england", "saxony", "rome", "sweden"}
    assert view["armies"]["orange"]["coins"] == 5 - 2 + 4 + 2
    assert [view["armies"][c]["crowns"] for c in ("blue", "orange", "green")] == [2, 2, 3]
    assert s.left("orange") == "25f 12a 12c 4s"


@pytest.mark.rule("R-2P-01", "R-2P-02", "R-2P-03", "R-2P-04")
def test_two_mercenary_armies():
    s = opening(2).draw("sweden", "rome")
    assert (s.owner("sweden"), s.owner("rome")) == ("green", "purple")
    assert (s.units("sweden"), s.left("green"), s.left("purple")) == (
        "10f",
        "25f 12a 12c 4s",
        "25f 12a 12c 4s",
    )
    assert {TERRITORY_NAMES[at] for at in s.state.castles} == {"sweden", "rome"}
    assert (s.coins("green"), s.coins("purple")) == (5 + 3, 5 + 4)


@pytest.mark.rule("R-2P-05", "R-2P-06", "R-2P-11")
def test_three_cities_each_for_two_players():
    s = opening(2).draw("england", "turkey").do("blue", "bid 0").do("orange", "bid 1")
    assert settle_all(s) == ["orange", "blue", "orange", "blue", "orange"]
    assert len(s.state.castles) == 6
    assert (s.left("blue"), s.left("orange")) == ("20f 12a 12c 4s", "20f 12a 12c 4s")
    third = {
        TERRITORY_NAMES[at]
        for at in range(49)
        if s.owner(TERRITORY_NAMES[at]) and at not in s.state.castles
    }
    assert {"france", "leon_castile"} <= third
    assert s.coins("orange") == 5 - 1 + 4 + 3 + 3
    assert [s.crowns("orange"), s.crowns("blue")] == [3, 4]  # blue has Rome


# Seats


@pytest.mark.rule("R-3P-10")
def test_last_in_round_one_and_ever_after():
    s = three().new_round()
    assert [s.state.colours[i] for i in s.state.order] == ["blue", "orange", "green", "purple"]
    s = three(marker="orange").new_round()
    assert [s.state.colours[i] for i in s.state.order] == ["orange", "green", "blue", "purple"]


@pytest.mark.rule("R-3P-10")
def test_house_ruling_a_fixed_seat():
    s = three(marker="orange", mercenary_seat="ring").new_round()
    assert [s.state.colours[i] for i in s.state.order] == ["orange", "green", "purple", "blue"]


@pytest.mark.rule("R-2P-08")
@pytest.mark.parametrize(
    ("marker", "order"),
    [
        ("blue", ["blue", "green", "orange", "purple"]),
        ("orange", ["orange", "purple", "blue", "green"]),
    ],
)
def test_mercenaries_sit_between_two_players(marker, order):
    s = Scene(THREE, players=2, marker=marker).new_round()
    assert [s.state.colours[i] for i in s.state.order] == order
    s = settled(2)
    assert [s.state.colours[i] for i in s.state.ring] == ["blue", "green", "orange", "purple"]


# Bids


@pytest.mark.rule("R-3P-11")
def test_the_bid_for_control_is_paid_to_the_mercenaries():
    s = settled(3)
    for seat in ("blue", "orange", "green"):
        assert not s.barrier
        s.do(seat, "pick tax split")
    assert s.barrier  # the cards lie, though none is turned yet
    assert s.to_act == {"blue", "orange", "green"}
    coins, purse = s.coins("orange"), s.coins("purple")
    assert s.legal("orange") == [f"bid {n}" for n in range(coins + 1)]
    s.do("orange", "bid 3").do("blue", "bid 1").do("green", "bid 0")
    assert (s.coins("orange"), s.coins("purple")) == (coins - 3, purse + 3)
    assert game.view(s.state, None)["armies"]["purple"]["controller"] == "orange"


@pytest.mark.rule("R-3P-11")
def test_tied_bids_for_control_roll():
    s = three().next(Bid(3), Battles(), EndRound())
    s.do("blue", "bid 0").do("orange", "bid 2").do("green", "bid 2").roll(3, 5)
    assert (s.state.armies[3].controller, s.coins("orange"), s.coins("green")) == (2, 5, 3)


@pytest.mark.rule("R-2P-07")
def test_two_bids_a_round_in_an_order_the_holder_chooses():
    s = settled(2)
    s.do("blue", "pick tax split").do("orange", "pick tax split")
    assert s.to_act == {"blue"}
    assert s.legal("blue") == ["auction green", "auction purple"]
    assert s.refuses("blue", "auction orange") == ("not_mercenary", "R-2P-07")
    s.do("blue", "auction purple")
    coins = s.coins("orange")
    s.do("orange", f"bid {coins}").do("blue", "bid 0")
    assert s.state.armies[3].controller == 1
    assert s.to_act == {"blue"}  # orange has no coins left and so bids nothing
    s.do("blue", "bid 1")
    assert s.state.armies[2].controller == 0


@pytest.mark.rule("R-2P-07")
def test_one_player_may_win_both_and_a_dead_army_is_not_bid_for():
    s = Scene(THREE, players=2).next(Bid(2), Bid(3), Battles(), EndRound())
    s.do("blue", "bid 1").do("orange", "bid 0").do("blue", "bid 1").do("orange", "bid 0")
    assert [army.controller for army in s.state.armies[2:]] == [0, 0]
    s = Scene(THREE, players=2).has("green", out=1).new_round()
    assert not any(step.__class__.__name__ == "Auctions" for step in s.state.agenda)
    assert sum(isinstance(step, Bid) for step in s.state.agenda) == 1


@pytest.mark.rule("R-2P-07")
def test_a_marker_held_by_mercenaries_speaks_through_their_last_controller():
    s = Scene(THREE, players=2, marker="green", mercenary_king="army").has("green", controller=1)
    s.next(Auctions(), Battles(), EndRound())
    assert s.to_act == {"orange"}


@pytest.mark.rule("R-3P-11", "R-2P-07")
def test_nobody_controls_mercenaries_that_are_still_to_be_bid_for():
    def controllers(s):
        armies = game.view(s.state, None)["armies"]
        return [armies[colour]["controller"] for colour in ("green", "purple")]

    s = Scene(THREE, players=2).has("green", controller=0).has("purple", controller=1)
    s.new_round().do("blue", "pick tax split")
    assert controllers(s) == [None, None]  # those of the last round serve nobody
    s.do("orange", "pick tax split").do("blue", "auction purple")
    s.do("blue", "bid 1").do("orange", "bid 0")
    assert controllers(s) == [None, "blue"]
    s.do("blue", "bid 2").do("orange", "bid 2")
    assert controllers(s) == [None, "blue"]  # the dice decide
    assert controllers(s.roll(1, 2)) == ["orange", "blue"]


# Turns


@pytest.mark.rule("R-3P-12", "R-2P-10")
def test_the_controller_turns_the_card_and_plays():
    s = three(controller="green").next(Turn(3, 1), Turn(3, 2), Battles(), EndRound())
    assert game.legal(s.state, "chance").count_all() == 8
    s.draw("fortify")
    assert s.to_act == {"green"}
    s.do("green", "fortify england", "pass")
    assert s.units("england") == "12f"
    assert game.legal(s.state, "chance").count_all() == 7
    s.draw("tax").do("green", "pass")
    army = game.view(s.state, None)["armies"]["purple"]
    assert (army["discard"], army["hand"]) == (["tax", "fortify"], 6)


@pytest.mark.rule("R-3P-12")
def test_the_pile_is_shuffled_again_when_it_is_empty():
    s = three().has("purple", hand=(), discard=s_deck()).next(NewRound())
    assert len(s.state.armies[3].hand) == 8
    assert s.state.armies[3].discard == ()


def s_deck():
    return ("tax", "tax", "king", "split", "split", "fortify", "fortify", "siege")


@pytest.mark.rule("R-3P-14")
def test_mercenaries_never_win():
    s = three(
        {
            **THREE,
            **dict.fromkeys(
                (
                    "sweden",
                    "france",
                    "poland",
                    "hungary",
                    "greece",
                    "ireland",
                    "swabia",
                    "novgorod",
                ),
                "purple 1f",
            ),
        }
    )
    assert s.crowns("purple") >= 8
    assert game.result(s.end().state) is None


@pytest.mark.rule("R-3P-15")
def test_mercenaries_are_eliminated_like_players():
    s = three({**THREE, "england": "blue 4f", "bohemia": "purple 3f"}).end()
    assert s.state.armies[3].out
    assert s.owner("bohemia") is None
    assert not any(isinstance(step, Bid) for step in s.state.agenda)
    assert [s.state.colours[i] for i in s.state.order] == ["blue", "orange", "green"]


@pytest.mark.rule("R-3P-16")
def test_their_purse_and_shields_are_their_own():
    s = three().next(Act(3, "tax"), Act(3, "king"), Battles(), EndRound())
    blue, purse = s.coins("blue"), s.coins("purple")
    s.do("blue", "order tax")
    assert (s.coins("blue"), s.coins("purple"), s.units("england")) == (blue, purse + 3, "9f 2a")
    s.do("blue", "order spend", f"buy footman england {purse + 3}")
    assert (s.coins("blue"), s.coins("purple")) == (blue, 0)


@pytest.mark.rule("R-3P-17")
def test_they_buy_no_crown_cards_and_draw_no_missions():
    s = three().has("purple", coins=30).next(Act(3, "tax"), Battles(), EndRound())
    s.do("blue", "order spend")
    assert s.refuses("blue", "crown") == ("mercenary_crown", "R-3P-17")
    s = three(missions=True).next(Turn(3, 1), Battles(), EndRound()).draw("king")
    assert "looks_at_missions" not in s.fact_codes()


@pytest.mark.rule("R-3P-18")
@pytest.mark.parametrize(
    ("ruling", "marker"), [("controller", "green"), ("army", "purple"), ("nobody", "blue")]
)
def test_king_me_of_mercenaries(ruling, marker):
    s = three(controller="green", mercenary_king=ruling)
    s.next(Turn(3, 1), Battles(), EndRound()).draw("king")
    assert s.marker == marker


@pytest.mark.rule("R-3P-18", "R-BAT-01")
def test_battles_are_ordered_for_a_mercenary_holder_by_its_controller():
    lands = {**THREE, "bavaria": "green 1f", "serbia": "green 1f"}
    s = three(
        lands,
        "orange",
        marker="purple",
        mercenary_king="army",
        attacks={"bavaria": "blue 1f", "serbia": "blue 1f"},
    )
    s.battles()
    assert s.to_act == {"orange"}


@pytest.mark.rule("R-ELIM-06", "R-2P-08")
def test_the_marker_of_the_eliminated_goes_to_a_player_not_to_mercenaries():
    """The army of the eliminated holder sits to the right of mercenaries, who are passed over."""
    lands = {"saxony": "blue 4f", "rome": "orange 4f", "england": "purple 9f"}
    s = Scene(lands, players=2, marker="green", mercenary_king="army").end()
    assert s.state.armies[2].out
    assert s.marker == "orange"
    s = Scene({**lands, "rome": "green 4f"}, players=3, marker="orange").end()
    assert s.marker == "green"
    s = Scene({"saxony": "blue 4f", "rome": "orange 4f", "england": "purple 9f"}, players=3,
              marker="green").end()  # fmt: skip
    assert s.marker == "blue"  # the mercenaries sit between


# Battles


@pytest.mark.rule("R-3P-19")
def test_nobody_chooses_losses_for_his_enemy():
    lands = {**THREE, "bavaria": "purple 2f 1a"}
    for controller, chooser in (("blue", "orange"), ("green", "green"), ("orange", "orange")):
        s = three(lands, controller, attacks={"bavaria": "blue 2c"}).battles()
        s.roll(1).roll(6, 1)
        assert s.to_act == {chooser}
    s = three(
        lands, "blue", attacks={"bavaria": "blue 2c"}, mercenary_losses="controller"
    ).battles()
    s.roll(1).roll(6, 1)
    assert s.to_act == {"blue"}


@pytest.mark.rule("R-3P-19")
def test_with_two_players_the_other_one_chooses_castle_and_losses():
    lands = {**THREE, "bavaria": "purple 2f 1a"}
    s = Scene(lands, players=2, attacks={"bavaria": "blue 2c"}, castles="bavaria")
    s.has("purple", controller=0).has("green", controller=0).battles()
    s.roll(1)
    assert s.to_act == {"orange"}
    assert s.legal("orange") == ["stand", "reroll"]
    s.do("orange", "stand").roll(6, 1)
    assert s.legal("orange", "lose") == ["footman:1", "archer:1"]


@pytest.mark.rule("R-3P-19", "R-SIEGE-02")
def test_siege_losses_of_mercenaries_are_chosen_by_a_neutral():
    lands = {**THREE, "franconia": "blue 1s", "bavaria": "purple 2f 1a"}
    s = (
        three(lands, "blue")
        .turn("blue", "siege")
        .do("blue", "besiege franconia bavaria")
        .roll(6, 1)
    )
    assert s.to_act == {"orange"}


@pytest.mark.rule("R-3P-20")
def test_mercenaries_may_attack_their_controller_and_never_share_with_him():
    lands = {**THREE, "wales": "purple 3f", "scotland": "blue 1f"}
    s = three(lands, "blue").next(Act(3, "fortify"), Battles(), EndRound())
    s.do("blue", "order expand", "from england")
    assert "scotland" in s.legal("blue", "to")
    s.do("blue", "to scotland", "march footman:2")
    assert s.attackers("scotland") == "2f"
    s = three(lands, "blue").turn("blue", "split")
    if "order manoeuvre" in s.legal("blue"):
        s.do("blue", "order manoeuvre")
    assert "england" not in s.legal("blue", "to")
