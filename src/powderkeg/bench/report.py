"""The results of a run: as JSON, as curves, and as the page `docs/reference/speed.md`."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from powderkeg.bench.curves import draw_curves
from powderkeg.bench.figures import Bench, Figure, Gap, short_number
from powderkeg.bench.machine import installed_versions, machine_facts
from powderkeg.bench.peers import quoted_engines
from powderkeg.compiled import uses_compiled

OURS: Final = "powderkeg"
TITLES: Final = {
    "adjudicate": "Movement phases of Diplomacy",
    "legal": "Legal orders of Diplomacy",
    "playout": "Whole random games",
    "search": "Bots",
    "env": "Environments for research",
    "server": "Server",
    "page": "Browser",
    "start": "Start and memory",
}
INTRO: Final = """# Speed

How fast Powderkeg is, beside other engines in the same run. This page is made by
`make bench` (`powderkeg bench --write docs`); do not edit it by hand. `powderkeg bench --short` takes
a few minutes.

A figure is the median of several runs in seconds of one core, with the smallest and the largest in
brackets; "clock" marks those by the clock. *Must* and *aim* are our own goals. Other engines run in
Pythons of their own, with their own random play: their positions are like ours, not the same.
"""
WHERE: Final = """## Where the time goes, and what is left

- **A batch of Diplomacy.** A position with 30 units takes some 1.45 microseconds of one core of an AMD
  EPYC: 0.2 to copy it in and to sort the orders by kind, 0.3 to read and check them, 0.6 to decide the
  moves, 0.35 to write the results. What costs is a branch that the processor guesses wrongly: it loses as
  much as twenty additions take. That is why orders are sorted before they are read, why legality is one
  look into a table, and why every row here is another position: with each position twenty times in a row
  the same code measures a third more, because the processor learns it by heart. In and out go 1.1 kB per
  position, so memory is not the limit yet.
- **One at a time, with reasons.** All of it is Python: numbers for the orders, bounds until nothing
  changes, then a reason per order. The profile is flat. Compiled from the same source (`make fast`) it runs
  twice as fast; what remains is making the outcomes.
- **Legal orders.** What does not depend on fleets at sea is a table made once, and what does is kept for
  the seas that decide it; the rest of the time joins lists. In a batch some 570 codes are written per
  position.
- **Whole games of Versailles 1919 and Risk Europe.** Flat: hundreds of small functions on values that
  never change. Compiled from the same source they run up to twice as fast: most of the time goes into making
  and freeing tuples, which compiled code cannot avoid. Both have a kernel with one board that changes; that
  of Versailles 1919 plays without deals.
- **Environments.** Turn by turn, the observation of seven agents takes most of the time. Word by word,
  every word is a decision of its own; use it where the size of the action space matters more than speed.
"""


def write_json(bench: Bench) -> str:
    """All figures with machine, versions, seed and repeats."""
    facts: dict[str, Any] = {
        "made": datetime.now(UTC).strftime("%Y-%m-%d"),
        "short": bench.short,
        "seed": bench.seed,
        "machine": machine_facts(),
        "versions": installed_versions(),
        "peers": bench.peers.versions if bench.peers else {},
        "figures": [_figure_facts(figure) for figure in bench.figures],
        "gaps": [gap._asdict() for gap in bench.gaps],
    }
    return json.dumps(facts, indent=1) + "\n"


def _figure_facts(figure: Figure) -> dict[str, Any]:
    found = {"median": figure.median, "spread": [figure.low, figure.high]}
    return {**figure._asdict(), "repeats": len(figure.values), **found}


def write_page(bench: Bench) -> str:
    """The page in Markdown."""
    parts = [INTRO, _machine_lines(bench), *_suite_tables(bench), WHERE, _quoted_lines()]
    return "\n".join(parts).rstrip() + "\n"


def _machine_lines(bench: Bench) -> str:
    facts, versions = machine_facts(), installed_versions()
    peers = bench.peers.versions if bench.peers else {}
    names = ", ".join(f"{name} {number}" for name, number in {**versions, **peers}.items())
    form = "short form" if bench.short else "long form"
    rules = "compiled rules" if uses_compiled() else "rules from their sources"
    return (
        f"{facts['processor']}, {facts['cores']} cores, {facts['system']}, {facts['python']}; {names}; "
        f"seed {bench.seed}, {bench.repeats} runs each, {form}, {rules}; other work on the machine at the end: "
        f"load {facts['load']}.\n"
    )


def _suite_tables(bench: Bench) -> Iterator[str]:
    for suite, title in TITLES.items():
        rows = [f for f in bench.figures if f.suite == suite]
        gaps = [g for g in bench.gaps if g.suite == suite]
        if rows or gaps:
            yield f"## {title}\n"
            yield _figure_table(rows, gaps)
            if any(f.size for f in rows):
                yield f"![Cost against size](../images/speed-{suite}.svg)\n"


def _figure_table(rows: list[Figure], gaps: list[Gap]) -> str:
    lines = ["| work | measured | must | aim |", "|---|---|---|---|"]
    best = {f.work: f for f in rows if f.who == OURS}
    lines += [_figure_row(f, best) for f in rows if not f.size]
    for (work, unit), group in groupby((f for f in rows if f.size), lambda f: (f.work, f.unit)):
        values = ", ".join(f"{f.size:g}: {short_number(f.median)}" for f in group)
        lines.append(f"| {work} | {values} {unit} | | |")
    lines += [f"| {gap.work} | not measured: {gap.why} | | |" for gap in gaps]
    return "\n".join(lines) + "\n"


def _figure_row(figure: Figure, ours: dict[str, Figure]) -> str:
    spread = (
        f" ({short_number(figure.low)} to {short_number(figure.high)})"
        if len(figure.values) > 1
        else ""
    )
    measured = f"{short_number(figure.median)} {figure.unit}{spread}"
    name = figure.work if figure.who == OURS else f"{figure.work}: `{figure.who}`"
    mine = ours.get(figure.beside)
    if figure.who != OURS and mine is not None:
        measured += f"; ours is {short_number(mine.median / figure.median)} times as fast"
    if figure.note:
        measured += f"; {figure.note}"
    return f"| {name} | {measured} | {_goal(figure, figure.must)} | {_goal(figure, figure.aim)} |"


def _goal(figure: Figure, goal: float) -> str:
    if not goal:
        return ""
    return f"{short_number(goal)} {'yes' if figure.keeps(goal) else '**no**'}"


def _quoted_lines() -> str:
    lines = ["## Engines that cannot be installed\n"]
    lines += [f"- {name}: {what} ({source})." for name, what, source in quoted_engines()]
    return "\n".join(lines) + "\n"


def write_files(bench: Bench, docs: Path) -> list[Path]:
    """Write page, JSON and curves into a folder of documentation."""
    texts = {
        docs / "reference" / "speed.md": write_page(bench),
        docs / "reference" / "speed.json": write_json(bench),
    }
    for suite in TITLES:
        if curves := draw_curves([f for f in bench.figures if f.suite == suite and f.size]):
            texts[docs / "images" / f"speed-{suite}.svg"] = curves
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return [*texts]
