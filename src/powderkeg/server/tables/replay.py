"""A game replayed from its log: from the latest snapshot and the entries after it.

Snapshots are a cache. They are taken only where undo cannot go back any further (`ReplayedGame.base`), so
that undo works the same before and after a reload.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from powderkeg.core import plain
from powderkeg.core.chance import CHANCE, Audited
from powderkeg.core.game import Fact, Game, Marks, Options, Seat, State
from powderkeg.core.table import UNDO, Entry, Table
from powderkeg.server.db.rows import EntrySource

# Entries. Every action pays for snapshots; replaying takes milliseconds, and only who loads a table, looks back
# or watches with a delay waits for it.
SNAPSHOT_EVERY = 120


class LogLine(NamedTuple):
    """One entry of the log with its consequences, as it will be stored."""

    seq: int
    entry: Entry
    facts: tuple[Fact, ...]
    barrier: bool
    undoes: int | None
    phase: str
    command: str | None = None
    by: EntrySource = "chance"


@dataclass(slots=True)
class ReplayedGame:
    """A core table that holds only the end of its log, and knows the full length."""

    table: Table
    base: int  # length of the log when the way back was last cut off
    base_state: State
    snapshot_seq: int  # length of the log at the last stored snapshot
    since: list[Entry] = field(default_factory=list)  # entries after `base`
    known_marks: tuple[State, Marks] | None = None  # marks of the state last looked at
    anonymous: bool = False  # nobody may see who has already chosen

    @property
    def seq(self) -> int:
        return len(self.table.log)

    @property
    def phase(self) -> str:
        return self.marks.phase

    @property
    def marks(self) -> Marks:
        state = self.table.state
        if self.known_marks is None or self.known_marks[0] is not state:
            self.known_marks = state, cut_marks(self.table.game, state)
        return self.known_marks[1]

    @property
    def together(self) -> bool:
        """Whether several seats choose at once, unseen by each other."""
        return len(self.table.game.to_act(self.base_state)) > 1

    def act(self, seat: Seat, text: str, at: float) -> list[LogLine]:
        before = self.seq
        self.table.perform(seat, text, at)
        phases = [self.phase, *self.roll(at)]
        return [self.finish_entry(before + i, phase) for i, phase in enumerate(phases)]

    def roll(self, at: float) -> list[str]:
        """Roll the dice and draw the cards that are due; the phase after each."""
        return [self.phase for _ in self.table.rolls(at)]

    def undo(self, seat: Seat, at: float) -> list[LogLine]:
        before = set(self.table.undone)
        self.table.undo(seat, at)
        (undoes,) = self.table.undone - before
        return [self.finish_entry(self.seq - 1, self.phase)._replace(undoes=undoes)]

    def enter(self, entry: Entry, *, barrier: bool, sealed: bool = False) -> None:
        """Replay an entry of the stored log."""
        self.table.enter(entry)
        if sealed or barrier:
            self.table.seal(entry.seat)
        self._move_base(entry, barrier=barrier)

    def due_snapshot(self) -> dict[str, Any] | None:
        """The snapshot to store now, if one is due."""
        if self.base - self.snapshot_seq < SNAPSHOT_EVERY:
            return None
        self.snapshot_seq = self.base
        return {
            "seq": self.base,
            "version": self.table.game.version,
            "state": plain.dump(self.base_state),
        }

    def finish_entry(self, place: int, phase: str) -> LogLine:
        """The line to store for the entry at `place`; `phase` is the one afterwards. For the last of several
        entries the table says whether it is a barrier; the others are followed by chance, which always is."""
        entry = self.table.log[place]
        last = place == self.seq - 1
        if last and self._asks_all(entry):
            self.table.seal(entry.seat)
        way_back = self.table.can_undo(entry.seat) and last
        barrier = entry.seat == CHANCE or not (way_back or entry.do == UNDO)
        if last:
            self._move_base(entry, barrier=barrier)
        return LogLine(place, entry, self.table.facts[place], barrier, None, phase)

    def _asks_all(self, entry: Entry) -> bool:
        """Whether a move made in turn has led to a choice of all whose progress is secret. Its undo would end
        as soon as somebody has chosen, and until it did, everybody would see the choices."""
        if not self.anonymous or self.together or entry.do == UNDO:
            return False
        return len(self.table.to_act) > 1

    def _move_base(self, entry: Entry, *, barrier: bool) -> None:
        if barrier:
            self.base, self.base_state = self.seq, self.table.state
            self.since = []
        else:
            self.since.append(entry)


def roll_opening(replayed: ReplayedGame, at: float) -> list[LogLine]:
    """Roll the dice and draw the cards that the game begins with."""
    return [replayed.finish_entry(place, phase) for place, phase in enumerate(replayed.roll(at))]


def resume_replay(
    game: Game,
    players: int,
    options: Options,
    key: bytes,
    *,
    state: State | None,
    length: int,
) -> ReplayedGame:
    """The game at entry `length`, where `state` was stored (None: at the start)."""
    table = Table(game, players, options)
    if state is not None:
        table.state = state
        table.log = [PAST_ENTRY] * length
        table.facts = [()] * length
    table.source = Audited(key)
    return ReplayedGame(table, length, table.state, length)


PAST_ENTRY = Entry(
    "", ""
)  # a placeholder for the entries before the snapshot: only their number matters


def cut_marks(game: Game, state: State) -> Marks:
    """The game's marks, cut to the width of their columns."""
    marks = game.marks(state)
    return marks._replace(phase=marks.phase[:80], stage=marks.stage[:40])
