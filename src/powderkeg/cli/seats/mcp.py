"""A table for an assistant: a server of the Model Context Protocol.

It speaks on standard input and output, or over HTTP (`--http PORT`). Its tools are one seat.
"""

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

import powderkeg
from powderkeg.bots.models.replies import parse_promise
from powderkeg.bots.seats.assistant import AssistantSeat, LocalSeat, take_seat
from powderkeg.bots.seats.letters import TableMessage
from powderkeg.cli.play.saves import (
    DEFAULT_BOTS,
    GameSave,
    GameWishes,
    TableNotes,
    new_key,
    read_notes,
    resume_game,
    start_game,
)
from powderkeg.cli.say import Lang, use_language
from powderkeg.cli.seats.model import open_bot_client
from powderkeg.core.chance import Audited
from powderkeg.core.errors import Unreadable
from powderkeg.core.extras import need_extra
from powderkeg.core.table import Table
from powderkeg.core.words import Msg, say

if TYPE_CHECKING:  # needs the extras `client` and `mcp`
    from powderkeg import client
    from powderkeg.cli.seats.mcp_server import PlainServer

SeatWork: TypeAlias = Callable[[], str]


def make_server(place: AssistantSeat) -> "PlainServer":
    """An MCP server whose tools are one place at a table."""
    from powderkeg.cli.seats.mcp_server import PlainServer

    made = PlainServer(
        "powderkeg",
        instructions=place.introduction(),
        version=powderkeg.__version__,
        lang=place.lang,
    )
    turn = threading.Lock()  # tools run in threads, and a seat does one thing at a time

    def one_at_a_time(work: SeatWork) -> str:
        with turn:
            return work()

    add_tools(made, place, one_at_a_time)
    add_pages(made, place, one_at_a_time)
    return made


def add_tools(
    made: "PlainServer", place: AssistantSeat, one_at_a_time: Callable[[SeatWork], str]
) -> None:
    """The tools with which an assistant plays."""

    @made.tool()
    def look() -> str:
        """The board in words as your seat sees it, and the question put to you now."""
        return one_at_a_time(place.look)

    @made.tool()
    def answers(start: str = "") -> str:
        """What you may answer, as a tree with explanations. With `start`, the legal actions whose text begins with it."""
        return one_at_a_time(lambda: place.answers(start))

    @made.tool()
    def act(orders: str) -> str:
        """Play one order or a whole turn, such as `A par - bur; A mar S A par - bur; F bre - mao; ready`. Ordinary notation is understood. Says what followed, and why an order was refused."""
        return one_at_a_time(lambda: place.act(orders))

    @made.tool()
    def undo() -> str:
        """Take back your last action, if that is still possible."""
        return one_at_a_time(place.undo)

    @made.tool()
    def news() -> str:
        """What happened, and what was written to you, since you last asked."""
        return one_at_a_time(lambda: place.read_news() or place.t("bots.mcp.no_news"))

    @made.tool()
    def talk(
        text: str = "",
        to: list[str] | None = None,
        promises: list[dict[str, Any]] | None = None,
        offer: int = 0,
        agree: bool = False,
    ) -> str:
        """Write to some seats (`to`), or to all, and read all letters; without a text only read. Bots understand formal offers: `promises` such as `[{"kind": "peace"}]`, of kind peace, alliance (with `against`), zone (`places`), order (`action`) or draw. Answer the offer with number `offer` by `agree`."""
        parts = tuple(map(parse_promise, promises or []))
        letter = TableMessage(place.seat, tuple(to or []), text, parts, offer, agree)
        return one_at_a_time(lambda: place.talk(letter))


def add_pages(
    made: "PlainServer", place: AssistantSeat, one_at_a_time: Callable[[SeatWork], str]
) -> None:
    """The rules as resources, and a prompt that starts a game."""

    @made.resource("powderkeg://rules", mime_type="text/markdown")
    def rules() -> str:
        """What wins, the map, and the rules in short."""
        return one_at_a_time(place.rules)

    @made.resource("powderkeg://rules/full", mime_type="text/markdown")
    def full_rules() -> str:
        """All rules with their numbers."""
        return one_at_a_time(place.full_rules)

    @made.prompt()
    def play() -> str:
        """Play the game to its end."""
        return (
            f"{place.introduction()}\n\n{place.t('bots.mcp.play')}\n\n{one_at_a_time(place.rules)}"
        )


