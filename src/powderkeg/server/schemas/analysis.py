"""Analysis: who is ahead, what a bot would do, and which decisions cost the most."""

from typing import Annotated, Literal

from pydantic import Field

from powderkeg.server.schemas.base import In, Out, SeatId

# An expert would let people wait too long.
AdviceLevel = Literal["easy", "normal", "hard"]


class AdviceIn(In):
    seq: Annotated[int, Field(ge=0)] | None = None
    seat: SeatId | None = None
    level: AdviceLevel = "hard"


class ShareOut(Out):
    """The expected share of a seat in the result; all shares add up to 1."""

    seat: str
    label: str
    share: float


class MoveOut(Out):
    """A move in the game's notation, in words, and in the parts from which a player puts it together:
    the first says where to look, the next what kind of move it is."""

    text: str
    said: str
    parts: list[str]


class LineOut(Out):
    """An action that was weighed: the expected shares, how often it was tried, what may follow."""

    text: str
    said: str
    shares: list[ShareOut]
    visits: int
    then: list[str]


class AdviceOut(Out):
    """`shares`: who is ahead (empty if unknown); `moves`: what a bot would do with
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
    level: AdviceLevel = "hard"


class BlunderOut(Out):
    """Entry `seq` of the log, or the turn that it began, gave away `loss` of the game; `better` was
    better. Of a turn, `did` and `better` hold the orders in which the two differ. `orders`: what was
    better, in the game's notation; `then`: how others may punish it, `punished` the same in the game's
    notation; `empty`: nothing was done in this turn."""

    seq: int
    seat: str
    label: str
    did: str
    better: str
    loss: float
    orders: list[str]
    then: list[str]
    punished: list[str]
    empty: bool


class ReviewOut(Out):
    """`next`: where to go on, null when all is judged; `all`: the length of the log."""

    found: list[BlunderOut]
    next: int | None
    all: int
