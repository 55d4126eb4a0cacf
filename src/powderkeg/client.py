"""A table on a server, with the face of a table in memory.

What plays at `powderkeg.table(...)` plays here, with that one line changed:

    table = powderkeg.client.remote_table("https://example.org", token, "AbCdEf1234")

`ask`, `legal`, `view`, `act`, `to_act`, `result` mean the same, for the seat you hold. A bot (a
function of view, question, legal and rng) can also be left to itself: `play` follows the server's
stream of events and answers every turn.
"""

import json
import random
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, Self, TypeAlias, runtime_checkable

from powderkeg.core.extras import need_extra

need_extra("client", "httpx2")

import httpx2

from powderkeg.bots import Bot
from powderkeg.bots.seats.letters import TableMessage
from powderkeg.core import ask as asking
from powderkeg.core.ask import Amount, Assign, Node, One, Option, Orders, Question, Row, Share, Some
from powderkeg.core.chance import Rng
from powderkeg.core.errors import Illegal, Stale, Unreadable
from powderkeg.core.game import Action, Game, Legal, Listed, Result, Seat, View
from powderkeg.core.words import Msg
from powderkeg.games import find_game

__all__ = [
    "BotMaker",
    "QuestionAnswers",
    "RemoteTable",
    "ServerClient",
    "ServerRefusal",
    "parse_question",
    "remote_table",
]

PAGE_SIZE = 200  # messages or entries that are read at once
MOST_LETTERS = 50  # letters shown to the bot that answers them
STREAM_PATIENCE = 60.0  # seconds after which a silent stream is opened again


class ServerRefusal(Illegal):
    """The server refused: `code`, `rule` and `text` say why; `status` is HTTP's."""

    def __init__(self, status: int, body: dict[str, Any]) -> None:
        super().__init__(str(body.get("code", "server.trouble")), rule=str(body.get("rule", "")))
        self.status = status
        self.text = str(body.get("text", ""))
        self.seconds = int(body.get("ratelimit", {}).get("seconds", 1))

    def __str__(self) -> str:
        return self.text or super().__str__()


@runtime_checkable
class BotMaker(Protocol):
    """What makes a bot for a game, as `powderkeg.bots.models:configured` does."""

    def for_game(self, game: Game, /) -> Bot: ...


Talker: TypeAlias = Callable[[View, Sequence[TableMessage], Sequence[Seat]], Sequence[TableMessage]]
"""What to say to some of these seats, after what was said: `ModelPlayer.talk`."""


class ServerClient:
    """A server, spoken to with an API token."""

    def __init__(self, url: str, token: str) -> None:
        self.url = url.rstrip("/")
        headers = {"Authorization": f"Bearer {token}"}
        self.http = httpx2.Client(base_url=self.url, headers=headers, timeout=30)

    def close(self) -> None:
        self.http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """One request; waits if the server asks to slow down, retries if it is unreachable."""
        for pause in (0.2, 0.5, 1.0, 2.0, 4.0, None):
            try:
                answer = self.http.request(method, f"/api{path}", json=body)
            except httpx2.TransportError:
                if pause is None:
                    raise
                time.sleep(pause)
                continue
            if answer.status_code == 200:
                return answer.json()
            refused = ServerRefusal(answer.status_code, _json_object(answer))
            if pause is None or answer.status_code not in (429, 502, 503, 504):
                raise refused
            time.sleep(max(pause, refused.seconds if answer.status_code == 429 else 0))
        raise AssertionError

    def stream(self, path: str) -> Iterator[dict[str, Any]]:
        """Objects of an ND-JSON stream, opened again when it breaks off; ends when refused."""
        pause = 0.2
        while True:
            try:
                with self.http.stream("GET", f"/api{path}", timeout=STREAM_PATIENCE) as answer:
                    _check_status(answer)
                    for line in answer.iter_lines():
                        pause = 0.2
                        if line.strip():
                            yield json.loads(line)
            except httpx2.TransportError:
                pass
            except ServerRefusal as error:
                if error.status not in (429, 502, 503, 504):
                    raise
                pause = max(pause, error.seconds)
            time.sleep(pause)
            pause = min(pause * 2, 30)

    def table(
        self, table: str, seat: Seat | None = None, game: Game | None = None
    ) -> "RemoteTable":
        return RemoteTable(self, table, seat, game)

    def play(
        self,
        bot: Bot | BotMaker,
        *,
        rng: Rng | None = None,
        games: dict[str, Game] | None = None,
        until: Callable[[], bool] = lambda: False,
    ) -> None:
        """Answer every turn of this account with `bot`, as long as `until` says no; what has
        `for_game` makes a bot for every table that the account plays at."""
        rng = rng or random.Random()
        made: dict[str, Bot] = {}
        for event in self.stream("/bot/events"):
            if event["type"] == "turn":
                table = self.table(event["table"], game=(games or {}).get(event["game"]))
                if table.id not in made:
                    made[table.id] = bot.for_game(table.game) if isinstance(bot, BotMaker) else bot
                table.play(made[table.id], rng)
            if until():
                return


