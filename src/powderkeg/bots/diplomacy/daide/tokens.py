"""The tokens of DAIDE's communication protocol: two octets each, a category and a number.

Texts have tokens with blanks between them, numbers in digits and strings in quotes:
``HLO ( ENG ) ( 1234 ) ( ( LVL 20 ) )``, ``NME ( 'Powderkeg' ) ( '1.0' )``.
"""

import re
from collections.abc import Iterator
from typing import Final

from powderkeg.core.errors import Unreadable

# Names by category and first number; a dot leaves a number out.
_CATEGORIES: Final = (
    (0x40, 0x00, "( )"),
    (0x41, 0x00, "AUS ENG FRA GER ITA RUS TUR"),
    (0x42, 0x00, "AMY FLT"),
    (0x43, 0x20, "CTO CVY HLD MTO SUP VIA"),
    (0x43, 0x40, "DSB RTO"),
    (0x43, 0x80, "BLD REM WVE"),
    (0x44, 0x00, "MBV BPR CST ESC FAR HSC NAS NMB NMR NRN NRS NSA NSC NSF NSP . NSU NVR NYU YSC"),
    (0x45, 0x00, "SUC BNC CUT DSR FLD NSO RET"),
    (0x46, 0x00, "NCS . NEC . ECS . SEC . SCS . SWC . WCS . NWC"),
    (0x47, 0x00, "SPR SUM FAL AUT WIN"),
    (
        0x48,
        0x00,
        """CCD DRW FRM GOF HLO HST HUH IAM LOD MAP MDF MIS NME NOT NOW OBS OFF ORD OUT PRN REJ SCO SLO
        SND SUB SVE THX TME YES ADM SMR""",
    ),
    (0x49, 0x00, "AOA BTL ERR LVL MRT MTL NPB NPR PDA PTL RTL UNO . DSD"),
    (
        0x4A,
        0x00,
        """ALY AND BWX DMZ ELS EXP FCT FOR FWD HOW IDK IFF INS . OCC ORR PCE POB . PRP QRY SCD SRY SUG
        THK THN TRY . VSS WHT WHY XDO XOY YDO CHO BCC UNT NAR CCL""",
    ),
    (0x50, 0x00, "BOH BUR GAL RUH SIL TYR UKR"),
    (0x51, 0x07, "BUD MOS MUN PAR SER VIE WAR"),
    (0x52, 0x0E, "ADR AEG BAL BAR BLA EAS ECH GOB GOL HEL ION IRI MAO NAO NTH NWG SKA TYS WES"),
    (0x54, 0x21, "ALB APU ARM CLY FIN GAS LVN NAF PIC PIE PRU SYR TUS WAL YOR"),
    (
        0x55,
        0x30,
        """ANK BEL BER BRE CON DEN EDI GRE HOL KIE LON LVP MAR NAP NWY POR ROM RUM SEV SMY SWE TRI TUN
        VEN""",
    ),
    (0x57, 0x48, "BUL SPA STP"),
)
TOKEN_CODES: Final[dict[str, int]] = {
    name: category * 256 + first + number
    for category, first, names in _CATEGORIES
    for number, name in enumerate(names.split())
    if name != "."
}
_TOKEN_NAMES: Final = {code: name for name, code in TOKEN_CODES.items()}
_TEXT: Final = 0x4B
_LEAST, _MOST = -8192, 8191  # numbers have 14 bits
_WORD: Final = re.compile(r"\s*('[^']*'|[()]|[^\s()']+)")


def encode_tokens(text: str) -> bytes:
    """A text as octets."""
    return b"".join(code.to_bytes(2) for word in split_words(text) for code in _word_codes(word))


def split_words(text: str) -> Iterator[str]:
    """Tokens, brackets, numbers and quoted strings."""
    end = 0
    for found in _WORD.finditer(text):
        if found.start() != end:
            break
        end = found.end()
        yield found[1]
    if text[end:].strip():
        raise Unreadable("daide.no_token", text=text[end:].strip()[:20])


def _word_codes(word: str) -> Iterator[int]:
    if word in TOKEN_CODES:
        yield TOKEN_CODES[word]
    elif word[0] == "'":
        yield from (_TEXT * 256 + octet for octet in word[1:-1].encode())
    else:
        yield _number_code(word)


def _number_code(word: str) -> int:
    if not re.fullmatch(r"-?\d{1,4}", word) or not _LEAST <= int(word) <= _MOST:
        raise Unreadable("daide.no_token", text=word[:20])
    return int(word) & 0x3FFF


def decode_tokens(data: bytes, names: dict[int, str] | None = None) -> str:
    """Octets as a text. `names` are the powers and provinces of a variant, in place of the standard."""
    if len(data) % 2:
        raise Unreadable("daide.odd_length")
    words: list[str] = []
    string = b""
    for high, low in zip(data[::2], data[1::2], strict=True):
        if high == _TEXT:
            string += bytes([low])
            continue
        if string:
            words.append(_quote_text(string))
            string = b""
        words.append(_code_word(high * 256 + low, names))
    return " ".join([*words, *([_quote_text(string)] if string else [])])


def _quote_text(string: bytes) -> str:
    """What cannot stand in a text becomes one octet: a message is never longer when it is passed on."""
    text = string.decode(errors="replace").replace("\ufffd", "?")
    return "'" + text.replace("'", "`") + "'"


def _code_word(code: int, names: dict[int, str] | None) -> str:
    if code < 0x4000:
        return str(code - 0x4000 if code >= 0x2000 else code)
    named = names if names and (code >> 8 == 0x41 or 0x50 <= code >> 8 <= 0x57) else _TOKEN_NAMES
    if code not in named:
        raise Unreadable("daide.no_token", text=f"0x{code:04X}")
    return named[code]
