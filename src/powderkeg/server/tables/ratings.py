"""Ratings by openskill, one for each game that an account plays."""

from typing import Any

from openskill.models import PlackettLuce
from sqlalchemy import delete, select

from powderkeg.server.db import schema
from powderkeg.server.db.store import Tx
from powderkeg.server.tables.loaded import TableChange

RATING_MODEL = PlackettLuce()
r = schema.ratings.c


def shown_rating(mu: float, sigma: float) -> int:
    """The rating in a familiar scale: about 1500 for a beginner after many games."""
    return round(1000 + 20 * (mu - 2 * sigma) + 500 * (1 - sigma / RATING_MODEL.sigma))


def shown_deviation(sigma: float) -> int:
    """The uncertainty of a rating, in the scale of `shown_rating`."""
    return round(20 * sigma)


async def rate_game(change: TableChange) -> None:
    """Update the ratings of people in the transaction that ends a rated game."""
    loaded = change.loaded
    row, result = loaded.row, loaded.row.result
    people = {name: seat.user for name, seat in loaded.seats.items() if seat.user}
    counts = row.settings.rated and row.purpose == "game" and not row.rated
    if result is None or not counts:
        return
    if len(set(people.values())) < 2 or len(people) != len(set(people.values())):
        return
    accounts = await change.tx.all(
        select(schema.users.c.id).where(
            schema.users.c.id.in_(people.values()), schema.users.c.kind != "guest"
        )
    )
    if len(accounts) != len(people):
        return  # a game with guests is not rated
    place = {s: i for i, group in enumerate(result["ranking"]) for s in group}
    seats = [s for s in people if s in place]
    old = await _old_ratings(change.tx, row.rules, [people[s] for s in seats])
    teams = [[RATING_MODEL.rating(mu=old[people[s]][0], sigma=old[people[s]][1])] for s in seats]
    rated = RATING_MODEL.rate(teams, ranks=[float(place[s]) for s in seats])
    for seat, (new,) in zip(seats, rated, strict=True):
        user = people[seat]
        await change.tx.run(delete(schema.ratings).where(r.user == user, r.rules == row.rules))
        values: dict[str, Any] = {
            "user": user,
            "rules": row.rules,
            "mu": new.mu,
            "sigma": new.sigma,
            "played": old[user][2] + 1,
        }
        await change.tx.run(schema.ratings.insert().values(**values))
        del values["played"]
        passed = {**values, "game": row.id, "at": change.now}
        await change.tx.run(schema.rating_changes.insert().values(**passed))
    change.set(rated=True)


async def _old_ratings(tx: Tx, rules: str, users: list[str]) -> dict[str, tuple[float, float, int]]:
    known = dict.fromkeys(users, (RATING_MODEL.mu, RATING_MODEL.sigma, 0))
    query = select(schema.ratings).where(r.rules == rules, r.user.in_(users))
    known |= {row.user: (row.mu, row.sigma, row.played) for row in await tx.all(query)}
    return known
