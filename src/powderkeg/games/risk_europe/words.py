"""The nouns that facts and questions are made of."""

from functools import lru_cache
from typing import Final

from powderkeg.core.cards import mark_value
from powderkeg.core.words import Msg
from powderkeg.games.risk_europe.actions import ORDER_NAMES
from powderkeg.games.risk_europe.board import (
    CARDS,
    COLOURS,
    TERRITORIES,
    TERRITORY_NAMES,
    UNITS,
    Units,
)
from powderkeg.games.risk_europe.cards.pack import Bonus, Mission
from powderkeg.games.risk_europe.state import State

NO_UNITS: Final = Msg("risk_europe.none")
TERRITORY_NAME: Final = tuple(Msg(f"risk_europe.territory.{name}") for name in TERRITORY_NAMES)
CITY_NAME: Final = {
    at: Msg(f"risk_europe.city.{t.city}") for at, t in enumerate(TERRITORIES) if t.city
}
ARMY_NAMES: Final = {colour: Msg(f"risk_europe.seat.{colour}") for colour in COLOURS}
CARD_NAME: Final = {name: Msg(f"risk_europe.card.{name}") for name in CARDS}
ORDER_NAME: Final = {name: Msg(f"risk_europe.order.{name}") for name in ORDER_NAMES}
UNIT_NAME: Final = tuple(Msg(f"risk_europe.unit.{unit}") for unit in UNITS)


def army_name(state: State, number: int) -> Msg:
    return ARMY_NAMES[state.colours[number]]


def king_card_name(name: str) -> Msg:
    return CARD_NAME[name]


def king_order_name(name: str) -> Msg:
    return ORDER_NAME[name]


def phase_name(phase: str) -> Msg:
    """A phase in words: ``3-turn1`` is *Round 3: first turn*."""
    number, _, what = phase.rpartition("-")
    code = f"risk_europe.phase.{what}"
    return Msg(code, n=int(number)) if number else Msg(code)


@lru_cache(maxsize=512)
def unit_list(some: Units) -> tuple[Msg, ...]:
    return tuple(
        Msg(f"risk_europe.units.{unit}", n=n) for unit, n in zip(UNITS, some, strict=True) if n
    ) or (NO_UNITS,)


def coin_count(n: int) -> Msg:
    return Msg("risk_europe.coins", n=n)


def crown_count(n: int) -> Msg:
    return Msg("risk_europe.crowns", n=n)


def hit_count(n: int) -> Msg:
    return Msg("risk_europe.hits", n=n)


def crown_name(name: str) -> Msg:
    return Msg(f"risk_europe.crown.{name}")


def mission_text(task: Mission) -> Msg:
    kind = f"units.{task.unit}" if task.unit else task.type
    return mark_value(Msg(f"risk_europe.mission.{kind}", n=task.least), task.certainty)


def bonus_text(gift: Bonus) -> Msg:
    kind = f"{gift.type}.{gift.unit}" if gift.unit else gift.type
    return mark_value(Msg(f"risk_europe.bonus.{kind}", n=gift.amount), gift.certainty)


def dice_text(rolled: tuple[int, ...]) -> str:
    return " ".join(map(str, rolled)) or "-"
