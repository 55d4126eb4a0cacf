"""Whole games of Diplomacy's bots: legal, the same everywhere, blind to secrets, each level better than the one below."""

import os
import random
import subprocess
import sys
from typing import Any

import pytest

from powderkeg import bots
from powderkeg.bots import analysis, levels
from powderkeg.bots.diplomacy.levels import EXPERT_EFFORT, HARD_EFFORT
from powderkeg.bots.diplomacy.numbers import kernel
from powderkeg.bots.diplomacy.numbers.engine import PlainEngine, draw_seeds
from powderkeg.bots.diplomacy.numbers.kernel import FALL, SHEET
from powderkeg.bots.diplomacy.numbers.map import node_of
from powderkeg.bots.diplomacy.numbers.position import (
    cells_by_province,
    orders_of_hand,
    own_hand,
    read_scene,
)
from powderkeg.bots.diplomacy.plan import retreats_and_builds
from powderkeg.bots.diplomacy.plan.foresight import ForesightSearch
from powderkeg.bots.diplomacy.plan.orders import PlayerUnits
from powderkeg.bots.diplomacy.plan.search import PlanSearch
from powderkeg.bots.diplomacy.weights import FITTED_WEIGHTS
from powderkeg.bots.engine import budget
from powderkeg.bots.engine.budget import Budget
from powderkeg.bots.process import worker
from powderkeg.cli.playout import RandomChooser
from powderkeg.core.chance import Seeded
from powderkeg.core.table import Table
from powderkeg.core.words import say
from powderkeg.games import diplomacy
from powderkeg.games.diplomacy.actions import Convoy, Move, Order, parse_order
from powderkeg.games.diplomacy.board import POWERS, Unit
from tests.bots.diplomacy.envoys import played
from tests.bots.diplomacy.positions import bare_view as view

YEAR = diplomacy.Options(last_year=1904)
SHORT = {"random": Budget(1), "easy": Budget(1), "normal": Budget(1), "hard": Budget(40)}
SHORT["expert"] = Budget(40)


def play(level: str, hero: str, seed: int, options: Any = YEAR) -> Table:
    """One bot against luck."""
    table = Table(diplomacy, 7, options, source=Seeded(random.Random(seed)))
    mind, luck = bots.find_bot(diplomacy, level).exact(), RandomChooser(diplomacy)
    rngs = {seat: random.Random(f"{seed}|{seat}") for seat in table.seats}
    while acting := table.to_act:
        seat = min(acting)
        if seat == hero:
            question = table.ask(seat)
            assert question is not None
            action = mind(table.view(seat), question, table.legal(seat), rngs[seat])
            assert action in table.legal(seat)
        else:
            action = luck(table, seat, rngs[seat])
        table.act(seat, action)
    return table


@pytest.mark.slow
@pytest.mark.parametrize("hero", ["FRANCE", "ENGLAND", "TURKEY"])
def test_normal_beats_luck(hero):
    centres = play("normal", hero, 3).view(None)["centres"]
    assert len(centres[hero]) == max(map(len, centres.values()))
    assert len(centres[hero]) >= 7


def test_equal_seeds_give_equal_games():
    assert play("easy", "ITALY", 5).log == play("easy", "ITALY", 5).log


def drafted(found: dict[str, Any], given: tuple[str, ...] = (), seed: int = 1) -> dict[str, Order]:
    """The greedy plan of the first power."""
    scene = read_scene(found)
    hand = 1 << POWERS.index(found["seat"])
    row = PlayerUnits(scene, hand).free_row()
    written = {text[2:5]: parse_order(text) for text in given}
    for at, cells in cells_by_province(written).items():
        row[3 * at : 3 * at + 3] = cells
    made = PlainEngine().draft_orders(scene, row, [hand], draw_seeds(random.Random(seed), 1))[0]
    return orders_of_hand(scene, hand, made)


def test_own_units_do_not_bounce():
    position = view(FRANCE=["A par", "A mar", "A bur", "F bre", "A gas"], GERMANY=["A mun"])
    for seed in range(40):
        found = drafted(position, seed=seed)
        goals = [o.to[:3] for o in found.values() if isinstance(o, Move)]
        assert len(goals) == len(set(goals))
        staying = {p for p, o in found.items() if not isinstance(o, Move)}
        assert not staying & set(goals)


