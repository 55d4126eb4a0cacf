"""How strong the levels are: one bot of a level against the rest of another, or of a reference.

    python bench/ladder.py GAME FOLDER DUEL [DUEL ...] [--seconds N] [--jobs N]    # or: all
    python bench/ladder.py GAME FOLDER --report
    python bench/ladder.py GAME FOLDER [DUEL ...] --check
    ... --release PYTHON

Every seed is played from every seat with the same luck. A run that was stopped goes on when the
same command is given again; `--report` writes what was played so far into the game's page,
`docs/reference/GAME-levels.md`, with its numbers, the version and a picture beside it; duels that were
not played this time stay as they are there. `--check` plays every level against the one below, or only
the duels named, seed by seed until it is clear whether the level still has the lead that the page
reports, and fails if one has not; `make release` runs it for all games, and `make ladder` plays everything
and writes the pages. `--release` adds duels of every level against the same level of another installed
Powderkeg, whose interpreter it names.
"""

import argparse
import json
import re
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import powderkeg
from powderkeg import bots, games
from powderkeg.bots.arena import report
from powderkeg.bots.arena import tournament as arena
from powderkeg.bots.arena.sequential import LeadTest
from powderkeg.bots.arena.tournament import Duel, GameOutcome, Tournament, TournamentFolder
from powderkeg.bots.process import pool, releases

DOCS = Path(__file__).parent.parent / "docs"


@dataclass(frozen=True)
class Plan:
    """A duel: the one, the rest, how many seeds, players, and options of the game. `python` is the
    interpreter of the release that plays the rest."""

    one: str
    rest: str
    seeds: int
    players: int = 4
    options: dict[str, Any] = field(default_factory=dict)
    python: str = ""

    @property
    def table(self) -> str:
        return ", ".join([str(self.players), *(f"{k} {v}" for k, v in self.options.items())])


@dataclass(frozen=True)
class Ladder:
    """The duels of a game, and what decides them: the share of the score, or wins."""

    game: str
    duels: dict[str, Plan]
    by: Literal["share", "wins"]
    players: int
    first_seed: int = 0
    solo: str = ""  # the ending that counts as a win outright, where there are others


def _seven(one: str, rest: str, seeds: int, last: int = 1910) -> Plan:
    return Plan(one, rest, seeds, 7, {"last_year": last})


MISSIONS = {"missions": True, "rounds": 15}
LADDERS = {
    "diplomacy": Ladder(
        "diplomacy",
        {
            "easy-random": _seven("easy", "random", 10),
            "normal-easy": _seven("normal", "easy", 10),
            "normal-random": _seven("normal", "random", 20, 1920),
            "hard-normal": _seven("hard", "normal", 20),
            "expert-normal": _seven("expert", "normal", 20),
            "expert-hard": _seven("expert", "hard", 10),
            "expert-former": _seven("expert", "former-expert", 10),
            "former-hard": _seven("former-expert", "hard", 10),
            "former-normal": _seven("former-expert", "normal", 20),
            "normal-dumbbot": _seven("normal", "dumbbot", 10),
            "normal-greedy": _seven("normal", "greedy", 10),
            "hard-dumbbot": _seven("hard", "dumbbot", 10),
        },
        by="share",
        players=7,
        first_seed=7000,
        solo="diplomacy.ends.victory",
    ),
    "versailles": Ladder(
        "versailles",
        {
            "easy-random": Plan("easy", "random", 10),
            "normal-easy": Plan("normal", "easy", 25),
            "hard-normal": Plan("hard", "normal", 50),
            "expert-hard": Plan("expert", "hard", 25),
            "expert-normal": Plan("expert", "normal", 25),
            "expert-former": Plan("expert", "former-expert", 25),
            "former-hard": Plan("former-expert", "hard", 25),
            "former-hard-3": Plan("former-expert", "hard", 50, 3),
            "former-hard-2": Plan("former-expert", "hard", 25, 2),
            "normal-random": Plan("normal", "random", 10),
            "normal-greedy": Plan("normal", "greedy", 10),
            "normal-easy-3": Plan("normal", "easy", 25, 3),
            "hard-normal-3": Plan("hard", "normal", 25, 3),
            "expert-hard-3": Plan("expert", "hard", 50, 3),
            "normal-easy-2": Plan("normal", "easy", 25, 2),
            "hard-normal-2": Plan("hard", "normal", 25, 2),
            "expert-hard-2": Plan("expert", "hard", 25, 2),
        },
        by="wins",
        players=4,
    ),
    "risk_europe": Ladder(
        "risk_europe",
        {
            "easy-random": Plan("easy", "random", 10),
            "normal-easy": Plan("normal", "easy", 10),
            "hard-normal": Plan("hard", "normal", 20),
            "expert-hard": Plan("expert", "hard", 20),
            "expert-former": Plan("expert", "former-expert", 20),
            "former-hard": Plan("former-expert", "hard", 20),
            "normal-easy-3": Plan("normal", "easy", 10, 3),
            "hard-normal-3": Plan("hard", "normal", 20, 3),
            "normal-easy-2": Plan("normal", "easy", 15, 2),
            "hard-normal-2": Plan("hard", "normal", 20, 2),
            "hard-normal-missions": Plan("hard", "normal", 20, options=MISSIONS),
            "normal-random": Plan("normal", "random", 10),
            "normal-greedy": Plan("normal", "greedy", 10),
            "expert-normal": Plan("expert", "normal", 20),
        },
        by="wins",
        players=4,
        first_seed=9000,
    ),
}


