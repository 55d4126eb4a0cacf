"""A table in memory, and a change to it on its way into the database."""

from collections import deque
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypedDict, Unpack, cast

from powderkeg.core.ask import Question
from powderkeg.core.chance import CHANCE
from powderkeg.core.game import Game
from powderkeg.server import message_json
from powderkeg.server.db.rows import (
    ENDING_KINDS,
    DraftRow,
    EntrySource,
    HookRow,
    ProposalRow,
    SeatKind,
    SeatRow,
    StoredResult,
    StoredStanding,
    TableRow,
    TableStatus,
)
from powderkeg.server.db.store import Tx
from powderkeg.server.db.table_settings import TableSettings
from powderkeg.server.refusals import conflict
from powderkeg.server.tables.replay import LogLine, ReplayedGame

RECENT_LINES = 64  # entries of the log that a table in memory keeps for those who follow it


@dataclass(slots=True)
class LoadedTable:
    """A table as this process knows it."""

    row: TableRow
    game: Game
    seats: dict[str, SeatRow] = field(default_factory=dict)
    programs: frozenset[str] = frozenset()  # the users at the table whose account is a bot's
    proposals: list[ProposalRow] = field(default_factory=list)  # the open ones
    drafts: dict[str, DraftRow] = field(default_factory=dict)
    draft_loads: int = 0  # how often `drafts` changed in the database
    hooks: list[HookRow] = field(default_factory=list)
    replayed: ReplayedGame | None = None
    recent: deque[LogLine] = field(default_factory=partial(deque, maxlen=RECENT_LINES))
    # Written and read by `views`:
    rendered: dict[Any, Any] = field(default_factory=dict)  # tables as rendered for this `rev`
    fixed: dict[str, Any] = field(default_factory=dict)  # what never changes, by language
    questions: dict[Any, Any] = field(default_factory=dict)  # questions in words, until they change
    asked: dict[str, tuple[int, Question]] = field(default_factory=dict)  # as last shown to a seat
    captions: dict[str, Any] = field(default_factory=dict)  # sentences of the board, by language
    entries: dict[Any, Any] = field(default_factory=dict)  # recent lines in words, by language
    feeds: dict[Any, Any] = field(default_factory=dict)  # what was sent to those who see the same

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def settings(self) -> TableSettings:
        return self.row.settings

    @property
    def users(self) -> frozenset[str]:
        """Everybody who has a seat."""
        return frozenset(seat.user for seat in self.seats.values() if seat.user)

    @property
    def current(self) -> ReplayedGame:
        """The game in its current state; exists once the game has started."""
        if self.replayed is None:
            raise conflict("not_started")
        return self.replayed

    @property
    def length(self) -> int:
        """Of the log in memory."""
        return 0 if self.replayed is None else self.replayed.seq

    def held_by(self, user: str | None, grants: frozenset[Any]) -> list[str]:
        """The seats of a person, in seat order: their own, and those opened by a secret link."""
        return [
            name
            for name, seat in self.seats.items()
            if seat.kind == "person"
            and seat.user is not None
            and (seat.user == user or (self.id, name, seat.user) in grants)
        ]

    def replace_proposal(self, proposal: ProposalRow) -> None:
        """Replace a changed proposal; drop it if it is closed."""
        changed = [proposal if each.id == proposal.id else each for each in self.proposals]
        self.proposals = [each for each in changed if each.status == "open"]


class TableFields(TypedDict, total=False):
    """The columns of a table that change while it is played."""

    status: TableStatus
    owner: str | None
    rev: int
    head: int
    base: int
    together: bool
    to_act: list[str]
    phase: str
    stage: str
    talk: bool
    spoken: str | None
    result: StoredResult | None
    started: float | None
    moved: float
    ended: float | None
    due: float | None
    paused: float | None
    pause_ends: float | None
    nudged: float | None
    rated: bool
    rematch: str | None
    league: str | None
    standing: dict[str, StoredStanding]


