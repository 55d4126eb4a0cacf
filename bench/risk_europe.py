"""How fast Risk Europe is, and whether its odds are those of the dice.

    python bench/risk_europe.py                       speed of games and odds
    python bench/risk_europe.py --battles 1000000     odds against that many simulated battles,
                                                      without a castle and with one
    python bench/risk_europe.py --games 2000          so many random games of each kind, all
                                                      invariants after every action
    python bench/risk_europe.py --where               where the time of a random game goes
    python bench/risk_europe.py --kernel              speed of the compiled board (extra `fast`)
    python bench/risk_europe.py --times expert        how long the decisions of a level take at a table
    python bench/risk_europe.py --lockstep 1000000    so many random actions by the rules and on the
                                                      compiled board, compared after each

Seconds are of this process, so that a busy machine changes little.
"""

import argparse
import cProfile
import pstats
import random
import time
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any, TypeAlias

import powderkeg.games.risk_europe as game
from powderkeg import bots
from powderkeg.bots.engine.tally import forced_choice
from powderkeg.core.ask import Question
from powderkeg.core.chance import Seeded
from powderkeg.core.table import Table
from powderkeg.games.risk_europe.board import FULL_ARMY, Units, subtract_units, total_units
from powderkeg.games.risk_europe.odds.battle_odds import Castle, exact_odds
from powderkeg.games.risk_europe.rules import battle_dice
from powderkeg.games.risk_europe.rules.forces import cheapest_units
from powderkeg.games.risk_europe.state import Options, State

End: TypeAlias = tuple[Units, Units]  # what is left on both sides
POLICIES: tuple[Castle, ...] = ("none", "eager", "best")
BATTLES: tuple[tuple[Units, Units], ...] = (
    ((4, 2, 2, 2), (4, 2, 2, 2)),
    ((6, 0, 0, 0), (5, 0, 0, 0)),
    ((3, 3, 0, 1), (2, 2, 2, 0)),
    ((1, 0, 3, 0), (0, 4, 0, 1)),
)


def play(players: int, seed: int, options: Options, *, watched: bool = False) -> tuple[State, int]:
    """One random game: its last state and the number of actions, chance included."""
    rng = random.Random(seed)
    state = game.start(game.seats(players, options), options)
    count = 0
    while acting := game.to_act(state):
        seat = min(acting) if len(acting) == 1 else rng.choice(sorted(acting))
        state = game.apply(state, seat, game.legal(state, seat).sample(rng)).state
        count += 1
        if watched and (wrong := game.broken(state)):
            raise AssertionError(f"{players} players, seed {seed}, action {count}: {wrong}")
    return state, count


def games_a_second(players: int, options: Options, games: int) -> None:
    began = time.process_time()
    counts = [play(players, seed, options)[1] for seed in range(games)]
    seconds = time.process_time() - began
    kind = "missions" if options.missions else "basic"
    limit = f", {options.rounds} rounds" if options.rounds else ""
    print(
        f"{players} players, {kind}{limit}: {games / seconds:6.1f} games/s, "
        f"{seconds / sum(counts) * 1e6:5.1f} us per action, {sum(counts) // games} actions per game"
    )


def odds_speed() -> None:
    attacker, defender = BATTLES[0]
    for castle in POLICIES:
        exact_odds(attacker, defender, castle=castle)
        began = time.process_time()
        for _ in range(10):
            exact_odds(attacker, defender, castle=castle)
        print(f"odds 10 against 10, castle {castle}: {(time.process_time() - began) * 100:.1f} ms")
    for castle in POLICIES:
        began = time.process_time()
        exact_odds(FULL_ARMY, FULL_ARMY, castle=castle)
        print(f"odds of all units, castle {castle}: {time.process_time() - began:.2f} s")


