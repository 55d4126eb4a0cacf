"""How strong Versailles' levels are: one of a level against the rest of another.

    python bench/versailles_ladder.py FOLDER DUEL [DUEL ...] [--seconds N] [--jobs N]
    python bench/versailles_ladder.py FOLDER --report docs/reference/versailles-levels.md

Every seed is played from every seat with the same luck. A run that was stopped goes on when the
same command is given again; `--report` writes the page from what was played so far.
"""

import argparse
import json
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from powderkeg.bots import arena, pool, report
from powderkeg.bots.arena import Duel, Folder, Played, Tournament
from powderkeg.games import versailles


@dataclass(frozen=True)
class Plan:
    """A duel: the one, the rest, players, seeds."""

    one: str
    rest: str
    players: int = 4
    seeds: int = 25


DUELS = {
    "easy-random": Plan("easy", "random", seeds=10),
    "normal-easy": Plan("normal", "easy"),
    "hard-normal": Plan("hard", "normal"),
    "expert-hard": Plan("expert", "hard"),
    "expert-normal": Plan("expert", "normal"),
    "normal-easy-3": Plan("normal", "easy", 3),
    "hard-normal-3": Plan("hard", "normal", 3),
    "normal-easy-2": Plan("normal", "easy", 2),
    "hard-normal-2": Plan("hard", "normal", 2),
}


def tournament(plan: Plan) -> Tournament:
    return arena.tournament(
        versailles,
        {plan.one: plan.one, plan.rest: plan.rest},
        (Duel(plan.one, plan.rest),),
        players=plan.players,
        seeds=plan.seeds,
    )


def play(path: Path, name: str, until: float, jobs: int | None) -> None:
    asked = tournament(DUELS[name])
    folder = Folder(path / name, asked)
    done = folder.done()
    left = (p for p in asked.schedule() if p.id not in done and time.monotonic() < until)
    for kept in pool.run(partial(arena.play, asked), list(left), jobs=jobs):
        folder.keep(kept)
        done[kept.played.id] = kept.played
        if time.monotonic() > until:
            break
    print(row(name, whole(list(done.values()))))


def whole(games: list[Played]) -> list[Played]:
    """Seeds that were not played from every seat do not count."""
    return [g for g in games if sum(o.seed == g.seed for o in games) == len(g.seats)]


def summary(name: str, games: list[Played]) -> dict[str, Any]:
    return report.summary(tournament(DUELS[name]), games)


VERDICT = {"above": "stronger", "below": "weaker", "open": "open"}


def row(name: str, games: list[Played]) -> str:
    plan, found = DUELS[name], summary(name, games)
    duel = found["duels"][0]
    if not duel["games"]:
        return f"| {plan.one} | {plan.rest} | {plan.players} | 0 | | | | | |"
    cells = [
        plan.one,
        plan.rest,
        str(plan.players),
        str(duel["games"]),
        report.percent(duel["wins"]),
        f"{100 * duel['equal']:.0f}%",
        VERDICT[duel["clear"][1]],
        f"{found['times'][plan.one]['mean_ms']:.0f}",
        "none" if not found["faults"] else json.dumps(found["faults"]),
    ]
    return "| " + " | ".join(cells) + " |"


HEAD = """| one | the rest | players | games | wins (95%) | equal | verdict | ms a decision | faults |
|---|---|---|---|---|---|---|---|---|"""

PAGE = """# Versailles' levels

One bot of a level against the rest of another; every seed is played from every seat, with the same luck.
Intervals are from a bootstrap over seeds; *stronger* is said only when there are at least five seeds and the
whole interval is above equal strength. Bots think by iterations, not by the clock, so the same command gives
the same games everywhere:

```text
python bench/versailles_ladder.py FOLDER {duels}
python bench/versailles_ladder.py FOLDER --report docs/reference/versailles-levels.md
```

{table}

![Wins](../images/versailles-levels.svg)

Times were taken on a machine that had much other work to do. Everything in numbers is in
[versailles-levels.json](versailles-levels.json).

## How they think

- `easy` is `normal` with one decision in three left to luck; it answers offers and makes none.
- `normal` takes what gains most at once: the political action by formula, all else one action ahead, by a value
  of the position whose weights were set by hand.
- `hard` does so with learnt weights. Once the game end is near the top of the deck it plays each of the few best
  actions on to the end of the game, all with the same luck, and leaves its first thought only for what is
  better by more than the doubt about it.
- `expert` does the same with ten times as many games played on, and begins earlier.

The value is what each nation may expect at the end, line by line of the score sheet. The learnt weights
(`weights.json`) come from least squares on games of the quick player against itself: 240 games in two rounds.
Without search they won 39% (28-50) of 80 games against three with the weights set by hand.

Deals are weighed by the same value: what the turn comes to with the deal and without it. Of the deals that
both gain from, the one with the greatest product of gains is offered, at most one a turn. Offers of others are
accepted if they help, and countered or refused with a reason if not; whoever leads the game must give at
least half of what it takes.
"""


def write(path: Path, page: Path) -> None:
    """The page, its numbers and its picture."""
    played = {
        name: whole(list(Folder(path / name, tournament(plan)).done().values()))
        for name, plan in DUELS.items()
        if (path / name).exists()
    }
    found = {name: summary(name, games) for name, games in played.items() if games}
    table = "\n".join([HEAD, *(row(name, played[name]) for name in found)])
    bars = []
    for name, each in found.items():
        wins = each["duels"][0]["wins"]
        bars.append((name, *(100 * wins[key] for key in ("low", "mean", "high"))))
    page.write_text(PAGE.format(duels=" ".join(found), table=table), encoding="utf-8")
    page.with_suffix(".json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    picture = page.parent.parent / "images" / "versailles-levels.svg"
    picture.write_text(report.chart(bars, 25.0, "%"), encoding="utf-8")


def main() -> None:
    args = argparse.ArgumentParser()
    args.add_argument("folder", type=Path)
    args.add_argument("duels", nargs="*", choices=[[], *DUELS])
    args.add_argument("--seconds", type=float, default=1e9)
    args.add_argument("--jobs", type=int)
    args.add_argument("--report", type=Path)
    given = args.parse_args()
    until = time.monotonic() + given.seconds
    for name in given.duels:
        play(given.folder, name, until, given.jobs)
    if given.report:
        write(given.folder, given.report)


if __name__ == "__main__":
    main()
