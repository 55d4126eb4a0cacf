"""Leagues: their tables, results and standings."""

from typing import Annotated

from pydantic import StringConstraints

from powderkeg.server.schemas.base import In, Out
from powderkeg.server.schemas.tables import TableLine

LeagueName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=60)]


class LeagueIn(In):
    """A new league; `game`: the only game that is played in it."""

    name: LeagueName
    game: Annotated[str, StringConstraints(max_length=40)] | None = None


class LeagueChangeIn(In):
    """Changes to my league. Fields left out stay as they are; in a `closed` league no table is opened."""

    name: LeagueName | None = None
    closed: bool | None = None


class LeagueOut(Out):
    """A league. `owner`: it is the reader's; `member`: the reader plays in it and does not own it; `game`
    is empty if all may be played."""

    id: str
    name: str
    game: str
    label: str
    owner: bool
    member: bool
    closed: bool
    link: str


class LeaguesOut(Out):
    leagues: list[LeagueOut]


class StandingOut(Out):
    """A player of a league. `name` is empty for those whose accounts are deleted, who have no `place`;
    `account`: there is a page about them; `shared` are wins that were shared, `mean` the points of a
    game on average."""

    place: int | None
    name: str
    account: bool
    mine: bool
    games: int
    wins: int
    shared: int
    points: float
    mean: float


class PlaceOut(Out):
    """A seat in the result of a game, with the points that it is worth in the league."""

    place: int
    seat: str
    name: str
    bot: bool
    points: float | None


class LeagueGameOut(Out):
    """A finished game of a league."""

    table: str
    game: str
    label: str
    title: str
    ended: float
    places: list[PlaceOut]


class LeagueTablesOut(Out):
    """The standings of a league, in one game or in all, and its tables. `games` are those that have been
    finished, by their names."""

    games: list[str]
    standings: list[StandingOut]
    tables: list[TableLine]
    finished: list[LeagueGameOut]
