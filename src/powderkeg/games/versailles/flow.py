"""The flow of the game: the contract's functions, which run the table of `kinds`."""

from collections.abc import Iterator
from typing import Any

from powderkeg.core import chance
from powderkeg.core.agenda import Flow
from powderkeg.core.ask import One, Question
from powderkeg.core.chance import CHANCE, Rng
from powderkeg.core.errors import Illegal
from powderkeg.core.game import Legal, Listed, Result, Step
from powderkeg.core.words import Msg
from powderkeg.games.versailles import actions
from powderkeg.games.versailles.actions import RefuseDeal
from powderkeg.games.versailles.board import NOBODY
from powderkeg.games.versailles.cards.reader import pack_of
from powderkeg.games.versailles.deals import binding, feasibility, offers
from powderkeg.games.versailles.deals.form import offer_options
from powderkeg.games.versailles.kinds import (
    KINDS,
    deciding_nation,
    deciding_seat,
    kept_answers,
    legal_answers,
)
from powderkeg.games.versailles.rules import score, setup
from powderkeg.games.versailles.state import Options, State, StateBuilder, nation_of

name = "versailles"
version = 1
players = range(1, 5)

FLOW = Flow(KINDS)
TALK_ODDS = 32  # a random player makes or answers an offer about once in this many decisions


def seats(players: int, options: Options) -> tuple[str, ...]:
    """Seats have no nation yet: nations are chosen in the game (V-SET-03)."""
    if players == 1 and options.length != 20:
        raise Illegal("versailles.refused.solo_length", rule="V-SET-10")
    pack_of(options.pack)
    return tuple(f"P{i + 1}" for i in range(players))


def start(seats: tuple[str, ...], options: Options) -> State:
    return setup.first_state(seats, options)


def to_act(state: State) -> frozenset[str]:
    return frozenset((awaited_seat(state),)) if state.agenda else frozenset()


def awaited_seat(state: State) -> str:
    """The seat that must answer the pending step, or `CHANCE`."""
    return deciding_seat(state) if FLOW.moment(state).owed is None else CHANCE


def ask(state: State, seat: str) -> Question | None:
    """The pending question and the deals that may be offered; out of turn, the deals alone."""
    offered = tuple(offer_options(state, seat))
    if seat not in to_act(state):
        return Question(Msg("versailles.ask.talk"), One(offered)) if offered else None
    now = FLOW.moment(state)
    question = now.question(now.asked[0])
    assert isinstance(question.node, One)  # noqa: S101  # so `put_question` makes them
    return Question(question.prompt, One((*question.node.options, *offered)))


# Legal actions


def legal(state: State, seat: str) -> Legal:
    if seat != CHANCE:
        return SeatActions(state, seat)
    return (FLOW.moment(state).owed if state.agenda else None) or Listed()


class SeatActions:
    """The legal actions of a seat: answers to its question, and offers of deals at any time.

    Iterating lists every answer and a few offers; `in` knows every offer that is legal.
    """

    __slots__ = ("is_asked", "seat", "state")

    def __init__(self, state: State, seat: str) -> None:
        self.state, self.seat = state, seat
        self.is_asked = bool(state.agenda) and awaited_seat(state) == seat

    def __contains__(self, action: object) -> bool:
        try:
            check_action(self.state, self.seat, action)
        except Illegal:
            return False
        return True

    def __iter__(self) -> Iterator[Any]:
        if self.is_asked:
            yield from kept_answers(self.state)
        yield from offers.list_talk(self.state, self.seat)

    def count_all(self) -> int:
        return sum(1 for _ in self)

    def sample(self, rng: Rng) -> Any:
        if not self.is_asked:
            said = list(offers.list_talk(self.state, self.seat))
            return said[rng.randrange(len(said))]
        if rng.randrange(TALK_ODDS) == 0 and (
            said := offers.sample_talk(self.state, self.seat, rng)
        ):
            return said
        if self.state.deals:
            kept = kept_answers(self.state)
            return kept[rng.randrange(len(kept))]
        return legal_answers(self.state).sample(rng)


def check_action(state: State, seat: str, action: Any) -> None:
    """Raise the precise reason why `seat` may not do this now."""
    if not state.agenda:
        raise Illegal("versailles.refused.over", rule="V-END-03")
    if seat not in state.seats:
        raise Illegal("versailles.refused.no_seat", rule="V-SET-16", seat=seat)
    if type(action) in actions.TALK:
        offers.check_talk(state, seat, action)
        return
    if type(action) not in actions.ALL:
        raise Illegal("versailles.refused.not_now", rule="V-TURN-03", action=str(action))
    if seat != awaited_seat(state):
        raise Illegal("versailles.refused.not_your_decision", rule="V-TURN-11")
    legal_answers(state).check(action)
    step = state.agenda[-1]
    if state.deals and (number := binding.broken_deal(state, step, deciding_nation(state), action)):
        raise Illegal("versailles.refused.breaks_deal", rule="V-NEG-02", deal=number)


# Applying actions


def apply(state: State, seat: str, action: Any) -> Step:
    builder = StateBuilder(state)
    if seat == CHANCE:
        _apply_chance(builder, state, action)
    else:
        check_action(state, seat, action)
        if type(action) in actions.TALK:
            offers.apply_talk(builder, seat, action)
        else:
            now = FLOW.moment(state)
            now.kind.answer(builder, now.step, now.asked[0], action)
    run_steps(builder)
    return Step(builder.freeze(), tuple(builder.facts))


def _apply_chance(builder: StateBuilder, state: State, outcome: chance.Outcome) -> None:
    if outcome not in legal(state, CHANCE):
        raise Illegal("versailles.refused.no_chance", rule="V-EVENT-08", outcome=str(outcome))
    now = FLOW.moment(state)
    now.kind.outcome(builder, now.step, outcome)


def run_steps(b: StateBuilder) -> None:
    """Let steps act until one must wait or the game is over; then drop the deals that have become
    impossible."""
    FLOW.run(b)
    if b.deals:
        feasibility.expire_deals(b)
    if b.deals and (nation := deciding_nation(b)) != NOBODY and not kept_answers(b):
        binding.release_nation(b, nation)


def default(state: State, seat: str) -> Any:
    """The most harmless answer; out of turn, no to an offer that waits for this seat."""
    if seat in to_act(state):
        now = FLOW.moment(state)
        return now.default(now.asked[0])
    nation = nation_of(state, seat)
    waiting = (x for x in state.deals if not x.made and nation in set(x.parties) - set(x.agreed))
    return RefuseDeal(next(waiting).number)


def result(state: State) -> Result | None:
    return score.game_result(state)


def parse(text: str) -> actions.Action | chance.Outcome:
    return actions.parse(text)
