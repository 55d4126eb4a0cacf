"""Settings of a language model: where it is, how it is asked, and what it may cost."""

import json
import math
import os
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from powderkeg.core import plain
from powderkeg.core.errors import Unreadable
from powderkeg.core.plain import Between
from powderkeg.core.words import LangCode


@dataclass(frozen=True, slots=True)
class ModelEndpoint:
    """Where the model is. The key is never shown, stored or sent elsewhere."""

    url: str  # as far as ``/v1``
    model: str
    key: str = field(default="", repr=False)
    seconds: float = 60.0  # for one answer


@dataclass(frozen=True, slots=True)
class ModelManner:
    """How the model is asked and what it may cost: kept with every result, since it decides how
    strong the model looks. The bounds count for each seat."""

    lang: LangCode = "en"
    rules: Literal["short", "full", "none"] = "short"
    legal: Literal["tree", "list"] = "tree"
    most: Annotated[int, Between(0, 5000)] = 400  # lines of possible answers
    history: Annotated[int, Between(0, 1000)] = 60  # lines of what happened
    diary: Annotated[int, Between(0, 20_000)] = 2000  # characters
    form: Literal["auto", "schema", "tools", "text"] = "auto"
    retries: Annotated[int, Between(0, 20)] = 2
    temperature: float | None = None  # None: the endpoint's own
    tokens: Annotated[int, Between(1, 100_000)] = 2000  # of one answer
    press: Annotated[int, Between(0, 20)] = 6  # messages per phase
    press_length: Annotated[int, Between(1, 4000)] = 400  # characters
    phase_requests: Annotated[int, Between(1, 1000)] = 12
    game_requests: Annotated[int, Between(1, 100_000)] = 500
    phase_tokens: Annotated[int, Between(1, 10_000_000)] = 150_000
    game_tokens: Annotated[int, Between(1, 1_000_000_000)] = 3_000_000
    failures: Annotated[int, Between(1, 100)] = 6  # requests in a row without an answer
    price_in: float = 0.0  # of a million tokens
    price_out: float = 0.0


def read_endpoint(url: str = "", model: str = "") -> ModelEndpoint:
    """The endpoint named in the environment, unless other values are given."""
    get = os.environ.get
    url, model = url or get("POWDERKEG_LLM_URL", ""), model or get("POWDERKEG_LLM_MODEL", "")
    if not (url and model):
        raise Unreadable("bots.llm.not_configured")
    seconds = _json_setting("POWDERKEG_LLM_SECONDS", "60")
    if type(seconds) not in (int, float) or not 0 < seconds < math.inf:
        raise Unreadable("bots.llm.bad_setting", name="POWDERKEG_LLM_SECONDS", value=seconds)
    return ModelEndpoint(url, model, get("POWDERKEG_LLM_KEY", ""), seconds)


def read_manner() -> ModelManner:
    """The manner in the environment: the fields to change, as JSON."""
    return plain.load(ModelManner, _json_setting("POWDERKEG_LLM_MANNER", "{}"))


def _json_setting(name: str, otherwise: str) -> Any:
    value = os.environ.get(name, otherwise)
    try:
        return json.loads(value)
    except ValueError:
        raise Unreadable("bots.llm.bad_setting", name=name, value=value) from None
