"""Readers of a table: their seats, and what they may see and say there."""

from dataclasses import dataclass
from typing import Any

from powderkeg.server.accounts.identity import Principal
from powderkeg.server.db.rows import ProposalRow
from powderkeg.server.refusals import forbidden
from powderkeg.server.tables.loaded import LoadedTable, seats_may_talk


@dataclass(frozen=True, slots=True)
class Reader:
    """A person who looks at a table, and through which seat."""

    who: Principal
    seat: str | None  # the seat that the reader sees through; None: a spectator
    held: tuple[str, ...]
    text: bool = False  # with the board in words
    raw: bool = False  # for a program: codes and legal actions
    lists: bool = False  # with the list of legal actions
    owns: bool = False  # the table is theirs
    lang: str = "en"

    @property
    def eyes(self) -> frozenset[str]:
        """The seats whose secrets the reader may see: none on a shared screen until a seat is chosen."""
        seats = self.held if self.seat is None and len(self.held) == 1 else (self.seat,)
        return frozenset(seat for seat in seats if seat in self.held)

    def has_eyes_of(self, seat: str) -> bool:
        """Whether `seat` is one of `eyes`."""
        if self.seat is None:
            return self.held == (seat,)
        return seat == self.seat and seat in self.held

    @property
    def key(self) -> Any:
        """Equal for readers who see exactly the same."""
        wants = (self.lang, self.text, self.raw, self.lists)
        return (self.seat, self.held, self.owns, self.who.user is not None, *wants)


def find_reader(
    loaded: LoadedTable,
    who: Principal,
    seat: str | None = None,
    *,
    text: bool = False,
    raw: bool = False,
    lists: bool = False,
) -> Reader:
    """The reader that this person is at the table, or a refusal."""
    held = tuple(loaded.held_by(who.id if "read" in who.scopes else None, who.grants))
    if seat is not None and seat not in loaded.seats:
        raise forbidden("not_your_seat")
    if seat is not None and seat not in held and loaded.row.status != "over":
        raise forbidden("not_your_seat")
    if seat is None and len(held) == 1:
        seat = held[0]
    if not held and not may_watch(loaded, who):
        raise forbidden("not_watchable")
    owns = loaded.row.owner is not None and loaded.row.owner == who.id
    return Reader(who, seat, held, text, raw, lists, owns, who.lang)


def may_watch(loaded: LoadedTable, who: Principal) -> bool:
    row = loaded.row
    mine = row.owner is not None and row.owner == who.id
    return bool(mine or row.status == "open" or row.watch != "off")


def shows_league(loaded: LoadedTable, reader: Reader) -> bool:
    """Whether the reader learns in which league the table is. Its link opens it, so those who found the
    table in a public list do not get it."""
    return bool(reader.held or reader.owns or not loaded.row.listed)


def hides_moves(loaded: LoadedTable) -> bool:
    """Whether moves of others are hidden: in anonymous games, while several seats choose at once."""
    hidden = loaded.settings.anonymous and loaded.row.is_running
    return bool(hidden and loaded.current.together)


def hides_votes(loaded: LoadedTable) -> bool:
    """Whether nobody sees how the others voted: secret ballots, and anonymous games."""
    return loaded.settings.votes == "secret" or loaded.row.is_anonymous


def may_talk(loaded: LoadedTable, reader: Reader) -> list[str]:
    """The channels open to the reader now: "all", "seats", "watchers"."""
    row = loaded.row
    if not reader.held:
        spoken = row.watch != "off" and reader.who.user is not None
        return ["watchers"] if spoken and row.status != "open" else []
    return seats_may_talk(loaded)


def is_concerned(proposal: ProposalRow, reader: Reader) -> bool:
    """Whether a proposal is for this reader: a deal only if they take part in it, a vote always."""
    if proposal.kind != "deal":
        return True
    return not reader.eyes.isdisjoint({proposal.seat, *proposal.voters})


def watch_delay(loaded: LoadedTable, reader: Reader) -> float:
    """The delay, in seconds, with which this reader watches."""
    if reader.held or not loaded.row.is_running or loaded.row.watch != "delayed":
        return 0.0
    return float(loaded.settings.delay)
