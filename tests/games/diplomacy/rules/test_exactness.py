"""The adjudicator against the equations themselves.

A second, slow reading of the rules: try every combination of fates and keep those in which each
move fares exactly as the rules say it must, given the others (specification, appendix 4). It
shares no code with the adjudicator but the map.
"""

import random
from itertools import product

import pytest

from powderkeg.games.diplomacy.actions import Convoy, Move, Order, Support
from powderkeg.games.diplomacy.board import ARMY_MOVES, FLEET_MOVES, PROVINCES, Unit, unit_moves
from powderkeg.games.diplomacy.rules.adjudicate import adjudicate
from powderkeg.games.diplomacy.rules.listing import legal_orders
from powderkeg.games.diplomacy.rules.outcomes import Outcome, Why
from powderkeg.games.diplomacy.rules.position import Position, Rulebook
from tests.games.diplomacy.areas import NORTH, SOUTH, helps_another

pytestmark = pytest.mark.slow

POWERS = ["ENGLAND", "FRANCE", "GERMANY"]


class Equations:
    """The rules as conditions on a complete set of fates."""

    def __init__(
        self,
        position: Position,
        orders: dict[str, Order],
        broken: frozenset[str],
        *,
        literal: bool = False,
    ) -> None:
        self.literal = literal  # rule 11 to the letter, for those who pass each other at sea too
        self.owner = {u.province: p for p, us in position.units.items() for u in us}
        self.orders, self.broken = orders, broken
        self.moves = {at: o for at, o in orders.items() if isinstance(o, Move)}
        self.carriers = {at: self._carriers(at, o) for at, o in self.moves.items()}
        self.by_sea = {at for at, o in self.moves.items() if self._sails(at, o)}

    def _carriers(self, at: str, move: Move) -> set[str]:
        return {
            sea
            for sea, o in self.orders.items()
            if isinstance(o, Convoy) and o.army.province == at and o.to == move.to[:3]
        }

    def _sails(self, at: str, move: Move) -> bool:
        if move.unit.kind == "F":
            return False
        if move.via or move.to not in ARMY_MOVES[at]:
            return True
        mine = any(self.owner[sea] == self.owner[at] for sea in self.carriers[at])
        return mine and self._crosses(at, move.to, self.carriers[at])

    @staticmethod
    def _shore(code: str) -> set[str]:
        places = PROVINCES[code].coasts or (code,)
        return {to[:3] for place in places for to in FLEET_MOVES[place]}

    def _crosses(self, start: str, end: str, seas: set[str]) -> bool:
        found, edge = set(), self._shore(start) & seas
        while edge:
            found |= edge
            edge = {to for sea in edge for to in FLEET_MOVES[sea]} & seas - found
        return bool(found & self._shore(end))

    def arrives(self, fates: dict[str, bool], at: str, spare: str = "") -> bool:
        if at not in self.by_sea:
            return True
        if at in self.broken:
            return False
        seas = {sea for sea in self.carriers[at] if not self.dislodged(fates, sea)} - {spare}
        return self._crosses(at, self.moves[at].to[:3], seas)

    def dislodged(self, fates: dict[str, bool], at: str) -> bool:
        return not fates.get(at) and any(fates[m] for m in self.attackers(at))

    def attackers(self, at: str) -> list[str]:
        return [m for m, o in self.moves.items() if o.to[:3] == at]

    def cut(self, fates: dict[str, bool], at: str) -> bool:
        support = self.orders[at]
        assert isinstance(support, Support)
        aim = (support.to or support.target.at)[:3]
        for m in self.attackers(at):
            if fates[m]:
                return True
            if self.owner[m] == self.owner[at] or m == aim:
                continue
            needed = support.to is not None and m in self.by_sea and aim in self.carriers[m]
            if self.arrives(fates, m, aim if needed else ""):
                return True
        return False

    def strength(self, fates: dict[str, bool], at: str, without: str = "") -> int:
        own = self.orders[at]
        total = 1
        for s, o in self.orders.items():
            if not isinstance(o, Support) or o.target.province != at or self.owner[s] == without:
                continue
            if isinstance(own, Move):
                fits = o.to is not None and o.to in (own.to, own.to[:3])
            else:
                fits = o.to is None
            total += fits and not self.cut(fates, s)
        return total

    def head_to_head(self, at: str) -> bool:
        to = self.moves[at].to[:3]
        meets = to in self.moves and self.moves[to].to[:3] == at
        return meets and not self.by_sea & {at, to}

    def succeeds(self, fates: dict[str, bool], at: str) -> bool:
        if not self.arrives(fates, at):
            return False
        to = self.moves[at].to[:3]
        stays = to in self.owner and (not fates.get(to) or self.head_to_head(at))
        attack = self.strength(fates, at)
        hold = 0
        if stays:
            own = self.owner[to] == self.owner[at]
            attack = 0 if own else self.strength(fates, at, without=self.owner[to])
            moved = to in self.moves and not self.head_to_head(at)
            hold = 1 if moved else self.strength(fates, to)
        return attack > hold and all(
            attack > self.prevents(fates, rival) for rival in self.attackers(to) if rival != at
        )

    def prevents(self, fates: dict[str, bool], at: str) -> int:
        to = self.moves[at].to[:3]
        beaten = self.head_to_head(at) and fates[to]
        if self.literal and to in self.moves and self.moves[to].to[:3] == at:
            beaten = fates[to] and not fates[at]
        return 0 if beaten or not self.arrives(fates, at) else self.strength(fates, at)

    def solutions(self) -> list[dict[str, bool]]:
        names = sorted(self.moves)
        tries = (
            dict(zip(names, t, strict=True)) for t in product((True, False), repeat=len(names))
        )
        return [fates for fates in tries if all(self.succeeds(fates, m) == fates[m] for m in names)]


