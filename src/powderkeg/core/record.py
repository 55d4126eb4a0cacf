"""One file holds a game: JSON Lines that a person can read and a program can check.

The first line is the header (game, rules version, options, players, key commitment), then one line
per entry of the log, and a closing line with the key once the game is over. Letters of the players,
if they are kept, are between the entries where they were written. Every line ends with a seal: the
start of the SHA-256 of the seal before and the line itself. A damaged, shortened or foreign file is
refused before anything is played.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from powderkeg.core import plain
from powderkeg.core.chance import CHANCE, Audited, Source
from powderkeg.core.errors import Illegal, RulesError, Unreadable
from powderkeg.core.game import Game, Seat
from powderkeg.core.table import Entry, Table
from powderkeg.core.words import Msg

__all__ = [
    "Header",
    "Letter",
    "Record",
    "make_record",
    "read_record",
    "replay_record",
    "verify_record",
    "write_record",
]

FORMAT = 2  # the newest that we read
PLAIN_FORMAT = 1  # a file without letters, which older programs read too


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a game file."""

    game: str
    version: int
    players: int
    options: dict[str, Any]
    commitment: str = ""  # SHA-256 of the key that decides chance; empty for plain seeds
    names: dict[str, str] | None = None  # names of the players by seat, if given
    powderkeg: int = PLAIN_FORMAT


class Letter(NamedTuple):
    """A message of a seat to other seats, written after so many entries of the log.

    An empty `seat` is the moderator; without `to` the letter is for everybody.
    """

    seat: Seat
    to: tuple[Seat, ...]
    text: str
    after: int
    at: float | None = None

    def seen_by(self, seat: Seat | None) -> bool:
        """Whether a seat may read the letter; None reads everything."""
        return seat is None or not self.to or seat == self.seat or seat in self.to


@dataclass(frozen=True, slots=True)
class Record:
    """The content of a game file. `key` is known once the game is over."""

    header: Header
    entries: tuple[Entry, ...]
    key: str = ""
    letters: tuple[Letter, ...] = ()


def make_record(
    table: Table, names: dict[str, str] | None = None, letters: tuple[Letter, ...] = ()
) -> Record:
    """The record of a table. The key is added only when the game is over.

    A table that starts from a custom position has none: a file starts with the game.
    """
    if table.set_up is not None:
        raise Illegal("core.set_up_table")
    audited = table.source if isinstance(table.source, Audited) else None
    header = Header(
        table.game.name,
        table.game.version,
        len(table.seats),
        plain.dump(table.options),
        audited.commitment if audited else "",
        names,
        FORMAT if letters else PLAIN_FORMAT,
    )
    key = audited.key.hex() if audited and not table.to_act else ""
    return Record(header, tuple(table.log), key, letters)


def write_record(rec: Record) -> str:
    """The text of the file."""
    lines: list[str] = []
    seal = ""
    for item in (plain.dump(rec.header), *_body_lines(rec), _closing_line(rec)):
        body = json.dumps(item, ensure_ascii=False, separators=(",", ":"))
        seal = _next_seal(seal, body)
        lines.append(f'{body[:-1]},"seal":"{seal}"}}')
    return "\n".join([*lines, ""])


def read_record(text: str) -> Record:
    """The record in a file's text; `Unreadable` with line and reason if anything is wrong."""
    # Not `splitlines`: a name may contain a character that it treats as a line end.
    lines = text.replace("\r\n", "\n").removesuffix("\n").split("\n")
    header = _read_header(lines[0])
    bodies = list(_unseal_lines(lines))
    closing = bodies[-1]
    if "end" not in closing:
        raise Unreadable("core.file_truncated")
    entries, letters = _read_bodies(bodies[1:-1])
    if closing["end"] != len(entries):
        raise _damaged_file(len(lines), "core.wrong_shape")
    return Record(header, entries, str(closing.get("key", "")), letters)


def replay_record(rec: Record, game: Game, source: Source | None = None) -> Table:
    """The table that a record describes, ready to play on with `source`."""
    table = _empty_table(rec.header, game)
    for position, entry in enumerate(rec.entries):
        try:
            table.enter(entry)
        except RulesError as error:
            line = position + 2 + sum(letter.after <= position for letter in rec.letters)
            raise Unreadable(
                "core.file_illegal", rule=error.rule, line=line, why=error.msg
            ) from error
    table.source = source
    table.roll()
    return table


def verify_record(rec: Record, game: Game) -> int:
    """Recompute every die and draw from the published key; return how many were checked."""
    if not rec.key:
        raise Unreadable("core.no_key")
    try:
        audited = Audited(bytes.fromhex(rec.key))
    except ValueError:
        raise Unreadable("core.wrong_key") from None
    if audited.commitment != rec.header.commitment:
        raise Unreadable("core.wrong_key")
    replay_record(rec, game)  # refuses an illegal entry and names its line
    table = _empty_table(rec.header, game)
    checked = 0
    for position, entry in enumerate(rec.entries):
        if entry.seat == CHANCE:
            true = str(audited.draw(game.legal(table.state, CHANCE), position))  # type: ignore[arg-type]  # for CHANCE, legal is what is owed
            if entry.do != true:
                raise Unreadable("core.wrong_outcome", position=position, said=entry.do, true=true)
            checked += 1
        table.enter(entry)
    return checked


