"""How fast bots decide and environments step, beside others in the same run: `python bench/bots.py`.

Peers are PettingZoo's and OpenSpiel's own Python games. They are far smaller games than ours, so a
ratio below one is no shame; it is there to be watched.
"""

import random
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "tiny"))

import sparks

from powderkeg import bots, games, rl
from powderkeg.bots.process import guard
from powderkeg.core.chance import Seeded
from powderkeg.core.table import Table

SECONDS = 2.0
OPTIONS: dict[str, dict[str, Any]] = {"diplomacy": {"last_year": 1910}}


def decisions(rules: Any, level: str) -> tuple[float, float]:
    """Decisions per second by a level (first decisions of seeded games), and the longest in ms."""
    bot, done, longest = bots.find_bot(rules, level).exact(), 0, 0.0
    options = rules.Options(**OPTIONS.get(rules.name, {}))
    began = time.perf_counter()
    for seed in range(10_000):
        table = Table(rules, None, options, source=Seeded(random.Random(seed)))
        while table.to_act:
            seat = min(table.to_act)
            said = guard.decide_here(rules, table.state, seat, bot, f"{seed}/{done}")
            table.act(seat, said.action)
            done, longest = done + 1, max(longest, said.seconds)
            if time.perf_counter() - began > SECONDS:
                return done / (time.perf_counter() - began), 1000 * longest
    raise AssertionError


def zoo_steps(make: Callable[[], Any]) -> float:
    """Steps per second of an AEC environment under random play."""
    env, rng, done = make(), random.Random(1), 0
    began = time.perf_counter()
    while time.perf_counter() - began < SECONDS:
        env.reset(seed=done)
        for _ in env.agent_iter():
            seen, _, over, cut, _ = env.last()
            choices = np.flatnonzero(seen["action_mask"])
            env.step(None if over or cut else int(rng.choice(choices)))
            done += 1
            if time.perf_counter() - began > SECONDS:
                break
    return done / (time.perf_counter() - began)


def spiel_steps(name: str) -> float:
    """Steps per second of an OpenSpiel game under random play."""
    import pyspiel  # type: ignore[import-not-found]  # compiled, without stubs

    for module in ("open_spiel.python.games", "powderkeg.rl.spiel"):
        import_module(module)  # which registers games
    game, rng, done = pyspiel.load_game(name), random.Random(1), 0
    began = time.perf_counter()
    while time.perf_counter() - began < SECONDS:
        state = game.new_initial_state()
        while not state.is_terminal() and time.perf_counter() - began < SECONDS:
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, chances)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
            done += 1
    return done / (time.perf_counter() - began)


def main() -> None:
    print(f"{'decisions':44} {'per second':>10} {'longest ms':>12}")
    for rules in (sparks, *map(games.find_game, games.GAME_NAMES)):
        for level in bots.LEVEL_NAMES:
            rate, longest = decisions(rules, level)
            print(f"{rules.name + ' ' + level:44} {rate:10.1f} {longest:12.0f}")
    print(f"\n{'environment steps':44} {'per second':>10} {'of peer':>12}")
    sys.modules.setdefault("pygame", ModuleType("pygame"))  # the peer imports it only to draw
    from pettingzoo.classic import tictactoe_v3  # type: ignore[import-untyped]  # ships no types

    peer = zoo_steps(tictactoe_v3.env)
    print(f"{'PettingZoo tictactoe_v3':44} {peer:10.0f} {1:12.2f}")
    for name in ("sparks", *games.GAME_NAMES):
        found = sparks if name == "sparks" else name
        more = OPTIONS.get(name, {})
        rate = zoo_steps(lambda found=found, more=more: rl.env(found, **more))  # type: ignore[misc]  # bound now
        print(f"{'powderkeg ' + name + ' (AEC)':44} {rate:10.0f} {rate / peer:12.2f}")
    peer = spiel_steps("python_kuhn_poker")
    print(f"{'OpenSpiel python_kuhn_poker':44} {peer:10.0f} {1:12.2f}")
    for name in games.GAME_NAMES:
        rate = spiel_steps(f"powderkeg_{name}")
        print(f"{'powderkeg ' + name + ' (OpenSpiel)':44} {rate:10.0f} {rate / peer:12.2f}")


if __name__ == "__main__":
    main()
