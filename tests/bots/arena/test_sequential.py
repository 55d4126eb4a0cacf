"""The sequential test of a lead: clear results end it, and its errors are as rare as stated."""

import random

from powderkeg.bots.arena.sequential import LeadTest

TEST = LeadTest(kept=0.5, lost=0.25)
MOST_GAMES = 400


def run_test(test, rng, draw):
    results = []
    while (verdict := test.judge_results(results)) == "open" and len(results) < MOST_GAMES:
        results.append(draw(rng))
    return verdict, len(results)


def test_nothing_is_clear_without_results():
    assert TEST.judge_results([]) == "open"
    assert TEST.weigh_results([]) == 0


def test_clear_results_end_it():
    assert TEST.judge_results([1] * 5) == "kept"
    assert TEST.judge_results([0] * 12) == "lost"
    assert TEST.judge_results([1, 0, 1, 0]) == "open"


def test_a_level_that_won_only_30_percent_of_20_games_is_not_passed():
    test = LeadTest(kept=0.425, lost=0.25)  # Risk Europe's hard: 53.8% (42.5-63.7) on its page
    assert test.judge_results([1] * 6 + [0] * 14) == "open"
    assert test.weigh_results([1] * 6 + [0] * 14) < 0


def test_errors_are_as_rare_as_stated():
    rng = random.Random(1)
    draws = {
        "kept": lambda r: float(r.random() < TEST.kept),
        "lost": lambda r: float(r.random() < TEST.lost),
    }
    found = {
        name: [run_test(TEST, rng, draw)[0] for _ in range(1000)] for name, draw in draws.items()
    }
    assert found["kept"].count("lost") <= 1000 * TEST.alarm
    assert found["lost"].count("kept") <= 1000 * TEST.miss


def test_shares_between_nothing_and_everything_are_no_more_likely_to_mislead():
    rng = random.Random(2)
    found = [run_test(TEST, rng, lambda r: r.betavariate(1, 3))[0] for _ in range(500)]  # mean 0.25
    assert found.count("kept") <= 500 * TEST.miss
