"""Bots that talk: what a game's bots must provide to negotiate at a table.

An envoy (`envoy` of a game's `GameBots`: a module will do) speaks a formal language, whose texts people
read in words of their own. What it remembers is JSON, kept by the host between two calls.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from powderkeg.bots.engine.budget import Clock
from powderkeg.core.chance import Rng
from powderkeg.core.game import Seat, View
from powderkeg.core.words import Msg


class FormalNote(NamedTuple):
    """A message in the formal language, from `seat` to some seats (none: to everybody).

    `reason` is the code of a sentence that says why, beside a refusal.
    """

    seat: Seat
    to: tuple[Seat, ...]
    text: str
    reason: str = ""


class EnvoyReply(NamedTuple):
    """What an envoy says and remembers, and whether its promises now require other orders."""

    notes: tuple[FormalNote, ...]
    memory: Any
    rebound: bool = False


class PromisePart(NamedTuple):
    """One promise of an offer as a person puts it together: a kind and what it is about."""

    kind: str
    against: tuple[Seat, ...] = ()
    places: tuple[str, ...] = ()
    action: str = ""


class PromiseKind(NamedTuple):
    """A kind of promise, and which field of a `PromisePart` it needs, if any."""

    kind: str
    label: Msg
    needs: str = ""


class Envoy(Protocol):
    """The interface of an envoy, as its host calls it."""

    TALKING_LEVELS: Sequence[str]  # the levels that talk
    TALKING_STAGES: Sequence[str]  # the stages of a game in which they talk
    REOPEN_ACTION: str  # the action that reopens the orders of a seat that is ready

    def canonical_text(self, text: str, /) -> str:
        """The text in its standard spelling, or `Unreadable`."""

    def describe_text(self, text: str, /) -> Msg:
        """A text in words."""

    def expects_answer(self, text: str, /) -> bool:
        """Whether a text waits for a yes or no."""

    def answer_text(self, text: str, /, *, agree: bool) -> str:
        """The answer to a text that asks."""

    def promise_kinds(self) -> Sequence[PromiseKind]:
        """The kinds of promises."""

    def promise_places(self) -> Sequence[tuple[str, Msg]]:
        """The places that a promise may be about."""

    def compose_offer(self, view: View, to: Sequence[Seat], parts: Sequence[PromisePart], /) -> str:
        """The text that offers these promises, all together, or `Unreadable`."""

    def split_offer(self, view: View, sender: Seat, text: str, /) -> Sequence[PromisePart]:
        """The parts from which the seat of the view and the sender would compose the offer of a text; none
        if they could not."""

    def answer_prose(
        self, view: View, to: Seat, text: str, memory: Any = None, earlier: str = "", /
    ) -> Msg:
        """What the bot at `to` says to a letter in a person's own words: what it has understood, and
        which offer that would be. `view` is the writer's, and of the bot's memory the answer reveals
        only what the two have agreed on; `earlier` is the letter that this one may go on with."""

    def exchange_letters(
        self,
        view: View,
        memory: Any,
        heard: Sequence[FormalNote],
        rng: Rng,
        clock: Clock | None,
        /,
        *,
        public: bool,
    ) -> EnvoyReply:
        """What to say now: proposals when it is time for them, and answers to the letters received."""

    def bind_view(self, view: View, memory: Any, /) -> Mapping[str, Any]:
        """The view with the promises that the bot must consider."""