def fought(attacker: Units, defender: Units, castle: Castle, rng: random.Random) -> End:
    """One battle by the engine's own functions; the cheapest units are lost first."""
    rank, fresh = 1, castle == "eager"
    while total_units(attacker) and total_units(defender):
        mine = _dice(battle_dice.count_dice(rank, attacker, attacking=True), rng)
        theirs = _dice(battle_dice.count_dice(rank, defender, attacking=False), rng)
        if fresh and theirs and _is_poor(rank, mine, theirs, total_units(attacker)):
            theirs, fresh = _dice(len(theirs), rng), False
        won, lost = battle_dice.count_hits(rank, mine, theirs)
        attacker = subtract_units(attacker, cheapest_units(attacker, lost))
        defender = subtract_units(defender, cheapest_units(defender, won))
        rank = battle_dice.next_rank(rank)
        fresh = fresh or (rank == 1 and castle == "eager")
    return attacker, defender


def _is_poor(rank: int, mine: tuple[int, ...], theirs: tuple[int, ...], attackers: int) -> bool:
    """Whether the defender's dice hit less than they do on average, with attackers left to hit."""
    average = _average(rank, tuple(sorted(mine)), len(theirs))
    return battle_dice.count_hits(rank, mine, theirs)[1] < min(average - 1e-9, attackers)


@cache
def _average(rank: int, mine: tuple[int, ...], dice: int) -> float:
    if rank != battle_dice.GENERAL:
        return dice * (7 - battle_dice.HITS_ON[rank]) / 6
    rolls = list(product(range(1, 7), repeat=dice))
    return sum(battle_dice.count_hits(rank, mine, roll)[1] for roll in rolls) / len(rolls)


def _dice(count: int, rng: random.Random) -> tuple[int, ...]:
    return tuple(int(rng.random() * 6) + 1 for _ in range(count))


def compare(battles: int) -> None:
    """The largest deviation from the exact odds, in standard deviations."""
    rng = random.Random(1919)
    kinds = [(*armies, castle) for armies in BATTLES for castle in POLICIES[:2]]
    each = battles // len(kinds)
    for attacker, defender, castle in kinds:
        exact = exact_odds(attacker, defender, castle=castle).outcomes
        ends = Counter(fought(attacker, defender, castle, rng) for _ in range(each))
        if not set(ends) <= {(o.attacker, o.defender) for o in exact}:
            raise SystemExit("an end that the odds do not know")
        worst = max(
            abs(ends[o.attacker, o.defender] / each - o.chance)
            / (o.chance * (1 - o.chance) / each) ** 0.5
            for o in exact
            if o.chance * each >= 10
        )
        print(
            f"{attacker} on {defender}, castle {castle}: {each} battles, {len(exact)} ends, "
            f"worst {worst:.2f} sigma"
        )
        if worst > 5:
            raise SystemExit("the odds are not those of the dice")


RULINGS = (
    Options(rounds=30),
    Options(rounds=30, mercenary_seat="ring", mercenary_king="army", tie="target"),
    Options(rounds=30, mercenary_king="nobody", mercenary_losses="controller"),
)


def watch(games: int, seed: int) -> None:
    """Random games of every kind, the house rulings in turn, all invariants after every action."""
    for players in game.players:
        for missions in (False, True):
            actions, ends = 0, Counter[str]()
            for number in range(seed, seed + games):
                options = replace(RULINGS[number % len(RULINGS)], missions=missions)
                state, count = play(players, number, options, watched=True)
                actions += count
                ends[state.over] += 1
            kind = "missions" if missions else "basic"
            reasons = ", ".join(f"{n} by {why}" for why, n in sorted(ends.items()))
            print(f"{players} players, {kind}: {games} games, {actions} actions, ended {reasons}")


def where(games: int) -> None:
    """The functions that take the time of random four-player games."""
    profile = cProfile.Profile()
    profile.runcall(lambda: [play(4, seed, Options()) for seed in range(games)])
    pstats.Stats(profile).sort_stats("tottime").print_stats(25)


