"""How fast Versailles 1919 is, and how random games go.

    python bench/versailles.py                  # speed: whole games, parts of a decision
    python bench/versailles.py --balance 500    # who wins random games, by players and length
    python bench/versailles.py --sound 500      # every invariant after every action of random games
    python bench/versailles.py --alone hard     # how a level fares in solitaire
    python bench/versailles.py --kernel         # speed of the compiled board (extra `fast`)
    python bench/versailles.py --lockstep 1000000  # steps by the rules and on the board, compared

Seconds are those of one core (what else runs does not count). Random players draw a verb first,
every verb alike, then the rest; about one decision in 32 is an offer or an answer to one.
"""

import argparse
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from cProfile import Profile
from pathlib import Path
from statistics import mean, stdev
from time import process_time
from typing import Any

from powderkeg import bots
from powderkeg.core import plain
from powderkeg.core.chance import CHANCE
from powderkeg.games import versailles as game
from powderkeg.games.versailles.board import NATIONS
from powderkeg.games.versailles.invariants import impossible_changes
from powderkeg.games.versailles.state import Options, State

CAP = 20_000


def play(players: int, seed: int, options: Options) -> Iterator[tuple[State, Any]]:
    """A random game: every state with the facts that led to it."""
    rng = random.Random(seed)
    state = game.start(game.seats(players, options), options)
    for _ in range(CAP):
        acting = game.to_act(state)
        if not acting:
            return
        seat = min(acting)
        step = game.apply(state, seat, game.legal(state, seat).sample(rng))
        state = step.state
        yield state, step.facts


def speed(games: int) -> None:
    for players in (1, 2, 3, 4):
        began, actions = process_time(), 0
        for seed in range(games):
            actions += sum(1 for _ in play(players, seed, Options()))
        spent = process_time() - began
        print(
            f"{players} players: {games / spent:6.1f} games per second, "
            f"{actions / games:5.0f} actions per game, {spent / actions * 1e6:5.1f} us per action"
        )


def parts() -> None:
    states = [state for seed in range(5) for state, _ in play(4, seed, Options())]
    asked = [s for s in states if game.to_act(s) and "chance" not in game.to_act(s)][::7]
    rng = random.Random(1)

    def each(work: Callable[[State, str], object]) -> float:
        began = process_time()
        for state in asked:
            work(state, min(game.to_act(state)))
        return (process_time() - began) / len(asked) * 1e6

    found = {
        "sample one legal action": each(lambda s, seat: game.legal(s, seat).sample(rng)),
        "list all legal actions": each(lambda s, seat: list(game.legal(s, seat))),
        "build the question": each(game.ask),
        "view": each(game.view),
        "board in words": each(lambda s, seat: game.describe(game.view(s, seat))),
        "state to JSON and back": each(lambda s, _: stored(s)),
    }
    for name, value in found.items():
        print(f"{name:26} {value:8.1f} us")


def shares(games: int) -> None:
    """Where the time of random games goes, by module."""
    profile = Profile()
    profile.enable()
    for seed in range(games):
        for _ in play(4, seed, Options()):
            pass
    profile.disable()
    spent: Counter[str] = Counter()
    for entry in profile.getstats():
        code = entry.code
        name = "built in" if isinstance(code, str) else Path(code.co_filename).stem
        spent[name] += entry.inlinetime  # type: ignore[assignment]  # seconds
    total = sum(spent.values())
    shares = ", ".join(f"{name} {value / total:.0%}" for name, value in spent.most_common(12))
    print(f"own time by module: {shares}")


def stored(state: State) -> State:
    return plain.load(State, json.loads(json.dumps(plain.dump(state, State))))


def sound(games: int, first: int) -> None:
    """Random games of every size and length with everything checked that must always hold."""
    total = 0
    for players, length in ((1, 20), *((n, k) for n in (2, 3, 4) for k in (20, 15, 10, 5))):
        options = Options(length=length)  # type: ignore[arg-type]  # one of the four
        actions, ends = 0, Counter[str]()
        for seed in range(first, first + games):
            before = None
            for state, _ in play(players, seed, options):
                wrong = game.broken(state) + (impossible_changes(before, state) if before else [])
                if wrong:
                    raise SystemExit(f"{players} players, length {length}, seed {seed}: {wrong}")
                before, actions = state, actions + 1
            if before is None or game.result(before) is None:
                raise SystemExit(f"{players} players, length {length}, seed {seed}: no end")
            ends[before.over] += 1
        total += actions
        ended = ", ".join(f"{name} {n}" for name, n in sorted(ends.items()))
        print(f"{players} players, {length:2} below: {games} games, {actions} actions; {ended}")
    print(f"{total} actions, nothing broken")