class SeatFields(TypedDict, total=False):
    """The columns of a seat that can change."""

    kind: SeatKind
    user: str | None
    level: str
    character: str
    name: str
    due: float | None
    due_base: int | None
    bank: float | None
    asked: float | None
    misses: int
    autopilot: bool
    vacant: bool
    reminded: float | None
    seen: float | None


@dataclass(slots=True)
class TableChange:
    """A table being changed, in memory and in the transaction alike."""

    loaded: LoadedTable
    tx: Tx
    now: float
    fields: TableFields = field(default_factory=TableFields)
    seat_fields: dict[str, SeatFields] = field(default_factory=dict)
    lines: list[LogLine] = field(default_factory=list)  # of the part that is being played
    earlier: list[LogLine] = field(default_factory=list)  # of the parts before
    is_marked: bool = False
    began: int = field(init=False)  # the length of the log before

    def __post_init__(self) -> None:
        self.began = self.loaded.length

    @property
    def has_moved(self) -> bool:
        """Whether the table in memory is no longer as it was."""
        return self.is_touched or bool(self.earlier) or self.loaded.length != self.began

    @property
    def is_touched(self) -> bool:
        return self.is_marked or bool(self.fields or self.seat_fields or self.lines)

    def end_part(self) -> None:
        """What follows from the lines so far is done; what comes now has consequences of its own."""
        self.earlier += self.lines
        self.lines = []

    def touch(self) -> None:
        """Something other than rows and log has changed: readers must be updated."""
        self.is_marked = True

    def set(self, **fields: Unpack[TableFields]) -> None:
        self.fields.update(fields)
        self.loaded.row = self.loaded.row.changed(fields)

    def set_new(self, **fields: Unpack[TableFields]) -> None:
        """Set those fields that are no longer as they were: JSON that stays the same is not written again."""
        before = self.loaded.row.__dict__
        new = {name: value for name, value in fields.items() if before[name] != value}
        self.set(**cast(TableFields, new))

    def set_seat(self, seat: str, **fields: Unpack[SeatFields]) -> SeatRow:
        """Change a seat and return it."""
        self.seat_fields.setdefault(seat, {}).update(fields)
        changed = self.loaded.seats[seat] = self.loaded.seats[seat].changed(fields)
        return changed


def record_lines(
    change: TableChange, lines: list[LogLine], command: str | None, by: EntrySource
) -> None:
    """Put entries into the change; the first carries the command's id."""
    marked = [
        line._replace(
            command=command if i == 0 else None, by="chance" if line.entry.seat == CHANCE else by
        )
        for i, line in enumerate(lines)
    ]
    copy_lines(change, marked)


def copy_lines(change: TableChange, lines: list[LogLine]) -> None:
    """Put entries into the change as they are, with the sources that they have."""
    change.lines += lines
    set_position(change)
    change.set(moved=change.now)


def set_position(change: TableChange) -> None:
    """Store the current position of the game."""
    current = change.loaded.current
    marks = current.marks
    change.set_new(
        head=current.seq,
        base=current.base,
        together=current.together,
        to_act=sorted(current.table.to_act),
        phase=marks.phase,
        stage=marks.stage,
        talk=marks.talk,
        standing=message_json.dump_standing(current.table.game.standing(current.table.state)),
    )


def seats_may_talk(loaded: LoadedTable) -> list[str]:
    """The channels open to the seats of the table now: "all", and "seats" for private letters."""
    policy, row = loaded.settings.press, loaded.row
    if row.status == "open":
        return ["all"]
    if policy == "none" and row.status != "over":
        return []
    if policy == "rulebook" and row.status == "live" and not row.talk:
        return []
    private = policy in ("all", "rulebook") or row.status == "over"
    return ["all", "seats"] if private else ["all"]


def counted_voters(loaded: LoadedTable, proposal: ProposalRow) -> list[str]:
    """The voters who count now: not those who are absent, or were eliminated since."""
    if proposal.kind == "deal":
        return proposal.voters
    seats, out = loaded.seats, loaded.current.marks.out
    bots = proposal.kind in ENDING_KINDS
    return [
        name
        for name in proposal.voters
        if name not in out and (seats[name].is_active or (bots and seats[name].kind == "bot"))
    ]
