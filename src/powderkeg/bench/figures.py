"""Figures, and how they are measured: the median of several runs in seconds of one core."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median
from typing import Any, NamedTuple

Work = Callable[[], float]  # does some work and returns how much it was


class Figure(NamedTuple):
    """One measurement: so many units of `unit`, as the median of several runs."""

    suite: str
    work: str
    unit: str
    values: tuple[float, ...]
    who: str = "powderkeg"
    size: float = 0  # of the work, for figures that belong to a curve
    must: float = 0
    aim: float = 0
    lower: bool = False  # whether less is better
    note: str = ""
    beside: str = ""  # of a peer: the work of ours that it is compared with

    @property
    def median(self) -> float:
        return median(self.values)

    @property
    def low(self) -> float:
        return min(self.values)

    @property
    def high(self) -> float:
        return max(self.values)

    def keeps(self, limit: float) -> bool:
        return self.median <= limit if self.lower else self.median >= limit


class Gap(NamedTuple):
    """A figure that could not be measured here, and why."""

    suite: str
    work: str
    why: str


@dataclass
class Bench:
    """One run of the benchmarks: how long, how often, and the results."""

    short: bool = False
    peers: Any = None  # a `peers.PeerShelf`, or None for no others
    seed: int = 1
    figures: list[Figure] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)
    say: Callable[[str], None] = print

    @property
    def repeats(self) -> int:
        return 3 if self.short else 7

    @property
    def seconds(self) -> float:
        """At least so long for one run."""
        return 0.3 if self.short else 1.0

    def add_rate(self, suite: str, work: str, unit: str, run: Work, **more: Any) -> Figure:
        """Measure work per second of one core."""
        run()  # whatever is made once is made now
        rates = [self._rate_once(run) for _ in range(self.repeats)]
        return self.add_values(suite, work, unit, rates, **more)

    def _rate_once(self, run: Work) -> float:
        begin, done = time.process_time(), 0.0
        while (spent := time.process_time() - begin) < self.seconds:
            done += run()
        return done / spent

    def add_values(
        self, suite: str, work: str, unit: str, values: list[float], **more: Any
    ) -> Figure:
        """Take up values that were measured elsewhere."""
        figure = Figure(suite, work, unit, tuple(values), **more)
        self.figures.append(figure)
        self.say(figure_line(figure))
        return figure

    def add_gap(self, suite: str, work: str, why: str) -> None:
        """Say what is missing and why."""
        self.gaps.append(Gap(suite, work, why))
        self.say(f"{suite:11} {work:52} - {why}")

    def add_peer(self, suite: str, work: str, unit: str, peer: str, key: str, **more: Any) -> None:
        """Measure a peer in its own Python, in this very run."""
        if self.peers is None:
            return
        try:
            values = self.peers.measure(peer, key, self)
        except self.peers.Missing as why:
            self.add_gap(suite, f"{work} ({peer})", str(why))
        else:
            self.add_values(suite, work, unit, values, who=peer, **more)


def figure_line(figure: Figure) -> str:
    """A figure as one line of text."""
    spread = f"({short_number(figure.low)} to {short_number(figure.high)})"
    work = f"{figure.work}, {figure.size:g}" if figure.size else figure.work
    name = work if figure.who == "powderkeg" else f"{work} [{figure.who}]"
    goal = ""
    if figure.must:
        goal = f"  must {short_number(figure.must)}: {'yes' if figure.keeps(figure.must) else 'NO'}"
        goal += f", aim {short_number(figure.aim)}: {'yes' if figure.keeps(figure.aim) else 'no'}"
    return f"{figure.suite:11} {name:52} {short_number(figure.median):>10} {figure.unit} {spread}{goal}"


def short_number(value: float) -> str:
    """A number with as many digits as anybody needs."""
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.3g}"
