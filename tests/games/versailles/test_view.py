"""The view: what everybody sees of the table, and where the game is."""

import json
import random

import pytest

import powderkeg.games.versailles as game
from powderkeg.core.ask import One, accepts_answer
from powderkeg.core.chance import CHANCE
from powderkeg.core.words import LANGS, say
from powderkeg.games.versailles.board import GAME_END, NATIONS, REGIONS
from powderkeg.games.versailles.events import operations
from powderkeg.games.versailles.state import Held, Options, StateBuilder
from powderkeg.games.versailles.steps import AddIssue, Bidding, Do
from tests.games.versailles.scene import lay, midway, opening, unsettled


def seen(play):
    return game.view(play.state, None)


def where(play):
    view = seen(play)
    return view["phase"], view["stage"]


def test_a_phase_is_a_player_turn():
    play = opening(3, first=2)
    assert where(play) == ("turn.1.france", "turn")
    play("france place armenia 1")
    assert where(play) == ("turn.1.france", "turn")
    play("france place ethiopia 1", "france end")
    assert where(play) == ("turn.2.usa", "turn")


def test_stages_tell_what_is_asked_within_a_turn():
    play = lay(opening(3), cubes={"armenia": {"usa": 2}})
    play("uk settle armenia")
    assert play.decider == "usa"
    assert where(play) == ("turn.1.uk", "settle")
    units = ("europe 6", "available", "available")
    rising = lay(opening(3), unrest={"europe": 4}, units={"usa": units})
    midway(rising, Do((operations.Check("europe"),), 0, 0, "crisis"))
    assert rising.decider == "usa"
    assert where(rising)[1] == "uprising"
    bid = lay(opening(3), held={"syria": "uk"})
    midway(bid, unsettled("syria", 2))
    assert isinstance(bid.pending, Bidding)
    assert where(bid)[1] == "bid"


def test_phases_have_names_in_every_language():
    options = game.Options()
    start = game.start(game.seats(4, options), options)
    assert game.view(start, None)["phase"] == "setup"
    assert say(game.phase_name("turn.12.uk"), "en") == "Turn 12, UK"
    for lang in LANGS:
        for phase in ("setup", "turn.3.italy", "over"):
            assert "versailles." not in say(game.phase_name(phase), lang)


def test_a_finished_game_says_so():
    play = lay(opening(3), table=("rush_to_the_finish", "rheinland"))
    lay(play, cubes={"rush_to_the_finish": {"usa": 1}})
    play("uk settle rush_to_the_finish")
    assert where(play) == ("over", "over")


# An auction


def test_the_auction_shows_who_leads_with_what_and_who_may_still_bid():
    play = midway(lay(opening(3), held={"syria": "france"}), unsettled("syria", 2))
    assert seen(play)["unsettled"] == "syria"
    shown = seen(play)["bidding"]
    assert (shown["issue"], shown["waiting"], shown["bids"]) == (
        "syria",
        ["france", "usa", "uk"],
        {},
    )
    assert seen(play)["strengths"]["2+1"] == 4
    play("france bid 1+0 2", "usa pass")
    bid = {"units": 1, "local": 0, "strength": 1, "cubes": 2}
    shown = seen(play)["bidding"]
    assert (shown["waiting"], shown["bids"]) == (["uk", "france"], {"france": bid})
    play("uk pass")
    assert seen(play)["bidding"] is None
    assert seen(play)["unsettled"] == ""


def test_a_unit_in_the_region_counts_double_in_the_auction_shown():
    units = {"uk": ("middle_east 6", "available", "available")}
    play = midway(lay(opening(3), held={"syria": "uk"}, units=units), unsettled("syria", 2))
    play("uk bid 1+1 0")
    shown = seen(play)["bidding"]["bids"]["uk"]
    assert shown == {"units": 1, "local": 1, "strength": 3, "cubes": 0}


