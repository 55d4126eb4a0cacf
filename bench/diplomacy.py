"""How fast Diplomacy is judged, alone and beside the public `diplomacy` package.

    python bench/diplomacy.py
    python bench/diplomacy.py --peer /path/to/python   # one that has the package installed

All figures are seconds of one core (what else runs does not count) and the same positions:
mid-game, about 30 units, from random play. The peer runs in a process of its own, in the same run, and its results are compared with ours.
"""

import argparse
import json
import random
import subprocess
from collections.abc import Callable, Iterator
from time import process_time
from typing import Any

from powderkeg.games import diplomacy
from powderkeg.games.diplomacy.actions import (
    Build,
    Convoy,
    Hold,
    Move,
    Order,
    Ready,
    Retreat,
    Support,
)
from powderkeg.games.diplomacy.board import ARMY_MOVES, CENTRES, HOMES, POWERS, START
from powderkeg.games.diplomacy.rules.adjudicate import adjudicate
from powderkeg.games.diplomacy.rules.adjustments import build_sites, builds_at, resolve_adjustments
from powderkeg.games.diplomacy.rules.listing import legal_orders
from powderkeg.games.diplomacy.rules.position import Position
from powderkeg.games.diplomacy.rules.retreats import resolve_retreats
from powderkeg.games.diplomacy.state import Options
from powderkeg.games.diplomacy.steps import order_pieces

Phase = tuple[Position, dict[str, list[Order]]]
WEIGHTS: dict[type[Order], int] = {Hold: 1, Move: 6, Support: 4, Convoy: 2}

PEER = """
import json, sys
from time import process_time
from diplomacy import Game
work = json.load(sys.stdin)
games, alike = [], 0
for units, orders, after in work["phases"]:
    game = Game()
    game.clear_units()
    for power, found in units.items():
        game.set_units(power, found, reset=True)
    games.append(game)
begin = process_time()
for game, (units, orders, after) in zip(games, work["phases"]):
    for power, found in orders.items():
        game.set_orders(power, found)  # checks them, as ours does
    game.process()
judged = process_time() - begin
for game, (units, orders, after) in zip(games, work["phases"]):
    found = {p: sorted(u for u in us if u[0] != "*") for p, us in game.get_units().items()}
    alike += all(found.get(p, []) == us for p, us in after.items())
games = []
for units, orders, after in work["phases"][:50]:
    game = Game()
    game.clear_units()
    for power, found in units.items():
        game.set_units(power, found, reset=True)
    games.append(game)
begin = process_time()
for game in games:
    game.get_all_possible_orders()
listed = (process_time() - begin) / len(games)
import random
rng, phases = random.Random(0), 0
game = Game()
begin = process_time()
while not game.is_game_done and int(game.get_current_phase()[1:5] or 0) < work["last_year"] + 1:
    possible = game.get_all_possible_orders()
    for power in game.powers:
        places = game.get_orderable_locations(power)
        game.set_orders(power, [rng.choice(possible[at]) for at in places if possible[at]])
    game.process()
played = process_time() - begin
print(json.dumps([len(work["phases"]) / judged, alike, listed, 1 / played]))
"""


def some_orders(position: Position, rng: random.Random) -> dict[str, list[Order]]:
    """A legal order for every unit, mostly moves and supports.

    None says via convoy where there is a way over land: the peer takes that way if the convoy
    fails (DATC 6.G.8), and results could not be compared.
    """
    legal = {at: [o for o in found if not _via(o)] for at, found in legal_orders(position).items()}

    def pick(options: list[Order]) -> Order:
        kinds = sorted({type(order) for order in options}, key=lambda kind: kind.__name__)
        kind = rng.choices(kinds, [WEIGHTS[each] for each in kinds])[0]
        return rng.choice([order for order in options if type(order) is kind])

    return {p: [pick(legal[u.province]) for u in us] for p, us in position.units.items()}


def _via(order: Order) -> bool:
    return isinstance(order, Move) and order.via


def random_phases(rng: random.Random) -> Iterator[Phase]:
    """The movement phases of random games, one after the other."""
    while True:
        position = Position(START)
        centres = {home: power for power, homes in HOMES.items() for home in homes}
        for _ in range(12):
            for _ in range(2):
                orders = some_orders(position, rng)
                yield position, orders
                done = adjudicate(position, orders)
                flights: dict[str, list[Order]] = {power: [] for power in POWERS}
                for each in done.dislodged:
                    if each.retreats:
                        flights[each.power].append(Retreat(each.unit, rng.choice(each.retreats)))
                position = resolve_retreats(done.position, done.dislodged, flights).position
            owners = {u.province: p for p, us in position.units.items() for u in us}
            centres |= {code: power for code, power in owners.items() if code in CENTRES}
            builds: dict[str, list[Order]] = {
                power: [
                    Build(rng.choice(builds_at(home)))
                    for home in build_sites(position, centres, power)
                ]
                for power in POWERS
            }
            position = resolve_adjustments(position, centres, builds).position