RELEASE_SEEDS = {7: 6, 4: 15}  # by players


def with_release(ladder: Ladder, python: str) -> Ladder:
    """The ladder with duels of every level against the same level of another release."""
    version = releases.release_version(python)
    options = {"last_year": 1910} if ladder.game == "diplomacy" else {}
    seeds, players = RELEASE_SEEDS[ladder.players], ladder.players
    duels = {
        f"{level}-release": Plan(level, f"{level} of {version}", seeds, players, options, python)
        for level in bots.LEVEL_NAMES[1:]
    }
    return replace(ladder, duels=ladder.duels | duels)


def tournament(ladder: Ladder, plan: Plan) -> Tournament:
    rest = f"{plan.one}@{plan.python}" if plan.python else plan.rest
    return arena.plan_tournament(
        games.find_game(ladder.game),
        {plan.one: plan.one, plan.rest: rest},
        (Duel(plan.one, plan.rest),),
        players=plan.players,
        options=plan.options,
        seeds=plan.seeds,
        first_seed=ladder.first_seed,
    )


def play(ladder: Ladder, path: Path, name: str, until: float, jobs: int | None) -> None:
    """Play what is missing, until the time is over."""
    asked = tournament(ladder, ladder.duels[name])
    folder = TournamentFolder(path / name, asked)
    done = folder.finished_games()
    left = [p for p in asked.schedule() if p.id not in done]
    for kept in pool.share_work(partial(arena.play_pairing, asked), left, jobs=jobs):
        folder.keep_game(kept)
        if time.monotonic() > until:
            break
    print(row(ladder, name, summary(ladder, name, whole(folder))))


def whole(folder: TournamentFolder) -> list[GameOutcome]:
    """What counts: seeds that were played from every seat."""
    played = list(folder.finished_games().values())
    return [g for g in played if sum(o.seed == g.seed for o in played) == len(g.seats)]


# The page

HEAD = """| one | rest | players | games | share of the score (95%) | wins (95%) | outright | equal | verdict | ms | faults | version |
|---|---|---|---|---|---|---|---|---|---|---|---|"""
VERDICT = {"above": "stronger", "below": "weaker", "open": "open", "few": "too few seeds"}
MEASURED = re.compile(r"(?<=<!-- measured -->\n).*(?=<!-- /measured -->)", re.DOTALL)


def summary(ladder: Ladder, name: str, played: list[GameOutcome]) -> dict[str, Any]:
    """The numbers of a duel, as the page keeps them."""
    plan = ladder.duels[name]
    won = sum(outright(each, plan.one, ladder.solo) for each in played)
    found = report.summarize_games(tournament(ladder, plan), played)
    return found | {"outright": won, "table": plan.table, "version": powderkeg.__version__}


