"""Compiled rules play the same games as their sources, and only while the sources stay the same."""

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from powderkeg import compiled
from tools.compile_rules import UNITS, digest_sources, remove_compiled, unit_sources, write_manifest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "powderkeg"
PLAYTHROUGHS = (
    "tests/games/diplomacy/test_playthroughs.py",
    "tests/games/risk_europe/test_contract.py",
    "tests/games/versailles/test_contract.py",
    "tests/games/versailles/cards/test_examples.py",
)


def run_python(*args: str, source: Path, switch: str = "1") -> str:
    """Run Python with the package in `source`; return what it printed."""
    known = {**os.environ, "PYTHONPATH": str(source), compiled.SWITCH: switch}
    known.pop("POWDERKEG_FULL", None)  # these are not all the tests
    done = subprocess.run(
        [sys.executable, *args], cwd=ROOT, env=known, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def imported_files(source: Path, switch: str = "1") -> set[str]:
    """How the files end from which Python imports the modules that can be compiled."""
    paths = [p for unit in UNITS for p in unit_sources(source / "powderkeg", unit)]
    names = [".".join(p.relative_to(source).with_suffix("").parts) for p in paths]
    script = (
        f"from importlib import import_module\nfor n in {names}: print(import_module(n).__file__)"
    )
    return {
        Path(line).suffix for line in run_python("-c", script, source=source, switch=switch).split()
    }


HAS_COMPILER = any(shutil.which(name) for name in ("cc", "gcc", "clang", "cl"))


@pytest.mark.slow
@pytest.mark.skipif(not HAS_COMPILER, reason="compiling needs a C compiler")
def test_compiled_rules_play_the_recorded_games(tmp_path):
    package = tmp_path / "powderkeg"
    left_out = shutil.ignore_patterns("web", "__pycache__", "*.so", "*.pyd", compiled.MANIFEST.name)
    shutil.copytree(PACKAGE, package, ignore=left_out)
    shutil.copytree(ROOT / "docs" / "rules", package / "rules")
    run_python(
        "-m", "tools.compile_rules", "--package", str(package), "--level", "0", source=tmp_path
    )
    assert imported_files(tmp_path) <= {".so", ".pyd"}
    script = "from powderkeg.compiled import uses_compiled; print(uses_compiled())"
    assert run_python("-c", script, source=tmp_path).split() == ["True"]
    assert run_python("-c", script, source=tmp_path, switch="0").split() == ["False"]
    assert imported_files(tmp_path, switch="0") == {".py"}
    run_python(
        *("-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider"),
        *("-k", "playthrough or recorded or example", *PLAYTHROUGHS),
        source=tmp_path,
    )
    with (package / "core" / "agenda.py").open("a", encoding="utf-8") as edited:
        edited.write("# edited\n")
    assert imported_files(tmp_path) == {".py"}
    remove_compiled(package)
    assert not [*tmp_path.rglob("*.so"), *tmp_path.rglob("*.pyd"), *tmp_path.rglob("compiled.json")]


def test_what_another_python_compiled_does_not_count(tmp_path, monkeypatch):
    monkeypatch.setattr(compiled, "MANIFEST", tmp_path / compiled.MANIFEST.name)
    write_manifest(tmp_path, {})
    assert not compiled.uses_compiled()


def test_a_manifest_holds_as_long_as_its_sources(tmp_path, monkeypatch):
    source = tmp_path / "rules.py"
    source.write_text("A = 1\n", encoding="utf-8")
    write_manifest(tmp_path, digest_sources(tmp_path, [source]))
    monkeypatch.setattr(compiled, "MANIFEST", tmp_path / compiled.MANIFEST.name)
    assert list(json.loads(compiled.MANIFEST.read_text(encoding="utf-8"))) == ["rules.py"]
    assert not compiled._is_outdated()
    source.write_text("A = 2\n", encoding="utf-8")
    assert compiled._is_outdated()
    source.unlink()
    assert compiled._is_outdated()


@pytest.mark.parametrize("unit", sorted(UNITS))
def test_what_is_stored_stays_interpreted(unit):
    """mypyc simplifies the type hints of dataclasses, and `core.plain` stores values by them."""
    sources = unit_sources(PACKAGE, unit)
    assert sources
    for path in sources:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
        assert not [c.name for c in classes if "dataclass" in map(decorator_name, c.decorator_list)]


def decorator_name(node: ast.expr) -> str:
    called = node.func if isinstance(node, ast.Call) else node
    return called.id if isinstance(called, ast.Name) else ""
