"""Letters at a table, as a player reads and writes them."""

from typing import NamedTuple

from powderkeg.bots.envoy import PromisePart
from powderkeg.core.game import Seat


class TableMessage(NamedTuple):
    """A message; `to` empty: to everybody.

    `promises` make it a formal offer, which the bots of a game understand; `answers` is the number
    of the offer to which it says yes or no. In a received message, `number` identifies it and
    `asks` says whether it waits for a yes or no.
    """

    sender: Seat
    to: tuple[Seat, ...]
    text: str
    promises: tuple[PromisePart, ...] = ()
    answers: int = 0
    agree: bool = False
    number: int = 0
    asks: bool = False