def row(ladder: Ladder, name: str, found: dict[str, Any]) -> str:
    duel = found["duels"][0]
    one, rest = duel["a"], duel["b"]
    if not duel["games"]:
        return f"| {one} | {rest} | {found['table']} | 0 |" + " |" * 8
    cells = [
        one,
        rest,
        found["table"],
        str(duel["games"]),
        interval(duel["share"]),
        interval(duel["wins"]),
        str(found["outright"]),
        f"{100 * duel['equal']:.1f}%",
        VERDICT[duel["clear"][("share", "wins").index(ladder.by)]],
        f"{found['times'][one]['mean_ms']:.0f}",
        "none" if not found["faults"] else json.dumps(found["faults"]),
        found["version"],
    ]
    return "| " + " | ".join(cells) + " |"


def interval(found: dict[str, float]) -> str:
    """The mean and its interval, where there are seeds enough for one."""
    few = found["blocks"] < report.FEWEST_SEEDS
    return f"{100 * found['mean']:.1f}% (too few seeds)" if few else report.percent_interval(found)


def outright(played: GameOutcome, one: str, solo: str) -> bool:
    won = played.wins[played.lineup.index(one)] == 1
    return won and solo in ("", played.why)


def levels_page(game: str) -> Path:
    return DOCS / "reference" / f"{game}-levels.md"


def recorded_duels(game: str) -> dict[str, Any]:
    """The numbers on the page."""
    stored = levels_page(game).with_suffix(".json")
    found: dict[str, Any] = json.loads(stored.read_text("utf-8")) if stored.exists() else {}
    return found


def write(ladder: Ladder, path: Path) -> None:
    """Put what was played into the page, its numbers and its picture beside it."""
    found = recorded_duels(ladder.game)
    for name, plan in ladder.duels.items():
        if (path / name).exists():
            played = whole(TournamentFolder(path / name, tournament(ladder, plan)))
            found |= {name: summary(ladder, name, played)} if played else {}
    order = [*ladder.duels, *found]
    found = {name: found[name] for name in dict.fromkeys(order) if name in found}
    if not full(ladder, found):
        sys.exit(f"{path}: no duel of {ladder.players} players was played from every seat yet")
    here = [name for name in found if not name.endswith("-release")]  # others need an interpreter
    parts = [
        f"```text\npython bench/ladder.py {ladder.game} FOLDER {' '.join(here)}\n```",
        "\n".join([HEAD, *(row(ladder, name, each) for name, each in found.items())]),
        f"![Strength](../images/{ladder.game}-levels.svg)",
        "By seat, in percent:",
        seats(ladder, found),
    ]
    page = levels_page(ladder.game)
    text = "\n" + "\n\n".join(parts) + "\n\n"
    page.write_text(MEASURED.sub(lambda _: text, page.read_text(encoding="utf-8")), "utf-8")
    page.with_suffix(".json").write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    picture = report.interval_chart(bars(ladder, found), 100 / ladder.players, "%")
    (DOCS / "images" / f"{ladder.game}-levels.svg").write_text(picture, "utf-8")


def full(ladder: Ladder, found: dict[str, Any]) -> dict[str, Any]:
    """The duels with the most players: only they have the same seats and the same equal share."""
    return {n: each["duels"][0] for n, each in found.items() if each["players"] == ladder.players}


