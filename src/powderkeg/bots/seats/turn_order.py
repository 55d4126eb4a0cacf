"""Who is asked next at a table: the same wherever bots play.

A game may let a seat answer an offer out of turn (`pending_offers` of its bots). Such a seat is asked before
those who must act, so that nobody goes on before it was heard; about each offer once.
"""

from collections.abc import Iterable

from powderkeg.bots.game_bots import bots_of
from powderkeg.core.chance import CHANCE
from powderkeg.core.game import Game, Seat, State


class Asking:
    """Remembers which offers were put, each with the state in which that was. To the seats of
    `deaf` none is."""

    def __init__(
        self, game: Game, seats: tuple[Seat, ...], deaf: frozenset[Seat] = frozenset()
    ) -> None:
        self.game, self.seats, self.deaf = game, seats, deaf
        self.offered = bots_of(game).pending_offers
        self.put: dict[tuple[Seat, str], State] = {}

    def asked(self, state: State) -> tuple[Seat, ...]:
        """Whose answer is wanted: that of the seat with an offer, else of all who must act, in seat
        order; nobody's when the game is over. It stays so until the state changes; an undo that
        brings a state back puts its offer again."""
        if not (acting := self.game.to_act(state) - {CHANCE}):
            return ()
        for offer in self.offered(state):
            seat = offer[0]
            if seat not in self.deaf and self.put.setdefault(offer, state) is state:
                return (seat,)
        return tuple(seat for seat in self.seats if seat in acting)

    def silent(self, state: State) -> None:
        """Who was asked says nothing to the offer, which is an answer: it is put no more."""
        for offer, when in self.put.items():
            if when is state:
                self.put[offer] = None

    def copy(self) -> "Asking":
        other = Asking(self.game, self.seats, self.deaf)
        other.put = dict(self.put)
        return other


def deaf(bot: object, seats: Iterable[Seat]) -> frozenset[Seat]:
    """Those of a bot's seats to which no offer is put: all, if it is pure luck, which would mostly
    make offers of its own, to people too."""
    return frozenset(seats) if getattr(bot, "name", "") == "random" else frozenset()
