"""The compiled adjudicator gives the same results as the readable one, position by position."""

import json
import os
import random
from pathlib import Path

import pytest

from powderkeg.games.diplomacy.actions import (
    Convoy,
    Move,
    Order,
    Support,
    Waive,
    parse_order,
    parse_unit,
)
from powderkeg.games.diplomacy.board import (
    CODES,
    LOCATIONS,
    NUMBER_OF,
    POWERS,
    PROVINCES,
    Unit,
    UnitKind,
    can_stand,
)
from powderkeg.games.diplomacy.rules.adjudicate import adjudicate
from powderkeg.games.diplomacy.rules.listing import legal_orders
from powderkeg.games.diplomacy.rules.outcomes import Verdict
from powderkeg.games.diplomacy.rules.position import Position, Rulebook
from tests.games.diplomacy.areas import NORTH, SOUTH, helps_another

np = pytest.importorskip("numpy")
pytest.importorskip("numba")

from powderkeg.games.diplomacy.fast import batch  # noqa: E402  # needs both

DATC = json.loads((Path(__file__).parents[1] / "cases/datc.json").read_text(encoding="utf-8"))[
    "cases"
]
Phase = tuple[Position, dict[str, list[Order]]]
# Random positions of each area; 20,000 make a million orders.
SKIRMISHES = int(os.environ.get("POWDERKEG_SKIRMISHES", "1200"))


KINDS: tuple[UnitKind, UnitKind] = ("A", "F")
STANDING = [unit for at in LOCATIONS for k in KINDS if can_stand(unit := Unit(k, at))]


def some_position(rng: random.Random, size: int, area: list[str]) -> Position:
    units: dict[str, list[Unit]] = {power: [] for power in POWERS}
    for code in rng.sample(area, min(size, len(area))):
        choices = [unit for unit in STANDING if unit.province == code]
        units[rng.choice(POWERS)].append(rng.choice(choices))
    return Position({power: tuple(mine) for power, mine in units.items()})


def wild_order(rng: random.Random, unit: Unit) -> Order:
    """An order that is probably illegal."""
    to, other = rng.choice(LOCATIONS), Unit(rng.choice(KINDS), rng.choice(LOCATIONS))
    wild: list[Order] = [
        Move(unit, to, via=rng.random() < 0.3),
        Support(unit, other, rng.choice([None, to])),
        Convoy(unit, other, to),
    ]
    return rng.choice(wild)


def skirmish(rng: random.Random, area: list[str]) -> Phase:
    """Orders that have to do with each other, some wild ones among them."""
    position = some_position(rng, rng.randint(4, 34), area)
    legal = legal_orders(position)
    orders = {}
    for at, options in legal.items():
        bold = [o for o in options if isinstance(o, Move | Convoy)] or options
        orders[at] = rng.choice(bold if rng.random() < 0.6 else options)
    for at, options in legal.items():
        helpful = [o for o in options if helps_another(o, orders)]
        if helpful and rng.random() < 0.5:
            orders[at] = rng.choice(helpful)
        elif rng.random() < 0.05:
            orders[at] = wild_order(rng, unit_at(position, at))
    return position, {p: [orders[u.province] for u in us] for p, us in position.units.items()}


def unit_at(position: Position, at: str) -> Unit:
    return next(u for us in position.units.values() for u in us if u.province == at)


def compare(phases: list[Phase], rulebook: Rulebook = Rulebook()) -> set[Verdict]:  # noqa: B008  # frozen
    """Judge all both ways; return the verdicts that occurred."""
    results = batch.adjudicate_batch(
        *batch.pack_positions([p for p, _ in phases], [o for _, o in phases]), rulebook
    )
    seen = set()
    for n, (position, orders) in enumerate(phases):
        done = adjudicate(position, orders, rulebook)
        verdicts = {
            o.order.unit.province: o.verdict
            for o in done.outcomes
            if not isinstance(o.order, Waive)
        }
        assert {
            CODES[at]: batch.VERDICTS[v] for at, v in enumerate(results.verdicts[n]) if v
        } == verdicts
        assert sorted_units(batch.unpack_position(results.units[n])) == sorted_units(done.position)
        lost = {each.unit.province: each.by.unit.province for each in done.dislodged}
        assert {CODES[a]: CODES[w] for a, w in enumerate(results.winners[n]) if w >= 0} == lost
        assert [CODES[at] for at in np.flatnonzero(results.contested[n])] == list(done.contested)
        seen |= set(verdicts.values())
    return seen


