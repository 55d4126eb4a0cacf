"""Diplomacy's bots: legal always, the same everywhere, blind to secrets, each better than the last."""

import random
from typing import Any

import pytest

from powderkeg import bots
from powderkeg.bots.budget import Budget
from powderkeg.bots.diplomacy import kernel
from powderkeg.bots.diplomacy.engine import Plain
from powderkeg.bots.diplomacy.kernel import FALL, SHEET
from powderkeg.bots.diplomacy.plans import Army
from powderkeg.bots.diplomacy.scenes import fixed, orders, scene_of
from powderkeg.bots.diplomacy.search import seeds
from powderkeg.bots.diplomacy.tables import node_of
from powderkeg.cli.playout import Luck
from powderkeg.core.chance import Seeded
from powderkeg.core.table import Table
from powderkeg.games import diplomacy
from powderkeg.games.diplomacy.board import POWERS, Unit
from powderkeg.games.diplomacy.orders import Convoy, Move, Order, parse_order

YEAR = diplomacy.Options(last_year=1904)
SHORT = {"random": Budget(1), "easy": Budget(1), "normal": Budget(1), "hard": Budget(40)}
SHORT["expert"] = Budget(40)


def play(level: str, hero: str, seed: int, options: Any = YEAR) -> Table:
    """One bot against luck."""
    table = Table(diplomacy, 7, options, source=Seeded(random.Random(seed)))
    mind, luck = bots.find(diplomacy, level).exact(), Luck(diplomacy)
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


@pytest.mark.parametrize("hero", ["FRANCE", "ENGLAND", "TURKEY"])
def test_normal_beats_luck(hero):
    centres = play("normal", hero, 3).view(None)["centres"]
    assert len(centres[hero]) == max(map(len, centres.values()))
    assert len(centres[hero]) >= 7


def test_equal_seeds_give_equal_games():
    assert play("easy", "ITALY", 5).log == play("easy", "ITALY", 5).log


def view(season: str = "fall", **units: list[str]) -> dict[str, Any]:
    everybody = {power: units.get(power, []) for power in POWERS}
    return {
        "seat": next(iter(units)),
        "season": season,
        "stage": "movement",
        "units": everybody,
        "centres": {power: [] for power in POWERS},
        "seats": {power: {"powers": [power]} for power in POWERS},
        "target": 18,
        "neutral": [],
        "options": {},
        "drafts": {},
    }


def drafted(found: dict[str, Any], given: tuple[str, ...] = (), seed: int = 1) -> dict[str, Order]:
    """The greedy plan of the first power."""
    scene = scene_of(found)
    hand = 1 << POWERS.index(found["seat"])
    row = Army(scene, hand).idle()
    written = {text[2:5]: parse_order(text) for text in given}
    for at, cells in fixed(written).items():
        row[3 * at : 3 * at + 3] = cells
    made = Plain().drafts(scene, row, [hand], seeds(random.Random(seed), 1))[0]
    return orders(scene, hand, made)


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
    scene = scene_of(view(FRANCE=["A gas"], GERMANY=["A mun"]))
    w = [0] * SHEET
    kernel.survey(w, list(scene.units))
    kernel.weigh(w, list(scene.owner), 1 << POWERS.index("FRANCE"), FALL)
    spain, burgundy = (kernel.worth(w, node_of(Unit("A", at))) for at in ("spa", "bur"))
    assert spain > burgundy
    assert kernel.size(3) == 37
