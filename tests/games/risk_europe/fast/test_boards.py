"""The compiled board plays the games of the readable rules."""

import random

import pytest

import powderkeg.games.risk_europe as game
from powderkeg.games.risk_europe.actions import parse
from powderkeg.games.risk_europe.state import Options

np = pytest.importorskip("numpy")
pytest.importorskip("numba")

from powderkeg.games.risk_europe.fast import layout  # noqa: E402  # needs both
from powderkeg.games.risk_europe.fast.action_codes import action_code, code_action  # noqa: E402  # needs the extra
from powderkeg.games.risk_europe.fast.boards import SearchBoard, play_random_games  # noqa: E402  # needs the extra
from powderkeg.games.risk_europe.fast.lockstep import (  # noqa: E402  # needs the extra
    RULINGS,
    GamePair,
    Mismatch,
    walk_game,
)

TEXTS = (
    "bid 31", "settle saxony", "garrison bohemia 5", "pick tax split", "auction green", "order split",
    "fortify saxony", "besiege franconia lorraine", "berlin", "from bohemia", "to poland",
    "march footman:35,archer:12,cavalry:12,siege:4", "storm 1 footman:3", "tax saxony",
    "buy footman morocco 35", "build bavaria", "crown", "keep treasurer", "reveal conqueror",
    "fight lorraine", "reroll", "stand", "lose archer:2", "done", "pass",
)  # fmt: skip


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("number", range(len(RULINGS)))
def test_games_go_on_side_by_side(players, number):
    walked = walk_game(players, random.Random(100 * players + number), RULINGS[number], most=700)
    assert walked.steps == 700 or walked.state.over


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_whole_game_ends_alike(players):
    walked = walk_game(players, random.Random(7), Options(rounds=12, missions=players == 3))
    assert walked.state.over
    board = SearchBoard.of(walked.state)
    assert board.winners() == walked.state.ranking[0]
    assert board.asked() == 0


def test_a_difference_is_found():
    pair = GamePair(4, Options())
    pair.board.cells[layout.ARMIES + layout.COINS] += 1
    with pytest.raises(Mismatch):
        pair.compare_all()


@pytest.mark.parametrize("text", TEXTS)
def test_codes_and_actions(text):
    assert str(code_action(action_code(parse(text)))) == text


def test_every_verb_has_a_code():
    assert {text.split()[0] for text in TEXTS} == set(layout.VERBS)


def test_a_copy_is_a_board_of_its_own():
    options = Options()
    board = SearchBoard.of(game.start(game.seats(4, options), options))
    before, other = board.state(), board.copy()
    other.act(0, int(other.legal(0)[3]))
    assert board.state() == before != other.state()
    assert board.cells.nbytes < 2048


@pytest.mark.parametrize(("players", "missions"), [(4, False), (3, True), (2, False)])
def test_random_games_end_by_the_rules(players, missions):
    options = Options(missions=missions, rounds=30)
    boards, steps = play_random_games(players, 40, 1, missions=missions, rounds=30)
    colours = game.start(game.seats(players, options), options).colours
    for cells in boards:
        state = SearchBoard(cells, options, colours).state()
        assert game.broken(state) == []
        assert game.result(state) is not None
    assert steps > 40 * 100


def test_random_games_last_as_long_as_those_of_the_rules():
    """The same choices are equally likely: the lengths of games agree within four standard errors."""
    boards, _ = play_random_games(4, 400, 2, rounds=3)
    ours = boards[:, layout.ARMIES + layout.COINS].astype(float)
    theirs = np.array([_coins_after(3, seed) for seed in range(60)])
    error = (ours.var() / len(ours) + theirs.var() / len(theirs)) ** 0.5
    assert abs(ours.mean() - theirs.mean()) < 4 * error


def _coins_after(rounds, seed):
    rng, options = random.Random(seed), Options(rounds=rounds)
    state = game.start(game.seats(4, options), options)
    while acting := game.to_act(state):
        seat = max(acting)
        state = game.apply(state, seat, game.legal(state, seat).sample(rng)).state
    return state.armies[0].coins
