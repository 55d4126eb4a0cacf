"""What can go wrong between a player and a game. Each error carries a code, never a sentence."""

from powderkeg.core.words import Arg, Msg


class RulesError(ValueError):
    """Something asked of a game that cannot be done; `rule` is the id of the rule that says so."""

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
    """The text or file is not of this game."""


class Illegal(RulesError):
    """The action exists but is not allowed now."""


class Stale(RulesError):
    """The table has moved on since the player last looked."""
