"""The agenda: small pending steps, kept in the state as a stack: the last step of the tuple runs next.

An uprising inside a crisis inside a settlement is three layers of a stack. Since the agenda is
data, a game can be stored, copied and resumed between any two steps. A game that uses it has

- steps (`steps.py`): frozen values that say what is pending, with the few details it needs;
- `KINDS` (`flow.py`, in Versailles `kinds.py`): one `Kind` per class of step, with everything that such a step can do. It
  acts by itself, or waits for dice or cards, or asks players and waits for their answers;
- a `Flow` of these kinds: `run` lets steps act until one must wait, `moment` says what the state
  waits for, and `resume` applies an answer and everything that follows from it.

A callback that makes something happen returns a `Step` whose state no longer has the step on its
agenda. A game that changes a builder instead of making new states wraps its callbacks with
`in_place`; `run_in_place` then runs the builder, and the game freezes it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar

from powderkeg.core.ask import Question
from powderkeg.core.chance import Owed
from powderkeg.core.game import Action, Fact, Legal, Listed, Step
from powderkeg.core.words import Arg, Msg, set_args, set_code

T = TypeVar("T")
R = TypeVar("R", bound=tuple[Any, ...])  # a named tuple


class Planned(Protocol):
    """A state with an agenda."""

    @property
    def agenda(self) -> tuple[Any, ...]: ...


class Builder(Planned, Protocol):
    """A state under construction, which is changed in place."""

    def pop(self) -> None:
        """Take the step on top off the agenda."""


P = TypeVar("P", bound=Planned)  # what callbacks look at
B = TypeVar("B", bound=Planned)  # what callbacks change: the same, or a builder of it
W = TypeVar("W", bound=Builder)


CHANGED: Final = Step(None)  # what a callback returns that has changed the builder it was given
_new_record: Final[Any] = tuple.__new__  # named tuples without their slow constructors
_new_object: Final[Any] = object.__new__
_STEP: Final[Any] = Step
_FACT: Final[Any] = Fact  # a final name is not looked up again in compiled code
_MSG: Final[Any] = Msg
_set_code: Final[Any] = set_code
_set_args: Final[Any] = set_args
_PLACES: Final[dict[type, dict[str, int]]] = {}  # of the fields of each class


def replace_fields(record: R, /, **changes: Any) -> R:
    """A named tuple with some fields changed, in less than half the time of `_replace`."""
    kind = type(record)
    places = _PLACES.get(kind)
    if places is None:
        places = _PLACES[kind] = {name: n for n, name in enumerate(kind._fields)}  # type: ignore[attr-defined]  # a named tuple
    values = list(record)
    for name, value in changes.items():
        values[places[name]] = value
    made: R = _new_record(kind, values)
    return made


def quicken_constructors(kinds: Iterable[type]) -> None:
    """Let frozen dataclasses fill their slots directly: half the time of their own constructors,
    which ask `object.__setattr__` for every field. A class that computes values while it is made is refused."""
    for kind in kinds:
        known = fields(kind)
        computed = any(f.default_factory is not MISSING for f in known)
        if computed or hasattr(kind, "__post_init__"):
            raise TypeError(f"{kind.__qualname__} computes values while it is made")
        if not known:
            continue
        scope: dict[str, Any] = {f"set_{f.name}": vars(kind)[f.name].__set__ for f in known}
        scope |= {f"default_{f.name}": f.default for f in known}
        taken = [f.name if f.default is MISSING else f"{f.name}=default_{f.name}" for f in known]
        filled = [f"set_{f.name}(self, {f.name})" for f in known]
        source = f"def __init__(self, {', '.join(taken)}): {'; '.join(filled)}"
        exec(source, scope)  # noqa: S102  # as dataclasses do: names of fields, nothing from outside
        made = scope["__init__"]
        made.__qualname__ = f"{kind.__qualname__}.__init__"
        made.__annotations__ = kind.__init__.__annotations__  # type: ignore[misc]  # of this class
        kind.__init__ = made  # type: ignore[misc]  # in place of the one that dataclasses made


_NO_SEATS: Final = frozenset[str]()


def state_fact(code: str, rule: str, args: Mapping[str, Arg]) -> Fact:
    """A fact for everybody, without the constructors in between: rules state thousands. The caller no
    longer changes `args`."""
    said: Msg = _new_object(_MSG)
    _set_code(said, code)
    _set_args(said, args)
    made: Fact = _new_record(_FACT, (said, rule, None, _NO_SEATS, False, ""))
    return made


def plain_fact(code: str, rule: str, /, **args: Arg) -> Fact:
    """As `game.fact`, in a third of the time."""
    return state_fact(code, rule, args)


def opening_fact(phase: str, code: str, rule: str, /, **args: Arg) -> Fact:
    """A fact for everybody with which a phase begins."""
    return state_fact(code, rule, args)._replace(opens=phase)


def quick_step(state: Any, facts: list[Fact], *, barrier: bool = False) -> Step:
    """As `game.Step`, in less time."""
    made: Step = _new_record(_STEP, (state, tuple(facts), barrier))
    return made


def push(agenda: tuple[T, ...], *steps: T) -> tuple[T, ...]:
    """Put `steps` before everything pending; the first one named happens first."""
    return agenda + steps[::-1]


def sole_answer(now: "Moment[Any, Any]", who: int) -> Action | None:
    """The only legal answer; None where there is a choice."""
    choices = now.legal(who)
    return next(iter(choices)) if choices.count_all() == 1 else None


def never_forced(now: "Moment[Any, Any]", who: int) -> None:
    """For steps that ask even if there is only one choice: skipping the question would reveal it."""


def _not_of_this_kind(*args: object) -> Any:
    raise NotImplementedError(f"no step like {args[1]} gets here: its kind does not say how")


class Kind(NamedTuple, Generic[P, B]):
    """Everything that one kind of step can do. `who` is the number by which a game knows a player.

    A step that acts needs `act`; one that waits for chance `owed` and `outcome`; one that asks
    `asked`, `legal`, `answer` and `question`. A step may do one after the other.
    """

    act: Callable[[B, Any], Step | None] | None = None
    """What happens by itself; None is returned when the step must wait."""
    owed: Callable[[P, Any], Owed | None] | None = None
    """The dice or cards that it waits for, if it waits for chance now."""
    outcome: Callable[[B, Any, Any], Step] = _not_of_this_kind
    """What follows from the dice or cards."""
    asked: Callable[[P, Any], tuple[int, ...]] = lambda state, step: ()
    """The players whose answers it waits for."""
    legal: Callable[[P, Any, int], Legal] = lambda state, step, who: Listed()
    """What a player may answer."""
    answer: Callable[[B, Any, int, Any], Step] = _not_of_this_kind
    """What follows from an answer; raises `Illegal` with the reason for what is not legal."""
    question: Callable[[P, Any, int], Question] = _not_of_this_kind
    """How it is put to a player."""
    default: Callable[[P, Any, int], Action] | None = None
    """The harmless answer of a player who is away; without one, the first legal answer."""
    forced: Callable[["Moment[Any, Any]", int], Action | None] = sole_answer
    """The answer that is given without asking, if there is one."""
    revisable: bool = False
    """Whether a player who has answered may change the answer until all have."""


class Moment(Generic[P, B]):
    """A state that waits: what chance owes, or who is asked and what each may answer."""

    __slots__ = ("_legal", "asked", "kind", "owed", "state", "step")

    def __init__(self, kinds: Mapping[type, Kind[P, B]], state: P) -> None:
        self.state, self.step = state, state.agenda[-1]
        self.kind = kinds[type(self.step)]
        owed = self.kind.owed
        self.owed = owed(state, self.step) if owed is not None else None
        self.asked = () if self.owed is not None else self.kind.asked(state, self.step)
        self._legal: dict[int, Legal] | None = None

    def may_answer(self, who: int) -> bool:
        """Whether `who` is asked, or may still change an answer."""
        return who in self.asked or (self.kind.revisable and self.owed is None)

    def legal(self, who: int) -> Legal:
        """The legal answers of `who`; computed once."""
        known = self._legal
        if known is None:
            known = self._legal = {}
        elif who in known:
            return known[who]
        found = known[who] = self.kind.legal(self.state, self.step, who)
        return found

    def question(self, who: int) -> Question:
        return self.kind.question(self.state, self.step, who)

    def default(self, who: int) -> Action:
        """The answer given for `who` if they miss the deadline."""
        if self.kind.default is not None:
            return self.kind.default(self.state, self.step, who)
        return next(iter(self.legal(who)))

    def forced(self) -> tuple[int, Action] | None:
        """A player with only one possible answer, and that answer; it needs no click."""
        for who in self.asked:
            if (action := self.kind.forced(self, who)) is not None:
                return who, action
        return None


class Flow(Generic[P, B]):
    """Runs agendas by a table of kinds."""

    __slots__ = ("_latest", "kinds")

    def __init__(self, kinds: Mapping[type, Kind[P, B]]) -> None:
        self.kinds = kinds
        self._latest: Moment[Any, B] | None = None

    def moment(self, state: P) -> Moment[P, B]:
        """What `state` waits for. The latest result is cached: the same state is asked about often."""
        now = self._latest  # read once: another thread may put its own there
        if now is None or now.state is not state:
            self._latest = now = Moment(self.kinds, state)
        return now

    def run(self, state: B) -> Step:
        """Let the steps on top act until one must wait or nothing is pending."""
        return self._run_on(state, [], barrier=False)

    def run_in_place(self, builder: B) -> None:
        """As `run`, for kinds whose callbacks all change the builder they are given."""
        while (agenda := builder.agenda) and self._advance(builder, agenda[-1]) is not None:
            pass

    def resume(self, first: Step) -> Step:
        """The result of an answer or outcome, with everything that follows from it automatically. After a
        callback that is `in_place`, `run` the builder instead: `CHANGED` has no state."""
        return self._run_on(first.state, list(first.facts), barrier=first.barrier)

    def _run_on(self, state: Any, facts: list[Fact], *, barrier: bool) -> Step:
        while (agenda := state.agenda) and (done := self._advance(state, agenda[-1])) is not None:
            if done is not CHANGED:
                state = done.state
                facts.extend(done.facts)
                barrier = barrier or done.barrier
        return quick_step(state, facts, barrier=barrier)

    def _advance(self, state: B, step: Any) -> Step | None:
        """Let the step on top act, or answer it where there is no choice; None when it waits."""
        act = self.kinds[type(step)].act
        if act is not None and (done := act(state, step)) is not None:
            return done
        now: Moment[Any, B] = Moment(self.kinds, state)
        if (forced := now.forced()) is None:
            self._latest = now
            return None
        return now.kind.answer(state, step, *forced)


def in_place(change: Callable[[W, Any], None]) -> Callable[[W, Any], Step]:
    """Wrap an `act` that changes a builder: it then pops the step and returns `CHANGED`."""

    def changed(builder: W, step: Any) -> Step:
        builder.pop()
        change(builder, step)
        return CHANGED

    return changed
