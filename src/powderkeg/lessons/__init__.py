"""Lessons: exercises and puzzles on the real board, from fixed positions with fixed luck.

An exercise is data in the game's folder (`games/<game>/data/lessons.toml`). The others at the table
play by a script, and the goal is a set of conditions on what the learner sees, so the rules decide
whether it is reached. Nothing here knows a game.
"""

from powderkeg.lessons.course import (
    Exercise,
    exercise_key,
    find_exercise,
    list_exercises,
    start_position,
)
from powderkeg.lessons.pictures import draw_exercise, has_picture, solved_table
from powderkeg.lessons.replies import scripted_reply
from powderkeg.lessons.verdict import Verdict, judge_exercise

__all__ = [
    "Exercise",
    "Verdict",
    "draw_exercise",
    "exercise_key",
    "find_exercise",
    "has_picture",
    "judge_exercise",
    "list_exercises",
    "scripted_reply",
    "solved_table",
    "start_position",
]
