"""Communication: letters, offers, proposals and reports."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from powderkeg.server.db.rows import ProposalKind
from powderkeg.server.schemas.base import CommandId, In, Out, SeatId, json_limit


class ProposalOut(Out):
    id: int
    table: str
    kind: str
    seat: str
    voters: list[str]
    votes: dict[str, bool]
    args: dict[str, Any]
    text: str
    status: str
    created: float
    expires: float
    may_vote: bool = False


class ProposalIn(In):
    """`kind`: draw, concede (to `args.winner`), pause, resume, extend, replace (`args.who`),
    cancel, deal (`to` some seats, `args.text`)."""

    kind: ProposalKind
    seat: SeatId | None = None
    to: Annotated[list[SeatId], Field(max_length=20)] = []
    args: Annotated[
        dict[Annotated[str, StringConstraints(max_length=20)], Any], json_limit(4000)
    ] = {}
    hours: Annotated[float, Field(gt=0, le=24 * 14)] = 48


class VoteIn(In):
    agree: bool
    seat: SeatId | None = None


Sketched = Annotated[str, StringConstraints(pattern=r"^[ -~]{1,80}$")]
"""An action in wire notation, which is ASCII. It is drawn and never done, so nobody judges it."""
Code = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_/]{1,40}$")]


class PartIn(In):
    """One promise: one of the kinds that the table offers, and its seats, places or action."""

    kind: Code
    against: Annotated[list[SeatId], Field(max_length=20)] = []
    places: Annotated[list[Code], Field(max_length=20)] = []
    action: Annotated[str, StringConstraints(pattern=r"^[ -~]{0,80}$")] = ""


class PartOut(Out):
    """One promise of an offer that was made or suggested."""

    kind: str
    against: list[str]
    places: list[str]
    action: str


class AnswerIn(In):
    """A yes or no to the offer in message `id`."""

    id: Annotated[int, Field(ge=1, le=2**31 - 1)]
    agree: bool


class PressIn(In):
    """`to`: seats; empty: everybody. Spectators write to each other. `sketch`: actions in wire
    notation, drawn on the board beside the text.

    Something to agree on, where bots understand it too: `offer` names promises that hold together
    or not at all, made to the seats in `to` (with `public`, in front of everybody); `answer` is a
    yes or no to such an offer; `form` is either of them as a text in the formal language of the
    game's bots.
    """

    to: Annotated[list[SeatId], Field(max_length=20)] = []
    text: Annotated[str, StringConstraints(strip_whitespace=True, max_length=4000)] = ""
    sketch: Annotated[list[Sketched], Field(max_length=40)] = []
    offer: Annotated[list[PartIn], Field(max_length=6)] = []
    public: bool = False
    answer: AnswerIn | None = None
    form: Annotated[str, StringConstraints(strip_whitespace=True, max_length=1000)] = ""
    command: CommandId | None = None
    seat: SeatId | None = None

    @model_validator(mode="after")
    def says_something(self) -> Self:
        formal = [self.offer, self.answer, self.form]
        if not self.text and not self.sketch and not any(formal):
            raise PydanticCustomError("empty", "a message needs a text, a sketch or an offer")
        if sum(map(bool, formal)) > 1:
            raise PydanticCustomError("either", "one of offer, answer and form")
        return self


class PressOut(Out):
    """A message. `channel`: "all", "watchers" or the seats joined by "+". `said`: by the table.
    `sketch`: actions in wire notation that the reader's board may draw. `form`: the text
    in the formal language of the game's bots; `may_answer`: it waits for a yes or no of mine;
    `parts`: what it offers or suggests, to begin an offer of mine with; `answers`: the message to
    which it is the answer."""

    id: int
    channel: str
    to: list[str]
    seat: str | None
    name: str
    text: str
    sketch: list[str] = []
    form: str = ""
    may_answer: bool = False
    parts: list[PartOut] = []
    answers: int | None = None
    said: bool
    code: str = ""
    at: float
    phase: str


class LabelOut(Out):
    id: str
    label: str


class KindOut(LabelOut):
    """A kind of promise; `needs`: the field of a part that must be given."""

    needs: Literal["", "against", "places", "action"]


class OffersOut(Out):
    """The kinds of promises at a table and the places that they may be about; none where the game has
    no formal language."""

    kinds: list[KindOut]
    places: list[LabelOut]


class PressPage(Out):
    messages: list[PressOut]
    next: int | None


class ReportIn(In):
    seat: SeatId
    text: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4000)]


class ProposalsOut(Out):
    proposals: list[ProposalOut]
