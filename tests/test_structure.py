"""A house where things are found: names that tell things apart, small functions, files and folders,
and no import that leads back to where it started."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from statistics import median, quantiles
from typing import NamedTuple, TypeAlias

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "powderkeg"

MOST_LINES = 500  # per file
MOST_FILES = 16  # per folder
LEAST_UNIQUE = 0.90  # of the top-level names
MOST_ONE_WORD = 0.50  # of the functions
MEDIAN_LENGTH, LONG_LENGTH = 6, 17  # lines of a function: the median, and nine in ten

# Compiled kernels are one piece: what they call, they inline.
KERNELS = {"fast", "numbers"}

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


class Named(NamedTuple):
    """A name and the file that defines it."""

    name: str
    place: str


@cache
def parsed_modules() -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text("utf-8")) for path in sorted(SOURCE.rglob("*.py"))}


def functions_in(tree: ast.Module) -> Iterator[Function]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def top_level_names(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.ClassDef(name=name):
                yield name
            case ast.Assign(targets=targets):
                yield from (target.id for target in targets if isinstance(target, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name


def is_dunder(name: str) -> bool:
    return name.startswith("__")


def has_one_word(name: str) -> bool:
    return "_" not in name.strip("_")


def test_names_tell_things_apart():
    places = defaultdict(list)
    for path, tree in parsed_modules().items():
        for name in filter(lambda name: not is_dunder(name), top_level_names(tree)):
            places[name].append(str(path.relative_to(SOURCE)))
    total = sum(map(len, places.values()))
    unique = sum(len(found) == 1 for found in places.values()) / total
    worst = sorted(places.items(), key=lambda item: -len(item[1]))[:25]
    listing = "\n".join(f"{name}: {', '.join(found)}" for name, found in worst)
    assert unique >= LEAST_UNIQUE, f"{unique:.1%} of {total} names are unique; not so:\n{listing}"


def test_functions_have_names_of_two_words():
    named = [
        Named(function.name, str(path.relative_to(SOURCE)))
        for path, tree in parsed_modules().items()
        for function in functions_in(tree)
        if not is_dunder(function.name)
    ]
    short = [function for function in named if has_one_word(function.name)]
    places = defaultdict(list)
    for function in short:
        places[function.place].append(function.name)
    worst = sorted(places.items(), key=lambda item: -len(item[1]))[:15]
    listing = "\n".join(f"{place}: {', '.join(names)}" for place, names in worst)
    share = len(short) / len(named)
    assert share <= MOST_ONE_WORD, f"{share:.1%} of {len(named)} have one word; most:\n{listing}"


def test_functions_are_small():
    lengths = [
        (function.end_lineno or 0) - function.lineno + 1
        for tree in parsed_modules().values()
        for function in functions_in(tree)
    ]
    assert median(lengths) <= MEDIAN_LENGTH
    assert quantiles(lengths, n=10)[-1] <= LONG_LENGTH


def test_files_are_small():
    long = {
        str(path.relative_to(ROOT)): lines
        for part in ("src", "tests", "tools", "bench")
        for path in sorted((ROOT / part).rglob("*.py"))
        if (lines := len(path.read_text("utf-8").splitlines())) > MOST_LINES
        and path.parent.name not in KERNELS
    }
    assert long == {}


@pytest.mark.parametrize("part", ["src/powderkeg", "tests", "web/src"])
def test_folders_are_small(part):
    files = defaultdict(int)
    for path in (ROOT / part).rglob("*"):
        if path.suffix in (".py", ".ts", ".svelte") and "__pycache__" not in path.parts:
            files[str(path.parent.relative_to(ROOT))] += 1
    assert {folder: count for folder, count in files.items() if count > MOST_FILES} == {}


# Cycles


BARE_EXCUSE = re.compile(r"# (noqa|type: ignore)(: [A-Z0-9, ]+|\[[a-z, -]+\])?\s*$")


def test_every_exception_to_a_check_has_its_reason():
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for part in ("src", "tests", "tools", "bench")
        for path in sorted((ROOT / part).rglob("*.py"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if BARE_EXCUSE.search(line)
    ]
    assert found == []


def test_a_planted_exception_without_a_reason_is_found():
    assert BARE_EXCUSE.search("import x  # noqa: " + "E402")
    assert not BARE_EXCUSE.search("import x  # noqa: " + "E402  # needs the extra")


def module_name(path: Path) -> str:
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported_modules(tree: ast.Module, known: set[str]) -> set[str]:
    """Modules of ours that `tree` imports, inside functions too: a late import hides no cycle."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inside = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= inside & known or {node.module}
            if inside - known:
                found.add(node.module)
    return found & known


def import_cycle(graph: dict[str, set[str]]) -> list[str]:
    """Modules that lead back to the first of them, if there are any."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        cycle: list[str] = error.args[1]
        return cycle
    return []


def test_no_import_leads_back():
    trees = {module_name(path): tree for path, tree in parsed_modules().items()}
    graph = {name: imported_modules(tree, set(trees)) - {name} for name, tree in trees.items()}
    assert import_cycle(graph) == []


def test_a_planted_cycle_is_found():
    late = ast.parse("def f():\n    from a import b\n")
    assert imported_modules(late, {"a", "a.b"}) == {"a.b"}
    assert set(import_cycle({"b": {"c"}, "c": {"d"}, "d": {"b"}, "e": {"c"}})) == {"b", "c", "d"}
