"""How strong the levels are: one bot of a level against the rest of another.

    python bench/ladder.py GAME FOLDER DUEL [DUEL ...] [--seconds N] [--jobs N]    # or: all
    python bench/ladder.py GAME FOLDER --report
    python bench/ladder.py GAME FOLDER [DUEL ...] --check

Every seed is played from every seat with the same luck. A run that was stopped goes on when the
same command is given again; `--report` writes what was played so far into the game's page,
`docs/reference/GAME-levels.md`, with its numbers, the version and a picture beside it. `--check` plays a few
games of every level against the one below, or only of the duels named, and fails if one does clearly worse
than the page says; `make release` runs it for all games, and `make ladder` plays everything and writes the pages.
"""

import argparse
import json
import re
import sys
import time
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import powderkeg
from powderkeg import games
from powderkeg.bots.arena import report
from powderkeg.bots.arena import tournament as arena
from powderkeg.bots.arena.tournament import Duel, GameOutcome, Tournament, TournamentFolder
from powderkeg.bots.process import pool

DOCS = Path(__file__).parent.parent / "docs"


@dataclass(frozen=True)
class Plan:
    """A duel: the one, the rest, how many seeds, players, and options of the game."""

    one: str
    rest: str
    seeds: int
    players: int = 4
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def table(self) -> str:
        return ", ".join([str(self.players), *(f"{k} {v}" for k, v in self.options.items())])


@dataclass(frozen=True)
class Ladder:
    """The duels of a game, and what decides them: the share of the score, or wins."""

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
        {
            "easy-random": _seven("easy", "random", 10),
            "normal-easy": _seven("normal", "easy", 10),
            "normal-random": _seven("normal", "random", 20, 1920),
            "hard-normal": _seven("hard", "normal", 20),
            "expert-normal": _seven("expert", "normal", 20),
            "expert-hard": _seven("expert", "hard", 10),
            "expert-former": _seven("expert", "former-expert", 10),
        },
        by="share",
        players=7,
        first_seed=7000,
        solo="diplomacy.ends.victory",
    ),
    "versailles": Ladder(
        {
            "easy-random": Plan("easy", "random", 10),
            "normal-easy": Plan("normal", "easy", 25),
            "hard-normal": Plan("hard", "normal", 50),
            "expert-hard": Plan("expert", "hard", 25),
            "expert-normal": Plan("expert", "normal", 25),
            "expert-former": Plan("expert", "former-expert", 25),
            "normal-random": Plan("normal", "random", 10),
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
        {
            "easy-random": Plan("easy", "random", 10),
            "normal-easy": Plan("normal", "easy", 10),
            "hard-normal": Plan("hard", "normal", 20),
            "expert-hard": Plan("expert", "hard", 20),
            "expert-former": Plan("expert", "former-expert", 20),
            "normal-easy-3": Plan("normal", "easy", 10, 3),
            "hard-normal-3": Plan("hard", "normal", 20, 3),
            "normal-easy-2": Plan("normal", "easy", 15, 2),
            "hard-normal-2": Plan("hard", "normal", 20, 2),
            "hard-normal-missions": Plan("hard", "normal", 20, options=MISSIONS),
            "normal-random": Plan("normal", "random", 10),
            "expert-normal": Plan("expert", "normal", 20),
        },
        by="wins",
        players=4,
        first_seed=9000,
    ),
}


def tournament(game: str, plan: Plan) -> Tournament:
    return arena.plan_tournament(
        games.find_game(game),
        {plan.one: plan.one, plan.rest: plan.rest},
        (Duel(plan.one, plan.rest),),
        players=plan.players,
        options=plan.options,
        seeds=plan.seeds,
        first_seed=LADDERS[game].first_seed,
    )


def play(game: str, path: Path, name: str, until: float, jobs: int | None) -> None:
    """Play what is missing, until the time is over."""
    asked = tournament(game, LADDERS[game].duels[name])
    folder = TournamentFolder(path / name, asked)
    done = folder.finished_games()
    left = [p for p in asked.schedule() if p.id not in done]
    for kept in pool.share_work(partial(arena.play_pairing, asked), left, jobs=jobs):
        folder.keep_game(kept)
        if time.monotonic() > until:
            break
    print(row(game, name, whole(folder)))


def whole(folder: TournamentFolder) -> list[GameOutcome]:
    """What counts: seeds that were played from every seat."""
    played = list(folder.finished_games().values())
    return [g for g in played if sum(o.seed == g.seed for o in played) == len(g.seats)]


# The page

HEAD = """| one | rest | players | games | share of the score (95%) | wins (95%) | outright | equal | verdict | ms | faults |
|---|---|---|---|---|---|---|---|---|---|---|"""
VERDICT = {"above": "stronger", "below": "weaker", "open": "open", "few": "too few seeds"}
MEASURED = re.compile(r"(?<=<!-- measured -->\n).*(?=<!-- /measured -->)", re.DOTALL)


def row(game: str, name: str, played: list[GameOutcome]) -> str:
    ladder, plan = LADDERS[game], LADDERS[game].duels[name]
    found = report.summarize_games(tournament(game, plan), played)
    duel = found["duels"][0]
    if not duel["games"]:
        return f"| {plan.one} | {plan.rest} | {plan.table} | 0 |" + " |" * 7
    cells = [
        plan.one,
        plan.rest,
        plan.table,
        str(duel["games"]),
        interval(duel["share"]),
        interval(duel["wins"]),
        str(sum(outright(each, plan.one, ladder.solo) for each in played)),
        f"{100 * duel['equal']:.1f}%",
        VERDICT[duel["clear"][("share", "wins").index(ladder.by)]],
        f"{found['times'][plan.one]['mean_ms']:.0f}",
        "none" if not found["faults"] else json.dumps(found["faults"]),
    ]
    return "| " + " | ".join(cells) + " |"


