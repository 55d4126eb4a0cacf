"""Card packs as people write them: tables within tables, how sure each value is beside it.

A pack of one's own is a TOML file with the values that differ from the pack that comes with the
game.
"""

import difflib
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from powderkeg import games
from powderkeg.core.cards import CardTool, PackTables
from powderkeg.core.errors import Unreadable

CERTAINTY_KEY: Final = "certainty"  # the name beside the values; never a value itself


def _versailles_tool() -> CardTool:
    from powderkeg.games.versailles.cards.table import CARD_TOOL

    return CARD_TOOL


def _risk_europe_tool() -> CardTool:
    from powderkeg.games.risk_europe.cards.table import CROWN_TOOL

    return CROWN_TOOL


# The games whose cards can be corrected; a game's module is imported when its cards are asked for.
CARD_TOOLS: Final = {"versailles": _versailles_tool, "risk_europe": _risk_europe_tool}


class PackValue(NamedTuple):
    """One value of a pack; `sure` is empty where nothing is noted."""

    path: str
    value: Any
    sure: str


def card_tool_of(game: str) -> tuple[str, CardTool]:
    """The name of a game and its card tool."""
    name = games.find_game(game).name
    if name not in CARD_TOOLS:
        raise Unreadable("cards.no_cards", game=name, games=list(CARD_TOOLS))
    return name, CARD_TOOLS[name]()


# Reading and changing


def pack_values(pack: PackTables, whole: tuple[str, ...], path: str = "") -> Iterator[PackValue]:
    """Every value below `path`, in the order of the file."""
    for key, value in pack.items():
        here = f"{path}.{key}" if path else key
        if key == CERTAINTY_KEY or here == "name":
            continue
        if isinstance(value, dict) and key not in whole:
            yield from pack_values(value, whole, here)
        else:
            yield PackValue(here, value, value_certainty(pack, key))


def value_certainty(folder: PackTables, key: str) -> str:
    """How sure the value `key` is; one word may stand for a whole table."""
    noted = folder.get(CERTAINTY_KEY, {})
    return noted if isinstance(noted, str) else str(noted.get(key, ""))


def folder_of(pack: PackTables, path: str) -> tuple[PackTables, str]:
    *folders, last = path.split(".")
    for folder in folders:
        pack = pack[folder]
    return pack, last


def merge_packs(
    base: PackTables, own: PackTables, whole: tuple[str, ...], path: str = ""
) -> PackTables:
    """`base` with the values of `own` in their places. What has no place there is refused."""
    both = dict(base)
    for key, value in own.items():
        here = f"{path}.{key}" if path else key
        if key not in base and here != "name" and CERTAINTY_KEY not in here.split("."):
            raise Unreadable("cards.no_place", path=here, near=_nearest_path(here, base, path))
        old = base.get(key)
        if isinstance(old, dict) != isinstance(value, dict) and key in base:
            raise Unreadable("cards.no_place", path=here, near=here)
        is_table = isinstance(old, dict) and key not in whole
        both[key] = merge_packs(old, value, whole, here) if is_table else value  # type: ignore[arg-type]  # a table
    return both


def _nearest_path(path: str, base: PackTables, folder: str) -> str:
    found = difflib.get_close_matches(path.rpartition(".")[2], list(base), 1, 0.4)
    inside = found[0] if found else next((key for key in base if key != CERTAINTY_KEY), "")
    return f"{folder}.{inside}" if folder else inside


def pack_differences(base: PackTables, own: PackTables, whole: tuple[str, ...]) -> PackTables:
    """What `own` says otherwise than `base`."""
    found: PackTables = {}
    for key, value in own.items():
        old = base.get(key)
        if isinstance(value, dict) and isinstance(old, dict) and key not in whole:
            if inner := pack_differences(old, value, whole):
                found[key] = inner
        elif value != old:
            found[key] = value
    return found


def find_path(pack: PackTables, name: str, whole: tuple[str, ...]) -> str:
    """The path of the value called `name`; parts may be left out: ``rheinland.stars``."""
    paths = [value.path for value in pack_values(pack, whole)]
    if name in paths:
        return name
    wanted = name.split(".")
    fits = [p for p in paths if p.split(".")[-1] == wanted[-1] and _is_within(wanted, p.split("."))]
    if len(fits) == 1:
        return fits[0]
    if fits:
        raise Unreadable("cards.many_values", name=name, paths=fits[:4])
    near = difflib.get_close_matches(name, [*paths, *map(_short_path, paths)], 1, 0.3)
    raise Unreadable("cards.no_value", name=name, near=(near or paths)[0])


