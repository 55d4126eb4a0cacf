"""The flow of the game: the contract's functions, which run the table of `kinds`."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final, cast

from powderkeg.core.agenda import Flow, quick_step
from powderkeg.core.ask import One, Question
from powderkeg.core.chance import CHANCE, Outcome, Rng
from powderkeg.core.errors import Illegal
from powderkeg.core.game import Legal, Listed, Result, Step
from powderkeg.core.words import Msg
from powderkeg.games.versailles import actions, words
from powderkeg.games.versailles.actions import RefuseDeal
from powderkeg.games.versailles.board import NOBODY
from powderkeg.games.versailles.cards.certainty import name_cards, own_names
from powderkeg.games.versailles.cards.reader import pack_of
from powderkeg.games.versailles.deals import binding, exchange, feasibility, offers
from powderkeg.games.versailles.deals.form import offer_options
from powderkeg.games.versailles.kinds import (
    KINDS,
    asked_seat,
    deciding_nation,
    kept_answers,
)
from powderkeg.games.versailles.rules import score, setup
from powderkeg.games.versailles.rules.answers import LegalAnswers, pick_one
from powderkeg.games.versailles.state import Options, Position, State, StateBuilder, nation_of

name = "versailles"
version = 4
players = range(1, 5)

FLOW: Final = Flow(KINDS)
TALK_ODDS: Final = 32  # a random player makes or answers an offer about once in this many decisions


def seats(players: int, options: Options) -> tuple[str, ...]:
    """Seats have no nation yet: nations are chosen in the game (V-SET-03)."""
    if players == 1 and options.length != 20:
        raise Illegal("versailles.refused.solo_length", rule="V-SET-10")
    if set(options.solo_series) - set("wl"):
        raise Illegal("versailles.refused.solo_series", rule="V-SOLO-45")
    pack_of(options.pack)
    return tuple(f"P{i + 1}" for i in range(players))


def start(seats: tuple[str, ...], options: Options) -> State:
    return setup.first_state(seats, options)


def to_act(state: State) -> frozenset[str]:
    return frozenset((awaited_seat(_last_built(state)),)) if state.agenda else frozenset()


def awaited_seat(p: Position) -> str:
    """The seat that must answer the pending step, or `CHANCE`."""
    now = FLOW.moment(p)
    return asked_seat(p, now.step, now.asked) if now.owed is None else CHANCE


def ask(state: State, seat: str) -> Question | None:
    """The pending question and the deals that may be offered; out of turn, the deals alone."""
    offered = tuple(offer_options(state, seat))
    if seat not in to_act(state):
        return Question(_talk_prompt(state, seat), One(offered)) if offered else None
    now = FLOW.moment(state)
    question = now.question(now.asked[0])
    assert isinstance(question.node, One)  # noqa: S101  # so `put_question` makes them
    return Question(question.prompt, One((*question.node.options, *offered)))


def _talk_prompt(state: State, seat: str) -> Msg:
    """Whose offer waits for an answer; else that deals are possible."""
    nation = nation_of(state, seat)
    waiting = [x for x in state.deals if not x.made and nation in set(x.parties) - set(x.agreed)]
    if not waiting:
        return Msg("versailles.ask.talk")
    return Msg("versailles.ask.offer", nation=words.NATION[waiting[0].by])


# Legal actions


def legal(state: State, seat: str) -> Legal:
    p = _last_built(state)
    if seat != CHANCE:
        return SeatActions(p, seat)
    return (FLOW.moment(p).owed if state.agenda else None) or Listed()


class SeatActions:
    """The legal actions of a seat: answers to its question, and offers of deals at any time.

    Iterating lists every answer and a few offers; `in` knows every offer that is legal.
    """

    __slots__ = ("is_asked", "p", "seat")

    def __init__(self, p: Position, seat: str) -> None:
        self.p, self.seat = p, seat
        self.is_asked = bool(p.agenda) and awaited_seat(p) == seat

    def __contains__(self, action: object) -> bool:
        try:
            check_action(self.p, self.seat, action)
        except Illegal:
            return False
        return True

    def __iter__(self) -> Iterator[Any]:
        if self.is_asked:
            yield from kept_answers(self.p)
        yield from offers.list_talk(self.p, self.seat)

    def count_all(self) -> int:
        return sum(1 for _ in self)

    def sample(self, rng: Rng) -> Any:
        if not self.is_asked:
            return pick_one(list(offers.list_talk(self.p, self.seat)), rng)
        if rng.randrange(TALK_ODDS) == 0 and (said := offers.sample_talk(self.p, self.seat, rng)):
            return said
        if self.p.deals:
            return pick_one(kept_answers(self.p), rng)
        return _now_legal(self.p).sample(rng)


def _now_legal(p: Position) -> LegalAnswers:
    """As `legal_answers`, but listed once for a position."""
    now = FLOW.moment(p)
    return cast(LegalAnswers, now.legal(now.asked[0]))


def check_action(p: Position, seat: str, action: Any) -> None:
    """Raise the precise reason why `seat` may not do this now."""
    if not p.agenda:
        raise Illegal("versailles.refused.over", rule="V-END-03")
    if seat not in p.seats:
        raise Illegal("versailles.refused.no_seat", rule="V-SET-16", seat=seat)
    if type(action) in actions.TALK:
        offers.check_talk(p, seat, action)
        return
    if type(action) not in actions.ALL:
        raise Illegal("versailles.refused.not_now", rule="V-TURN-03", action=str(action))
    if seat != awaited_seat(p):
        raise Illegal("versailles.refused.not_your_decision", rule="V-TURN-11")
    _now_legal(p).check(action)
    step = p.agenda[-1]
    if p.deals and (number := binding.broken_deal(p, step, deciding_nation(p), action)):
        raise Illegal("versailles.refused.breaks_deal", rule="V-NEG-02", deal=number)


# Applying actions


def apply(state: State, seat: str, action: Any) -> Step:
    """What follows from an action. Facts and refusals use the names of the pack in play."""
    names = own_names(_last_built(state).pack)
    if not names:
        return _apply_action(state, seat, action)
    try:
        step = _apply_action(state, seat, action)
    except Illegal as error:
        named = name_cards(names, error.msg)
        raise Illegal(named.code, rule=error.rule, **named.args) from None
    renamed = (fact._replace(msg=name_cards(names, fact.msg)) for fact in step.facts)
    return step._replace(facts=tuple(renamed))


def _apply_action(state: State, seat: str, action: Any) -> Step:
    p = _last_built(state)
    builder = StateBuilder(p)
    if seat == CHANCE:
        _apply_chance(builder, p, action)
    else:
        check_action(p, seat, action)
        if type(action) in actions.TALK:
            offers.apply_talk(builder, seat, action)
        else:
            now = FLOW.moment(p)
            now.kind.answer(builder, now.step, now.asked[0], action)
    run_steps(builder)
    after = builder.freeze()
    _LATEST[0] = (after, builder)
    return quick_step(after, builder.facts)


# The state that was made last and its builder, which nobody changes any more: mostly the same state
# is asked about next, and compiled rules read a builder many times faster.
_LATEST: Final[list[tuple[State, StateBuilder] | None]] = [None]


def _last_built(state: State) -> Position:
    """The builder of `state` if that was made last; otherwise the state itself."""
    latest = _LATEST[0]  # read once: another thread may put its own there
    return latest[1] if latest is not None and latest[0] is state else state


def _apply_chance(builder: StateBuilder, p: Position, outcome: Outcome) -> None:
    now = FLOW.moment(p) if p.agenda else None
    if now is None or now.owed is None or outcome not in now.owed:
        raise Illegal("versailles.refused.no_chance", rule="V-EVENT-08", outcome=str(outcome))
    now.kind.outcome(builder, now.step, outcome)


def run_steps(b: StateBuilder) -> None:
    """Let steps act until one must wait or the game is over; then carry out the exchanges that are
    due and drop the deals that have become impossible."""
    FLOW.run_in_place(b)
    while b.deals and exchange.carry_out_due(b):
        FLOW.run_in_place(b)
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
    found = score.game_result(state)
    names = own_names(state.pack)
    if found is None or not names:
        return found
    return replace(found, sheet=tuple(name_cards(names, line) for line in found.sheet))
