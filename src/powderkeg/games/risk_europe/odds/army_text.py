"""Armies as people write them: ``4 footmen, 2 archers``, ``4f 2a``, ``un jinete de Caballería``."""

import re
from typing import Final

from powderkeg.core.errors import Unreadable
from powderkeg.games.risk_europe import words
from powderkeg.games.risk_europe.board import FULL_ARMY, UNITS, Units

# How units may be written, in any of the three languages: the start of the word decides.
_UNIT_STARTS: Final = {
    "footman": ("f", "foot", "lacayo", "l", "fant"),
    "archer": ("a", "arch", "arqu", "arci"),
    "cavalry": ("c", "cav", "cab", "jinete", "j"),
    "siege": ("s", "siege", "arma", "armi", "asedio", "assedio", "macchin"),
}
_COUNTED: Final = (  # from one to thirty-five, the largest number of a kind (R-SET-02)
    """one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen twenty twenty-one twenty-two twenty-three twenty-four
    twenty-five twenty-six twenty-seven twenty-eight twenty-nine thirty thirty-one thirty-two
    thirty-three thirty-four thirty-five""",
    """uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis
    diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco
    veintiséis veintisiete veintiocho veintinueve treinta treinta-y-uno treinta-y-dos treinta-y-tres
    treinta-y-cuatro treinta-y-cinco""",
    """uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici
    sedici diciassette diciotto diciannove venti ventuno ventidue ventitré ventiquattro venticinque
    ventisei ventisette ventotto ventinove trenta trentuno trentadue trentatré trentaquattro
    trentacinque""",
)
_ARTICLES: Final = ("a", "an", "un", "una", "un'", "un\u2019")
_NUMBERS: Final = dict.fromkeys(_ARTICLES, 1) | {
    word.replace("-", " "): number
    for counted in _COUNTED
    for number, word in enumerate(counted.split(), 1)
}
_NUMBER: Final = "|".join(sorted(map(re.escape, _NUMBERS), key=len, reverse=True))
_ARMY_PART: Final = re.compile(
    rf"(?:(\d+)\s*|\b({_NUMBER})(?:\s+|(?<=['\u2019])))([^\W\d_]+)"
    r"(?:[\s'\u2019]+(?:de|di|d|weapons?|asedio|assedio|caballer[ií]a|cavalleria)\b)*"
)


def parse_army(text: str) -> Units:
    """The units written in `text`: numbers and kinds, in any of the three languages."""
    counts = dict.fromkeys(UNITS, 0)
    rest = text.lower().replace("-", " ")
    for match in _ARMY_PART.finditer(rest):
        counts[_unit_kind(match[3])] += int(match[1]) if match[1] else _NUMBERS[match[2]]
    if not any(counts.values()) or re.sub(r"[\s,;+]|\b(?:and|y|e)\b", "", _ARMY_PART.sub("", rest)):
        raise Unreadable("odds.no_army", text=text)
    for unit, most in zip(UNITS, FULL_ARMY, strict=True):
        if counts[unit] > most:
            kind = words.UNIT_NAME[UNITS.index(unit)]
            raise Unreadable("odds.too_many", rule="R-SET-02", unit=kind, most=most)
    return (counts["footman"], counts["archer"], counts["cavalry"], counts["siege"])


def _unit_kind(word: str) -> str:
    starts = [
        (len(start), unit)
        for unit, written in _UNIT_STARTS.items()
        for start in written
        if (word == start if len(start) == 1 else word.startswith(start))
    ]
    if not starts:
        raise Unreadable("odds.no_unit", word=word)
    return max(starts)[1]