def midgame(count: int, least: int = 28, seed: int = 0) -> list[Phase]:
    """Phases with about 30 units."""
    phases = random_phases(random.Random(seed))
    found: list[Phase] = []
    while len(found) < count:
        position, orders = next(phases)
        if sum(map(len, position.units.values())) >= least:
            found.append((position, orders))
    return found


def best(work: Callable[[], Any], times: int) -> float:
    """The shortest of several runs, in seconds: what disturbs a run only makes it longer."""
    return min(_once(work) for _ in range(times))


def _once(work: Callable[[], Any]) -> float:
    begin = process_time()
    work()
    return process_time() - begin


def single(phases: list[Phase]) -> float:
    """Movement phases per second, one at a time, with all reasons."""
    return len(phases) / best(lambda: [adjudicate(*phase) for phase in phases], 5)


def batch(phases: list[Phase], copies: int = 20) -> float:
    """Movement phases per second in one array."""
    import numpy as np

    from powderkeg.games.diplomacy.fast import batch as compiled

    units, orders = compiled.pack_positions([p for p, _ in phases], [o for _, o in phases])
    compiled.adjudicate_batch(units[:1], orders[:1])  # compiles, or reads what was compiled
    many = np.repeat(units, copies, axis=0), np.repeat(orders, copies, axis=0)
    return len(many[0]) / best(lambda: compiled.adjudicate_batch(*many), 7)


def listing(phases: list[Phase]) -> tuple[float, float]:
    """Seconds to list all legal orders of a position, and how many there are."""
    count = sum(len(found) for p, _ in phases for found in legal_orders(p).values())
    seconds = best(lambda: [legal_orders(position) for position, _ in phases], 5)
    return seconds / len(phases), count / len(phases)


def play_out(last_year: int, seed: int) -> None:
    """A random game through the contract, as a bot or the server would play it."""
    rng = random.Random(seed)
    options = Options(last_year=last_year)
    state = diplomacy.start(diplomacy.seats(7, options), options)
    while acting := sorted(diplomacy.to_act(state)):
        for seat in acting:
            for _, orders in order_pieces(state, seat):
                order = rng.choice(orders)
                one_too_many = state.stage == "adjustment" and order not in diplomacy.legal(
                    state, seat
                )
                if not one_too_many:
                    state = diplomacy.apply(state, seat, order).state
            state = diplomacy.apply(state, seat, Ready()).state


def for_peer(phases: list[Phase]) -> list[Any]:
    """Phases in the notation of the peer, with the units that we expect afterwards."""
    found = []
    for position, orders in phases:
        after = adjudicate(position, orders).position
        texts = {p: [_peer_order(order) for order in given] for p, given in orders.items()}
        found.append([_texts(position), texts, _texts(after)])
    return found


def _texts(position: Position) -> dict[str, list[str]]:
    return {p: sorted(str(u).upper() for u in us) for p, us in position.units.items()}


def _peer_order(order: Order) -> str:
    """The peer wants every crossing marked."""
    crossing = (
        isinstance(order, Move)
        and order.unit.kind == "A"
        and order.to not in ARMY_MOVES[order.unit.at]
    )
    return str(order).upper() + (" VIA" if crossing else "")


def run_peer(python: str, phases: list[Phase], last_year: int) -> list[float]:
    work = json.dumps({"phases": for_peer(phases), "last_year": last_year})
    done = subprocess.run(  # noqa: S603  # the caller names the program
        [python, "-c", PEER], input=work, capture_output=True, text=True, check=True
    )
    found: list[float] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peer", help="a Python that can import the public diplomacy package")
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--last-year", type=int, default=1910)
    asked = parser.parse_args()
    phases = midgame(asked.positions)
    size = sum(len(us) for p, _ in phases for us in p.units.values()) / len(phases)
    print(f"{len(phases)} mid-game positions with {size:.1f} units on average, one core")
    alone = single(phases)
    print(f"one at a time, with reasons   {alone:12,.0f} phases per second")
    together = batch(phases)
    print(f"in a batch, compiled          {together:12,.0f} phases per second")
    seconds, count = listing(phases[:300])
    print(f"list all legal orders         {seconds * 1000:12.3f} ms for {count:.0f} orders")
    game = best(lambda: play_out(asked.last_year, 0), 3)
    print(f"random games to {asked.last_year}          {1 / game:12.2f} per second")
    if asked.peer:
        sample = phases[:300]
        judged, alike, listed, games = run_peer(asked.peer, sample, asked.last_year)
        print("public diplomacy package, same positions")
        print(
            f"one at a time                 {judged:12,.0f} phases per second; ours is {alone / judged:.0f} times,"
        )
        print(f"{'':42} the batch {together / judged:,.0f} times as fast")
        print(
            f"list all legal orders         {listed * 1000:12.3f} ms; ours takes 1/{listed / seconds:.0f} of it"
        )
        print(
            f"random games to {asked.last_year}          {games:12.2f} per second; ours {1 / game / games:.1f} times as many"
        )
        print(f"same units afterwards         {alike:.0f} of {len(sample)}")


if __name__ == "__main__":
    main()
