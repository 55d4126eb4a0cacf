"""Packs: the values of cards and board as a person writes them, read, changed and compared.

A game is played with the default pack or with your own pack. The values that differ
travel inside the options (`Options.pack`, one line of JSON), so that a stored game replays
on any machine.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, TypeGuard

from powderkeg.core.cards import CERTAINTIES, CERTAINTY_KEY, certainty_of
from powderkeg.core.cards.packs import LONGEST_NAME, REMOVED_KEY, parse_changes, parse_toml
from powderkeg.core.errors import Unreadable
from powderkeg.games.versailles.board import (
    CATEGORIES,
    COLUMNS,
    COUNTERS,
    GAME_END,
    NATIONS,
    NAVAL,
    NOBODY,
    POSTS,
    REGIONS,
)
from powderkeg.games.versailles.cards.pack import (
    CardPack,
    Certainties,
    Condition,
    EventCard,
    IssueCard,
    IssueOption,
    PrintedBoard,
    StrategyCard,
)
from powderkeg.games.versailles.events import operations

FILES = ("board", "issues", "events", "strategies")
BOX = {"issues": 53, "events": 46, "strategies": 10}  # cards in the box
CONDITION_KINDS = (
    "self_determination",
    "german_containment",
    "german_reparations",
    "industrial_growth",
    "bolshevik_containment",
    "naval",
    "empire",
    "regions_held",
    "league_held",
    "reparations_held",
    "unrest_high",
    "unrest_low",
    "signs",
    "refuses",
    "units",
    "double_happiness",
)

SIDES = 6  # of the die
LARGEST_NUMBER = 100  # on the cards and the board of a new pack
LARGEST_STORED = 1000  # in games of version 1, whose packs had no limit
MOST_OPTIONS = 8  # of one issue
FLAGS = ("no_military", "cube", "optional")
PACK_KEYS = (CERTAINTY_KEY, "name", "removed")  # words of the pack itself, so no option's id
OPTION_ID = re.compile("[a-z][a-z0-9_]{0,39}")  # as actions and deals write it


@cache
def default_pack() -> CardPack:
    folder = files("powderkeg.games.versailles") / "data"
    texts = [(folder / f"{name}.toml").read_text(encoding="utf-8") for name in FILES]
    return load_pack("\n".join(texts))


@lru_cache(256)  # a text is loaded once; packs come and go on a server
def pack_of(changes: str) -> CardPack:
    """The pack that `Options.pack` names: the default one with some values changed."""
    if not changes:
        return default_pack()
    return amend_pack(default_pack(), parse_changes(changes))


def load_pack(source: str | Mapping[str, Any]) -> CardPack:
    """The pack written in `source`, as TOML or as parsed TOML. Refuses packs that cannot be played."""
    raw = parse_toml(source) if isinstance(source, str) else dict(source)
    for part, count in BOX.items():
        if (got := len(_table_at(raw, part, ""))) != count:
            raise Unreadable("versailles.pack_count", part=part, n=count, got=got)
    if "board" not in raw or GAME_END not in raw["issues"]:
        raise Unreadable("versailles.pack_incomplete", where="board")
    board = _table_at(raw, "board", "")
    return CardPack(
        name="".join(filter(str.isprintable, str(raw.get("name", ""))))[:LONGEST_NAME],
        digest=_pack_digest(raw),
        issues={
            id_: _read_issue(id_, _table_at(raw["issues"], id_, "issues")) for id_ in raw["issues"]
        },
        events={
            id_: _read_event(id_, _table_at(raw["events"], id_, "events")) for id_ in raw["events"]
        },
        strategies={
            id_: _read_strategy(id_, _table_at(raw["strategies"], id_, "strategies"))
            for id_ in raw["strategies"]
        },
        board=_read_board(board),
        board_sure=_board_certainties(board),
        raw=raw,
    )


def check_new_pack(pack: CardPack) -> None:
    """Refuse values that only packs of stored games may have."""
    for path, value in _raw_values(pack.raw, ""):
        if path.rpartition(".")[2] in FLAGS:
            if type(value) is not bool:
                raise Unreadable("versailles.pack_flag", where=path, got=str(value)[:80])
        elif isinstance(value, int) and abs(value) > LARGEST_NUMBER:
            raise Unreadable("versailles.pack_number", where=path, got=str(value)[:80])


def _raw_values(data: Any, path: str) -> Iterable[tuple[str, Any]]:
    if isinstance(data, dict):
        for key, value in data.items():
            if key != CERTAINTY_KEY:
                yield from _raw_values(value, f"{path}.{key}".strip("."))
    elif isinstance(data, list):
        for value in data:
            yield from _raw_values(value, path)
    else:
        yield path, data


def amend_pack(pack: CardPack, changes: Mapping[str, Any]) -> CardPack:
    """`pack` with values changed: ``{"issues.rheinland.stars": 5}``; `name` names the result.

    A table written at ``issues.fiume.options.plebiscite`` adds an option; a `removed` in an option
    takes it away.
    """
    raw: dict[str, Any] = json.loads(json.dumps(pack.raw))
    for path, value in changes.items():
        _put_change(raw, path, value)
    return load_pack(raw)


def _put_change(raw: dict[str, Any], path: str, value: Any) -> None:
    if path.endswith(f".{REMOVED_KEY}") and _is_option(path.split(".")[:-1]):
        folder, last = _parent_table(raw, path.rpartition(".")[0])
        folder.pop(last, None)
        return
    folder, last = _parent_table(raw, path)
    if last not in folder and not _may_be_new(path, value):
        raise Unreadable("versailles.pack_unknown", where=path, got=str(value))
    folder[last] = value


def _may_be_new(path: str, value: Any) -> bool:
    """Whether a place that the shipped pack does not have may be filled: names, certainties and
    options."""
    parts = path.split(".")
    if path == "name" or CERTAINTY_KEY in parts:
        return True
    if parts[-1] == "name":
        return _is_option(parts[:-1]) or (parts[0] in BOX and len(parts) == 3)
    return _is_option(parts) and isinstance(value, dict)


def _is_option(parts: list[str]) -> bool:
    return len(parts) == 4 and parts[0] == "issues" and parts[2] == "options"


def _parent_table(raw: dict[str, Any], path: str) -> tuple[dict[str, Any], str]:
    """The table that holds the value at `path`, and the value's own name."""
    *folders, last = path.split(".")
    place: Any = raw
    for folder in folders:
        if folder == CERTAINTY_KEY and isinstance(place, dict):
            place.setdefault(folder, {})
        place = place.get(folder) if isinstance(place, dict) else None
    if not isinstance(place, dict):
        raise Unreadable("versailles.pack_unknown", where=path, got=last)
    return place, last


