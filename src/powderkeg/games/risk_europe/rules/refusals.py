"""Refusals: why something is not allowed, with the rule behind it."""

from typing import TypeAlias

from powderkeg.core.errors import Illegal
from powderkeg.core.words import Arg
from powderkeg.games.risk_europe import words

Refusal: TypeAlias = tuple[str, str] | None
"""The code of a reason and its rule; None where nothing is wrong."""


def refuse_if(refusal: Refusal, /, **args: Arg) -> None:
    """Raise `refusal`, if there is one."""
    if refusal:
        code, rule = refusal
        raise Illegal(code, rule=rule, **args)


def refuse_at(refusal: Refusal, at: int) -> None:
    """Raise `refusal` with the territory `at`, if there is one."""
    refuse_if(refusal, at=words.TERRITORY_NAME[at])


def unexpected_action(action: object) -> Illegal:
    """The refusal of an answer to another question."""
    return Illegal("risk_europe.not_asked", rule="R-ROUND-01", action=str(action))
