"""The trained baseline as a bot: ``powderkeg arena diplomacy --a powderkeg.rl.baseline.bot:play_baseline``.

It needs the extra `fast`. `tools/train_orders.py` wrote its weights.
"""

import json
import zlib
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from powderkeg.core.ask import Orders, Question, Row, answer_texts
from powderkeg.core.chance import Rng
from powderkeg.core.game import Action, Legal, View
from powderkeg.games.diplomacy.actions import Hold, Order, Ready, Waive, parse_order, parse_unit
from powderkeg.games.diplomacy.board import NUMBER_OF, POWERS, PROVINCE_COUNT
from powderkeg.games.diplomacy.fast.batch import unit_number
from powderkeg.games.diplomacy.fast.game_kernel import HOME_OF
from powderkeg.games.diplomacy.fast.map_arrays import NODES
from powderkeg.games.diplomacy.fast.order_codes import order_code
from powderkeg.rl.baseline.features import FEATURES, SIZE, choose_order, survey_board

__all__ = ["load_weights", "play_baseline"]

HEAT = 0.5  # how freely it departs from the best order
MOST_PLANS = 64
ROWS = ("spring", "fall", "retreats", "winter")


@cache
def load_weights() -> Any:
    """The weights that training wrote: one row per season, one column per feature."""
    kept = json.loads((files(__package__) / "weights.json").read_text(encoding="utf-8"))
    return np.array([[kept[row][name] for name in FEATURES] for row in ROWS])


def play_baseline(view: View, question: Question, legal: Legal, rng: Rng) -> Action:
    """The next order of its plan for the turn, or `Ready`. The plan follows from the view alone."""
    if isinstance(question.node, Orders):
        plan = _find_plan(view, question.node.rows)
        for row in question.node.rows:
            order = plan[row.target]
            if not _is_default(order) and str(order) != row.chosen and order in legal:
                return order
    return Ready()


def _is_default(order: Order) -> bool:
    """Orders that a piece carries out unasked, or that leave no trace."""
    return isinstance(order, Hold | Waive)


_plans: dict[tuple[str, str, bytes, bytes], dict[str, Order]] = {}  # a turn is planned once


def _find_plan(view: View, rows: tuple[Row, ...]) -> dict[str, Order]:
    units, owner = _read_board(view)
    key = (view["seat"], view["phase"], units.tobytes(), owner.tobytes())
    if key not in _plans:
        if len(_plans) > MOST_PLANS:
            _plans.clear()
        _plans[key] = _plan_turn(view, rows, units, owner)
    return _plans[key]


def _plan_turn(view: View, rows: tuple[Row, ...], units: Any, owner: Any) -> dict[str, Order]:
    """An order for every row, drawn by the policy; the same for the same position."""
    weights = load_weights()[_season_row(view)]
    beside, far = np.zeros((2, PROVINCE_COUNT), np.int64), np.zeros(PROVINCE_COUNT, np.int64)
    chosen = np.full(PROVINCE_COUNT, -1, np.int64)
    place = f"{view['seat']}/{view['phase']}/".encode()
    dice = np.random.default_rng(zlib.crc32(place + units.tobytes()))
    plan: dict[str, Order] = {}
    for row in sorted(rows, key=lambda each: NUMBER_OF[each.target[:3]]):
        orders = [parse_order(text) for text in answer_texts(row.node)]
        codes = np.array([order_code(order) for order in orders])
        at = NUMBER_OF[row.target[:3]]
        power = _piece_power(view, row.target, units, at)
        survey_board(units, owner, power, beside, far)
        table, gradient = np.zeros((len(codes), SIZE + 1)), np.zeros(SIZE)
        pick = choose_order(
            weights, units, owner, power, at, codes, len(codes), chosen,
            HEAT, dice.random(), beside, far, table, gradient,
        )  # fmt: skip
        chosen[at], plan[row.target] = codes[pick], orders[pick]
    return plan


def _read_board(view: View) -> tuple[Any, Any]:
    """Units and owners of centres as rows of numbers."""
    units = np.zeros(PROVINCE_COUNT, np.int16)
    owner = np.full(PROVINCE_COUNT, -1, np.int8)
    for number, power in enumerate(POWERS):
        for unit in map(parse_unit, view["units"].get(power, ())):
            units[NUMBER_OF[unit.province]] = unit_number(number, unit)
        owner[[NUMBER_OF[code] for code in view["centres"].get(power, ())]] = number
    return units, owner


def _season_row(view: View) -> int:
    stages = {"retreat": 2, "adjustment": 3}
    return stages.get(view["stage"], ("spring", "fall").index(view["season"]))


def _piece_power(view: View, target: str, units: Any, at: int) -> int:
    if view["stage"] == "retreat":
        beaten = next(each for each in view["dislodged"] if each["unit"].endswith(f" {target}"))
        return POWERS.index(beaten["power"])
    return int((units[at] - 1) // NODES if units[at] else HOME_OF[at])
