"""A seat for a language model behind any OpenAI-compatible endpoint. Off unless you ask for it.

The model gets what a person gets: the board in words, the question, and the legal actions (if you
allow it). It answers with the text of an action. If that is refused, it gets the reason in one
sentence and may try again; after that the harmless default is played. It is always named as a bot.

    POWDERKEG_LLM_URL=http://localhost:8080/v1 POWDERKEG_LLM_MODEL=some-model \\
        powderkeg arena risk_europe --a powderkeg.bots.seats.language_model:configured --b easy --seeds 1
"""

import http.client
import json
import math
import os
import re
import urllib.error
import urllib.request
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Annotated, Any, Literal, NamedTuple

from powderkeg.bots.engine.budget import Budget, Clock
from powderkeg.bots.engine.tally import forced_choice
from powderkeg.bots.engine.thought import Bot, ThinkingBot, Thought
from powderkeg.core import plain
from powderkeg.core.ask import Amount, Assign, Node, One, Option, Orders, Question, Some
from powderkeg.core.chance import Rng
from powderkeg.core.errors import Illegal, RulesError, Unreadable
from powderkeg.core.game import Action, Game, Legal, View, seat_message
from powderkeg.core.plain import Between
from powderkeg.core.words import Msg, say


@dataclass(frozen=True, slots=True)
class ModelEndpoint:
    """Where the model is. The key is never shown, stored or sent elsewhere."""

    url: str  # as far as ``/v1``
    model: str
    key: str = field(default="", repr=False)
    seconds: float = 60.0  # for one answer


@dataclass(frozen=True, slots=True)
class ModelManner:
    """How the model is asked: kept with every result, since it decides how strong it looks.

    `legal`: ``list`` names every legal action (up to `most`), ``tree`` only shows the question.
    `retries`: how often it may try again. `press`: the most messages it may send at a time, each
    of `press_length` characters.
    """

    legal: Literal["list", "tree"] = "list"
    most: Annotated[int, Between(0, 5000)] = 300
    retries: Annotated[int, Between(0, 20)] = 2
    temperature: float = 0.0
    tokens: Annotated[int, Between(1, 100_000)] = 800
    lang: Literal["en", "es", "it"] = "en"
    press: Annotated[int, Between(0, 20)] = 0
    press_length: Annotated[int, Between(1, 4000)] = 400


class TableMessage(NamedTuple):
    """A message at the table; `to` empty: to everybody."""

    sender: str
    to: tuple[str, ...]
    text: str


class ModelExchange(NamedTuple):
    """One question to the model and what it said; `refused`: why that could not be done."""

    asked: str
    said: str
    refused: str = ""


class ModelUnreachable(Exception):
    """The endpoint gave no usable answer."""


ChatFunction = Callable[[Sequence[dict[str, str]], float], str]
"""From a conversation to the model's reply, in so many seconds."""

LONGEST_REPLY = 1 << 20  # bytes of a reply
MOST_EXCHANGES = 200  # exchanges


