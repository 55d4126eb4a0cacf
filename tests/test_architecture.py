"""Imports point one way only, no game knows another, and the server knows none by name."""

import ast
import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "powderkeg"

# Who may import whom. `picture` is ink, paper and SVG, and knows no game; `proof` reads the rules' pages.
MAY = {
    "core": set(),
    "games": {"core", "picture"},
    "bots": {"core", "games", "proof"},
    "lessons": {"core", "games"},
    "rl": {"core", "games", "bots"},
    "client": {"core", "games", "bots"},
    "server": {"core", "games", "bots", "lessons", "picture", "__init__"},
    "bench": {"core", "games", "bots", "rl", "compiled", "__init__"},
    "compiled": set(),
    "proof": set(),
    "picture": set(),
    "__init__": {"core", "games", "compiled"},
    "cli": {"core", "games", "bots", "server", "client", "proof", "picture", "bench", "__init__"},
    "__main__": {"cli"},
}
NOT_IN_RULES = {"random", "time", "os", "logging", "asyncio", "datetime", "threading", "socket"}


def imports(source: str) -> set[str]:
    """Dotted names that a module imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def part_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def faults(path: Path, source: str) -> list[str]:
    """What `source`, standing at `path`, imports against the rules."""
    part, used = part_of(path), imports(source)
    ours = [name.split(".") for name in used if name.split(".")[0] == "powderkeg"]
    wrong = [".".join(name) for name in ours if _target(name) not in MAY[part] | {part}]
    if part == "games":
        game = path.relative_to(SOURCE).parts[1].removesuffix(".py")
        wrong += [".".join(n) for n in ours if n[1:2] == ["games"] and n[2:3] not in ([game], [])]
        wrong += sorted({name.split(".")[0] for name in used} & NOT_IN_RULES)
    if part in ("core", "games"):
        wrong += sorted(foreign(used) - ALLOWED.get(path.parent.name, set()))
    return wrong


# The batch adjudicator is compiled, and says so where it is imported.
ALLOWED = {"fast": {"numpy", "numba"}}


def foreign(used: set[str]) -> set[str]:
    """Packages that are neither ours nor the standard library's."""
    import sys

    tops = {name.split(".")[0] for name in used}
    return tops - set(sys.stdlib_module_names) - {"powderkeg"}


def _target(name: list[str]) -> str:
    """The part of the package that a dotted import reaches into."""
    return name[1] if len(name) > 1 and name[1] in MAY else "__init__"


MODULES = sorted(SOURCE.rglob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_one_way(path):
    assert faults(path, path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("where", "line"),
    [
        ("core/table.py", "import powderkeg.games"),
        ("core/table.py", "from powderkeg.games.diplomacy import actions"),
        ("core/table.py", "import numpy"),
        ("games/diplomacy/flow.py", "from powderkeg.games.versailles import board"),
        ("games/diplomacy/flow.py", "from powderkeg.server.tables import cache"),
        ("games/diplomacy/flow.py", "import random"),
        ("games/versailles/rules.py", "import pydantic"),
        ("bots/levels.py", "from powderkeg.server.db import store"),
        ("server/tables/cache.py", "from powderkeg.cli import app"),
        ("core/record.py", "from powderkeg import table"),
    ],
)
def test_a_planted_import_is_found(where, line):
    assert faults(SOURCE / where, line)


def test_the_server_knows_no_game_by_name():
    named = re.compile(r"diplomacy|versailles|risk", re.IGNORECASE)
    found = [p.name for p in (SOURCE / "server").rglob("*.py") if named.search(p.read_text())]
    assert found == []
