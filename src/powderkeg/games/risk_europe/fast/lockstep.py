"""Random games by the readable rules and on the compiled board at once, compared after every action."""

from typing import Any, Final, NamedTuple

from powderkeg.core.chance import CHANCE, Rng
from powderkeg.games.risk_europe import flow
from powderkeg.games.risk_europe.fast import kernel
from powderkeg.games.risk_europe.fast.boards import SearchBoard
from powderkeg.games.risk_europe.fast.layout import MOST_LISTED
from powderkeg.games.risk_europe.fast.state_arrays import outcome_numbers, plain_order
from powderkeg.games.risk_europe.state import Options, State

RULINGS: Final = (  # options to walk through: every ruling, missions, a custom pack
    Options(rounds=30),
    Options(rounds=30, mercenary_seat="ring", mercenary_king="army", tie="target"),
    Options(rounds=30, mercenary_king="nobody", mercenary_losses="controller"),
    Options(rounds=30, missions=True),
    Options(
        rounds=30,
        missions=True,
        mercenary_losses="controller",
        cards='{"treasurer":{"mission":{"least":6}},"great_realm":{"mission":{"least":5}}}',
    ),
)
UNASKED: Final = 20  # one action in so many is of a player who is not asked, where that is legal


class Walk(NamedTuple):
    """How many actions were compared, and the last state."""

    steps: int
    state: State


class Mismatch(AssertionError):
    """The board is not that of the rules."""


class GamePair:
    """A state and its board."""

    def __init__(self, players: int, options: Options) -> None:
        self.state: State = flow.start(flow.seats(players, options), options)
        self.board = SearchBoard.of(self.state)

    def compare_all(self) -> None:
        """The same state, the same players asked, and the same legal actions for each."""
        ours, theirs = self.board.state(), plain_order(self.state)
        if ours != theirs:
            names = zip(State._fields, ours, theirs, strict=True)
            raise Mismatch({name: pair for name, *pair in names if pair[0] != pair[1]})
        acting = flow.to_act(self.state)
        asked = kernel.CHANCE_ASKED if CHANCE in acting else _seat_bits(self.state, acting)
        if self.board.asked() != asked:
            raise Mismatch(f"asked are {acting}, not {self.board.asked():b}")
        for who in range(self.state.people):
            self._compare_legal(who)

    def _compare_legal(self, who: int) -> None:
        legal = flow.legal(self.state, self.state.colours[who])
        if self.board.count(who) != legal.count_all():
            raise Mismatch(f"player {who}: {self.board.count(who)}, not {legal.count_all()}")
        if legal.count_all() <= MOST_LISTED:
            ours = sorted(self.board.legal(who).tolist())
            if ours != sorted(map(self.board.code, legal)):
                raise Mismatch([str(self.board.action(code)) for code in ours])

    def random_step(self, rng: Rng) -> None:
        """The same random action in both."""
        seat = self._random_seat(rng)
        action: Any = flow.legal(self.state, seat).sample(rng)
        self.state = flow.apply(self.state, seat, action).state
        if seat == CHANCE:
            self.board.chance(outcome_numbers(action))
        else:
            self.board.act(self.state.colours.index(seat), self.board.code(action))

    def _random_seat(self, rng: Rng) -> str:
        seats = sorted(flow.to_act(self.state))
        if CHANCE not in seats and rng.randrange(UNASKED) == 0:
            people = self.state.colours[: self.state.people]
            seats = [seat for seat in people if flow.legal(self.state, seat).count_all()]
        return seats[rng.randrange(len(seats))]


def _seat_bits(state: State, acting: frozenset[str]) -> int:
    return sum(1 << state.colours.index(seat) for seat in acting)


def walk_game(players: int, rng: Rng, options: Options, most: int = 1 << 30) -> Walk:
    """Play a random game, or the first actions of one, and compare after every action."""
    pair = GamePair(players, options)
    steps = 0
    pair.compare_all()
    while flow.to_act(pair.state) and steps < most:
        pair.random_step(rng)
        pair.compare_all()
        steps += 1
    return Walk(steps, pair.state)
