"""What Risk Europe's `expert` knows: found by compiled games between greedy players (extra `fast`).

    python bench/risk_lines.py weights FILE --generations 35    # tune the weights of lines by CMA-ES
    python bench/risk_lines.py capitals                         # write the book of capitals again

Weights: one candidate against three players with the weights of the other levels, from drawn capitals,
200 games each; as many again check the mean of the last generation. The weights go into `weights.json`
by hand, and the temper of the cards into `value_layout.py`. Capitals: 24 games from each of the 1,680
ways to begin, smoothed by a conditional logit, then 150 more from each of 80 that good players reach
most, three times over.
"""

import argparse
import json
import math
import random
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
from cmaes import CMA  # type: ignore[import-untyped]  # it ships no types

from powderkeg.bots.engine.regret import softmax
from powderkeg.bots.risk_europe import capitals, setup_choices
from powderkeg.bots.risk_europe.fast.board_value import fill_chances, fill_stakes
from powderkeg.bots.risk_europe.fast.greedy_policy import policy_answer
from powderkeg.bots.risk_europe.fast.rollouts import RoundPlayer
from powderkeg.bots.risk_europe.fast.value_layout import CARD_TEMPER, CHANCES, P_ARMY, value_sheet
from powderkeg.bots.risk_europe.policy import RoundPolicy
from powderkeg.bots.risk_europe.weights import learnt_odds, line_odds, tuning_start
from powderkeg.core.chance import CHANCE
from powderkeg.core.fast.compiling import kernel_entry
from powderkeg.games import risk_europe
from powderkeg.games.risk_europe.actions import PlaceBid, SettleCity
from powderkeg.games.risk_europe.board import CITY_AT
from powderkeg.games.risk_europe.fast.game_flow import (
    give_answer,
    give_outcome,
    run_on,
    sample_outcome,
)
from powderkeg.games.risk_europe.fast.kernel import last_asked
from powderkeg.games.risk_europe.fast.layout import DEPTH, LISTED, ROUND
from powderkeg.games.risk_europe.fast.legal_actions import asked_bits, waits_for_chance
from powderkeg.games.risk_europe.fast.state_arrays import pack_state
from powderkeg.games.risk_europe.state import Options, State
from powderkeg.games.risk_europe.steps import Bid, Garrison, Pick, Settle

CITIES = ("berlin", "paris", "kiev", "london", "constantinople", "rome", "stockholm", "madrid")
BOOK = Path(capitals.__file__).with_suffix(".json")
TO_THE_END = 1 << 14
TRUST = 12  # games that the logit counts for
Way = tuple[str, ...]
Numbers = Any  # an array of numbers


# Ways to begin


@cache
def begun(way: Way) -> State:
    """The position in which these capitals are chosen, with the usual garrisons; blue chooses first."""
    if not way:
        options = Options()
        return _usual_setup(risk_europe.start(risk_europe.seats(4, options), options))
    state = begun(way[:-1])
    seat = min(risk_europe.to_act(state))
    return _usual_setup(risk_europe.apply(state, seat, SettleCity(CITY_AT[way[-1]])).state)


def _usual_setup(state: State) -> State:
    while not isinstance(step := state.agenda[-1], Pick | Settle):
        seat = min(risk_europe.to_act(state))
        if seat == CHANCE:
            action = risk_europe.legal(state, CHANCE).sample(random.Random(0))
        elif isinstance(step, Garrison):
            action = setup_choices.best_garrison(RoundPolicy(state, learnt_odds()), state, step)
        elif isinstance(step, Bid) and state.colours.index(seat) == 0:
            action = PlaceBid(1)
        else:
            action = risk_europe.default(state, seat)
        state = risk_europe.apply(state, seat, action).state
    return state


def seeds_of(name: str, count: int) -> list[int]:
    return [random.Random(f"{name}/{n}").randrange(1, 1 << 63) for n in range(count)]


# Capitals


