"""Tuning of weights by CMA-ES, with a record of the whole run.

The tuned bot plays one seat against a fixed bot, every seed from every seat. All candidates of a
generation play the same seeds, the next generation plays new ones, and the reported result is
measured at the end on seeds that no candidate was tuned on, because the best of a generation is
mostly luck. Weights are searched on a logarithmic scale.
"""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from powderkeg.bots import levels
from powderkeg.bots.arena.ratings import MeanInterval, bootstrap_mean, values_by_name
from powderkeg.bots.arena.tournament import (
    Duel,
    Entrant,
    GameOutcome,
    Tournament,
    play_pairing,
    write_whole,
)
from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.process import pool
from powderkeg.core import plain
from powderkeg.core.errors import Unreadable
from powderkeg.core.game import Game
from powderkeg.core.options import load_options

TUNED_NAME, RIVAL_NAME = "tuned", "rival"


@dataclass(frozen=True, slots=True)
class TuningPlan:
    """Everything that determines a tuning run.

    `base` has game, players and options; its bots are set here.
    """

    base: Tournament
    what: str  # the name of the tunable
    rival: str  # the bot it plays against: a level, or the tunable with its first weights
    also: str = "random"  # a second rival for the final check, to detect over-fitting to the first
    generations: int = 10
    population: int = 12
    seeds: int = 4  # per candidate and generation
    check_seeds: int = 20
    sigma: float = 0.5
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Generation:
    """The scores of one generation, in the order of its candidates."""

    scores: tuple[float, ...]
    mean: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class TunedWeights:
    """Weights, and the run that made them."""

    weights: dict[str, float]
    plan: TuningPlan
    history: tuple[Generation, ...] = ()
    games: int = 0
    rules_version: int = 0
    check: dict[str, Any] = field(default_factory=dict)


def tune_weights(
    plan: TuningPlan,
    *,
    path: Path | None = None,
    jobs: int | None = None,
    ray: str | None = None,
    on_generation: Callable[[int, Generation], None] = lambda number, generation: None,
) -> TunedWeights:
    """Run the plan. A file at `path` is continued: the search is fed its scores.

    Errors in the plan or the file are raised before anything is played.
    """
    from cmaes import CMA  # type: ignore[import-untyped]  # it ships no types
    from numpy import array

    game = plan.base.rules()
    start = levels.find_tunable(game, plan.what).start
    _check_plan(plan, game)
    stored = _stored_run(path, plan, game) or TunedWeights(start, plan, rules_version=game.version)
    if stored.check and stored.plan == plan:
        return stored
    _write_weights(path, stored)
    names = sorted(start)
    search = CMA(
        mean=array([math.log(start[name]) for name in names]),
        sigma=plan.sigma,
        population_size=plan.population,
        seed=plan.seed,
    )
    history: list[Generation] = []
    games = 0
    for number in range(plan.generations):
        asked = [[float(x) for x in search.ask()] for _ in range(plan.population)]
        known = number < len(stored.history)
        if known:
            scores = list(stored.history[number].scores)
        else:
            scores = _score_candidates(plan, names, asked, number, jobs, ray)
        games += len(asked) * plan.seeds * plan.base.players
        search.tell([(array(x), -score) for x, score in zip(asked, scores, strict=True)])
        history.append(Generation(tuple(scores), tuple(map(float, search._mean))))  # noqa: SLF001  # it has no public name
        found = TunedWeights(
            _weights_of(names, history[-1].mean), plan, tuple(history), games, game.version
        )
        if not known:
            _write_weights(path, found)
            on_generation(number, history[-1])
    found = replace(found, check=_check_weights(plan, found.weights, jobs, ray))
    _write_weights(path, found)
    return found


def _check_plan(plan: TuningPlan, game: Game) -> None:
    """Check that the players, options and rivals exist."""
    game.seats(plan.base.players, load_options(game.Options, plan.base.options))
    for rival in (plan.rival, plan.also):
        if rival != plan.what:
            levels.load_bot(game, rival, Budget(1))


def _weights_of(names: Sequence[str], logs: Sequence[float]) -> dict[str, float]:
    return {name: round(math.exp(x), 6) for name, x in zip(names, logs, strict=True)}


def _score_candidates(
    plan: TuningPlan,
    names: list[str],
    asked: Sequence[Sequence[float]],
    number: int,
    jobs: int | None,
    ray: str | None,
) -> list[float]:
    """The mean score of every candidate, all on the same seeds."""
    first = plan.base.first_seed + number * plan.seeds
    if levels.find_tunable(plan.base.rules(), plan.what).trial is not None:
        return _try_candidates(plan, [_weights_of(names, x) for x in asked], first, jobs, ray)
    runs = [_plan_match(plan, _weights_of(names, x), plan.rival, first, plan.seeds) for x in asked]
    played = _play_all(runs, jobs, ray)
    return [bootstrap_mean(_tuned_shares(games)).mean for games in played]


