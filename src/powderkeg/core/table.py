"""A game in progress: a state and the log that led to it. No I/O; the caller passes the time."""

from collections.abc import Iterable, Iterator
from copy import deepcopy
from typing import Any, NamedTuple

from powderkeg.core import chance
from powderkeg.core.ask import Question
from powderkeg.core.chance import CHANCE, Source
from powderkeg.core.errors import Illegal, RulesError, Unreadable
from powderkeg.core.game import (
    Action,
    Fact,
    Game,
    HoldsGame,
    Legal,
    Options,
    Result,
    Seat,
    State,
    Step,
    View,
)
from powderkeg.core.reports import drawing
from powderkeg.core.words import say

__all__ = ["UNDO", "Entry", "Table"]

UNDO = "undo"  # reserved for the table; no game uses it for an action


class Entry(NamedTuple):
    """One line of the log: who did what, in wire notation, and when (seconds since the epoch)."""

    seat: Seat
    do: str
    at: float | None = None


class _WayBack(NamedTuple):
    """A way back: undoing `entry`, which stands at `position` in the log, restores `before`."""

    entry: Entry
    position: int
    before: State
    sealed: bool = False


class Table(HoldsGame):
    """Plays any game: checks and applies actions, rolls chance, undoes, replays, forks.

    The log is the source of truth and only grows: an undo is an entry like any other. `facts[i]`
    are the facts of entry `i`, and `undone` holds the positions of entries that were undone.
    A table without a source rolls nothing: outcomes are entered from a stored log.
    With `state` the game begins in that position instead of the game's own.

    Tables can be pickled and copied. In a notebook a table shows its board.
    """

    def __init__(
        self,
        game: Game,
        players: int | None = None,
        options: Options | None = None,
        *,
        source: Source | None = None,
        at: float | None = None,
        state: State | None = None,
    ) -> None:
        self.game = game
        self.options = game.Options() if options is None else options
        self.seats = game.seats(game.players[-1] if players is None else players, self.options)
        self.source = source
        self.set_up = state
        self.state: State = game.start(self.seats, self.options) if state is None else state
        self.log: list[Entry] = []
        self.facts: list[tuple[Fact, ...]] = []
        self.undone: set[int] = set()
        self._back: list[_WayBack] = []
        self.roll(at)

    def __deepcopy__(self, memo: dict[int, Any]) -> "Table":
        """An independent table at the same moment; it rolls what this one would have rolled."""
        copy = object.__new__(type(self))
        vars(copy).update(vars(self))
        copy.log, copy.facts = list(self.log), list(self.facts)
        copy.undone, copy._back = set(self.undone), list(self._back)
        copy.source = deepcopy(self.source, memo)
        return copy

    def __repr__(self) -> str:
        entries = f"{len(self.log)} {'entry' if len(self.log) == 1 else 'entries'}"
        phase = self.game.marks(self.state).phase
        parts = [self.game.name, f"{len(self.seats)} players", phase, entries, self._status()]
        return f"<Table: {', '.join(filter(None, parts))}>"

    def _status(self) -> str:
        if (result := self.result) is not None:
            return f"over, first: {', '.join(result.winners)}"
        return f"to act: {', '.join(sorted(self.to_act))}"

    def _repr_svg_(self) -> str | None:
        """The board, for notebooks; None for a game without a drawing."""
        return self.draw() if drawing.find_drawing(self.game.name) else None

    def _repr_html_(self) -> str | None:
        """The board in words, for notebooks, if the game has no drawing."""
        if drawing.find_drawing(self.game.name):
            return None
        return drawing.write_sections(self.game.describe(self.view(None)))

    # Questions about a table

    @property
    def to_act(self) -> frozenset[Seat]:
        """The seats that owe a decision; nobody when the game is over."""
        return self.game.to_act(self.state)

    @property
    def result(self) -> Result | None:
        """How the game ended; None while it lasts."""
        return self.game.result(self.state)

    def ask(self, seat: Seat) -> Question | None:
        """The question put to `seat`; None when nothing is asked of it."""
        return self.game.ask(self.state, seat)

    def legal(self, seat: Seat) -> Legal:
        """What `seat` may do: iterate over it, count it, sample it, or ask ``action in legal``."""
        return self.game.legal(self.state, seat)

    def view(self, seat: Seat | None) -> View:
        """Everything that `seat` (None: a spectator) may know, as JSON."""
        return self.game.view(self.state, seat)

    def can_undo(self, seat: Seat) -> bool:
        """Whether `seat` can take back its last action."""
        return self._last_own(seat) is not None

    def draw(self, seat: Seat | None = None, *, lang: str = "en") -> str:
        """The board as SVG, as `seat` (None: a spectator) may see it."""
        if (draw_map := drawing.find_drawing(self.game.name)) is None:
            raise Unreadable("core.no_map", game=self.game.name)
        phase = self.game.marks(self.state).phase
        title = say(self.game.phase_name(phase), lang) if self.to_act else ""
        return draw_map(self.view(seat), lang=lang, title=title)

    # Actions at a table

    def act(self, seat: Seat, action: Action | str, at: float | None = None) -> tuple[Entry, ...]:
        """Perform an action, then the rolls and draws that follow; return the new entries of the log.

        A text is read as wire notation, or else as a person would type it.
        """
        before = len(self.log)
        self.perform(seat, action, at)
        self.roll(at)
        return tuple(self.log[before:])

    def perform(self, seat: Seat, action: Action | str, at: float | None = None) -> None:
        """Perform an action as `act` does, and leave the rolls and draws that follow."""
        if seat not in self.seats:
            raise Illegal("core.no_such_seat", seat=seat)
        if isinstance(action, str):
            action = self._read_action(seat, action)
        self._play_action(Entry(seat, str(action), at), action)

    def submit(self, seat: Seat, orders: str | Iterable[str]) -> tuple[Entry, ...]:
        """Perform several actions: a list of texts, or one text as a person would type it.

        All are read before the first is performed.
        """
        if seat not in self.seats:
            raise Illegal("core.no_such_seat", seat=seat)
        texts = [orders] if isinstance(orders, str) else list(orders)
        actions = [action for text in texts for action in self._read_actions(seat, text)]
        return tuple(entry for action in actions for entry in self.act(seat, action))

    def undo(self, seat: Seat, at: float | None = None) -> Entry:
        """Take back the seat's own last action.

        Undo cannot go back past chance, a revealed secret, or, where seats act in turn, another
        seat's action. While several choose at once, what others did meanwhile stays as it is.
        """
        index = self._last_own(seat)
        if index is None:
            raise Illegal("core.nothing_to_undo", seat=seat)
        position = self._back[index].position
        self._back, self.state = self._without_entry(index)
        self.undone.add(position)
        return self._append_entry(Entry(seat, UNDO, at), ())

    def seal(self, seat: Seat) -> None:
        """Make everything that the seat did so far final: it can no longer be undone."""
        self._back = [
            back._replace(sealed=True) if back.entry.seat == seat else back for back in self._back
        ]

    def enter(self, entry: Entry) -> None:
        """Replay one entry of a stored log."""
        if entry.seat == CHANCE:
            self._play_chance(chance.parse_outcome(entry.do), entry.at)
        elif entry.do == UNDO:
            self.undo(entry.seat, entry.at)
        else:
            self._play_action(entry, self.game.parse(entry.do))

    def roll(self, at: float | None = None) -> None:
        """Let the source answer every roll or draw that is due."""
        for _ in self.rolls(at):
            pass

    def rolls(self, at: float | None = None) -> Iterator[Entry]:
        """Let the source answer the rolls and draws that are due, each when the next entry is asked for."""
        while self.source is not None and CHANCE in self.to_act:
            owed = self.game.legal(self.state, CHANCE)
            self._play_chance(self.source.draw(owed, len(self.log)), at)  # type: ignore[arg-type]  # for CHANCE, legal is what is owed
            yield self.log[-1]

    def fork(self, length: int | None = None, *, source: Source | None = None) -> "Table":
        """An independent table with the first `length` entries of the log (default: all)."""
        copy = Table(self.game, len(self.seats), self.options, state=self.set_up)
        for entry in self.log[:length]:
            copy.enter(entry)
        copy.source = source
        copy.roll()
        return copy

    # Helpers

    def _read_action(self, seat: Seat, text: str) -> Action:
        """The one action in a text."""
        actions = self._read_actions(seat, text)
        if len(actions) > 1:
            raise Unreadable("core.several_actions", text=text)
        return actions[0]

    def _read_actions(self, seat: Seat, text: str) -> list[Action]:
        """The actions in a text: one in wire notation, or what a person has typed."""
        try:
            return [self.game.parse(text)]
        except Unreadable:
            actions = [meaning for _, meaning in self.game.read(self.view(seat), text)]
            if not actions:
                raise
        for action in actions:
            if isinstance(action, RulesError):
                raise action
        return actions

    def _play_action(self, entry: Entry, action: Action) -> None:
        if not self.to_act:
            raise Illegal("core.game_over")
        before = self.state
        step = self.game.apply(before, entry.seat, action)
        if step.barrier or self._cuts_off(entry.seat):
            self._back.clear()
        if not step.barrier:
            self._back.append(_WayBack(entry, len(self.log), before))
        self.state = step.state
        self._append_entry(entry, step.facts)

    def _cuts_off(self, seat: Seat) -> bool:
        """Whether an action of `seat` makes the previous seat's action final."""
        if not self._back or self._back[-1].entry.seat == seat:
            return False
        return len(self.game.to_act(self._back[0].before)) < 2  # the seats take turns

    def _last_own(self, seat: Seat) -> int | None:
        """The place in the way back of the seat's last action, unless it is final."""
        for index in range(len(self._back) - 1, -1, -1):
            if self._back[index].entry.seat == seat:
                return None if self._back[index].sealed else index
        return None

    def _without_entry(self, index: int) -> tuple[list[_WayBack], State]:
        """The way back and the state as if the action at `index` had never been."""
        taken = self._back[index]
        kept, state = self._back[:index], taken.before
        for back in self._back[index + 1 :]:
            kept.append(back._replace(before=state))
            step = self._step_again(state, back.entry)
            if step is None or step.barrier:  # it would reveal something only now
                raise Illegal("core.nothing_to_undo", seat=taken.entry.seat)
            state = step.state
        return kept, state

    def _step_again(self, state: State, entry: Entry) -> Step | None:
        """What follows from an action in another state; None if it builds on what is missing there."""
        try:
            return self.game.apply(state, entry.seat, self.game.parse(entry.do))
        except Illegal:
            return None

    def _play_chance(self, outcome: chance.Outcome, at: float | None) -> None:
        if CHANCE not in self.to_act:
            raise Illegal("core.no_chance_now", outcome=str(outcome))
        if outcome not in self.game.legal(self.state, CHANCE):
            raise Illegal("core.impossible_outcome", outcome=str(outcome))
        step = self.game.apply(self.state, CHANCE, outcome)
        self._back.clear()
        self.state = step.state
        self._append_entry(Entry(CHANCE, str(outcome), at), step.facts)

    def _append_entry(self, entry: Entry, facts: tuple[Fact, ...]) -> Entry:
        self.log.append(entry)
        self.facts.append(facts)
        return entry
