"""The agenda: first named, first done; steps act until one must wait for chance or players."""

import inspect
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, replace
from typing import Any, NamedTuple

import pytest

from powderkeg.core.agenda import (
    Flow,
    Kind,
    in_place,
    never_forced,
    plain_fact,
    push,
    quicken_constructors,
    replace_fields,
)
from powderkeg.core.ask import Amount, Question
from powderkeg.core.chance import Dice, Roll
from powderkeg.core.game import Fact, Listed, Step, fact
from powderkeg.core.words import Msg


@dataclass(frozen=True)
class Pending:
    """A step; its classes are the kinds."""


class Crisis(Pending):
    pass


class Uprising(Pending):
    pass


class Reveal(Pending):
    pass


class Ask(Pending):
    pass


class Secret(Pending):
    pass


class Rolled(Pending):
    pass


@dataclass(frozen=True)
class State:
    agenda: tuple[Pending, ...]
    done: tuple[str, ...] = ()
    choices: int = 2


def done(state: State, what: str, *more: Pending, barrier: bool = False) -> Step:
    after = replace(state, agenda=push(state.agenda[:-1], *more), done=(*state.done, what))
    return Step(after, (fact(f"a.{what}", "A-01"),), barrier)


def answers(state: State, step: Any, who: int) -> Listed:
    return Listed(range(state.choices))


ASK: Kind[State, State] = Kind(
    asked=lambda state, step: (1, 2),
    legal=answers,
    answer=lambda state, step, who, action: done(state, f"{who} says {action}"),
    question=lambda state, step, who: Question(Msg("a.ask"), Amount(0, 1)),
)
KINDS: dict[type, Kind[State, State]] = {
    Crisis: Kind(act=lambda state, step: done(state, "crisis", Uprising(), Ask())),
    Uprising: Kind(act=lambda state, step: done(state, "uprising")),
    Reveal: Kind(act=lambda state, step: done(state, "reveal", barrier=True)),
    Ask: ASK,
    Secret: ASK._replace(
        forced=never_forced, revisable=True, default=lambda state, step, who: who * 10
    ),
    Rolled: Kind(
        act=lambda state, step: None,  # it finds that it must wait
        owed=lambda state, step: Dice(1),
        outcome=lambda state, step, roll: done(state, f"rolled {roll}"),
    ),
}
FLOW: Flow[State, State] = Flow(KINDS)


def codes(facts: tuple[Fact, ...]) -> list[str]:
    return [each.msg.code for each in facts]


def test_first_named_comes_first():
    assert push(("later",), "first", "second") == ("later", "second", "first")
    assert push((), "only") == ("only",)


def test_steps_act_until_one_asks():
    after = FLOW.run(State(push((), Crisis(), Reveal())))
    assert after.state.done == ("crisis", "uprising")
    assert after.state.agenda == (Reveal(), Ask())
    assert codes(after.facts) == ["a.crisis", "a.uprising"]
    assert not after.barrier


def test_a_barrier_anywhere_holds_for_all():
    after = FLOW.run(State(push((), Reveal(), Uprising())))
    assert after == Step(
        State((), ("reveal", "uprising")),
        (Fact(Msg("a.reveal"), "A-01"), Fact(Msg("a.uprising"), "A-01")),
        barrier=True,
    )


def test_nothing_pending_nothing_done():
    assert FLOW.run(State(())) == Step(State(()))


def test_a_moment_says_who_is_asked_and_what_may_be_answered():
    state = State((Ask(),))
    now = FLOW.moment(state)
    assert (now.owed, now.asked) == (None, (1, 2))
    assert now.may_answer(1)
    assert not now.may_answer(3)
    assert list(now.legal(1)) == [0, 1]
    assert now.legal(1) is now.legal(1), "worked out once"
    assert now.default(1) == 0, "the first, where the kind says nothing else"
    assert now.question(1).prompt.code == "a.ask"
    assert FLOW.moment(state) is now
    assert FLOW.moment(State((Ask(),))) is not now


def test_a_moment_is_kept_where_a_run_stops():
    after = FLOW.run(State((Ask(),))).state
    assert FLOW._latest is FLOW.moment(after)


