"""The flow: who acts, what is legal, what follows. Everything else is in the modules it calls."""

from collections.abc import Iterator
from typing import Any

from powderkeg.core import chance
from powderkeg.core.chance import CHANCE, Rng
from powderkeg.core.errors import Illegal
from powderkeg.core.game import Legal, Listed, Result, Step
from powderkeg.games.versailles import actions
from powderkeg.games.versailles.actions import (
    Advance,
    Cube,
    Decline,
    Draw,
    End,
    Modify,
    Option,
    Pass,
    Place,
    Reclaim,
    Refuse,
    Settle,
)
from powderkeg.games.versailles.board import GAME_END, NOBODY
from powderkeg.games.versailles.cards.reader import pack_of
from powderkeg.games.versailles.deals import binding, offers
from powderkeg.games.versailles.kinds import (
    ACTS,
    ASKED,
    answers,
    check,
    decider,
    deciding_seat,
    forced,
    goes_on,
    owed,
    sample,
    settle_chance,
    waits_for_chance,
)
from powderkeg.games.versailles.rules import score, setup
from powderkeg.games.versailles.rules.settle import deck_size
from powderkeg.games.versailles.state import Draft, Options, State, nation_of, refused
from powderkeg.games.versailles.steps import ChooseOption, EndTurn

name = "versailles"
version = 1
players = range(1, 5)

TALKS = 32  # a random player makes or answers an offer about once in so many decisions


def seats(players: int, options: Options) -> tuple[str, ...]:
    """Seats have no nation yet: nations are chosen in the game (V-SET-03)."""
    if players == 1 and options.length != 20:
        raise refused("solo_length", "V-SET-10")
    pack_of(options.pack)
    return tuple(f"P{i + 1}" for i in range(players))


def start(seats: tuple[str, ...], options: Options) -> State:
    return setup.first_state(seats, options)


def to_act(state: State) -> frozenset[str]:
    return frozenset((awaited(state),)) if state.agenda else frozenset()


def awaited(state: State) -> str:
    """Whose answer the pending step waits for: a seat's or chance's."""
    return CHANCE if waits_for_chance(state, state.agenda[-1]) else deciding_seat(state)


def legal(state: State, seat: str) -> Legal:
    if seat == CHANCE:
        step = state.agenda[-1] if state.agenda else None
        return owed(state) if step and waits_for_chance(state, step) else Listed()
    return Lawful(state, seat)


class Lawful:
    """What a seat may do: the answers to what it is asked, and talk at any time.

    Iterating lists every answer and a few offers; `in` knows every offer that is legal.
    """

    __slots__ = ("asked", "seat", "state")

    def __init__(self, state: State, seat: str) -> None:
        self.state, self.seat = state, seat
        self.asked = bool(state.agenda) and awaited(state) == seat

    def __contains__(self, action: object) -> bool:
        try:
            check_action(self.state, self.seat, action)
        except Illegal:
            return False
        return True

    def __iter__(self) -> Iterator[Any]:
        if self.asked:
            yield from kept_answers(self.state)
        yield from offers.listed(self.state, self.seat)

    def count_all(self) -> int:
        return sum(1 for _ in self)

    def sample(self, rng: Rng) -> Any:
        if not self.asked:
            said = list(offers.listed(self.state, self.seat))
            return said[rng.randrange(len(said))]
        if rng.randrange(TALKS) == 0 and (said := offers.sample(self.state, self.seat, rng)):
            return said
        if self.state.deals:
            kept = kept_answers(self.state)
            return kept[rng.randrange(len(kept))]
        return sample(self.state, rng)


def kept_answers(state: State | Draft) -> list[Any]:
    """Answers to the pending question that keep every deal."""
    found = answers(state)
    if not state.deals:
        return found
    step, nation = state.agenda[-1], decider(state)
    return [a for a in found if not binding.broken_by(state, step, nation, a)]


