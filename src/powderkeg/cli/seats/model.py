"""A language model at a table of a server, for a whole game."""

import json
import os
import random
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple
from urllib.parse import parse_qs, urlsplit

import typer

from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.models.player import ModelPlayer
from powderkeg.bots.models.settings import ModelManner, read_endpoint, read_manner
from powderkeg.cli.say import Lang, console, t, use_language
from powderkeg.core import plain
from powderkeg.core.errors import RulesError, Unreadable
from powderkeg.core.extras import need_extra

if TYPE_CHECKING:  # needs the extra `client`
    from powderkeg import client

ENDPOINT_PAUSES = (5.0, 15.0, 45.0, 120.0)  # seconds before a silent endpoint is asked again


class TableAddress(NamedTuple):
    """A table's link, taken apart: the server, the table, and the invitation."""

    server: str
    table: str
    invite: str = ""


def parse_address(url: str) -> TableAddress:
    """The parts of a link such as ``https://example.org/t/AbCdEf1234?invite=...``."""
    parts = urlsplit(url)
    before, mark, table = parts.path.rpartition("/t/")
    if parts.scheme not in ("http", "https") or not mark or not table.strip("/"):
        raise Unreadable("bots.seat.bad_address", url=url)
    (invite,) = parse_qs(parts.query).get("invite", [""])[:1]
    return TableAddress(f"{parts.scheme}://{parts.netloc}{before}", table.strip("/"), invite)


def seat_model(
    url: Annotated[str, typer.Argument(help="The link of a table, with its invitation.")],
    *,
    model: Annotated[str, typer.Option(help="Default: POWDERKEG_LLM_MODEL.")] = "",
    endpoint: Annotated[str, typer.Option(help="Default: POWDERKEG_LLM_URL.")] = "",
    seat: Annotated[str | None, typer.Option(help="The seat; default: any that is free.")] = None,
    talk: Annotated[bool, typer.Option(help="Write letters.")] = True,
    diary: Annotated[Path | None, typer.Option(help="Keep the model's diary in this file.")] = None,
    lang: Lang = None,
) -> None:
    """Let a language model play at a table of a server, marked as a bot, until the game is over.

    The token of a bot's account is taken from POWDERKEG_TOKEN.
    """
    language = use_language(lang)
    need_extra("client", "httpx2")
    address = parse_address(url)
    found = read_endpoint(endpoint, model)
    manner = plain.load(ModelManner, plain.dump(read_manner()) | {"lang": language})
    with open_bot_client(address.server, os.environ.get("POWDERKEG_TOKEN", "")) as server:
        table = sit_down(server, address, seat)
        player = ModelPlayer(table.game, found, manner)
        console.print(t("bots.seat.sits", name=player.name, seat=table.seat), markup=False)
        run = ModelRun(table, player, talk=talk, diary=diary)
        try:
            run.play_game()
        finally:
            run.print_usage()


def open_client(url: str, token: str) -> "client.ServerClient":
    """The server, which answers to a token."""
    need_extra("client", "httpx2")
    import httpx2

    from powderkeg import client

    server = client.ServerClient(url, token)
    try:
        server.call("GET", "/me")
    except httpx2.TransportError as error:
        raise Unreadable("bots.seat.no_server", url=url) from error
    return server


def open_bot_client(url: str, token: str) -> "client.ServerClient":
    """The server, by the token of an account that everybody sees is a bot's."""
    server = open_client(url, token)
    if server.call("GET", "/me")["kind"] != "bot":
        server.close()
        raise Unreadable("bots.mcp.not_a_bot")
    return server


def sit_down(
    server: "client.ServerClient", address: TableAddress, seat: str | None
) -> "client.RemoteTable":
    """The table, at a seat that is held already or taken now."""
    mine = {table["id"] for table in server.call("GET", "/lobby")["mine"]}
    if address.table not in mine:
        wish = {"seat": seat, "invite": address.invite}
        seat = server.call("POST", f"/tables/{address.table}/join", wish)["seat"]
    return server.table(address.table, seat)


class ModelRun:
    """A model that follows one table: it reads the news, talks, plays, and keeps its diary."""

    def __init__(
        self,
        table: "client.RemoteTable",
        player: ModelPlayer,
        *,
        talk: bool,
        diary: Path | None = None,
        pauses: tuple[float, ...] = ENDPOINT_PAUSES,
    ) -> None:
        self.table, self.player, self.talks = table, player, talk
        self.diary, self.pauses = diary, pauses
        self.mind = player.seat_mind(table.seat)
        self.rng = random.Random()
        self.reported = 0  # entries of the log that the model knows
        if diary is not None and diary.exists():
            self.mind.diary = [str(line) for line in json.loads(diary.read_text("utf-8"))]

    def play_game(self) -> None:
        for _ in self.table.follow():
            if self.table.now["status"] == "live":
                self.take_turn()

    def take_turn(self) -> None:
        """Talk if there is something to say, and answer what is asked."""
        table, player = self.table, self.player
        if self.talks and table.now["may_talk"]:
            self._hear_news()
            table.talk(player.talk)
        while table.seat in table.to_act and table.ask() is not None:
            self._hear_news()
            self._plan_patiently()
            self._play_step()
        self._keep_diary()

    def _hear_news(self) -> None:
        entries, self.reported = self.table.log(self.reported)
        lines = [fact["text"] for entry in entries for fact in entry["facts"]]
        self.player.hear_news(self.table.seat, lines)
        self.mind.letters = tuple(self.table.inbox())

    def _plan_patiently(self) -> None:
        """Plan the turn; an endpoint that does not answer is asked again after a while."""
        for pause in (*self.pauses, None):
            self._plan_turn()
            lost = self.mind.plan and self.mind.plan[0].thought.fault == "unreachable"
            if not lost or pause is None:
                return
            console.print(t("bots.seat.waits", seconds=round(pause)), markup=False)
            self.mind.plan.clear()
            self.mind.purse.failures = 0
            time.sleep(pause)

    def _plan_turn(self) -> None:
        question = self.table.ask()
        if question is not None:
            view, legal = self.table.view(), self.table.legal()
            self.player.plan_turn(view, question, legal, self.rng, Budget(1).start())

    def _play_step(self) -> None:
        """Play the next step; if the server refuses it, the harmless default."""
        table, question = self.table, self.table.ask()
        if question is None:
            return
        action = self.player.bot()(table.view(), question, table.legal(), self.rng)
        if not self._try_action(str(action)) and table.ask() == question:
            world = table.game.deal(table.view(), self.rng)
            self._try_action(str(table.game.default(world, table.seat)))

    def _try_action(self, action: str) -> bool:
        """Whether the server accepted an action; if not, the table was looked at again."""
        try:
            self.table.act(self.table.seat, action)
        except RulesError as refusal:  # or the table has moved on
            self.mind.plan.clear()
            console.print(f"{action}: {refusal}", markup=False)
            return False
        console.print(f"{self.table.seat}: {action}", markup=False)
        return True

    def _keep_diary(self) -> None:
        if self.diary is not None:
            self.diary.write_text(json.dumps(self.mind.diary, ensure_ascii=False) + "\n", "utf-8")

    def print_usage(self) -> None:
        used = self.player.seat_usage(self.table.seat)
        faults = ", ".join(f"{what} {n}" for what, n in used.faults.items()) or "-"
        said = t(
            "bots.seat.usage",
            requests=used.requests,
            tokens=used.tokens,
            cost=f"{used.cost:.4f}",
            faults=faults,
        )
        console.print(said, markup=False)
