"""Build hooks: compile the catalogues of words, demand the built browser client, and write the
README for a package index.

An installed Powderkeg then needs neither Babel nor Node. Where the source is published is known only
to those who publish it: they set POWDERKEG_URL (`make release URL=https://...`). Without it, the
package names no address, and its README has no links or pictures that lead nowhere.
"""

import os
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

LOCALE = "src/powderkeg/locale"
CLIENT = "src/powderkeg/web/index.html"
FIXED_DATE = datetime.fromtimestamp(0, UTC)  # else the minute of the build is in every package


def compile_words(locale: Path) -> None:
    for source in locale.glob("*/LC_MESSAGES/*.po"):
        target = source.with_suffix(".mo")
        if not target.exists() or target.stat().st_mtime < source.stat().st_mtime:
            with source.open("rb") as po, target.open("wb") as mo:
                words = read_po(po, locale=source.parent.parent.name)
                words.creation_date = FIXED_DATE
                write_mo(mo, words)


PICTURE = re.compile(r"!\[([^\]]*)\]\((?!https?:)([^)]+)\)")
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?!https?:|#)([^)]+)\)")


def index_readme(text: str, url: str, version: str) -> str:
    """The README as a package index shows it: links and pictures are absolute, or left out."""
    if url:
        text = PICTURE.sub(rf"![\1]({url}/raw/v{version}/\2)", text)
        return LINK.sub(rf"[\1]({url}/blob/v{version}/\2)", text)
    kept = [block for block in text.split("\n\n") if not _is_only_links(block)]
    return LINK.sub(r"\1", "\n\n".join(kept))


def _is_only_links(block: str) -> bool:
    """Whether a paragraph is pictures, or nothing but links."""
    return bool(
        PICTURE.search(block) or (LINK.search(block) and not LINK.sub("", block).strip("· \n"))
    )


def index_urls(url: str, version: str) -> dict[str, str]:
    if not url:
        return {}
    pages = {"Documentation": "docs/index.md", "Changelog": "CHANGELOG.md"}
    return {"Repository": url} | {k: f"{url}/blob/v{version}/{v}" for k, v in pages.items()}


class IndexMetadata(MetadataHookInterface):
    def update(self, metadata: dict[str, Any]) -> None:
        if "readme" in metadata:  # an sdist has brought its own
            return
        url, version = os.environ.get("POWDERKEG_URL", "").rstrip("/"), metadata["version"]
        readme = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        text = index_readme(readme, url, version)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        metadata["urls"] = index_urls(url, version)


class PackageHook(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        compile_words(root / LOCALE)
        if version != "editable" and not (root / CLIENT).is_file():
            raise SystemExit("The browser client is not built. Run `make web`, then build again.")


if __name__ == "__main__":
    compile_words(Path(__file__).parent / LOCALE)
