"""The rows of the database as frozen types, with the names and the order of their columns.

A row is loaded once, where it is read. To change one, `dataclasses.replace` it in memory and
update it in the same transaction (see `tables.loaded.TableChange`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal, Self, TypedDict

from sqlalchemy import Row

from powderkeg.lessons import Verdict
from powderkeg.server.db.table_settings import (
    TableSettings,
    WatchPolicy,
    dump_settings,
    load_settings,
)

UserKind = Literal["guest", "person", "bot"]
TokenKind = Literal["session", "api", "seat", "mail"]
TableStatus = Literal["open", "live", "paused", "over", "closed"]
TablePurpose = Literal["game", "sandbox", "study", "lesson"]
SeatKind = Literal["open", "invited", "person", "bot"]
EntrySource = Literal["person", "bot", "time", "chance", "host"]
ProposalKind = Literal["draw", "concede", "pause", "resume", "extend", "replace", "cancel", "deal"]
ENDING_KINDS: tuple[ProposalKind, ...] = ("draw", "concede")  # they end the game: bots vote, too
ProposalStatus = Literal["open", "agreed", "declined", "withdrawn", "expired"]
JobKind = Literal["bots", "slow", "talk", "vote", "due", "near", "resume", "expire", "notices"]
NoticeEvent = Literal["your_turn", "near", "ended", "invited", "proposal", "message", "nudge"]
NoticeWish = Literal["now", "digest", "off"]
NoticeWay = Literal["mail", "hook", "push"]
NoticeStatus = Literal["waiting", "digest", "sending", "sent", "failed", "unsure"]
HookForm = Literal["json", "discord"]


class StoredResult(TypedDict):
    """How a game ended, as JSON."""

    ranking: list[list[str]]
    scores: dict[str, float]
    why: Any  # a message, see `message_json`
    rule: str


class StoredMessage(TypedDict):
    """A message code with its arguments, translated for each reader."""

    code: str
    args: dict[str, Any]


class StoredStanding(TypedDict):
    """How a seat stands, as JSON; see `core.game.Standing`."""

    score: int | None
    name: StoredMessage | None


class UserHook(TypedDict):
    """The webhook of an account, with its last error."""

    url: str
    form: HookForm
    error: str


class PushSubscription(TypedDict):
    """The push subscription of a browser."""

    endpoint: str
    keys: dict[str, str]


class StoredRow:
    """The base of all rows."""

    __slots__ = ()

    @classmethod
    def load(cls, row: Row[Any]) -> Self:
        """The row as the database gave it, with all of its columns."""
        return cls(**row._mapping)  # noqa: SLF001  # SQLAlchemy's public name for it

    def values(self) -> dict[str, Any]:
        """The columns of the row, to insert it."""
        return {each.name: getattr(self, each.name) for each in fields(self)}  # type: ignore[arg-type]  # all rows are dataclasses


class ChangedRow(StoredRow):
    """A row that changes with every action."""

    def changed(self, changes: Mapping[str, Any]) -> Self:
        """A copy with some new values; `dataclasses.replace` takes twenty times as long."""
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__, **changes)
        return copy


@dataclass(frozen=True, slots=True, kw_only=True)
class UserRow(StoredRow):
    """A guest, a person with an account, or the account of a bot."""

    id: str
    kind: UserKind
    name: str
    key: str | None = None
    password: str | None = None
    email: str | None = None
    email_proven: bool = False
    lang: str = "en"
    zone: str = "UTC"
    notices: Mapping[NoticeEvent, NoticeWish] = field(default_factory=dict)
    hook: UserHook | None = None
    pushes: Sequence[PushSubscription] = ()
    created: float
    seen: float
    banned: bool = False
    turns: int = 0
    misses: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenRow(StoredRow):
    """The hash of a secret, and the session, seat or scopes that it opens."""

    hash: str
    id: str
    kind: TokenKind
    user: str | None = None
    game: str | None = None
    seat: str | None = None
    scopes: Sequence[str] = ()
    name: str = ""
    created: float
    expires: float | None = None
    used: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueRow(StoredRow):
    """A league: tables of a club that are counted together."""

    id: str
    owner: str | None
    name: str
    rules: str | None = None
    created: float
    closed: float | None = None


@dataclass(frozen=True, kw_only=True)
class TableRow(ChangedRow):
    """A table: its game, its settings and its progress."""

    id: str
    rules: str
    version: int
    players: int
    options: dict[str, Any]
    settings: TableSettings = field(default_factory=TableSettings)
    title: str = ""
    status: TableStatus = "open"
    purpose: TablePurpose = "game"
    owner: str | None = None
    invite: str = ""
    key: str
    initial: Any = None
    rev: int = 1
    head: int = 0
    base: int = 0
    together: bool = False
    to_act: Sequence[str] = ()
    phase: str = ""
    stage: str = ""
    talk: bool = True
    spoken: str | None = None
    result: StoredResult | None = None
    listed: bool = True
    watch: WatchPolicy = "on"
    created: float
    started: float | None = None
    moved: float
    ended: float | None = None
    due: float | None = None
    paused: float | None = None
    pause_ends: float | None = None
    nudged: float | None = None
    rated: bool = False
    rematch: str | None = None
    standing: Mapping[str, StoredStanding] = field(default_factory=dict)
    league: str | None = None

    @classmethod
    def load(cls, row: Row[Any]) -> Self:
        return cls.from_columns(dict(row._mapping))  # noqa: SLF001  # SQLAlchemy's public name for it

    @classmethod
    def from_columns(cls, columns: Mapping[str, Any]) -> Self:
        """The table with these columns, which may stand among others in a joined row."""
        return cls(**{**columns, "settings": load_settings(columns["settings"])})

    def values(self) -> dict[str, Any]:
        return super().values() | {"settings": dump_settings(self.settings)}

    @property
    def has_ended(self) -> bool:
        return self.status in ("over", "closed")

    @property
    def is_running(self) -> bool:
        """Whether the game has begun and not ended; it may be paused."""
        return self.status in ("live", "paused")

    @property
    def is_anonymous(self) -> bool:
        """Whether the names of the players are still secret."""
        return self.settings.anonymous and not self.has_ended


@dataclass(frozen=True, kw_only=True)
class SeatRow(ChangedRow):
    """A seat of a table, its holder, and the time that is left."""

    game: str
    seat: str
    place: int
    kind: SeatKind = "open"
    user: str | None = None
    level: str = ""
    name: str = ""
    due: float | None = None
    due_base: int | None = None
    bank: float | None = None
    asked: float | None = None
    misses: int = 0
    autopilot: bool = False
    vacant: bool = False
    reminded: float | None = None
    seen: float | None = None
    character: str = ""

    @property
    def is_active(self) -> bool:
        """Whether a person is there to decide."""
        seated = self.kind == "person" and self.user is not None
        return seated and not self.autopilot and not self.vacant

    def is_present(self, now: float) -> bool:
        """Whether this seat was connected a moment ago."""
        return (self.seen or 0) > now - PRESENT_SECONDS


PRESENT_SECONDS = 45.0  # after which a person counts as away


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRow(StoredRow):
    """An entry of a log, with the facts it produced."""

    game: str
    seq: int
    seat: str
    do: str
    at: float
    command: str | None
    by: EntrySource
    barrier: bool
    undoes: int | None
    phase: str
    facts: list[dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftRow(StoredRow):
    """An unfinished answer of a seat."""

    game: str
    seat: str
    question: int
    value: Any
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageRow(StoredRow):
    """A message of the press: from a seat, from a watcher, or from the table itself. `said` is the
    code of a sentence: without a seat an announcement of the table, with one the reason of a bot."""

    id: int
    game: str
    channel: str
    seat: str | None
    name: str
    user: str | None
    text: str
    sketch: list[str] | None
    form: str | None
    answers: int | None
    said: StoredMessage | None
    command: str | None
    at: float
    phase: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvoyRow(StoredRow):
    """The memory of a bot that talks."""

    game: str
    seat: str
    phase: str
    heard: int
    memory: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalRow(StoredRow):
    """A vote at a table."""

    id: int
    game: str
    kind: ProposalKind
    seat: str
    voters: list[str]
    args: dict[str, Any]
    votes: dict[str, bool]
    status: ProposalStatus
    created: float
    expires: float


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRow(StoredRow):
    """A background job."""

    id: int
    kind: JobKind
    key: str
    game: str  # the id of a table; empty for notices, the only jobs that are about no table
    run_at: float
    asked: int
    tries: int
    locked_until: float
    error: str

    @classmethod
    def load(cls, row: Row[Any]) -> Self:
        columns = row._mapping  # noqa: SLF001  # SQLAlchemy's public name for it
        return cls(**{**columns, "game": columns["game"] or ""})


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeRow(StoredRow):
    """A notice in the outbox."""

    id: int
    key: str
    user: str | None
    game: str | None
    way: NoticeWay
    event: str
    to: dict[str, Any]
    lang: str
    said: StoredMessage
    status: NoticeStatus
    tries: int
    send_at: float
    locked_until: float
    error: str
    created: float


@dataclass(frozen=True, slots=True, kw_only=True)
class HookRow(StoredRow):
    """A webhook of a table."""

    id: str
    game: str
    url: str
    form: HookForm
    lang: str
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PackRow(StoredRow):
    """A card pack that somebody saved."""

    id: str
    user: str
    rules: str
    name: str
    line: str
    updated: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonRow(StoredRow):
    """An exercise that somebody tried: the table and the verdict of the last try."""

    user: str
    exercise: str
    game: str | None = None
    verdict: Verdict = "open"
    solved: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingRow(StoredRow):
    """The rating of an account in one game."""

    user: str
    rules: str
    mu: float
    sigma: float
    played: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingChangeRow(StoredRow):
    """The rating of an account after a game."""

    user: str
    game: str
    rules: str
    mu: float
    sigma: float
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportRow(StoredRow):
    """A report of a player's conduct."""

    id: int
    game: str
    by: str | None
    seat: str
    text: str
    at: float
    about: str | None
    name: str