def check_action(state: State, seat: str, action: Any) -> None:
    """Raise the precise reason why `seat` may not do this now."""
    if not state.agenda:
        raise refused("over", "V-END-03")
    if seat not in state.seats:
        raise refused("no_seat", "V-SET-16", seat=seat)
    if type(action) in actions.TALK:
        offers.check_talk(state, seat, action)
        return
    if type(action) not in actions.ALL:
        raise refused("not_now", "V-TURN-03", action=str(action))
    if seat != awaited(state):
        raise refused("not_your_decision", "V-TURN-11")
    check(state, action)
    step = state.agenda[-1]
    if state.deals and (number := binding.broken_by(state, step, decider(state), action)):
        raise refused("breaks_deal", "V-NEG-02", deal=number)


def apply(state: State, seat: str, action: Any) -> Step:
    draft = Draft(state)
    if seat == CHANCE:
        _chance(draft, state, action)
    else:
        check_action(state, seat, action)
        if type(action) in actions.TALK:
            offers.talk(draft, seat, action)
        else:
            _answer(draft, action)
    run(draft)
    return Step(draft.freeze(), tuple(draft.facts))


def _chance(draft: Draft, state: State, outcome: chance.Outcome) -> None:
    if outcome not in legal(state, CHANCE):
        raise refused("no_chance", "V-EVENT-08", outcome=str(outcome))
    step = draft.agenda[-1]
    draft.pop()
    settle_chance(draft, step, outcome)


def _answer(draft: Draft, action: Any) -> None:
    step, nation = draft.agenda[-1], decider(draft)
    kept = not binding.broken_by(draft, step, nation, action)  # only a forced answer may break one
    draft.pop()
    ASKED[type(step)].answer(draft, step, action)
    if draft.deals and kept:
        binding.strike(draft, step, nation, action)


def run(d: Draft) -> None:
    """Let steps act until one waits for somebody, or the game is over."""
    while d.agenda:
        step = d.agenda[-1]
        if act := ACTS.get(type(step)):
            d.pop()
            if type(step) is EndTurn:
                binding.end_turn(d)
            act(d, step)
        elif waits_for_chance(d, step):
            break
        elif (only := forced(d, step)) is not None:
            _answer(d, only)
        elif not goes_on(d, step):
            break
    if d.deals:
        _drop_impossible(d)


def _drop_impossible(d: Draft) -> None:
    binding.expire(d)
    if d.deals and (nation := decider(d)) != NOBODY and not kept_answers(d):
        binding.release(d, nation)


def default(state: State, seat: str) -> Any:
    """The first of the most harmless answers; out of turn, no to an offer that waits for one."""
    if seat not in to_act(state):
        nation = nation_of(state, seat)
        waiting = (
            d for d in state.deals if not d.made and nation in set(d.parties) - set(d.agreed)
        )
        return Refuse(next(waiting).number)
    return min(kept_answers(state), key=lambda action: harm(state, action))


def harm(p: State, action: Any) -> tuple[int, int]:
    """How much an answer would do in the name of somebody who is away: less is better."""
    match action:
        case End() | Pass() | Decline() | Modify(0) | Cube(False):
            return 0, 0
        case Reclaim(n, regions):
            return 1, len(regions) - n  # cubes home, units stay
        case Place(_, n):
            return 2, n
        case Settle(issue):
            return 3, issue == GAME_END
        case Option(option):
            return 1, _unhappiness(p, option)
        case Draw():
            return (0 if deck_size(p) else 9), 0  # an empty deck would end the game
        case Advance(card):
            return 1, card == GAME_END
    return 5, 0


def _unhappiness(p: State, option: str) -> int:
    step = p.agenda[-1]
    if not isinstance(step, ChooseOption):
        return 0
    issue = p.pack.issues[step.issue]
    return -issue.options[issue.option(option)].mood(decider(p))


def result(state: State) -> Result | None:
    return score.result(state)


def parse(text: str) -> actions.Action | chance.Outcome:
    return actions.parse(text)
