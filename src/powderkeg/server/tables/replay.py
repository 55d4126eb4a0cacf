"""A game as the fold of its log: from the latest snapshot and the entries after it.

Snapshots are a cache and are taken only where there is no way back (`Fold.base`), so that undo
works the same after a reload as before.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from powderkeg.core import plain
from powderkeg.core.chance import CHANCE, Audited
from powderkeg.core.game import Fact, Game, Marks, Options, Seat, State
from powderkeg.core.table import UNDO, Entry, Table

FAR = 40  # entries between snapshots


class Line(NamedTuple):
    """One entry of the log with what it brought about, as it will be stored."""

    seq: int
    entry: Entry
    facts: tuple[Fact, ...]
    barrier: bool
    undoes: int | None
    phase: str
    command: str | None = None
    by: str = ""


@dataclass(slots=True)
class Fold:
    """A table of core that knows how long its log is without holding all of it."""

    table: Table
    base: int  # length of the log when the way back was last cut off
    base_state: State
    snapped: int  # length of the log at the last stored snapshot
    since: list[Entry] = field(default_factory=list)  # entries after `base`
    marked: tuple[State, Marks] | None = None  # of the state that was last looked at

    @property
    def seq(self) -> int:
        return len(self.table.log)

    @property
    def phase(self) -> str:
        return self.marks.phase

    @property
    def marks(self) -> Marks:
        state = self.table.state
        if self.marked is None or self.marked[0] is not state:
            self.marked = state, marks_of(self.table.game, state)
        return self.marked[1]

    @property
    def together(self) -> bool:
        """Whether several seats choose at once, unseen by each other."""
        return len(self.table.game.to_act(self.base_state)) > 1

    def act(self, seat: Seat, text: str, at: float) -> list[Line]:
        before, phase_before = self.seq, self.phase
        self.table.act(seat, text, at)
        return [self.settle(place, phase_before) for place in range(before, self.seq)]

    def undo(self, seat: Seat, at: float) -> list[Line]:
        before = set(self.table.undone)
        phase_before = self.phase
        self.table.undo(seat, at)
        (undoes,) = self.table.undone - before
        return [self.settle(self.seq - 1, phase_before)._replace(undoes=undoes)]

    def enter(self, entry: Entry, *, barrier: bool) -> None:
        """Play an entry of the stored log again."""
        self.table.enter(entry)
        self._cut(entry, barrier=barrier)

    def due_snapshot(self) -> dict[str, Any] | None:
        """The snapshot worth storing now, if any."""
        if self.base - self.snapped < FAR:
            return None
        self.snapped = self.base
        return {
            "seq": self.base,
            "version": self.table.game.version,
            "state": plain.dump(self.base_state),
        }

    def settle(self, place: int, phase_before: str) -> Line:
        """What to store of the entry at `place`. In a run of entries only the last can be judged
        by the table itself; those before it are followed by chance, which cuts the way back."""
        entry = self.table.log[place]
        last = place == self.seq - 1
        way_back = self.table.can_undo(entry.seat) and last
        barrier = entry.seat == CHANCE or not (way_back or entry.do == UNDO)
        if last:
            self._cut(entry, barrier=barrier)
        phase = self.phase if last else phase_before
        return Line(place, entry, self.table.facts[place], barrier, None, phase)

    def _cut(self, entry: Entry, *, barrier: bool) -> None:
        if barrier:
            self.base, self.base_state = self.seq, self.table.state
            self.since = []
        else:
            self.since.append(entry)


def opened(fold: Fold, at: float) -> list[Line]:
    """Roll what chance owes at the very start."""
    phase = fold.phase
    fold.table.roll(at)
    return [fold.settle(place, phase) for place in range(fold.seq)]


def stored(
    game: Game,
    players: int,
    options: Options,
    key: bytes,
    *,
    state: State | None,
    length: int,
) -> Fold:
    """A fold that stands at `length`, where `state` was stored (None: at the start)."""
    table = Table(game, players, options)
    if state is not None:
        table.state = state
        table.log = [PAST] * length
        table.facts = [()] * length
    table.source = Audited(key)
    return Fold(table, length, table.state, length)


PAST = Entry("", "")  # stands for entries before the snapshot: only their number matters


def marks_of(game: Game, state: State) -> Marks:
    """The game's marks, cut to the width of their columns."""
    marks = game.marks(state)
    return marks._replace(phase=marks.phase[:80], stage=marks.stage[:40])
