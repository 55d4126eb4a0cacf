"""Compiled rules: extension modules beside their sources, made by `make fast`.

Python prefers an extension module to the source beside it. That is right only while it was made from
this source, and while nobody has switched it off with ``POWDERKEG_COMPILED=0``. Otherwise a finder
that knows only sources comes first.
"""

import hashlib
import json
import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

__all__ = ["MANIFEST", "SWITCH", "choose_rules", "source_digest", "uses_compiled"]

SWITCH = "POWDERKEG_COMPILED"
MANIFEST = Path(__file__).with_name("compiled.json")  # the sources that were compiled: path, digest


class SourceFinder:
    """Finds our modules as sources, whatever has been compiled beside them."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not path or not name.startswith("powderkeg."):
            return None
        source = Path(path[0]) / f"{name.rpartition('.')[2]}.py"
        return spec_from_file_location(name, source) if source.is_file() else None


def choose_rules() -> None:
    """Make imports find the sources if the compiled modules are switched off or out of date."""
    if MANIFEST.is_file() and (os.environ.get(SWITCH) == "0" or _is_outdated()):
        sys.meta_path.insert(0, SourceFinder())


def uses_compiled() -> bool:
    """Whether the rules that run here are compiled: they may have been, for another Python."""
    found = find_spec("powderkeg.core.agenda")
    return found is not None and not str(found.origin).endswith(".py")


def source_digest(source: Path) -> str:
    return hashlib.sha256(source.read_bytes()).hexdigest()


def _is_outdated() -> bool:
    """Whether a source has changed since it was compiled; then its neighbours would not fit it."""
    known: dict[str, str] = json.loads(MANIFEST.read_text(encoding="utf-8"))
    root = MANIFEST.parent
    return any(
        not (root / name).is_file() or source_digest(root / name) != digest
        for name, digest in known.items()
    )
