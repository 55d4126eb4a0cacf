"""Exercises of a person: the table of each try, and what is done."""

import asyncio
from dataclasses import replace

from sqlalchemy import ColumnElement, delete, select

from powderkeg.core import plain
from powderkeg.core.errors import Unreadable
from powderkeg.core.game import Options
from powderkeg.core.options import load_options
from powderkeg.core.words import Msg, say
from powderkeg.lessons import (
    Exercise,
    draw_exercise,
    exercise_key,
    find_exercise,
    has_picture,
    list_exercises,
    start_position,
)
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.db import schema
from powderkeg.server.db.rows import LessonRow, SeatRow, TableRow
from powderkeg.server.lobby.copies import PRIVATE_SETTINGS
from powderkeg.server.lobby.create import new_table_row, offered_game, start_game, store_table
from powderkeg.server.refusals import Refused, not_found
from powderkeg.server.schemas.lessons import LessonLine, LessonOut
from powderkeg.server.tables.cache import TableCache

ls = schema.lessons.c
TRY_KEPT_SECONDS = 3600.0  # then the table of an earlier try is deleted


async def list_lessons(cache: TableCache, who: Principal, game: str) -> list[LessonLine]:
    """The exercises of a game, with what the reader has done."""
    offered_game(cache, game)
    async with cache.store.read() as tx:
        rows = await tx.all(select(schema.lessons).where(ls.user == who.id)) if who.id else []
    known = {row.exercise: LessonRow.load(row) for row in rows}
    return [_lesson_line(each, known.get(each.id), who.lang) for each in list_exercises(game)]


def _lesson_line(exercise: Exercise, row: LessonRow | None, lang: str) -> LessonLine:
    solved = row is not None and row.solved is not None
    shown = _may_see_solution(exercise, row)
    return LessonLine(
        name=exercise.name,
        kind=exercise.kind,
        title=_lesson_words(exercise, "title", lang),
        task=_lesson_words(exercise, "task", lang),
        done=_lesson_words(exercise, "done", lang) if shown else "",
        rule=exercise.rule,
        pictured=shown and has_picture(exercise),
        solved=solved,
        begun=row is not None and row.game is not None and row.verdict == "open",
    )


def _may_see_solution(exercise: Exercise, row: LessonRow | None) -> bool:
    """A puzzle keeps its solution to itself until it is solved."""
    return exercise.kind == "exercise" or (row is not None and row.solved is not None)


async def draw_lesson(cache: TableCache, who: Principal, name: str) -> str:
    """The picture of an exercise with its solution, as SVG."""
    exercise = _known_exercise(name)
    offered_game(cache, exercise.game)
    known = await _find_lesson(cache, (ls.user == (who.id or "")) & (ls.exercise == name))
    if not has_picture(exercise) or not _may_see_solution(exercise, known):
        raise not_found()
    return await asyncio.to_thread(draw_exercise, name, who.lang)


async def _find_lesson(cache: TableCache, where: ColumnElement[bool]) -> LessonRow | None:
    async with cache.store.read() as tx:
        found = await tx.one(select(schema.lessons).where(where))
    return LessonRow.load(found) if found else None


async def open_lesson(cache: TableCache, who: Principal, name: str, *, again: bool) -> str:
    """The table of an exercise: the one begun before, or a new one."""
    user = who.need_user("tables")
    exercise = _known_exercise(name)
    offered_game(cache, exercise.game)
    found = await _find_lesson(cache, (ls.user == user) & (ls.exercise == name))
    known = found or LessonRow(user=user, exercise=name)
    if known.game and known.verdict == "open" and not again:
        return known.game
    row = _lesson_table(cache, exercise, user)
    async with cache.store.write() as tx:
        await store_table(tx, row, _lesson_seats(cache, exercise, row, who))
        fresh = replace(known, game=row.id, verdict="open")
        kept = {"game": row.id, "verdict": "open"}
        await tx.run(tx.upsert(schema.lessons, fresh.values(), ["user", "exercise"], kept))
        await tx.run(delete(schema.games).where(_abandoned_tables(user, cache.clock())))
    async with cache.change(row.id) as change:
        start_game(change)
    return row.id


def _abandoned_tables(user: str, now: float) -> ColumnElement[bool]:
    """Tables of earlier tries, once no page shows them any more."""
    g = schema.games.c
    current = select(ls.game).where(ls.user == user, ls.game.is_not(None)).scalar_subquery()
    mine = (g.owner == user) & (g.purpose == "lesson")
    return mine & (g.moved < now - TRY_KEPT_SECONDS) & g.id.not_in(current)


def _known_exercise(name: str) -> Exercise:
    try:
        return find_exercise(name)
    except Unreadable:
        raise Refused(404, "no_such_exercise", name=name) from None


def _lesson_table(cache: TableCache, exercise: Exercise, owner: str) -> TableRow:
    game, options = cache.games[exercise.game], _lesson_options(cache, exercise)
    settings = replace(PRIVATE_SETTINGS, exercise=exercise.id, pausing=False)
    return replace(
        new_table_row(game, options, exercise.players, cache.clock(), settings),
        owner=owner,
        purpose="lesson",
        key=exercise_key(exercise).hex(),
        initial=plain.dump(start_position(exercise.id)),
    )


def _lesson_options(cache: TableCache, exercise: Exercise) -> Options:
    return load_options(cache.games[exercise.game].Options, dict(exercise.options))


def _lesson_seats(
    cache: TableCache, exercise: Exercise, row: TableRow, who: Principal
) -> list[SeatRow]:
    """The learner in their seat, a bot that never has to decide in each of the others."""
    options = _lesson_options(cache, exercise)
    names = cache.games[exercise.game].seats(exercise.players, options)
    seats = [SeatRow(game=row.id, seat=name, place=i) for i, name in enumerate(names)]
    return [
        replace(seat, kind="person", user=who.id, name=who.name)
        if seat.seat == exercise.seat
        else replace(seat, kind="bot")
        for seat in seats
    ]


async def present_lesson(cache: TableCache, who: Principal, table: str) -> LessonOut:
    """The exercise that the reader does at a table, in words."""
    row = await _find_lesson(cache, (ls.game == table) & (ls.user == (who.id or "")))
    if row is None:
        raise not_found()
    exercise = find_exercise(row.exercise)
    following = _next_exercise(exercise)
    return LessonOut(
        game=exercise.game,
        name=exercise.name,
        kind=exercise.kind,
        title=_lesson_words(exercise, "title", who.lang),
        task=_lesson_words(exercise, "task", who.lang),
        hint=_lesson_words(exercise, "hint", who.lang),
        done=_lesson_words(exercise, "done", who.lang) if _may_see_solution(exercise, row) else "",
        rule=exercise.rule,
        lit=list(exercise.lit),
        verdict=row.verdict,
        following=following.name if following else "",
        following_title=_lesson_words(following, "title", who.lang) if following else "",
    )


def _next_exercise(exercise: Exercise) -> Exercise | None:
    course = list_exercises(exercise.game)
    place = course.index(exercise) + 1
    return course[place] if place < len(course) else None


def _lesson_words(exercise: Exercise, part: str, lang: str) -> str:
    if exercise.kind == "tour" and part != "title":
        return ""  # the browser leads through it, step by step
    return say(Msg(f"lessons.{exercise.game}.{exercise.name}.{part}"), lang)
