"""Search finds what is known to be right, and knows no more than its view."""

import random

import pytest
import sparks

from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.engine.knowledge import Knowledge
from powderkeg.bots.engine.one_ply import one_ply_search
from powderkeg.bots.engine.regret import (
    draw_choice,
    matrix_search,
    softmax,
    solve_anchored,
    solve_matrix,
)
from powderkeg.bots.engine.shares import outcome_shares, square_shares
from powderkeg.bots.engine.tree_search import tree_search
from powderkeg.core.game import Game, Result
from powderkeg.core.words import Msg
from tests.bots import coin, nim

game: Game = nim  # mypy proves that it keeps the contract
other: Game = coin


def think(make, rules, state, seat, iterations, seed=1):
    view, question = rules.view(state, seat), rules.ask(state, seat)
    clock = Budget(iterations).start()
    return make(view, question, rules.legal(state, seat), random.Random(seed), clock)


@pytest.mark.parametrize("left", [5, 6, 7, 9, 10])
def test_the_tree_finds_the_winning_move(left):
    thought = think(tree_search(Knowledge(nim)), nim, nim.State(left), "a", 600)
    assert thought.action == nim.Take(left % 4)
    assert thought.lines[0].shares["a"] > 0.8


def test_the_tree_shows_how_it_may_go_on():
    thought = think(tree_search(Knowledge(nim)), nim, nim.State(6), "a", 600)
    (seat, answer), *rest = thought.lines[0].then
    assert seat == "b"
    assert answer in nim.legal(nim.State(4, 1), "b")
    assert rest[0] == ("a", nim.Take(4 - answer.n))


def right(state):
    """The player who leaves a multiple of four wins: shares by seat."""
    lost = state.left % 4 == 0
    mover = nim.SEATS[state.turn]
    return {seat: float((seat == mover) != lost) for seat in nim.SEATS}


@pytest.mark.parametrize("make", [one_ply_search, tree_search])
def test_a_value_is_used(make):
    thought = think(make(Knowledge(nim, value=right)), nim, nim.State(7), "a", 40)
    assert thought.action == nim.Take(3)


def test_a_tree_of_what_is_known_does_not_peek():
    """`guess` looks certain to a search that chooses the side in each world again."""
    know = Knowledge(coin, value=coin.worth)
    state = coin.State("heads")
    peeking = [
        max(coin.worth(coin.State(side, ("guess", said)))["a"] for said in coin.SIDES)
        for side in coin.SIDES
    ]
    assert peeking == [1.0, 1.0]
    thought = think(tree_search(Exact(know)), coin, state, "a", 800)
    assert thought.action == coin.Say("content")
    guess = next(line for line in thought.lines if line.action == coin.Say("guess"))
    assert guess.shares["a"] == pytest.approx(0.5, abs=0.1)


class Exact:
    """Knowledge whose finished games are worth their score."""

    def __init__(self, know: Knowledge) -> None:
        self.know = know

    def __getattr__(self, name: str) -> object:
        return getattr(self.know, name)

    def evaluate_state(self, state, rng):
        know = self.know
        while acting := coin.to_act(state):
            state = know.play(state, min(acting), rng)
        return coin.worth(state)


def test_one_choice_needs_no_thought():
    thought = think(one_ply_search(Knowledge(nim)), nim, nim.State(1), "a", 5)
    assert (thought.action, thought.reason.code) == (nim.Take(1), "bots.reason.only")


def test_candidates_and_policy_are_used():
    seen = []

    def candidates(state, seat, legal, rng):
        return [nim.Take(2), nim.Take(1)]

    def policy(state, seat, rng):
        seen.append(seat)
        return nim.Take(1)

    know = Knowledge(nim, candidates=candidates, policy=policy)
    for make in (one_ply_search, tree_search):
        thought = think(make(know), nim, nim.State(9), "a", 20)
        assert {line.action for line in thought.lines} == {nim.Take(1), nim.Take(2)}
    assert set(seen) == {"a", "b"}


def test_hindering_the_leader_weighs_his_share():
    know = Knowledge(nim, hinder=0.5)
    assert know.seat_worth({"a": 0.5, "b": 0.3, "c": 0.2}, "b") == pytest.approx(0.05)
    assert Knowledge(nim).seat_worth({"a": 0.5}, "b") == 0