def skirmish(rng: random.Random, area: list[str]) -> tuple[Position, dict[str, Order]]:
    """A crowded corner of the map: orders that have to do with each other."""
    found: dict[str, list[Unit]] = {power: [] for power in POWERS}
    for code in rng.sample(area, rng.randint(6, 11)):
        province = PROVINCES[code]
        fleet = province.kind == "sea" or (province.kind == "coastal" and rng.random() < 0.4)
        at = rng.choice(province.coasts) if fleet and province.coasts else code
        found[rng.choice(POWERS)].append(Unit("F" if fleet else "A", at))
    position = Position({power: tuple(units) for power, units in found.items()})
    legal = legal_orders(position)
    orders = {at: rng.choice(_marches(rng, options, legal)) for at, options in legal.items()}
    for at, options in legal.items():
        helpful = [o for o in options if helps_another(o, orders)]
        if helpful and rng.random() < 0.5:
            orders[at] = rng.choice(helpful)
    return position, orders


def _marches(
    rng: random.Random, options: list[Order], legal: dict[str, list[Order]]
) -> list[Order]:
    """Moves, mostly against others or over sea."""
    marches = [o for o in options if isinstance(o, Move)]
    bold = [o for o in marches if o.to[:3] in legal or o.to not in unit_moves(o.unit)]
    return [*bold] if bold and rng.random() < 0.7 else [*marches] or options


def intrigue(rng: random.Random, area: list[str]) -> tuple[Position, dict[str, Order]]:
    """A skirmish with convoys against units that have a hand in the fate of the convoying fleets."""
    position, orders = skirmish(rng, area)
    legal = legal_orders(position)
    for _ in range(2):
        crossings = [
            o
            for at, options in legal.items()
            for o in options
            if isinstance(o, Move)
            and o.unit.kind == "A"
            and o.to not in unit_moves(o.unit)
            and o.to in legal
        ]
        if not crossings:
            break
        crossing = rng.choice(crossings)
        orders[crossing.unit.province] = crossing
        seas = set()
        for at, options in legal.items():
            for o in options:
                if isinstance(o, Convoy) and o.army == crossing.unit and o.to == crossing.to:
                    orders[at] = o
                    seas.add(at)
        meddling = [
            o
            for o in legal[crossing.to]
            if isinstance(o, Support) and (o.to or o.target.province) in seas
        ]
        if meddling:
            plot = rng.choice(meddling)
            orders[crossing.to] = plot
            if plot.to:
                orders[plot.target.province] = Move(plot.target, plot.to)
    return position, orders