def pack_changes(base: CardPack, other: CardPack) -> str:
    """The differences as `Options.pack` holds them: one line, equal for equal differences."""
    found = dict(_list_differences(base.raw, other.raw, ""))
    return json.dumps(found, sort_keys=True, separators=(",", ":")) if found else ""


def _list_differences(base: Any, other: Any, path: str) -> Iterable[tuple[str, Any]]:
    if isinstance(base, dict) and isinstance(other, dict) and not _is_value(path):
        for key in sorted(other):
            yield from _list_differences(
                base.get(key), other[key], f"{path}.{key}" if path else key
            )
        for key in sorted(base.keys() - other.keys()):
            if _is_option([*path.split("."), key]):
                yield f"{path}.{key}.{REMOVED_KEY}", True
    elif base != other:
        yield path, other


def _is_value(path: str) -> bool:
    """Whether a table counts as one value: the happiness of an option, not its certainty."""
    return path.rpartition(".")[2] in ("happiness", "unrest") and ".options." in path


def _pack_digest(raw: Mapping[str, Any]) -> str:
    """A fingerprint of the values that matter in play; certainties and names do not."""

    def bare(data: Any) -> Any:
        if isinstance(data, dict):
            kept = {key: data[key] for key in data if key not in (CERTAINTY_KEY, "name")}
            return {key: bare(value) for key, value in kept.items()}
        return data

    values = {part: bare(raw[part]) for part in FILES if part in raw}
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:16]


# One reader per noun. `where` names the faulty place for the person who edits the file.


