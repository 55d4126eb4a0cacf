"""How strong Diplomacy's levels are: one of a level against six of another, every seed from every seat.

    python bench/diplomacy_ladder.py FOLDER DUEL [DUEL ...] [--seconds N] [--backwards]
    python bench/diplomacy_ladder.py FOLDER --report PAGE

A run that was stopped goes on when the same command is given again; `--seconds` stops it after the
game that is being played. `--report` writes the page in docs from what was played so far.
"""

import argparse
import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from powderkeg.bots import arena, report
from powderkeg.bots.arena import Duel, Folder, Played, Tournament
from powderkeg.games import diplomacy


@dataclass(frozen=True)
class Plan:
    """A duel: the one, the rest, how many seeds, the last year."""

    one: str
    rest: str
    seeds: int
    last: int = 1910


DUELS = {
    "easy-random": Plan("easy", "random", 10),
    "normal-easy": Plan("normal", "easy", 10),
    "normal-random": Plan("normal", "random", 20, 1920),
    "hard-normal": Plan("hard", "normal", 20),
    "expert-normal": Plan("expert", "normal", 20),
    "expert-hard": Plan("expert", "hard", 10),
}


def tournament(plan: Plan) -> Tournament:
    return arena.tournament(
        diplomacy,
        {plan.one: plan.one, plan.rest: plan.rest},
        (Duel(plan.one, plan.rest),),
        options={"last_year": plan.last},
        seeds=plan.seeds,
        first_seed=7000,
    )


def play(path: Path, name: str, until: float, *, backwards: bool) -> None:
    """Play what is missing; a second process may come from the other end."""
    asked = tournament(DUELS[name])
    folder = Folder(path / name, asked)
    schedule = asked.schedule()
    for pairing in reversed(schedule) if backwards else schedule:
        there = (folder.path / "games" / f"{pairing.id}.jsonl").exists()
        if not there and time.monotonic() < until:
            folder.keep(arena.play(asked, pairing))
    print(row(name, whole(list(folder.done().values()))))


def summary(name: str, games: list[Played]) -> dict[str, Any]:
    return report.summary(tournament(DUELS[name]), games)


def whole(games: list[Played]) -> list[Played]:
    """Seeds that were not played from every seat do not count."""
    return [g for g in games if sum(o.seed == g.seed for o in games) == len(g.seats)]


def row(name: str, games: list[Played]) -> str:
    plan, found = DUELS[name], summary(name, games)
    duel = found["duels"][0]
    if not duel["games"]:
        return f"| {plan.one} | {plan.rest} | {plan.last} | 0 | | | | | |"
    cells = [
        plan.one,
        plan.rest,
        str(plan.last),
        str(duel["games"]),
        interval(duel["share"]),
        f"{solos(games, plan.one)} of {len(games)}",
        interval(duel["wins"]),
        f"{found['times'][plan.one]['mean_ms']:.0f}",
        "none" if not found["faults"] else json.dumps(found["faults"]),
    ]
    return "| " + " | ".join(cells) + " |"


def interval(found: dict[str, float]) -> str:
    """The mean and its interval, where there are seeds enough for one."""
    if found["blocks"] < report.FEWEST:
        return f"{100 * found['mean']:.1f}% (too few seeds)"
    return report.percent(found)


def solos(games: list[Played], name: str) -> int:
    """Games that the single seat won outright."""
    won = [g for g in games if g.why == "diplomacy.ends.victory"]
    return sum(g.wins[g.lineup.index(name)] == 1 for g in won)


HEAD = """| one | six | to | games | share of the sum of squares (95%) | solos | first places (95%) | ms an order | faults |
|---|---|---|---|---|---|---|---|---|"""

PAGE = """# Diplomacy's levels

One bot of a level against six of another; every seed is played from every seat, with the same luck. An equal
share is 14.3%. Games end with a solo or after the last year. Intervals are from a bootstrap over seeds.
Bots think by iterations, not by the clock, so the same command gives the same games everywhere:

```text
python bench/diplomacy_ladder.py FOLDER {duels}
python bench/diplomacy_ladder.py FOLDER --report docs/reference/diplomacy-levels.md
```

{table}

![Shares](../images/diplomacy-levels.svg)

By seat, the share of the one:

{seats}

Times were taken on a machine that had other work to do, with the compiled kernel (extra `fast`), and are a
turn's planning divided by its orders. Everything in numbers is in [diplomacy-levels.json](diplomacy-levels.json).
"""


def write(path: Path, page: Path) -> None:
    """The page, its numbers and its picture."""
    folders = {name: Folder(path / name, tournament(plan)) for name, plan in DUELS.items()}
    played = {name: whole(list(folder.done().values())) for name, folder in folders.items()}
    found = {name: summary(name, games) for name, games in played.items() if games}
    table = "\n".join([HEAD, *(row(n, played[n]) for n in found)])
    powers = [power.title() for power in diplomacy.seats(7, diplomacy.Options())]
    seats = ["| one / six | " + " | ".join(powers) + " |", "|---" * (len(powers) + 1) + "|"]
    bars = []
    for name, each in found.items():
        duel = each["duels"][0]
        held = [f"{100 * seat['share']:.0f}%" for seat in duel["seats"].values()]
        seats.append(f"| {name.replace('-', ' / ')} | " + " | ".join(held) + " |")
        share = duel["share"]
        low, middle, high = (100 * share[key] for key in ("low", "mean", "high"))
        if share["blocks"] >= report.FEWEST:
            bars.append((name.replace("-", " / "), low, middle, high))
    page.write_text(
        PAGE.format(duels=" ".join(found), table=table, seats="\n".join(seats)), encoding="utf-8"
    )
    numbers = json.dumps(found, indent=1) + "\n"
    page.with_suffix(".json").write_text(numbers, encoding="utf-8")
    picture = page.parent.parent / "images" / "diplomacy-levels.svg"
    picture.write_text(report.chart(bars, 100 / 7, "%"), encoding="utf-8")


def main() -> None:
    args = argparse.ArgumentParser()
    args.add_argument("folder", type=Path)
    args.add_argument("duels", nargs="*", choices=[[], *DUELS])
    args.add_argument("--seconds", type=float, default=1e9)
    args.add_argument("--backwards", action="store_true")
    args.add_argument("--report", type=Path)
    given = args.parse_args()
    until = time.monotonic() + given.seconds
    for name in given.duels:
        play(given.folder, name, until, backwards=given.backwards)
    if given.report:
        write(given.folder, given.report)


if __name__ == "__main__":
    main()
