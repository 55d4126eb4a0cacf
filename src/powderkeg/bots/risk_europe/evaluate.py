"""Evaluation of a position for every player, and of small changes to it.

The value is a sum over territories: their owners now and after the battles, and for cities the
players who could take them next. A change matters only to the cities nearby, so most changes are
evaluated by looking at a few places.
"""

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from powderkeg.bots.risk_europe.quick_odds import Left, battle_odds, threat_chance
from powderkeg.bots.risk_europe.weights import OddsWeights
from powderkeg.games.risk_europe.board import (
    ADJACENT,
    CITIES,
    IS_CITY,
    NOBODY,
    ROME,
    SEA_LINES,
    TARGETS,
    TAX_VALUES,
    TERRITORIES,
    TERRITORY_NAMES,
    UNITS,
    Units,
)
from powderkeg.games.risk_europe.cards.pack import Mission
from powderkeg.games.risk_europe.rules import missions
from powderkeg.games.risk_europe.state import (
    State,
    count_crowns,
    on_board,
    players_left,
    territories_of,
)

RICH_COINS: Final = 20  # coins beyond this are hard to spend
ARMIES: Final = 4


def _two_steps(at: int) -> tuple[int, ...]:
    beside = {at, *ADJACENT[at]}
    return tuple(sorted({far for near in ADJACENT[at] for far in ADJACENT[near]} - beside))


TWO_STEPS: Final = tuple(_two_steps(at) for at in range(len(TERRITORY_NAMES)))
NEAR_PLACES: Final = tuple(
    (at, *(n for n in ADJACENT[at] if IS_CITY[n])) for at in range(len(TERRITORY_NAMES))
)
FAR_CITIES: Final = tuple(
    tuple(n for n in TWO_STEPS[at] if IS_CITY[n]) for at in range(len(TERRITORY_NAMES))
)
CITY_CROWNS: Final = tuple(
    (1 + (at == ROME)) * IS_CITY[at] for at in range(len(TERRITORY_NAMES))
)  # crowns of cities; Rome has two


