"""Build hook: compiles the catalogues of words and demands the built browser client.

An installed Powderkeg then needs neither Babel nor Node.
"""

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LOCALE = "src/powderkeg/locale"
CLIENT = "src/powderkeg/web/index.html"


def compile_words(locale: Path) -> None:
    for source in locale.glob("*/LC_MESSAGES/*.po"):
        target = source.with_suffix(".mo")
        if not target.exists() or target.stat().st_mtime < source.stat().st_mtime:
            with source.open("rb") as po, target.open("wb") as mo:
                write_mo(mo, read_po(po, locale=source.parent.parent.name))


class PackageHook(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        compile_words(root / LOCALE)
        if version != "editable" and not (root / CLIENT).is_file():
            raise SystemExit("The browser client is not built. Run `make web`, then build again.")


if __name__ == "__main__":
    compile_words(Path(__file__).parent / LOCALE)
