"""How fast the research doors are: Diplomacy beside the public `diplomacy` package, and the
other two games.

    python bench/env.py
    python bench/env.py --peer /path/to/python   # one that has the package installed

All figures are per second of one core (what else runs does not count). Play is random: a legal order
for every piece, in every phase. The peer's loop lists all orders, gives one to every unit and
processes the phase, in a process of its own.
"""

import argparse
import random
import subprocess
from collections.abc import Callable
from time import process_time
from typing import NamedTuple

import numpy as np

import powderkeg
from powderkeg import rl
from powderkeg.core.table import Table
from powderkeg.games.diplomacy.steps import order_pieces
from powderkeg.rl.orders import OrdersVector, orders_env
from powderkeg.rl.risk_europe.vector import WordsVector
from powderkeg.rl.versailles.vector import TreatyVector
from powderkeg.rl.words_vector import WordGames

LAST_YEAR = 1905
PEER = f"""
import random
from time import process_time
from diplomacy import Game
rng, phases, seconds = random.Random(0), 0, 0.0
while seconds < 3:
    game = Game()
    begin = process_time()
    while not game.is_game_done and int(game.get_current_phase()[1:5] or 0) <= {LAST_YEAR}:
        possible = game.get_all_possible_orders()
        for power in game.powers:
            places = game.get_orderable_locations(power)
            game.set_orders(power, [rng.choice(possible[at]) for at in places if possible[at]])
        game.process()
        phases += 1
    seconds += process_time() - begin
print(phases / seconds)
"""


class Rate(NamedTuple):
    """Phases and decisions (orders, or words) per second."""

    phases: float
    decisions: float


def timed(work: Callable[[], tuple[int, int]], seconds: float = 3.0) -> Rate:
    """Repeat `work`, which returns phases and decisions, for some seconds after a first time."""
    work()
    begin, phases, decisions = process_time(), 0, 0
    while (spent := process_time() - begin) < seconds:
        more = work()
        phases, decisions = phases + more[0], decisions + more[1]
    return Rate(phases / spent, decisions / spent)


def play_table() -> tuple[int, int]:
    """One game at a `Table`, order by order."""
    table, rng = powderkeg.table("diplomacy", last_year=LAST_YEAR), random.Random(1)
    phases = 0
    while table.to_act:
        for seat in sorted(table.to_act):
            order_pieces_of(table, seat, rng)
            table.act(seat, "ready")
        phases += 1
    return phases, len(table.log)


def order_pieces_of(table: Table, seat: str, rng: random.Random) -> None:
    for _, actions in list(order_pieces(table.state, seat)):
        if (action := rng.choice(actions)) in table.legal(seat):
            table.act(seat, action)


def play_words() -> tuple[int, int]:
    """One year word by word through PettingZoo; proposals are left alone."""
    env, rng = rl.raw_env("diplomacy", last_year=1901), random.Random(1)
    ready = env.setting.lexicon.numbers["ready"]
    env.reset(seed=1)
    phases, words = {env.play.table.state.phase}, 0
    while not any(env.terminations.values()):
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(ready if mask[ready] else rng.choice(np.flatnonzero(mask).tolist()))
        phases.add(env.play.table.state.phase)
        words += 1
    return len(phases), words


def play_orders() -> tuple[int, int]:
    """One game turn by turn through PettingZoo: every agent chooses from what it sees."""
    env, rng = ENV, np.random.default_rng(1)
    seen, _ = env.reset()
    phases = orders = 0
    while env.agents:
        counts = seen["FRANCE"]["counts"]
        orders += int((counts > 0).sum())
        actions = {agent: choose_orders(each, rng) for agent, each in seen.items()}
        seen, *_ = env.step(actions)
        phases += 1
    return phases, orders


def choose_orders(seen: rl.zoo.Observation, rng: np.random.Generator) -> np.ndarray:
    action = np.zeros(75, np.uint16)
    mine = np.flatnonzero(seen["mine"])
    picks = (rng.random(len(mine)) * seen["counts"][mine]).astype(np.intp)
    action[mine] = seen["orders"][mine, picks]
    return action


def play_vector() -> tuple[int, int]:
    """A few phases of many games at once, with observations and rewards."""
    seen, rng, phases, orders = VECTOR.reset(), np.random.default_rng(1), 0, 0
    for _ in range(10):
        orders += int((seen.counts > 0).sum())
        phases += VECTOR.count
        seen, *_ = VECTOR.step(VECTOR.sample_orders(rng))
    return phases, orders


def play_risk_words() -> tuple[int, int]:
    """Some words of many games of Risk Europe at once, with observations, masks and rewards."""
    return _write_words(RISK)


def play_treaty_words() -> tuple[int, int]:
    """The same for Versailles 1919."""
    return _write_words(TREATIES)


def _write_words(games: WordGames) -> tuple[int, int]:
    rng = np.random.default_rng(1)
    for _ in range(50):
        games.step(games.sample_actions(rng))
    return 0, 50 * games.count


ENV = orders_env(last_year=LAST_YEAR)
VECTOR = OrdersVector(512, last_year=LAST_YEAR)
RISK = WordsVector(1024, rounds=20)
RISK.reset(seed=1)
TREATIES = TreatyVector(1024)
TREATIES.reset(seed=1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer", help="a Python that has the `diplomacy` package")
    peer_python = parser.parse_args().peer
    peer = 0.0
    if peer_python:
        command = [peer_python, "-c", PEER]
        found = subprocess.run(command, capture_output=True, check=True, text=True)  # noqa: S603  # the reader's own Python
        peer = float(found.stdout)
        print(f"{'diplomacy package, its own loop':44} {peer:10,.0f} phases/s")
    for name, work in (
        ("Table, order by order", play_table),
        ("PettingZoo, word by word", play_words),
        ("PettingZoo, turn by turn (orders_env)", play_orders),
        ("512 games at once (OrdersVector)", play_vector),
        ("Risk Europe, 1024 games at once (WordsVector)", play_risk_words),
        ("Versailles 1919, 1024 games at once (TreatyVector)", play_treaty_words),
    ):
        rate = timed(work)
        ratio = f"  {rate.phases / peer:6.1f} x the package" if peer and rate.phases else ""
        print(f"{name:46} {rate.phases:10,.0f} phases/s {rate.decisions:11,.0f} decisions/s{ratio}")


if __name__ == "__main__":
    main()
