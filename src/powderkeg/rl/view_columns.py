"""A view as numbers: fixed columns, each with a name, all between -1 and 1.

For any game the columns are gathered from some seeded random games: every number, word and list
of its views becomes columns named by their path (``territories/england/owner=blue``). What was
not seen then has no column; `unseen` counts it. For our games the columns are kept in a file, so
that they stay the same; Diplomacy has columns written by hand.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from powderkeg.core.chance import Seeded
from powderkeg.core.game import Game, Options, View
from powderkeg.core.table import Table
from powderkeg.games import find_game
from powderkeg.rl.random_play import random_decisions

FloatVector = NDArray[np.float32]


class Encoder(Protocol):
    """Turns a view into a vector."""

    @property
    def names(self) -> Sequence[str]:
        """What each column means."""

    def encode(self, view: View) -> FloatVector: ...


@dataclass(frozen=True)
class Columns:
    """Columns gathered from views: a path, and the largest number seen there.

    What never changes says nothing: it has scale 0 and no column.
    """

    seen: dict[str, float]
    skip: frozenset[str] = frozenset()

    @cached_property
    def scales(self) -> dict[str, float]:
        return {path: scale for path, scale in self.seen.items() if scale}

    @cached_property
    def names(self) -> tuple[str, ...]:
        return (*self.scales, "unseen")

    @cached_property
    def places(self) -> dict[str, tuple[int, float]]:
        return {name: (i, scale) for i, (name, scale) in enumerate(self.scales.items())}

    def encode(self, view: View) -> FloatVector:
        vector = np.zeros(len(self.names), np.float32)
        at: list[int] = []
        numbers: list[float] = []
        unseen = 0
        for path, number in view_leaves(view, self.skip):
            place = self.places.get(path)
            if place is None:
                unseen += path not in self.seen
            else:
                at.append(place[0])
                numbers.append(number / place[1])
        vector[at] = numbers
        vector[-1] = unseen / (1 + unseen)
        return np.clip(vector, -1.0, 1.0, out=vector)


ViewLeaves: TypeAlias = list[tuple[str, float]]


def view_leaves(view: View, skip: frozenset[str] = frozenset()) -> ViewLeaves:
    """Everything a view says, as paths and numbers; the parts named in `skip` are left out.

    >>> view_leaves({"coins": 3, "king": True, "owner": "blue", "hand": ["tax", "spend"]})
    [('coins', 3.0), ('king', 1.0), ('owner=blue', 1.0), ('hand=tax', 1.0), ('hand=spend', 1.0)]
    >>> view_leaves({"issues": [{"id": "silesia", "cubes": [1, 2]}]})
    [('issues=silesia', 1.0), ('issues=silesia/cubes/0', 1.0), ('issues=silesia/cubes/1', 2.0)]
    """
    found: ViewLeaves = []
    for key, item in view.items():
        if key not in skip:
            _gather_leaves(item, key, found)
    return found


def _gather_leaves(value: Any, path: str, found: ViewLeaves) -> None:
    kind = type(value)
    if kind is dict:
        for key, item in value.items():
            _gather_leaves(item, f"{path}/{key}", found)
    elif kind is list:
        _gather_list(value, path, found)
    elif kind is str:
        found.append((f"{path}={value}", 1.0))
    elif value is not None:
        found.append((path, float(value)))


def _gather_list(items: list[Any], path: str, found: ViewLeaves) -> None:
    """Words are a set; things with a name go by it; the rest goes by position."""
    for position, item in enumerate(items):
        if type(item) is str:
            found.append((f"{path}={item}", 1.0))
        elif type(item) is dict and (key := _name_key(item)) is not None:
            found.append((f"{path}={item[key]}", 1.0))
            rest = {k: v for k, v in item.items() if k != key}
            _gather_leaves(rest, f"{path}={item[key]}", found)
        else:
            _gather_leaves(item, f"{path}/{position}", found)


def _name_key(item: dict[str, Any]) -> str | None:
    """The first field of a thing that is a word: its name."""
    return next((key for key, value in item.items() if type(value) is str), None)


def gather_columns(
    game: Game, players: Iterable[int], options: Options, games: int = 6, every: int = 5
) -> Columns:
    """Columns from the views of all seats in some random games. The same for the same rules."""
    skip, seen, views = SKIPPED_PARTS.get(game.name, frozenset()), dict[str, list[float]](), 0
    for view in _random_views(game, players, options, games, every):
        views += 1
        for path, number in view_leaves(view, skip):
            seen.setdefault(path, []).append(number)
    found: dict[str, float] = {}
    for path, numbers in sorted(seen.items()):
        changes = len(numbers) < views or min(numbers) < max(numbers)
        found[path] = max(1.0, *map(abs, numbers)) if changes else 0.0
    return Columns(found, skip)


def _random_views(
    game: Game, players: Iterable[int], options: Options, games: int, every: int
) -> Iterator[View]:
    """Views of random games: of the acting seat every few entries, of all seats at the end."""
    for count, number in product(players, range(games)):
        rng = random.Random(f"columns/{count}/{number}")
        table = Table(game, count, options, source=Seeded(rng))
        for seat in random_decisions(table, rng, 1500):
            if len(table.log) % every == 0:
                yield table.view(seat)
        yield from map(table.view, table.seats)


def stored_columns(name: str) -> Columns:
    """Columns gathered once and kept, so that they stay the same: one line per column, with path and scale."""
    text = (files(__package__) / "columns" / f"{name}.txt").read_text(encoding="utf-8")
    pairs = (line.rpartition(" ") for line in text.splitlines())
    return Columns(
        {path: float(scale) for path, _, scale in pairs}, SKIPPED_PARTS.get(name, frozenset())
    )


def store_columns(name: str, games: int = 25) -> None:
    """Gather the columns of a game again (its views have changed): raise its version first.

    ``python -c "from powderkeg.rl.view_columns import store_columns; store_columns('risk_europe')"``
    """
    game = find_game(name)
    found = gather_columns(game, [n for n in game.players if n > 1], game.Options(), games)
    lines = [f"{path} {scale:g}\n" for path, scale in found.seen.items()]
    path = Path(__file__).parent / "columns" / f"{name}.txt"
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(lines), encoding="utf-8")


# What views hold for other purposes: the texts of cards and how certain they are, the strengths of
# forces, a form from which a world is dealt, and a name for every moment of a game.
SKIPPED_PARTS = {
    "risk_europe": frozenset({"odds", "state"}),
    "versailles": frozenset({"cards", "certainty", "phase", "state", "strengths"}),
}
