"""Which seats are asked next at a table; shared by all programs that run bots.

A game may let a seat answer an offer out of turn (`pending_offers` of its bots). Such a seat is
asked once per offer, before the seats that must act, so that the game does not go on without it.
"""

from collections.abc import Container, Iterable

from powderkeg.bots.characters import split_name
from powderkeg.bots.game_bots import bots_of
from powderkeg.core.chance import CHANCE
from powderkeg.core.game import Game, HoldsGame, Seat, State


def answers_offers(level: str) -> bool:
    """Whether bots of a level are shown offers; the random bot is not, as it would mostly make new ones."""
    return split_name(level)[0] != "random"


def open_offers(game: Game, state: State, deaf: Container[Seat] = ()) -> list[tuple[Seat, str]]:
    """The offers that wait for an answer, without those to the seats of `deaf`."""
    return [offer for offer in bots_of(game).pending_offers(state) if offer[0] not in deaf]


class TurnOrder(HoldsGame):
    """Remembers which offers were shown, each with the state of that moment.

    The seats of `deaf` are shown none.
    """

    def __init__(
        self, game: Game, seats: tuple[Seat, ...], deaf: frozenset[Seat] = frozenset()
    ) -> None:
        self.game, self.seats, self.deaf = game, seats, deaf
        self.shown: dict[tuple[Seat, str], State] = {}

    def next_seats(self, state: State) -> tuple[Seat, ...]:
        """The seat with an offer, else all seats that must act, in seat order; none after the end.

        The answer stays the same until the state changes. An undo that brings a state back shows
        its offer again.
        """
        if not (acting := self.game.to_act(state) - {CHANCE}):
            return ()
        for offer in open_offers(self.game, state, self.deaf):
            if self.shown.setdefault(offer, state) is state:
                return (offer[0],)
        return tuple(seat for seat in self.seats if seat in acting)

    def skip_offer(self, state: State) -> None:
        """Take silence as the answer to the offer of `state`: it is not shown again."""
        for offer, when in self.shown.items():
            if when is state:
                self.shown[offer] = None

    def replace_state(self, before: State, after: State) -> None:
        """Count offers shown in the state `before` as shown in `after`, which replaces it."""
        for offer, when in self.shown.items():
            if when is before:
                self.shown[offer] = after

    def forget_states(self, now: State) -> None:
        """Forget all states in which offers were shown, except the present one."""
        self.shown = {offer: when if when is now else None for offer, when in self.shown.items()}

    def copy(self) -> "TurnOrder":
        other = TurnOrder(self.game, self.seats, self.deaf)
        other.shown = dict(self.shown)
        return other


def seats_without_offers(bot: object, seats: Iterable[Seat]) -> frozenset[Seat]:
    """The seats that are shown no offers: all seats of the level, or none."""
    return frozenset() if answers_offers(getattr(bot, "name", "")) else frozenset(seats)
