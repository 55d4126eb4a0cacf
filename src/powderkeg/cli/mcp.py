"""A table for an assistant: a server of the Model Context Protocol on standard input and output."""

import os
from typing import TYPE_CHECKING, Annotated, Any

import typer

import powderkeg
from powderkeg.bots.seats.assistant import AssistantSeat, take_seat
from powderkeg.cli.playout import read_options
from powderkeg.cli.say import Lang, use_language
from powderkeg.core import plain
from powderkeg.core.errors import Unreadable
from powderkeg.games import find_game

if TYPE_CHECKING:  # needs the extra `server`
    from powderkeg import client


def make_server(place: AssistantSeat) -> Any:
    """An MCP server whose tools are one place at a table."""
    try:
        from mcp.server import MCPServer
    except ImportError:
        raise Unreadable("bots.mcp.missing") from None
    made = MCPServer("powderkeg", instructions=place.about(), version=powderkeg.__version__)

    @made.tool()
    def look() -> str:
        """The board in words as your seat sees it, and the question put to you now."""
        return place.look()

    @made.tool()
    def legal(start: str = "") -> str:
        """Your legal actions, one a line; `start` keeps those whose text begins with it."""
        return place.legal(start)

    @made.tool()
    def act(action: str) -> str:
        """Do an action, given by its exact text. Tells what followed, or why it was refused."""
        return place.act(action)

    @made.tool()
    def news() -> str:
        """What your seat was told since you last asked."""
        return place.news()

    if isinstance(place, RemoteSeat):

        @made.tool()
        def talk(text: str = "", to: list[str] | None = None) -> str:
            """Say something to some seats (or to all), and read what was said. Empty: only read."""
            return place.talk(text, to or [])

    return made


class RemoteSeat(AssistantSeat):
    """A seat at a table on a server, held by a bot's account."""

    def __init__(self, table: "client.RemoteTable", lang: str) -> None:
        super().__init__(table, table.seat, lang)
        self.table = table

    def refresh(self) -> None:
        self.table.look()

    def news(self) -> str:
        entries, self.told = self.table.log(self.told)
        return "\n".join(fact["text"] for entry in entries for fact in entry["facts"])

    def talk(self, text: str, to: list[str]) -> str:
        """Say something to some seats, or to all; tells what was said so far."""
        if text:
            self.table.say(text, *to)
        heard = self.table.press()
        return "\n".join(f"{m['name']} ({m['channel']}): {m['text']}" for m in heard[-50:])


def take_remote_seat(url: str, token: str, table: str, seat: str | None, lang: str) -> RemoteSeat:
    """A place on a server. Only an account that everybody sees to be a bot may be an assistant's."""
    from powderkeg import client

    server = client.ServerClient(url, token)
    if server.call("GET", "/me")["kind"] != "bot":
        server.close()
        raise Unreadable("bots.mcp.not_a_bot")
    return RemoteSeat(server.table(table, seat), lang)


def serve_mcp(
    game: Annotated[
        str | None, typer.Argument(help="diplomacy, versailles or risk_europe, with bots.")
    ] = None,
    *,
    seat: Annotated[
        str | None, typer.Option(help="The assistant's seat; default: the first.")
    ] = None,
    players: Annotated[int | None, typer.Option(help="How many seats; default: the most.")] = None,
    bots: Annotated[str, typer.Option(help="Who has the other seats.")] = "normal",
    option: Annotated[
        list[str] | None, typer.Option("--option", "-o", help="An option of the game, name=value.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Equal seeds give equal luck.")] = None,
    url: Annotated[
        str | None,
        typer.Option("--server", help="Address of a server to play on instead."),
    ] = None,
    table: Annotated[str | None, typer.Option(help="Id of the table on that server.")] = None,
    lang: Lang = None,
) -> None:
    """Let an assistant that speaks MCP sit at a table, marked as a bot.

    On a server, the token of a bot's account is taken from POWDERKEG_TOKEN.
    """
    language = use_language(lang)
    if bool(url) != bool(table):
        raise Unreadable("bots.mcp.which_table")
    if url and table:
        token = os.environ.get("POWDERKEG_TOKEN", "")
        make_server(take_remote_seat(url, token, table, seat, language)).run()
        return
    if game is None:
        raise Unreadable("bots.mcp.which_table")
    rules = find_game(game)
    options = plain.dump(read_options(rules, option or []))
    made = powderkeg.table(game, players, seed=seed, **options)
    luck = None if seed is None else str(seed)
    make_server(take_seat(made, seat, bots, seed=luck, lang=language)).run()