def seats(ladder: Ladder, found: dict[str, Any]) -> str:
    duels = full(ladder, found)
    names = list(next(iter(duels.values()))["seats"])
    lines = ["| one - rest | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for name, duel in duels.items():
        held = (f"{100 * seat[ladder.by]:.0f}" for seat in duel["seats"].values())
        lines.append(f"| {name} | " + " | ".join(held) + " |")
    return "\n".join(lines)


def bars(ladder: Ladder, found: dict[str, Any]) -> list[tuple[str, float, float, float]]:
    return [
        (name, *(100 * m[key] for key in ("low", "mean", "high")))
        for name, duel in full(ladder, found).items()
        if (m := duel[ladder.by])["blocks"] >= report.FEWEST_SEEDS
    ]


# The check

CHECKED_DUELS = ("easy-random", "normal-easy", "hard-normal", "expert-hard")
PROMISED = 1.7  # equal shares that every level gets against the one below
SUREST = 0.99  # a level that won every game on the page may lose one some day


def lead_test(ladder: Ladder, plan: Plan, recorded: dict[str, Any]) -> LeadTest:
    """What a level must keep: at least the low end of the interval on the page (what every level promises,
    where there were few seeds or none), and not an equal share; against the same level of another release
    an equal share, and not half of it."""
    equal = 1 / plan.players
    if plan.python:
        return LeadTest(kept=equal, lost=equal / 2)
    found = recorded["duels"][0][ladder.by] if recorded else {"blocks": 0}
    least = found["low"] if found["blocks"] >= report.FEWEST_SEEDS else PROMISED * equal
    return LeadTest(kept=min(SUREST, least), lost=equal)


def check_duel(ladder: Ladder, path: Path, name: str, test: LeadTest, jobs: int | None) -> bool:
    """Play seed by seed until it is clear whether a level kept its lead; what is not clear when the
    seeds of the page are used up is decided by what is likelier."""
    began, plan = time.monotonic(), ladder.duels[name]
    results: list[float] = []
    for seeds in range(1, plan.seeds + 1):
        asked = tournament(ladder, replace(plan, seeds=seeds))
        folder = TournamentFolder(path / f"check-{name}", asked)
        done = folder.finished_games()
        refuse_faults(name, done.values())
        left = [p for p in asked.schedule() if p.id not in done]
        for kept in pool.share_work(partial(arena.play_pairing, asked), left, jobs=jobs):
            refuse_faults(name, [kept.played])
            folder.keep_game(kept)
        results = [single_result(ladder, plan, each) for each in whole(folder)]
        if test.judge_results(results) != "open":
            break
    well = test.weigh_results(results) >= 0
    mean = sum(results) / len(results)
    said = f"{mean:.1%} in {len(results)} games ({test.kept:.1%} expected, {test.lost:.1%} is lost)"
    print(f"{ladder.game} {name}: {said}, {'kept' if well else 'lost'}", end=" ")
    print(f"({time.monotonic() - began:.0f} s)", flush=True)
    return well


def refuse_faults(name: str, played: Iterable[GameOutcome]) -> None:
    """End the check if a bot failed to answer: then its games measure nothing."""
    for each in played:
        if each.faults:
            sys.exit(f"{name}: bots failed to answer: {json.dumps(each.faults)}")


def single_result(ladder: Ladder, plan: Plan, played: GameOutcome) -> float:
    """The share or the win of the one."""
    values = played.shares if ladder.by == "share" else played.wins
    return values[played.lineup.index(plan.one)]


def check_levels(ladder: Ladder, path: Path, jobs: int | None, names: list[str]) -> list[str]:
    """The duels in which a level no longer has its lead."""
    recorded = recorded_duels(ladder.game)
    released = [name for name, plan in ladder.duels.items() if plan.python]
    worse = []
    for name in names or [*CHECKED_DUELS, *released]:
        plan = ladder.duels[name]
        test = lead_test(ladder, plan, recorded.get(name, {}))
        if test.kept <= test.lost:
            sys.exit(f"{name}: the page of {ladder.game} shows no lead that could be checked")
        worse += [] if check_duel(ladder, path, name, test, jobs) else [f"{name}: lost its lead"]
    return worse


def main() -> None:
    args = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    args.add_argument("game", choices=LADDERS)
    args.add_argument("folder", type=Path)
    args.add_argument("duels", nargs="*")
    args.add_argument("--seconds", type=float, default=1e9)
    args.add_argument("--jobs", type=int, default=1)
    args.add_argument("--release", default="", metavar="PYTHON")
    args.add_argument("--report", action="store_true")
    args.add_argument("--check", action="store_true")
    given = args.parse_args()
    ladder = LADDERS[given.game]
    ladder = with_release(ladder, given.release) if given.release else ladder
    if given.duels == ["all"]:
        given.duels = list(ladder.duels)
    if unknown := set(given.duels) - set(ladder.duels):
        args.error(f"{', '.join(sorted(unknown))}: none of {', '.join(ladder.duels)}")
    if given.check:
        found = check_levels(ladder, given.folder, given.jobs, given.duels)
        sys.exit("\n".join(found) or 0)
    if not given.duels and not given.report:
        args.error("name a duel, or --report")
    until = time.monotonic() + given.seconds
    for name in given.duels:
        play(ladder, given.folder, name, until, given.jobs)
    if given.report:
        write(ladder, given.folder)


if __name__ == "__main__":
    main()
