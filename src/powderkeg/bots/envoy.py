"""Bots that talk: what a game's bots bring along so that they can negotiate at a table.

An envoy (`envoy` of a game's `GameBots`: a module will do) speaks a formal language, whose texts people
read in words of their own. What it remembers is JSON, kept by the host between two calls.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from powderkeg.bots.engine.budget import Clock
from powderkeg.core.chance import Rng
from powderkeg.core.game import Seat, View
from powderkeg.core.words import Msg


class Note(NamedTuple):
    """Something said in the formal language, by `seat` to some seats (to none: to everybody)."""

    seat: Seat
    to: tuple[Seat, ...]
    text: str


class Spoken(NamedTuple):
    """What an envoy says, what it remembers, and whether it is bound to other orders now."""

    notes: tuple[Note, ...]
    memory: Any
    rebound: bool = False


class Part(NamedTuple):
    """One promise of an offer as a person puts it together: a kind and what it is about."""

    kind: str
    against: tuple[Seat, ...] = ()
    places: tuple[str, ...] = ()
    action: str = ""


class Kind(NamedTuple):
    """A kind of promise, and which field of a `Part` it needs, if any."""

    kind: str
    label: Msg
    needs: str = ""


class Envoy(Protocol):
    """What a host asks of an envoy."""

    LEVELS: Sequence[str]  # the levels that talk
    STAGES: Sequence[str]  # the stages of a game in which they do
    AGAIN: str  # the action by which who is ready opens its orders again

    def read(self, text: str, /) -> str:
        """The same text as it is always spelled, or `Unreadable`."""

    def said(self, text: str, /) -> Msg:
        """What a text says."""

    def asks(self, text: str, /) -> bool:
        """Whether a text waits for a yes or no."""

    def answer(self, text: str, /, *, agree: bool) -> str:
        """The answer to a text that asks."""

    def kinds(self) -> Sequence[Kind]:
        """What may be promised."""

    def places(self) -> Sequence[tuple[str, Msg]]:
        """The places that a promise may be about."""

    def compose(self, view: View, to: Sequence[Seat], parts: Sequence[Part], /) -> str:
        """The text that offers these promises, all together, or `Unreadable`."""

    def correspond(
        self,
        view: View,
        memory: Any,
        heard: Sequence[Note],
        rng: Rng,
        clock: Clock | None,
        /,
        *,
        public: bool,
    ) -> Spoken:
        """What to say now: proposals when it is time for them, and answers to what was heard."""

    def bound(self, view: View, memory: Any, /) -> Mapping[str, Any]:
        """The view of a bot that thinks of what was promised."""