def test_in_solitaire_the_bids_of_both_bots_are_open():
    play = lay(opening(1), held={"rheinland": "uk", "syria": "usa", "korea": "france"})
    midway(play, unsettled("rheinland", 0))
    shown = seen(play)["bidding"]
    assert shown["issue"] == "rheinland"
    assert shown["waiting"] == [seen(play)["solo"]["faction"]] == ["france"]
    assert set(shown["bids"]) == {"uk", "usa"}
    assert shown["bids"]["usa"] == {"units": 2, "local": 0, "strength": 2, "cubes": 7}


# Drawn issues


def test_both_drawn_issues_are_shown_to_all_until_one_is_kept():
    play = lay(opening(3), cubes={"armenia": {"uk": 1}}, event="hoover")
    play("uk settle armenia", "uk option to_turkey", "uk decline")
    while play.decider != CHANCE:
        play("uk " + play.legal("uk")[0])
    play("chance draw banat kurdistan")
    for seat in (*play.state.seats, None):
        view = game.view(play.state, seat)
        assert view["drawn"] == ["banat", "kurdistan"]
        assert {"banat", "kurdistan"} <= set(view["cards"])  # with what they say
    play("uk keep kurdistan")
    assert seen(play)["drawn"] == []
    assert seen(play)["pile"][0] == "banat"


# Prospects


def test_prospects_say_what_each_strategy_is_worth_to_each_player_now():
    play = lay(
        opening(3),
        held={"league_voting": "uk", "german_membership": "uk", "racial_equality": "usa"},
        unrest={"europe": 5, "africa": 4},
        happiness={"japan": 15, "italy": 14},
    )
    view = seen(play)
    assert set(view["prospects"]) == set(view["strategies"]) == set(play.state.dealt)
    points = {card: rows for card, rows in view["prospects"].items() if card == "fourteen_points"}
    assert [row[2:] for row in points["fourteen_points"].values()] == [[3, 2], [3, 0], [3, 1]]
    assert list(points["fourteen_points"]) == ["uk", "france", "usa"]
    worth = view["prospects"]["outlaw_war"]["usa"]
    assert worth[3] == 2 * 2  # two regions at four or more


@pytest.mark.parametrize("players", [2, 3, 4])
def test_prospects_are_what_the_card_pays_once_it_is_held(players):
    play = opening(players)
    card = play.state.dealt[0]
    b = StateBuilder(play.state)
    b.strategy, b.risen, b.unrest[1] = (card, *b.strategy[1:]), True, 4
    play.state = b.freeze()
    view = seen(play)
    assert view["prospects"][card]["uk"] == view["nations"]["uk"]["score"]["conditions"]
    assert view["strategies"][card] == "uk"


def test_solitaire_has_no_prospects():
    assert seen(opening(1))["prospects"] == {}


# The board


def test_what_is_printed_on_the_board():
    board = seen(opening(4))["board"]
    assert board["uprising"] == [0, 0, 0, 6, 5, 4, 3, 2, 1]  # by column, from index 1
    assert board["posts"] == {
        "5": {"cubes": 3, "unhappy": 4, "modifies": True},
        "6": {"cubes": 3, "unhappy": 2, "modifies": True},
        "7": {"cubes": 2, "unhappy": 1, "modifies": True},
        "8": {"cubes": 0, "unhappy": 0, "modifies": False},
    }
    assert board["units_allowed"] == [1] * 5 + [2] * 6 + [3] * 20
    assert (board["signs_at"], board["dive_costs"], board["last_space"]) == (15, [0, 1, 2], 1)


def test_the_board_follows_the_pack():
    options = Options(pack=json.dumps({"board.signs_at": 12, "board.dive_costs": [0, 2, 3]}))
    board = seen(opening(3, options=options))["board"]
    assert (board["signs_at"], board["dive_costs"]) == (12, [0, 2, 3])


# Secrets