def balance(games: int) -> None:
    for players, length in ((2, 20), (3, 20), (4, 20), (4, 15), (4, 10), (4, 5)):
        options = Options(length=length)  # type: ignore[arg-type]  # one of the four
        wins: Counter[str] = Counter()
        turns = uprisings = settled = rush = 0
        points: Counter[str] = Counter()
        for seed in range(games):
            state = None
            for state, facts in play(players, seed, options):  # noqa: B007  # the last one counts
                uprisings += sum(fact.msg.code == "versailles.rises" for fact in facts)
            if state is None or (result := game.result(state)) is None:
                continue
            for seat in result.winners:
                nation = NATIONS[state.order[state.seats.index(seat)]]
                wins[nation] += 1 / len(result.winners)  # type: ignore[assignment]  # shared wins
            for seat, score in result.scores.items():
                points[NATIONS[state.order[state.seats.index(seat)]]] += int(score)
            turns, settled = turns + state.turn, settled + len(state.held)
            rush += state.over == "rush"
        shares = ", ".join(
            f"{n} {wins[n] / games:.0%} ({points[n] / games:.0f})" for n in sorted(wins)
        )
        print(
            f"{players} players, {length:2} below: {shares}; {turns / games:.0f} turns, "
            f"{settled / games:.1f} issues held, {uprisings / games:.1f} uprisings, {rush / games:.0%} by the rush"
        )
    solo(games)


def solo(games: int) -> None:
    points = []
    for seed in range(games):
        *_, (state, _) = play(1, seed, Options())
        points.append(state.points)
    points.sort()
    print(f"solitaire: {sum(points) / games:.1f} points on average, best {points[-1]}")


def alone(level: str, games: int, first: int) -> None:
    """Solitaire played by a level: its budget of iterations alone counts."""
    mind = bots.find_bot(game, level, bots.find_bot(game, level).budget.exact())
    points, decisions, began = [], 0, process_time()
    for seed in range(first, first + games):
        rng, options = random.Random(f"solo/{seed}"), Options()
        state = game.start(game.seats(1, options), options)
        while acting := game.to_act(state):
            seat = min(acting)
            legal = game.legal(state, seat)
            question = None if seat == CHANCE else game.ask(state, seat)
            if question is None:
                action = legal.sample(rng)
            else:
                luck = random.Random(rng.random())
                action = mind.think(game.view(state, seat), question, legal, luck).action
                decisions += 1
            state = game.apply(state, seat, action).state
        points.append(state.points)
        spent, n = process_time() - began, len(points)
        error = 1.96 * stdev(points) / n**0.5 if n > 1 else 0.0
        print(
            f"{level}, {n} games: {mean(points):.1f} points (+-{error:.1f}), best {max(points)}, "
            f"won {sum(p >= options.solo_target for p in points)}; "
            f"{spent / n:.1f} s per game, {1000 * spent / decisions:.0f} ms per decision",
            flush=True,
        )


def kernel_speed() -> None:
    """Whole random games on the compiled board, after a first one that compiles."""
    from powderkeg.games.versailles.fast.boards import play_random_games

    began = process_time()
    play_random_games(4, 1, 0)
    print(f"compiled, or loaded, in {process_time() - began:.1f} s")
    for players in (4, 3, 2):
        rates = []
        for seed in range(3):
            began = process_time()
            boards, steps = play_random_games(players, 1000, seed)
            rates.append(len(boards) / (process_time() - began))
        print(
            f"{players} players: {sorted(rates)[1]:,.0f} games/s, {steps / len(boards):.0f} steps per "
            f"game, {boards.nbytes // len(boards)} bytes per board"
        )


def compare_steps(steps: int, first: int) -> None:
    """Random games of every kind by the rules and on the compiled board at once."""
    from powderkeg.games.versailles.fast.lockstep import READINGS, walk_treaty

    done, games, began = 0, 0, process_time()
    while done < steps:
        players, options = 2 + games % 3, READINGS[games // 3 % len(READINGS)]
        done += walk_treaty(players, random.Random(first + games), options, steps - done).steps
        games += 1
        if games % 100 == 0 or done == steps:
            spent = process_time() - began
            print(f"{done} steps of {games} games alike, {spent:.0f} s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--balance", type=int, default=0)
    parser.add_argument("--sound", type=int, default=0)
    parser.add_argument("--alone", default="", help="a level that plays solitaire")
    parser.add_argument("--first", type=int, default=0, help="seed of the first game")
    parser.add_argument("--kernel", action="store_true")
    parser.add_argument("--lockstep", type=int, default=0)
    args = parser.parse_args()
    if args.balance:
        balance(args.balance)
    elif args.kernel:
        kernel_speed()
    elif args.lockstep:
        compare_steps(args.lockstep, args.first)
    elif args.sound:
        sound(args.sound, args.first)
    elif args.alone:
        alone(args.alone, args.games, args.first)
    else:
        speed(args.games)
        parts()
        shares(args.games // 4)


if __name__ == "__main__":
    main()
