"""The nouns that facts and questions are made of."""

from functools import lru_cache
from typing import Final

from powderkeg.core.words import Msg
from powderkeg.games.risk_europe.actions import ORDERS
from powderkeg.games.risk_europe.board import CARDS, COLOURS, NAMES, TERRITORIES, UNITS, Units
from powderkeg.games.risk_europe.cards.pack import Bonus, Mission
from powderkeg.games.risk_europe.state import State

NONE: Final = Msg("risk_europe.none")
TERRITORY: Final = tuple(Msg(f"risk_europe.territory.{name}") for name in NAMES)
CITY: Final = {at: Msg(f"risk_europe.city.{t.city}") for at, t in enumerate(TERRITORIES) if t.city}
ARMY: Final = {colour: Msg(f"risk_europe.seat.{colour}") for colour in COLOURS}
CARD: Final = {name: Msg(f"risk_europe.card.{name}") for name in CARDS}
ORDER: Final = {name: Msg(f"risk_europe.order.{name}") for name in ORDERS}
UNIT: Final = tuple(Msg(f"risk_europe.unit.{unit}") for unit in UNITS)


def army(state: State, number: int) -> Msg:
    return ARMY[state.colours[number]]


def card(name: str) -> Msg:
    return CARD[name]


def order(name: str) -> Msg:
    return ORDER[name]


def phase_name(phase: str) -> Msg:
    """A phase in words: ``3-turn1`` is *Round 3: first turn*."""
    number, _, what = phase.rpartition("-")
    code = f"risk_europe.phase.{what}"
    return Msg(code, n=int(number)) if number else Msg(code)


@lru_cache(maxsize=512)
def units(some: Units) -> tuple[Msg, ...]:
    return tuple(
        Msg(f"risk_europe.units.{unit}", n=n) for unit, n in zip(UNITS, some, strict=True) if n
    ) or (NONE,)


def coins(n: int) -> Msg:
    return Msg("risk_europe.coins", n=n)


def crowns(n: int) -> Msg:
    return Msg("risk_europe.crowns", n=n)


def hits(n: int) -> Msg:
    return Msg("risk_europe.hits", n=n)


def crown(name: str) -> Msg:
    return Msg(f"risk_europe.crown.{name}")


def mission(task: Mission) -> Msg:
    kind = f"units.{task.unit}" if task.unit else task.type
    return _marked(Msg(f"risk_europe.mission.{kind}", n=task.least), task.certainty)


def bonus(gift: Bonus) -> Msg:
    kind = f"{gift.type}.{gift.unit}" if gift.unit else gift.type
    return _marked(Msg(f"risk_europe.bonus.{kind}", n=gift.amount), gift.certainty)


def _marked(text: Msg, certainty: str) -> Msg:
    """With a small mark where nobody has read it from a card yet (R-MISSION-07)."""
    return Msg("cards.marked", text=text) if certainty == "reconstructed" else text


def dice(rolled: tuple[int, ...]) -> str:
    return " ".join(map(str, rolled)) or "-"
