"""The patient player of solitaire: it prefers turns in which nothing is settled."""

import random
from dataclasses import replace

from powderkeg.bots.versailles.solitaire import PatientJudge, PatientPolicy
from powderkeg.bots.versailles.weights import learnt_points
from powderkeg.games.versailles.actions import Reclaim
from powderkeg.games.versailles.state import Held, State
from powderkeg.games.versailles.steps import Turn
from tests.bots.versailles.positions import begin, step

JUDGE = PatientJudge(learnt_points())
POLICY = PatientPolicy(JUDGE)


def human_turn() -> State:
    rng, p = random.Random(3), begin(1)
    while p.turn < 9 or not isinstance(p.agenda[-1], Turn):
        p = step(p, rng, POLICY.choose_action)
    return p


def test_nothing_is_expected_before_every_faction_has_an_issue():
    p = human_turn()
    all_hold = replace(p, held={i: Held(f) for i, f in zip(p.deck, p.order, strict=False)})
    one_holds = replace(p, held={i: Held(p.human) for i in p.deck[:3]})
    assert JUDGE.solo_points(one_holds) - p.points < (JUDGE.solo_points(all_hold) - p.points) / 2


def test_one_cube_is_taken_back_when_all_is_well():
    p = human_turn()
    me, cubes = p.human, dict.fromkeys(p.cubes, (0, 0, 0, 0))
    rich = {i: Held(me) for i in p.deck[:4]}
    poor = {i: Held(f) for i, f in zip(p.deck[4:], p.order, strict=False)}
    spent = tuple(6 if n == me else 0 for n in range(5))
    calm = replace(
        p, cubes=cubes, held=rich | poor, exhausted=spent, available=spent, political=False
    )
    assert Reclaim(1, ()) in list(POLICY.solo_actions(calm))
