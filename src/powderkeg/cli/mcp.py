"""A table for an assistant: a server of the Model Context Protocol on standard input and output."""

from typing import Annotated, Any

import typer

import powderkeg
from powderkeg.bots.place import Place, local
from powderkeg.cli.playout import read_options
from powderkeg.cli.say import Lang, use
from powderkeg.core import plain
from powderkeg.core.errors import Unreadable
from powderkeg.games import find


def server(place: Place) -> Any:
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

    return made


def mcp(
    game: Annotated[str, typer.Argument(help="diplomacy, versailles or risk_europe.")],
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
    lang: Lang = None,
) -> None:
    """Let an assistant that speaks MCP sit at a table, marked as a bot."""
    language = use(lang)
    rules = find(game)
    options = plain.dump(read_options(rules, option or []))
    table = powderkeg.table(game, players, seed=seed, **options)
    luck = None if seed is None else str(seed)
    server(local(table, seat, bots, seed=luck, lang=language)).run()
