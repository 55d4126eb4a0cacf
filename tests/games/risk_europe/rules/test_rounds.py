"""The round: cards, turns, order, and what happens at its end."""

import pytest

import powderkeg.games.risk_europe as game
from powderkeg.games.risk_europe.board import CARDS
from powderkeg.games.risk_europe.steps import Act, Battles, EndRound, Pick, Turn
from tests.games.risk_europe.scene import Scene, opening, settled

HOMES = {"saxony": "blue 4f", "rome": "orange 4f", "turkey": "green 4f", "england": "purple 4f"}


def finish_turns(s, seats=("blue", "orange", "green", "purple")):
    """Everybody passes until the next choice of cards."""
    while not s.legal("blue", "pick"):
        (seat,) = s.to_act
        s.do(seat, "pass")
    return s


def everybody_picks(s, **cards):
    for seat in game.seats(4, game.Options()):
        first, second = cards.get(seat, ("tax", "tax"))
        s.do(seat, f"pick {first} {second}")
    return s


@pytest.mark.rule("R-ROUND-01", "R-ROUND-02", "R-ROUND-03")
def test_a_round_goes_cards_turn_one_turn_two_battles_end():
    s = Scene(HOMES, round=0).new_round()
    assert (s.state.round, s.to_act) == (1, {"blue", "orange", "green", "purple"})
    everybody_picks(s)
    seen = []
    while not s.legal("blue", "pick"):
        (seat,) = s.to_act
        seen.append((s.state.turn, seat))
        s.do(seat, "pass")
    turn = ["blue", "orange", "green", "purple"]
    assert seen == [(1, seat) for seat in turn] + [(2, seat) for seat in turn]
    rules = [fact.rule for fact in s.facts if fact.msg.code.endswith("revealed")]
    assert rules == ["R-ROUND-02"] * 4 + ["R-ROUND-03"] * 4
    assert s.state.round == 2


@pytest.mark.rule("R-ROUND-02")
def test_later_players_see_earlier_results():
    s = everybody_picks(Scene(HOMES, round=0).new_round(), blue=("fortify", "tax"))
    assert s.to_act == {"blue"}
    s.do("blue", "fortify saxony", "pass")
    assert game.view(s.state, "orange")["territories"]["saxony"]["units"]["footman"] == 7


@pytest.mark.rule("R-ROUND-03", "R-KING-02", "R-ROUND-07")
def test_king_me_does_not_change_the_order_of_turn_two():
    s = Scene(HOMES, round=0).new_round()
    everybody_picks(s, green=("king", "tax"), orange=("tax", "king"))
    order = []
    while not s.legal("blue", "pick"):
        (seat,) = s.to_act
        order.append(seat)
        s.do(seat, "pass")
    assert order == ["blue", "orange", "green", "purple"] * 2
    assert [s.state.colours[i] for i in s.state.order] == ["orange", "green", "purple", "blue"]


@pytest.mark.rule("R-ROUND-04")
def test_every_dispute_is_fought_before_the_round_ends():
    s = Scene(
        {**HOMES, "lorraine": "green 1f"}, attacks={"saxony": "orange 1f", "lorraine": "blue 1f"}
    )
    s.battles()
    assert s.legal("blue") == ["fight saxony", "fight lorraine"]
    s.do("blue", "fight lorraine").roll(6, 1)
    assert (s.owner("lorraine"), len(s.state.attacks)) == ("blue", 1)
    s.roll(1, 6, 6)
    assert (s.state.attacks, s.state.round) == ((), 2)


@pytest.mark.rule("R-ROUND-05")
def test_used_or_not_the_cards_are_discarded():
    s = everybody_picks(Scene(HOMES, round=0).new_round(), blue=("split", "fortify"))
    finish_turns(s)
    blue = game.view(s.state, None)["armies"]["blue"]
    assert blue["discard"] == ["split", "fortify"]
    assert (blue["shown"], blue["hand"]) == ([], 6)


