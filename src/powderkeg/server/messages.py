"""The border: what comes in and goes out as JSON. pydantic is used here and nowhere deeper."""

import math
from typing import Annotated, Any, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    field_validator,
    model_validator,
)

Lang = Literal["en", "es", "it"]
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=40)]
Seat = Annotated[str, StringConstraints(min_length=1, max_length=40)]
CommandId = Annotated[str, StringConstraints(min_length=1, max_length=64)]
Id = Annotated[str, StringConstraints(min_length=1, max_length=24)]
Place = Annotated[int, Field(ge=0, le=2**31 - 1)]
"""A place in a log."""
Seconds = Annotated[float, Field(ge=0, le=366 * 86400)]


DEEPEST = 30  # lists and objects within each other


def _check(value: Any, depth: int) -> None:
    """Refuse what no database and no JSON can hold: NUL, half characters, infinite numbers."""
    match value:
        case str():
            if "\x00" in value or any("\ud800" <= c <= "\udfff" for c in value):
                raise ValueError("text may not contain NUL or half a character")
        case float():
            if not math.isfinite(value):
                raise ValueError("numbers must be finite")
        case int():
            if abs(value) >= 2**63:
                raise ValueError("number too large")
        case dict() | list():
            if depth > DEEPEST:
                raise ValueError("too deep")
            for part in (*value, *value.values()) if isinstance(value, dict) else value:
                _check(part, depth + 1)


class In(BaseModel):
    """What a client sends: nothing unknown, nothing that cannot be stored."""

    model_config = ConfigDict(extra="forbid")

    @field_validator("*", mode="before")
    @classmethod
    def storable(cls, value: Any) -> Any:
        _check(value, 0)
        return value


class Out(BaseModel):
    """What a client gets."""


# Refusals


class Refusal(Out):
    """Why something was refused: a stable code, a sentence in the reader's language, the rule."""

    code: str
    text: str
    rule: str = ""


class RateLimit(Out):
    key: str
    seconds: int


class TooMany(Out):
    """Status 429: wait so many seconds."""

    code: str
    text: str
    rule: str = ""
    ratelimit: RateLimit


# People


class GuestIn(In):
    name: Name | None = None
    lang: Lang | None = None


class AccountIn(In):
    """Make an account; a guest who does keeps seats and history."""

    name: Name
    password: Annotated[str, StringConstraints(min_length=8, max_length=200)] | None = None
    email: (
        Annotated[str, StringConstraints(max_length=254, pattern=r"^[^@\s]+@[^@\s]+$")] | None
    ) = None
    lang: Lang | None = None


class LoginIn(In):
    name: Annotated[str, StringConstraints(min_length=1, max_length=254)]
    password: Annotated[str, StringConstraints(min_length=1, max_length=200)]


class MailLinkIn(In):
    email: Annotated[str, StringConstraints(max_length=254, pattern=r"^[^@\s]+@[^@\s]+$")]


class OpenIn(In):
    """A secret out of a link."""

    token: Annotated[str, StringConstraints(min_length=10, max_length=100)]
    claim: bool = False


EVENTS = ("your_turn", "near", "ended", "invited", "proposal", "message", "nudge")
Event = Literal["your_turn", "near", "ended", "invited", "proposal", "message", "nudge"]
When = Literal["now", "digest", "off"]


class HookIn(In):
    url: Annotated[str, StringConstraints(max_length=500, pattern=r"^https?://")]
    form: Literal["json", "discord"] = "json"


class MeIn(In):
    """What one may change about oneself. Fields left out stay as they are."""

    name: Name | None = None
    lang: Lang | None = None
    zone: Annotated[str, StringConstraints(max_length=64)] | None = None
    email: (
        Annotated[str, StringConstraints(max_length=254, pattern=r"^[^@\s]+@[^@\s]+$")] | None
    ) = None
    password: Annotated[str, StringConstraints(min_length=8, max_length=200)] | None = None
    notices: dict[Event, When] | None = None
    hook: HookIn | None = None
    no_hook: bool = False


class HookOut(Out):
    id: str = ""
    url: str
    form: str
    error: str = ""


class Me(Out):
    """Who is asking. `kind` none: nobody is logged in."""

    id: str | None = None
    kind: Literal["none", "guest", "person", "bot"] = "none"
    name: str = ""
    lang: Lang = "en"
    zone: str = "UTC"
    email: str | None = None
    email_proven: bool = False
    notices: dict[str, When] = {}
    hook: HookOut | None = None
    scopes: list[str] = []
    push_key: str = ""
    turns: int = 0
    misses: int = 0


Scope = Literal["read", "play", "tables", "account"]