def interval(found: dict[str, float]) -> str:
    """The mean and its interval, where there are seeds enough for one."""
    few = found["blocks"] < report.FEWEST_SEEDS
    return f"{100 * found['mean']:.1f}% (too few seeds)" if few else report.percent_interval(found)


def outright(played: GameOutcome, one: str, solo: str) -> bool:
    won = played.wins[played.lineup.index(one)] == 1
    return won and solo in ("", played.why)


def write(game: str, path: Path) -> None:
    """Put the measured part into the page, its numbers and its picture beside it."""
    ladder = LADDERS[game]
    played = {
        name: whole(TournamentFolder(path / name, tournament(game, plan)))
        for name, plan in ladder.duels.items()
        if (path / name).exists()
    }
    played = {name: each for name, each in played.items() if each}
    found = {
        n: report.summarize_games(tournament(game, ladder.duels[n]), p) for n, p in played.items()
    }
    if not full(ladder, found):
        sys.exit(f"{path}: no duel of {ladder.players} players was played from every seat yet")
    parts = [
        f"```text\npython bench/ladder.py {game} FOLDER {' '.join(found)}\n```",
        f"Powderkeg {powderkeg.__version__}.",
        "\n".join([HEAD, *(row(game, name, played[name]) for name in found)]),
        f"![Strength](../images/{game}-levels.svg)",
        "By seat, in percent:",
        seats(ladder, found),
    ]
    page = DOCS / "reference" / f"{game}-levels.md"
    text = "\n" + "\n\n".join(parts) + "\n\n"
    page.write_text(MEASURED.sub(lambda _: text, page.read_text(encoding="utf-8")), "utf-8")
    page.with_suffix(".json").write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    picture = report.interval_chart(bars(ladder, found), 100 / ladder.players, "%")
    (DOCS / "images" / f"{game}-levels.svg").write_text(picture, "utf-8")


# Every level above `random`, with seeds: few where a level wins nearly always or games take minutes.
CHECKED_DUELS = {"easy-random": 3, "normal-easy": 5, "hard-normal": 5, "expert-hard": 5}
TOLERANCE = 0.5  # part of the recorded lead over an equal share that must be left


def check_levels(game: str, path: Path, jobs: int | None, names: list[str]) -> list[str]:
    """The duels in which a level lost more than half of the lead that the page reports."""
    recorded = json.loads((DOCS / "reference" / f"{game}-levels.json").read_text("utf-8"))
    worse = []
    for name in names or CHECKED_DUELS:
        if name not in recorded:
            sys.exit(f"{name}: not on the page of {game}; play it first, and --report it")
        began, now = time.monotonic(), play_check(game, path, name, jobs)
        by = LADDERS[game].by
        line = lost_lead(name, recorded[name]["duels"][0], now, by)
        verdict = "worse" if line else "well"
        print(f"{game} {name}: {now[by]['mean']:.1%}, {verdict} ({time.monotonic() - began:.0f} s)")
        worse += [line] if line else []
    return worse


def play_check(game: str, path: Path, name: str, jobs: int | None) -> dict[str, Any]:
    """A few games of a duel: how the one did."""
    seeds = CHECKED_DUELS.get(name, max(CHECKED_DUELS.values()))
    asked = tournament(game, replace(LADDERS[game].duels[name], seeds=seeds))
    folder = TournamentFolder(path / f"check-{name}", asked)
    left = [p for p in asked.schedule() if p.id not in folder.finished_games()]
    for kept in pool.share_work(partial(arena.play_pairing, asked), left, jobs=jobs):
        folder.keep_game(kept)
    duel: dict[str, Any] = report.summarize_games(asked, list(folder.finished_games().values()))[
        "duels"
    ][0]
    return duel


def lost_lead(name: str, before: dict[str, Any], now: dict[str, Any], by: str) -> str:
    """A line about a level that is worse than it was; empty if it is not."""
    least = before["equal"] + TOLERANCE * (before[by]["low"] - before["equal"])
    enough = now[by]["blocks"] >= report.FEWEST_SEEDS
    if now[by]["high" if enough else "mean"] >= least:  # what could be chance is no regression
        return ""
    return f"{name}: {now[by]['mean']:.1%}, at least {least:.1%} expected"


def full(ladder: Ladder, found: dict[str, Any]) -> dict[str, Any]:
    """The duels with the most players: only they have the same seats and the same equal share."""
    return {n: d["duels"][0] for n, d in found.items() if ladder.duels[n].players == ladder.players}


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


def main() -> None:
    args = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    args.add_argument("game", choices=LADDERS)
    args.add_argument("folder", type=Path)
    args.add_argument("duels", nargs="*")
    args.add_argument("--seconds", type=float, default=1e9)
    args.add_argument("--jobs", type=int, default=1)
    args.add_argument("--report", action="store_true")
    args.add_argument("--check", action="store_true")
    given = args.parse_args()
    if given.duels == ["all"]:
        given.duels = list(LADDERS[given.game].duels)
    if unknown := set(given.duels) - set(LADDERS[given.game].duels):
        args.error(f"{', '.join(sorted(unknown))}: none of {', '.join(LADDERS[given.game].duels)}")
    if given.check:
        found = check_levels(given.game, given.folder, given.jobs, given.duels)
        sys.exit("\n".join(found) or 0)
    if not given.duels and not given.report:
        args.error("name a duel, or --report")
    until = time.monotonic() + given.seconds
    for name in given.duels:
        play(given.game, given.folder, name, until, given.jobs)
    if given.report:
        write(given.game, given.folder)


if __name__ == "__main__":
    main()