@pytest.mark.rule("R-ROUND-06", "R-WIN-01", "R-WIN-02")
def test_crowns_in_mid_round_do_not_win():
    s = Scene({**HOMES, "bohemia": "blue 3f"}).has("blue", bought=5).turn("blue", "fortify")
    s.do("blue", "order expand", "from bohemia", "to poland", "march footman:1")
    assert s.crowns("blue") == 7
    assert game.result(s.state) is None
    s.do("blue", "pass")
    assert game.result(s.state).winners == ("blue",)
    s = Scene({**HOMES, "poland": "blue 1f"}, attacks={"poland": "orange 2f"}).has("blue", bought=5)
    s.battles()
    assert s.crowns("blue") == 7
    s.roll(6, 6, 1)
    assert game.result(s.state) is None


@pytest.mark.rule("R-ROUND-08", "R-CARD-08")
@pytest.mark.parametrize("card", list(CARDS))
def test_pass_is_always_there(card):
    s = Scene({**HOMES, "bohemia": "blue 2f"}).turn("blue", card)
    assert "pass" in s.legal("blue")


@pytest.mark.rule("R-ROUND-08")
def test_a_card_that_can_do_nothing_is_passed_without_a_click():
    s = Scene({"bohemia": "blue 1f", "rome": "orange 1f", "turkey": "green 1f"}).turn(
        "blue", "split"
    )
    assert "passed" in s.fact_codes()


@pytest.mark.rule("R-ROUND-09", "R-CITY-01")
def test_victory_comes_before_elimination_and_shields_after_both():
    s = Scene({**HOMES, "bohemia": "blue 2f"}, fresh="saxony").has("blue", bought=5)
    s.end()
    assert s.state.round == 2
    assert game.view(s.state, None)["shields"]["berlin"]["works"]
    s = Scene({"rome": "orange 4f", "turkey": "green 1f"}).has("orange", bought=6).end()
    assert game.result(s.state).winners == ("orange",)
    assert not s.state.armies[0].out  # nobody is eliminated from a game that is won


@pytest.mark.rule("R-CARD-01")
def test_the_deck():
    kinds = {name: (card.copies, card.orders, card.bonus) for name, card in CARDS.items()}
    assert kinds == {
        "tax": (2, ("tax", "spend"), ""),
        "king": (1, ("tax", "spend"), "king"),
        "split": (2, ("split", "manoeuvre"), ""),
        "fortify": (2, ("expand", "manoeuvre"), "fortify"),
        "siege": (1, ("expand", "manoeuvre"), "siege"),
    }
    s = Scene({**HOMES, "bohemia": "blue 2f"}).turn("blue", "fortify")
    assert s.refuses("blue", "order split") == ("not_on_card", "R-CARD-01")
    assert s.refuses("blue", "besiege saxony bohemia") == ("not_on_card", "R-CARD-01")


@pytest.mark.rule("R-CARD-02")
def test_cards_are_chosen_in_secret_and_may_be_changed_until_all_have_chosen():
    s = settled()
    s.do("blue", "pick tax split", "pick king siege")
    assert game.view(s.state, "blue")["own"]["stack"] == ["king", "siege"]
    other = game.view(s.state, "orange")
    assert other["armies"]["blue"]["stack"] == 2
    assert "king" not in str(other["state"]["armies"][0]["stack"])
    twin = settled().do("blue", "pick fortify fortify")
    assert game.view(twin.state, "orange") == other


@pytest.mark.rule("R-CARD-03")
def test_the_stack_is_not_rearranged():
    s = Scene(HOMES, round=0).new_round()
    everybody_picks(s, blue=("tax", "split"))
    assert s.barrier
    assert s.refuses("blue", "pick split tax")[0] == "not_asked"
    assert s.refuses("orange", "pick split tax")[0] == "not_your_turn"
    assert s.state.armies[0].shown == ("tax",)


