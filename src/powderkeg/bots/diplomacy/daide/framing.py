"""Messages on the wire: a header of four octets (type, pad, remaining length) and data.

A connection begins with the client's Initial Message (IM) and the server's Representation Message (RM).
Then both send Diplomacy Messages (DM), until one says goodbye with a Final Message (FM) or reports an
Error Message (EM) and closes.
"""

import asyncio
import struct
from enum import IntEnum
from typing import Final, NamedTuple

VERSION: Final = 1
MAGIC: Final = 0xDA10
LONGEST_MESSAGE: Final = 0x4000  # octets that a program may send: answers quote it
INITIAL_SECONDS: Final = 30.0  # the protocol's patience with a silent client


class Kind(IntEnum):
    """The types of messages."""

    INITIAL = 0
    REPRESENTATION = 1
    DIPLOMACY = 2
    FINAL = 3
    ERROR = 4


class Fault(IntEnum):
    """The protocol's error codes."""

    TIMER = 0x01
    NO_INITIAL = 0x02
    WRONG_ENDIAN = 0x03
    WRONG_MAGIC = 0x04
    WRONG_VERSION = 0x05
    SECOND_INITIAL = 0x06
    INITIAL_BY_SERVER = 0x07
    UNKNOWN_MESSAGE = 0x08
    TOO_SHORT = 0x09
    EARLY_DIPLOMACY = 0x0A
    NO_REPRESENTATION = 0x0B
    SECOND_REPRESENTATION = 0x0C
    REPRESENTATION_BY_CLIENT = 0x0D
    UNKNOWN_TOKEN = 0x0E


class ProtocolFault(Exception):
    """The other side broke the protocol; the connection ends with this code."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.name)
        self.fault = fault


class Frame(NamedTuple):
    """One message."""

    kind: Kind
    data: bytes = b""

    def __bytes__(self) -> bytes:
        return struct.pack(">BxH", self.kind, len(self.data)) + self.data


INITIAL_FRAME: Final = Frame(Kind.INITIAL, struct.pack(">HH", VERSION, MAGIC))
FINAL_FRAME: Final = Frame(Kind.FINAL)


def error_frame(fault: Fault) -> Frame:
    return Frame(Kind.ERROR, struct.pack(">H", fault))


async def read_frame(reader: asyncio.StreamReader) -> Frame:
    """The next message; raises `asyncio.IncompleteReadError` at the end of the connection."""
    kind, length = struct.unpack(">BxH", await reader.readexactly(4))
    data = await reader.readexactly(length)
    if kind not in tuple(Kind):
        raise ProtocolFault(Fault.UNKNOWN_MESSAGE)
    return Frame(Kind(kind), data)


def check_initial(frame: Frame) -> None:
    """Raise the fault of a client's first message, if it has one."""
    if frame.kind is not Kind.INITIAL:
        raise ProtocolFault(Fault.NO_INITIAL)
    if len(frame.data) != 4:
        raise ProtocolFault(Fault.TOO_SHORT)
    version, magic = struct.unpack(">HH", frame.data)
    if magic != MAGIC:
        swapped = magic == MAGIC >> 8 | (MAGIC & 0xFF) << 8
        raise ProtocolFault(Fault.WRONG_ENDIAN if swapped else Fault.WRONG_MAGIC)
    if version != VERSION:
        raise ProtocolFault(Fault.WRONG_VERSION)


def variant_names(data: bytes) -> dict[int, str]:
    """The tokens that a Representation Message defines: blocks of six octets, code and name."""
    if len(data) % 6:
        raise ProtocolFault(Fault.TOO_SHORT)
    blocks = [data[i : i + 6] for i in range(0, len(data), 6)]
    return {int.from_bytes(b[:2]): b[2:5].decode("ascii", "replace") for b in blocks}
