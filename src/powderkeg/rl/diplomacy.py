"""Diplomacy's board as numbers: 54 columns for each of 81 places, then the date and the powers.

For every place (75 provinces, 6 named coasts): army, fleet, whose unit (7), dislodged army or
fleet and whose (9), whose centre (7, or nobody's yet), mine or not, what I have ordered for
the unit here so far (hold, move, support, convoy; build, disband; its own target is marked at the
target's place), and the last order that was given here, by anybody, since the latest movement: whose
(7), its kind (7), whether it succeeded, the place that it names (as its number of 81) and that of
the unit that it helps.
"""

from functools import cached_property, lru_cache

import numpy as np

from powderkeg.core.game import View
from powderkeg.games.diplomacy.actions import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Retreat,
    Support,
    parse_order,
)
from powderkeg.games.diplomacy.board import CENTRES, LOCATIONS, POWERS
from powderkeg.rl.view_columns import FloatVector

PLANES = (
    "army",
    "fleet",
    *(f"unit of {power}" for power in POWERS),
    "dislodged army",
    "dislodged fleet",
    *(f"dislodged unit of {power}" for power in POWERS),
    *(f"centre of {power}" for power in POWERS),
    "centre of nobody",
    "my unit",
    "my centre",
    "ordered to hold",
    "ordered to move",
    "ordered to support",
    "ordered to convoy",
    "ordered to disband",
    "ordered to be built",
    "target of my orders",
    "may be built on",
    "may be retreated to",
    *(f"last order of {power}" for power in POWERS),
    "last order was to hold",
    "last order was to move",
    "last order was to support",
    "last order was to convoy",
    "last order was to retreat",
    "last order was to disband",
    "last order was to be built",
    "last order succeeded",
    "last order named this place, of 81",
    "last order helped the unit here, of 81",
)
PLANE = {name: number for number, name in enumerate(PLANES)}
PLACE_NUMBERS = {place: number for number, place in enumerate(LOCATIONS)}
STAGE_COLUMNS = ("movement", "retreat", "adjustment")
SEASONS = ("spring", "fall")
ORDERED = {
    Hold: "ordered to hold",
    Move: "ordered to move",
    Retreat: "ordered to move",
    Support: "ordered to support",
    Convoy: "ordered to convoy",
    Disband: "ordered to disband",
    Build: "ordered to be built",
}
LAST_ORDERS = {
    Hold: "last order was to hold",
    Move: "last order was to move",
    Support: "last order was to support",
    Convoy: "last order was to convoy",
    Retreat: "last order was to retreat",
    Disband: "last order was to disband",
    Build: "last order was to be built",
}
LAST_FROM = PLANE[f"last order of {POWERS[0]}"]  # where the planes of the last orders begin
REST = (
    *(f"stage {stage}" for stage in STAGE_COLUMNS),
    *(f"season {season}" for season in SEASONS),
    "years since 1900, of 50",
    *(f"mine: {power}" for power in POWERS),
    *(f"centres of {power}, of 18" for power in POWERS),
    *(f"units of {power}, of 18" for power in POWERS),
    *(f"builds due to {power}, of 6" for power in POWERS),
)


