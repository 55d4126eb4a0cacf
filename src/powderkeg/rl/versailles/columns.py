"""What a seat sees of Versailles 1919, as columns between 0 and 1, written by hand.

`encode_treaty_view` is the readable version, made from a view; the compiled one in
`rl.versailles.columns_kernel` writes the same numbers. Deals have no columns.
"""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from powderkeg.core.game import View
from powderkeg.games.versailles.board import NATIONS, POSTS, REGIONS
from powderkeg.games.versailles.fast.layout import (
    EVENT_IDS,
    ISSUE_IDS,
    PENDING_NAMES,
    STRATEGY_IDS,
)

MOST_HAPPY, MOST_CUBES, MOST_FIELDED, MOST_TURNS = 30, 15, 3, 80  # what counts as 1
SIDES: Final = NATIONS[:4]  # Japan has no cubes, units or issues

NATION_COLUMNS: Final = (
    "me", "active", "deciding", "happiness", "available", "exhausted", "units available",
    "units exhausted", "units mutinied", *(f"strategy {card}" for card in STRATEGY_IDS),
)  # fmt: skip
REGION_COLUMNS: Final = (
    "unrest",
    "keg",
    *(f"{column} {nation}" for column in POSTS for nation in SIDES),
)
ISSUE_COLUMNS: Final = (
    "table", "waiting", "pile", "drawn", "unsettled", *(f"cubes {nation}" for nation in SIDES),
    *(f"owner {nation}" for nation in SIDES), "first option", "second option", "further option",
)  # fmt: skip
EVENT_COLUMNS: Final = ("table", "waiting", "past")
OTHER_COLUMNS: Final = (
    *(f"dealt {card}" for card in STRATEGY_IDS),
    *(f"step {name}" for name in PENDING_NAMES),
    *(f"cube of {nation}" for nation in SIDES),
    *(f"best bid of {nation}" for nation in SIDES),
    "best bid strength",
    "best bid cubes",
    "political done",
    "military done",
    "turn",
    "deck",
    "game end drawn",
    "spaces taken",
)
NATION_WIDTH, REGION_WIDTH, ISSUE_WIDTH, EVENT_WIDTH = map(
    len, (NATION_COLUMNS, REGION_COLUMNS, ISSUE_COLUMNS, EVENT_COLUMNS)
)
REGION_START: Final = NATION_WIDTH * len(NATIONS)
ISSUE_START: Final = REGION_START + REGION_WIDTH * len(REGIONS)
EVENT_START: Final = ISSUE_START + ISSUE_WIDTH * len(ISSUE_IDS)
OTHER_START: Final = EVENT_START + EVENT_WIDTH * len(EVENT_IDS)
TREATY_VIEW_SIZE: Final = OTHER_START + len(OTHER_COLUMNS)
TREATY_COLUMNS: Final = (
    *(f"{nation}: {column}" for nation in NATIONS for column in NATION_COLUMNS),
    *(f"{region}: {column}" for region in REGIONS for column in REGION_COLUMNS),
    *(f"{issue}: {column}" for issue in ISSUE_IDS for column in ISSUE_COLUMNS),
    *(f"{event}: {column}" for event in EVENT_IDS for column in EVENT_COLUMNS),
    *OTHER_COLUMNS,
)
_PLACE_OF: Final = {name: number for number, name in enumerate(TREATY_COLUMNS)}


def encode_treaty_view(view: View) -> NDArray[np.float32]:
    """The columns of a view of `games.versailles`."""
    row = np.zeros(TREATY_VIEW_SIZE, np.float32)
    for parts in (_nation_cells, _region_cells, _issue_cells, _event_cells, _other_cells):
        for name, value in parts(view):
            row[_PLACE_OF[name]] = value
    return np.minimum(row, 1)


def _nation_cells(view: View) -> Iterator[tuple[str, float]]:
    for name, nation in view["nations"].items():
        yield f"{name}: me", view["nation"] == name
        yield f"{name}: active", view["active"] == name
        yield f"{name}: deciding", view["deciding"] == name
        yield f"{name}: happiness", (nation["happiness"] or 0) / MOST_HAPPY
        yield f"{name}: available", nation["available"] / MOST_CUBES
        yield f"{name}: exhausted", nation["exhausted"] / MOST_CUBES
        yield f"{name}: units available", nation["units_available"] / MOST_FIELDED
        yield f"{name}: units exhausted", nation["units_exhausted"] / MOST_FIELDED
        yield f"{name}: units mutinied", nation["units_mutinied"] / MOST_FIELDED
        if nation["strategy"]:
            yield f"{name}: strategy {nation['strategy']}", 1


def _region_cells(view: View) -> Iterator[tuple[str, float]]:
    for name, region in view["regions"].items():
        yield f"{name}: unrest", region["unrest"] / 8
        yield f"{name}: keg", region["keg"] / 3
        for column, nation in region["units"].items():
            yield f"{name}: {column} {nation}", 1


def _issue_cells(view: View) -> Iterator[tuple[str, float]]:
    for place in ("table", "waiting"):
        for open_ in view[place]:
            yield f"{open_['issue']}: {place}", 1
            for nation, n in open_["cubes"].items():
                yield f"{open_['issue']}: cubes {nation}", n / MOST_CUBES
    for place in ("pile", "drawn"):
        for issue in view[place]:
            yield f"{issue}: {place}", 1
    if view["unsettled"]:
        yield f"{view['unsettled']}: unsettled", 1
    for nation in SIDES:
        for held in view["nations"][nation]["issues"]:
            yield f"{held['issue']}: owner {nation}", 1
            if held["option"]:
                yield f"{held['issue']}: {_option_column(view, held)}", 1


def _option_column(view: View, held: dict[str, Any]) -> str:
    options = [option["option"] for option in view["cards"][held["issue"]]["options"]]
    number = options.index(held["option"])
    return ISSUE_COLUMNS[ISSUE_COLUMNS.index("first option") + min(number, 2)]


def _event_cells(view: View) -> Iterator[tuple[str, float]]:
    if view["event"]:
        yield f"{view['event']}: table", 1
    for event in view["lobby"]:
        yield f"{event}: waiting", 1
    for event in view["past_events"]:
        yield f"{event}: past", 1


def _other_cells(view: View) -> Iterator[tuple[str, float]]:
    for card in view["strategies"]:
        yield f"dealt {card}", 1
    if view["state"]["agenda"]:
        yield f"step {view['state']['agenda'][-1]['is']}", 1
    if view["event_cube"]:
        yield f"cube of {view['event_cube']}", 1
    for nation, bid in view["bidding"]["bids"].items() if view["bidding"] else ():
        yield f"best bid of {nation}", 1
        yield "best bid strength", bid["strength"] / (MOST_FIELDED + 2)
        yield "best bid cubes", bid["cubes"] / MOST_CUBES
    yield "political done", view["political_done"]
    yield "military done", view["military_done"]
    yield "turn", view["turn"] / MOST_TURNS
    yield "deck", view["deck"] / len(ISSUE_IDS)
    yield "game end drawn", view["game_end_drawn"]
    taken = [space["nation"] is not None for space in view["demobilise"]]
    yield "spaces taken", sum(taken) / len(taken)
