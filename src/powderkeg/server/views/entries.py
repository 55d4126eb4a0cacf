"""Entries of a log in the words of their reader."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

from powderkeg.core.game import Fact
from powderkeg.core.table import UNDO, Entry
from powderkeg.core.words import say
from powderkeg.games import mark_cards
from powderkeg.server import message_json
from powderkeg.server.db.rows import LogRow
from powderkeg.server.db.schema import write_json
from powderkeg.server.tables.labels import phase_label, seat_label
from powderkeg.server.tables.loaded import RECENT_LINES, LoadedTable
from powderkeg.server.tables.replay import LogLine
from powderkeg.server.views.readers import Reader

MOST_WORDED = RECENT_LINES  # lines, each in one language
# The dash of orders, as JSON may also write it. Without other characters than those of ASCII, a message is
# put together and sent in a tenth of the time.
PLAIN_DASH = ("\N{EN DASH}", r"\u2013")


def stored_line(row: LogRow) -> LogLine:
    """A line of the log as it was stored."""
    facts = tuple(message_json.load_fact(data) for data in row.facts)
    entry = Entry(row.seat, row.do, row.at)
    return LogLine(row.seq, entry, facts, row.barrier, row.undoes, row.phase, row.command, row.by)


def present_facts(loaded: LoadedTable, line: LogLine, reader: Reader) -> list[dict[str, Any]]:
    """The facts of a line that the reader may know."""
    seen = [fact for fact in line.facts if _may_read(loaded, line, fact, reader)]
    return [_fact_json(loaded, fact, reader.lang) for fact in seen]


def _is_open(loaded: LoadedTable, line: LogLine, reader: Reader) -> bool:
    """Whether an entry is no secret to the reader: their own, or of a game that is over."""
    return reader.has_eyes_of(line.entry.seat) or loaded.row.has_ended


def _may_read(loaded: LoadedTable, line: LogLine, fact: Fact, reader: Reader) -> bool:
    """Whether a reader may know a fact. Nobody may know that another seat is ready, or no longer is: a
    second "ready" after a private offer would show that it was accepted."""
    return fact.seen_by(reader.seat) and (not fact.quiet or _is_open(loaded, line, reader))


def _fact_json(loaded: LoadedTable, fact: Fact, lang: str) -> dict[str, Any]:
    """A fact in words; names that are not certain are marked."""
    marked = mark_cards(loaded.game, loaded.row.options, fact.msg)
    return {
        "code": fact.msg.code,
        "text": say(marked, lang),
        "rule": fact.rule,
        "quiet": fact.quiet or fact.to is not None,
        "opens": fact.opens,
        "about": message_json.named_codes(fact.msg),
    }


def present_entry(
    loaded: LoadedTable, line: LogLine, seq: int, reader: Reader, *, undone: bool
) -> dict[str, Any]:
    """An entry as `reader` may see it, numbered `seq`; its facts are added by the caller."""
    entry, anonymous = line.entry, loaded.row.is_anonymous
    is_open = _is_open(loaded, line, reader)
    return {
        "seq": seq,
        "seat": entry.seat,
        "label": seat_label(loaded.game, entry.seat, reader.lang),
        "by": None if anonymous and not is_open else line.by,
        "at": None if anonymous else entry.at,
        "do": entry.do if is_open else None,
        "undone": undone,
        "undo": entry.do == UNDO,
        "shared": len(line.facts) > 1 and line.facts[0].quiet,
        "phase": line.phase,
    }


class WordedLine:
    """A line of the log in one language: its facts in words, and as JSON the entry with those that some may
    know."""

    def __init__(self, line: LogLine, facts: list[dict[str, Any]]) -> None:
        self.line, self.facts = line, facts
        self.entries: dict[Any, str] = {}
        # The seats that see more or less of it than the rest
        named = {line.entry.seat}
        for fact in line.facts:
            named |= fact.but | (fact.to or frozenset())
        self.named = named


def _worded_line(loaded: LoadedTable, line: LogLine, lang: str) -> WordedLine:
    known: WordedLine | None = loaded.entries.get((line.seq, lang))
    if known is None or known.line is not line:
        if len(loaded.entries) >= MOST_WORDED:
            loaded.entries.clear()
        facts = [_fact_json(loaded, fact, lang) for fact in line.facts]
        known = loaded.entries[(line.seq, lang)] = WordedLine(line, facts)
    return known


def _entry_text(
    loaded: LoadedTable, worded: WordedLine, reader: Reader, *, undone: bool, ended: bool
) -> str:
    """An entry as JSON: written once for all who see the same of it. To a seat that it does not name it is
    what it is to a watcher. In a game that has `ended` all is open."""
    seat = reader.seat
    key: Any = undone
    if ended:
        key = (seat, True, undone)
    elif seat in worded.named or (seat is None and reader.held):
        key = (seat, _is_open(loaded, worded.line, reader), undone)
    if (text := worded.entries.get(key)) is None:
        text = worded.entries[key] = _write_entry(loaded, worded, reader, undone=undone)
    return text


def _write_entry(loaded: LoadedTable, worded: WordedLine, reader: Reader, *, undone: bool) -> str:
    line = worded.line
    entry = present_entry(loaded, line, line.seq, reader, undone=undone)
    entry["facts"] = [
        shown
        for fact, shown in zip(line.facts, worded.facts, strict=True)
        if _may_read(loaded, line, fact, reader)
    ]
    return write_json(entry).replace(*PLAIN_DASH)


def present_phase(loaded: LoadedTable, seq: int, phase: str, lang: str) -> dict[str, Any]:
    return {"seq": seq, "phase": phase, "text": phase_label(loaded.game, phase, lang)}


def _kept_line(loaded: LoadedTable, seq: int) -> LogLine | None:
    """A line of the log that the table in memory still has: they follow each other there."""
    recent = loaded.recent
    place = seq - recent[0].seq if recent else -1
    return recent[place] if 0 <= place < len(recent) else None


class RecentLines(NamedTuple):
    """Lines of the log in one language: as JSON what a watcher sees of them and the phases that begin in
    them, the numbers of those that were undone, and for each seat the places of those that name it."""

    lines: list[WordedLine]
    undone: set[int]
    phases: str
    watched: list[str]
    places: dict[str | None, list[int]]

    def texts_for(self, loaded: LoadedTable, reader: Reader) -> list[str]:
        """The lines as JSON: a reader sees most of them as a watcher does."""
        ended = loaded.row.has_ended
        if ended or (reader.seat is None and reader.held):
            places: Iterable[int] = range(len(self.lines))
        else:
            places = self.places.get(reader.seat, ())
        texts = self.watched.copy()
        for place in places:
            worded = self.lines[place]
            undone = worded.line.seq in self.undone
            texts[place] = _entry_text(loaded, worded, reader, undone=undone, ended=ended)
        return texts


def recent_entries(loaded: LoadedTable, reader: Reader, since: int, upto: int) -> str | None:
    """As JSON, the entries of the log from `since` up to `upto`, the phases that begin there, and earlier
    entries that were undone; None if the table in memory no longer has them all."""
    key = ("lines", reader.lang, since, upto)
    if key not in loaded.rendered:  # once for all readers, until the table changes
        loaded.rendered[key] = _recent_lines(loaded, reader, since, upto)
    recent: RecentLines | None = loaded.rendered[key]
    if recent is None:
        return None
    entries = ",".join(recent.texts_for(loaded, reader))
    return f'{{"entries":[{entries}],"phases":{recent.phases},"seq":{upto}}}'


def _recent_lines(loaded: LoadedTable, reader: Reader, since: int, upto: int) -> RecentLines | None:
    """The lines in the language of this reader."""
    lang, watcher = reader.lang, replace(reader, seat=None, held=(), owns=False)
    found = [_kept_line(loaded, seq) for seq in range(max(since - 1, 0), upto)]
    before, new = (found[0], found[1:]) if since else (None, found)
    undone = {line.undoes for line in new if line is not None and line.undoes is not None}
    shown = [*(_kept_line(loaded, seq) for seq in sorted(undone) if seq < since), *new]
    if None in found or None in shown:
        return None
    lines = [_worded_line(loaded, line, lang) for line in shown if line]
    phases = [
        present_phase(loaded, line.seq + 1 if line.seq else 0, line.phase, lang)
        for last, line in zip((before, *new), new, strict=False)
        if line is not None and (last is None or last.phase != line.phase)
    ]
    ended = loaded.row.has_ended
    watched = [
        _entry_text(loaded, each, watcher, undone=each.line.seq in undone, ended=ended)
        for each in lines
    ]
    places: dict[str | None, list[int]] = {}
    for place, each in enumerate(lines):
        for seat in each.named:
            places.setdefault(seat, []).append(place)
    return RecentLines(lines, undone, write_json(phases), watched, places)
