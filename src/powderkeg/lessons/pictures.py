"""Pictures of exercises: the board with the solution, cut to the place of the action."""

import re
from functools import lru_cache

from powderkeg.core.chance import Audited
from powderkeg.core.game import Options
from powderkeg.core.options import load_options
from powderkeg.core.reports.drawing import find_drawing
from powderkeg.core.table import Table
from powderkeg.games import find_game
from powderkeg.lessons.course import Exercise, exercise_key, find_exercise, start_position
from powderkeg.lessons.replies import scripted_reply

_VIEW_BOX = re.compile(r'viewBox="[^"]*"')


def solved_table(exercise: Exercise) -> Table:
    """The table of an exercise with its solution played: all of it where it is `early`, else all but
    the last action, since orders are drawn before they are carried out."""
    game = find_game(exercise.game)
    options: Options = load_options(game.Options, dict(exercise.options))
    state, source = start_position(exercise.id), Audited(exercise_key(exercise))
    table = Table(game, exercise.players, options, source=source, state=state)
    _answer_learner(exercise, table)
    for text in exercise.solution if exercise.early else exercise.solution[:-1]:
        table.act(exercise.seat, text)
        _answer_learner(exercise, table)
    return table


def _answer_learner(exercise: Exercise, table: Table) -> None:
    done: list[tuple[str, str]] = []
    while reply := scripted_reply(exercise, table.game, table.state, done):
        done.append(reply)
        table.act(*reply)


def has_picture(exercise: Exercise) -> bool:
    """Whether the exercise can be drawn: its game has a map, and it says where to look."""
    return bool(exercise.frame) and find_drawing(exercise.game) is not None


@lru_cache(maxsize=128)
def draw_exercise(exercise_id: str, lang: str) -> str:
    """The solved position as SVG, cut to the frame of the exercise."""
    exercise = find_exercise(exercise_id)
    drawn = solved_table(exercise).draw(exercise.seat, lang=lang)
    frame = " ".join(map(str, exercise.frame))
    return _VIEW_BOX.sub(f'viewBox="{frame}"', drawn, count=1)
