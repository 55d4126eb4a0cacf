"""The value of a deal: futures with and without it, with the same seeds."""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from powderkeg.bots.diplomacy.numbers.engine import Engine
from powderkeg.bots.diplomacy.numbers.map import NODE_COUNT, TOUCH, TOUCH_FROM, unit_of
from powderkeg.bots.diplomacy.numbers.position import Scene, free_orders, orders_of_hand
from powderkeg.bots.diplomacy.press.commitments import attack_goal, promised_by
from powderkeg.bots.diplomacy.press.daide import All, Alliance, Offer, OrderOffer, Peace, Zone
from powderkeg.bots.diplomacy.weights import FITTED_WEIGHTS
from powderkeg.games.diplomacy.actions import Move, Order, Support
from powderkeg.games.diplomacy.board import CODES, NUMBER_OF, POWERS, PROVINCE_COUNT, Power

DEAL_DEPTH: Final = 1  # movements of a rollout
MOST_SUPPORTS: Final = 2  # supports that are considered, in each direction
MOST_PLACES: Final = 3  # provinces of a zone


@dataclass
class DealEvaluator:
    """Evaluates deals of one hand, `me`, by futures in which promises are kept or broken."""

    view: Mapping[str, Any]
    scene: Scene
    me: int
    engine: Engine
    dice: list[int]

    def __post_init__(self) -> None:
        free = free_orders(self.scene)
        self.usual = self.engine.draft_orders(self.scene, free, self.scene.hands, self.dice)
        self.now = self._row_values(self.usual)

    def _row_values(self, rows: list[list[int]]) -> list[list[float]]:
        return self.engine.evaluate_futures(self.scene, rows, self.dice, DEAL_DEPTH, FITTED_WEIGHTS)

    def deal_gains(self, partner: Power, offer: Offer) -> tuple[float, float]:
        """The gain of both sides, mine first, if both keep the deal."""
        them = self.scene.hand_of(partner)
        then = self._row_values(self._bound_rows({self.me: [offer], them: [offer]}))
        return self._mean_gain(then, self.now, self.me), self._mean_gain(then, self.now, them)

    def breach_gain(self, deals: Iterable[tuple[Power, Offer]], broken: int) -> float:
        """My gain if I break one of my deals and everybody else keeps theirs."""
        made = list(deals)
        kept: dict[int, list[Offer]] = {self.me: [offer for _, offer in made]}
        for partner, offer in made:
            kept.setdefault(self.scene.hand_of(partner), []).append(offer)
        free = kept | {self.me: [offer for n, (_, offer) in enumerate(made) if n != broken]}
        then, before = (
            self._row_values(self._bound_rows(free)),
            self._row_values(self._bound_rows(kept)),
        )
        return self._mean_gain(then, before, self.me)

    def _bound_rows(self, offers: Mapping[int, list[Offer]]) -> list[list[int]]:
        """The usual orders of all hands, changed so that these hands keep these offers."""
        rows = [list(row) for row in self.usual]
        for number, made in offers.items():
            promises = promised_by(self.view, self.scene.powers_of(number), made)
            changed = promises.draft_orders(self.engine, self.scene, number, self.dice)
            for row, new in zip(rows, changed, strict=True):
                promises.write_orders(self.scene, number, row, new)
        return rows

    def _mean_gain(self, then: list[list[float]], before: list[list[float]], hand: int) -> float:
        gained = [new[hand] - old[hand] for new, old in zip(then, before, strict=True)]
        return math.fsum(gained) / len(gained)

    # Possible offers

    def possible_offers(
        self, me: Power, partner: Power, leaders: tuple[Power, ...]
    ) -> Iterator[Offer]:
        """Offers to a neighbour: peace, or an alliance against `leaders`; a demilitarised zone between
        us; support for an attack on a third power."""
        them = self.scene.hand_of(partner)
        ours, theirs = self.reachable_provinces(self.me), self.reachable_provinces(them)
        if not ours & theirs:
            return
        both: tuple[Power, ...] = tuple(sorted((me, partner)))
        peace: Offer = Alliance(both, leaders) if leaders else Peace(both)
        yield peace
        held = {CODES[at] for at in range(PROVINCE_COUNT) if self.scene.units[at]}
        zone = sorted(CODES[at] for at in ours & theirs if CODES[at] not in held)
        moved = [code for code in zone if self._is_contested(code, them)]
        if moved:
            yield All((peace, Zone(both, tuple(moved[:MOST_PLACES]))))
        for helper, helped in ((self.me, them), (them, self.me)):
            for support, attack in islice(self._joint_attacks(helper, helped), MOST_SUPPORTS):
                yield All((peace, support, attack))

    def reachable_provinces(self, number: int) -> set[int]:
        """The provinces where units of a hand are or could go."""
        found: set[int] = set()
        for at, code in enumerate(self.scene.units):
            if code and self.scene.hands[number] >> ((code - 1) // NODE_COUNT) & 1:
                node = (code - 1) % NODE_COUNT
                found |= {at, *TOUCH[TOUCH_FROM[node] : TOUCH_FROM[node + 1]]}
        return found

    def _usual_orders(self, number: int) -> dict[str, Order]:
        return orders_of_hand(self.scene, self.scene.hands[number], self.usual[0])

    def _is_contested(self, code: str, them: int) -> bool:
        """Whether both hands usually go there."""
        return all(
            any(attack_goal(order) == code for order in self._usual_orders(number).values())
            for number in (self.me, them)
        )

    def _joint_attacks(self, helper: int, helped: int) -> Iterator[tuple[OrderOffer, OrderOffer]]:
        """Attacks of `helped` on a third power with the support of `helper`, the support first."""
        for attack in self._usual_orders(helped).values():
            if not isinstance(attack, Move) or attack.via:
                continue
            code = self.scene.units[NUMBER_OF[attack.to[:3]]]
            if not code or any(
                self.scene.hands[n] >> ((code - 1) // NODE_COUNT) & 1 for n in (helper, helped)
            ):
                continue
            for province in self._usual_orders(helper):
                at = NUMBER_OF[province]
                node = (self.scene.units[at] - 1) % NODE_COUNT
                if NUMBER_OF[attack.to[:3]] in TOUCH[TOUCH_FROM[node] : TOUCH_FROM[node + 1]]:
                    yield self._attack_offers(at, attack)

    def _attack_offers(self, at: int, attack: Move) -> tuple[OrderOffer, OrderOffer]:
        code, other = (
            self.scene.units[at] - 1,
            self.scene.units[NUMBER_OF[attack.unit.province]] - 1,
        )
        helper, helped = POWERS[code // NODE_COUNT], POWERS[other // NODE_COUNT]
        order = Support(unit_of(code % NODE_COUNT), attack.unit, attack.to[:3])
        return OrderOffer(helper, order, helped), OrderOffer(helped, attack)