def write_book() -> None:
    ways: list[Way] = list(permutations(CITIES, 4))
    sums, counts = {way: play_way(way, 24, "first") for way in ways}, dict.fromkeys(ways, 24)
    guess = fit_logit(sums, 24)
    for more in range(3):
        reached = way_chances(smooth(sums, counts, guess))
        for way in sorted(ways, key=lambda way: -reached[way] / counts[way])[:80]:
            sums[way] = sums[way] + play_way(way, 150, f"more {more}")
            counts[way] += 150
    rows = [[round(1000 * x) for x in chances] for chances in smooth(sums, counts, guess).values()]
    head = json.dumps({"cities": CITIES, "run": {"games": sum(counts.values())}})[:-1]
    body = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    BOOK.write_text(f'{head},\n"chances": [\n{body}\n]}}\n', "utf-8")


def play_way(way: Way, games: int, name: str) -> Numbers:
    """The games that each player won, in the order of choosing."""
    seeds = seeds_of(f"{name}/{'-'.join(way)}", games)
    return RoundPlayer(line_odds()).roll_out([begun(way)], {}, seeds, TO_THE_END)[0].sum(axis=0)


def fit_logit(sums: dict[Way, Numbers], games: int) -> dict[Way, Numbers]:
    """Chances by a conditional logit: each capital by place, and beside each other capital."""
    rows = np.array([_features(way) for way in sums])
    won, found = np.array(list(sums.values())), np.zeros(rows.shape[2])
    for _ in range(12):  # Newton, with a little ridge
        chances = _logit_chances(rows, found)
        slope = np.einsum("nif,ni->f", rows, won - games * chances) - 2 * found
        mean = np.einsum("nif,ni->nf", rows, chances)
        bend = np.einsum("nif,ni,nig->fg", rows, chances, rows, optimize=True) - mean.T @ mean
        found = found + np.linalg.solve(games * bend + 2 * np.eye(len(found)), slope)
    return dict(zip(sums, _logit_chances(rows, found), strict=True))


def _features(way: Way) -> Numbers:
    row = np.zeros((4, 32 + 64))
    for place, city in enumerate(way):
        row[place, 4 * CITIES.index(city) + place] = 1
        for other in set(way) - {city}:
            row[place, 32 + 8 * CITIES.index(city) + CITIES.index(other)] = 1
    return row


def _logit_chances(rows: Numbers, found: Numbers) -> Numbers:
    heat = np.exp(rows @ found)
    return heat / heat.sum(axis=1, keepdims=True)


def smooth(
    sums: dict[Way, Numbers], counts: dict[Way, int], guess: dict[Way, Numbers]
) -> dict[Way, Numbers]:
    return {way: (sums[way] + TRUST * guess[way]) / (counts[way] + TRUST) for way in sums}


def way_chances(found: dict[Way, Numbers], temper: float = 0.05) -> dict[Way, float]:
    """How often each way is gone if all choose well, mostly."""
    often: dict[Way, float] = {(): 1.0}
    values = {way: list(chances) for way, chances in found.items()}
    for count in (3, 2, 1, 0):
        for way in permutations(CITIES, count):
            ends = [values[*way, city] for city in CITIES if city not in way]
            mix = softmax([end[count] / temper for end in ends])
            values[way] = [
                sum(p * end[i] for p, end in zip(mix, ends, strict=True)) for i in range(4)
            ]
    for count in range(4):
        for way in permutations(CITIES, count):
            left = [city for city in CITIES if city not in way]
            mix = softmax([values[*way, city][count] / temper for city in left])
            often |= {(*way, city): often[way] * p for city, p in zip(left, mix, strict=True)}
    return often


# Weights


