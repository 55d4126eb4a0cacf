"""Messages of a wrong shape: the errors that pydantic finds, as codes of ours."""

from collections.abc import Mapping, Sequence
from typing import Any

from powderkeg.core.words import Msg
from powderkeg.server.refusals import Refused

# pydantic's type of error: our code, and the name of the number in its sentence.
PYDANTIC_CODES: dict[str, tuple[str, str]] = {
    "missing": ("missing", ""),
    "extra_forbidden": ("unknown", ""),
    "string_too_short": ("short", "min_length"),
    "string_too_long": ("long", "max_length"),
    "too_short": ("few", "min_length"),
    "too_long": ("many", "max_length"),
    "greater_than": ("above", "gt"),
    "greater_than_equal": ("least", "ge"),
    "less_than_equal": ("most", "le"),
    "unstorable": ("unstorable", ""),
    "large": ("large", ""),
    "zone": ("zone", ""),
    "empty": ("empty", ""),
    "either": ("either", ""),
}


def shape_refusal(errors: Sequence[Mapping[str, Any]], place: str = "") -> Refused:
    """The first error and its place."""
    first = errors[0]
    where = "/".join(str(part) for part in first["loc"] if part not in ("body", "query", "path"))
    return Refused(
        422, "bad_shape", where=where or place or str(first["loc"][0]), why=_shape_problem(first)
    )


def _shape_problem(error: Mapping[str, Any]) -> Msg:
    facts = error.get("ctx", {})
    if error["type"] == "literal_error":
        choices = str(facts["expected"]).replace(" or ", ", ").replace("'", "")
        return Msg("server.shape.choice", choices=choices)
    code, number = PYDANTIC_CODES.get(error["type"], ("form", ""))
    if not number:
        return Msg(f"server.shape.{code}")
    n = facts[number]
    return Msg(f"server.shape.{code}", n=int(n) if n == int(n) else n)
