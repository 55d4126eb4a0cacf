"""Analysis: how it stands, what a bot would do, where it was lost."""

from typing import Annotated, Literal

from pydantic import Field

from powderkeg.server.schemas.base import In, Out, SeatId


class AdviceIn(In):
    seq: Annotated[int, Field(ge=0)] | None = None
    seat: SeatId | None = None
    level: Literal["easy", "normal", "hard"] = "hard"


class ShareOut(Out):
    """The expected share of a seat in the result; all shares add up to 1."""

    seat: str
    label: str
    share: float


class MoveOut(Out):
    text: str
    said: str


class LineOut(Out):
    """An action that was weighed: the expected shares, how often it was tried, what may follow."""

    text: str
    said: str
    shares: list[ShareOut]
    visits: int
    then: list[str]


class AdviceOut(Out):
    """`shares`: how it stands (empty where nobody can say); `moves`: what a bot would do with
    this turn; `cut`: its time was over before the turn was; `reason`: why; `lines`: what it weighed,
    the move itself first."""

    seq: int
    seat: str | None
    shares: list[ShareOut]
    moves: list[MoveOut]
    cut: bool
    reason: str
    lines: list[LineOut]


class ReviewIn(In):
    seat: SeatId | None = None
    since: Annotated[int, Field(ge=0)] = 0
    level: Literal["easy", "normal", "hard"] = "hard"


class BlunderOut(Out):
    """Entry `seq` of the log, or the turn that it began, gave away `loss` of the game; `better` was
    better. Of a turn, `did` and `better` hold the orders in which the two differ."""

    seq: int
    seat: str
    label: str
    did: str
    better: str
    loss: float


class ReviewOut(Out):
    """`next`: where to go on, null when all is judged; `all`: the length of the log."""

    found: list[BlunderOut]
    next: int | None
    all: int