class RemoteSeat(AssistantSeat):
    """A seat at a table on a server, held by a bot's account."""

    def __init__(self, table: "client.RemoteTable", lang: str) -> None:
        super().__init__(table, table.seat, lang)
        self.table = table
        self.seen_letters = 0

    def refresh(self) -> None:
        self.table.look()

    def read_news(self) -> str:
        entries, self.reported = self.table.log(self.reported)
        lines = [fact["text"] for entry in entries for fact in entry["facts"]]
        letters = self.read_letters()
        new = [x for x in letters if x.number > self.seen_letters and x.sender != self.seat]
        self.seen_letters = max((x.number for x in letters), default=self.seen_letters)
        return "\n".join([*lines, *map(self.letter_line, new)])

    def send_message(self, message: TableMessage) -> None:
        self.table.send_message(message)

    def read_letters(self) -> list[TableMessage]:
        return self.table.inbox()


def take_remote_seat(url: str, token: str, table: str, seat: str | None, lang: str) -> RemoteSeat:
    """A place on a server. An assistant needs an account that everybody sees is a bot's."""
    return RemoteSeat(open_bot_client(url, token).table(table, seat), lang)


def take_local_seat(
    table: Table, notes: TableNotes, seat: str | None, save: Path | None, lang: str
) -> LocalSeat:
    """A place at a table here, saved after every change."""
    before = notes.people[0] if notes.people else None
    place = take_seat(table, seat or before, notes.bots, seed=notes.key, lang=lang)
    if save is not None:
        kept = TableNotes(notes.key, (place.seat,), notes.bots)
        place.on_change = GameSave(save, table, kept).write
        place.on_change()  # whether it can be written is found out at once
    return place


def serve_mcp(
    game: Annotated[
        str | None, typer.Argument(help="diplomacy, versailles or risk_europe, with bots.")
    ] = None,
    *,
    seat: Annotated[
        str | None, typer.Option(help="The assistant's seat; default: the first.")
    ] = None,
    players: Annotated[int | None, typer.Option(help="How many seats; default: the most.")] = None,
    bots: Annotated[
        str | None, typer.Option(help="The bots in the other seats; default: normal.")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option("--option", "-o", help="An option of the game, name=value.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Equal seeds give equal luck.")] = None,
    save: Annotated[
        Path | None, typer.Option(help="Save the game in this file; continue if it exists.")
    ] = None,
    url: Annotated[
        str | None,
        typer.Option("--server", help="Address of a server to play on instead."),
    ] = None,
    table: Annotated[str | None, typer.Option(help="Id of the table on that server.")] = None,
    http: Annotated[
        int | None,
        typer.Option(min=1, max=65535, help="Serve HTTP on this port, at /mcp, for this machine."),
    ] = None,
    host: Annotated[str, typer.Option(help="Address for --http.")] = "127.0.0.1",
    lang: Lang = None,
) -> None:
    """Let an assistant that speaks MCP sit at a table, marked as a bot.

    On a server, the token of a bot's account is taken from POWDERKEG_TOKEN.
    """
    language = use_language(lang)
    need_extra("mcp", "mcp")
    if bool(url) != bool(table) or not (url or game or save):
        raise Unreadable("bots.mcp.which_table")
    place: AssistantSeat
    if url and table:
        token = os.environ.get("POWDERKEG_TOKEN", "")
        place = take_remote_seat(url, token, table, seat, language)
    else:
        wishes = GameWishes(game, players, option or [], seed)
        made, notes = open_game(save, wishes, bots, language)
        place = take_local_seat(made, notes, seat, save, language)
    run_server(make_server(place), http, host, language)


def open_game(
    save: Path | None, wishes: GameWishes, bots: str | None, lang: str
) -> tuple[Table, TableNotes]:
    """The game in the file, or a new one, with dice that can be verified."""
    if save is None or not save.exists():
        if wishes.game is None:
            raise Unreadable("bots.mcp.which_table")
        notes = TableNotes(new_key(wishes.seed), (), bots or DEFAULT_BOTS)
        return start_game(wishes.game, wishes, notes.key), notes
    kept = read_notes(save) or TableNotes(new_key(wishes.seed), (), DEFAULT_BOTS)
    table = resume_game(save, wishes, kept.key, f"powderkeg mcp --save {save}")
    if not isinstance(table.source, Audited):
        typer.echo(say(Msg("cli.dice_unverified"), lang), err=True)
    return table, kept._replace(bots=bots or kept.bots)


def run_server(made: "PlainServer", http: int | None, host: str, lang: str) -> None:
    """Serve until the assistant leaves; standard output belongs to the protocol."""
    if http is None:
        made.run()
        return
    typer.echo(say(Msg("bots.mcp.listens", url=f"http://{host}:{http}/mcp"), lang), err=True)
    made.run("streamable-http", host=host, port=http)
