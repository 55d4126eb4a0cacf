"""Bots and positions of Versailles that the tests of its bots share."""

import random
from typing import Any

from powderkeg.bots import Budget, levels
from powderkeg.bots.arena import tournament
from powderkeg.bots.engine.thought import ThinkingBot
from powderkeg.bots.versailles.levels import JUDGE
from powderkeg.bots.versailles.policy import Policy, play_policy
from powderkeg.core.chance import CHANCE
from powderkeg.games import versailles
from powderkeg.games.versailles.state import Options, State
from powderkeg.games.versailles.steps import Turn

SMALL = Budget(6)
RULEBOOK = Options()
LEVELS = ("easy", "normal", "hard", "expert")


def mind(level: str) -> ThinkingBot:
    return levels.find_bot(versailles, level, SMALL)


def think(level: str, p: State, seat: str, seed: object = 0) -> Any:
    question, legal = versailles.ask(p, seat), versailles.legal(p, seat)
    assert question is not None
    return mind(level).think(versailles.view(p, seat), question, legal, random.Random(f"{seed}"))


def begin(players: int, options: Options = RULEBOOK) -> State:
    return versailles.start(versailles.seats(players, options), options)


def step(p: State, rng: random.Random, choose: Any) -> State:
    """One action of the seat that is to act."""
    seat = min(versailles.to_act(p))
    legal = versailles.legal(p, seat)
    action = legal.sample(rng) if seat == CHANCE else choose(p, seat, rng)
    after: State = versailles.apply(p, seat, action).state
    return after


def by_chance(p: State, seat: str, rng: random.Random) -> Any:
    return versailles.legal(p, seat).sample(rng)


def at_turn(turn: int, seed: int = 1, players: int = 4) -> State:
    """A position at the start of a turn, as quick players reach it."""
    rng, p = random.Random(seed), begin(players)
    while p.turn == 0:
        p = step(p, rng, by_chance)
    p = play_policy(Policy(JUDGE), p, rng, turn)
    assert isinstance(p.agenda[-1], Turn)
    assert not p.political
    return p


def play(
    lineup: list[str], seed: int, options: dict[str, Any] | None = None
) -> tournament.GameOutcome:
    names = {name: name for name in dict.fromkeys(lineup)}
    planned = tournament.plan_tournament(
        versailles,
        names,
        (tournament.Mixed(tuple(lineup)),),
        players=len(lineup),
        options=options or {},
    )
    return tournament.play_pairing(planned, tournament.Pairing(seed, tuple(lineup))).played