@pytest.mark.rule("R-CARD-04")
def test_one_order_a_card():
    s = Scene(HOMES).turn("blue", "tax", Act(1, "fortify"), Battles(), EndRound())
    s.do("blue", "order tax")
    assert s.refuses("blue", "order spend")[0] == "not_your_turn"
    s = Scene({**HOMES, "bohemia": "blue 4f"}).turn("blue", "fortify").do("blue", "order manoeuvre")
    s.do("blue", "from bohemia", "to saxony", "march footman:1")
    assert s.refuses("blue", "order expand") == ("one_order", "R-CARD-04")


@pytest.mark.rule("R-CARD-05", "R-CARD-06")
def test_hands_shrink_and_come_back_in_round_five():
    s = Scene(HOMES, round=0).new_round()
    sizes = []
    for _ in range(9):
        sizes.append(len(s.state.armies[0].hand))
        for seat in game.seats(4, game.Options()):
            if seat in s.to_act and s.legal(seat, "pick"):
                s.do(seat, s.legal(seat)[0])
        finish_turns(s) if not s.legal("blue", "pick") else None
    assert sizes == [8, 6, 4, 2, 8, 6, 4, 2, 8]


@pytest.mark.rule("R-CARD-05")
def test_the_last_two_cards_are_forced_but_for_their_order():
    s = Scene(HOMES, round=4)
    s.has(
        "blue",
        hand=("tax", "siege"),
        discard=("tax", "king", "split", "split", "fortify", "fortify"),
    )
    s.pick()
    assert s.legal("blue") == ["pick tax siege", "pick siege tax"]
    assert s.refuses("blue", "pick tax tax") == ("card_not_in_hand", "R-CARD-05")


@pytest.mark.rule("R-CARD-07")
def test_the_bonus_comes_before_or_after_but_not_within_the_order():
    s = Scene({**HOMES, "bohemia": "blue 4f"}).turn("blue", "fortify")
    s.do("blue", "fortify saxony")
    assert s.refuses("blue", "fortify saxony") == ("bonus_used", "R-CARD-07")
    assert "expand" in s.legal("blue", "order")
    s = Scene({**HOMES, "bohemia": "blue 4f"}).turn("blue", "fortify").do("blue", "order expand")
    assert s.refuses("blue", "fortify saxony")[0] == "not_asked"
    s.do("blue", "from bohemia", "to bavaria", "march footman:1", "fortify saxony")
    assert s.units("saxony") == "7f"


@pytest.mark.rule("R-CARD-08")
def test_bonus_without_order_and_order_without_bonus():
    s = Scene(HOMES).turn("blue", "fortify").do("blue", "fortify saxony", "pass")
    assert s.units("saxony") == "7f"
    s = Scene({**HOMES, "bohemia": "blue 4f"}, fresh="saxony").turn("blue", "fortify")
    s.do("blue", "order expand", "from bohemia", "to bavaria", "march footman:1", "pass")
    assert s.units("saxony") == "4f"


@pytest.mark.rule("R-CARD-09", "R-CITY-10")
def test_a_city_bonus_may_be_used_in_the_turn():
    s = Scene({**HOMES, "bohemia": "blue 4f"}).turn("blue", "split").do("blue", "order split")
    s.do("blue", "from bohemia", "to bavaria", "march footman:1", "done")
    assert s.legal("blue") == ["berlin", "pass"]


@pytest.mark.rule("R-CARD-10")
def test_discards_are_open():
    s = everybody_picks(Scene(HOMES, round=0).new_round(), blue=("split", "fortify"))
    finish_turns(s)
    for seat in ("orange", None):
        assert game.view(s.state, seat)["armies"]["blue"]["discard"] == ["split", "fortify"]


def test_undo_is_barred_once_a_card_is_turned():
    s = opening()
    assert not s.barrier
    s = everybody_picks(Scene(HOMES, round=0).new_round())
    assert s.barrier
    s.do("blue", "order tax")
    assert s.barrier  # the next player's card came out
    assert isinstance(s.state.agenda[-1], Act)
    assert any(isinstance(step, Turn) for step in s.state.agenda)
    assert not any(isinstance(step, Pick) for step in s.state.agenda)
