"""Bots beside people: how many of the orders in real games a bot would have given, and where it differs.

Every unit of every movement is one order; a unit without one holds. A bot sees what the player saw, and
its orders are compared with the player's, word for word.
"""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from powderkeg.bots.engine.thought import Bot
from powderkeg.core.chance import CHANCE
from powderkeg.core.game import Seat, State, View
from powderkeg.core.record import Record, replay_record
from powderkeg.core.table import UNDO
from powderkeg.games import diplomacy
from powderkeg.games.diplomacy.actions import (
    Absent,
    Convoy,
    Hold,
    Move,
    Ready,
    Support,
    parse_unit,
)


class HumanTurn(NamedTuple):
    """A movement of one seat: where it began, and the orders of its units, by province."""

    phase: str
    seat: Seat
    view: View
    orders: dict[str, str]
    won: bool  # whether the seat won the game in the end


@dataclass
class OrderTally:
    """The orders that were compared, how many were the same, and their kinds on both sides."""

    orders: int = 0
    same: int = 0
    human: Counter[str] = field(default_factory=Counter)
    bot: Counter[str] = field(default_factory=Counter)

    def add_turn(self, human: dict[str, str], bot: dict[str, str]) -> None:
        self.orders += len(human)
        self.same += sum(bot[at] == order for at, order in human.items())
        self.human.update(map(order_kind, human.values()))
        self.bot.update(map(order_kind, bot.values()))


def order_kind(text: str) -> str:
    """The kind of an order: hold, move, support or convoy."""
    match diplomacy.parse(text):
        case Move():
            return "move"
        case Support():
            return "support"
        case Convoy():
            return "convoy"
    return "hold"


def human_turns(rec: Record) -> Iterator[HumanTurn]:
    """Every movement of every seat in a game, as it was ordered in the end."""
    table = replay_record(Record(rec.header, ()), diplomacy)
    begun: dict[tuple[str, Seat], State] = {}
    written: dict[tuple[str, Seat], dict[str, str]] = {}
    for entry in rec.entries:
        state = table.state
        table.enter(entry)
        key = (state.phase, entry.seat)
        if state.stage != "movement" or entry.seat == CHANCE or entry.do == UNDO:
            continue
        begun.setdefault(key, state)
        action = diplomacy.parse(entry.do)
        if isinstance(action, Hold | Move | Support | Convoy):
            written.setdefault(key, {})[action.unit.province] = str(action)
    winners = table.result.winners if table.result else ()
    for (phase, seat), state in begun.items():
        view = diplomacy.view(state, seat)
        orders = _default_holds(view) | written.get((phase, seat), {})
        yield HumanTurn(phase, seat, view, orders, seat in winners)


def _default_holds(view: View) -> dict[str, str]:
    units = (
        parse_unit(text)
        for power in view["seats"][view["seat"]]["powers"]
        for text in view["units"][power]
    )
    return {unit.province: str(Hold(unit)) for unit in units}


def bot_orders(bot: Bot, view: View, seed: str) -> dict[str, str]:
    """What a bot orders in a movement that begins with `view`."""
    orders, seat = _default_holds(view), view["seat"]
    rng = random.Random(seed)
    state = diplomacy.deal(view, rng)
    while seat in diplomacy.to_act(state):
        question = diplomacy.ask(state, seat)
        assert question is not None  # noqa: S101  # who must act is asked
        legal = diplomacy.legal(state, seat)
        action = bot(diplomacy.view(state, seat), question, legal, rng)
        if isinstance(action, Ready | Absent):
            break
        if isinstance(action, Hold | Move | Support | Convoy):
            orders[action.unit.province] = str(action)
        state = diplomacy.apply(state, seat, action).state
    return orders


def compare_orders(bot: Bot, turns: Iterator[HumanTurn]) -> tuple[OrderTally, OrderTally]:
    """The orders of all players beside a bot's, and those of the winners alone."""
    everybody, winners = OrderTally(), OrderTally()
    for turn in turns:
        found = bot_orders(bot, turn.view, f"{turn.phase}/{turn.seat}")
        for tally in (everybody, winners) if turn.won else (everybody,):
            tally.add_turn(turn.orders, found)
    return everybody, winners
