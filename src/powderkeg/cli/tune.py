"""Tuning the weights of a bot."""

from pathlib import Path
from typing import Annotated

import typer

from powderkeg import games
from powderkeg.bots import levels
from powderkeg.bots.arena import tuning
from powderkeg.bots.arena.tournament import Tournament
from powderkeg.cli.arena import Jobs, Opts, Ray, need_arena
from powderkeg.cli.complete import GameName
from powderkeg.cli.options import read_options
from powderkeg.cli.say import Lang, console, t, use_language
from powderkeg.core import plain
from powderkeg.core.game import game_reference


def tune_bot(
    game: GameName,
    what: Annotated[
        str, typer.Argument(help="What to tune: one of the game's bots, or module:name.")
    ],
    out: Annotated[
        Path, typer.Argument(help="File for the weights; an interrupted run continues.")
    ],
    *,
    rival: Annotated[
        str | None, typer.Option(help="The opponent; default: the bot with its present weights.")
    ] = None,
    also: Annotated[str, typer.Option(help="A second opponent for the final check.")] = "random",
    generations: Annotated[int, typer.Option(min=1, help="Rounds of the search.")] = 10,
    population: Annotated[int, typer.Option(min=4, help="Candidates per round.")] = 12,
    seeds: Annotated[
        int, typer.Option(min=1, help="Seeds per candidate; each is played from every seat.")
    ] = 4,
    check_seeds: Annotated[int, typer.Option(min=2, help="Fresh seeds for the final check.")] = 20,
    sigma: Annotated[
        float, typer.Option(min=0.001, help="How widely the first round varies the weights.")
    ] = 0.5,
    seed: Annotated[
        int, typer.Option(min=0, max=2**32 - 1, help="Equal seeds give equal weights.")
    ] = 0,
    players: Annotated[int | None, typer.Option(help="How many seats; default: the most.")] = None,
    option: Opts = None,
    jobs: Jobs = None,
    ray: Ray = None,
    cap: Annotated[int, typer.Option(min=1, help="Stop a game after this many entries.")] = 20_000,
    lang: Lang = None,
) -> None:
    """Tune the weights of a bot with CMA-ES and check them on fresh seeds."""
    use_language(lang)
    need_arena(ray)
    rules = games.find_game(game)
    options = plain.dump(read_options(rules, option or []))
    if levels.find_tunable(rules, what).trial is not None and (rival or option):
        console.print(t("bots.trial_alone", name=what), markup=False)
    base = Tournament(
        game_reference(rules), players or rules.players[-1], (), (), options=options, cap=cap
    )
    plan = tuning.TuningPlan(
        base, what, rival or what, also, generations, population, seeds, check_seeds, sigma, seed
    )

    def print_generation(number: int, generation: tuning.Generation) -> None:
        best, middle = max(generation.scores), sum(generation.scores) / len(generation.scores)
        line = t("bots.generation", n=number + 1, best=f"{best:.3f}", mean=f"{middle:.3f}")
        console.print(line, markup=False)

    found = tuning.tune_weights(plan, path=out, jobs=jobs, ray=ray, on_generation=print_generation)
    for name in dict.fromkeys((plan.rival, plan.also)):
        m = found.check[name]
        share, low, high = (f"{100 * m[key]:.1f}" for key in ("mean", "low", "high"))
        line = t("bots.checked", rival=name, share=share, low=low, high=high, n=m["n"])
        console.print(line, markup=False)
    console.print(t("bots.weights_at", path=str(out)), markup=False)