def _table_at(data: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    """The table at `key`; an empty one if there is none."""
    value = data.get(key, {})
    if not isinstance(value, dict):
        raise _incomplete_pack(where, key)
    return value


def _list_at(data: Mapping[str, Any], key: str, where: str) -> list[Any]:
    value = data.get(key, [])
    if not isinstance(value, list):
        raise _incomplete_pack(where, key)
    return value


def _ints_at(data: Mapping[str, Any], key: str, where: str, count: int = 0) -> tuple[int, ...]:
    """The whole numbers at `key`, so many if `count` is given."""
    value = _list_at(data, key, where)
    if not all(map(_is_small, value)):
        raise Unreadable("versailles.pack_number", where=f"{where}.{key}", got=str(value)[:80])
    if count and len(value) != count:
        raise _incomplete_pack(where, key)
    return tuple(value)


def _incomplete_pack(where: str, key: str) -> Unreadable:
    return Unreadable("versailles.pack_incomplete", where=f"{where}.{key}".strip("."))


def _known_index(names: tuple[str, ...], name: object, where: str) -> int:
    if name not in names:
        raise Unreadable("versailles.pack_unknown", where=where, got=str(name))
    return names.index(name)


def _read_certainties(data: Mapping[str, Any], where: str) -> Certainties:
    sure = {key: str(value) for key, value in _table_at(data, "certainty", where).items()}
    for key, value in sure.items():
        _known_index(CERTAINTIES, value, f"{where}.certainty.{key}")
    return MappingProxyType(sure)


def _name_at(data: Mapping[str, Any], where: str) -> str:
    """The name that a pack gives a card or an option; empty where it gives none."""
    name = data.get("name", "")
    if not isinstance(name, str) or len(name) > LONGEST_NAME or not name.isprintable():
        raise Unreadable("versailles.pack_name", where=f"{where}.name", most=LONGEST_NAME)
    return name.strip()


def _read_issue(id_: str, data: Mapping[str, Any]) -> IssueCard:
    where = f"issues.{id_}"
    listed = _table_at(data, "options", where)
    if len(listed) > MOST_OPTIONS:
        raise Unreadable("versailles.pack_many_options", where=where, most=MOST_OPTIONS)
    options = [
        _read_option(name, _table_at(listed, name, f"{where}.options"), f"{where}.options.{name}")
        for name in listed
    ]
    if bool(options) == (id_ == GAME_END):
        raise Unreadable("versailles.pack_options", where=where)
    return IssueCard(
        id_,
        _int_at(data, "number", where),
        _known_index(CATEGORIES, data.get("region"), f"{where}.region"),
        _int_at(data, "stars", where),
        bool(data.get("no_military")),
        tuple(options),
        _read_certainties(data, where),
        _name_at(data, where),
    )


def _read_option(id_: str, data: Mapping[str, Any], where: str) -> IssueOption:
    if not OPTION_ID.fullmatch(id_) or id_ in PACK_KEYS:
        raise Unreadable("versailles.pack_option_id", where=where, got=id_)
    counters = tuple(_list_at(data, "counters", where))
    for counter in counters:
        _known_index((*COUNTERS, NAVAL), counter, f"{where}.counters")
    return IssueOption(
        id_,
        _changes_by(NATIONS, _table_at(data, "happiness", where), f"{where}.happiness"),
        _changes_by(REGIONS, _table_at(data, "unrest", where), f"{where}.unrest"),
        counters,
        _read_certainties(data, where),
        _name_at(data, where),
    )


def _changes_by(
    names: tuple[str, ...], data: Mapping[str, int], where: str
) -> tuple[tuple[int, int], ...]:
    return tuple(
        sorted((_known_index(names, name, where), _int_at(data, name, where)) for name in data)
    )


def _int_at(data: Mapping[str, Any], key: str, where: str) -> int:
    value = data.get(key)
    if not _is_small(value):
        raise Unreadable("versailles.pack_number", where=f"{where}.{key}", got=str(value)[:80])
    return value


def _is_small(value: object) -> TypeGuard[int]:
    """Whether a value is a whole number that costs a server no more than another pack does."""
    return type(value) is int and abs(value) <= LARGEST_STORED


def _read_event(id_: str, data: Mapping[str, Any]) -> EventCard:
    where = f"events.{id_}"
    return EventCard(
        id_,
        _int_at(data, "number", where),
        str(data.get("title", "")),
        bool(data.get("cube")),
        operations.parse_effects(data.get("crisis"), f"{where}.crisis"),
        bool(data.get("optional")),
        operations.parse_effects(data.get("conference"), f"{where}.conference"),
        _read_certainties(data, where),
        _name_at(data, where),
    )


def _read_strategy(id_: str, data: Mapping[str, Any]) -> StrategyCard:
    where = f"strategies.{id_}"
    listed = _table_at(data, "conditions", where)
    conditions = [
        _read_condition(_table_at(listed, n, f"{where}.conditions"), f"{where}.conditions.{n}")
        for n in sorted(listed)
    ]
    return StrategyCard(
        id_,
        _int_at(data, "number", where),
        tuple(conditions),
        _read_certainties(data, where),
        _name_at(data, where),
    )


def _read_condition(data: Mapping[str, Any], where: str) -> Condition:
    counts = CONDITION_KINDS[_known_index(CONDITION_KINDS, data.get("counts"), f"{where}.counts")]
    return Condition(counts, _int_at(data, "points", where), _read_certainties(data, where))


NUMBERS = (
    "happiness",
    "most_happiness",
    "signs_at",
    "mutiny_gain",
    "cubes",
    "units",
    "reclaim",
    "most_exchanged",
    "zero_points",
)


def _read_board(data: Mapping[str, Any]) -> PrintedBoard:
    where = "board"
    columns, track = _table_at(data, "columns", where), _table_at(data, "demobilise", where)
    number = {name: _int_at(data, name, where) for name in NUMBERS}
    least = min(number[name] for name in ("cubes", "units", "reclaim", "most_exchanged"))
    if not 0 < number["happiness"] <= number["most_happiness"] or least < 0:
        raise _incomplete_pack(where, "happiness")
    return PrintedBoard(
        **number,
        happiness_by_length={
            length: _int_at(data, f"happiness_length_{length}", where) for length in (10, 5)
        },
        dive_costs=_ints_at(data, "dive_costs", where),
        rank_points=_rank_points(_table_at(data, "rank_points", where)),
        random_region=_random_region(_list_at(data, "random_region", where)),
        uprising=(0, *_ints_at(columns, "uprising", "board.columns", len(COLUMNS))),
        cubes_back=_by_post(columns, "cubes"),
        unhappy=_by_post(columns, "unhappy"),
        modifies=_ints_at(columns, "modifies", "board.columns"),
        units_allowed=_units_allowed(
            _table_at(data, "units_allowed", where), number["most_happiness"]
        ),
        spaces=_ints_at(track, "spaces", "board.demobilise"),
        grey=_ints_at(track, "grey", "board.demobilise"),
        last_space=_int_at(track, "last", "board.demobilise"),
    )


def _board_certainties(data: Mapping[str, Any]) -> Certainties:
    """How certain the numbers of the board are, by path; a zone of units allowed that is noted by
    itself counts more than the note for all zones."""
    found = dict(_read_certainties(data, "board"))
    for part in ("columns", "demobilise"):
        noted = _read_certainties(_table_at(data, part, "board"), f"board.{part}")
        found |= {f"{part}.{key}": sure for key, sure in noted.items()}
    zones = _table_at(data, "units_allowed", "board")
    _read_certainties(zones, "board.units_allowed")
    every = found.get("units_allowed", "")
    sures = [certainty_of(zones, zone) or every for zone in zones if zone != CERTAINTY_KEY]
    found["units_allowed"] = max(sures, key=lambda sure: CERTAINTIES.index(sure or "certain"))
    return MappingProxyType(found)


def _rank_points(data: Mapping[str, Any]) -> dict[int, tuple[int, ...]]:
    """Points for each place, for each number of players."""
    return {n: _ints_at(data, str(n), "board.rank_points", n) for n in (2, 3, 4)}


def _random_region(names: list[Any]) -> tuple[int, ...]:
    where = "board.random_region"
    if len(names) != SIDES:
        raise _incomplete_pack("board", "random_region")
    return tuple(_known_index(REGIONS, name, where) if name else NOBODY for name in names)


def _by_post(columns: Mapping[str, Any], key: str) -> dict[int, int]:
    """A number for each column where units stand."""
    table = _table_at(columns, key, "board.columns")
    return {column: _int_at(table, str(column), f"board.columns.{key}") for column in POSTS}


def _units_allowed(zones: Mapping[str, Any], most: int) -> tuple[int, ...]:
    """Units a nation may field at each happiness, from the lowest box of each zone."""
    where = "board.units_allowed"
    zones = {lowest: zones[lowest] for lowest in zones if lowest != CERTAINTY_KEY}
    if "0" not in zones or not all(lowest.isdecimal() for lowest in zones):
        raise _incomplete_pack("board", "units_allowed")
    starts = sorted((int(lowest), _int_at(zones, lowest, where)) for lowest in zones)
    return tuple(
        max(start for start in starts if start[0] <= happiness)[1] for happiness in range(most + 1)
    )
