"""Refusals of the server: like those of the games, with an HTTP status."""

from typing import Any

from powderkeg.core.errors import RulesError
from powderkeg.core.words import Arg, Msg


class Refused(RulesError):
    """A request that is not allowed, or not now."""

    def __init__(self, status: int, code: str, /, **facts: Arg) -> None:
        super().__init__(f"server.{code}")
        self.msg = Msg(f"server.{code}", **facts)
        self.status = status
        self.seconds: int | None = None
        self.extra: dict[str, Any] = {}


def not_found(what: str = "no_such_table") -> Refused:
    return Refused(404, what)


def not_logged_in() -> Refused:
    return Refused(401, "not_logged_in")


def forbidden(code: str, **facts: Arg) -> Refused:
    return Refused(403, code, **facts)


def conflict(code: str, **facts: Arg) -> Refused:
    return Refused(409, code, **facts)


def too_many(key: str, seconds: int) -> Refused:
    refusal = Refused(429, "too_many", key=key, n=seconds)
    refusal.seconds = seconds
    return refusal


def busy(code: str, seconds: int) -> Refused:
    """Refused for now: nothing was done; try again after some seconds."""
    refusal = Refused(503, code)
    refusal.seconds = seconds
    return refusal


def with_table(error: RulesError, status: int, shown: dict[str, Any] | None) -> Refused:
    """The same refusal, together with the table as it is now."""
    refusal = Refused(status, "moved_on")
    refusal.msg, refusal.rule = error.msg, error.rule
    refusal.extra = {"table": shown}
    return refusal