class TokenIn(In):
    name: Name
    scopes: Annotated[list[Scope], Field(min_length=1, max_length=4)]
    days: Annotated[int, Field(ge=1, le=3650)] | None = None


class TokenOut(Out):
    """`token` is shown once, when it is made."""

    id: str
    name: str
    scopes: list[str]
    created: float
    expires: float | None
    used: float | None
    token: str | None = None


class PushIn(In):
    endpoint: Annotated[str, StringConstraints(max_length=1000, pattern=r"^https?://")]
    keys: dict[
        Annotated[str, StringConstraints(max_length=20)],
        Annotated[str, StringConstraints(max_length=200)],
    ]


class RatingOut(Out):
    game: str
    rating: int
    deviation: int
    played: int


class UserOut(Out):
    """What everybody may know about an account."""

    name: str
    kind: str
    since: float
    reliability: float | None
    ratings: list[RatingOut]


class RankOut(Out):
    name: str
    kind: str
    rating: int
    deviation: int
    played: int


# Games


class ChoiceOut(Out):
    value: Any
    label: str


class OptionOut(Out):
    name: str
    label: str
    kind: Literal["bool", "int", "choice", "text"]
    default: Any
    choices: list[ChoiceOut] = []
    least: int = 0
    most: int = 0


class SeatName(Out):
    seat: str
    label: str


class GameOut(Out):
    """A game that can be played here."""

    name: str
    label: str
    version: int
    players: list[int]
    seats: dict[str, list[SeatName]]
    options: list[OptionOut]
    levels: list[str]


class PresetOut(Out):
    name: str
    label: str
    settings: dict[str, Any]


class GamesOut(Out):
    games: list[GameOut]
    presets: list[PresetOut]


# Tables: what can be set


