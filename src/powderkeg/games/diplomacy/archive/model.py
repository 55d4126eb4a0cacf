"""A game that was played elsewhere, in one form for all the programs it may come from."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple, TypeVar

from powderkeg.core.errors import RulesError, Unreadable
from powderkeg.core.words import Msg
from powderkeg.games.diplomacy.board import Power
from powderkeg.games.diplomacy.judge.sheet import OVER, Sheet

T = TypeVar("T")
_OF_THE_GAME: Final = ("judge.other_map", "archive.other_rules")  # not of one phase
_KIND_ORDER: Final = {"SM": 0, "SR": 1, "FM": 2, "FR": 3, "WA": 4}


class ArchiveLetter(NamedTuple):
    """A message between powers. Without a sender it is the moderator's; without readers it is for all."""

    sender: Power | None
    to: tuple[Power, ...]
    text: str
    at: float | None = None  # seconds since the epoch


class ArchivePhase(NamedTuple):
    """One phase. Orders are texts, as they were written.

    `sheet` is the position in which it began, None where the form does not say. `failed` and
    `dislodged` are provinces: of moves that failed and of units that were dislodged, if it says.
    `certain` are orders that must make sense, in forms without positions.
    """

    phase: str
    orders: dict[Power, list[str]]
    sheet: Sheet | None = None
    played: bool = True
    results: dict[str, list[str]] = {}  # noqa: RUF012  # never changed
    letters: tuple[ArchiveLetter, ...] = ()
    note: str = ""
    failed: frozenset[str] | None = None
    dislodged: frozenset[str] | None = None
    certain: frozenset[str] = frozenset()
    other_orders: tuple[dict[Power, list[str]], ...] = ()  # of copies of this phase in the file

    @property
    def order_key(self) -> tuple[int, int]:
        return phase_order(self.phase)


class Archive(NamedTuple):
    """A game that was played elsewhere."""

    id: str
    phases: tuple[ArchivePhase, ...]
    rules: tuple[str, ...] = ()
    names: dict[Power, str] = {}  # noqa: RUF012  # never changed

    @property
    def over(self) -> bool:
        return bool(self.phases) and self.phases[-1].phase == OVER


def load_phases(
    load: Callable[[T], ArchivePhase],
    found: Iterable[tuple[str, T]],
    is_idle: Callable[[T], bool] = lambda _: False,
) -> Iterator[ArchivePhase]:
    """Every phase of a file but idle ones, each with what it is called there. What is wrong in one is
    said with its number and name."""
    for number, (name, data) in enumerate(found, start=1):
        if is_idle(data):
            continue
        try:
            yield load(data)
        except RulesError as error:
            if error.code in _OF_THE_GAME:
                raise
            raise _phase_error(number, name, error.msg) from None
        except KeyError as error:
            field = Msg("archive.missing_field", field=str(error.args[0]))
            raise _phase_error(number, name, field) from None
        except (IndexError, TypeError, AttributeError, ValueError, OverflowError):
            raise _phase_error(number, name, Msg("archive.bad_phase")) from None


def _phase_error(number: int, name: str, why: Msg) -> Unreadable:
    return Unreadable("archive.at_phase", number=number, phase=name[:40] or "?", why=why)


def broken_text(text: str, at: int) -> Unreadable:
    """The error for a file that cannot be read from a place on."""
    line = text.count("\n", 0, at) + 1
    return Unreadable("archive.broken", line=line, column=at - text.rfind("\n", 0, at))


def clean_text(text: str) -> str:
    """A text that can be written as UTF-8: JSON may hold lone surrogates, such as half an emoji."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def phase_order(phase: str) -> tuple[int, int]:
    """A phase as a key: earlier phases are less."""
    if phase == OVER:
        return 1 << 20, 0
    return int(phase[1:-1]), _KIND_ORDER[phase[0] + phase[-1]]


def merge_doubles(phases: Iterable[ArchivePhase]) -> list[ArchivePhase]:
    """Phases in their order, without repetitions: a game that was saved twice in a phase has that phase twice."""
    kept: list[ArchivePhase] = []
    for phase in sorted(phases, key=lambda phase: phase.order_key):
        if kept and kept[-1].phase == phase.phase:
            phase = _join_copies(kept.pop(), phase)  # noqa: PLW2901  # the two as one
        kept.append(phase)
    return kept


def _join_copies(first: ArchivePhase, second: ArchivePhase) -> ArchivePhase:
    """The copy with more orders, and the orders of the other in case the next position needs them."""
    fuller, other = sorted((first, second), key=_order_count, reverse=True)
    return fuller._replace(
        sheet=fuller.sheet or other.sheet,
        letters=tuple(dict.fromkeys(first.letters + second.letters)),
        other_orders=(*first.other_orders, *second.other_orders, other.orders),
    )


def _order_count(phase: ArchivePhase) -> tuple[bool, int]:
    return phase.played, sum(map(len, phase.orders.values()))
