"""A game in progress: a state and the log that led to it. No I/O; the caller passes the time."""

from typing import NamedTuple

from powderkeg.core import chance
from powderkeg.core.ask import Question
from powderkeg.core.chance import CHANCE, Source
from powderkeg.core.errors import Illegal
from powderkeg.core.game import Action, Fact, Game, Legal, Options, Result, Seat, State, View

UNDO = "undo"  # the word is the table's; no game uses it for an action


class Entry(NamedTuple):
    """One line of the log: who did what, in wire notation, and when (seconds since the epoch)."""

    seat: Seat
    do: str
    at: float | None = None


class _WayBack(NamedTuple):
    """A way back: undoing the entry at `position` by `seat` restores `state`."""

    seat: Seat
    position: int
    state: State


class Table:
    """Plays any game: checks and applies actions, rolls chance, undoes, replays, forks.

    The log is the source of truth and only grows: an undo is an entry like any other. `facts[i]`
    are the facts of entry `i`, and `undone` holds the positions of entries that were undone.
    A table without a source rolls nothing: outcomes are entered from a stored log.
    """

    def __init__(
        self,
        game: Game,
        players: int | None = None,
        options: Options | None = None,
        *,
        source: Source | None = None,
        at: float | None = None,
    ) -> None:
        self.game = game
        self.options = game.Options() if options is None else options
        self.seats = game.seats(game.players[-1] if players is None else players, self.options)
        self.source = source
        self.state: State = game.start(self.seats, self.options)
        self.log: list[Entry] = []
        self.facts: list[tuple[Fact, ...]] = []
        self.undone: set[int] = set()
        self._back: list[_WayBack] = []
        self.roll(at)

    # What may be asked of a table

    @property
    def to_act(self) -> frozenset[Seat]:
        return self.game.to_act(self.state)

    @property
    def result(self) -> Result | None:
        return self.game.result(self.state)

    def ask(self, seat: Seat) -> Question | None:
        return self.game.ask(self.state, seat)

    def legal(self, seat: Seat) -> Legal:
        return self.game.legal(self.state, seat)

    def view(self, seat: Seat | None) -> View:
        return self.game.view(self.state, seat)

    def can_undo(self, seat: Seat) -> bool:
        return bool(self._back) and self._back[-1].seat == seat

    # What may be done at a table

    def act(self, seat: Seat, action: Action | str, at: float | None = None) -> tuple[Entry, ...]:
        """Perform an action, then the rolls and draws that follow; return the new entries of the log."""
        if seat not in self.seats:
            raise Illegal("core.no_such_seat", seat=seat)
        before = len(self.log)
        if isinstance(action, str):
            action = self.game.parse(action)
        self._play_action(Entry(seat, str(action), at), action)
        self.roll(at)
        return tuple(self.log[before:])

    def undo(self, seat: Seat, at: float | None = None) -> Entry:
        """Restore the state before the seat's own last action.

        Undo cannot go back past chance, a revealed secret, or another seat's action.
        """
        if not self.can_undo(seat):
            raise Illegal("core.nothing_to_undo", seat=seat)
        back = self._back.pop()
        self.state = back.state
        self.undone.add(back.position)
        return self._append_entry(Entry(seat, UNDO, at), ())

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
        while self.source is not None and CHANCE in self.to_act:
            owed = self.game.legal(self.state, CHANCE)
            self._play_chance(self.source.draw(owed, len(self.log)), at)  # type: ignore[arg-type]  # for CHANCE, legal is what is owed

    def fork(self, length: int | None = None, *, source: Source | None = None) -> "Table":
        """An independent table with the first `length` entries of the log (default: all)."""
        copy = Table(self.game, len(self.seats), self.options)
        for entry in self.log[:length]:
            copy.enter(entry)
        copy.source = source
        copy.roll()
        return copy

    # How it is done

    def _play_action(self, entry: Entry, action: Action) -> None:
        if not self.to_act:
            raise Illegal("core.game_over")
        before = self.state
        step = self.game.apply(before, entry.seat, action)
        if step.barrier or (self._back and self._back[-1].seat != entry.seat):
            self._back.clear()
        if not step.barrier:
            self._back.append(_WayBack(entry.seat, len(self.log), before))
        self.state = step.state
        self._append_entry(entry, step.facts)

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
