"""Card packs as people write them: tables within tables, how sure each value is beside it.

A pack of one's own is a TOML file with the values that differ from the pack that comes with the
game. What a game must bring to have its cards shown, checked and corrected is `Cards`.
"""

import difflib
import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, Protocol, TypeAlias, cast

from powderkeg import games
from powderkeg.core.errors import Unreadable
from powderkeg.core.words import Msg

Tables: TypeAlias = dict[str, Any]
Level: TypeAlias = Literal["wrong", "doubt", "note"]
SURE: Final = "certainty"  # the name beside the values; never a value itself
WITH_CARDS: Final = {  # the card tool of each game whose cards can be corrected
    "versailles": "powderkeg.games.versailles.cards.table",
    "risk_europe": "powderkeg.games.risk_europe.cards.table",
}


class Cards(Protocol):
    """The card tool of a game whose cards can be corrected."""

    OPTION: str  # the option of the game that holds what differs
    WHOLE: tuple[str, ...]  # tables that are one value, such as the happiness of an option

    def tables(self) -> Tables:
        """The pack that comes with the game, as written."""

    def given(self, text: str) -> Tables:
        """The pack that `text`, the value of the option, stands for."""

    def option(self, pack: Tables) -> str:
        """`pack` as the option holds it. `Unreadable` says what cannot be played."""

    def cards(self, pack: Tables) -> dict[str, Msg]:
        """Where each card lies and what it is called."""

    def title(self, path: str) -> Msg | None:
        """What the part of a card at `path` is called, if it has a name of its own."""

    def findings(self, pack: Tables) -> Iterable[tuple[Level, Msg]]:
        """What is wrong or doubtful about `pack`, and what is worth knowing."""


class Value(NamedTuple):
    """One value of a pack; `sure` is empty where nothing is noted."""

    path: str
    value: Any
    sure: str


def cards_of(game: str) -> tuple[str, Cards]:
    """The name of a game and its cards."""
    name = games.find_game(game).name
    if name not in WITH_CARDS:
        raise Unreadable("cards.no_cards", game=name, games=list(WITH_CARDS))
    return name, cast(Cards, import_module(WITH_CARDS[name]))


# Reading and changing


def values(pack: Tables, whole: tuple[str, ...], path: str = "") -> Iterator[Value]:
    """Every value below `path`, in the order of the file."""
    for key, value in pack.items():
        here = f"{path}.{key}" if path else key
        if key == SURE or here == "name":
            continue
        if isinstance(value, dict) and key not in whole:
            yield from values(value, whole, here)
        else:
            yield Value(here, value, sureness(pack, key))


def sureness(folder: Tables, key: str) -> str:
    """How sure the value `key` is; one word may stand for a whole table."""
    noted = folder.get(SURE, {})
    return noted if isinstance(noted, str) else str(noted.get(key, ""))


def folder_of(pack: Tables, path: str) -> tuple[Tables, str]:
    *folders, last = path.split(".")
    for folder in folders:
        pack = pack[folder]
    return pack, last


def merged(base: Tables, own: Tables, whole: tuple[str, ...], path: str = "") -> Tables:
    """`base` with the values of `own` in their places. What has no place there is refused."""
    both = dict(base)
    for key, value in own.items():
        here = f"{path}.{key}" if path else key
        if key not in base and here != "name" and SURE not in here.split("."):
            raise Unreadable("cards.no_place", path=here, near=_near(here, base, path))
        old = base.get(key)
        if isinstance(old, dict) != isinstance(value, dict) and key in base:
            raise Unreadable("cards.no_place", path=here, near=here)
        is_table = isinstance(old, dict) and key not in whole
        both[key] = merged(old, value, whole, here) if is_table else value  # type: ignore[arg-type]  # a table
    return both


def _near(path: str, base: Tables, folder: str) -> str:
    found = difflib.get_close_matches(path.rpartition(".")[2], list(base), 1, 0.4)
    inside = found[0] if found else next((key for key in base if key != SURE), "")
    return f"{folder}.{inside}" if folder else inside


def differing(base: Tables, own: Tables, whole: tuple[str, ...]) -> Tables:
    """What `own` says otherwise than `base`."""
    found: Tables = {}
    for key, value in own.items():
        old = base.get(key)
        if isinstance(value, dict) and isinstance(old, dict) and key not in whole:
            if inner := differing(old, value, whole):
                found[key] = inner
        elif value != old:
            found[key] = value
    return found


