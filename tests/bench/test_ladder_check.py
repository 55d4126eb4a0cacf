"""The release check of the levels: a level that lost its lead fails it, chance does not."""

from itertools import pairwise

import pytest

from bench import ladder


def duel(mean, *, low, high, blocks=20, equal=0.25):
    return {"equal": equal, "wins": {"mean": mean, "low": low, "high": high, "blocks": blocks}}


@pytest.mark.parametrize("game", ladder.LADDERS)
def test_every_level_is_checked_against_the_one_below(game):
    levels = ("random", "easy", "normal", "hard", "expert")
    pairs = {f"{one}-{rest}" for rest, one in pairwise(levels)}
    assert set(ladder.CHECKED_DUELS) == pairs
    assert pairs <= set(ladder.LADDERS[game].duels)


def test_a_level_that_lost_its_lead_is_named():
    before = duel(0.6, low=0.5, high=0.7)
    assert ladder.lost_lead("hard-normal", before, duel(0.2, low=0.1, high=0.3), "wins")
    assert not ladder.lost_lead("hard-normal", before, duel(0.3, low=0.1, high=0.5), "wins")
    assert not ladder.lost_lead("hard-normal", before, duel(0.55, low=0.4, high=0.7), "wins")


def test_with_few_seeds_the_mean_decides():
    before = duel(0.6, low=0.5, high=0.7)
    few = duel(0.3, low=0.0, high=1.0, blocks=3)
    assert ladder.lost_lead("easy-random", before, few, "wins")