def test_orders_already_given_stand():
    position = view(FRANCE=["A par", "A mar"], GERMANY=["A mun"])
    assert str(drafted(position, ("A par - bur",))["par"]) == "A par - bur"


def test_an_army_is_carried_to_a_better_shore():
    position = view(ENGLAND=["A yor", "F nth"], GERMANY=["A mun"])
    position["centres"]["ENGLAND"] = ["lon", "edi", "lvp"]
    seen = {type(order) for seed in range(60) for order in drafted(position, seed=seed).values()}
    assert Convoy in seen


def test_a_neutral_centre_next_door_is_worth_most():
    scene = read_scene(view(FRANCE=["A gas"], GERMANY=["A mun"]))
    w = [0] * SHEET
    kernel.survey_reach(w, list(scene.units))
    kernel.weigh_stakes(w, list(scene.owner), 1 << POWERS.index("FRANCE"), FALL)
    spain, burgundy = (kernel.node_worth(w, node_of(Unit("A", at))) for at in ("spa", "bur"))
    assert spain > burgundy
    assert kernel.power_size(3) == 37


def whole(players: int, level: str, seed: int, options: Any) -> Table:
    """A game between bots of one level, with a small budget."""
    table = Table(diplomacy, players, options, source=Seeded(random.Random(seed)))
    mind = bots.find_bot(diplomacy, level, SHORT[level])
    kinds: set[str] = set()
    number = 0
    while acting := table.to_act:
        seat = min(acting)
        question = table.ask(seat)
        assert question is not None
        rng = random.Random(f"{seed}/{seat}/{number}")
        thought = mind.think(table.view(seat), question, table.legal(seat), rng)
        assert thought.action in table.legal(seat), (seat, thought.action)
        for lang in ("en", "es", "it"):
            assert say(thought.reason, lang) != thought.reason.code
        kinds.add(table.view(seat)["stage"])
        table.act(seat, thought.action)
        number += 1
    assert "movement" in kinds
    return table


@pytest.mark.slow
@pytest.mark.parametrize("level", ["easy", "normal", "hard", "expert"])
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6, 7])
def test_every_level_plays_every_table(players, level):
    last = 1914 if players == 2 else 1901
    table = whole(players, level, players, diplomacy.Options(last_year=last))
    assert table.result is not None


@pytest.mark.slow
def test_variants_of_the_rules_are_played():
    options = diplomacy.Options(
        last_year=1902, paradox="szykman", convoy_intent="via_only", victory_centres=9
    )
    assert whole(7, "hard", 1, options).result is not None


@pytest.mark.parametrize("level", ["easy", "normal", "hard", "expert"])
def test_retreats_and_removals_are_answered(level):
    """France takes Munich with Austrian help: Germany retreats, then removes a unit."""
    table = Table(diplomacy, 7, diplomacy.Options(last_year=1902))
    spring = {"FRANCE": ["A par - bur"], "AUSTRIA": ["A vie - tyr"]}
    fall = {"FRANCE": ["A bur - mun"], "AUSTRIA": ["A tyr S A bur - mun"]}
    for written in (spring, fall):
        for seat in table.seats:
            for text in written.get(seat, [f"{u} H" for u in table.state.units[seat]]):
                table.act(seat, text)
            table.act(seat, "ready")
    mind = bots.find_bot(diplomacy, level, SHORT[level])
    assert table.view("GERMANY")["stage"] == "retreat"
    kinds = []
    while "GERMANY" in table.to_act and table.view("GERMANY")["stage"] != "movement":
        question = table.ask("GERMANY")
        assert question is not None
        action = mind(table.view("GERMANY"), question, table.legal("GERMANY"), random.Random(1))
        assert action in table.legal("GERMANY")
        kinds.append(str(action).split()[-2 if " R " in str(action) else -1])
        table.act("GERMANY", action)
        for seat in sorted(table.to_act - {"GERMANY"}):
            table.act(seat, "ready")
    assert kinds in (["R", "ready", "D", "ready"], ["D", "ready"])  # one of three units must go
    assert len(table.state.units["GERMANY"]) == 2