def find(pack: Tables, name: str, whole: tuple[str, ...]) -> str:
    """The path of the value called `name`; parts may be left out: ``rheinland.stars``."""
    paths = [value.path for value in values(pack, whole)]
    if name in paths:
        return name
    wanted = name.split(".")
    fits = [p for p in paths if p.split(".")[-1] == wanted[-1] and _within(wanted, p.split("."))]
    if len(fits) == 1:
        return fits[0]
    if fits:
        raise Unreadable("cards.many_values", name=name, paths=fits[:4])
    near = difflib.get_close_matches(name, [*paths, *map(_short, paths)], 1, 0.3)
    raise Unreadable("cards.no_value", name=name, near=(near or paths)[0])


def _within(wanted: list[str], parts: list[str]) -> bool:
    """Whether all of `wanted` occurs in `parts`, in that order."""
    rest = iter(parts)
    return all(part in rest for part in wanted)


def _short(path: str) -> str:
    return ".".join(part for part in path.split(".")[1:] if part not in ("options", "conditions"))


def put(pack: Tables, path: str, value: Any, sure: str) -> None:
    """Change a value and note how sure it now is."""
    folder, last = folder_of(pack, path)
    folder[last] = value
    if isinstance(folder.get(SURE), str):
        folder[SURE] = sure
    else:
        folder.setdefault(SURE, {})[last] = sure


def typed(text: str, old: Any) -> Any:
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
    raise Unreadable("cards.bad_value", text=text, like=written(old))


# Files


def load(path: Path) -> Tables:
    """The tables of a pack's file."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise Unreadable("cli.no_file", path=str(path)) from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise Unreadable("cards.not_toml", path=str(path), why=str(error)) from None


def save(path: Path, own: Tables, heading: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    head = [f"# {line}" for line in heading.splitlines()]
    path.write_text("\n".join([*head, "", *_lines(own, "")]) + "\n", encoding="utf-8")


def _lines(tables: Tables, path: str) -> Iterator[str]:
    """A table's own values first, then the tables within it."""
    inner = {k: v for k, v in tables.items() if isinstance(v, dict) and _holds_cards(k, v)}
    own = {key: value for key, value in tables.items() if key not in inner}
    if own and path:
        yield f"\n[{path}]"
    for key, value in own.items():
        yield f"{_key(key)} = {written(value)}"
    for key, value in inner.items():
        yield from _lines(value, f"{path}.{_key(key)}" if path else _key(key))


def _holds_cards(key: str, table: Tables) -> bool:
    """Whether a table gets a heading; a short one of plain values stays on its line."""
    return key != SURE and any(isinstance(value, dict) for value in table.values())


def _key(key: str) -> str:
    return key if re.fullmatch(r"[\w-]+", key, re.ASCII) else json.dumps(key)


def written(value: Any) -> str:
    """A value as TOML writes it, on one line."""
    if isinstance(value, dict):
        inner = ", ".join(f"{_key(key)} = {written(part)}" for key, part in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(written, value))}]"
    return json.dumps(value, ensure_ascii=False)


# Packs of one's own


def folder() -> Path:
    """Where packs of one's own are kept: a folder for each game."""
    from powderkeg.server.settings import from_env

    return from_env().folder / "packs"


def place(game: str, pack: str) -> Path:
    """The file that a pack's name or path means."""
    if pack.endswith(".toml") or "/" in pack or "\\" in pack:
        return Path(pack)
    return folder() / game / f"{pack}.toml"


def kept(game: str) -> list[str]:
    """The packs in the user's folder."""
    return sorted(path.stem for path in (folder() / game).glob("*.toml"))


def own(game: str, pack: str) -> Tables:
    """What the file of a pack says; an unknown name is answered with the known ones."""
    path = place(game, pack)
    if not path.exists() and path.parent == folder() / game:
        raise Unreadable("cards.no_pack", pack=pack, packs=kept(game) or ["-"])
    return load(path)


def whole_pack(game: str, cards: Cards, pack: str) -> Tables:
    """The whole pack called `pack`: a name, a file, the value of the option, or none for ours."""
    if not pack:
        return cards.tables()
    if pack.lstrip().startswith("{"):
        return cards.given(pack)
    return merged(cards.tables(), own(game, pack), cards.WHOLE)


def packed(game: str, option: str, text: str) -> str:
    """The value of an option as a person gives it: the name or file of a pack becomes what it
    changes, so that the game can be replayed where that file is not."""
    if game not in WITH_CARDS or not text or text.lstrip().startswith("{"):
        return text
    name, cards = cards_of(game)
    return cards.option(whole_pack(name, cards, text)) if option == cards.OPTION else text