def encounter(rng: random.Random, area: list[str]) -> tuple[Position, dict[str, Order]]:
    """Two neighbours that pass each other, one of them at sea, while others want to go where either
    of them came from."""
    position, orders = skirmish(rng, area)
    legal = legal_orders(position)
    crossings = [
        (o, back)
        for options in legal.values()
        for o in options
        if isinstance(o, Convoy) and o.to in unit_moves(o.army)
        for back in legal.get(o.to, ())
        if isinstance(back, Move) and back.to[:3] == o.army.province
    ]
    if not crossings:
        return position, orders
    convoy, back = rng.choice(crossings)
    passing = {convoy.army.province, convoy.to, convoy.unit.province}
    orders[convoy.unit.province], orders[convoy.to] = convoy, back
    orders[convoy.army.province] = Move(convoy.army, convoy.to, via=True)
    for at in sorted(legal.keys() - passing):
        third = [o for o in legal[at] if isinstance(o, Move) and o.to[:3] in passing]
        if third and rng.random() < 0.5:
            orders[at] = rng.choice(third)
    for at in sorted(legal.keys() - passing):
        helpful = [o for o in legal[at] if isinstance(o, Support) and helps_another(o, orders)]
        if helpful and rng.random() < 0.6:
            orders[at] = rng.choice(helpful)
    return position, orders


def fought(position: Position, orders: dict[str, Order], *, literal: bool) -> dict[str, Outcome]:
    given = {p: [orders[u.province] for u in us] for p, us in position.units.items()}
    rulebook = Rulebook(convoyed_dislodger_silences=literal)
    done = adjudicate(position, given, rulebook)
    return {o.order.unit.province: o for o in done.outcomes if isinstance(o.order, Move)}


def check(position: Position, orders: dict[str, Order], *, literal: bool = False) -> str:
    """Compare; say what kind of position it was."""
    moved = fought(position, orders, literal=literal)
    fates = {at: o.verdict == "ok" for at, o in moved.items()}
    broken = frozenset(at for at, o in moved.items() if o.why is Why.PARADOX)
    solutions = Equations(position, orders, broken, literal=literal).solutions()
    assert fates in solutions
    assert sum(fates.values()) == max(sum(found.values()) for found in solutions)
    if not broken:
        return "one" if len(solutions) == 1 else "rotation"
    assert len(Equations(position, orders, frozenset(), literal=literal).solutions()) != 1
    return "paradox"


@pytest.mark.rule("D-PHASE-08", "D-MOVE-03", "D-MOVE-07", "D-CONV-18")
@pytest.mark.parametrize("area", [NORTH, SOUTH], ids=["channel", "south"])
@pytest.mark.parametrize("seed", range(5))
def test_every_fate_is_what_the_rules_demand(area, seed):
    rng = random.Random(f"{seed}/{area[0]}")
    for _ in range(100):
        check(*skirmish(rng, area))


@pytest.mark.rule("D-CONV-16", "D-CONV-17")
@pytest.mark.parametrize("area", [NORTH, SOUTH], ids=["channel", "south"])
def test_convoys_against_those_who_meddle_with_them(area):
    rng = random.Random(area[0])
    for _ in range(400):
        check(*intrigue(rng, area))


@pytest.mark.rule("D-STAND-06")
@pytest.mark.parametrize("area", [NORTH, SOUTH], ids=["channel", "south"])
def test_rule_11_to_the_letter_is_decided_as_exactly(area):
    rng = random.Random(f"letter/{area[0]}")
    kinds, matters = set(), 0
    for _ in range(400):
        fight = encounter(rng, area)
        kinds.add(check(*fight, literal=True))
        matters += fought(*fight, literal=True) != fought(*fight, literal=False)
    assert {"one", "rotation"} <= kinds
    assert matters


@pytest.mark.rule("D-CONV-19")
@pytest.mark.parametrize("seed", [1360, 1885, 2219, 2370, 2839, 2984, 3443, 3722, 3937])
def test_paradoxes_beyond_rules_21_and_22_are_decided_by_failing_convoys(seed):
    area = [NORTH, SOUTH][seed % 2]
    assert check(*intrigue(random.Random(seed), area)) == "paradox"