def _check_status(answer: Any) -> None:
    if answer.status_code != 200:
        answer.read()
        raise ServerRefusal(answer.status_code, _json_object(answer))


def _json_object(answer: Any) -> dict[str, Any]:
    try:
        body = answer.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


class RemoteTable:
    """One seat at a table on a server."""

    def __init__(
        self, server: ServerClient, table: str, seat: Seat | None = None, game: Game | None = None
    ) -> None:
        self.server, self.id = server, table
        self._seat = seat
        self._spoken = self._heard = 0  # since I last acted; the last message that was heard
        self.now: dict[str, Any] = {}
        self.look()
        self.game: Game = game or find_game(self.now["game"])

    def look(self) -> None:
        """See the table as it is now."""
        self.now = self.server.call("GET", f"/tables/{self.id}?raw=1&text=0{self._as}")

    @property
    def _as(self) -> str:
        return f"&seat={self._seat}" if self._seat else ""

    @property
    def seat(self) -> Seat:
        """The seat that is mine here."""
        return str(self.now["seat"])

    @property
    def seats(self) -> tuple[Seat, ...]:
        return tuple(seat["seat"] for seat in self.now["seats"])

    @property
    def to_act(self) -> frozenset[Seat]:
        return frozenset(self.now["to_act"])

    @property
    def result(self) -> Result | None:
        found = self.now["result"]
        if found is None:
            return None
        ranking = tuple(tuple(group) for group in found["ranking"])
        return Result(ranking, found["scores"], Msg(found["code"]), found["rule"])

    def view(self, seat: Seat | None = None) -> View:
        self._mine(seat)
        return self.now["view"] or {}

    def ask(self, seat: Seat | None = None) -> Question | None:
        self._mine(seat)
        asked = self.now["question"]
        return None if asked is None else parse_question(asked["raw"])

    def legal(self, seat: Seat | None = None) -> Legal:
        """What I may do: as listed by the server, or, where that would be too long, every answer
        to the question."""
        self._mine(seat)
        listed = self.now["legal"]
        if listed is not None:
            return Listed(self.game.parse(text) for text in listed)
        asked = self.ask()
        return Listed() if asked is None else QuestionAnswers(self.game, asked.node)

    def act(self, seat: Seat | Action, action: Action | str | None = None) -> None:
        """Perform an action; `act(action)` for the seat that is mine."""
        if action is None:
            seat, action = self.seat, seat
        self._mine(seat)
        self._spoken = 0
        asked = self.now["question"]
        body = {
            "command": uuid.uuid4().hex,  # the same on every try: nothing is done twice
            "question": asked["id"] if asked else self.now["seq"],
            "text": str(action),
            "seat": self.now["seat"],
        }
        try:
            self.server.call("POST", f"/tables/{self.id}/act", body)
        except ServerRefusal as error:
            self.look()
            if error.code == "server.moved_on":
                raise Stale("server.moved_on") from error
            raise
        self.look()

    def undo(self, seat: Seat | None = None) -> None:
        self._mine(seat)
        body = {"command": uuid.uuid4().hex, "seat": self.now["seat"]}
        self.server.call("POST", f"/tables/{self.id}/undo", body)
        self.look()

    def say(self, text: str, *to: Seat) -> None:
        """Write to some seats, or to everybody."""
        self.send_message(TableMessage(self.seat, to, text))

    def send_message(self, message: TableMessage) -> None:
        """Send a message with its offer or answer."""
        body = {
            "command": uuid.uuid4().hex,
            "to": list(message.to),
            "text": message.text,
            "offer": [part._asdict() for part in message.promises],
            "seat": self.now["seat"],
        }
        if message.answers:
            body["answer"] = {"id": message.answers, "agree": message.agree}
        self.server.call("POST", f"/tables/{self.id}/press", body)

    def press(self, since: int = 0) -> list[dict[str, Any]]:
        """What was said where I may listen, after message `since`."""
        return self._pages("press", "messages", since)[0]

    def inbox(self) -> list[TableMessage]:
        """The last letters of the seats that I may read."""
        return _letters_of_seats(self.press())

    def log(self, since: int = 0) -> tuple[list[dict[str, Any]], int]:
        """The entries from `since` on, as I may know them, and where the next ones begin."""
        entries, last = self._pages("log", "entries", since)
        return entries, int(last["seq"])

    def _pages(self, what: str, name: str, since: int) -> tuple[list[Any], dict[str, Any]]:
        """All that is there, page by page, and the last page."""
        found: list[Any] = []
        after: int | None = since
        while after is not None:
            path = f"/tables/{self.id}/{what}?since={after}&limit={PAGE_SIZE}{self._as}"
            page = self.server.call("GET", path)
            found += page[name]
            after = page["next"]
        return found, page

    def talk(self, talker: Talker, times: int = 1) -> None:
        """Let `talker` hear and speak, where talk is allowed now: when it is my turn, and to answer
        what is new, `times` in all before my next action, so that talk ends."""
        may = self.now["may_talk"]
        if not may or self._spoken >= times:
            return
        letters, unasked = self.press(), self.seat in self.to_act and not self._spoken
        new = [m for m in letters if m["id"] > self._heard and m["seat"] not in (None, self.seat)]
        if not new and not unasked:
            return
        self._spoken += 1
        self._heard = max((m["id"] for m in letters), default=0)
        others = [seat for seat in self.seats if seat != self.seat]
        for message in talker(self.view(), _letters_of_seats(letters), others):
            if message.to and "seats" not in may:
                continue  # a private message is not shown to everybody
            try:
                self.send_message(message)
            except ServerRefusal as error:
                if error.status == 422:  # an offer that makes no sense
                    continue
                if error.status != 409:  # else the time to talk is over meanwhile
                    raise
                return

    def follow(self) -> Iterator[dict[str, Any]]:
        """The table after every change and every letter, until the game is over."""
        seen = f"since={self.now['seq']}&press={self._heard}"
        for event in self.server.stream(f"/bot/tables/{self.id}/stream?{seen}{self._as}"):
            if event["type"] == "table":
                if event["table"]["rev"] < self.now["rev"]:
                    continue  # sent before I last looked: acting on it would be refused
                self.now = event["table"]
            if event["type"] in ("table", "press"):
                yield self.now
            if self.now["status"] in ("over", "closed"):
                return

    def play(self, bot: Bot, rng: Rng | None = None) -> None:
        """Answer with `bot` while it is my turn."""
        rng = rng or random.Random()
        while self.seat in self.to_act and (asked := self.ask()) is not None:
            try:
                self.act(bot(self.view(), asked, self.legal(), rng))
            except Stale:
                continue

    def _mine(self, seat: Seat | None) -> None:
        if seat is not None and seat != self.now["seat"]:
            raise Illegal("core.no_such_seat", seat=seat)


