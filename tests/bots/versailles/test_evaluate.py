"""How Versailles' bots value a position, and what they weigh."""

import json
import random
from dataclasses import asdict, replace

import pytest

from powderkeg import bots
from powderkeg.bots import analysis, levels
from powderkeg.bots.game_bots import bots_of
from powderkeg.bots.versailles.evaluate import remaining_game
from powderkeg.bots.versailles.levels import JUDGE
from powderkeg.bots.versailles.policy import Policy
from powderkeg.bots.versailles.turn import ENOUGH_LINES, CandidateSearch, CandidateTrial
from powderkeg.bots.versailles.weights import WEIGHTS_FILE, PointWeights, learnt_points
from powderkeg.core.game import Result
from powderkeg.core.words import Msg
from powderkeg.games import versailles
from powderkeg.games.versailles.board import GAME_END, NOBODY
from powderkeg.games.versailles.state import Held
from tests.bots.versailles.positions import SMALL, at_turn, begin, step


def test_what_is_surely_worse_is_tried_no_longer():
    """Nor is anything given up by a few lines, nor what only may be worse."""
    first, worse, like, new = (CandidateTrial(name) for name in ("first", "worse", "like", "new"))
    rng = random.Random(1)
    for _ in range(ENOUGH_LINES):
        luck = rng.random()
        for trial, worth in ((first, luck), (worse, luck - 0.5 * rng.random()), (like, 1 - luck)):
            trial.add({}, worth)
    new.add({}, -1.0)
    assert [t.is_hopeless(first) for t in (first, worse, like, new)] == [False, True, False, False]


def test_shares_are_of_one_game():
    shares = JUDGE.shares(at_turn(20))
    assert sum(shares.values()) == pytest.approx(1)
    assert sorted(shares) == ["P1", "P2", "P3", "P4"]


def test_an_issue_more_is_better_for_its_owner_only():
    p = at_turn(20)
    issue = max(p.deck, key=lambda i: p.pack.issues[i].stars)
    richer = replace(p, held={**p.held, issue: Held(p.order[0], 0)})
    before, after = JUDGE.shares(p), JUDGE.shares(richer)
    assert after["P1"] > before["P1"]
    assert all(after[s] < before[s] for s in ("P2", "P3", "P4"))


def test_the_game_goes_by():
    early, late = at_turn(2), at_turn(30)
    assert remaining_game(early) > remaining_game(late) > 0


def test_a_near_defeat_is_better_than_a_clear_one():
    """Lines played on are distinguished by more than victories."""
    p, player = at_turn(20), CandidateSearch(JUDGE)
    seats = p.seats

    def end(*scores: float) -> dict[str, float]:
        order = sorted(range(4), key=lambda i: -scores[i])
        ranking = tuple((seats[i],) for i in order)
        why = Msg("versailles.result.won")
        result = Result(ranking, dict(zip(seats, scores, strict=True)), why, "")
        found: dict[str, float] = player.final_shares(p, result)
        return found

    near, clear, won = end(39, 40, 20, 20), end(21, 40, 20, 20), end(41, 40, 20, 20)
    assert clear["P1"] < near["P1"] < won["P1"]
    assert won["P1"] - near["P1"] > 0.3
    assert sum(near.values()) == pytest.approx(1)


def test_alone_a_lead_is_worth_less_where_an_uprising_threatens():
    """An uprising would hand the weakest faction to the human (V-SOLO-33)."""
    rng, p = random.Random(3), begin(1)
    while p.turn < 30:
        p = step(p, rng, Policy(JUDGE).choose_action)
    regions = sorted({r for i in p.held if (r := p.pack.issues[i].region) < len(p.unrest)})
    calm = replace(p, unrest=(1,) * 5)
    restless = replace(p, unrest=tuple(6 if r == regions[0] else 1 for r in range(5)))
    assert JUDGE.solo_points(restless) < JUDGE.solo_points(calm)
    empty = next(r for r in range(5) if r not in regions)
    elsewhere = replace(p, unrest=tuple(6 if r == empty else 1 for r in range(5)))
    assert JUDGE.solo_points(elsewhere) == JUDGE.solo_points(calm)


def test_the_chance_of_solitaire_follows_from_the_target():
    p = at_turn(9, players=1)
    better = replace(p, points=p.points + 5)
    harder = replace(p, options=replace(p.options, solo_target=40))
    (low,), (chance,), (high,) = (JUDGE.shares(q).values() for q in (harder, p, better))
    assert 0 < low < chance < high < 1


def test_only_a_winner_ends_the_game():
    p = at_turn(20)
    over = replace(
        p,
        table=(p.table[0], GAME_END),
        above=NOBODY,
        cubes={**p.cubes, GAME_END: tuple(int(n == p.active) for n in range(4))},
    )
    policy = Policy(JUDGE)
    rich = dict.fromkeys(p.deck[:12], Held(p.active, 0))
    other = next(n for n in p.order if n != p.active)
    poor = dict.fromkeys(p.deck[:12], Held(other, 0))
    assert policy.ending_gain(replace(over, held=rich), p.active) > 0
    assert policy.ending_gain(replace(over, held=poor), p.active) < 0


def test_weights_are_data():
    assert all(value > 0 for value in asdict(PointWeights()).values())
    learnt = json.loads(WEIGHTS_FILE.read_text(encoding="utf-8"))["weights"]
    assert learnt.keys() == asdict(PointWeights()).keys()
    assert PointWeights(**learnt) == learnt_points() == JUDGE.weights != PointWeights()


@pytest.mark.slow
def test_tuning_tries_weights_in_quick_games():
    """The same weights as all others win from one seat what they lose from another."""
    tunable = levels.find_tunable(versailles, "values")
    assert all(n > 0 for n in tunable.start.values())
    assert tunable.trial is not None
    tried = [tunable.trial(tunable.start, 4, 1, seat) for seat in range(4)]
    assert sum(tried) == pytest.approx(0)
    assert tried == [tunable.trial(tunable.start, 4, 1, seat) for seat in range(4)]
    greedy = tunable.start | {"table": 0.01, "waiting": 0.9, "bid": 0.01}
    assert [tunable.trial(greedy, 4, 1, seat) for seat in range(4)] != tried


def test_analysis_knows_the_value():
    know = bots_of(versailles).knowledge
    p = at_turn(10)
    assert know.evaluate_state(p, random.Random(1)).keys() == set(p.seats)
    assert CandidateSearch(JUDGE).candidate_actions(p, min(versailles.to_act(p)), random.Random(1))
    assert bots.find_bot(versailles, "expert").budget.seconds


def test_advice_shows_what_else_was_weighed():
    """At every turn, long before the end, where the levels take their first thought."""
    p = at_turn(8)
    view = versailles.view(p, min(versailles.to_act(p)))
    advice = analysis.advise_action(versailles, view, budget=SMALL)
    assert len(advice.lines) > 1
    assert advice.lines[0].action == advice.action
