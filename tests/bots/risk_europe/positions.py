"""Positions of Risk Europe that the tests of its bots share."""

import random
from collections.abc import Iterator
from typing import Any

from powderkeg import bots
from powderkeg.bots.engine.thought import Bot
from powderkeg.bots.risk_europe import (
    weights,
)
from powderkeg.core.chance import CHANCE
from powderkeg.games import risk_europe
from powderkeg.games.risk_europe.board import (
    CITY_AT,
    EMPTY,
    NOBODY,
    TERRITORY_NAMES,
    TERRITORY_NUMBER,
)
from powderkeg.games.risk_europe.state import (
    State,
    replace_at,
)
from powderkeg.games.risk_europe.steps import Pick

W = weights.learnt_odds()
SHORT = bots.Budget(iterations=8)


def positions(seed: int, players: int = 4, **options: Any) -> Iterator[tuple[State, str]]:
    """States of a game between normal bots, with one who is to act."""
    chosen = risk_europe.Options(**options)
    state = risk_europe.start(risk_europe.seats(players, chosen), chosen)
    rng, mind = random.Random(seed), bots.find_bot(risk_europe, "normal").exact()
    while acting := risk_europe.to_act(state):
        if CHANCE in acting:
            outcome = risk_europe.legal(state, CHANCE).sample(rng)
            state = risk_europe.apply(state, CHANCE, outcome).state
            continue
        seat = min(acting)
        yield state, seat
        state = risk_europe.apply(state, seat, answer(mind, state, seat)).state


def answer(mind: Bot, state: State, seat: str) -> Any:
    question = risk_europe.ask(state, seat)
    assert question is not None
    legal = risk_europe.legal(state, seat)
    return mind(risk_europe.view(state, seat), question, legal, random.Random(9))


def board(**changes: Any) -> State:
    """Four kingdoms, nobody else on the map."""
    chosen = risk_europe.Options()
    state: State = risk_europe.start(risk_europe.seats(4, chosen), chosen)
    owner, units = [NOBODY] * len(TERRITORY_NAMES), [EMPTY] * len(TERRITORY_NAMES)
    for army, city in enumerate(("london", "rome", "kiev", "madrid")):
        owner[CITY_AT[city]], units[CITY_AT[city]] = army, (6, 0, 0, 0)
    return state._replace(
        owner=tuple(owner),
        units=tuple(units),
        agenda=(Pick(),),
        marker=0,
        ring=(0, 1, 2, 3),
        order=(0, 1, 2, 3),
        round=1,
        **changes,
    )


def with_stack(state: State, army: int, place: str, footmen: int, archers: int = 0) -> State:
    at = TERRITORY_NUMBER[place]
    there = (footmen, archers, 0, 0)
    return state._replace(
        owner=replace_at(state.owner, at, army), units=replace_at(state.units, at, there)
    )
