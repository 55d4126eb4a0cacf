"""How the others play in an exercise: by a script, and where it says nothing, as if they were late."""

from collections.abc import Sequence

from powderkeg.core.chance import CHANCE
from powderkeg.core.errors import RulesError
from powderkeg.core.game import Game, Seat, State
from powderkeg.lessons.course import Exercise


def scripted_reply(
    exercise: Exercise, game: Game, state: State, done: Sequence[tuple[Seat, str]]
) -> tuple[Seat, str] | None:
    """The next action of the others; None while only the learner can go on.

    `done` is what the script has done since the learner's last action. A seat that must act plays
    the first line of its script for this phase that it has not played since and that is legal now.
    """
    owed = game.to_act(state) - {exercise.seat, CHANCE}
    for seat in sorted(owed):
        text = _first_legal(game, state, seat, _lines_of(exercise, game, state, seat), done)
        return seat, text or str(game.default(state, seat))
    for answer in exercise.answers:
        view = game.view(state, answer.seat)
        if all(condition.holds(view) for condition in answer.when) and (
            text := _first_legal(game, state, answer.seat, answer.do, done)
        ):
            return answer.seat, text
    return None


def _lines_of(exercise: Exercise, game: Game, state: State, seat: Seat) -> tuple[str, ...]:
    """The script of a seat for the present phase, then for any phase."""
    phase = game.marks(state).phase
    return exercise.script.get(phase, {}).get(seat, ()) + exercise.script.get("*", {}).get(seat, ())


def _first_legal(
    game: Game,
    state: State,
    seat: Seat,
    lines: Sequence[str],
    done: Sequence[tuple[Seat, str]],
) -> str | None:
    return next(
        (text for text in lines if (seat, text) not in done and _is_legal(game, state, seat, text)),
        None,
    )


def _is_legal(game: Game, state: State, seat: Seat, text: str) -> bool:
    try:
        game.apply(state, seat, game.parse(text))
    except RulesError:
        return False
    return True
