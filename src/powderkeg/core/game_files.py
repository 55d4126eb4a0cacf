"""The games in a file: ours, one after the other; games read the files of other programs."""

import json
import zlib
from typing import Final, NamedTuple

from powderkeg.core.errors import RulesError, Unreadable
from powderkeg.core.record import Record, read_record
from powderkeg.core.words import Msg

_GZIP: Final = b"\x1f\x8b"
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
_MOST_BYTES: Final = 64_000_000  # of a compressed file: a small one may hold any amount


class FoundGame(NamedTuple):
    """A game found in a file: its record, or why it cannot be opened."""

    name: str
    record: Record | None = None
    problem: RulesError | None = None
    foreign: bool = False  # whether it comes from another program
    note: Msg | None = None  # a line about a game that was opened


def decode_game_file(data: bytes) -> str:
    """The text of a game file, which may be compressed with gzip."""
    try:
        data = _unpack(data) if data.startswith(_GZIP) else data
    except zlib.error:
        raise Unreadable("core.bad_gzip") from None
    try:
        return data.decode("utf-16" if data.startswith(_UTF_16) else "utf-8")
    except UnicodeDecodeError:
        if b"\0" in data:
            raise Unreadable("core.file_foreign") from None
    return data.decode("latin-1")  # as programs wrote before there was UTF-8


def _unpack(data: bytes) -> bytes:
    """The members of a gzip file one after the other: files may be joined as they are."""
    text = b""
    while data:
        unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)  # gzip
        text += unpacker.decompress(data, _MOST_BYTES - len(text))
        if not unpacker.eof or len(text) >= _MOST_BYTES:
            raise zlib.error
        data = unpacker.unused_data.lstrip(b"\0")  # files may be padded
    return text


def split_records(text: str) -> list[FoundGame]:
    """The records in a text; none if it does not begin with one."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").rstrip("\n").split("\n")
    starts = [at for at, line in enumerate(lines) if _is_header(line)]
    if starts[:1] != [0]:
        return []
    ends = [*starts[1:], len(lines)]
    parts = [lines[start:end] for start, end in zip(starts, ends, strict=True)]
    return [_found_record("\n".join(part), at) for at, part in enumerate(parts, start=1)]


def _is_header(line: str) -> bool:
    if '"powderkeg"' not in line:
        return False
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(data, dict) and "powderkeg" in data


def _found_record(text: str, number: int) -> FoundGame:
    try:
        return FoundGame(f"#{number}", read_record(text))
    except RulesError as error:
        return FoundGame(f"#{number}", problem=error)
