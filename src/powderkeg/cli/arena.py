"""Tournaments between bots, and their report."""

import json
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from powderkeg import games
from powderkeg.bots import levels
from powderkeg.bots.arena import report
from powderkeg.bots.arena import tournament as arenas
from powderkeg.bots.arena.tournament import Duel, Mixed, Tournament
from powderkeg.bots.process import pool
from powderkeg.cli.complete import GameName
from powderkeg.cli.options import read_options
from powderkeg.cli.say import Lang, console, t, use_language
from powderkeg.core import plain
from powderkeg.core.errors import Unreadable
from powderkeg.core.extras import need_extra

Jobs = Annotated[int | None, typer.Option(min=1, help="Processes; default: all cores.")]
Ray = Annotated[str | None, typer.Option(help="Address of a Ray cluster, or local.")]
Opts = Annotated[
    list[str] | None, typer.Option("--option", "-o", help="An option of the game, name=value.")
]


def play_arena(
    game: GameName,
    *,
    a: Annotated[
        list[str] | None,
        typer.Option(help="A bot: a level, model:NAME or module:name; repeat for more."),
    ] = None,
    b: Annotated[list[str] | None, typer.Option(help="The opponent; repeat for more.")] = None,
    mixed: Annotated[
        str | None, typer.Option(help="Tables that mix these bots, separated by commas.")
    ] = None,
    ladder: Annotated[bool, typer.Option(help="Each level against the one below.")] = False,
    seeds: Annotated[
        int, typer.Option(min=1, help="How many seeds; each is played from every seat.")
    ] = 10,
    first_seed: Annotated[int, typer.Option(min=0, help="The first seed.")] = 0,
    players: Annotated[int | None, typer.Option(help="How many seats; default: the most.")] = None,
    option: Opts = None,
    out: Annotated[Path | None, typer.Option(help="Folder for the games and the report.")] = None,
    jobs: Jobs = None,
    ray: Ray = None,
    timed: Annotated[
        bool,
        typer.Option(help="Limit thinking by the clock, too; results then differ from run to run."),
    ] = False,
    seconds: Annotated[
        float, typer.Option(min=1, help="Seconds a module:name may take per decision.")
    ] = 60.0,
    cap: Annotated[int, typer.Option(min=1, help="Stop a game after this many entries.")] = 20_000,
    talk: Annotated[int, typer.Option(min=0, max=20, help="Rounds of negotiation per phase.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
    lang: Lang = None,
) -> None:
    """Play a tournament: one against the rest and the rest against one, every seed from every seat.

    An interrupted run continues when you give the same command again.
    """
    language = use_language(lang)
    need_arena(ray)
    rules = games.find_game(game)
    designs = _plan_designs(a or [], b or [], mixed, ladder=ladder)
    asked = arenas.plan_tournament(
        rules,
        _bot_names(designs),
        designs,
        players=players,
        options=plain.dump(read_options(rules, option or [])),
        seeds=seeds,
        first_seed=first_seed,
        exact=not timed,
        seconds=seconds,
        cap=cap,
        talk=talk,
    )
    folder = arenas.TournamentFolder(out or Path("arena") / rules.name, asked)
    played = play_missing(asked, folder, jobs, ray, quiet=as_json)
    found = report.summarize_games(asked, played)
    write_report(folder.path, found, language)
    if as_json:
        print(json.dumps(found))
    else:
        _print_report(found, folder.path, language)


def _print_report(found: dict[str, Any], folder: Path, lang: str) -> None:
    console.print(report.report_page(found, lang), markup=False, soft_wrap=True)
    console.print(t("bots.report_at", path=str(folder / "report.md")), markup=False)


def _bot_names(designs: Iterable[arenas.Design]) -> dict[str, str]:
    """The bots of all designs, each known by its own name."""
    names = (n for d in designs for n in (d.names if isinstance(d, Mixed) else (d.a, d.b)))
    return {name: name for name in names}


def need_arena(ray: str | None) -> None:
    """Refuse before any game is played if an extra is missing."""
    need_extra("arena", "cmaes", "numpy", "openskill")
    if ray is not None:
        need_extra("cluster", "ray")


def _plan_designs(
    a: list[str], b: list[str], mixed: str | None, *, ladder: bool
) -> tuple[arenas.Design, ...]:
    """One against the rest, and the rest against one."""
    pairs = [(one, other) for one in a for other in b]
    if ladder:
        pairs += list(zip(levels.LEVEL_NAMES[1:], levels.LEVEL_NAMES, strict=False))
    found: list[arenas.Design] = [d for x, y in pairs for d in (Duel(x, y), Duel(y, x))]
    if mixed:
        found.append(Mixed(tuple(name.strip() for name in mixed.split(","))))
    if not found:
        raise Unreadable("bots.nobody_plays")
    return tuple(dict.fromkeys(found))


def play_missing(
    asked: Tournament,
    folder: arenas.TournamentFolder,
    jobs: int | None,
    ray: str | None,
    *,
    quiet: bool,
) -> list[arenas.GameOutcome]:
    """Play what is missing; results in the order of the schedule."""
    done = folder.finished_games()
    schedule = asked.schedule()
    left = [p for p in schedule if p.id not in done]
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=quiet,
    )
    with bar:
        task = bar.add_task(
            t("cli.playing"), total=len(schedule), completed=len(schedule) - len(left)
        )
        for kept in pool.share_work(partial(arenas.play_pairing, asked), left, jobs=jobs, ray=ray):
            folder.keep_game(kept)
            done[kept.played.id] = kept.played
            bar.advance(task)
    return [done[p.id] for p in schedule]


def write_report(path: Path, found: dict[str, Any], lang: str) -> None:
    """The report, for people and for programs."""
    (path / "report.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    (path / "report.md").write_text(report.report_page(found, lang), encoding="utf-8")
    for name, picture in report.report_pictures(found).items():
        (path / name).write_text(picture, encoding="utf-8")
