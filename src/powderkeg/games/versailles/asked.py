"""What a step that waits for somebody must be able to say. One entry a kind of step."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from powderkeg.core.errors import Illegal
from powderkeg.core.words import Msg
from powderkeg.games.versailles.state import Draft, Position, refused


def _not_offered(p: Position, step: Any, action: Any) -> Illegal:
    return refused("not_offered", "V-TURN-11", action=str(action))


Act: TypeAlias = Callable[[Draft, Any], None]  # what a step does by itself


class Asked(NamedTuple):
    """A decision: whose it is, what can be answered, what follows, how it is put."""

    who: Callable[[Position, Any], int]
    choices: Callable[[Position, Any], Sequence[Any]]
    answer: Callable[[Draft, Any, Any], None]
    prompt: Callable[[Position, Any], Msg]
    label: Callable[[Position, Any, Any], Msg] | None = None
    refusal: Callable[[Position, Any, Any], Illegal] = _not_offered
