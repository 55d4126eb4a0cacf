"""The bots' numbers: compiled and plain Python agree, drafts are legal, a position is the board."""

import random
from functools import cache
from importlib.util import find_spec
from typing import Any

import pytest

from powderkeg import bots
from powderkeg.bots import levels
from powderkeg.bots.diplomacy import tuning
from powderkeg.bots.diplomacy.numbers import engine
from powderkeg.bots.diplomacy.numbers.engine import CompiledEngine, Engine, PlainEngine, draw_seeds
from powderkeg.bots.diplomacy.numbers.kernel import SPRING
from powderkeg.bots.diplomacy.numbers.map import NODE_COUNT, unit_of
from powderkeg.bots.diplomacy.numbers.position import (
    Scene,
    free_orders,
    orders_of_hand,
    read_scene,
)
from powderkeg.bots.diplomacy.plan.orders import PlayerUnits
from powderkeg.bots.diplomacy.weights import (
    FITTED_WEIGHTS,
    START_FACTORS,
    PositionWeights,
    scaled_weights,
)
from powderkeg.core.chance import Seeded
from powderkeg.core.table import Table
from powderkeg.games import diplomacy
from powderkeg.games.diplomacy.board import POWERS, Unit
from powderkeg.games.diplomacy.rules.legality import NumberedPosition, movement_objection
from powderkeg.games.diplomacy.rules.position import Position
from tests.bots.diplomacy.test_plan import YEAR


@cache
def compiled() -> Engine:
    if not (find_spec("numba") and find_spec("numpy")):
        pytest.skip("the extra `fast` is not installed")
    return CompiledEngine()


def scenes(count: int) -> list[Scene]:
    """Positions of a game between greedy players, with the season that follows."""
    table = Table(diplomacy, 7, YEAR, source=Seeded(random.Random(4)))
    mind, rng, found = bots.find_bot(diplomacy, "normal"), random.Random(9), list[Scene]()
    while table.to_act and len(found) < count:
        seat = min(table.to_act)
        if table.view(seat)["stage"] == "movement" and not table.state.ready:
            now = read_scene(table.view(seat))
            if now not in found:
                found.append(now)
        question = table.ask(seat)
        assert question is not None
        table.act(seat, mind(table.view(seat), question, table.legal(seat), rng))
    return found


@pytest.mark.slow
def test_compiled_and_plain_are_the_same():
    fast, plain = compiled(), PlainEngine()
    for scene in scenes(4):
        dice = draw_seeds(random.Random(3), 6)
        free = free_orders(scene)
        rows = plain.draft_orders(scene, free, scene.hands, dice)
        assert fast.draft_orders(scene, free, scene.hands, dice) == rows
        army = PlayerUnits(scene, scene.hands[2])
        crossed = plain.cross_plans(rows[:2], rows[2:], army.cells)
        assert [
            list(map(int, r)) for r in fast.cross_plans(rows[:2], rows[2:], army.cells)
        ] == crossed
        for depth in (0, 2):
            here = plain.evaluate_futures(scene, rows, dice, depth, FITTED_WEIGHTS)
            assert fast.evaluate_futures(scene, rows, dice, depth, FITTED_WEIGHTS) == here
        units = [scene.units] * 6
        assert fast.evaluate_units(scene, units, dice, 1, FITTED_WEIGHTS) == plain.evaluate_units(
            scene, units, dice, 1, FITTED_WEIGHTS
        )


def test_a_movement_leads_to_the_same_position_compiled_or_not():
    scene = read_scene(Table(diplomacy, 7, diplomacy.Options()).view("FRANCE"))
    for seed in range(1, 7):
        row = PlainEngine().draft_orders(scene, free_orders(scene), scene.hands, [seed])[0]
        later = compiled().play_movement(scene, row, seed)
        assert later == PlainEngine().play_movement(scene, row, seed)
        assert later.season != scene.season
        scene = later
    assert sum(owner >= 0 for owner in scene.owner) > 22


def test_quick_games_score_the_values_that_are_tuned(monkeypatch):
    """The same values score the same; who likes to lose centres does worse."""
    monkeypatch.setattr(tuning, "TRIAL_MOVEMENTS", 4)
    tunable = levels.find_tunable(diplomacy, "values")
    assert tunable.trial is not None
    mine = [tunable.trial(tunable.start, 7, seed, 2) for seed in range(4)]
    assert mine == [tuning.play_quick_game(FITTED_WEIGHTS, 7, seed, 2) for seed in range(4)]
    fond_of_danger = (0.1, -0.5, 4.0, 2.0, 0.1, 0.0, 0.0, 0.0)
    foolish = PositionWeights(fond_of_danger, fond_of_danger, 0.5)
    theirs = [tuning.play_quick_game(foolish, 7, seed, 2) for seed in range(4)]
    assert sum(theirs) < sum(mine)
    assert scaled_weights(START_FACTORS) == FITTED_WEIGHTS
    assert scaled_weights({**START_FACTORS, "units": 2.0}).fall[7] == 2 * FITTED_WEIGHTS.fall[7]


def test_without_numba_the_kernel_runs_as_it_stands(monkeypatch):
    monkeypatch.setattr(engine, "find_spec", lambda name: None)
    assert isinstance(engine.find_engine(wait=True), PlainEngine)


@pytest.mark.slow
def test_drafts_are_legal():
    for scene in scenes(5):
        free, dice = free_orders(scene), draw_seeds(random.Random(1), 20)
        for row in PlainEngine().draft_orders(scene, free, scene.hands, dice):
            assert_legal(scene, row, range(7))


def assert_legal(scene: Scene, row: Any, powers: Any) -> None:
    field = NumberedPosition(diplomacy_position(scene))
    for power in powers:
        for order in orders_of_hand(scene, 1 << power, row).values():
            assert movement_objection(field, field.powers.index(POWERS[power]), order) is None, str(
                order
            )


def diplomacy_position(scene: Scene) -> Position:
    units: dict[str, list[Unit]] = {power: [] for power in POWERS}
    for code in scene.units:
        if code:
            units[POWERS[(code - 1) // NODE_COUNT]].append(unit_of((code - 1) % NODE_COUNT))
    return Position({power: tuple(found) for power, found in units.items()})


def test_a_plan_is_changed_in_one_or_two_places():
    scene = scenes(3)[-1]
    army = PlayerUnits(scene, scene.hands[2])
    plan = tuple(PlainEngine().draft_orders(scene, army.free_row(), [scene.hands[2]], [7])[0])
    changes = list(army.changed_plans(plan))
    assert len({army.plan_key(each) for each in changes}) > 20
    for each in changes:
        assert_legal(scene, each, [2])
        changed = [at for at in army.all if each[3 * at : 3 * at + 3] != plan[3 * at : 3 * at + 3]]
        assert changed


def test_the_scene_of_a_view_is_the_board():
    table = Table(diplomacy, 7, YEAR)
    scene = read_scene(table.view("FRANCE"))
    units = {power: set(found) for power, found in table.state.units.items()}
    assert {p: set(found) for p, found in diplomacy_position(scene).units.items()} == units
    assert scene.hands == tuple(1 << n for n in range(7))
    assert scene.season == SPRING
    assert sum(owner >= 0 for owner in scene.owner) == 22
