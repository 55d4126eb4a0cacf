"""Card packs as people write them: tables within tables, how certain each value is beside it.

A pack of your own holds the values that differ from the pack that comes with the game.
"""

import difflib
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any, Final, NamedTuple

from powderkeg.core.cards.tool import CERTAINTY_KEY, CardTool, PackTables, certainty_of
from powderkeg.core.errors import Unreadable
from powderkeg.core.words import Msg, say

REMOVED_KEY: Final = "removed"  # marks a part that the real card does not have
NAME_KEY: Final = "name"
LONGEST_NAME: Final = 60  # of a card, an option or a pack


class PackValue(NamedTuple):
    """One value of a pack; `sure` is empty where nothing is noted."""

    path: str
    value: Any
    sure: str


class PackChange(NamedTuple):
    """A difference between two packs; None where one of them lacks the value or the part."""

    path: str
    old: PackValue | None
    new: PackValue | None


def join_path(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def fits_pattern(path: str, patterns: Mapping[str, Any] | tuple[str, ...]) -> bool:
    """Whether a path is one of `patterns`, in which ``*`` stands for one word."""
    parts = path.split(".")
    return any(
        len(parts) == pattern.count(".") + 1 and all(map(fnmatchcase, parts, pattern.split(".")))
        for pattern in patterns
    )


# Values


def pack_values(
    pack: PackTables, tool: CardTool, path: str = "", inherited: str = ""
) -> Iterator[PackValue]:
    """Every value below `path` in the order of the file, the names of cards and parts included;
    the name is empty where the catalogue has it."""
    if fits_pattern(path, tool.named):
        yield PackValue(f"{path}.{NAME_KEY}", pack.get(NAME_KEY, ""), certainty_of(pack, NAME_KEY))
    for key, value in pack.items():
        if key in (CERTAINTY_KEY, NAME_KEY):
            continue
        here, sure = join_path(path, key), certainty_of(pack, key) or inherited
        if isinstance(value, dict) and key not in tool.whole_tables:
            yield from pack_values(value, tool, here, sure)
        else:
            yield PackValue(here, value, sure)


def folder_of(pack: PackTables, path: str) -> tuple[PackTables, str]:
    """The table that holds the value at `path`, and the value's own name."""
    *folders, last = path.split(".")
    for folder in folders:
        pack = pack[folder]
    return pack, last


def table_at(pack: PackTables, path: str) -> Any:
    """The table or value at `path`."""
    folder, last = folder_of(pack, path)
    return folder[last]


def title_at(pack: PackTables, tool: CardTool, path: str) -> Msg | None:
    """The title of the card or part at `path`, if it has one."""
    return tool.card_titles(pack).get(path) or tool.part_title(pack, path)


def spoken_value(pack: PackTables, tool: CardTool, value: PackValue, lang: str) -> PackValue:
    """A name that the pack leaves to the catalogue, as the reader knows it; any other value."""
    above, _, last = value.path.rpartition(".")
    if last != NAME_KEY or value.value:
        return value
    return value._replace(value=say(title_at(pack, tool, above) or "", lang))


def find_path(pack: PackTables, tool: CardTool, name: str) -> str:
    """The path of the value called `name`; parts may be left out: ``rheinland.stars``."""
    paths = [value.path for value in pack_values(pack, tool)]
    if name in paths:
        return name
    wanted = name.split(".")
    fits = [p for p in paths if p.split(".")[-1] == wanted[-1] and _is_within(wanted, p.split("."))]
    if wanted[-1] == NAME_KEY and fits:  # the name of a card, not of its options
        fits = [p for p in fits if p.count(".") == min(path.count(".") for path in fits)]
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
    """Change a value and note how certain it now is."""
    folder, last = folder_of(pack, path)
    folder[last] = value
    note_certainty(pack, path, sure)


def note_certainty(pack: PackTables, path: str, sure: str) -> None:
    folder, last = folder_of(pack, path)
    if isinstance(folder.get(CERTAINTY_KEY), str):
        folder[CERTAINTY_KEY] = sure
    else:
        folder.setdefault(CERTAINTY_KEY, {})[last] = sure


# Parts of cards that can be added and removed


def find_part(pack: PackTables, tool: CardTool, name: str) -> str:
    """The path of the part called `name`, there or not: ``fiume.plebiscite``."""
    *folders, last = name.split(".")
    lists = [path for path in _part_lists(pack, tool) if _is_within(folders, path.split("."))]
    if len(lists) != 1 or not folders:
        raise Unreadable("cards.no_part", name=name)
    return f"{lists[0]}.{last}"


def _part_lists(pack: PackTables, tool: CardTool, path: str = "") -> Iterator[str]:
    """The paths of all tables whose parts may be added and removed."""
    for key, value in pack.items():
        here = join_path(path, key)
        if fits_pattern(here, tool.open_lists):
            yield here
        elif isinstance(value, dict) and key not in tool.whole_tables:
            yield from _part_lists(value, tool, here)


def blank_part(tool: CardTool, path: str) -> PackTables | None:
    """A new part as it may be added at `path`; None where no part can be added."""
    above = path.rpartition(".")[0]
    for pattern, blank in tool.open_lists.items():
        if fits_pattern(above, (pattern,)):
            copied: PackTables = json.loads(json.dumps(blank))
            return copied
    return None


def add_part(pack: PackTables, tool: CardTool, path: str, sure: str) -> None:
    """Add an empty part at `path` unless it is there."""
    folder, last = folder_of(pack, path)
    blank = blank_part(tool, path)
    if blank is not None and last not in folder:
        folder[last] = {**blank, CERTAINTY_KEY: dict.fromkeys(blank, sure)}


def remove_part(pack: PackTables, path: str) -> None:
    folder, last = folder_of(pack, path)
    if last not in folder:
        raise Unreadable("cards.no_part", name=path)
    del folder[last]


# Two packs


def merge_packs(base: PackTables, own: PackTables, tool: CardTool, path: str = "") -> PackTables:
    """`base` with the values of `own` in their places. What has no place there is refused.

    A value written without a note counts as certain: somebody has read it from a card.
    """
    both = dict(base)
    for key, value in own.items():
        here = join_path(path, key)
        if isinstance(value, dict) and value.get(REMOVED_KEY) is True and blank_part(tool, here):
            both.pop(key, None)
            continue
        old = base.get(key, blank_part(tool, here))
        if old is None and not _may_be_new(here, key, path, tool):
            raise Unreadable("cards.no_place", path=here, near=_nearest_path(here, base, path))
        if isinstance(old, dict) != isinstance(value, dict) and old is not None:
            raise Unreadable("cards.no_place", path=here, near=here)
        is_table = isinstance(old, dict) and key not in tool.whole_tables
        both[key] = merge_packs(old, value, tool, here) if is_table else value  # type: ignore[arg-type]  # a table
    _note_corrections(both, own, tool)
    return both


def _note_corrections(both: PackTables, own: PackTables, tool: CardTool) -> None:
    """Values of `own` without a note of their own are no longer as doubtful as before."""
    noted = both.get(CERTAINTY_KEY)
    if isinstance(noted, dict):
        plain = {k for k, v in own.items() if k in tool.whole_tables or not isinstance(v, dict)}
        bare = plain & noted.keys() - own.get(CERTAINTY_KEY, {}).keys()
        both[CERTAINTY_KEY] = {**noted, **dict.fromkeys(sorted(bare), "certain")}


def _may_be_new(here: str, key: str, path: str, tool: CardTool) -> bool:
    """Whether a value may stand where the base has none: names and certainties."""
    is_name = key == NAME_KEY and (not path or fits_pattern(path, tool.named))
    return is_name or CERTAINTY_KEY in here.split(".")


def _nearest_path(path: str, base: PackTables, folder: str) -> str:
    found = difflib.get_close_matches(path.rpartition(".")[2], list(base), 1, 0.4)
    inside = found[0] if found else next((key for key in base if key != CERTAINTY_KEY), "")
    return join_path(folder, inside)


def pack_differences(
    base: PackTables, own: PackTables, tool: CardTool, path: str = ""
) -> PackTables:
    """The values of `own` that differ from `base`; missing parts are marked as removed."""
    found: PackTables = {}
    for key, value in own.items():
        old, here = base.get(key), join_path(path, key)
        if isinstance(value, dict) and isinstance(old, dict) and key not in tool.whole_tables:
            if inner := pack_differences(old, value, tool, here):
                found[key] = inner
        elif value != old:
            found[key] = value
    for key in base.keys() - own.keys():
        if blank_part(tool, join_path(path, key)) is not None:
            found[key] = {REMOVED_KEY: True}
    return found


def list_changes(base: PackTables, own: PackTables, tool: CardTool) -> list[PackChange]:
    """The differences of `own` from `base`, value by value; a missing part is one change."""
    old = {value.path: value for value in pack_values(base, tool)}
    new = {value.path: value for value in pack_values(own, tool)}
    gone = list(_removed_parts(base, own, tool))
    inside = tuple(f"{part}." for part in gone)
    removed = [PackChange(part, PackValue(part, {}, ""), None) for part in gone]
    return removed + [
        PackChange(path, old.get(path), new.get(path))
        for path in dict.fromkeys([*old, *new])
        if old.get(path) != new.get(path) and not path.startswith(inside)
    ]


def _removed_parts(base: PackTables, own: PackTables, tool: CardTool) -> Iterator[str]:
    for path in _part_lists(base, tool):
        ours, theirs = (table_at(pack, path) for pack in (base, own))
        yield from (f"{path}.{part}" for part in ours if part not in theirs)


# Text


def parse_value(text: str, old: Any) -> Any:
    """Parse a value as a person types it: TOML, with optional quotes and brackets."""
    text = text.strip()
    attempts = [text]
    if isinstance(old, dict):
        attempts = [text, "{ " + re.sub(r"\s+([+-]?\d)", r" = \1", text) + " }"]
    elif isinstance(old, list):
        words = re.findall(r"[\w.]+", text)
        attempts = [text, f"[{text}]", json.dumps(words)]
    elif isinstance(old, str):
        attempts = [text, json.dumps(text)]
    for attempt in attempts:
        try:
            value = tomllib.loads(f"value = {attempt.replace('= +', '= ')}")["value"]
        except (ValueError, RecursionError):
            continue
        if type(value) is type(old):
            return value
    raise Unreadable("cards.bad_value", text=text, like=toml_value(old))


def typed_text(value: Any) -> str:
    """A value as a person types it; `parse_value` reads it again."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return ", ".join(f"{key} {n:+d}" for key, n in value.items())
    if isinstance(value, list):
        plain = not any(isinstance(part, dict) for part in value)
        return ", ".join(map(str, value)) if plain else toml_value(value)
    return str(value)


def parse_toml(text: str) -> PackTables:
    """The tables written in `text`; the refusal says where the mistake is."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # too deep, or a number with too many digits
        found = re.search(r"line (\d+), column (\d+)", str(error))
        line, column = found.groups() if found else (text.count("\n") + 1, 1)
        raise Unreadable("cards.toml_mistake", line=int(line), column=int(column)) from None


def parse_changes(text: str) -> dict[str, Any]:
    """The value of a game's option for card packs: one line of JSON, values by path."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise Unreadable("cards.not_a_line") from None
    if not isinstance(data, dict):
        raise Unreadable("cards.not_a_line")
    return data


def read_pack_text(tool: CardTool, text: str) -> PackTables:
    """The whole pack that `text` describes: a TOML file, the line of the option, or nothing for
    the shipped pack."""
    if not text.strip():
        return tool.shipped_pack()
    if text.lstrip().startswith("{"):
        return tool.parse_option(text)
    return merge_packs(tool.shipped_pack(), parse_toml(text), tool)


def toml_text(own: PackTables, heading: str) -> str:
    """A pack as the text of a TOML file."""
    head = [f"# {line}" for line in heading.splitlines()]
    return "\n".join([*head, "", *_toml_lines(own, "")]) + "\n"


def _toml_lines(tables: PackTables, path: str) -> Iterator[str]:
    """A table's own values first, then the tables within it."""
    inner = {k: v for k, v in tables.items() if isinstance(v, dict) and _holds_cards(k, v)}
    own = {key: value for key, value in tables.items() if key not in inner}
    if own and path:
        yield f"\n[{path}]"
    for key, value in own.items():
        yield f"{_toml_key(key)} = {toml_value(value)}"
    for key, value in inner.items():
        yield from _toml_lines(value, join_path(path, _toml_key(key)))


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
