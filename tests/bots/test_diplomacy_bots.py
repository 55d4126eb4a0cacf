"""Diplomacy's bots: legal always, no bouncing off their own units, better than luck."""

import random
from typing import Any

import pytest

from powderkeg import bots
from powderkeg.bots.diplomacy import dumb
from powderkeg.bots.diplomacy.values import size, values
from powderkeg.cli.playout import Luck
from powderkeg.core.chance import Seeded
from powderkeg.core.table import Table
from powderkeg.games import diplomacy
from powderkeg.games.diplomacy.board import Unit
from powderkeg.games.diplomacy.orders import Convoy, Move

YEAR = diplomacy.Options(last_year=1904)


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


@pytest.mark.parametrize("players", [2, 3, 5])
def test_seats_of_several_powers(players):
    table = Table(
        diplomacy, players, diplomacy.Options(last_year=1915), source=Seeded(random.Random(1))
    )
    mind, rng = bots.find(diplomacy, "normal"), random.Random(2)
    for _ in range(120):
        if not (acting := table.to_act):
            break
        seat = min(acting)
        table.act(seat, mind(table.view(seat), table.ask(seat), table.legal(seat), rng))


def view(**units: list[str]) -> dict[str, Any]:
    centres: dict[str, list[str]] = {power: [] for power in units}
    return {"units": units, "centres": centres, "season": "fall", "adjustments": {}}


def test_own_units_do_not_bounce():
    position = view(FRANCE=["A par", "A mar", "A bur", "F bre", "A gas"], GERMANY=["A mun"])
    for seed in range(40):
        orders = dumb.movement(position, ["FRANCE"], (), random.Random(seed))
        goals = [o.to[:3] for o in orders.values() if isinstance(o, Move)]
        assert len(goals) == len(set(goals))
        staying = {p for p, o in orders.items() if not isinstance(o, Move)}
        assert not staying & set(goals)


def test_orders_already_given_stand():
    position = view(FRANCE=["A par", "A mar"], GERMANY=["A mun"])
    orders = dumb.movement(position, ["FRANCE"], ["A par - bur"], random.Random(1))
    assert str(orders["par"]) == "A par - bur"


def test_an_army_is_carried_to_a_better_shore():
    position = view(ENGLAND=["A yor", "F nth"], GERMANY=["A mun"])
    position["centres"]["ENGLAND"] = ["lon", "edi", "lvp"]
    seen = set()
    for seed in range(60):
        orders = dumb.movement(position, ["ENGLAND"], ["F nth H"], random.Random(seed))
        seen |= {type(order) for order in orders.values()}
    assert Convoy in seen


def test_a_neutral_centre_next_door_is_worth_most():
    position = view(FRANCE=["A gas"], GERMANY=["A mun"])
    found = values(position, ["FRANCE"], season="fall", count=True)
    assert found.of(Unit("A", "spa")) > found.of(Unit("A", "bur"))
    assert size(3) == 37
