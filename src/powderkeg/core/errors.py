"""Errors that a player can cause. Each carries a code, never a sentence."""

from powderkeg.core.words import Arg, Msg

__all__ = ["Illegal", "RulesError", "Stale", "Unreadable"]


class RulesError(ValueError):
    """A request that a game refuses; `rule` is the id of the rule behind the refusal."""

    def __init__(self, code: str, /, *, rule: str = "", **facts: Arg) -> None:
        self.msg = Msg(code, **facts)
        self.rule = rule
        super().__init__(code)

    @property
    def code(self) -> str:
        return self.msg.code

    def __str__(self) -> str:
        return f"{self.msg} [{self.rule}]" if self.rule else str(self.msg)


class Unreadable(RulesError):
    """The text or file does not belong to this game."""


class Illegal(RulesError):
    """The action exists but is not allowed now."""


class Stale(RulesError):
    """The table has moved on since the player last looked."""