def test_a_turn_is_planned_once():
    """The orders of a turn belong to one plan: the second is the one that was meant at first."""
    table = Table(diplomacy, 7, YEAR)
    mind = levels.find_adviser(diplomacy, budget=SHORT["hard"])  # without the book of openings
    written = []
    for number in range(4):
        view, question = table.view("RUSSIA"), table.ask("RUSSIA")
        assert question is not None
        thought = mind.think(view, question, table.legal("RUSSIA"), random.Random(number))
        written.append(thought)
        table.act("RUSSIA", thought.action)
    assert len({thought.reason for thought in written}) == 1
    assert written[0].lines
    assert set(written[0].lines[0].shares) == set(table.seats)
    view, question = table.view("RUSSIA"), table.ask("RUSSIA")
    assert question is not None
    assert str(mind(view, question, table.legal("RUSSIA"), random.Random(1))) == "ready"


def test_a_bot_asked_in_the_middle_of_a_turn_plans_the_rest():
    table = Table(diplomacy, 7, YEAR)
    table.act("FRANCE", "A par - bur")
    view, question = table.view("FRANCE"), table.ask("FRANCE")
    assert question is not None
    mind = bots.find_bot(diplomacy, "hard", SHORT["hard"])
    action = mind(view, question, table.legal("FRANCE"), random.Random(1))
    assert action in table.legal("FRANCE")
    assert "par" not in str(action)[:5]


def test_a_plan_outlives_a_budget(monkeypatch):
    """A seat on a server is asked in one process, each time with the seconds that are left."""
    runs = []
    search = PlanSearch.find_plans
    monkeypatch.setattr(PlanSearch, "find_plans", lambda self: runs.append(1) or search(self))
    table = played({})  # the first spring is over, and with it the book of openings
    for seconds in (5.0, 4.0, 3.0):
        request = {
            "game": "powderkeg.games.diplomacy",
            "bot": "hard",
            "view": table.view("ITALY"),
            "seed": str(seconds),
            "budget": [40, seconds],
            "seconds": 60,
        }
        table.act("ITALY", worker.answer_question(request)["text"])
    assert len(runs) == 1


def test_a_plan_that_was_left_is_made_again():
    table = Table(diplomacy, 7, YEAR)
    mind = bots.find_bot(diplomacy, "normal")
    question = table.ask("FRANCE")
    assert question is not None
    first = mind(table.view("FRANCE"), question, table.legal("FRANCE"), random.Random(1))
    other = next(o for o in table.legal("FRANCE") if str(o)[:5] == str(first)[:5] and o != first)
    table.act("FRANCE", other)
    question = table.ask("FRANCE")
    assert question is not None
    again = mind(table.view("FRANCE"), question, table.legal("FRANCE"), random.Random(1))
    assert str(again)[:5] != str(first)[:5]


@pytest.mark.slow
@pytest.mark.parametrize("level", ["normal", "hard", "expert"])
def test_the_order_of_hashes_does_not_matter(level):
    code = f"""
import random
from powderkeg import bots
from powderkeg.bots.engine.budget import Budget
from powderkeg.core.chance import Seeded
from powderkeg.core.table import Table
from powderkeg.games import diplomacy
table = Table(diplomacy, 7, diplomacy.Options(last_year=1901), source=Seeded(random.Random(1)))
mind = bots.find_bot(diplomacy, {level!r}, Budget(40))
while acting := table.to_act:
    seat = min(acting)
    rng = random.Random(len(table.log))
    action = mind(table.view(seat), table.ask(seat), table.legal(seat), rng)
    table.act(seat, action)
print([str(entry.do) for entry in table.log])
"""
    said = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("0", "17")
    ]
    assert said[0] == said[1]
    assert "ready" in said[0]


@pytest.mark.parametrize("level", ["easy", "normal", "hard", "expert"])
def test_what_others_wrote_does_not_matter(level):
    """Two worlds that differ only in the others' orders: the same decision."""
    one, two = (Table(diplomacy, 7, YEAR) for _ in range(2))
    for table, texts in ((one, ["A mun - bur", "A ber - kie"]), (two, ["A mun - ruh"])):
        for text in texts:
            table.act("GERMANY", text)
        table.act("GERMANY", "ready")
    assert one.state != two.state
    said = []
    for table in (one, two):
        question = table.ask("FRANCE")
        assert question is not None
        mind = bots.find_bot(diplomacy, level, SHORT[level])
        rng = random.Random(5)
        said.append(mind(table.view("FRANCE"), question, table.legal("FRANCE"), rng))
    assert said[0] == said[1]


