"""The standings of a league, counted from its finished games."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from powderkeg.server.db.rows import SeatRow, StoredResult, TableRow, UserKind

GAME_POINTS = 100.0
FEWEST_PEOPLE = 2  # with fewer a game has no loser to speak of


class Member(NamedTuple):
    """What a league says of a user."""

    name: str
    kind: UserKind


class Player(NamedTuple):
    """Somebody in a league: a user, or nobody if the account is gone. People who share a screen are
    told apart by their names."""

    user: str | None
    name: str = ""


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A game with its result, and the people who played it to its end, by their seats."""

    row: TableRow
    result: StoredResult
    seats: Sequence[SeatRow]
    players: Mapping[str, Player]
    counts: bool  # enough people sat there

    @property
    def points(self) -> dict[str, float]:
        """The points of each seat."""
        return divide_points(self.result) if self.counts else {}


@dataclass(frozen=True, slots=True)
class Standing:
    """How a player stands in a league."""

    player: Player
    games: int = 0
    wins: int = 0
    shared: int = 0
    points: float = 0.0

    @property
    def mean(self) -> float:
        return self.points / self.games


def divide_points(result: StoredResult) -> dict[str, float]:
    """A hundred points, divided as the scores are. A score below zero gains nothing; if nobody has
    more, the winners share."""
    gains = {seat: max(0.0, score) for seat, score in result["scores"].items()}
    whole = math.fsum(gains.values())
    if not whole:
        gains = {seat: float(seat in result["ranking"][0]) for seat in gains}
        whole = math.fsum(gains.values())
    return {seat: GAME_POINTS * gain / whole for seat, gain in gains.items()}


def finished_game(
    row: TableRow, result: StoredResult, seats: Sequence[SeatRow], members: Mapping[str, Member]
) -> FinishedGame:
    """A finished game with its people. Nobody stands for those who left it before its end."""
    people = [seat for seat in seats if seat.kind == "person" and not _is_program(seat, members)]
    known = {x.seat: _seat_player(x, people, members) for x in people if x.user in members}
    others = [seat for seat in people if seat.seat not in known]  # who left, or deleted the account
    gone = {seat.seat: Player(None) for seat in others if not seat.vacant}
    counts = len({*known.values()}) + len(others) >= FEWEST_PEOPLE
    return FinishedGame(row, result, seats, known | gone, counts)


def _is_program(seat: SeatRow, members: Mapping[str, Member]) -> bool:
    known = members.get(seat.user or "")
    return known is not None and known.kind == "bot"


def _seat_player(seat: SeatRow, people: Iterable[SeatRow], members: Mapping[str, Member]) -> Player:
    shares = sum(other.user == seat.user for other in people) > 1
    known = members[seat.user or ""].name
    return Player(seat.user, seat.name if shares and seat.name != known else "")


def count_standings(games: Iterable[FinishedGame]) -> list[Standing]:
    """How everybody stands, the best first; those whose accounts are gone come last, as one."""
    counted: dict[Player, Standing] = {}
    for game in games:
        for player in set(game.players.values()) if game.counts else ():
            counted[player] = _count_game(counted.get(player, Standing(player)), game)
    return sorted(counted.values(), key=_place_order)


def _place_order(standing: Standing) -> tuple[bool, float, int, str, str]:
    user, name = standing.player
    return (user is None, -standing.points, -standing.wins, user or "", name)


def _count_game(before: Standing, game: FinishedGame) -> Standing:
    mine = {seat for seat, player in game.players.items() if player == before.player}
    winners, points = set(game.result["ranking"][0]), game.points
    return Standing(
        before.player,
        before.games + 1,
        before.wins + (winners <= mine),
        before.shared + bool(winners & mine and winners - mine),
        before.points + math.fsum(points.get(seat, 0.0) for seat in mine),
    )
