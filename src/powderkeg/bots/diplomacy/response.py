"""Sampled best response: many plans of mine against many plans of everybody else, each pair judged
by the real adjudicator; the plan that does best on average is followed.

Plans come from the greedy planner with its luck, so they are coherent; single pieces are then
changed one at a time, as long as it helps.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from powderkeg.bots.budget import Clock
from powderkeg.bots.diplomacy import dumb
from powderkeg.bots.diplomacy.values import Values, values
from powderkeg.core.chance import Rng
from powderkeg.games.diplomacy.adjudicate import adjudicate
from powderkeg.games.diplomacy.board import CENTRES, Unit
from powderkeg.games.diplomacy.orders import Order, parse_unit
from powderkeg.games.diplomacy.position import Position, Rulebook

PLANS: Final = 12  # of mine, at most
SAMPLES: Final = 8  # of what the others do
HOLDING: Final = {"spring": 0.6, "fall": 1.0}  # how much a centre counts that is stood upon
PLACE: Final = 0.15  # how much good places count beside centres

Plan = Mapping[str, Order]


@dataclass(frozen=True, slots=True)
class Judge:
    """Knows what a turn would be worth to me."""

    view: Mapping[str, Any]
    mine: Sequence[str]
    position: Position
    worth: Values
    season: str
    rulebook: Rulebook

    def score(self, plan: Plan, others: Mapping[str, Sequence[Order]]) -> float:
        orders: dict[str, Sequence[Order]] = dict(others)
        for power in self.mine:
            orders[power] = [plan[u.province] for u in self.position.units[power]]
        after = adjudicate(self.position, orders, self.rulebook).position
        return self.centres(after) + PLACE * self.places(after)

    def centres(self, after: Position) -> float:
        """My share of the squares of the centres, counting those that are stood upon."""
        owner = {code: power for power, codes in self.view["centres"].items() for code in codes}
        counts = dict.fromkeys(after.units, 0.0)
        for code in CENTRES:
            if (power := owner.get(code)) in counts:
                counts[power] += 1.0
        held = HOLDING[self.season]
        for power, units in after.units.items():
            for unit in units:
                if unit.province in CENTRES and owner.get(unit.province) != power:
                    counts[power] += held
                    if (loser := owner.get(unit.province)) in counts:
                        counts[loser] -= held
        total = sum(n * n for n in counts.values()) or 1.0
        own = sum(counts[power] for power in self.mine if power in counts)
        return own / len(CENTRES) + own * own / total

    def places(self, after: Position) -> float:
        best = max(self.worth.worth) or 1.0
        units = [unit for power in self.mine for unit in after.units.get(power, ())]
        return sum(self.worth.of(unit) for unit in units) / best / max(1, len(units))


def best_response(
    view: Mapping[str, Any],
    mine: Sequence[str],
    given: Sequence[str],
    rulebook: Rulebook,
    rng: Rng,
    clock: Clock,
) -> Plan:
    """The plan to follow, with the orders already `given` as they are."""
    season = "spring" if view["season"] == "spring" else "fall"
    units: dict[str, tuple[Unit, ...]] = {
        power: tuple(map(parse_unit, texts)) for power, texts in view["units"].items()
    }
    judge = Judge(
        view,
        mine,
        Position(units),
        values(view, mine, season=season, count=True),
        season,
        rulebook,
    )
    samples = [_others(view, mine, units, rng) for _ in range(SAMPLES)]
    plans = _plans(view, mine, given, rng)
    return _best(judge, plans, samples, clock)


def _others(
    view: Mapping[str, Any],
    mine: Sequence[str],
    units: Mapping[str, Sequence[Unit]],
    rng: Rng,
) -> dict[str, list[Order]]:
    """What everybody else might do."""
    return {
        power: list(dumb.movement(view, [power], (), rng).values())
        for power in units
        if power not in mine and units[power]
    }


def _plans(
    view: Mapping[str, Any], mine: Sequence[str], given: Sequence[str], rng: Rng
) -> list[Plan]:
    found = [dumb.movement(view, mine, given, rng) for _ in range(PLANS)]
    return list({tuple(sorted(map(str, plan.values()))): plan for plan in found}.values())


def _best(
    judge: Judge,
    plans: Sequence[Plan],
    samples: Sequence[Mapping[str, Sequence[Order]]],
    clock: Clock,
) -> Plan:
    """Each plan against each sample, sample by sample, so that an early end is fair to all."""
    totals = [0.0] * len(plans)
    for others in samples:
        if not clock.tick():
            break
        for n, plan in enumerate(plans):
            totals[n] += judge.score(plan, others)
    return plans[max(range(len(plans)), key=lambda n: (totals[n], -n))]
