"""Exercises: the list of a game, and the one that is being done."""

from typing import Literal

from powderkeg.server.schemas.base import In, Out


class LessonIn(In):
    again: bool = False  # begin from the start, also if a try is still open


class LessonLine(Out):
    """An exercise in the list of a game, as far as the reader has come."""

    name: str
    kind: Literal["tour", "exercise", "puzzle"]
    title: str
    task: str
    done: str  # what the solution teaches
    rule: str
    pictured: bool  # it has a picture of its solution
    solved: bool
    begun: bool  # there is a table where it can be continued


class LessonsOut(Out):
    lessons: list[LessonLine]


class LessonOut(Out):
    """The exercise of a table. `verdict` is on this try; `done` is what to read when it is solved."""

    game: str
    name: str
    kind: Literal["tour", "exercise", "puzzle"]
    title: str
    task: str
    hint: str
    done: str
    rule: str
    lit: list[str]
    verdict: Literal["open", "solved", "failed"]
    following: str
    following_title: str


class LessonMade(Out):
    id: str  # of the table
