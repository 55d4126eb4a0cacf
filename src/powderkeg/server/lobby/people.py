"""People as others see them: profiles, ranks, the person in a seat, and reports about them."""

from typing import Any

from sqlalchemy import select

from powderkeg.core.game import Game
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.accounts.profiles import Profile
from powderkeg.server.db import schema
from powderkeg.server.db.rows import RatingRow, ReportRow, TableRow
from powderkeg.server.refusals import Refused
from powderkeg.server.schemas.accounts import (
    PlayedOut,
    RankOut,
    RatingOut,
    RatingPoint,
    ReportOut,
    UserOut,
)
from powderkeg.server.tables import labels
from powderkeg.server.tables.cache import TableCache
from powderkeg.server.tables.ratings import shown_deviation, shown_rating
from powderkeg.server.views.names import guest_name
from powderkeg.server.views.present import result_place
from powderkeg.server.views.readers import find_reader

SHOWN_REPORTS = 200


def present_profile(profile: Profile, games: dict[str, Game], lang: str) -> UserOut:
    user = profile.user
    return UserOut(
        name=user.name,
        kind=user.kind,
        since=user.created,
        turns=user.turns,
        reliability=profile.reliability,
        ratings=[_present_rating(each) for each in profile.ratings],
        history=[
            RatingPoint(game=x.rules, table=x.game, at=x.at, rating=shown_rating(x.mu, x.sigma))
            for x in profile.changes
        ],
        games=[_present_played(row, seat, games[row.rules], lang) for row, seat in profile.games],
    )


def _present_rating(row: RatingRow) -> RatingOut:
    return RatingOut(
        game=row.rules,
        rating=shown_rating(row.mu, row.sigma),
        deviation=shown_deviation(row.sigma),
        played=row.played,
    )


def _present_played(row: TableRow, seat: str, game: Game, lang: str) -> PlayedOut:
    result = row.result
    return PlayedOut(
        table=row.id,
        game=row.rules,
        label=labels.game_label(game, lang),
        title=row.title,
        seat=labels.standing_label(game, row, seat, lang),
        players=row.players,
        ended=row.ended,
        place=result_place(result, seat) if result else None,
        winners=len(result["ranking"][0]) if result else None,
        phase=labels.phase_label(game, row.phase, lang) if row.watch == "on" else "",
        rated=row.rated,
    )


def present_ranks(rows: list[Any]) -> list[RankOut]:
    return [
        RankOut(
            name=x.name,
            kind=x.kind,
            rating=shown_rating(x.mu, x.sigma),
            deviation=shown_deviation(x.sigma),
            played=x.played,
        )
        for x in rows
    ]


async def find_seat_user(cache: TableCache, who: Principal, table: str, seat: str) -> str | None:
    """The user in a seat, if the reader may know; their own they always may."""
    async with cache.look(table) as loaded:
        reader = find_reader(loaded, who, None)
        if seat not in loaded.seats:
            raise Refused(404, "no_such_seat", seat=seat)
        hidden = loaded.row.is_anonymous and seat not in reader.held
        return None if hidden else loaded.seats[seat].user


async def list_reports(cache: TableCache, lang: str) -> list[ReportOut]:
    """The latest reports, with the table and the people they are about."""
    rp, u = schema.reports.c, schema.users.c
    async with cache.store.read() as tx:
        latest = select(schema.reports).order_by(rp.id.desc()).limit(SHOWN_REPORTS)
        rows = [ReportRow.load(row) for row in await tx.all(latest)]
        ids = {row.game for row in rows}
        games = await tx.all(select(schema.games).where(schema.games.c.id.in_(ids)))
        users = await tx.all(select(u.id, u.name).where(u.id.in_({row.by for row in rows})))
    tables = {row.id: TableRow.load(row) for row in games}
    authors = {row.id: row.name or guest_name(lang) for row in users}
    return [
        _present_report(cache, tables[row.game], row, authors, lang)
        for row in rows
        if tables[row.game].rules in cache.games
    ]


def _present_report(
    cache: TableCache, table: TableRow, row: ReportRow, authors: dict[str, str], lang: str
) -> ReportOut:
    game = cache.games[table.rules]
    return ReportOut(
        id=row.id,
        table=table.id,
        game=labels.game_label(game, lang),
        title=table.title,
        seat=row.seat,
        label=labels.standing_label(game, table, row.seat, lang),
        name=row.name or (guest_name(lang) if row.about else ""),
        by=authors.get(row.by or "", ""),
        text=row.text,
        at=row.at,
    )
