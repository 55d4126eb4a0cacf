"""Where to begin in a basic game of four players, by a book of how often each capital wins.

`capitals.json` has each player's part of the games for every way to begin, in the order of choosing. The
games were played by compiled greedy players (`bench/risk_capitals.py`).
"""

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from itertools import permutations
from typing import Final

from powderkeg.bots.engine.regret import softmax
from powderkeg.games.risk_europe.board import CITY_AT
from powderkeg.games.risk_europe.state import State

PLACES: Final = 4
CHOICE_TEMPER: Final = (
    0.03  # the part of a game that makes a choice e times as likely: mine, and a rival's
)
FIRST_BID: Final = (
    2  # choosing first is worth more than that: see docs/reference/risk_europe-levels.md
)

Capitals = tuple[int, ...]


def knows_table(state: State) -> bool:
    return state.people == PLACES and not state.options.missions


def taken_capitals(state: State) -> Capitals:
    """The capitals that have been chosen, in the order of choosing."""
    owners = {state.owner[at]: at for at in _book()[0]}
    return tuple(owners[who] for who in state.ring if who in owners)


def capital_chances(taken: Capitals) -> dict[int, float]:
    """The chances of the player who chooses next, by capital."""
    return {
        city: expected_chances((*taken, city))[len(taken)]
        for city in _book()[0]
        if city not in taken
    }


@cache
def expected_chances(taken: Capitals) -> Sequence[float]:
    """Everybody's chances in the order of choosing, if the others choose well, mostly."""
    cities, found = _book()
    if len(taken) == PLACES:
        return found[taken]
    ends = [expected_chances((*taken, city)) for city in cities if city not in taken]
    often = softmax([end[len(taken)] / CHOICE_TEMPER for end in ends])
    return [
        sum(p * end[place] for p, end in zip(often, ends, strict=True)) for place in range(PLACES)
    ]


@cache
def _book() -> tuple[Capitals, dict[Capitals, list[float]]]:
    data = json.loads((files(__package__) / "capitals.json").read_text(encoding="utf-8"))
    cities = tuple(CITY_AT[name] for name in data["cities"])
    rows = zip(permutations(cities, PLACES), data["chances"], strict=True)
    return cities, {capitals: [n / 1000 for n in row] for capitals, row in rows}
