"""HTTP to a model: one request, one reply, within a number of seconds.

The standard library is enough: a plain install can ask a model. Each request runs in a thread of
its own, so that neither a silent nor a dripping endpoint is waited for longer than agreed.
"""

import http.client
import json
import queue
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from powderkeg.bots.models.settings import ModelEndpoint, ModelManner
from powderkeg.core.errors import Unreadable

LONGEST_REPLY: Final = 1 << 20  # bytes of a reply
CHARACTERS_PER_TOKEN: Final = 4  # for endpoints that count no tokens
FORM_STATUSES: Final = (400, 422, 501)  # of endpoints that do not know a form of answer

ChatLine: TypeAlias = dict[str, str]


class ChatRequest(NamedTuple):
    """A conversation, the JSON schema of the answer, and the seconds to wait for it."""

    lines: Sequence[ChatLine]
    schema: dict[str, Any]
    seconds: float


class ModelReply(NamedTuple):
    """What the model said, and the tokens it took."""

    text: str
    tokens_in: int = 0
    tokens_out: int = 0


ChatFunction: TypeAlias = Callable[[ChatRequest], ModelReply]


class ModelUnreachable(Exception):
    """The endpoint gave no usable answer. `pause`: seconds that it asks to wait."""

    def __init__(self, why: str, pause: float = 0.0) -> None:
        super().__init__(why)
        self.pause = pause


class FormRefused(ModelUnreachable):
    """The endpoint does not know this form of answer; the next request uses a simpler one."""


def chat_line(role: str, content: str) -> ChatLine:
    return {"role": role, "content": content}


def count_tokens(text: str) -> int:
    """A rough number of tokens."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


class ChatConnection:
    """The model behind an endpoint (`POST {url}/chat/completions`)."""

    def __init__(self, endpoint: ModelEndpoint, manner: ModelManner) -> None:
        if not endpoint.url.startswith(("http://", "https://")):
            raise Unreadable("bots.llm.bad_url", url=endpoint.url)
        self.endpoint, self.manner = endpoint, manner
        auto = manner.form == "auto"
        self.forms = ["schema", "tools", "text"] if auto else [manner.form]

    def __call__(self, request: ChatRequest) -> ModelReply:
        form = self.forms[0]
        try:
            said = self._post(self._body(request, form), request.seconds)
        except urllib.error.HTTPError as error:
            error.close()
            if error.code in FORM_STATUSES and len(self.forms) > 1:
                if self.forms[0] == form:  # seats ask in parallel
                    self.forms = self.forms[1:]
                raise FormRefused(f"HTTP {error.code}") from None
            raise ModelUnreachable(f"HTTP {error.code}", _wanted_pause(error)) from None
        return _parse_reply(said, request)

    def _body(self, request: ChatRequest, form: str) -> dict[str, Any]:
        manner = self.manner
        body: dict[str, Any] = {
            "model": self.endpoint.model,
            "messages": list(request.lines),
            "max_tokens": manner.tokens,
        }
        if manner.temperature is not None:
            body["temperature"] = manner.temperature
        return body | _answer_form(form, request.schema)

    def _post(self, body: dict[str, Any], seconds: float) -> bytes:
        key = self.endpoint.key
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(  # noqa: S310  # the scheme was checked
            f"{self.endpoint.url.rstrip('/')}/chat/completions",
            json.dumps(body).encode(),
            headers | ({"Authorization": f"Bearer {key}"} if key else {}),
        )
        return fetch_within(request, seconds)


def _answer_form(form: str, schema: dict[str, Any]) -> dict[str, Any]:
    """The request fields that ask an endpoint to answer in this schema."""
    match form:
        case "schema":
            named = {"name": "answer", "strict": True, "schema": schema}
            return {"response_format": {"type": "json_schema", "json_schema": named}}
        case "tools":
            tool = {"type": "function", "function": {"name": "answer", "parameters": schema}}
            choice = {"type": "function", "function": {"name": "answer"}}
            return {"tools": [tool], "tool_choice": choice}
    return {}


def _parse_reply(said: bytes, request: ChatRequest) -> ModelReply:
    try:
        body = json.loads(said)
        message = body["choices"][0]["message"]
        calls = message.get("tool_calls")
        text = calls[0]["function"]["arguments"] if calls else message.get("content")
        text = text if isinstance(text, str) else ""
        usage = body.get("usage") or {}
        asked = "".join(line["content"] for line in request.lines)
        return ModelReply(
            text,
            _token_count(usage.get("prompt_tokens"), asked),
            _token_count(usage.get("completion_tokens"), text),
        )
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ModelUnreachable(type(error).__name__) from None


def _token_count(counted: Any, text: str) -> int:
    return counted if type(counted) is int and counted >= 0 else count_tokens(text)


def _wanted_pause(error: urllib.error.HTTPError) -> float:
    wanted = error.headers.get("Retry-After", "")
    return float(wanted) if wanted.isdecimal() else 0.0


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect could carry the key to another server."""

    def redirect_request(self, *_: Any) -> None:
        return None


_OPENER = urllib.request.build_opener(_NoRedirect)


def fetch_within(request: urllib.request.Request, seconds: float) -> bytes:
    """The body of the answer; after the seconds, the thread that waits for it is left behind."""
    box: queue.SimpleQueue[bytes | Exception] = queue.SimpleQueue()

    def fetch() -> None:
        try:
            with _OPENER.open(request, timeout=seconds) as answer:
                box.put(answer.read(LONGEST_REPLY))
        except (OSError, http.client.HTTPException, ValueError) as error:
            box.put(error)

    threading.Thread(target=fetch, daemon=True).start()
    try:
        got = box.get(timeout=seconds)
    except queue.Empty:
        raise ModelUnreachable("TimeoutError") from None
    if isinstance(got, urllib.error.HTTPError):
        raise got
    if isinstance(got, Exception):
        why = getattr(got, "reason", "")  # not the error itself, which may show the key
        raise ModelUnreachable(f"{type(got).__name__} {why}".strip())
    return got
