"""Packs: the values of cards and board as a person writes them, read, changed and compared.

A game is played with the default pack or with a pack of one's own. The values that differ
travel inside the options (`Options.pack`, one line of JSON), so that a stored game replays
on any machine.
"""

import hashlib
import json
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

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
    Board,
)
from powderkeg.games.versailles.cards.pack import (
    Choice,
    Condition,
    Event,
    Issue,
    Pack,
    Strategy,
    Sure,
)
from powderkeg.games.versailles.events import operations

FILES = ("board", "issues", "events", "strategies")
BOX = {"issues": 53, "events": 46, "strategies": 10}  # what the box holds
CERTAINTIES = ("certain", "probable", "reconstructed")
CONDITIONS = (
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


@cache
def default_pack() -> Pack:
    folder = files("powderkeg.games.versailles") / "data"
    texts = [(folder / f"{name}.toml").read_text(encoding="utf-8") for name in FILES]
    return load_pack("\n".join(texts))


@cache
def pack_of(changes: str) -> Pack:
    """The pack that `Options.pack` names: the default one with some values changed."""
    if not changes:
        return default_pack()
    return amended(default_pack(), _json(changes))


def load_pack(source: str | Mapping[str, Any]) -> Pack:
    """The pack written in `source`, TOML or what TOML would give. Refuses what cannot be played."""
    raw = _toml(source) if isinstance(source, str) else dict(source)
    for part, count in BOX.items():
        if (got := len(_table(raw, part, ""))) != count:
            raise Unreadable("versailles.pack_count", part=part, n=count, got=got)
    if "board" not in raw or GAME_END not in raw["issues"]:
        raise Unreadable("versailles.pack_incomplete", where="board")
    return Pack(
        name=str(raw.get("name", "")),
        digest=_digest(raw),
        issues={id_: _issue(id_, _table(raw["issues"], id_, "issues")) for id_ in raw["issues"]},
        events={id_: _event(id_, _table(raw["events"], id_, "events")) for id_ in raw["events"]},
        strategies={
            id_: _strategy(id_, _table(raw["strategies"], id_, "strategies"))
            for id_ in raw["strategies"]
        },
        board=_board(_table(raw, "board", "")),
        raw=raw,
    )


def amended(pack: Pack, changes: Mapping[str, Any]) -> Pack:
    """`pack` with values changed: ``{"issues.rheinland.stars": 5}``; `name` names the result."""
    raw: dict[str, Any] = json.loads(json.dumps(pack.raw))
    for path, value in changes.items():
        folder, last = _folder(raw, path)
        if last not in folder and path != "name" and ".certainty." not in path:
            raise Unreadable("versailles.pack_unknown", where=path, got=str(value))
        folder[last] = value
    return load_pack(raw)


def _folder(raw: dict[str, Any], path: str) -> tuple[dict[str, Any], str]:
    """The table that holds the value at `path`, and the value's own name."""
    *folders, last = path.split(".")
    place: Any = raw
    for folder in folders:
        place = place.get(folder) if isinstance(place, dict) else None
    if not isinstance(place, dict):
        raise Unreadable("versailles.pack_unknown", where=path, got=last)
    return place, last


def changes(base: Pack, other: Pack) -> str:
    """What differs, as `Options.pack` holds it: one line, the same for the same difference."""
    found = dict(_differences(base.raw, other.raw, ""))
    return json.dumps(found, sort_keys=True, separators=(",", ":")) if found else ""


def _differences(base: Any, other: Any, path: str) -> Iterable[tuple[str, Any]]:
    if isinstance(base, dict) and isinstance(other, dict) and not _is_value(path):
        for key in sorted(other):
            yield from _differences(base.get(key), other[key], f"{path}.{key}" if path else key)
    elif base != other:
        yield path, other


def _is_value(path: str) -> bool:
    """Whether a table is one value to us: the happiness of an option, not its certainty."""
    return path.rpartition(".")[2] in ("happiness", "unrest") and ".options." in path


def _toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Unreadable("versailles.pack_unreadable", why=str(error)) from None


def _json(text: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except ValueError as error:
        raise Unreadable("versailles.pack_unreadable", why=str(error)) from None
    if not isinstance(data, dict):
        raise Unreadable("versailles.pack_unreadable", why=text[:40])
    return data


def _digest(raw: Mapping[str, Any]) -> str:
    """A fingerprint of the values that matter in play; certainties and the name do not."""

    def bare(data: Any) -> Any:
        if isinstance(data, dict):
            return {key: bare(value) for key, value in data.items() if key != "certainty"}
        return data

    values = {part: bare(raw[part]) for part in FILES if part in raw}
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:16]


# One reader a noun. `where` names the place at fault for whoever edits the file.


def _table(data: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    """The table at `key`; an empty one if there is none."""
    value = data.get(key, {})
    if not isinstance(value, dict):
        raise _incomplete(where, key)
    return value


def _list(data: Mapping[str, Any], key: str, where: str) -> list[Any]:
    value = data.get(key, [])
    if not isinstance(value, list):
        raise _incomplete(where, key)
    return value


def _ints(data: Mapping[str, Any], key: str, where: str, count: int = 0) -> tuple[int, ...]:
    """The whole numbers at `key`, so many if `count` is given."""
    value = _list(data, key, where)
    if any(type(n) is not int for n in value):
        raise Unreadable("versailles.pack_number", where=f"{where}.{key}", got=str(value))
    if count and len(value) != count:
        raise _incomplete(where, key)
    return tuple(value)


def _incomplete(where: str, key: str) -> Unreadable:
    return Unreadable("versailles.pack_incomplete", where=f"{where}.{key}".strip("."))


def _index(names: tuple[str, ...], name: object, where: str) -> int:
    if name not in names:
        raise Unreadable("versailles.pack_unknown", where=where, got=str(name))
    return names.index(name)


def _sure(data: Mapping[str, Any], where: str) -> Sure:
    sure = {key: str(value) for key, value in _table(data, "certainty", where).items()}
    for key, value in sure.items():
        _index(CERTAINTIES, value, f"{where}.certainty.{key}")
    return MappingProxyType(sure)


def _issue(id_: str, data: Mapping[str, Any]) -> Issue:
    where = f"issues.{id_}"
    listed = _table(data, "options", where)
    options = [
        _choice(name, _table(listed, name, f"{where}.options"), f"{where}.options.{name}")
        for name in listed
    ]
    if not options and id_ != GAME_END:
        raise Unreadable("versailles.pack_incomplete", where=where)
    return Issue(
        id_,
        _int(data, "number", where),
        _index(CATEGORIES, data.get("region"), f"{where}.region"),
        _int(data, "stars", where),
        bool(data.get("no_military")),
        tuple(options),
        _sure(data, where),
    )


def _choice(id_: str, data: Mapping[str, Any], where: str) -> Choice:
    counters = tuple(_list(data, "counters", where))
    for counter in counters:
        _index((*COUNTERS, NAVAL), counter, f"{where}.counters")
    return Choice(
        id_,
        _changes_by(NATIONS, _table(data, "happiness", where), f"{where}.happiness"),
        _changes_by(REGIONS, _table(data, "unrest", where), f"{where}.unrest"),
        counters,
        _sure(data, where),
    )


def _changes_by(
    names: tuple[str, ...], data: Mapping[str, int], where: str
) -> tuple[tuple[int, int], ...]:
    return tuple(sorted((_index(names, name, where), _int(data, name, where)) for name in data))


def _int(data: Mapping[str, Any], key: str, where: str) -> int:
    value = data.get(key)
    if type(value) is not int:
        raise Unreadable("versailles.pack_number", where=f"{where}.{key}", got=str(value))
    return value


def _event(id_: str, data: Mapping[str, Any]) -> Event:
    where = f"events.{id_}"
    return Event(
        id_,
        _int(data, "number", where),
        str(data.get("title", "")),
        bool(data.get("cube")),
        operations.read(data.get("crisis"), f"{where}.crisis"),
        bool(data.get("optional")),
        operations.read(data.get("conference"), f"{where}.conference"),
        _sure(data, where),
    )


def _strategy(id_: str, data: Mapping[str, Any]) -> Strategy:
    where = f"strategies.{id_}"
    listed = _table(data, "conditions", where)
    conditions = [
        _condition(_table(listed, n, f"{where}.conditions"), f"{where}.conditions.{n}")
        for n in sorted(listed)
    ]
    return Strategy(id_, _int(data, "number", where), tuple(conditions), _sure(data, where))


def _condition(data: Mapping[str, Any], where: str) -> Condition:
    counts = CONDITIONS[_index(CONDITIONS, data.get("counts"), f"{where}.counts")]
    return Condition(counts, _int(data, "points", where), _sure(data, where))


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


def _board(data: Mapping[str, Any]) -> Board:
    where = "board"
    columns, track = _table(data, "columns", where), _table(data, "demobilise", where)
    number = {name: _int(data, name, where) for name in NUMBERS}
    if not 0 < number["happiness"] <= number["most_happiness"] or number["cubes"] < 0:
        raise _incomplete(where, "happiness")
    return Board(
        **number,
        happiness_by_length={
            length: _int(data, f"happiness_length_{length}", where) for length in (10, 5)
        },
        dive_costs=_ints(data, "dive_costs", where),
        rank_points=_rank_points(_table(data, "rank_points", where)),
        random_region=_random_region(_list(data, "random_region", where)),
        uprising=(0, *_ints(columns, "uprising", "board.columns", len(COLUMNS))),
        cubes_back=_by_post(columns, "cubes"),
        unhappy=_by_post(columns, "unhappy"),
        modifies=_ints(columns, "modifies", "board.columns"),
        units_allowed=_allowed(_table(data, "units_allowed", where), number["most_happiness"]),
        spaces=_ints(track, "spaces", "board.demobilise"),
        grey=_ints(track, "grey", "board.demobilise"),
        last_space=_int(track, "last", "board.demobilise"),
    )


def _rank_points(data: Mapping[str, Any]) -> dict[int, tuple[int, ...]]:
    """Points for each place, for each number of players."""
    return {n: _ints(data, str(n), "board.rank_points", n) for n in (2, 3, 4)}


def _random_region(names: list[Any]) -> tuple[int, ...]:
    where = "board.random_region"
    if len(names) != SIDES:
        raise _incomplete("board", "random_region")
    return tuple(_index(REGIONS, name, where) if name else NOBODY for name in names)


def _by_post(columns: Mapping[str, Any], key: str) -> dict[int, int]:
    """A number for each column where units stand."""
    table = _table(columns, key, "board.columns")
    return {column: _int(table, str(column), f"board.columns.{key}") for column in POSTS}


def _allowed(zones: Mapping[str, Any], most: int) -> tuple[int, ...]:
    """Units a nation may field at each happiness, from the lowest box of each zone."""
    where = "board.units_allowed"
    if "0" not in zones or not all(lowest.isdecimal() for lowest in zones):
        raise _incomplete("board", "units_allowed")
    starts = sorted((int(lowest), _int(zones, lowest, where)) for lowest in zones)
    return tuple(
        max(start for start in starts if start[0] <= happiness)[1] for happiness in range(most + 1)
    )