@kernel_entry
def duel_games(
    starts: Numbers, which: Numbers, seeds: Numbers, sheets: Numbers, boards: Numbers, h: Numbers,
    q: Numbers, p: Numbers, w: Numbers, o: Numbers, r: Numbers, out: Numbers,
) -> None:  # fmt: skip
    """Whole games in which every player has a sheet; `out` gets who won."""
    b, c = boards[0], boards[1]
    for n in range(len(seeds)):
        r[0] = seeds[n]
        b[:] = starts[which[n]]
        p[P_ARMY], w[LISTED], seen = -1, -1, -1
        run_on(b, w)
        while b[DEPTH] != 0:
            if waits_for_chance(b):
                sample_outcome(b, r, o)
                give_outcome(b, o)
            else:
                if b[ROUND] != seen:
                    seen = int(b[ROUND])
                    for who in range(4):
                        fill_stakes(b, sheets[n, who], h, q)
                who = last_asked(asked_bits(b))
                give_answer(b, who, policy_answer(b, sheets[n, who], h, q, p, c, w, r, who))
            run_on(b, w)
        fill_chances(b, sheets[n, 0], h, q)
        for who in range(4):
            out[n, who] = sheets[n, 0, CHANCES + who]


class Trial:
    """Candidates for the weights of lines, each against three players with other weights."""

    def __init__(self) -> None:
        rng = random.Random(5)
        self.starts = np.array(
            [pack_state(begun(tuple(rng.sample(CITIES[:7], 4)))) for _ in range(60)]
        )
        self.player = RoundPlayer(learnt_odds())

    def wins(self, one: Numbers, rest: Numbers, first: int, games: int) -> float:
        sheets = np.array([[rest] * 4] * games)
        tables = [first + n // 4 for n in range(games)]
        for n in range(games):
            sheets[n, n % 4] = one
        out, own = np.zeros((games, 4)), self.player
        seeds = [random.Random(table).randrange(1, 1 << 63) for table in tables]
        duel_games(
            self.starts, np.array(tables) % len(self.starts), np.array(seeds, np.uint64), sheets,
            own.boards, own.keys, own.odds, own.plan, own.codes, own.outcome, own.luck, out,
        )  # fmt: skip
        return float(np.mean([out[n, n % 4] for n in range(games)]))


def sheet_of(names: Sequence[str], logs: Sequence[float]) -> Numbers:
    found = {name: math.exp(x) for name, x in zip(names, logs, strict=True)}
    temper = found.pop("temper")
    return value_sheet(replace(learnt_odds(), **found), temper)


def tune(path: Path, generations: int, games: int = 200, population: int = 16) -> None:
    start = tuning_start() | {"temper": 2 * CARD_TEMPER}
    names, trial, rest = sorted(start), Trial(), value_sheet(learnt_odds(), 2 * CARD_TEMPER)
    search = CMA(
        mean=np.array([math.log(start[name]) for name in names]),
        sigma=0.3,
        population_size=population,
        seed=1,
    )
    for number in range(generations):
        asked = [search.ask() for _ in range(population)]
        first = 1000 + number * games // 4
        scores = [trial.wins(sheet_of(names, x), rest, first, games) for x in asked]
        search.tell([(x, -score) for x, score in zip(asked, scores, strict=True)])
        mean = search._mean  # noqa: SLF001  # it has no public name
        found = dict(zip(names, np.exp(mean).round(3).tolist(), strict=True))
        path.write_text(json.dumps(asdict(learnt_odds()) | found, indent=1) + "\n", "utf-8")
        print(f"{number}: {sum(scores) / population:.3f} on average", flush=True)
    print(f"check: {trial.wins(sheet_of(names, mean), rest, 900_000, 1200):.3f} of 1200 games")


def main() -> None:
    args = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    args.add_argument("what", choices=["weights", "capitals"])
    args.add_argument("file", type=Path, nargs="?", default=Path("lines.json"))
    args.add_argument("--generations", type=int, default=35)
    given = args.parse_args()
    if given.what == "weights":
        tune(given.file, given.generations)
    else:
        write_book()


if __name__ == "__main__":
    main()