class Clock(In):
    """How long people may think.

    `none`: no limit. `bank`: each seat has `bank` seconds and gains `gain` with every turn.
    `turn`: each turn has `length` seconds; or, with `at` and `zone`, ends at that hour of day,
    at least `length` seconds away. `stages` overrides `length` for kinds of phase
    (``{"retreat": 43200}``).
    """

    kind: Literal["none", "bank", "turn"] = "none"
    bank: Seconds = 0
    gain: Seconds = 0
    length: Seconds = 0
    at: Annotated[str, StringConstraints(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")] | None = None
    zone: Annotated[str, StringConstraints(max_length=64)] = "UTC"
    stages: dict[Annotated[str, StringConstraints(max_length=40)], Seconds] = {}

    @field_validator("zone")
    @classmethod
    def known_zone(cls, value: str) -> str:
        from zoneinfo import ZoneInfo

        try:
            ZoneInfo(value)
        except (ValueError, KeyError, OSError):
            raise ValueError("unknown time zone") from None
        return value


class Missed(In):
    """What happens to who misses a deadline: `grace` seconds, then the default is played; after
    `autopilot` misses in a row a bot plays on; after `open` misses the seat may be taken over."""

    grace: Seconds = 0
    autopilot: Annotated[int, Field(ge=1, le=100)] = 2
    open: Annotated[int, Field(ge=1, le=100)] = 4
    level: Annotated[str, StringConstraints(max_length=20)] = ""


class TableSettings(In):
    listed: bool = True
    join: Literal["anyone", "link", "accounts"] = "anyone"
    watch: Literal["off", "on", "delayed"] = "on"
    delay: Seconds = 600
    anonymous: bool = False
    seating: Literal["choose", "draw"] = "choose"
    press: Literal["all", "rulebook", "public", "none"] = "all"
    clock: Clock = Clock()
    missed: Missed = Missed()
    rated: bool = False
    fill: bool = True
    pausing: bool = True


class SeatIn(In):
    """One seat of a new table. `me`: I sit here; `here`: another person at my screen."""

    seat: Seat
    kind: Literal["me", "here", "open", "invited", "bot"] = "open"
    level: Annotated[str, StringConstraints(max_length=20)] = ""
    name: Annotated[str, StringConstraints(max_length=40)] = ""
    invite: Annotated[str, StringConstraints(max_length=254)] = ""


class TableIn(In):
    game: Annotated[str, StringConstraints(max_length=40)]
    players: Annotated[int, Field(ge=1, le=20)] | None = None
    options: dict[str, Any] = {}
    preset: Literal["bots", "live", "day", "week"] | None = None
    settings: TableSettings | None = None
    title: Annotated[str, StringConstraints(max_length=80)] = ""
    seats: Annotated[list[SeatIn], Field(max_length=20)] = []
    name: Name | None = None
    start: bool = False


class JoinIn(In):
    seat: Seat | None = None
    name: Name | None = None
    invite: Annotated[str, StringConstraints(max_length=100)] = ""


class ChangeSeatIn(In):
    """The host changes a seat before the start, or hands a seat to a bot or opens it later."""

    kind: Literal["open", "bot"]
    level: Annotated[str, StringConstraints(max_length=20)] = ""


# Tables: what is shown


class SeatOut(Out):
    """A seat as the reader may see it. In anonymous tables `name`, `kind` and `present` say
    nothing about others."""

    seat: str
    label: str
    kind: Literal["open", "invited", "person", "bot", "hidden"]
    level: str = ""
    name: str = ""
    mine: bool = False
    to_act: bool | None = None
    present: bool | None = None
    autopilot: bool = False
    vacant: bool = False
    due: float | None = None
    bank: float | None = None
    score: float | None = None
    rank: int | None = None


class FactOut(Out):
    code: str
    text: str
    rule: str = ""


class SectionOut(Out):
    title: str
    lines: list[str]


class QuestionOut(Out):
    """What the reader's seat is asked. `id` goes back with the answer.

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


class TableOut(Out):
    """A table as the reader may know it. The whole truth about a game never leaves the server."""

    id: str
    rev: int
    seq: int
    game: str
    label: str
    title: str
    status: Literal["open", "live", "paused", "over", "closed"]
    purpose: Literal["game", "sandbox", "study"]
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
    due: float | None = None
    paused_until: float | None = None
    now: float
    result: ResultOut | None = None
    commitment: str
    key: str | None = None
    rematch: str | None = None
    watchers: bool
    press: int = 0


class Made(Out):
    """A new table. `invite` is the secret part of its link, shown to who made it."""

    id: str
    invite: str
    link: str
    invites: dict[str, str] = {}
    table: TableOut


class SeatLink(Out):
    """Whoever opens this link sits in the seat."""

    seat: str
    link: str
    token: str


class TableLine(Out):
    """A table in a list."""

    id: str
    game: str
    label: str
    title: str
    status: str
    players: int
    taken: int
    open_seats: list[str]
    names: list[str]
    clock: str
    rated: bool
    anonymous: bool
    my_seat: str | None = None
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


# Play


class ActIn(In):
    """`command`: an id the client makes, so that a repetition does no harm. `question`: the id of
    the question being answered. `text`: the action in wire notation; or `texts`, several."""

    command: CommandId
    question: Place
    text: Annotated[str, StringConstraints(min_length=1, max_length=2000)] | None = None
    texts: (
        Annotated[
            list[Annotated[str, StringConstraints(min_length=1, max_length=2000)]],
            Field(min_length=1, max_length=80),
        ]
        | None
    ) = None
    seat: Seat | None = None


class UndoIn(In):
    command: CommandId
    seat: Seat | None = None


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
    question: Place
    value: Any = None
    seat: Seat | None = None

    @field_validator("value")
    @classmethod
    def small(cls, value: Any) -> Any:
        import json

        if len(json.dumps(value)) > 20_000:
            raise ValueError("draft too large")
        return value


class ReadIn(In):
    """Orders as a person types them: one a line, or separated by commas or semicolons."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=2000)]
    seat: Seat | None = None


class ReadOrder(Out):
    """What was understood: `wire` is to be sent with `act`; `echo` says it in the reader's words."""

    text: str
    wire: str
    echo: str = ""


class ReadError(Out):
    """What was not understood, or is not allowed, and why."""

    text: str
    code: str
    message: str
    rule: str = ""


class ReadOut(Out):
    orders: list[ReadOrder]
    errors: list[ReadError]


class EntryOut(Out):
    """One entry of the log. `do` is shown where it is no secret: one's own, or when it is over."""

    seq: int
    seat: str
    label: str
    by: str | None
    at: float | None
    do: str | None
    undone: bool
    undo: bool
    phase: str
    facts: list[FactOut]


class PhaseMark(Out):
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
    result: ResultOut | None = None


class ProposalIn(In):
    """`kind`: draw, concede (to `args.winner`), pause, resume, extend, replace (`args.who`),
    cancel, deal (`to` some seats, `args.text`)."""

    kind: Literal["draw", "concede", "pause", "resume", "extend", "replace", "cancel", "deal"]
    seat: Seat | None = None
    to: Annotated[list[Seat], Field(max_length=20)] = []
    args: dict[Annotated[str, StringConstraints(max_length=20)], Any] = {}
    hours: Annotated[float, Field(gt=0, le=24 * 14)] = 48

    @field_validator("args")
    @classmethod
    def small(cls, value: Any) -> Any:
        import json

        if len(json.dumps(value)) > 4000:
            raise ValueError("arguments too large")
        return value


class VoteIn(In):
    agree: bool
    seat: Seat | None = None


Sketched = Annotated[str, StringConstraints(pattern=r"^[ -~]{1,80}$")]
"""An action in wire notation, which is ASCII. It is drawn and never done, so nobody judges it."""


Code = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_/]{1,40}$")]


class PartIn(In):
    """One promise: a `kind` of those that the table offers, and what it is about."""

    kind: Code
    against: Annotated[list[Seat], Field(max_length=20)] = []
    places: Annotated[list[Code], Field(max_length=20)] = []
    action: Annotated[str, StringConstraints(pattern=r"^[ -~]{0,80}$")] = ""


class AnswerIn(In):
    """A yes or no to the offer in message `id`."""

    id: Annotated[int, Field(ge=1, le=2**31 - 1)]
    agree: bool


class PressIn(In):
    """`to`: seats; empty: everybody. Watchers speak among themselves. `sketch`: actions in wire
    notation, drawn on the board beside the text.

    Something to agree on, where bots understand it too: `offer` names promises that hold together
    or not at all, made to the seats in `to` (with `public`, in front of everybody); `answer` is a
    yes or no to such an offer; `form` is either of them as a text in the formal language of the
    game's bots.
    """

    to: Annotated[list[Seat], Field(max_length=20)] = []
    text: Annotated[str, StringConstraints(strip_whitespace=True, max_length=4000)] = ""
    sketch: Annotated[list[Sketched], Field(max_length=40)] = []
    offer: Annotated[list[PartIn], Field(max_length=6)] = []
    public: bool = False
    answer: AnswerIn | None = None
    form: Annotated[str, StringConstraints(strip_whitespace=True, max_length=1000)] = ""
    command: CommandId | None = None
    seat: Seat | None = None

    @model_validator(mode="after")
    def says_something(self) -> Self:
        formal = [self.offer, self.answer, self.form]
        if not self.text and not self.sketch and not any(formal):
            raise ValueError("a message needs a text, a sketch or an offer")
        if sum(map(bool, formal)) > 1:
            raise ValueError("one of offer, answer and form")
        return self


class PressOut(Out):
    """A message. `channel`: "all", "watchers" or the seats joined by "+". `said`: by the table.
    `sketch`: actions in wire notation that the reader's board may draw. `form`: what the text says
    in the formal language of the game's bots; `may_answer`: it waits for a yes or no of mine;
    `answers`: the message to which it is the answer."""

    id: int
    channel: str
    to: list[str]
    seat: str | None
    name: str
    text: str
    sketch: list[str] = []
    form: str = ""
    may_answer: bool = False
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
    """What can be promised at a table, and the places that a promise may be about; nothing where
    the game has no formal language."""

    kinds: list[KindOut]
    places: list[LabelOut]


class PressPage(Out):
    messages: list[PressOut]
    next: int | None


class SandboxIn(In):
    seq: Annotated[int, Field(ge=0)] | None = None
    seat: Seat | None = None


class ImportIn(In):
    file: Annotated[str, StringConstraints(min_length=1, max_length=4_000_000)]
    title: Annotated[str, StringConstraints(max_length=80)] = ""


class ReportIn(In):
    seat: Seat
    text: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4000)]


