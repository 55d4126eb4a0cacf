"""Kingdom Missions: when a mission is completed, and what completed ones give."""

from collections.abc import Callable
from typing import Final

from powderkeg.games.risk_europe.board import SEA_LINES, UNITS
from powderkeg.games.risk_europe.cards import pack
from powderkeg.games.risk_europe.cards.pack import BonusType, CrownCard, Mission
from powderkeg.games.risk_europe.state import State, on_board, territories_of


def crown_card(state: State, card: str) -> CrownCard:
    return pack.crown_pack(state.options.cards)[card]


def _sea_lines(state: State, army: int) -> int:
    return sum(state.owner[a] == army == state.owner[b] for a, b in SEA_LINES)


_COUNT: Final[dict[str, Callable[[State, int], int]]] = {
    "castles": lambda state, army: sum(state.owner[at] == army for at in state.castles),
    "sea_lines": _sea_lines,
    "coins": lambda state, army: state.armies[army].coins,
    "territories": lambda state, army: len(territories_of(state, army)),
    "attacks_won": lambda state, army: state.armies[army].wins,
}


def mission_holds(state: State, army: int, mission: Mission) -> bool:
    """Whether `army` fulfils `mission` at this moment."""
    if mission.type == "units":
        return on_board(state, army, UNITS.index(mission.unit)) >= mission.least
    return _COUNT[mission.type](state, army) >= mission.least


def ready_missions(state: State, army: int) -> list[str]:
    """The face-down missions that `army` could reveal now (R-MISSION-05)."""
    own = state.armies[army].missions
    if not own:
        return []
    return [card for card in own if mission_holds(state, army, crown_card(state, card).mission)]


def bonus_amount(state: State, army: int, kind: BonusType, unit: str = "") -> int:
    """The bonus of this kind from the completed missions of `army`; 0 if there is none."""
    completed = state.armies[army].completed
    if not completed:
        return 0
    bonuses = (crown_card(state, card).bonus for card in completed)
    amounts = [b.amount for b in bonuses if b.type == kind and b.unit == unit]
    if kind == "unit_price":
        return min(amounts, default=0)
    return max(amounts, default=0) if kind == "manoeuvre_range" else sum(amounts)
