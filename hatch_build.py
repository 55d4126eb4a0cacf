"""Build step: compile the catalogues of words, so that an installed Powderkeg needs no Babel."""

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def compile_words(locale: Path) -> None:
    for source in locale.glob("*/LC_MESSAGES/*.po"):
        target = source.with_suffix(".mo")
        if not target.exists() or target.stat().st_mtime < source.stat().st_mtime:
            with source.open("rb") as po, target.open("wb") as mo:
                write_mo(mo, read_po(po, locale=source.parent.parent.name))


class CompileWords(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        compile_words(Path(self.root) / "src/powderkeg/locale")


if __name__ == "__main__":
    compile_words(Path(__file__).parent / "src/powderkeg/locale")