def _letters_of_seats(letters: Sequence[dict[str, Any]]) -> list[TableMessage]:
    return [_parse_letter(m) for m in letters if m["seat"] is not None][-MOST_LETTERS:]


def _parse_letter(letter: dict[str, Any]) -> TableMessage:
    to = tuple(seat for seat in letter["to"] if seat != letter["seat"])
    asks = bool(letter["may_answer"])
    return TableMessage(letter["seat"], to, letter["text"], number=letter["id"], asks=asks)


def remote_table(url: str, token: str, table: str, seat: Seat | None = None) -> RemoteTable:
    """A table on a server, by an API token or the token of a seat's link."""
    return ServerClient(url, token).table(table, seat)


class QuestionAnswers:
    """Legal actions by the question's tree, for questions with more answers than can be listed."""

    def __init__(self, game: Game, node: Node) -> None:
        self.game, self.node = game, node

    def __contains__(self, action: object) -> bool:
        return asking.accepts_answer(self.node, str(action))

    def __iter__(self) -> Iterator[Action]:
        return map(self.game.parse, asking.answer_texts(self.node))

    def count_all(self) -> int:
        return sum(1 for _ in asking.answer_texts(self.node))

    def sample(self, rng: Rng) -> Action:
        return self.game.parse(asking.sample_answer(self.node, rng))