def test_a_line_without_an_end_is_worth_the_same_to_all():
    assert Knowledge(nim, horizon=1).rollout_shares(nim.State(9), random.Random(1)) == {"b": 0.0}


def test_many_actions_are_sampled_not_listed(monkeypatch):
    from powderkeg.bots.engine import tree_search as trees

    monkeypatch.setattr(trees, "MOST_LISTED", 1)
    assert think(tree_search(Knowledge(nim)), nim, nim.State(6), "a", 600).action == nim.Take(2)
    few = Knowledge(nim, width=2, candidates=None)
    state = nim.State(9)
    assert len(few.options(state, "a", nim.legal(state, "a"), random.Random(1))) <= 2


# Regret matching


def pennies(joint):
    """Matching pennies where heads pays double: equilibrium one third heads for both."""
    pay = {(0, 0): 2, (1, 1): 1}.get(joint, 0)
    return (pay, -pay)


def test_two_players_approach_the_equilibrium():
    mixes = solve_matrix([2, 2], pennies, 3000, random.Random(1))
    for mix in mixes:
        assert mix == pytest.approx([1 / 3, 2 / 3], abs=0.02)


def test_a_dominated_choice_is_dropped():
    table = {(0, 0): (3, 3), (0, 1): (0, 5), (1, 0): (5, 0), (1, 1): (1, 1)}
    assert solve_matrix([2, 2], table.__getitem__, 400, random.Random(1))[0][1] > 0.98


def test_three_players_are_sampled():
    """All want to be the odd one out least: the majority wins, so all choose the same."""

    def majority(joint):
        many = sum(joint) >= 2
        return [1.0 + 0.1 * choice if choice == many else 0.0 for choice in joint]

    mixes = solve_matrix([2, 2, 2], majority, 500, random.Random(1))
    assert all(max(mix) > 0.95 for mix in mixes)


def test_an_anchor_holds_as_strongly_as_it_should():
    def pay(joint):
        return (float(joint[0] == 0), 0.0)

    anchors = [[0.1, 0.9], [0.5, 0.5]]
    free = solve_anchored([2, 2], pay, anchors, 0.01, 400, random.Random(1))[0][0]
    held = solve_anchored([2, 2], pay, anchors, 100.0, 400, random.Random(1))[0][0]
    assert free > 0.9
    assert held == pytest.approx(0.1, abs=0.02)


def test_draws_follow_the_mix():
    rng = random.Random(1)
    counts = [draw_choice([0.2, 0.8], rng) for _ in range(2000)]
    assert sum(counts) / 2000 == pytest.approx(0.8, abs=0.04)
    assert draw_choice([0.0, 0.0], rng) == 0
    assert softmax([1000.0, 1000.0]) == [0.5, 0.5]


def test_a_simultaneous_choice_is_mixed():
    table_state = sparks.start(("red", "blue"), sparks.Options(rounds=1))
    cards = sparks.shuffle(sparks.CARDS).sample(random.Random(5))
    state = sparks.apply(table_state, "chance", cards).state
    thought = think(matrix_search(Knowledge(sparks)), sparks, state, "red", 300)
    assert thought.action in sparks.legal(state, "red")
    assert sum(line.visits for line in thought.lines) <= 300
    short = think(matrix_search(Knowledge(sparks)), sparks, state, "red", 3)
    assert sum(line.visits for line in short.lines) == 3
    late = sparks.apply(state, "blue", next(iter(sparks.legal(state, "blue")))).state
    alone = think(matrix_search(Knowledge(sparks)), sparks, late, "red", 60)
    assert alone.action in sparks.legal(late, "red")


# What a game is worth


def test_squares_and_victory():
    assert square_shares({"a": 3.0, "b": 1.0}) == {"a": 0.9, "b": 0.1}
    assert square_shares({"a": 0.0, "b": 0.0}) == {"a": 0.5, "b": 0.5}
    assert square_shares({"a": -1.0, "b": 1.0}) == {"a": 0.0, "b": 1.0}
    tie = Result((("a", "b"), ("c",)), {"a": 1.0, "b": 1.0, "c": 0.0}, Msg("x.y"))
    assert outcome_shares(tie) == pytest.approx({"a": 0.5, "b": 0.5, "c": 0.0})
    alone = [
        outcome_shares(Result((("a",),), {"a": n}, Msg("x.y")))["a"] for n in (-20.0, 0.0, 20.0)
    ]
    assert alone == sorted(alone)
    assert alone[1] == 0.5
