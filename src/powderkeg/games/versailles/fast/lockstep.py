"""Random games by the readable rules and on the compiled board at once, compared after every step."""

from dataclasses import fields
from typing import Any, Final, NamedTuple

from powderkeg.core.chance import CHANCE, Rng
from powderkeg.games.versailles import flow
from powderkeg.games.versailles.fast import kernel
from powderkeg.games.versailles.fast.boards import TreatyBoard
from powderkeg.games.versailles.fast.state_arrays import fallen_numbers, plain_past
from powderkeg.games.versailles.kinds import legal_answers
from powderkeg.games.versailles.rules.score import score_sheet
from powderkeg.games.versailles.state import Options, State

READINGS: Final = (  # options to walk through: every reading, every length, a custom pack
    Options(),
    Options(length=5, keg_stays=False, strategies_at_once=True),
    Options(length=10, rebid_controller=False, league_region="none", zero_doubled=False),
    Options(length=15, deck_end="always", empty_uprising_resets=True),
    Options(
        length=5,
        deck_end="always",
        pack='{"board.cubes":25,"board.units":5,"issues.rheinland.stars":9,'
        '"events.house.optional":true}',
    ),
)


class TreatyWalk(NamedTuple):
    """How many steps were compared, and the last state."""

    steps: int
    state: State


class TreatyMismatch(AssertionError):
    """The board is not that of the rules."""


class TreatyPair:
    """A state and its board."""

    def __init__(self, players: int, options: Options) -> None:
        self.state: State = flow.start(flow.seats(players, options), options)
        self.board = TreatyBoard.of(self.state)
        self.scored = 0  # the turn in which scores were last compared: once per turn is enough

    def compare_all(self) -> None:
        """The same state, the same seat asked, the same legal answers and the same scores."""
        ours, theirs = self.board.state(), plain_past(self.state)
        if ours != theirs:
            raise TreatyMismatch(_differing_fields(ours, theirs))
        acting = flow.to_act(self.state)
        if self.board.asked() != _seat_number(self.state, acting):
            raise TreatyMismatch(f"asked are {acting}, not {self.board.asked()}")
        self._compare_legal(acting)
        if self.state.turn and (self.state.over or self.state.turn != self.scored):
            self.scored = self.state.turn
            self._compare_scores()

    def _compare_legal(self, acting: frozenset[str]) -> None:
        asked = acting and CHANCE not in acting
        legal = sorted(map(self.board.code, legal_answers(self.state))) if asked else []
        if sorted(self.board.legal().tolist()) != legal:
            ours = {str(self.board.action(code)) for code in self.board.legal()}
            raise TreatyMismatch(ours ^ {str(self.board.action(code)) for code in legal})

    def _compare_scores(self) -> None:
        theirs = tuple(score_sheet(self.state, nation).total for nation in self.state.order)
        if self.board.scores() != theirs:
            raise TreatyMismatch(f"scores {self.board.scores()}, not {theirs}")

    def random_step(self, rng: Rng) -> None:
        """The same random answer or outcome in both."""
        (seat,) = flow.to_act(self.state)
        if seat == CHANCE:
            outcome: Any = flow.legal(self.state, CHANCE).sample(rng)
            self.state = flow.apply(self.state, CHANCE, outcome).state
            self.board.chance(fallen_numbers(outcome))
            return
        action = legal_answers(self.state).sample(rng)
        self.board.act(self.board.code(action))
        self.state = flow.apply(self.state, seat, action).state


def _seat_number(state: State, acting: frozenset[str]) -> int:
    if not acting:
        return kernel.ASKS_NOBODY
    (seat,) = acting
    return kernel.ASKS_CHANCE if seat == CHANCE else state.seats.index(seat)


def _differing_fields(ours: State, theirs: State) -> dict[str, Any]:
    names = [field.name for field in fields(State)]
    pairs = {name: (getattr(ours, name), getattr(theirs, name)) for name in names}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def walk_treaty(players: int, rng: Rng, options: Options, most: int = 1 << 30) -> TreatyWalk:
    """Play a random game, or the first steps of one, and compare after every step."""
    pair = TreatyPair(players, options)
    steps = 0
    pair.compare_all()
    while flow.to_act(pair.state) and steps < most:
        pair.random_step(rng)
        pair.compare_all()
        steps += 1
    return TreatyWalk(steps, pair.state)
