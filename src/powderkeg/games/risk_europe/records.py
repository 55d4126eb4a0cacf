"""Options, armies and the state of a game: what is stored.

Records are named tuples: values that compare, store and copy quickly. Inside the rules an army is
a number: people come first, in seat order, then mercenaries. `NOBODY` stands for no army.
"""

from dataclasses import dataclass
from typing import Annotated, Final, Literal, NamedTuple

from powderkeg.core.plain import Between, for_players
from powderkeg.games.risk_europe.board import (
    CROWN_CARDS,
    DECK,
    EMPTY,
    FULL_ARMY,
    GOLD_CITIES,
    NOBODY,
    TERRITORY_NAMES,
    Units,
)
from powderkeg.games.risk_europe.steps import Pending

NO_BID_YET: Final = -1
SECRET_NUMBER: Final = -2  # a number that this viewer may not know
UNKNOWN_CARD: Final = "?"  # a card that this viewer may not know


@dataclass(frozen=True, slots=True)
class Options:
    """Variant, length and house rulings; the defaults are the rulebook's."""

    missions: bool = False  # Kingdom Missions (R-MISSION)
    rounds: Annotated[int, Between(0, 200)] = 0  # end after this many; 0: only by the rulebook
    mercenary_seat: Literal["last", "ring"] = for_players(3, default="last")  # R-3P-10
    # R-3P-18, R-3P-19: mercenaries fight beside two and three players
    mercenary_king: Literal["controller", "army", "nobody"] = for_players(
        2, 3, default="controller"
    )
    mercenary_losses: Literal["neutral", "controller"] = for_players(2, 3, default="neutral")
    tie: Literal["crowns", "target"] = (
        "crowns"  # which players count as tied at the target (R-WIN-03)
    )
    cards: str = ""  # your own crown cards: the differences, see packs


class Army(NamedTuple):
    """The pieces and cards of a player, or of a mercenary army."""

    coins: int = 0
    reserve: Units = FULL_ARMY
    hand: tuple[str, ...] = DECK  # of a mercenary: its face-down pile, whose order chance decides
    stack: tuple[str, ...] = ()  # placed face down this round, next one first
    shown: tuple[str, ...] = ()  # revealed this round
    discard: tuple[str, ...] = ()
    bid: int = NO_BID_YET
    bought: int = 0  # crown cards (basic game)
    buys: bool = True  # may still buy a crown card this round (R-SPEND-10)
    missions: tuple[str, ...] = ()  # face down
    completed: tuple[str, ...] = ()
    wins: int = 0  # battles won as the attacker this round
    grace: bool = False  # plays its one round without a city (R-SAVED-01)
    out: int = 0  # the round in which it was eliminated
    controller: int = NOBODY  # who plays this mercenary army this round


class Attack(NamedTuple):
    """An army inside somebody else's territory: `at` is disputed (R-MAP-07)."""

    at: int
    army: int
    units: Units


class Returned(NamedTuple):
    """A mission put to the bottom of the pile, and who knows it."""

    card: str
    by: int


class State(NamedTuple):
    """The whole table."""

    options: Options
    colours: tuple[str, ...]  # by army: people first, then mercenaries
    people: int
    armies: tuple[Army, ...]
    agenda: tuple[Pending, ...]
    owner: tuple[int, ...] = (NOBODY,) * len(TERRITORY_NAMES)
    units: tuple[Units, ...] = (EMPTY,) * len(TERRITORY_NAMES)  # of the owner
    attacks: tuple[Attack, ...] = ()
    castles: tuple[int, ...] = ()
    active: tuple[int, ...] = (NOBODY,) * len(GOLD_CITIES)  # whose city bonus works (R-CITY-01)
    marker: int = NOBODY
    ring: tuple[int, ...] = ()  # armies around the table
    order: tuple[int, ...] = ()  # of this round's turns
    round: int = 0
    turn: int = 0
    crown_cards: int = CROWN_CARDS  # left to buy
    unseen: tuple[str, ...] = ()  # missions on top of the pile, whose order chance decides
    bottom: tuple[Returned, ...] = ()  # below them, in order
    over: str = ""  # why the game ended
    ranking: tuple[tuple[int, ...], ...] = ()
