"""Optional knowledge of a game for a search, beyond its rules.

Search deals its worlds with `game.deal(view, rng)` alone, so nothing that a view hides can be used.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from powderkeg.bots.engine.shares import Shares, outcome_shares
from powderkeg.core.chance import CHANCE, Rng
from powderkeg.core.game import Action, Game, Legal, Seat, State


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Value, candidates and policy for a search.

    `value`: each seat's expected share in a state (None: play on to the end); `candidates`: actions
    worth weighing, best first (None: all, or a sample of many); `policy`: how a seat plays on
    (None: at random); `hinder`: how much of the strongest rival's share a seat counts as its own
    loss, so that no bot helps another to win; `width`: the most actions weighed; `horizon`: the
    most actions of a line played on.
    """

    game: Game
    value: Callable[[State], Shares] | None = None
    candidates: Callable[[State, Seat, Legal, Rng], Sequence[Action]] | None = None
    policy: Callable[[State, Seat, Rng], Action] | None = None
    hinder: float = 0.0
    width: int = 32
    horizon: int = 2000

    def options(self, state: State, seat: Seat, legal: Legal, rng: Rng) -> Sequence[Action]:
        """The actions that `seat` weighs: no more than `width` of them."""
        if self.candidates is not None:
            return self.candidates(state, seat, legal, rng)[: self.width]
        if legal.count_all() <= self.width:
            return tuple(legal)
        return tuple(dict.fromkeys(legal.sample(rng) for _ in range(self.width)))

    def play(self, state: State, seat: Seat, rng: Rng) -> State:
        """The state after `seat` has acted by the policy."""
        game = self.game
        if self.policy is not None and seat != CHANCE:
            return game.apply(state, seat, self.policy(state, seat, rng)).state
        return game.apply(state, seat, game.legal(state, seat).sample(rng)).state

    def evaluate_state(self, state: State, rng: Rng) -> Shares:
        """Each seat's expected share: by value, or by playing on to the end."""
        if self.value is None:
            return self.rollout_shares(state, rng)
        state = self.after_chance(state, rng)
        result = self.game.result(state)
        return self.value(state) if result is None else outcome_shares(result)

    def after_chance(self, state: State, rng: Rng) -> State:
        """The state after the pending rolls and draws."""
        game = self.game
        while CHANCE in game.to_act(state):
            state = game.apply(state, CHANCE, game.legal(state, CHANCE).sample(rng)).state
        return state

    def rollout_shares(self, state: State, rng: Rng) -> Shares:
        """The shares after playing on to the end; equal shares if the game does not end."""
        game = self.game
        for _ in range(self.horizon):
            acting = game.to_act(state)
            if not acting:
                break
            state = self.play(state, min(acting), rng)
        result = game.result(state)
        if result is not None:
            return outcome_shares(result)
        seats = sorted(game.to_act(state) - {CHANCE})
        return self.value(state) if self.value else dict.fromkeys(seats, 0.0)

    def seat_worth(self, shares: Shares, seat: Seat) -> float:
        """The value of `shares` to `seat`: its own, less what it counts against a rival."""
        mine = shares.get(seat, 0.0)
        if not self.hinder:
            return mine
        return mine - self.hinder * max((n for s, n in shares.items() if s != seat), default=0.0)