def test_late_or_not_there_is_an_answer():
    """A clock that has run out before thinking began."""
    table = Table(diplomacy, 7, YEAR)
    for level in ("hard", "expert"):
        question = table.ask("TURKEY")
        assert question is not None
        mind = bots.find_bot(diplomacy, level, Budget(10_000, 0.0))
        action = mind(table.view("TURKEY"), question, table.legal("TURKEY"), random.Random(1))
        assert action in table.legal("TURKEY")


def test_how_it_stands():
    """Who has more centres may expect more."""
    table = Table(diplomacy, 7, YEAR)
    even = analysis.evaluate_view(diplomacy, table.view(None), budget=Budget(1))
    assert sum(even.values()) == pytest.approx(1)
    assert set(even) == set(table.seats)
    seen = dict(table.view(None))
    seen["centres"] = {**seen["centres"], "TURKEY": ["ank", "con", "smy", "bul", "gre", "ser"]}
    assert (
        analysis.evaluate_view(diplomacy, seen, budget=Budget(1))["TURKEY"] > 1.5 * even["TURKEY"]
    )


def test_thoughts_about_others_leave_time_for_my_own():
    clock = Budget(100).start()
    clock.spent = 20
    part = clock.part(0.25)
    assert (part.whole, part.until, clock.left) == (20, None, 80)
    assert Budget(100, 0.0).start().part(0.5).late()


@pytest.mark.slow
@pytest.mark.parametrize("hero", ["FRANCE", "TURKEY"])
def test_hard_outgrows_normal(hero):
    table = Table(diplomacy, 7, diplomacy.Options(last_year=1905), source=Seeded(random.Random(1)))
    minds = {seat: bots.find_bot(diplomacy, "normal") for seat in table.seats}
    minds[hero] = bots.find_bot(diplomacy, "hard").exact()
    number: dict[str, int] = {}
    while acting := table.to_act:
        seat = min(acting)
        number[seat] = number.get(seat, 0) + 1
        rng = random.Random(f"1/{seat}/{number[seat]}")
        action = minds[seat](table.view(seat), table.ask(seat), table.legal(seat), rng)
        table.act(seat, action)
    sizes = {power: len(codes) for power, codes in table.view(None)["centres"].items()}
    assert sizes[hero] == max(sizes.values())
    assert sizes[hero] >= 7


UNITS = {"FRANCE": ["A par", "A bur", "F bre"], "GERMANY": ["A mun"], "ENGLAND": ["F lon"]}


# In time, even where every movement is slow: without Numba, on a busy machine


class SlowEngine(PlainEngine):
    """Its movements take simulated time, and have no value."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds, self.now = seconds, 0.0

    def evaluate_futures(
        self, scene: Any, orders: Any, seeds: Any, depth: int, weights: Any
    ) -> list[list[float]]:
        self.now += self.seconds * (depth + 1) * len(orders)
        return [[0.5] * len(scene.hands) for _ in orders]

    def evaluate_units(
        self, scene: Any, units: Any, seeds: Any, depth: int, weights: Any
    ) -> list[list[float]]:
        return self.evaluate_futures(scene, units, seeds, depth, weights)


@pytest.fixture
def engine(monkeypatch):
    slow = SlowEngine(0.005)
    monkeypatch.setattr(budget, "read_time", lambda: slow.now)
    return slow


@pytest.mark.parametrize(
    ("search", "effort", "seconds"),
    [(PlanSearch, HARD_EFFORT, 1.0), (ForesightSearch, EXPERT_EFFORT, 10.0)],
)
def test_a_movement_is_planned_within_the_stated_time(engine, search, effort, seconds):
    seen, clock = view(**UNITS), Budget(60_000, seconds).start()
    given = engine, read_scene(seen), own_hand(seen), random.Random(1), clock
    assert search(*given, effort, FITTED_WEIGHTS).find_plans()
    assert 0.5 * seconds < engine.now <= seconds


def test_builds_are_chosen_within_the_stated_time(engine):
    seen, clock = view("fall", FRANCE=["A bur"]), Budget(3000, 1.0).start()
    seen |= {"stage": "adjustment", "season": "winter"}
    seen["centres"] |= {"FRANCE": ["par", "bre", "mar"]}
    given = own_hand(seen), random.Random(1), clock, engine, FITTED_WEIGHTS, 16, 1
    retreats_and_builds.search_orders(seen, *given)
    assert 0.5 < engine.now <= 1.0
