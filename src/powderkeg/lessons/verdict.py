"""Whether the learner has reached the goal of an exercise."""

from typing import Any, Literal

from powderkeg.core.game import Game, State
from powderkeg.lessons.course import Exercise

Verdict = Literal["open", "solved", "failed"]


def judge_exercise(exercise: Exercise, game: Game, state: State) -> Verdict:
    """The verdict on a state: open until the exercise is over or its goal is reached."""
    if not exercise.goal:
        return "open"  # a tour has no goal of its own
    view: dict[str, Any] = game.view(state, exercise.seat)
    reached = all(condition.holds(view) for condition in exercise.goal)
    ended = not game.to_act(state) or any(condition.holds(view) for condition in exercise.over)
    if reached and (ended or exercise.early):
        return "solved"
    return "failed" if ended else "open"
