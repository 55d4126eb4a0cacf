"""Playing: actions, drafts, typed orders, the log and its moments."""

from typing import Annotated, Any

from pydantic import Field, StringConstraints

from powderkeg.server.schemas.base import CommandId, In, LogPlace, Out, SeatId, json_limit
from powderkeg.server.schemas.tables import ResultOut, SectionOut, TableOut


class FactOut(Out):
    """Something that happened. `quiet`: a note for the seat itself, which a log folds. `opens`: the
    phase that begins with it. `about`: the codes of the places and pieces that it names, so that a
    board can show them."""

    code: str
    text: str
    rule: str = ""
    quiet: bool = False
    opens: str = ""
    about: list[str] = []


class ActIn(In):
    """`command`: an id the client makes, so that a repetition does no harm. `question`: the id of
    the question being answered. `text`: the action in wire notation; or `texts`, several.
    `careful`: refuse it (`server.cannot_take_back`) if it could not be undone."""

    command: CommandId
    question: LogPlace
    text: Annotated[str, StringConstraints(min_length=1, max_length=2000)] | None = None
    texts: (
        Annotated[
            list[Annotated[str, StringConstraints(min_length=1, max_length=2000)]],
            Field(min_length=1, max_length=80),
        ]
        | None
    ) = None
    seat: SeatId | None = None
    careful: bool = False


class UndoIn(In):
    command: CommandId
    seat: SeatId | None = None


class ActOut(Out):
    """`repeated`: this command had been done before; nothing was done twice."""

    seq: int
    repeated: bool = False
    table: TableOut


class ActRefused(Out):
    """Refused, with the table as it is now."""

    code: str
    text: str
    rule: str = ""
    table: TableOut | None = None


class DraftIn(In):
    question: LogPlace
    value: Annotated[Any, json_limit(20_000)] = None
    seat: SeatId | None = None


class ReadIn(In):
    """Orders as a person types them: one per line, or separated by commas or semicolons."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=2000)]
    seat: SeatId | None = None


class ReadOrder(Out):
    """An order that was understood: `wire` is to be sent with `act`; `echo` says it in the reader's words."""

    text: str
    wire: str
    echo: str = ""


class ReadError(Out):
    """An order that was not understood or is not allowed, and why."""

    text: str
    code: str
    message: str
    rule: str = ""


class ReadOut(Out):
    orders: list[ReadOrder]
    errors: list[ReadError]


class EntryOut(Out):
    """One entry of the log. `do` is shown if it is no secret: it is the reader's own, or the game is over.
    `phase` is the phase afterwards. `shared`: its facts are the
    result of what everybody chose, not what this seat did."""

    seq: int
    seat: str
    label: str
    by: str | None
    at: float | None
    do: str | None
    undone: bool
    undo: bool
    shared: bool
    phase: str
    facts: list[FactOut]


class PhaseMark(Out):
    """A phase that begins after the first `seq` entries of the log."""

    seq: int
    phase: str
    text: str


class LogOut(Out):
    """Part of a log. `next` is where to go on; `seq` is how long the log is for this reader."""

    entries: list[EntryOut]
    phases: list[PhaseMark]
    next: int | None
    seq: int


class MomentOut(Out):
    """The reader's view after the first `seq` entries of the log."""

    seq: int
    seat: str | None
    view: dict[str, Any]
    phase: str
    phase_text: str
    to_act: list[str]
    describe: list[SectionOut]
    captions: dict[str, str]
    result: ResultOut | None = None


class SideOut(Out):
    """One side of a step: its dice from the highest down, which of them count, its losses, its
    chance to win afterwards, and what else is to be said."""

    who: str
    name: str
    dice: list[int] = []
    counts: list[bool] = []
    lost: str = ""
    chance: float | None = None
    note: str = ""


class BeatOut(Out):
    """One step of a scene."""

    text: str
    rule: str = ""
    sides: list[SideOut] = []


class SceneOut(Out):
    """A battle, an uprising, an auction or a settlement; `sides` as they were at its beginning."""

    kind: str
    about: str
    title: str
    beats: list[BeatOut]
    sides: list[SideOut] = []
    over: bool


class ScenesOut(Out):
    """The scenes that a board still shows after the first `seq` entries of the log."""

    seq: int
    scenes: list[SceneOut]


class ScoreLineOut(Out):
    """One line of the score pad: points and what they are made of, by seat. An `open` line can
    still change in ways the board does not show; a `total` line is a sum."""

    label: str
    points: dict[str, float]
    notes: dict[str, str]
    rule: str
    open: bool
    total: bool


class ScoreOut(Out):
    """The score pad after the first `seq` entries of the log."""

    seq: int
    lines: list[ScoreLineOut]