@pytest.mark.slow
@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("length", [20, 5])
def test_everybody_sees_the_same_and_nobody_the_order_of_a_deck(players, length):
    """There are no hands. What is not drawn is known as a set, and stands in no order."""
    options = Options(length=20 if players == 1 else length)
    rng = random.Random(players)
    state = game.start(game.seats(players, options), options)
    while acting := game.to_act(state):
        (seat,) = acting
        state = game.apply(state, seat, game.legal(state, seat).sample(rng)).state
        if rng.random() < 0.1:
            views = [game.view(state, s) for s in (*state.seats, None)]
            for view in views:
                del view["seat"], view["nation"]
            assert all(view == views[-1] for view in views)
            assert list(state.deck) == sorted(state.deck)
            assert list(state.events) == sorted(state.events)
            assert json.loads(json.dumps(views[-1])) == views[-1]


def test_where_the_game_end_lies_in_the_longest_game_is_not_known():
    """Once only six cards are left, every draw may be it: the state does not say which."""
    play = lay(opening(3, options=Options(length=5)), pile=())
    b = StateBuilder(play.state)
    settled = b.deck[: len(b.deck) - 5]
    b.held = {issue: Held(0) for issue in settled}
    b.deck, b.above = b.deck[len(settled) :], 0
    play.state = b.freeze()
    midway(play, AddIssue())
    owed = game.legal(play.state, CHANCE)
    assert set(owed.items) == {*play.state.deck, GAME_END}
    assert seen(play)["game_end_drawn"] is False
    assert seen(play)["deck"] == 6


def test_the_view_has_the_region_in_alarm_until_its_die_is_rolled():
    units = {"uk": ("balkans 6", "available", "available")}
    play = lay(opening(3), unrest={"balkans": 4}, units=units)
    assert seen(play)["alarm"] is None
    midway(play, Do((operations.Check("balkans"),), 0, 0, "crisis"))
    assert seen(play)["alarm"] == "balkans"
    labels = [option.label.code for option in game.ask(play.state, play.seat("uk")).node.options]
    assert labels[:3] == [f"versailles.label.{x}" for x in ("modifier", "unmodified", "modifier")]
    play("uk modify 0", "chance roll 1")
    assert seen(play)["alarm"] is None


def targets(node):
    for option in getattr(node, "options", ()):
        yield option.target
        yield from targets(option.then)


@pytest.mark.slow
@pytest.mark.parametrize("players", [1, 2, 4])
def test_what_a_question_points_at_lies_on_the_board(players):
    """A board offers what has a target and the prompt bar the rest: a target that is no card, no
    nation, no region, no post and no unit would be offered by neither."""
    options = Options()
    pointed: set[str] = set()
    state = game.start(game.seats(players, options), options)
    pack = state.pack
    ways = {option.id for issue in pack.issues.values() for option in issue.options}
    posts = {f"{region}.{column}" for region in REGIONS for column in range(5, 9)}
    cards = {*pack.issues, GAME_END, *pack.events, *pack.strategies}
    known = {*cards, *ways, *posts, *REGIONS, *NATIONS, "available", "exhausted"}
    for seed in range(4):
        rng = random.Random(seed)
        state = game.start(game.seats(players, options), options)
        while acting := game.to_act(state):
            seat = min(acting)
            if seat != CHANCE and (question := game.ask(state, seat)):
                answers = [o for o in question.node.options if o.text != "propose"]
                pointed.update(targets(One(tuple(answers))))
            state = game.apply(state, seat, game.legal(state, seat).sample(rng)).state
    assert {t for t in pointed if t and not t.startswith("deal.")} <= known


def test_units_of_several_regions_are_called_home_one_by_one():
    units = {"uk": ("europe 5", "africa 8", "available")}
    play = lay(opening(3), units=units, unrest={"europe": 4}, used={"uk": 3})
    (uk,) = game.to_act(play.state)
    reclaim = {o.text: o.then for o in game.ask(play.state, uk).node.options}["reclaim"]
    home = {option.text: option.then for option in reclaim.options}
    assert [unit.text for unit in home["3"].options] == ["europe", "africa"]
    assert (home["3"].least, home["3"].most) == (0, 2)
    assert home["0"].least == 1
    for text in ("3 -", "3 europe", "3 europe,africa", "0 africa"):
        assert accepts_answer(reclaim, text)
    assert not accepts_answer(reclaim, "0 -")
