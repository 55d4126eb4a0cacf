"""The base of all messages, and refusals. pydantic is used in this package and nowhere deeper."""

import json
import math
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    field_validator,
)
from pydantic_core import PydanticCustomError

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=40)]
SeatId = Annotated[str, StringConstraints(min_length=1, max_length=40)]
CommandId = Annotated[str, StringConstraints(min_length=1, max_length=64)]
LogPlace = Annotated[int, Field(ge=0, le=2**31 - 1)]
"""A place in a log."""
Seconds = Annotated[float, Field(ge=0, le=366 * 86400)]
DEEPEST_JSON = 30  # lists and objects within each other


def _check_storable(value: Any, depth: int) -> None:
    """Refuse what a database or JSON cannot hold: NUL, lone surrogates, infinite numbers, whole numbers
    of more than 64 bits, and lists and objects nested deeper than `DEEPEST_JSON`."""
    match value:
        case str():
            odd = not value.isascii() and any("\ud800" <= c <= "\udfff" for c in value)
            if odd or "\x00" in value:
                raise PydanticCustomError(
                    "unstorable", "text may not contain NUL or lone surrogates"
                )
        case float():
            if not math.isfinite(value):
                raise PydanticCustomError("unstorable", "numbers must be finite")
        case int():
            if abs(value) >= 2**63:
                raise PydanticCustomError("unstorable", "number too large")
        case dict() | list():
            if depth > DEEPEST_JSON:
                raise PydanticCustomError("unstorable", "too deep")
            for part in (*value, *value.values()) if isinstance(value, dict) else value:
                _check_storable(part, depth + 1)


def json_limit(most: int) -> AfterValidator:
    """Limit a value to this many characters of JSON."""

    def check(value: Any) -> Any:
        if len(json.dumps(value)) > most:
            raise PydanticCustomError("large", "too large")
        return value

    return AfterValidator(check)


class In(BaseModel):
    """A message from a client: no unknown fields, no values that cannot be stored."""

    model_config = ConfigDict(extra="forbid")

    @field_validator("*", mode="before")
    @classmethod
    def storable(cls, value: Any) -> Any:
        _check_storable(value, 0)
        return value


class Out(BaseModel):
    """A message to a client."""


class RefusalOut(Out):
    """Why something was refused: a stable code, a sentence in the reader's language, the rule."""

    code: str
    text: str
    rule: str = ""


class RateLimit(Out):
    key: str
    seconds: int


class TooManyOut(Out):
    """Status 429: wait this many seconds."""

    code: str
    text: str
    rule: str = ""
    ratelimit: RateLimit


class DoneOut(Out):
    ok: Literal[True] = True


class Health(Out):
    ok: bool
    database: str
    version: str
