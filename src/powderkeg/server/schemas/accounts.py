"""People: guests, accounts, tokens, notices, ratings."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from powderkeg.core.words import LangCode
from powderkeg.server.db.rows import HookForm, NoticeEvent, NoticeWish
from powderkeg.server.schemas.base import In, Name, Out


class GuestIn(In):
    name: Name | None = None
    lang: LangCode | None = None


class AccountIn(In):
    """Make an account; a guest keeps seats and history."""

    name: Name
    password: Annotated[str, StringConstraints(min_length=8, max_length=200)] | None = None
    email: (
        Annotated[str, StringConstraints(max_length=254, pattern=r"^[^@\s]+@[^@\s]+$")] | None
    ) = None
    lang: LangCode | None = None


class LoginIn(In):
    name: Annotated[str, StringConstraints(min_length=1, max_length=254)]
    password: Annotated[str, StringConstraints(min_length=1, max_length=200)]


class MailLinkIn(In):
    email: Annotated[str, StringConstraints(max_length=254, pattern=r"^[^@\s]+@[^@\s]+$")]


class OpenIn(In):
    """The secret part of a link."""

    token: Annotated[str, StringConstraints(min_length=10, max_length=100)]
    claim: bool = False
    name: Name | None = None  # of a guest who takes the seat of an invitation


class HookIn(In):
    url: Annotated[str, StringConstraints(max_length=500, pattern=r"^https?://")]
    form: HookForm = "json"


class MeIn(In):
    """Changes to my account. Fields left out stay as they are."""

    name: Name | None = None
    lang: LangCode | None = None
    zone: Annotated[str, StringConstraints(max_length=64)] | None = None
    email: (
        Annotated[str, StringConstraints(max_length=254, pattern=r"^[^@\s]+@[^@\s]+$")] | None
    ) = None
    password: Annotated[str, StringConstraints(min_length=8, max_length=200)] | None = None
    notices: dict[NoticeEvent, NoticeWish] | None = None
    hook: HookIn | None = None
    no_hook: bool = False


class HookOut(Out):
    id: str = ""
    url: str
    form: str
    error: str = ""


class Me(Out):
    """The sender of the request. `kind` none: nobody is logged in. `name` is empty for a guest who has
    not said one. `mail`: this server can send mail."""

    id: str | None = None
    kind: Literal["none", "guest", "person", "bot"] = "none"
    name: str = ""
    lang: LangCode = "en"
    zone: str = "UTC"
    email: str | None = None
    email_proven: bool = False
    notices: dict[NoticeEvent, NoticeWish] = {}
    hook: HookOut | None = None
    scopes: list[str] = []
    push_key: str = ""
    turns: int = 0
    misses: int = 0
    mail: bool = False
    host: bool = False  # may read reports


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


class RatingPoint(Out):
    """A rating after a game."""

    game: str
    table: str
    at: float
    rating: int


class PlayedOut(Out):
    """A game of an account: running if `ended` is null; `place` of `players`, ties share it."""

    table: str
    game: str
    label: str
    title: str
    seat: str
    players: int
    ended: float | None
    place: int | None = None
    winners: int | None = None
    phase: str = ""
    rated: bool = False


class UserOut(Out):
    """The public profile of an account."""

    name: str
    kind: str
    since: float
    turns: int
    reliability: float | None
    ratings: list[RatingOut]
    history: list[RatingPoint] = []
    games: list[PlayedOut] = []


class PersonOut(Out):
    """The account behind a seat; empty for guests."""

    account: str


class ReportOut(Out):
    """A report of a player's conduct, for the hosts of the server."""

    id: int
    table: str
    game: str
    title: str
    seat: str
    label: str
    name: str
    by: str
    text: str
    at: float


class ReportsOut(Out):
    reports: list[ReportOut]


class RankOut(Out):
    name: str
    kind: str
    rating: int
    deviation: int
    played: int


class SeatLink(Out):
    """A secret link: anybody who opens it gets the seat."""

    seat: str
    link: str
    token: str


class HooksOut(Out):
    hooks: list[HookOut]


class TokensOut(Out):
    tokens: list[TokenOut]


class RanksOut(Out):
    game: str
    ranks: list[RankOut]
