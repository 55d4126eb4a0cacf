"""The names on the maps, read from the package's catalogues."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from babel.messages.pofile import read_po

from powderkeg.core.words import LANGS
from tools.mapmaker.sites import Names

ROOT = Path(__file__).parent.parent.parent


@cache
def _catalogue(domain: str, lang: str) -> dict[str, str]:
    path = ROOT / f"src/powderkeg/locale/{lang}/LC_MESSAGES/{domain}.po"
    with path.open("rb") as file:
        return {str(m.id): str(m.string) for m in read_po(file) if m.id}


def names(pattern: str, ids: Iterable[str], *shorter: str) -> dict[str, Names]:
    """For each id and language the name, then its shorter forms."""
    domain = pattern.partition(".")[0]
    return {
        id_: {
            lang: [_catalogue(domain, lang)[p.format(id=id_)] for p in (pattern, *shorter)]
            for lang in LANGS
        }
        for id_ in ids
    }
