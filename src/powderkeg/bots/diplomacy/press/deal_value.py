"""What a deal is worth: futures with it and without, with the same luck."""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from powderkeg.bots.diplomacy.numbers.engine import Engine
from powderkeg.bots.diplomacy.numbers.map import COUNT, NODES, TOUCH, TOUCH_FROM, unit_of
from powderkeg.bots.diplomacy.numbers.position import Scene, orders
from powderkeg.bots.diplomacy.plan.search import everybody_free
from powderkeg.bots.diplomacy.press.commitments import goal, promise
from powderkeg.bots.diplomacy.press.daide import All, Alliance, Do, Offer, Peace, Zone
from powderkeg.bots.diplomacy.weights import TASTE
from powderkeg.games.diplomacy.actions import Move, Order, Support
from powderkeg.games.diplomacy.board import CODES, NUMBER_OF, POWERS, Power

DEPTH: Final = 1  # movements that are played on
HELP: Final = 2  # supports that are thought of, each way
PLACES: Final = 3  # of a zone


@dataclass
class Bargain:
    """The futures of one player, `me`, and what promises change in them."""

    view: Mapping[str, Any]
    scene: Scene
    me: int
    engine: Engine
    dice: list[int]

    def __post_init__(self) -> None:
        free = everybody_free(self.scene)
        self.usual = self.engine.drafts(self.scene, free, self.scene.hands, self.dice)
        self.now = self._values(self.usual)

    def _values(self, rows: list[list[int]]) -> list[list[float]]:
        return self.engine.futures(self.scene, rows, self.dice, DEPTH, TASTE)

    def gains(self, partner: Power, offer: Offer) -> tuple[float, float]:
        """What the deal brings me and the partner, if both keep it."""
        them = self.hand(partner)
        then = self._values(self._bound({self.me: [offer], them: [offer]}))
        return self._gain(then, self.now, self.me), self._gain(then, self.now, them)

    def temptation(self, deals: Iterable[tuple[Power, Offer]], broken: int) -> float:
        """What I gain by breaking one of my deals, if everybody else keeps theirs."""
        made = list(deals)
        kept: dict[int, list[Offer]] = {self.me: [offer for _, offer in made]}
        for partner, offer in made:
            kept.setdefault(self.hand(partner), []).append(offer)
        free = kept | {self.me: [offer for n, (_, offer) in enumerate(made) if n != broken]}
        then, before = self._values(self._bound(free)), self._values(self._bound(kept))
        return self._gain(then, before, self.me)

    def _bound(self, offers: Mapping[int, list[Offer]]) -> list[list[int]]:
        """What everybody might do, where these hands keep these offers."""
        rows = [list(row) for row in self.usual]
        for number, made in offers.items():
            powers = [p for n, p in enumerate(POWERS) if self.scene.hands[number] >> n & 1]
            bound = promise(self.view, powers, made)
            changed = bound.drafts(self.engine, self.scene, number, self.dice)
            for row, new in zip(rows, changed, strict=True):
                bound.write(self.scene, number, row, new)
        return rows

    def _gain(self, then: list[list[float]], before: list[list[float]], hand: int) -> float:
        gained = [new[hand] - old[hand] for new, old in zip(then, before, strict=True)]
        return math.fsum(gained) / len(gained)

    def hand(self, power: Power) -> int:
        bit = 1 << POWERS.index(power)
        return next(n for n, hand in enumerate(self.scene.hands) if hand & bit)

    # What could be offered

    def offers(self, me: Power, partner: Power, leaders: tuple[Power, ...]) -> Iterator[Offer]:
        """Peace with a neighbour, or an alliance against who is about to win; a free zone between
        us; help for an attack on somebody else."""
        them = self.hand(partner)
        ours, theirs = self.reach(self.me), self.reach(them)
        if not ours & theirs:
            return
        both: tuple[Power, ...] = tuple(sorted((me, partner)))
        peace: Offer = Alliance(both, leaders) if leaders else Peace(both)
        yield peace
        held = {CODES[at] for at in range(COUNT) if self.scene.units[at]}
        zone = sorted(CODES[at] for at in ours & theirs if CODES[at] not in held)
        moved = [code for code in zone if self._contested(code, them)]
        if moved:
            yield All((peace, Zone(both, tuple(moved[:PLACES]))))
        for helper, helped in ((self.me, them), (them, self.me)):
            for support, attack in islice(self._attacks(helper, helped), HELP):
                yield All((peace, support, attack))

    def reach(self, number: int) -> set[int]:
        """Where the units of a hand are, and where they could go."""
        found: set[int] = set()
        for at, code in enumerate(self.scene.units):
            if code and self.scene.hands[number] >> ((code - 1) // NODES) & 1:
                node = (code - 1) % NODES
                found |= {at, *TOUCH[TOUCH_FROM[node] : TOUCH_FROM[node + 1]]}
        return found

    def _usual(self, number: int) -> dict[str, Order]:
        return orders(self.scene, self.scene.hands[number], self.usual[0])

    def _contested(self, code: str, them: int) -> bool:
        """Whether we would both go there."""
        return all(
            any(goal(order) == code for order in self._usual(number).values())
            for number in (self.me, them)
        )

    def _attacks(self, helper: int, helped: int) -> Iterator[tuple[Do, Do]]:
        """Attacks of one on a third with the support of the other, which comes first."""
        for attack in self._usual(helped).values():
            if not isinstance(attack, Move) or attack.via:
                continue
            code = self.scene.units[NUMBER_OF[attack.to[:3]]]
            if not code or any(
                self.scene.hands[n] >> ((code - 1) // NODES) & 1 for n in (helper, helped)
            ):
                continue
            for province in self._usual(helper):
                at = NUMBER_OF[province]
                node = (self.scene.units[at] - 1) % NODES
                if NUMBER_OF[attack.to[:3]] in TOUCH[TOUCH_FROM[node] : TOUCH_FROM[node + 1]]:
                    yield self._together(at, attack)

    def _together(self, at: int, attack: Move) -> tuple[Do, Do]:
        code, other = (
            self.scene.units[at] - 1,
            self.scene.units[NUMBER_OF[attack.unit.province]] - 1,
        )
        helper, helped = POWERS[code // NODES], POWERS[other // NODES]
        order = Support(unit_of(code % NODES), attack.unit, attack.to[:3])
        return Do(helper, order, helped), Do(helped, attack)