def kernel_speed() -> None:
    """Whole random games on the compiled board, after a first one that compiles."""
    from powderkeg.games.risk_europe.fast.boards import play_random_games

    began = time.process_time()
    play_random_games(4, 1, 0)
    print(f"compiled, or loaded, in {time.process_time() - began:.1f} s")
    for players, options in (
        (4, {}),
        (4, {"missions": True}),
        (3, {"rounds": 40}),
        (2, {"rounds": 40}),
    ):
        rates = []
        for seed in range(3):
            began = time.process_time()
            boards, actions = play_random_games(players, 1000, seed, **options)
            rates.append(len(boards) / (time.process_time() - began))
        print(
            f"{players} players, {options or 'basic'}: {sorted(rates)[1]:,.0f} games/s, "
            f"{actions / len(boards):.0f} actions per game, {boards.nbytes // len(boards)} bytes per board"
        )


def lockstep(actions: int, seed: int) -> None:
    """Random games of every kind by the rules and on the compiled board at once."""
    from powderkeg.games.risk_europe.fast.lockstep import RULINGS, walk_game

    done, games, began = 0, 0, time.process_time()
    while done < actions:
        players, options = 2 + games % 3, RULINGS[games // 3 % len(RULINGS)]
        walked = walk_game(players, random.Random(seed + games), options, actions - done)
        done, games = done + walked.steps, games + 1
    print(f"{done} actions of {games} games alike, {time.process_time() - began:.0f} s")


def decision_times(level: str, games: int) -> None:
    """Games of four bots that are stopped by the clock as at a table; forced answers do not count."""
    mind, spent = bots.find_bot(game, level), []
    mind.exact()(*_first_question())  # compiles what there is to compile
    for seed in range(games):
        table = Table(game, 4, source=Seeded(random.Random(seed)))
        while table.to_act:
            seat, luck = min(table.to_act), random.Random(f"{seed}/{len(table.log)}")
            legal, began = table.legal(seat), time.perf_counter()
            action = mind(table.view(seat), _question_for(table, seat), legal, luck)
            if forced_choice(legal) is None:
                spent.append(time.perf_counter() - began)
            table.act(seat, action)
    spent.sort()
    places = {"median": 0.5, "p90": 0.9, "p99": 0.99, "longest": 1.0}
    found = ", ".join(
        f"{name} {spent[round(p * (len(spent) - 1))]:.2f} s" for name, p in places.items()
    )
    print(f"{level}: {len(spent)} decisions of {games} games: {found}")


def _question_for(table: Table, seat: str) -> Question:
    question = table.ask(seat)
    if question is None:
        raise ValueError(f"{seat} is not asked.")
    return question


def _first_question() -> tuple[Any, ...]:
    table = Table(game, 4, source=Seeded(random.Random(0)))
    seat = min(table.to_act)
    return table.view(seat), _question_for(table, seat), table.legal(seat), random.Random(0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--battles", type=int, default=0)
    parser.add_argument("--games", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0, help="the first of the random games")
    parser.add_argument("--where", action="store_true")
    parser.add_argument("--kernel", action="store_true")
    parser.add_argument("--times", default="", help="a level whose decisions are timed")
    parser.add_argument("--lockstep", type=int, default=0)
    asked = parser.parse_args()
    if asked.battles:
        compare(asked.battles)
    if asked.games and not asked.times:
        watch(asked.games, asked.seed)
    if asked.where:
        where(20)
    if asked.kernel:
        kernel_speed()
    if asked.lockstep:
        lockstep(asked.lockstep, asked.seed)
    if asked.times:
        decision_times(asked.times, asked.games or 1)
        return
    if not any((asked.battles, asked.games, asked.where, asked.kernel, asked.lockstep)):
        for players, options in (
            (4, Options()),
            (4, Options(missions=True)),
            (3, Options(rounds=40)),
            (2, Options(rounds=40)),
        ):
            games_a_second(players, options, 20)
        odds_speed()


if __name__ == "__main__":
    main()
