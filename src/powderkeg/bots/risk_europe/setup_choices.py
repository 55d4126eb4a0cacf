"""Decisions outside the turns: the first territories, bids, and the mission to keep."""

from collections import deque
from collections.abc import Callable
from functools import cache
from typing import Final

from powderkeg.bots.risk_europe import candidates
from powderkeg.bots.risk_europe.evaluate import CITY_CROWNS, mission_progress
from powderkeg.bots.risk_europe.policy import RoundPolicy, table_without_cards
from powderkeg.games.risk_europe.actions import From, March, PlaceBid, SettleCity, SplitGarrison, To
from powderkeg.games.risk_europe.board import (
    ADJACENT,
    CITIES,
    CITY_AT,
    FOOTMAN,
    NOBODY,
    TAX_VALUES,
    TERRITORY_NAMES,
    units_of,
)
from powderkeg.games.risk_europe.rules import missions
from powderkeg.games.risk_europe.rules.setup import garrison_places
from powderkeg.games.risk_europe.state import State, players_left, with_army
from powderkeg.games.risk_europe.steps import Act, Group
from powderkeg.games.risk_europe.steps import Garrison as GarrisonStep

FADES: Final = 0.5  # factor per step by which a city counts less
EASE: Final = {  # value of a mission that is not begun
    "coins": 0.35,
    "territories": 0.3,
    "attacks_won": 0.3,
    "castles": 0.2,
    "units": 0.2,
    "sea_lines": 0.15,
}


# The logarithm of the odds to win from each gold city, against even odds: 144 games of four normal
# bots whose capitals were drawn at random (at least 62 games per city).
CAPITALS: Final = {
    CITY_AT["berlin"]: 0.76,
    CITY_AT["paris"]: 0.73,
    CITY_AT["kiev"]: 0.39,
    CITY_AT["london"]: 0.28,
    CITY_AT["constantinople"]: -0.02,
    CITY_AT["rome"]: -0.81,
    CITY_AT["stockholm"]: -1.18,
    CITY_AT["madrid"]: -2.5,
}
CROWDED: Final = 0.5  # weight of the neighbours' effect on `site_value`
NEAR_CAPITAL: Final = 0.25  # how much less a capital may be worth and still be chosen


def near_best(ranked: list[SettleCity], worth: Callable[[SettleCity], float]) -> list[SettleCity]:
    """The capitals that are hardly worth less than the first."""
    return [option for option in ranked if worth(option) >= worth(ranked[0]) - NEAR_CAPITAL]


def capital_value(state: State, army: int, at: int) -> float:
    """The value of a gold city as a capital: its record in games, adjusted by its neighbours."""
    empty = state._replace(owner=(NOBODY,) * len(TERRITORY_NAMES))
    return CAPITALS[at] + CROWDED * (site_value(state, army, at) - site_value(empty, army, at))


@cache
def steps_from(start: int) -> tuple[int, ...]:
    """Steps from `start` to every territory."""
    found = {start: 0}
    queue = deque([start])
    while queue:
        at = queue.popleft()
        for to in ADJACENT[at]:
            if to not in found:
                found[to] = found[at] + 1
                queue.append(to)
    return tuple(found[at] for at in range(len(TERRITORY_NAMES)))


def site_value(state: State, army: int, at: int) -> float:
    """How good a gold city is as a start: free and own cities nearby, rivals far away."""
    steps, worth = steps_from(at), CITY_CROWNS[at] + 0.1 * TAX_VALUES[at]
    for city in CITIES:
        near = FADES ** steps[city]
        owner = state.owner[city]
        if city == at:
            continue
        if owner == NOBODY:
            worth += near * CITY_CROWNS[city]
        elif owner == army:
            worth += near / 2
        else:
            worth -= near / 2
    return worth


def best_garrison(mind: RoundPolicy, state: State, step: GarrisonStep) -> SplitGarrison:
    return rank_garrisons(mind, state, step)[0]


def rank_garrisons(mind: RoundPolicy, state: State, step: GarrisonStep) -> list[SplitGarrison]:
    """The splits of the first footmen, best first by the board after a first expansion: from the
    second territory as many free cities as possible should be in reach.
    """
    options = [
        SplitGarrison(at, n) for at in garrison_places(state, step) for n in range(1, step.footmen)
    ]

    def worth(option: SplitGarrison) -> float:
        group = (Group(option.at, units_of(FOOTMAN, option.footmen)),)
        outlook = mind.outlook_for(state, step.army)
        gain = candidates.weigh_move(outlook, step.army, step.city, group)
        done = (From(step.city), To(option.at), March(group[0].units))
        after = candidates.apply_plan(table_without_cards(state), step.army, done)
        return gain + mind.play_card(after, step.army, "split").gain

    return sorted(options, key=worth, reverse=True)


def control_value(mind: RoundPolicy, state: State, army: int, who: int) -> float:
    """The value to `who` of controlling a mercenary army for a round instead of a rival: the mean
    over its cards of the own gain and of the harm that rivals could do.
    """
    cards = state.armies[army].hand
    kinds = dict.fromkeys(cards)
    worth = 0.0
    for card in kinds:
        often = cards.count(card) / len(cards)
        mine = mind.best_turn(with_army(state, army, controller=who), Act(army, card)).gain
        theirs = [_rival_harm(mind, state, army, card, who, rival) for rival in players_left(state)]
        worth += often * (mine + max(theirs))
    return 2 * worth  # it has two turns


def _rival_harm(
    mind: RoundPolicy, state: State, army: int, card: str, who: int, rival: int
) -> float:
    """The loss of `who` when `rival` plays that card of the mercenaries."""
    if rival == who:
        return 0.0
    hired = with_army(state, army, controller=rival)
    after = mind.best_turn(hired, Act(army, card)).state
    seen = [mind.outlook_for(with_army(s, army, controller=who), army) for s in (hired, after)]
    places = range(len(TERRITORY_NAMES))
    return sum(map(seen[0].place_value, places)) - sum(map(seen[1].place_value, places))


def control_bid(mind: RoundPolicy, state: State, army: int, who: int) -> PlaceBid:
    """The bid for the control of mercenaries: half of its value, as others bid too."""
    coins = state.armies[who].coins
    worth = control_value(mind, state, army, who)
    fair = worth / 2 / mind.weights.coin
    return PlaceBid(max(0, min(int(fair), coins // 2)))


def nearest_mission(state: State, army: int, cards: tuple[str, ...]) -> str:
    """The mission that is closest to completion."""

    def near(card: str) -> float:
        task = missions.crown_card(state, card).mission
        return mission_progress(state, army, task) + EASE[task.type]

    return max(cards, key=near)