class HooksOut(Out):
    hooks: list[HookOut]


class Done(Out):
    ok: Literal[True] = True


class ProposalsOut(Out):
    proposals: list[ProposalOut]


class TokensOut(Out):
    tokens: list[TokenOut]


class RanksOut(Out):
    game: str
    ranks: list[RankOut]


class Health(Out):
    ok: bool
    database: str
    version: str


# Studying


class AdviceIn(In):
    seq: Annotated[int, Field(ge=0)] | None = None
    seat: Seat | None = None
    level: Literal["easy", "normal", "hard"] = "hard"


class ShareOut(Out):
    """What a seat may expect of the game; all together 1."""

    seat: str
    label: str
    share: float


class MoveOut(Out):
    text: str
    said: str


class LineOut(Out):
    """An action that was weighed: what it promises, how often it was tried, what may follow."""

    text: str
    said: str
    shares: list[ShareOut]
    visits: int
    then: list[str]


class AdviceOut(Out):
    """`shares`: how it stands (empty where nobody can say); `moves`: what a bot would do with
    this turn; `reason`: why; `lines`: what it weighed, best first."""

    seq: int
    seat: str | None
    shares: list[ShareOut]
    moves: list[MoveOut]
    reason: str
    lines: list[LineOut]


class ReviewIn(In):
    seat: Seat | None = None
    since: Annotated[int, Field(ge=0)] = 0
    level: Literal["easy", "normal", "hard"] = "hard"


class BlunderOut(Out):
    """Entry `seq` of the log gave away `loss` of the game; `better` was better."""

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
