"""Card packs on this machine: TOML files, and the folder that holds your own."""

from pathlib import Path

from powderkeg import games
from powderkeg.core.cards import CardTool, PackTables
from powderkeg.core.cards.packs import merge_packs, parse_toml, toml_text
from powderkeg.core.errors import Unreadable


def card_tool_of(game: str) -> tuple[str, CardTool]:
    """The name of a game and its card tool."""
    name = games.find_game(game).name
    tool = games.find_card_tool(name)
    if tool is None:
        raise Unreadable("cards.no_cards", game=name, games=list(games.CARD_TOOLS))
    return name, tool


def load_pack_file(path: Path) -> PackTables:
    """The tables of a pack's file."""
    try:
        return parse_toml(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise Unreadable("cli.no_file", path=str(path)) from None
    except (OSError, UnicodeDecodeError):
        raise Unreadable("cards.not_text", path=str(path)) from None
    except Unreadable as error:
        raise Unreadable("cards.not_toml", path=str(path), why=error.msg) from None


def save_pack_file(path: Path, own: PackTables, heading: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(toml_text(own, heading), encoding="utf-8")


def packs_folder() -> Path:
    """Where your own packs are kept: a folder for each game."""
    from powderkeg.server.settings import read_settings

    return read_settings().folder / "packs"


def pack_path(game: str, pack: str) -> Path:
    """The file that a pack's name or path means."""
    if pack.endswith(".toml") or "/" in pack or "\\" in pack:
        return Path(pack)
    return packs_folder() / game / f"{pack}.toml"


def own_packs(game: str) -> list[str]:
    """The packs in the user's folder."""
    return sorted(path.stem for path in (packs_folder() / game).glob("*.toml"))


def read_own_pack(game: str, pack: str) -> PackTables:
    """What the file of a pack says; an unknown name is answered with the known ones."""
    path = pack_path(game, pack)
    if not path.exists() and path.parent == packs_folder() / game:
        raise Unreadable("cards.no_pack", pack=pack, packs=own_packs(game) or ["-"])
    return load_pack_file(path)


def whole_pack(game: str, tool: CardTool, pack: str) -> PackTables:
    """The whole pack called `pack`: a name, a file, the value of the option, or none for ours."""
    if not pack:
        return tool.shipped_pack()
    if pack.lstrip().startswith("{"):
        return tool.parse_option(pack)
    return merge_packs(tool.shipped_pack(), read_own_pack(game, pack), tool)


def expand_option(game: str, option: str, text: str) -> str:
    """The value of an option as a person gives it: the name or file of a pack becomes what it
    changes, so that the game can be replayed where that file is not."""
    tool = games.find_card_tool(game)
    if tool is None or option != tool.option or not text or text.lstrip().startswith("{"):
        return text
    return tool.format_option(whole_pack(game, tool, text))