class BoardEncoder:
    """Encodes views of Diplomacy."""

    @cached_property
    def names(self) -> tuple[str, ...]:
        return (*(f"{place}: {plane}" for place in LOCATIONS for plane in PLANES), *REST)

    def encode(self, view: View) -> FloatVector:
        board = np.zeros((len(LOCATIONS), len(PLANES)), np.float32)
        mine = view["seats"].get(view["seat"], {}).get("powers", [])
        for power, units in view["units"].items():
            for unit in units:
                self._unit_planes(board, unit, power, "", mine=power in mine)
        for each in view["dislodged"]:
            self._unit_planes(board, each["unit"], each["power"], "dislodged ", mine=False)
            for place in each["retreats"] if each["power"] in mine else ():
                board[PLACE_NUMBERS[place], PLANE["may be retreated to"]] = 1
        self._centre_planes(board, view, mine)
        for place, text in view["drafts"].items():
            self._order_planes(board, place, text)
        board[:, LAST_FROM:] = _last_planes(_last_orders(view))
        return np.concatenate([board.ravel(), self._other_columns(view, mine)])

    def planes(self, vector: FloatVector) -> FloatVector:
        """The columns of the board, as an array of places and planes."""
        return vector[: len(LOCATIONS) * len(PLANES)].reshape(len(LOCATIONS), len(PLANES))

    def _unit_planes(
        self, board: FloatVector, unit: str, power: str, how: str, *, mine: bool
    ) -> None:
        kind, _, place = unit.partition(" ")
        at = board[PLACE_NUMBERS[place]]
        at[PLANE[how + ("army" if kind == "A" else "fleet")]] = 1
        at[PLANE[f"{how}unit of {power}"]] = 1
        if mine:
            at[PLANE["my unit"]] = 1

    def _centre_planes(self, board: FloatVector, view: View, mine: list[str]) -> None:
        owner = {place: power for power, places in view["centres"].items() for place in places}
        for place in CENTRES:
            name = f"centre of {owner[place]}" if place in owner else "centre of nobody"
            board[PLACE_NUMBERS[place], PLANE[name]] = 1
            board[PLACE_NUMBERS[place], PLANE["my centre"]] = owner.get(place) in mine
        for power, due in view["adjustments"].items():
            for place in due["sites"] if power in mine else ():
                board[PLACE_NUMBERS[place], PLANE["may be built on"]] = 1

    def _order_planes(self, board: FloatVector, place: str, text: str) -> None:
        order = parse_order(text)
        if type(order) in ORDERED:
            board[PLACE_NUMBERS[place[:3]], PLANE[ORDERED[type(order)]]] = 1
        target = getattr(order, "to", None)
        if target:
            board[PLACE_NUMBERS[target], PLANE["target of my orders"]] = 1

    def _other_columns(self, view: View, mine: list[str]) -> FloatVector:
        due = view["adjustments"]
        return np.array(
            [
                *(view["stage"] == stage for stage in STAGE_COLUMNS),
                *(view["season"] == season for season in SEASONS),
                min(1.0, (view["year"] - 1900) / 50),
                *(power in mine for power in POWERS),
                *(min(1.0, len(view["centres"][p]) / 18) for p in POWERS),
                *(min(1.0, len(view["units"].get(p, ())) / 18) for p in POWERS),
                *(max(-1.0, min(1.0, due.get(p, {"due": 0})["due"] / 6)) for p in POWERS),
            ],
            np.float32,
        )


LastOrder = tuple[str, str, str]  # power, order and verdict


def _last_orders(view: View) -> tuple[LastOrder, ...]:
    """The orders since the latest movement, with their verdicts."""
    return tuple(
        (each["power"], each["order"], each["verdict"])
        for report in view["reports"]
        for each in report["outcomes"]
    )


@lru_cache(maxsize=256)
def _last_planes(orders: tuple[LastOrder, ...]) -> FloatVector:
    """The planes of the last orders; they stay the same for a whole phase."""
    board = np.zeros((len(LOCATIONS), len(PLANES)), np.float32)
    for power, text, verdict in orders:
        order = parse_order(text)
        if type(order) not in LAST_ORDERS:  # a build that was waived
            continue
        at = board[PLACE_NUMBERS[order.unit.at]]  # type: ignore[union-attr]  # all others have a unit
        at[LAST_FROM:] = 0
        at[PLANE[f"last order of {power}"]] = 1
        at[PLANE[LAST_ORDERS[type(order)]]] = 1
        at[PLANE["last order succeeded"]] = verdict == "ok"
        helped = getattr(order, "target", None) or getattr(order, "army", None)
        named = getattr(order, "to", None) or (helped.at if helped else None)
        at[PLANE["last order named this place, of 81"]] = _place_share(named)
        at[PLANE["last order helped the unit here, of 81"]] = _place_share(helped and helped.at)
    return board[:, LAST_FROM:]


def _place_share(place: str | None) -> float:
    return (1 + PLACE_NUMBERS[place]) / len(LOCATIONS) if place else 0.0
