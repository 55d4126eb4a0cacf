"""Tables at which somebody does an exercise: the others play by its script, the rules judge it."""

from sqlalchemy import update

from powderkeg.lessons import Exercise, Verdict, find_exercise, judge_exercise, scripted_reply
from powderkeg.server.db import schema
from powderkeg.server.tables.loaded import TableChange, record_lines

MOST_REPLIES = 400  # a script that goes on for longer would never end
ls = schema.lessons.c


async def follow_lesson(change: TableChange) -> None:
    """After a change: let the others answer by the script, and keep the verdict."""
    loaded = change.loaded
    if loaded.settings.exercise is None or loaded.replayed is None or loaded.row.status != "live":
        return
    exercise = find_exercise(loaded.settings.exercise)
    _play_replies(change, exercise)
    state = loaded.current.table.state
    await _keep_verdict(change, judge_exercise(exercise, loaded.game, state))


def _play_replies(change: TableChange, exercise: Exercise) -> None:
    current, done = change.loaded.current, list[tuple[str, str]]()
    while len(done) < MOST_REPLIES:
        reply = scripted_reply(exercise, change.loaded.game, current.table.state, done)
        if reply is None:
            return
        done.append(reply)
        record_lines(change, current.act(*reply, change.now), None, "bot")


async def _keep_verdict(change: TableChange, verdict: Verdict) -> None:
    """Store the verdict on this try. What is solved stays solved, whatever is tried afterwards."""
    mine = (ls.game == change.loaded.id) & (ls.verdict != "solved")
    await change.tx.run(update(schema.lessons).where(mine).values(verdict=verdict))
    if verdict == "solved":
        first = (ls.game == change.loaded.id) & ls.solved.is_(None)
        await change.tx.run(update(schema.lessons).where(first).values(solved=change.now))