@lru_cache(maxsize=1 << 14)
def touched_places(*places: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Places whose value may change with the units in `places`: neighbours, and unowned cities two
    steps away.
    """
    near = sorted({n for at in places for n in NEAR_PLACES[at]})
    far = sorted({n for at in places for n in FAR_CITIES[at]} - set(near))
    return tuple(near), tuple(far)


@lru_cache(maxsize=64)
def _crown_steps(weights: OddsWeights, target: int) -> tuple[float, ...]:
    """The value of each crown: the closer to victory, the higher."""
    most = target + 12
    return tuple(
        weights.crown * (1 + weights.close * min(1.0, k / target) ** 4) for k in range(most + 2)
    )


@lru_cache(maxsize=64)
def _soil_values(weights: OddsWeights) -> tuple[float, ...]:
    """The values of territories without their crowns."""
    return tuple(
        weights.land + weights.tax * tax + weights.gold * place.gold
        for tax, place in zip(TAX_VALUES, TERRITORIES, strict=True)
    )


class Outlook:
    """A position as one player sees it: `stakes` say how much each army's value matters to them.

    The board may be changed in place to try something, and must be restored.
    """

    __slots__ = (
        "attack",
        "base",
        "castles",
        "down",
        "each",
        "first",
        "gives",
        "owner",
        "people",
        "stakes",
        "state",
        "units",
        "up",
        "weights",
    )

    def __init__(self, state: State, weights: OddsWeights, stakes: Sequence[float]) -> None:
        self.state, self.weights, self.stakes = state, weights, stakes
        self.people, self.each = state.people, weights.units
        self.owner, self.units = list(state.owner), list(state.units)
        self.first = state.owner  # the owners before anything was tried
        self.attack = {a.at: (a.army, a.units) for a in state.attacks}
        self.castles = state.castles
        steps = _crown_steps(weights, TARGETS[state.people])
        self.up, self.down = [0.0] * ARMIES, [0.0] * ARMIES
        for i in players_left(state):
            k = count_crowns(state, i)
            self.up[i], self.down[i] = steps[k + 1], steps[k]
        self.gives = [self._holding_values(army, stakes[army]) for army in range(ARMIES)]
        self.base: dict[int, float] = {}

    def _holding_values(self, army: int, stake: float) -> list[float]:
        """The value to the viewer of each place if `army` holds it."""
        if not stake:
            return [0.0] * len(TERRITORY_NAMES)
        soil, castle = _soil_values(self.weights), stake * self.weights.castle
        found = [stake * worth for worth in soil]
        up, down = stake * self.up[army], stake * self.down[army]
        for at in CITIES:
            found[at] += (down if self.first[at] == army else up) * CITY_CROWNS[at]
        for at in self.castles:
            found[at] += castle
        return found

    # One place

    def holding_value(self, army: int, at: int) -> float:
        """The value of holding `at` to `army` itself."""
        worth = _soil_values(self.weights)[at] + self.weights.castle * (at in self.castles)
        return worth + (self.down if self.first[at] == army else self.up)[army] * CITY_CROWNS[at]

    def place_value(self, place: int) -> float:
        """The value of `place` to the viewer as it is now."""
        owner = self.owner[place]
        if owner < 0:
            return self._claim_value(place) if IS_CITY[place] else 0.0
        units = self.units[place]
        f, a, c, s = self.each
        if fight := self.attack.get(place):
            army, force = fight
            end = battle_odds(force, units, place in self.castles)
            x, y = end.attackers, end.defenders
            mine = self.stakes[army] * (x[0] * f + x[1] * a + x[2] * c + x[3] * s)
            theirs = self.stakes[owner] * (y[0] * f + y[1] * a + y[2] * c + y[3] * s)
            held = end.attacker * self.gives[army][place] + end.defender * self.gives[owner][place]
            return mine + theirs + held
        there = units[0] * f + units[1] * a + units[2] * c + units[3] * s
        worth = self.stakes[owner] * there + self.gives[owner][place]
        return worth + self._threat_value(place, owner, units) if IS_CITY[place] else worth

    def _threat_value(self, at: int, owner: int, units: Units) -> float:
        """The value of a threatened city: a gain for the neighbours who could take it, a loss for
        its owner.
        """
        best: dict[int, float] = {}
        castle = at in self.castles
        for near in ADJACENT[at]:
            foe = self.owner[near]
            if foe >= 0 and foe != owner and near not in self.attack:
                p = threat_chance(self.units[near], units, castle)
                if p > best.get(foe, 0.0):
                    best[foe] = p
        worth = worst = 0.0
        for foe, p in best.items():
            if foe < self.people:
                worth += self.weights.chance * p * self.gives[foe][at]
            worst = max(worst, p if foe < self.people else p * self.weights.hired)
        return worth - self.weights.risk * worst * self.gives[owner][at]

    def _claim_value(self, at: int) -> float:
        """The value of an unowned city: shared by its neighbours, then by those two steps away."""
        near = self._ready_armies(ADJACENT[at])
        worth = 0.0
        for army in near:
            worth += self.weights.claim * self.gives[army][at] / len(near)
        far = [army for army in self._ready_armies(TWO_STEPS[at]) if army not in near]
        for army in far:
            worth += self.weights.reach * self.gives[army][at] / (len(near) + len(far))
        return worth

    def _ready_armies(self, places: Iterable[int]) -> list[int]:
        """The players with units to spare in `places`."""
        owner, units, attack, people = self.owner, self.units, self.attack, self.people
        found: list[int] = []
        for at in places:
            army = owner[at]
            if 0 <= army < people and army not in found and at not in attack:
                f, a, c, s = units[at]
                if f + a + c + s > 1:
                    found.append(army)
        return found

    # Changes

    def value_around(self, places: tuple[tuple[int, ...], tuple[int, ...]]) -> float:
        """The value of `places` (see `touched_places`) as they are now."""
        near, far = places
        return sum(map(self.place_value, near)) + sum(
            self.place_value(n) for n in far if self.owner[n] == NOBODY
        )

    def value_before(self, places: tuple[tuple[int, ...], tuple[int, ...]]) -> float:
        """The value of `places` before anything was tried."""
        near, far = places
        worth = 0.0
        for place in near:
            if place not in self.base:
                self.base[place] = self.place_value(place)
            worth += self.base[place]
        for place in far:
            if self.first[place] == NOBODY:
                if place not in self.base:
                    self.base[place] = self.place_value(place)
                worth += self.base[place]
        return worth

    def coin_value(self, army: int, more: int) -> float:
        """The value of `more` coins to the viewer."""
        have = self.state.armies[army].coins
        return self.stakes[army] * (
            purse_value(self.weights, have + more) - purse_value(self.weights, have)
        )


def purse_value(weights: OddsWeights, coins: int) -> float:
    return weights.coin * (min(coins, RICH_COINS) + weights.rich * max(0, coins - RICH_COINS))


# The whole


def position_values(state: State, weights: OddsWeights) -> list[float]:
    """The value of the position to every army; nothing to mercenaries."""
    found = [0.0] * ARMIES
    steps = _crown_steps(weights, TARGETS[state.people])
    for i in players_left(state):
        k = count_crowns(state, i)
        held = sum(CITY_CROWNS[at] for at in CITIES if state.owner[at] == i)
        board = Outlook(state, weights, tuple(float(j == i) for j in range(ARMIES)))
        found[i] = sum(steps[1 : k + 1]) - held * steps[k] + value_off_board(state, weights, i)
        found[i] += math.fsum(map(board.place_value, range(len(TERRITORY_NAMES))))
    return found


def value_off_board(state: State, weights: OddsWeights, army: int) -> float:
    """The value of what an army has off the board: coins, cards, the marker, missions."""
    own = state.armies[army]
    worth = purse_value(weights, own.coins) + weights.marker * (state.marker == army)
    worth += sum(card_value(weights, card) for card in own.hand)
    if own.missions:
        worth += weights.mission * math.fsum(
            mission_progress(state, army, missions.crown_card(state, card).mission) ** 2
            for card in own.missions
        )
    return worth


def card_value(weights: OddsWeights, card: str) -> float:
    return float(getattr(weights, f"keep_{card}"))


def mission_progress(state: State, army: int, mission: Mission) -> float:
    """The completed part of a mission."""
    match mission.type:
        case "units":
            have = on_board(state, army, UNITS.index(mission.unit))
        case "castles":
            have = sum(state.owner[at] == army for at in state.castles)
        case "sea_lines":
            have = sum(state.owner[a] == army == state.owner[b] for a, b in SEA_LINES)
        case "coins":
            have = state.armies[army].coins
        case "territories":
            have = len(territories_of(state, army))
        case "attacks_won":
            have = state.armies[army].wins
    return min(1.0, have / max(1, mission.least))


def winning_chances(state: State, weights: OddsWeights) -> list[float]:
    """Each player's chance to win: at the end of this round, or later by the values of the
    position.
    """
    if state.over:
        winners = state.ranking[0]
        return [(i in winners) / len(winners) for i in range(ARMIES)]
    now = [chance_of_crowns(state, i) for i in range(ARMIES)]
    later = math.prod(1 - p for p in now)
    if later == 1:
        return _later_chances(state, weights)
    sure = (1 - later) / math.fsum(now)
    if later == 0:
        return [sure * p for p in now]
    return [sure * p + later * q for p, q in zip(now, _later_chances(state, weights), strict=True)]


def chance_of_crowns(state: State, army: int) -> float:
    """The chance that `army` has the crowns to win after the battles (R-WIN-01)."""
    if army >= state.people or state.armies[army].out:
        return 0.0
    have = {count_crowns(state, army) - TARGETS[state.people]: 1.0}
    for fight in state.attacks:
        heads, owner = CITY_CROWNS[fight.at], state.owner[fight.at]
        if heads and army in (fight.army, owner):
            end = battle_odds(fight.units, state.units[fight.at], fight.at in state.castles)
            gain, p = (heads, end.attacker) if fight.army == army else (-heads, 1 - end.defender)
            after = {k: q * (1 - p) for k, q in have.items()}
            for k, q in have.items():
                after[k + gain] = after.get(k + gain, 0.0) + q * p
            have = after
    return math.fsum(q for k, q in have.items() if k >= 0)


def _later_chances(state: State, weights: OddsWeights) -> list[float]:
    """A softmax of the values."""
    found = position_values(state, weights)
    alive = players_left(state)
    top = max(found[i] for i in alive)
    heats = [
        math.exp((found[i] - top) / weights.heat) if i in alive else 0.0 for i in range(ARMIES)
    ]
    whole = math.fsum(heats)
    return [heat / whole for heat in heats]


def viewer_stakes(chances: Sequence[float], weights: OddsWeights, me: int) -> tuple[float, ...]:
    """How much each army's value matters to `me`: rivals count by their chance to win, so that the
    leader is hindered most.
    """
    rest = max(1e-9, 1 - chances[me])
    return tuple(
        1.0 if i == me else -weights.hinder * chance / rest for i, chance in enumerate(chances)
    )


def units_worth(weights: OddsWeights, units: Units | Left) -> float:
    return math.fsum(w * n for w, n in zip(weights.units, units, strict=True))
