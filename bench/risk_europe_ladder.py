"""How strong Risk Europe's levels are: one of a level against the rest of another.

    python bench/risk_europe_ladder.py FOLDER DUEL [DUEL ...] [--seconds N]
    python bench/risk_europe_ladder.py FOLDER --report docs/reference/risk_europe-levels.md

Every seed is played from every seat with the same luck. A run that was stopped goes on when the
same command is given again; `--report` writes the page from what was played so far.
"""

import argparse
import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from powderkeg.bots import arena, report
from powderkeg.bots.arena import Duel, Folder, Played, Tournament
from powderkeg.games import risk_europe


@dataclass(frozen=True)
class Plan:
    """A duel: the one, the rest, players, seeds, and options of the game."""

    one: str
    rest: str
    players: int = 4
    seeds: int = 20
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def what(self) -> str:
        return ", ".join([str(self.players), *(f"{k} {v}" for k, v in self.options.items())])


MISSIONS = {"missions": True, "rounds": 15}
DUELS = {
    "easy-random": Plan("easy", "random", seeds=10),
    "normal-easy": Plan("normal", "easy", seeds=10),
    "hard-normal": Plan("hard", "normal"),
    "expert-hard": Plan("expert", "hard"),
    "expert-normal": Plan("expert", "normal"),
    "normal-easy-3": Plan("normal", "easy", 3, 10),
    "hard-normal-3": Plan("hard", "normal", 3),
    "normal-easy-2": Plan("normal", "easy", 2, 15),
    "hard-normal-2": Plan("hard", "normal", 2),
    "hard-normal-missions": Plan("hard", "normal", options=MISSIONS),
}


def tournament(plan: Plan) -> Tournament:
    return arena.tournament(
        risk_europe,
        {plan.one: plan.one, plan.rest: plan.rest},
        (Duel(plan.one, plan.rest),),
        players=plan.players,
        options=plan.options,
        seeds=plan.seeds,
        first_seed=9000,
    )


def play(path: Path, name: str, until: float) -> None:
    asked = tournament(DUELS[name])
    folder = Folder(path / name, asked)
    done = folder.done()
    for pairing in asked.schedule():
        if pairing.id not in done and time.monotonic() < until:
            kept = arena.play(asked, pairing)
            folder.keep(kept)
            done[pairing.id] = kept.played
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
        return f"| {plan.one} | {plan.rest} | {plan.what} | 0 | | | | | |"
    cells = [
        plan.one,
        plan.rest,
        plan.what,
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

PAGE = """# Risk Europe's levels

One bot of a level against the rest of another; every seed is played from every seat, with the same luck.
Intervals are from a bootstrap over seeds; *stronger* is said only when the whole interval is above equal
strength. Bots think by iterations, not by the clock, so the same command gives the same games everywhere:

```text
python bench/risk_europe_ladder.py FOLDER {duels}
python bench/risk_europe_ladder.py FOLDER --report docs/reference/risk_europe-levels.md
```

{table}

![Wins](../images/risk_europe-levels.svg)

Wins of the one by seat:

{seats}

*Open* also means fewer than five seeds: such a duel has hardly begun, and its numbers prove nothing yet. Most
are planned with 20 seeds; the command goes on where it stopped.

Seats differ only in the order of turns and in who chooses a capital first. Times were taken on a machine that
had much other work to do. Everything in numbers is in [risk_europe-levels.json](risk_europe-levels.json).

## How they think

- `easy` is `normal` with one decision in four left to luck.
- `normal` takes the step that gains most by the worth of the board, again and again, and chooses the two cards
  that would gain most if nobody else did anything.
- `hard` chooses cards as a matrix game over what everybody is likely to place, weighs whole turns by what the
  others will do in the rest of the round, and knows which capitals win.
- `expert` does the same one round further, with dice.

The worth is the logarithm of the odds to win. Its weights began as a logistic regression on {fitted} games of
`normal` bots (who stood how after each round, and who won); a few were then lowered by hand, see
`weights.json` beside the bots. The worth of the capitals comes from 144 games in which they were drawn at random.
"""

FITTED = 211


def write(path: Path, page: Path) -> None:
    """The page, its numbers and its picture."""
    folders = {name: path / name for name in DUELS if (path / name).exists()}
    played = {
        name: whole(list(Folder(folder, tournament(DUELS[name])).done().values()))
        for name, folder in folders.items()
    }
    found = {name: summary(name, games) for name, games in played.items() if games}
    table = "\n".join([HEAD, *(row(name, played[name]) for name in found)])
    colours = risk_europe.seats(4, risk_europe.Options())
    seats = ["| one / rest | " + " | ".join(colours) + " |", "|---" * 5 + "|"]
    bars = []
    for name, each in found.items():
        duel = each["duels"][0]
        held = [f"{100 * seat['wins']:.0f}%" for seat in duel["seats"].values()]
        seats.append(f"| {name} | " + " | ".join(held + [""] * (4 - len(held))) + " |")
        if DUELS[name].players == 4:  # the picture has one line for equal strength
            low, middle, high = (100 * duel["wins"][key] for key in ("low", "mean", "high"))
            bars.append((name, low, middle, high))
    text = PAGE.format(duels=" ".join(found), table=table, seats="\n".join(seats), fitted=FITTED)
    page.write_text(text, encoding="utf-8")
    page.with_suffix(".json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    picture = page.parent.parent / "images" / "risk_europe-levels.svg"
    picture.write_text(report.chart(bars, 25.0, "%"), encoding="utf-8")


def main() -> None:
    args = argparse.ArgumentParser()
    args.add_argument("folder", type=Path)
    args.add_argument("duels", nargs="*", choices=[[], *DUELS])
    args.add_argument("--seconds", type=float, default=1e9)
    args.add_argument("--report", type=Path)
    given = args.parse_args()
    until = time.monotonic() + given.seconds
    for name in given.duels:
        play(given.folder, name, until)
    if given.report:
        write(given.folder, given.report)


if __name__ == "__main__":
    main()
