"""Trains the baseline for Diplomacy by self-play and writes its weights.

    python -m tools.train_orders --rounds 200          # a few minutes on one core

REINFORCE on `OrdersVector`'s kernel: in every round all powers of some hundred games play the same
policy, except that some powers play at random, so that it learns against the weak, too. An order is
paid by the centres that its power gains in the years that follow, beyond what powers gain on average.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from powderkeg.games.diplomacy.board import POWERS
from powderkeg.games.diplomacy.fast.game_kernel import STAGE, WINTER, YEAR
from powderkeg.games.diplomacy.fast.games import BatchGames
from powderkeg.rl.baseline.features import FEATURES, SEASONS, SIZE, choose_rows

WEIGHTS = Path(__file__).parent.parent / "src/powderkeg/rl/baseline/weights.json"
FIRST, YEARS, DISCOUNT = 1901, 6, 0.7


def play_round(weights: Any, count: int, rng: np.random.Generator) -> tuple[Any, float]:
    """Play `count` games; return the gradient and the centres of an average learner at the end."""
    games = BatchGames(count, last_year=FIRST + YEARS - 1)
    learning = rng.random((count, len(POWERS))) < 0.7
    gradients = np.zeros((YEARS, count, len(POWERS), SEASONS, SIZE))
    held = np.zeros((YEARS + 1, count, len(POWERS)))  # centres after the fall of each year
    held[:] = games.centres
    while not games.over.all():
        orders = games.sample_orders(rng)
        found = np.zeros((count, len(POWERS), SEASONS, SIZE))
        choose_rows(
            weights, games.clocks, games.units, games.owner, games.beaten, games.codes, games.counts,
            games.pieces, rng.random(games.counts.shape), 1.0, learning, orders, found,
        )  # fmt: skip
        years = games.clocks[:, YEAR] - FIRST + (games.clocks[:, STAGE] == WINTER)
        played = ~games.over
        gradients[years[played], np.flatnonzero(played)] += found[played]
        games.step(orders)
        counted = games.clocks[:, YEAR] - FIRST + (games.clocks[:, STAGE] >= WINTER)
        for year in range(1, YEARS + 1):
            held[year:, counted == year] = games.centres[counted == year]
    gains = np.diff(held, axis=0)
    value = np.zeros_like(held)
    for year in reversed(range(YEARS)):
        value[year] = gains[year] + DISCOUNT * value[year + 1]
    mean = [value[year][learning].mean() for year in range(YEARS)]
    paid = np.where(learning, value[:YEARS] - np.array(mean)[:, None, None], 0)
    return np.einsum("ygp,ygpsf->sf", paid, gradients) / learning.sum(), held[-1][learning].mean()


def train(rounds: int, count: int, seed: int) -> Any:
    """Adam on the gradients of some rounds."""
    rng = np.random.default_rng(seed)
    weights = np.zeros((SEASONS, SIZE))
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    for n in range(1, rounds + 1):
        gradient, centres = play_round(weights, count, rng)
        first = 0.9 * first + 0.1 * gradient
        second = 0.99 * second + 0.01 * gradient**2
        rate = 0.1 if n < rounds * 0.7 else 0.03
        weights += rate * (first / (1 - 0.9**n)) / (np.sqrt(second / (1 - 0.99**n)) + 1e-6)
        if n % 10 == 0:
            print(f"round {n}: {centres:.2f} centres", flush=True)
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--games", type=int, default=128)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    weights = train(chosen.rounds, chosen.games, chosen.seed)
    rows = ("spring", "fall", "retreats", "winter")
    kept = {
        row: {name: round(float(w), 3) for name, w in zip(FEATURES, line, strict=True)}
        for row, line in zip(rows, weights, strict=True)
    }
    WEIGHTS.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