# Questions from the wire


def parse_question(raw: dict[str, Any]) -> Question:
    """The question that a server sent as JSON."""
    node = _parse_node(raw["node"])
    if node is None:
        raise Unreadable("core.bad_value", where="question", wanted="node", got="null")
    return Question(_parse_msg(raw["prompt"]), node)


def _parse_msg(data: Any) -> Any:
    if isinstance(data, dict):
        return Msg(data["code"], **{key: _parse_msg(value) for key, value in data["args"].items()})
    if isinstance(data, list):
        return tuple(map(_parse_msg, data))
    return data


def _parse_node(raw: dict[str, Any] | None) -> Node | None:
    if raw is None:
        return None
    prompt = _parse_msg(raw["prompt"])
    match raw["kind"]:
        case "one":
            return One(_parse_options_list(raw["options"]), prompt)
        case "some":
            exclusive = tuple(map(tuple, raw.get("exclusive", ())))
            return Some(
                _parse_options_list(raw["options"]),
                raw["least"],
                raw["most"],
                prompt,
                _parse_node(raw["then"]),
                exclusive,
            )
        case "amount":
            then, chosen = _parse_node(raw["then"]), raw.get("chosen")
            return Amount(raw["least"], raw["most"], prompt, then, chosen)
        case "assign":
            shares = tuple(
                Share(s["text"], _parse_msg(s["label"]), s["most"], s["target"])
                for s in raw["shares"]
            )
            return Assign(shares, raw["least"], raw["most"], prompt, _parse_node(raw["then"]))
        case "orders":
            rows = tuple(
                Row(
                    r["target"],
                    _parse_msg(r["label"]),
                    _required_node(_parse_node(r["node"])),
                    r["chosen"],
                )
                for r in raw["rows"]
            )
            return Orders(rows, _parse_options_list(raw["options"]), prompt, raw.get("due"))
    raise Unreadable("core.bad_value", where="question", wanted="kind", got=str(raw["kind"]))


def _required_node(node: Node | None) -> Node:
    if node is None:
        raise Unreadable("core.bad_value", where="row", wanted="node", got="null")
    return node


def _parse_options_list(raw: list[dict[str, Any]]) -> tuple[Option, ...]:
    return tuple(
        Option(o["text"], _parse_msg(o["label"]), o["target"], _parse_node(o["then"])) for o in raw
    )
