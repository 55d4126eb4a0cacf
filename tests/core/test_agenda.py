"""The agenda: first named, first done; acting stops where somebody is asked."""

from dataclasses import dataclass, replace

from powderkeg.core.agenda import push, run
from powderkeg.core.game import Fact, Step
from powderkeg.core.words import Msg


@dataclass(frozen=True)
class State:
    agenda: tuple[str, ...]
    done: tuple[str, ...] = ()


def act(state: State, step: str) -> Step | None:
    if step == "ask":
        return None
    more = ("uprising", "ask") if step == "crisis" else ()
    rest = push(state.agenda[:-1], *more)
    told = (Fact(Msg(f"a.{step}")),)
    return Step(replace(state, agenda=rest, done=(*state.done, step)), told, step == "reveal")


def test_first_named_comes_first():
    assert push(("later",), "first", "second") == ("later", "second", "first")
    assert push((), "only") == ("only",)


def test_steps_act_until_one_asks():
    after = run(State(push((), "resolve", "crisis", "event")), act)
    assert after.state.done == ("resolve", "crisis", "uprising")
    assert after.state.agenda == ("event", "ask")
    assert [fact.msg.code for fact in after.facts] == ["a.resolve", "a.crisis", "a.uprising"]
    assert not after.barrier


def test_a_barrier_anywhere_holds_for_all():
    assert run(State(push((), "reveal", "event")), act) == Step(
        State((), ("reveal", "event")), (Fact(Msg("a.reveal")), Fact(Msg("a.event"))), barrier=True
    )


def test_nothing_pending_nothing_done():
    assert run(State(()), act) == Step(State(()))