def _is_within(wanted: list[str], parts: list[str]) -> bool:
    """Whether all of `wanted` occurs in `parts`, in that order."""
    rest = iter(parts)
    return all(part in rest for part in wanted)


def _short_path(path: str) -> str:
    return ".".join(part for part in path.split(".")[1:] if part not in ("options", "conditions"))


def put_value(pack: PackTables, path: str, value: Any, sure: str) -> None:
    """Change a value and note how sure it now is."""
    folder, last = folder_of(pack, path)
    folder[last] = value
    if isinstance(folder.get(CERTAINTY_KEY), str):
        folder[CERTAINTY_KEY] = sure
    else:
        folder.setdefault(CERTAINTY_KEY, {})[last] = sure


def parse_value(text: str, old: Any) -> Any:
    """A value as a person types it: as in TOML; words need no quotes, tables no braces."""
    text = text.strip()
    attempts = [text]
    if isinstance(old, dict):
        attempts = [text, "{ " + re.sub(r"\s+([+-]?\d)", r" = \1", text) + " }"]
    elif isinstance(old, list):
        words = re.findall(r"[\w.]+", text)
        attempts = [text, json.dumps(words), f"[{text}]"]
    elif isinstance(old, str):
        attempts = [text, json.dumps(text)]
    for attempt in attempts:
        try:
            value = tomllib.loads(f"value = {attempt.replace('= +', '= ')}")["value"]
        except tomllib.TOMLDecodeError:
            continue
        if type(value) is type(old):
            return value
    raise Unreadable("cards.bad_value", text=text, like=toml_value(old))


# Files


def load_pack_file(path: Path) -> PackTables:
    """The tables of a pack's file."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise Unreadable("cli.no_file", path=str(path)) from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise Unreadable("cards.not_toml", path=str(path), why=str(error)) from None


def save_pack_file(path: Path, own: PackTables, heading: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    head = [f"# {line}" for line in heading.splitlines()]
    path.write_text("\n".join([*head, "", *_toml_lines(own, "")]) + "\n", encoding="utf-8")


def _toml_lines(tables: PackTables, path: str) -> Iterator[str]:
    """A table's own values first, then the tables within it."""
    inner = {k: v for k, v in tables.items() if isinstance(v, dict) and _holds_cards(k, v)}
    own = {key: value for key, value in tables.items() if key not in inner}
    if own and path:
        yield f"\n[{path}]"
    for key, value in own.items():
        yield f"{_toml_key(key)} = {toml_value(value)}"
    for key, value in inner.items():
        yield from _toml_lines(value, f"{path}.{_toml_key(key)}" if path else _toml_key(key))


def _holds_cards(key: str, table: PackTables) -> bool:
    """Whether a table gets a heading; a short one of plain values stays on its line."""
    return key != CERTAINTY_KEY and any(isinstance(value, dict) for value in table.values())


def _toml_key(key: str) -> str:
    return key if re.fullmatch(r"[\w-]+", key, re.ASCII) else json.dumps(key)


def toml_value(value: Any) -> str:
    """A value as TOML writes it, on one line."""
    if isinstance(value, dict):
        inner = ", ".join(f"{_toml_key(key)} = {toml_value(part)}" for key, part in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml_value, value))}]"
    return json.dumps(value, ensure_ascii=False)


# Packs of one's own


def packs_folder() -> Path:
    """Where packs of one's own are kept: a folder for each game."""
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
    return merge_packs(tool.shipped_pack(), read_own_pack(game, pack), tool.whole_tables)


def expand_option(game: str, option: str, text: str) -> str:
    """The value of an option as a person gives it: the name or file of a pack becomes what it
    changes, so that the game can be replayed where that file is not."""
    if game not in CARD_TOOLS or not text or text.lstrip().startswith("{"):
        return text
    name, tool = card_tool_of(game)
    return tool.format_option(whole_pack(name, tool, text)) if option == tool.option else text