def _empty_table(head: Header, game: Game) -> Table:
    if head.game != game.name:
        raise Unreadable("core.file_other_game", other=head.game, game=game.name)
    return Table(game, head.players, stored_options(game, head.version, head.options))


def stored_options(game: Game, version: int, data: dict[str, Any]) -> Any:  # an Options
    """The options of a stored game, so that it replays as it did under its version of the rules."""
    return plain.load(game.Options, _upgraded_options(game, version, data))


def stored_state(game: Game, version: int, data: dict[str, Any]) -> Any:  # a State
    """A stored state, with the options of its version of the rules."""
    if version == game.version:
        return plain.load(game.State, data)
    options = _upgraded_options(game, version, data["options"])
    return plain.load(game.State, {**data, "options": options})


def _upgraded_options(game: Game, version: int, data: dict[str, Any]) -> dict[str, Any]:
    if not 1 <= version <= game.version:
        raise Unreadable("core.file_version", game=game.name, other=version, ours=game.version)
    return data if version == game.version else game.upgrade_options(version, data)


def _entry_line(entry: Entry) -> dict[str, Any]:
    line: dict[str, Any] = {"seat": entry.seat, "do": entry.do}
    return line if entry.at is None else {**line, "at": entry.at}


def _body_lines(rec: Record) -> Iterator[dict[str, Any]]:
    """Entries and letters in the order in which they were written."""
    letters = sorted(rec.letters, key=lambda letter: letter.after)
    for position, entry in enumerate(rec.entries):
        while letters and letters[0].after <= position:
            yield _letter_line(letters.pop(0))
        yield _entry_line(entry)
    yield from map(_letter_line, letters)


def _letter_line(letter: Letter) -> dict[str, Any]:
    line: dict[str, Any] = {"from": letter.seat, "to": list(letter.to), "say": letter.text}
    return line if letter.at is None else {**line, "at": letter.at}


def _closing_line(rec: Record) -> dict[str, Any]:
    close: dict[str, Any] = {"end": len(rec.entries)}
    return {**close, "key": rec.key} if rec.key else close


def _next_seal(before: str, body: str) -> str:
    return hashlib.sha256(f"{before}{body}".encode()).hexdigest()[:16]


def _read_header(line: str) -> Header:
    try:
        data = json.loads(line)
        number = data.pop("powderkeg")
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
        raise Unreadable("core.file_foreign") from None
    if type(number) is not int or number < 1:
        raise Unreadable("core.file_foreign")
    if number > FORMAT:
        raise Unreadable("core.file_newer", format=number)
    data.pop("seal", None)
    try:
        return plain.load(Header, {**data, "powderkeg": number})
    except Unreadable as error:
        raise Unreadable("core.file_damaged", line=1, problem=error.msg) from None


def _unseal_lines(lines: list[str]) -> Iterator[dict[str, Any]]:
    seal = ""
    for number, line in enumerate(lines, start=1):
        body, _, end = line.rpartition(',"seal":"')
        seal = _next_seal(seal, body + "}")
        if end != f'{seal}"}}':
            raise _damaged_file(number, "core.wrong_chain")
        yield _parse_body(body + "}", number)


def _parse_body(text: str, line: int) -> dict[str, Any]:
    try:
        return json.loads(text)  # type: ignore[no-any-return]  # it ends with a brace: an object
    except (ValueError, RecursionError):
        raise _damaged_file(line, "core.not_json") from None


def _read_bodies(
    bodies: list[dict[str, Any]],
) -> tuple[tuple[Entry, ...], tuple[Letter, ...]]:
    entries: list[Entry] = []
    letters: list[Letter] = []
    for line, body in enumerate(bodies, start=2):
        if "say" in body:
            letters.append(_read_letter(body, line, len(entries)))
        else:
            entries.append(_read_entry(body, line))
    return tuple(entries), tuple(letters)


def _read_letter(body: dict[str, Any], line: int, after: int) -> Letter:
    named = {name: value for name, value in body.items() if name not in ("from", "say")}
    data = {**named, "seat": body.get("from", ""), "text": body["say"], "after": after}
    try:
        return plain.load(Letter, data)
    except Unreadable:
        raise _damaged_file(line, "core.wrong_shape") from None


def _read_entry(body: dict[str, Any], line: int) -> Entry:
    try:
        return plain.load(Entry, body)
    except Unreadable:
        raise _damaged_file(line, "core.wrong_shape") from None


def _damaged_file(line: int, problem: str) -> Unreadable:
    return Unreadable("core.file_damaged", line=line, problem=Msg(problem))
