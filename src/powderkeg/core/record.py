"""One file holds a game: JSON Lines that a person can read and a program can check.

The first line is the header (game, rules version, options, players, key commitment), then one
line per entry of the log, and a closing line with the key once the game is over. Every line ends
with a seal: the start of the SHA-256 of the seal before and the line itself. A damaged,
shortened or foreign file is refused before anything is played.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from powderkeg.core import plain
from powderkeg.core.chance import CHANCE, Audited, Source
from powderkeg.core.errors import RulesError, Unreadable
from powderkeg.core.game import Game
from powderkeg.core.table import Entry, Table
from powderkeg.core.words import Msg

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a game file."""

    game: str
    version: int
    players: int
    options: dict[str, Any]
    commitment: str = ""  # SHA-256 of the key that decides chance; empty for plain seeds
    names: dict[str, str] | None = None  # who sat where, if they care to be named
    powderkeg: int = FORMAT


@dataclass(frozen=True, slots=True)
class Record:
    """The content of a game file. `key` is known once the game is over."""

    header: Header
    entries: tuple[Entry, ...]
    key: str = ""


def make_record(table: Table, names: dict[str, str] | None = None) -> Record:
    """The record of a table. The key is added only when the game is over."""
    audited = table.source if isinstance(table.source, Audited) else None
    header = Header(
        table.game.name,
        table.game.version,
        len(table.seats),
        plain.dump(table.options),
        audited.commitment if audited else "",
        names,
    )
    key = audited.key.hex() if audited and not table.to_act else ""
    return Record(header, tuple(table.log), key)


def write_record(rec: Record) -> str:
    """The text of the file."""
    lines: list[str] = []
    seal = ""
    for item in (plain.dump(rec.header), *map(_entry_line, rec.entries), _closing_line(rec)):
        body = json.dumps(item, ensure_ascii=False, separators=(",", ":"))
        seal = _next_seal(seal, body)
        lines.append(f'{body[:-1]},"seal":"{seal}"}}')
    return "\n".join([*lines, ""])


def read_record(text: str) -> Record:
    """The record in a file's text; `Unreadable` with line and reason if anything is wrong."""
    # Not `splitlines`: a name may hold a character that it takes for the end of a line.
    lines = text.replace("\r\n", "\n").removesuffix("\n").split("\n")
    header = _read_header(lines[0])
    bodies = list(_unseal_lines(lines))
    closing = bodies[-1]
    if "end" not in closing:
        raise Unreadable("core.file_truncated")
    entries = tuple(_read_entry(body, i) for i, body in enumerate(bodies[1:-1], start=2))
    if closing["end"] != len(entries):
        raise _damaged_file(len(lines), "core.wrong_shape")
    return Record(header, entries, str(closing.get("key", "")))


def replay_record(rec: Record, game: Game, source: Source | None = None) -> Table:
    """The table that a record describes, ready to play on with `source`."""
    table = _empty_table(rec.header, game)
    for line, entry in enumerate(rec.entries, start=2):
        try:
            table.enter(entry)
        except RulesError as error:
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
    replay_record(rec, game)  # refuses what is illegal, with its line
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
    if head.version != game.version:
        raise Unreadable("core.file_version", game=game.name, other=head.version, ours=game.version)
    return Table(game, head.players, plain.load(game.Options, head.options))


def _entry_line(entry: Entry) -> dict[str, Any]:
    line: dict[str, Any] = {"seat": entry.seat, "do": entry.do}
    return line if entry.at is None else {**line, "at": entry.at}


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
        return plain.load(Header, data)
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


def _read_entry(body: dict[str, Any], line: int) -> Entry:
    try:
        return plain.load(Entry, body)
    except Unreadable:
        raise _damaged_file(line, "core.wrong_shape") from None


def _damaged_file(line: int, problem: str) -> Unreadable:
    return Unreadable("core.file_damaged", line=line, problem=Msg(problem))