def _try_candidates(
    plan: TuningPlan, asked: list[dict[str, float]], first: int, jobs: int | None, ray: str | None
) -> list[float]:
    """The mean score of every candidate in its own quick games, each seed from every seat."""
    seats, seeds = range(plan.base.players), range(first, first + plan.seeds)
    work = [(i, plan, w, n, k) for i, w in enumerate(asked) for n in seeds for k in seats]
    scores: list[list[float]] = [[] for _ in asked]
    for i, score in pool.share_work(_run_trial, work, jobs=jobs, ray=ray):
        scores[i].append(score)
    return [math.fsum(found) / len(found) for found in scores]


def _run_trial(work: tuple[int, TuningPlan, dict[str, float], int, int]) -> tuple[int, float]:
    i, plan, weights, seed, seat = work
    trial = levels.find_tunable(plan.base.rules(), plan.what).trial
    assert trial is not None  # noqa: S101  # that is why we are here
    return i, trial(weights, plan.base.players, seed, seat)


def _plan_match(
    plan: TuningPlan, weights: dict[str, float], rival: str, first: int, seeds: int
) -> Tournament:
    """One tuned bot against rivals in all other seats."""
    start = levels.find_tunable(plan.base.rules(), plan.what).start if rival == plan.what else None
    entrants = (Entrant(TUNED_NAME, plan.what, weights), Entrant(RIVAL_NAME, rival, start))
    duel = (Duel(TUNED_NAME, RIVAL_NAME),)
    return replace(plan.base, entrants=entrants, designs=duel, first_seed=first, seeds=seeds)


def _play_all(
    runs: Sequence[Tournament], jobs: int | None, ray: str | None
) -> list[list[GameOutcome]]:
    work = [(i, run, pairing) for i, run in enumerate(runs) for pairing in run.schedule()]
    played: list[list[GameOutcome]] = [[] for _ in runs]
    for i, game in pool.share_work(_play_match, work, jobs=jobs, ray=ray):
        played[i].append(game)
    return [sorted(games, key=lambda g: g.id) for games in played]


def _play_match(work: tuple[int, Tournament, Any]) -> tuple[int, GameOutcome]:
    i, run, pairing = work
    return i, play_pairing(run, pairing).played


def _tuned_shares(games: Sequence[GameOutcome]) -> list[tuple[int, float]]:
    return values_by_name(games, TUNED_NAME, lambda game: game.shares)


def _check_weights(
    plan: TuningPlan, weights: dict[str, float], jobs: int | None, ray: str | None
) -> dict[str, Any]:
    """Results of the weights on fresh seeds, against the rival and against another bot."""
    first = plan.base.first_seed + plan.generations * plan.seeds
    measure = partial(_plan_match, plan, weights, first=first, seeds=plan.check_seeds)
    rivals = [plan.rival, plan.also]
    played = _play_all([measure(rival) for rival in rivals], jobs, ray)
    found: dict[str, MeanInterval] = {
        r: bootstrap_mean(_tuned_shares(games)) for r, games in zip(rivals, played, strict=True)
    }
    return {"equal": 1 / plan.base.players, **{r: m._asdict() for r, m in found.items()}}


def _write_weights(path: Path | None, found: TunedWeights) -> None:
    if path is not None:
        write_whole(path, json.dumps(asdict(found), indent=1) + "\n")


def _stored_run(path: Path | None, plan: TuningPlan, game: Game) -> TunedWeights | None:
    """The stored run to continue.

    The number of generations and the final check may differ: they do not affect the generations
    already played.
    """
    if path is None or not path.exists():
        return None
    found = read_weights(path)
    asked = replace(
        plan,
        generations=found.plan.generations,
        also=found.plan.also,
        check_seeds=found.plan.check_seeds,
    )
    same = asked == found.plan and found.rules_version == game.version
    if not same or len(found.history) > plan.generations:
        raise Unreadable("bots.other_plan", path=str(path))
    return found


def read_weights(path: Path) -> TunedWeights:
    """Weights with the run that made them, from a file."""
    try:
        return plain.load(TunedWeights, json.loads(path.read_text(encoding="utf-8")))
    except ValueError:
        raise Unreadable("bots.not_weights", path=str(path)) from None