def connect_model(endpoint: ModelEndpoint, manner: ModelManner) -> ChatFunction:
    """The model behind an endpoint (`POST {url}/chat/completions`)."""
    if not endpoint.url.startswith(("http://", "https://")):
        raise Unreadable("bots.llm.bad_url", url=endpoint.url)

    def reply(messages: Sequence[dict[str, str]], seconds: float) -> str:
        body = {
            "model": endpoint.model,
            "messages": list(messages),
            "temperature": manner.temperature,
            "max_tokens": manner.tokens,
        }
        request = urllib.request.Request(  # noqa: S310  # the scheme was checked
            f"{endpoint.url.rstrip('/')}/chat/completions",
            json.dumps(body).encode(),
            {"Content-Type": "application/json"}
            | ({"Authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}),
        )
        try:
            with urllib.request.urlopen(request, timeout=seconds) as answer:  # noqa: S310  # see above
                said = json.loads(answer.read(LONGEST_REPLY))
            return str(said["choices"][0]["message"]["content"] or "")
        except urllib.error.HTTPError as error:
            error.close()
            raise ModelUnreachable(f"HTTP {error.code}") from None
        except (OSError, http.client.HTTPException, ValueError, LookupError, TypeError,
                RecursionError) as error:  # fmt: skip
            why = getattr(error, "reason", "")  # not the error itself, which may show the key
            raise ModelUnreachable(f"{type(error).__name__} {why}".strip()) from None

    return reply


class ModelPlayer:
    """A model at a table: decides, and talks if it may."""

    def __init__(
        self,
        game: Game,
        endpoint: ModelEndpoint,
        manner: ModelManner | None = None,
        *,
        reply: ChatFunction | None = None,
    ) -> None:
        self.game, self.endpoint, self.manner = game, endpoint, manner or ModelManner()
        self.reply = reply or connect_model(endpoint, self.manner)
        self.exchanges: deque[ModelExchange] = deque(maxlen=MOST_EXCHANGES)
        self.letters: tuple[TableMessage, ...] = ()  # of which it thinks when it decides

    @property
    def name(self) -> str:
        return f"bot ({self.endpoint.model})"

    @property
    def settings(self) -> dict[str, Any]:
        """The settings to store with a result: model and prompt options, without the key."""
        endpoint = {"model": self.endpoint.model, "seconds": self.endpoint.seconds}
        return {**endpoint, **plain.dump(self.manner)}

    def bot(self, budget: Budget | None = None) -> ThinkingBot:
        tries = 1 + self.manner.retries
        whole = Budget(tries, tries * self.endpoint.seconds)
        return ThinkingBot(self.name, self.think, budget or whole, self.settings)

    def think(
        self, view: View, question: Question, legal: Legal, rng: Rng, clock: Clock
    ) -> Thought:
        """Ask, ask again with the reason of a refusal, and finally play the harmless default."""
        if (only := forced_choice(legal)) is not None:
            return only
        asked = self.prompt(view, question, legal)
        talk = [_chat_line("system", self.rules(view)), _chat_line("user", asked)]
        tries, answered, refused = 0, False, ""
        while tries <= self.manner.retries and clock.tick():
            tries += 1
            try:
                said = self.reply(talk, self._patience(clock))
            except ModelUnreachable as error:
                refused = str(error)
                self.exchanges.append(ModelExchange(asked, "", refused))
                continue
            answered = True
            action, refused = self.read(view, legal, said, rng)
            self.exchanges.append(ModelExchange(asked, said, refused))
            if action is not None:
                return Thought(action, Msg("bots.reason.model", said=_stated_reason(said)))
            asked = self.t("bots.llm.refused", why=refused)
            talk += [_chat_line("assistant", said), _chat_line("user", asked)]
        default = self.game.default(self.game.deal(view, rng), view["seat"])
        reason = Msg("bots.reason.gave_up", n=tries, why=refused)
        return Thought(default, reason, fault="gave_up" if answered else "unreachable")

    def _patience(self, clock: Clock) -> float:
        """Seconds to wait for an answer: a request needs some, so never none at all."""
        left = clock.seconds
        return self.endpoint.seconds if left is None else max(0.1, min(self.endpoint.seconds, left))

    def talk(
        self, view: View, inbox: Sequence[TableMessage], others: Sequence[str]
    ) -> list[TableMessage]:
        """What the model says to the others now, no more than it may. `inbox` is what was said so
        far; the model is reminded of it when it next decides."""
        if not self.manner.press:
            return []
        self.letters = tuple(inbox)
        asked = "\n\n".join(
            [
                self.board(view),
                self.heard(),
                self.t("bots.llm.say", n=self.manner.press, others=", ".join(others)),
            ]
        )
        try:
            told = [_chat_line("system", self.rules(view)), _chat_line("user", asked)]
            said = self.reply(told, self.endpoint.seconds)
        except ModelUnreachable as error:
            self.exchanges.append(ModelExchange(asked, "", str(error)))
            return []
        self.exchanges.append(ModelExchange(asked, said))
        made = list(islice(self._messages(view, said, others), self.manner.press))
        self.letters += tuple(made)
        return made

    def _messages(self, view: View, said: str, others: Sequence[str]) -> Iterator[TableMessage]:
        said_all = _last_object(said).get("say")
        for item in said_all if isinstance(said_all, list) else ():
            if not (isinstance(item, dict) and isinstance(item.get("text"), str)):
                continue
            text, wanted = item["text"].strip(), item.get("to")
            named = wanted if isinstance(wanted, list) else [wanted]
            to = tuple(seat for seat in others if seat in named)
            if text and (to or not wanted):
                yield TableMessage(view["seat"], to, text[: self.manner.press_length])

    # What is written

    def t(self, code: str, /, **args: Any) -> str:
        return say(Msg(code, **args), self.manner.lang)

    def rules(self, view: View) -> str:
        seat = seat_message(self.game, view["seat"])
        return self.t("bots.llm.rules", game=self.game.name, seat=seat)

    def board(self, view: View) -> str:
        """The view in words."""
        lang = self.manner.lang
        return "\n\n".join(
            "\n".join([say(s.title, lang), *(f"- {say(line, lang)}" for line in s.lines)])
            for s in self.game.describe(view)
        )

    def heard(self) -> str:
        lines = [f"{m.sender} -> {', '.join(m.to) or '*'}: {m.text}" for m in self.letters]
        return self.t("bots.llm.heard", messages="\n".join(lines) or "-")

    def prompt(self, view: View, question: Question, legal: Legal) -> str:
        """Board, question and what may be answered."""
        parts = [self.board(view), *([self.heard()] if self.letters else [])]
        parts.append(say(question.prompt, self.manner.lang))
        if self.manner.legal == "list" and legal.count_all() <= self.manner.most:
            listed = "\n".join(str(action) for action in legal)
            parts.append(self.t("bots.llm.legal", actions=listed))
        else:
            outlined = "\n".join(
                islice(outline_question(question.node, self.manner.lang), self.manner.most)
            )
            parts.append(self.t("bots.llm.tree", tree=outlined))
        return "\n\n".join(parts)

    # What is read

    def read(self, view: View, legal: Legal, said: str, rng: Rng) -> tuple[Action | None, str]:
        """The action in a reply, or the sentence that says why there is none."""
        text = _last_object(said).get("do")
        if not isinstance(text, str):
            return None, self.t("bots.llm.no_action")
        try:
            action = self.game.parse(text.strip())
            if action in legal:
                return action, ""
            self.game.apply(self.game.deal(view, rng), view["seat"], action)
            raise Illegal("bots.llm.not_legal", action=text)
        except RulesError as error:
            return None, say(error.msg, self.manner.lang)


MOST_BRACES = 200  # from the end of a reply, where an object that counts may begin


def _chat_line(role: str, content: str) -> dict[str, str]:
    return {"role": role, "content": content}


def _last_object(said: str) -> dict[str, Any]:
    """The last JSON object in a reply, whatever is written around it."""
    starts = deque((m.start() for m in re.finditer(r"\{", said)), maxlen=MOST_BRACES)
    for start in reversed(starts):
        try:
            found, _ = json.JSONDecoder().raw_decode(said, start)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict) and ("do" in found or "say" in found):
            return found
    return {}


def _stated_reason(said: str) -> str:
    why = _last_object(said).get("why")
    return why[:300] if isinstance(why, str) else ""


def outline_question(node: Node | None, lang: str, depth: int = 0) -> Iterator[str]:
    """A question as indented lines: each option's text and label, what follows it below."""
    pad = "  " * depth
    if node is not None and node.prompt is not None:
        yield f"{pad}({say(node.prompt, lang)})"
    match node:
        case One(options):
            yield from _outline_options(options, lang, depth)
        case Orders(rows, options):
            for row in rows:
                yield f"{pad}{say(row.label, lang)}: {row.chosen or '...'}"
                yield from outline_question(row.node, lang, depth + 1)
            yield from _outline_options(options, lang, depth)
        case Some(options, least, most):
            yield f"{pad}{least}-{most}, joined by commas:"
            yield from _outline_options(options, lang, depth + 1)
        case Amount(least, most):
            yield f"{pad}{least}-{most}"
        case Assign(shares, least, most):
            yield f"{pad}{least}-{most}, name:number joined by commas:"
            yield from (f"{pad}  {s.text} (0-{s.most}) {say(s.label, lang)}" for s in shares)
    if isinstance(node, Some | Amount | Assign):
        yield from outline_question(node.then, lang, depth + 1)


def _outline_options(options: Sequence[Option], lang: str, depth: int) -> Iterator[str]:
    for option in options:
        yield f"{'  ' * depth}{option.text} : {say(option.label, lang)}"
        yield from outline_question(option.then, lang, depth + 1)


class _ConfiguredModel:
    """The model named in the environment: POWDERKEG_LLM_URL, _MODEL, _KEY, _SECONDS, and _MANNER
    (the fields of `ModelManner` to change, as JSON)."""

    @staticmethod
    def for_game(game: Game) -> Bot:
        get = os.environ.get
        url, model = get("POWDERKEG_LLM_URL", ""), get("POWDERKEG_LLM_MODEL", "")
        if not (url and model):
            raise Unreadable("bots.llm.not_configured")
        manner = plain.load(ModelManner, _json_setting("POWDERKEG_LLM_MANNER", "{}"))
        seconds = _json_setting("POWDERKEG_LLM_SECONDS", "60")
        if type(seconds) not in (int, float) or not 0 < seconds < math.inf:
            raise Unreadable("bots.llm.bad_setting", name="POWDERKEG_LLM_SECONDS", value=seconds)
        endpoint = ModelEndpoint(url, model, get("POWDERKEG_LLM_KEY", ""), seconds)
        return ModelPlayer(game, endpoint, manner).bot()


def _json_setting(name: str, otherwise: str) -> Any:
    value = os.environ.get(name, otherwise)
    try:
        return json.loads(value)
    except ValueError:
        raise Unreadable("bots.llm.bad_setting", name=name, value=value) from None


configured = _ConfiguredModel()

__all__ = [
    "ModelEndpoint",
    "ModelManner",
    "ModelPlayer",
    "TableMessage",
    "configured",
    "outline_question",
]
