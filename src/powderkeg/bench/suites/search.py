"""How many decisions per second the levels of our bots make, and how long the longest takes."""

import math
import random
import time
from typing import Any

from powderkeg import bots
from powderkeg.bench.figures import Bench
from powderkeg.bots.levels import LEVEL_NAMES
from powderkeg.bots.process import guard
from powderkeg.core.chance import Seeded
from powderkeg.core.table import Table
from powderkeg.games import GAME_NAMES, find_game

SUITE = "search"
LEVELS = LEVEL_NAMES[1:]  # the first one decides at random
OPTIONS: dict[str, dict[str, Any]] = {"diplomacy": {"last_year": 1910}}
WARM_UP = 12  # decisions: the first ones on a machine compile what they need


def measure(bench: Bench) -> None:
    for name in GAME_NAMES:
        for level in LEVELS:
            play_decisions(name, level, 0, most=WARM_UP)
            runs = [
                play_decisions(name, level, seed, seconds=bench.seconds * 2)
                for seed in range(1 if level == "expert" else 3)
            ]
            rates, longest = zip(*runs, strict=True)
            note = f"the longest took {max(longest):,.0f} ms"
            bench.add_values(SUITE, f"{name}, {level}", "decisions/s", [*rates], note=note)


def play_decisions(
    name: str, level: str, seed: int, *, seconds: float = math.inf, most: float = math.inf
) -> tuple[float, float]:
    """Decisions per second from the beginning of a game on, and the longest in milliseconds."""
    rules = find_game(name)
    bot, done, longest, spent = bots.find_bot(rules, level).exact(), 0, 0.0, 0.0
    options = rules.Options(**OPTIONS.get(name, {}))
    table = Table(rules, None, options, source=Seeded(random.Random(seed)))
    while spent < seconds and done < most and table.to_act:
        seat, began = min(table.to_act), time.process_time()
        said = guard.decide_here(rules, table.state, seat, bot, f"{seed}/{done}")
        took = time.process_time() - began
        table.act(seat, said.action)
        done, spent, longest = done + 1, spent + took, max(longest, 1000 * took)
    return done / max(spent, 1e-9), longest
