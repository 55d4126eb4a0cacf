"""Judging by playing on with quick bots: what an action is worth when its turn is over, and how others may
punish a mistake. For games whose turns have many steps, and bots that weigh whole turns and so show no
alternatives to a single step."""

import random
from typing import Final, NamedTuple

from powderkeg.bots import levels
from powderkeg.bots.engine.budget import Clock
from powderkeg.bots.engine.shares import mean_with_error
from powderkeg.bots.engine.thought import ThinkingBot, Verdict
from powderkeg.bots.game_bots import bots_of
from powderkeg.core.ask import Question
from powderkeg.core.chance import CHANCE, Rng
from powderkeg.core.game import Action, Game, Seat, State, View

QUICK_LEVEL: Final = "normal"  # quick, and not foolish
TRIED_WORLDS: Final = 3
MOST_STEPS, MOST_ANSWERS = 24, 3  # actions played on, and those of others that are shown


def compare_turns(
    game: Game, view: View, one: Action, other: Action, clock: Clock, seed: str
) -> tuple[float, float]:
    """How much better a turn that goes on with `one` is for the seat than with `other`, and the standard
    error. Both are played on in the same worlds with the same luck; an iteration is one such world."""
    rng, bot = random.Random(seed), levels.find_bot(game, QUICK_LEVEL)
    gaps: list[float] = []
    while clock.tick():
        world, luck = game.deal(view, rng), rng.randrange(1 << 62)
        better, worse = (
            _worth_after_turn(game, world, view["seat"], action, bot, random.Random(luck))
            for action in (one, other)
        )
        gaps.append(better - worse)
    return mean_with_error(gaps)


def _worth_after_turn(
    game: Game, world: State, seat: Seat, action: Action, bot: ThinkingBot, rng: Rng
) -> float:
    know, state = bots_of(game).knowledge, game.apply(world, seat, action).state
    for _ in range(MOST_STEPS):
        mover = next((each for each in (CHANCE, seat) if each in game.to_act(state)), "")
        if not mover:
            break
        question = None if mover == CHANCE else game.ask(state, mover)
        state = game.apply(state, mover, _next_action(game, state, mover, question, bot, rng)).state
    return know.seat_worth(know.evaluate_state(state, rng), seat)


class PunishingLine(NamedTuple):
    """What the seat is worth after a mistake when others have answered it, and their answers: who, what,
    and the question."""

    worth: float
    answers: tuple[tuple[Seat, Action, Question], ...]


def add_punishment(game: Game, view: View, verdict: Verdict, seed: str) -> Verdict:
    """A verdict on one action with, of a few likely continuations, the one that is worst for the seat."""
    rng, bot = random.Random(seed), levels.find_bot(game, QUICK_LEVEL)
    lines = [_play_on(game, view, verdict.did[0], bot, rng) for _ in range(TRIED_WORLDS)]
    worst = min(lines, key=lambda line: line.worth).answers
    then = tuple((seat, action) for seat, action, _ in worst)
    return verdict._replace(then=then, asked=tuple(question for _, _, question in worst))


def _play_on(game: Game, view: View, did: Action, bot: ThinkingBot, rng: Rng) -> PunishingLine:
    """Play on in one dealt world until others have answered, or it is the seat's turn again."""
    know, seat = bots_of(game).knowledge, view["seat"]
    state = game.apply(game.deal(view, rng), seat, did).state
    answers = list[tuple[Seat, Action, Question]]()
    for _ in range(MOST_STEPS):
        acting = sorted(game.to_act(state))
        if not acting or len(answers) == MOST_ANSWERS or (answers and seat in acting):
            break
        mover, question = acting[0], None if acting[0] == CHANCE else game.ask(state, acting[0])
        action = _next_action(game, state, mover, question, bot, rng)
        answers += [(mover, action, question)] if question and mover != seat else []
        state = game.apply(state, mover, action).state
    return PunishingLine(know.seat_worth(know.evaluate_state(state, rng), seat), tuple(answers))


def _next_action(
    game: Game, state: State, seat: Seat, question: Question | None, bot: ThinkingBot, rng: Rng
) -> Action:
    legal = game.legal(state, seat)
    if question is None:  # luck
        return legal.sample(rng)
    return bot(game.view(state, seat), question, legal, rng)
