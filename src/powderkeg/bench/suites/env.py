"""Diplomacy through the doors for research, beside the loop of the `diplomacy` package."""

import random
from typing import Any

import powderkeg
from powderkeg.bench.figures import Bench
from powderkeg.core.extras import need_extra
from powderkeg.core.table import Table
from powderkeg.games.diplomacy.steps import order_pieces

SUITE = "env"
LAST_YEAR = 1905
VECTOR = 512


def measure(bench: Bench) -> None:
    beside = "diplomacy: PettingZoo, turn by turn"
    bench.add_peer(SUITE, "its own loop", "phases/s", "diplomacy", "loop", beside=beside)
    peer = [f.median for f in bench.figures if f.suite == SUITE and f.who == "diplomacy"]
    goals = {"must": 3 * peer[0], "aim": 10 * peer[0]} if peer else {}
    bench.add_rate(SUITE, "diplomacy: Table, order by order", "decisions/s", play_table)
    try:
        need_extra("rl", "gymnasium", "pettingzoo", "numpy")
        need_extra("fast", "numba")
    except ImportError as missing:
        bench.add_gap(SUITE, "diplomacy: PettingZoo", str(missing))
        return
    _measure_doors(bench, goals)
    bench.add_peer(SUITE, "tictactoe, for scale", "steps/s", "pettingzoo", "tictactoe")
    bench.add_peer(SUITE, "connect four, for scale", "steps/s", "pettingzoo", "connect_four")


def play_table() -> float:
    """One game at a `Table`, order by order."""
    table, rng = powderkeg.table("diplomacy", last_year=LAST_YEAR), random.Random(1)
    while table.to_act:
        for seat in sorted(table.to_act):
            _order_pieces(table, seat, rng)
            table.act(seat, "ready")
    return len(table.log)


def _order_pieces(table: Table, seat: str, rng: random.Random) -> None:
    for _, actions in list(order_pieces(table.state, seat)):
        if (action := rng.choice(actions)) in table.legal(seat):
            table.act(seat, action)


def _measure_doors(bench: Bench, goals: dict[str, float]) -> None:
    import numpy as np

    from powderkeg import rl
    from powderkeg.rl.orders import OrdersVector, orders_env
    from powderkeg.rl.risk_europe.vector import WordsVector
    from powderkeg.rl.versailles.vector import TreatyVector

    words, turns = rl.raw_env("diplomacy", last_year=1901), orders_env(last_year=LAST_YEAR)
    vector = OrdersVector(VECTOR, last_year=LAST_YEAR)

    def play_vector() -> float:
        seen, rng, orders = vector.reset(), np.random.default_rng(1), 0
        for _ in range(10):
            orders += int((seen.counts > 0).sum())
            seen, *_ = vector.step(vector.sample_orders(rng))
        return orders

    bench.add_rate(
        SUITE, "diplomacy: PettingZoo, word by word", "phases/s", lambda: play_words(words)
    )
    bench.add_rate(
        SUITE, "diplomacy: PettingZoo, turn by turn", "phases/s", lambda: play_turns(turns), **goals
    )
    work = f"diplomacy: {VECTOR} games at once"
    bench.add_rate(SUITE, work, "decisions/s", play_vector, must=200_000, aim=1_000_000)
    _measure_words_vector(bench, "risk_europe", WordsVector(VECTOR))
    _measure_words_vector(bench, "versailles", TreatyVector(VECTOR))


def _measure_words_vector(bench: Bench, game: str, vector: Any) -> None:
    """A game word by word on its kernel."""
    import numpy as np

    rng = np.random.default_rng(1)
    vector.reset(seed=bench.seed)

    def play() -> float:
        for _ in range(50):
            vector.step(vector.sample_actions(rng))
        return 50 * VECTOR

    work = f"{game}: {VECTOR} games at once"
    bench.add_rate(SUITE, work, "decisions/s", play, must=200_000, aim=1_000_000)


def play_words(env: Any) -> float:
    """One year word by word; proposals are left alone."""
    import numpy as np

    rng, ready = random.Random(1), env.setting.lexicon.numbers["ready"]
    env.reset(seed=1)
    phases = {env.play.table.state.phase}
    while not any(env.terminations.values()):
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(ready if mask[ready] else rng.choice(np.flatnonzero(mask).tolist()))
        phases.add(env.play.table.state.phase)
    return len(phases)


def play_turns(env: Any) -> float:
    """One game turn by turn: every agent chooses from what it sees."""
    import numpy as np

    rng, (seen, _), phases = np.random.default_rng(1), env.reset(), 0
    while env.agents:
        actions = {}
        for agent, each in seen.items():
            mine = np.flatnonzero(each["mine"])
            picks = (rng.random(len(mine)) * each["counts"][mine]).astype(np.intp)
            actions[agent] = np.zeros(75, np.uint16)
            actions[agent][mine] = each["orders"][mine, picks]
        seen, *_ = env.step(actions)
        phases += 1
    return phases