def sorted_units(position: Position) -> dict[str, list[str]]:
    return {p: sorted(map(str, units)) for p, units in position.units.items() if units}


@pytest.mark.slow
@pytest.mark.rule("D-PHASE-08")
@pytest.mark.parametrize("area", [list(CODES), NORTH, SOUTH], ids=["europe", "north", "south"])
def test_same_results_on_random_positions(area):
    rng = random.Random(len(area))
    seen: set[Verdict] = set()
    for begun in range(0, SKIRMISHES, 1200):  # as many as fit into memory
        seen |= compare([skirmish(rng, area) for _ in range(min(1200, SKIRMISHES - begun))])
    assert seen == set(Verdict)


READINGS = [
    Rulebook(paradox="szykman"),
    Rulebook(convoy_intent="via_only"),
    Rulebook(land_fallback=True),
    Rulebook(convoyed_dislodger_silences=True),
    Rulebook(to_the_letter="es"),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    "rulebook", READINGS, ids=["szykman", "via", "fallback", "silence", "letter"]
)
def test_same_results_under_other_readings(rulebook):
    rng = random.Random(7)
    compare([skirmish(rng, area) for area in (NORTH, SOUTH) for _ in range(300)], rulebook)


def test_same_results_on_all_datc_cases():
    phases = []
    for case in DATC:
        phase = case["phases"][0]
        if not phase["phase"].endswith("M"):
            continue
        units = {p: tuple(map(parse_unit, found)) for p, found in phase["units"].items()}
        written = {p: [*map(parse_order, texts)] for p, texts in phase["orders"].items()}
        owned = {u.province: p for p, us in units.items() for u in us}
        orders = {
            p: [o for o in given if owned.get(o.unit.province) == p] for p, given in written.items()
        }
        phases.append((Position(units), orders))
    assert len(phases) == 145
    assert Verdict.DISRUPTED in compare(phases)


def test_players_and_closed_provinces():
    units = {
        "RUSSIA": (Unit("A", "nwy"),),
        "ITALY": (Unit("F", "ska"),),
        "GERMANY": (Unit("A", "swe"),),
    }
    texts = {"RUSSIA": "A nwy - swe", "ITALY": "F ska C A nwy - swe", "GERMANY": "A swe - nwy"}
    packed = batch.pack_positions(
        [Position(units)], [{p: [parse_order(t)] for p, t in texts.items()}]
    )
    moved = NUMBER_OF["nwy"]
    assert batch.VERDICTS[batch.adjudicate_batch(*packed).verdicts[0, moved]] == "bounced"
    together = {"RUSSIA": "x", "ITALY": "x"}
    assert (
        batch.VERDICTS[batch.adjudicate_batch(*packed, players=together).verdicts[0, moved]] == "ok"
    )
    shut = batch.adjudicate_batch(*packed, players=together, closed=["swe"])
    assert batch.VERDICTS[shut.verdicts[0, moved]] == "void"


def test_packing_round_trip():
    rng = random.Random(1)
    positions = [some_position(rng, 30, list(CODES)) for _ in range(50)]
    units, orders = batch.pack_positions(positions, [{} for _ in positions])
    assert not orders.any()
    assert [sorted_units(batch.unpack_position(row)) for row in units] == [
        sorted_units(p) for p in positions
    ]


def test_bad_numbers_are_void_and_harm_nobody():
    position = Position({"FRANCE": (Unit("A", "par"), Unit("F", "eng"))})
    units, orders = batch.pack_positions([position], [{}])
    for kind in (batch.MOVE, batch.SUPPORT, batch.CONVOY, batch.VIA, 9):
        orders[0, NUMBER_OF["par"]] = kind, 500, 500
        orders[0, NUMBER_OF["eng"]] = kind, -7, -7
        verdicts = batch.adjudicate_batch(units, orders).verdicts[0]
        assert batch.VERDICTS[verdicts[NUMBER_OF["par"]]] == "void"
        assert batch.VERDICTS[verdicts[NUMBER_OF["eng"]]] == "void"
    assert len(PROVINCES) == units.shape[1]


def test_several_threads_give_the_results_of_one():
    rng = random.Random(3)
    phases = [skirmish(rng, NORTH) for _ in range(50)]
    packed = batch.pack_positions([p for p, _ in phases], [o for _, o in phases])
    one, three = (batch.adjudicate_batch(*packed, threads=n) for n in (1, 3))
    assert all((a == b).all() for a, b in zip(one, three, strict=True))