def test_a_single_choice_is_made_without_asking():
    after = FLOW.run(State((Ask(),), choices=1))
    assert after.state.done == ("1 says 0",)
    assert after.state.agenda == ()


def test_unless_asking_nothing_would_tell_it():
    state = State((Secret(),), choices=1)
    assert FLOW.run(state) == Step(state)
    now = FLOW.moment(state)
    assert now.may_answer(3), "answers may be changed"
    assert now.default(2) == 20


def test_chance_is_waited_for():
    state = State(push((), Rolled(), Uprising()))
    assert FLOW.run(state) == Step(state)
    now = FLOW.moment(state)
    assert (now.owed, now.asked) == (Dice(1), ())
    assert not now.may_answer(1)
    assert now.legal(1).count_all() == 0
    after = FLOW.resume(now.kind.outcome(state, now.step, Roll((3,))))
    assert after.state.done == ("rolled roll 3", "uprising")
    assert codes(after.facts) == ["a.rolled roll 3", "a.uprising"]


def test_what_a_kind_does_not_say_cannot_be_done():
    with pytest.raises(NotImplementedError, match="Uprising"):
        KINDS[Uprising].answer(State(()), Uprising(), 1, "x")


class Builder:
    """A state that is changed in place."""

    def __init__(self, *agenda: Pending) -> None:
        self.agenda = push((), *agenda)
        self.done: list[str] = []

    def pop(self) -> None:
        self.agenda = self.agenda[:-1]


def rise(builder: Builder, step: Uprising) -> None:
    builder.done.append(f"uprising before {len(builder.agenda)}")


def test_a_builder_is_changed_in_place():
    flow: Flow[Builder, Builder] = Flow({Uprising: Kind(act=in_place(rise))})
    builder = Builder(Uprising(), Uprising())
    after = flow.run(builder)
    assert after == Step(builder)
    assert builder.done == ["uprising before 1", "uprising before 0"]
    again = Builder(Uprising(), Uprising())
    flow.run_in_place(again)
    assert (again.done, again.agenda) == (builder.done, ())


def test_a_fact_made_quickly_is_the_same_fact():
    quick, usual = (make("a.b", "R-1", n=2, who=Msg("a.c")) for make in (plain_fact, fact))
    assert (type(quick), quick, quick.seen_by(None)) == (Fact, usual, True)
    assert type(quick.msg) is Msg


class Record(NamedTuple):
    one: int = 1
    two: str = "b"


def test_fields_of_a_record_are_replaced():
    record = Record()
    assert replace_fields(record, two="c") == record._replace(two="c") == (1, "c")
    assert type(replace_fields(record, one=5)) is Record
    with pytest.raises(KeyError):
        replace_fields(record, three=3)


@dataclass(frozen=True, slots=True)
class Bidder:
    name: str
    cubes: int = 3


@dataclass(frozen=True, slots=True, init=False)
class Nobody:
    pass


SIGNATURE = inspect.signature(Bidder)
BEFORE = Bidder.__init__
quicken_constructors((Bidder, Nobody))


def test_values_are_made_as_before():
    assert Bidder.__init__ is not BEFORE
    assert inspect.signature(Bidder) == SIGNATURE
    assert Bidder("uk") == Bidder(name="uk", cubes=3) == replace(Bidder("usa"), name="uk")
    assert repr(Bidder("uk", 1)) == "Bidder(name='uk', cubes=1)"
    assert pickle.loads(pickle.dumps(Bidder("uk", 2))) == Bidder("uk", 2)
    assert Nobody() == Nobody()


@dataclass(frozen=True, slots=True)
class Listing:
    names: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Checked:
    name: str

    def __post_init__(self):
        assert self.name


@pytest.mark.parametrize("kind", [Listing, Checked])
def test_constructors_that_compute_values_are_left_alone(kind):
    before = kind.__init__
    with pytest.raises(TypeError, match=kind.__name__):
        quicken_constructors([kind])
    assert kind.__init__ is before


def test_values_stay_frozen_and_ask_for_all_they_need():
    with pytest.raises(FrozenInstanceError):
        Bidder("uk").cubes = 4
    with pytest.raises(TypeError):
        Bidder()
