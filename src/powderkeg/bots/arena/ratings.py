"""Statistics of a tournament: means with bootstrap intervals over seeds, and openskill ratings.

Games of one seed share their luck and are not independent, so whole seeds are drawn.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from powderkeg.bots.arena.tournament import GameOutcome

BOOTSTRAP_DRAWS = 2000
RATING_DRAWS = 60  # each draw rates all games again
RATING_ORDERS = 4  # ratings depend on the order of games: we take the mean over this many orders


class MeanInterval(NamedTuple):
    """A mean with its 95% interval, over `n` games of `blocks` seeds."""

    mean: float
    low: float
    high: float
    n: int
    blocks: int


class Rating(NamedTuple):
    """Plackett-Luce strength, its uncertainty, and the 95% interval of strength over seeds."""

    mu: float
    sigma: float
    low: float
    high: float


def bootstrap_mean(values: Iterable[tuple[int, float]]) -> MeanInterval:
    """The mean of (seed, value) pairs."""
    blocks: dict[int, list[float]] = defaultdict(list)
    for seed, value in values:
        blocks[seed].append(value)
    sums = [(sum(block), len(block)) for _, block in sorted(blocks.items())]
    rng = random.Random(0)
    drawn = sorted(_mean_of_sums(rng.choices(sums, k=len(sums))) for _ in range(BOOTSTRAP_DRAWS))
    low, high = middle_interval(drawn)
    return MeanInterval(_mean_of_sums(sums), low, high, sum(n for _, n in sums), len(sums))


def _mean_of_sums(sums: Sequence[tuple[float, int]]) -> float:
    return sum(total for total, _ in sums) / sum(n for _, n in sums)


def middle_interval(ordered: Sequence[float]) -> tuple[float, float]:
    """The middle 95% of sorted values."""
    last = len(ordered) - 1
    return ordered[round(0.025 * last)], ordered[round(0.975 * last)]


def rate_bots(games: Sequence[GameOutcome]) -> dict[str, Rating]:
    """The strength of every bot, from all games."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    blocks: dict[int, list[GameOutcome]] = defaultdict(list)
    for game in sorted(games, key=lambda g: g.id):
        blocks[game.seed].append(game)
    seeds, rng = sorted(blocks), random.Random(0)

    def rate_seeds(picked: Sequence[int]) -> dict[str, tuple[float, float]]:
        return _rate_games(model, [game for seed in picked for game in blocks[seed]], rng)

    found = [rate_seeds(seeds) for _ in range(RATING_ORDERS)]
    drawn = [rate_seeds(rng.choices(seeds, k=len(seeds))) for _ in range(RATING_DRAWS)]
    names = sorted({name for game in games for name in game.lineup})
    return {name: _combined_rating(name, found, drawn) for name in names}


def _combined_rating(
    name: str,
    found: list[dict[str, tuple[float, float]]],
    drawn: list[dict[str, tuple[float, float]]],
) -> Rating:
    mu = sum(f[name][0] for f in found) / len(found)
    sigma = sum(f[name][1] for f in found) / len(found)
    low, high = middle_interval(sorted(d[name][0] for d in drawn if name in d) or [mu])
    return Rating(mu, sigma, low, high)


def _rate_games(
    model: Any, games: list[GameOutcome], rng: random.Random
) -> dict[str, tuple[float, float]]:
    """Strengths after these games in a random order.

    A bot with several seats changes by their mean.
    """
    strength: dict[str, tuple[float, float]] = {}
    for game in rng.sample(games, len(games)):
        for name in game.lineup:
            strength.setdefault(name, (model.mu, model.sigma))
        if len(set(game.lineup)) < 2:
            continue
        teams = [[model.rating(*strength[name])] for name in game.lineup]
        after = model.rate(teams, ranks=list(game.places))
        for name in sorted(set(game.lineup)):
            moved = [t[0] for t, who in zip(after, game.lineup, strict=True) if who == name]
            strength[name] = _mean_rating(moved)
    return strength


def _mean_rating(moved: list[Any]) -> tuple[float, float]:
    return sum(m.mu for m in moved) / len(moved), sum(m.sigma for m in moved) / len(moved)


def values_by_name(
    games: Iterable[GameOutcome], name: str, what: Callable[[GameOutcome], Sequence[float]]
) -> list[tuple[int, float]]:
    """(seed, value) for every seat that `name` held."""
    return [
        (game.seed, value)
        for game in games
        for who, value in zip(game.lineup, what(game), strict=True)
        if who == name
    ]
