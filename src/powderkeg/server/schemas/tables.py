"""Tables: their settings, and how a reader sees them."""

from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

from pydantic import Field, StringConstraints, field_validator
from pydantic_core import PydanticCustomError

from powderkeg.core.words import LangCode
from powderkeg.server.db.rows import TablePurpose, TableStatus
from powderkeg.server.db.table_settings import (
    ClockKind,
    DrawPolicy,
    JoinPolicy,
    PressPolicy,
    VotePolicy,
    WatchPolicy,
)
from powderkeg.server.schemas.base import In, Name, Out, SeatId, Seconds
from powderkeg.server.schemas.cards import TablePackOut
from powderkeg.server.schemas.press import ProposalOut

PresetName = Literal[
    "bots", "free", "five", "ten", "fifteen", "live", "half", "day", "two", "three", "week"
]
Speed = Literal["free", "evening", "days"]


class ClockIn(In):
    """How long players may think.

    `none`: no limit. `bank`: each seat has `bank` seconds and gains `gain` with every turn.
    `turn`: each turn has `length` seconds; or, with `at` and `zone`, ends at that hour of day,
    at least `length` seconds away. `stages` overrides `length` for kinds of phase
    (``{"retreat": 43200}``). No deadline falls on the weekdays in `rest` (0 is Monday, in `zone`):
    it waits for the next day.
    """

    kind: ClockKind = "none"
    bank: Seconds = 0
    gain: Seconds = 0
    length: Seconds = 0
    at: Annotated[str, StringConstraints(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")] | None = None
    zone: Annotated[str, StringConstraints(max_length=64)] = "UTC"
    stages: dict[Annotated[str, StringConstraints(max_length=40)], Seconds] = {}
    rest: Annotated[list[Annotated[int, Field(ge=0, le=6)]], Field(max_length=6)] = []

    @field_validator("zone")
    @classmethod
    def known_zone(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (ValueError, KeyError, OSError):
            raise PydanticCustomError("zone", "unknown time zone") from None
        return value


class MissedIn(In):
    """What happens after a missed deadline: `grace` seconds, then the default is played; after
    `autopilot` misses in a row a bot plays on; after `open` misses the seat may be taken over."""

    grace: Seconds = 0
    autopilot: Annotated[int, Field(ge=1, le=100)] = 2
    open: Annotated[int, Field(ge=1, le=100)] = 4
    level: Annotated[str, StringConstraints(max_length=20)] = ""


class TableSettingsIn(In):
    """`draws`: a draw is shared by all survivors, or by the players the proposal names; or there are
    none. `votes`: whether the others see how each player voted."""

    listed: bool = True
    join: JoinPolicy = "anyone"
    watch: WatchPolicy = "on"
    delay: Seconds = 600
    anonymous: bool = False
    seating: Literal["choose", "draw"] = "choose"
    press: PressPolicy = "all"
    clock: ClockIn = ClockIn()
    missed: MissedIn = MissedIn()
    rated: bool = False
    fill: bool = True
    pausing: bool = True
    draws: DrawPolicy = "survivors"
    votes: VotePolicy = "open"


WishedCharacter = Annotated[str, StringConstraints(max_length=20)]
"""The character of a bot: one of the game's `characters`, `drawn` by lot, or empty: even-handed."""


class SeatIn(In):
    """One seat of a new table. `me`: I sit here; `here`: another person at my screen."""

    seat: SeatId
    kind: Literal["me", "here", "open", "invited", "bot"] = "open"
    level: Annotated[str, StringConstraints(max_length=20)] = ""
    character: WishedCharacter = ""
    name: Annotated[str, StringConstraints(max_length=40)] = ""
    invite: Annotated[str, StringConstraints(max_length=254)] = ""


class TableIn(In):
    """A new table. In a `league`, which lists it for its players, it is not in the public list unless
    `settings` say so."""

    game: Annotated[str, StringConstraints(max_length=40)]
    players: Annotated[int, Field(ge=1, le=20)] | None = None
    options: dict[str, Any] = {}
    preset: PresetName | None = None
    settings: TableSettingsIn | None = None
    title: Annotated[str, StringConstraints(max_length=80)] = ""
    seats: Annotated[list[SeatIn], Field(max_length=20)] = []
    name: Name | None = None
    start: bool = False
    league: Annotated[str, StringConstraints(max_length=24)] | None = None


class JoinIn(In):
    seat: SeatId | None = None
    name: Name | None = None
    invite: Annotated[str, StringConstraints(max_length=100)] = ""


class ChangeSeatIn(In):
    """The host changes a seat before the start, or hands a seat to a bot or opens it later."""

    kind: Literal["open", "bot"]
    level: Annotated[str, StringConstraints(max_length=20)] = ""
    character: WishedCharacter = ""


class SeatOut(Out):
    """A seat as the reader may see it. In anonymous tables `name`, `kind`, `program` and `present`
    say nothing about others."""

    seat: str
    label: str
    kind: Literal["open", "invited", "person", "bot", "hidden"]
    level: str = ""
    character: str = ""  # of a bot; empty: even-handed
    name: str = ""
    program: bool = False  # a bot's account plays here
    mine: bool = False
    for_me: bool = False  # the reader is invited to sit here
    to_act: bool | None = None
    present: bool | None = None
    autopilot: bool = False
    vacant: bool = False
    out: bool = False  # it is out of the game and has no say in its end
    due: float | None = None
    bank: float | None = None
    score: float | None = None
    rank: int | None = None


class SectionOut(Out):
    title: str
    lines: list[str]


class QuestionOut(Out):
    """The question to the reader's seat. `id` goes back with the answer.

    `node` is a tree: `kind` one of one, some, amount, assign, orders; see the API page.
    """

    id: int
    prompt: str
    node: dict[str, Any]
    raw: dict[str, Any] | None = None


class ResultOut(Out):
    ranking: list[list[str]]
    scores: dict[str, float]
    why: str
    code: str
    rule: str = ""


class DraftOut(Out):
    question: int
    value: Any
    at: float


class TableOut(Out):
    """A table as the reader may know it. The whole truth about a game never leaves the server."""

    id: str
    rev: int
    seq: int
    game: str
    label: str
    title: str
    status: TableStatus
    purpose: TablePurpose
    owner: bool
    players: int
    options: dict[str, Any]
    settings: dict[str, Any]
    seats: list[SeatOut]
    seat: str | None
    held: list[str]
    handover: str | None = None
    to_act: list[str]
    phase: str
    phase_text: str
    view: dict[str, Any] | None
    question: QuestionOut | None
    legal: list[str] | None = None
    can_undo: bool
    may_talk: list[str]
    draft: DraftOut | None = None
    proposals: list[ProposalOut]
    describe: list[SectionOut] | None = None
    captions: dict[str, str] = {}
    due: float | None = None
    answer_by: float | None = None  # when the bot to act goes on without my answer to its offer
    paused_until: float | None = None
    now: float
    result: ResultOut | None = None
    commitment: str
    key: str | None = None
    rematch: str | None = None
    league: str | None = None
    watchers: bool
    pack: TablePackOut | None = None


class TermOut(Out):
    """One thing that was agreed for a table, such as its time limit."""

    label: str
    text: str


class TermsOut(Out):
    terms: list[TermOut]


class Made(Out):
    """A new table. `invite` is the secret part of its link, shown to its host."""

    id: str
    invite: str
    link: str
    invites: dict[str, str] = {}
    table: TableOut


class TableLine(Out):
    """A table in a list. `my_label`, `score` and `rank` are about the reader's own seat; `waiting` are
    the seats that must act, by name, where everybody may know. `langs` are the languages of the people
    there; `picture`: there is a picture of the position."""

    id: str
    game: str
    label: str
    title: str
    status: str
    players: int
    taken: int
    open_seats: list[str]
    names: list[str]
    langs: list[LangCode] = []
    clock: str
    rated: bool
    anonymous: bool
    gunboat: bool = False  # no letters, no names
    speed: Speed = "free"
    my_seat: str | None = None
    my_label: str = ""
    score: int | None = None
    rank: int | None = None
    waiting: list[str] = []
    picture: bool = False
    my_turn: bool = False
    due: float | None = None
    seq: int = 0
    phase: str = ""
    created: float
    moved: float
    proposals: int = 0
    vacant: bool = False


class Lobby(Out):
    mine: list[TableLine]
    open: list[TableLine]
    live: list[TableLine]


class NewSandboxIn(In):
    """A sandbox at the beginning of a game."""

    game: Annotated[str, StringConstraints(max_length=40)]


class PositionIn(In):
    """A position put together by a person, in the words of its game: for a map of powers `year`,
    `season`, `units` and `centres` by power."""

    position: dict[str, Any]


class SandboxIn(In):
    seq: Annotated[int, Field(ge=0)] | None = None
    seat: SeatId | None = None


GameFileText = Annotated[str, StringConstraints(min_length=1, max_length=8_000_000)]


class FileIn(In):
    file: GameFileText


class FileGames(Out):
    names: list[str]  # of the games in a file, in its order


class ImportIn(In):
    file: GameFileText
    number: Annotated[int, Field(ge=1, le=100_000)] = 1  # which game of the file
    title: Annotated[str, StringConstraints(max_length=80)] = ""
