"""What a position is worth: centres two years later, from what can be seen now.

    python bench/diplomacy_weights.py src/powderkeg/bots/diplomacy/weights.json

Plays games between greedy players and fits, for each season, how many centres a power has four
movements later to the features of its position (least squares). Needs the extra `fast`.
"""

import json
import random
import sys
from pathlib import Path
from typing import Any

import numpy as np

from powderkeg.bots.diplomacy.numbers.engine import (
    ROW_CELLS,
    CompiledEngine,
    draw_seeds,
    next_season,
)
from powderkeg.bots.diplomacy.numbers.kernel import FALL, FEATURE_COUNT, SPRING
from powderkeg.bots.diplomacy.numbers.map import CENTRE_AT
from powderkeg.bots.diplomacy.numbers.position import read_scene
from powderkeg.core.table import Table
from powderkeg.games import diplomacy

GAMES, MOVEMENTS, AHEAD, SEED, MIX = 1500, 24, 4, 1, 0.5


def features(engine: CompiledEngine, units: Any, owner: Any, powers: int) -> Any:
    found = np.zeros((len(units), powers, FEATURE_COUNT))
    for row in range(len(units)):
        engine.kernel["survey"](engine.sheet, units[row])
        for power in range(powers):
            args = (engine.sheet, units[row], owner[row], 1 << power, found[row, power])
            engine.kernel["features"](*args)
    return found


def play(engine: CompiledEngine) -> list[tuple[int, Any, Any]]:
    """After every movement: the season that comes, features and centres of every power."""
    scene = read_scene(Table(diplomacy, 7, diplomacy.Options()).view("FRANCE"))
    units = np.tile(np.array(scene.units, np.int16), (GAMES, 1))
    owner = np.tile(np.array(scene.owner, np.int64), (GAMES, 1))
    orders = np.zeros((GAMES, ROW_CELLS), np.int16)
    dice = np.array(draw_seeds(random.Random(SEED), GAMES), np.int64)
    hands, closed = np.array(scene.hands), np.array(scene.closed_row)
    season, found = scene.season, []
    for _ in range(MOVEMENTS):
        engine.kernel["free_all"](units, hands, orders)
        engine.kernel["draft_all"](engine.sheet, units, owner, hands, season, closed, dice, orders)
        units = engine._finish_movement(scene, units, owner, orders, season, dice)  # noqa: SLF001  # its own tool
        season = next_season(season)
        centres = np.stack([(owner[:, CENTRE_AT] == p).sum(1) for p in range(len(hands))], 1)
        found.append((season, features(engine, units, owner, len(hands)), centres))
    return found


def fit(seen: list[tuple[int, Any, Any]], season: int) -> tuple[list[float], float]:
    """Weights of the features, and how much of the variance they explain."""
    pairs = [
        (each[1].reshape(-1, FEATURE_COUNT), seen[n + AHEAD][2].reshape(-1))
        for n, each in enumerate(seen[:-AHEAD])
        if n and each[0] == season
    ]
    x, y = (np.concatenate(column) for column in zip(*pairs, strict=True))
    weights = np.linalg.lstsq(x, y, rcond=None)[0]
    explained = 1 - ((y - x @ weights) ** 2).sum() / ((y - y.mean()) ** 2).sum()
    return [round(float(w), 3) for w in weights], round(float(explained), 3)


def main() -> None:
    seen = play(CompiledEngine())
    spring, fall = fit(seen, SPRING), fit(seen, FALL)
    made = {
        "spring": spring[0],
        "fall": fall[0],
        "mix": MIX,
        "run": {
            "command": "python bench/diplomacy_weights.py",
            "games": GAMES,
            "movements": MOVEMENTS,
            "ahead": AHEAD,
            "seed": SEED,
            "explained": {"spring": spring[1], "fall": fall[1]},
        },
    }
    Path(sys.argv[1]).write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
