"""What comes in and goes out as JSON. pydantic is used in this package and nowhere deeper.

Here: what all messages have in common, and refusals.
"""

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
from pydantic_core import PydanticCustomError as Wrong

Lang = Literal["en", "es", "it"]
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=40)]
Seat = Annotated[str, StringConstraints(min_length=1, max_length=40)]
CommandId = Annotated[str, StringConstraints(min_length=1, max_length=64)]
Place = Annotated[int, Field(ge=0, le=2**31 - 1)]
"""A place in a log."""
Seconds = Annotated[float, Field(ge=0, le=366 * 86400)]
DEEPEST = 30  # lists and objects within each other


def _check(value: Any, depth: int) -> None:
    """Refuse what no database and no JSON can hold: NUL, half characters, infinite numbers."""
    match value:
        case str():
            if "\x00" in value or any("\ud800" <= c <= "\udfff" for c in value):
                raise Wrong("unstorable", "text may not contain NUL or half a character")
        case float():
            if not math.isfinite(value):
                raise Wrong("unstorable", "numbers must be finite")
        case int():
            if abs(value) >= 2**63:
                raise Wrong("unstorable", "number too large")
        case dict() | list():
            if depth > DEEPEST:
                raise Wrong("unstorable", "too deep")
            for part in (*value, *value.values()) if isinstance(value, dict) else value:
                _check(part, depth + 1)


def small(most: int) -> AfterValidator:
    """At most so many characters of JSON."""

    def check(value: Any) -> Any:
        if len(json.dumps(value)) > most:
            raise Wrong("large", "too large")
        return value

    return AfterValidator(check)


class In(BaseModel):
    """What a client sends: nothing unknown, nothing that cannot be stored."""

    model_config = ConfigDict(extra="forbid")

    @field_validator("*", mode="before")
    @classmethod
    def storable(cls, value: Any) -> Any:
        _check(value, 0)
        return value


class Out(BaseModel):
    """What a client gets."""


class Refusal(Out):
    """Why something was refused: a stable code, a sentence in the reader's language, the rule."""

    code: str
    text: str
    rule: str = ""


class RateLimit(Out):
    key: str
    seconds: int


class TooMany(Out):
    """Status 429: wait so many seconds."""

    code: str
    text: str
    rule: str = ""
    ratelimit: RateLimit


class Done(Out):
    ok: Literal[True] = True


class Health(Out):
    ok: bool
    database: str
    version: str
