"""The exercises of a game, read from its data, and the positions they start from."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, Literal

from powderkeg.core import plain
from powderkeg.core.chance import Audited
from powderkeg.core.errors import Unreadable
from powderkeg.core.game import Game, State
from powderkeg.core.options import load_options
from powderkeg.core.table import Table
from powderkeg.games import GAME_NAMES, find_game
from powderkeg.lessons.conditions import Condition, read_condition

ExerciseKind = Literal["tour", "exercise", "puzzle"]
Script = Mapping[str, Mapping[str, tuple[str, ...]]]  # by phase ("*": any) and seat
Played = tuple[tuple[str, str], ...]  # seat and action, in order


@dataclass(frozen=True, slots=True)
class Answer:
    """What a seat does out of turn, such as accepting a deal, while it sees that `when` holds."""

    seat: str
    do: tuple[str, ...]  # the first of them that is legal
    when: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Exercise:
    """One exercise: where it starts, how the others play, and what the learner has to reach."""

    game: str
    name: str
    kind: ExerciseKind
    players: int
    seat: str
    rule: str = ""  # the rule that it teaches
    options: Mapping[str, Any] = field(default_factory=dict)
    luck: int = 0  # which series of dice and cards
    begin: Played = ()  # what has happened since the start of the game
    set_up: Mapping[str, Any] = field(default_factory=dict)  # what differs from that position
    play: Played = ()  # what has happened after that
    script: Script = field(default_factory=dict)
    answers: tuple[Answer, ...] = ()
    goal: tuple[Condition, ...] = ()  # all must hold
    over: tuple[Condition, ...] = ()  # any of them ends the exercise
    early: bool = False  # whether the goal counts before the end
    lit: tuple[str, ...] = ()  # places on the board to look at
    frame: tuple[int, ...] = ()  # the part of the map in its picture: left, top, width, height
    solution: tuple[str, ...] = ()  # the learner's actions; the tests play them

    @property
    def id(self) -> str:
        return f"{self.game}/{self.name}"


@cache
def list_exercises(game: str) -> tuple[Exercise, ...]:
    """The exercises of a game, in the order in which to do them; none for a game without any."""
    if game not in GAME_NAMES:
        return ()
    path = files("powderkeg.games") / game / "data" / "lessons.toml"
    stored = tomllib.loads(path.read_text("utf-8"))
    return tuple(_read_exercise(game, data) for data in stored["exercise"])


def find_exercise(exercise: str) -> Exercise:
    """The exercise with an id such as ``diplomacy/bounce``."""
    for found in list_exercises(exercise.partition("/")[0]):
        if found.id == exercise:
            return found
    raise Unreadable("lessons.no_such_exercise", name=exercise)


def _read_exercise(game: str, data: dict[str, Any]) -> Exercise:
    return Exercise(
        game,
        **{
            **data,
            "begin": _read_played(data.get("begin", [])),
            "play": _read_played(data.get("play", [])),
            "script": {
                phase: {seat: tuple(texts) for seat, texts in seats.items()}
                for phase, seats in data.get("script", {}).items()
            },
            "answers": tuple(map(_read_answer, data.get("answers", []))),
            "goal": tuple(map(read_condition, data.get("goal", []))),
            "over": tuple(map(read_condition, data.get("over", []))),
            "lit": tuple(data.get("lit", [])),
            "frame": tuple(data.get("frame", [])),
            "solution": tuple(data.get("solution", [])),
        },
    )


def _read_answer(data: dict[str, Any]) -> Answer:
    when = tuple(map(read_condition, data.get("when", [])))
    return Answer(data["seat"], tuple(data["do"]), when)


def _read_played(lines: list[str]) -> Played:
    """``"FRANCE: A par - bur"`` as seat and action."""
    return tuple((seat, text) for seat, _, text in (line.partition(": ") for line in lines))


# Positions


def exercise_key(exercise: Exercise) -> bytes:
    """The key that decides chance: always the same for an exercise."""
    return sha256(f"powderkeg lessons {exercise.game} {exercise.luck}".encode()).digest()


@cache
def start_position(exercise_id: str) -> State:
    """The state from which an exercise starts."""
    exercise = find_exercise(exercise_id)
    game = find_game(exercise.game)
    opening = _play_on(game, exercise, None, exercise.begin)
    return _play_on(game, exercise, _change_state(game, opening, exercise.set_up), exercise.play)


def _play_on(game: Game, exercise: Exercise, state: State | None, played: Played) -> State:
    """The state after some actions, with the luck of the exercise."""
    options: Any = load_options(game.Options, dict(exercise.options))
    source = Audited(exercise_key(exercise))
    table = Table(game, exercise.players, options, source=source, state=state)
    for seat, text in played:
        table.act(seat, text)
    return table.state


def _change_state(game: Game, state: State, changes: Mapping[str, Any]) -> State:
    if not changes:
        return state
    changed: State = plain.load(game.State, _merge_values(plain.dump(state), changes))
    return changed


def _merge_values(stored: Any, changes: Any) -> Any:
    """JSON with some of its values changed; a list is changed in part by a table of its places.

    A name that ends in ``!`` replaces the whole value: ``"cubes!" = {}`` leaves no cubes.
    """
    if isinstance(stored, dict) and isinstance(changes, Mapping):
        return stored | {
            key.removesuffix("!"): value
            if key.endswith("!")
            else _merge_values(stored.get(key), value)
            for key, value in changes.items()
        }
    if isinstance(stored, list) and isinstance(changes, Mapping):
        return [_merge_values(old, changes.get(str(at), old)) for at, old in enumerate(stored)]
    return changes
