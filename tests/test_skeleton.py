"""The three games have one skeleton: the same part stands in the same file everywhere."""

import ast
from pathlib import Path

import pytest

from powderkeg import games

FOLDER = Path(games.__file__).parent

# What every game has, and the names that a reader finds there (defined or imported).
SKELETON: dict[str, set[str]] = {
    "__init__.py": {"__all__"},
    "board.py": set(),  # nouns
    "actions.py": {"Action", "parse"},  # verbs and their notation
    "state.py": {"Options", "State"},
    "steps.py": set(),  # what can be pending
    "flow.py": {"to_act", "legal", "apply", "default", "result"},
    "ask.py": set(),  # questions
    "view.py": {"view", "deal", "marks"},
    "describe.py": {"describe"},
    "report.py": {"scenes", "score"},  # the reports beside the board
    "words.py": {"phase_name"},
    "invariants.py": {"broken"},
    "rules/__init__.py": set(),
}

# What a game may have beside it, and why.
MORE: dict[str, set[str]] = {
    "diplomacy": {"archive", "fast", "judge", "notation", "draw"},
    # kinds: the rows of KINDS; records: what is stored, apart from what can be compiled
    "versailles": {"cards", "deals", "events", "fast", "kinds.py", "records.py"},
    # mask: where secrets are cut; records: as in Versailles
    "risk_europe": {"cards", "fast", "odds", "draw", "mask.py", "records.py"},
}
MOST_FILES = 16  # in one folder


def top_names(source: str) -> set[str]:
    """Names that a module defines or imports at its top level."""
    found: set[str] = set()
    for node in ast.parse(source).body:
        match node:
            case ast.FunctionDef(name) | ast.ClassDef(name):
                found.add(name)
            case ast.Import(names) | ast.ImportFrom(names=names):
                found |= {alias.asname or alias.name for alias in names}
            case ast.Assign(targets):
                found |= {target.id for target in targets if isinstance(target, ast.Name)}
            case ast.AnnAssign(ast.Name(name)):
                found.add(name)
    return found


def logic_in(source: str) -> list[str]:
    """What a contract's file holds beside imports and plain assignments."""
    allowed = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.Expr)
    return [type(node).__name__ for node in ast.parse(source).body if not isinstance(node, allowed)]


def faults_of(game: str, sources: dict[str, str]) -> list[str]:
    """Where a game leaves the skeleton; `sources` are its modules by path."""
    wrong = [f"{path} is missing" for path in SKELETON if path not in sources]
    for path, names in SKELETON.items():
        missing = names - top_names(sources.get(path, ""))
        wrong += [f"{path} has no {name}" for name in sorted(missing) if path in sources]
    wrong += [f"__init__.py holds a {what}" for what in logic_in(sources.get("__init__.py", ""))]
    tops = {Path(path).parts[0] for path in sources} - {Path(p).parts[0] for p in SKELETON}
    wrong += [f"{path} is no part of the skeleton" for path in sorted(tops - MORE[game])]
    return wrong + crowded(sources)


def crowded(sources: dict[str, str]) -> list[str]:
    folders = [Path(path).parent for path in sources]
    return [
        f"{folder} has over {MOST_FILES} files"
        for folder in sorted(set(folders))
        if folders.count(folder) > MOST_FILES
    ]


def sources_of(game: str) -> dict[str, str]:
    folder = FOLDER / game
    paths = sorted(folder.rglob("*.py"))
    return {p.relative_to(folder).as_posix(): p.read_text(encoding="utf-8") for p in paths}


@pytest.mark.parametrize("game", games.GAME_NAMES)
def test_every_game_has_the_skeleton(game):
    assert faults_of(game, sources_of(game)) == []


@pytest.mark.parametrize("game", ["versailles", "risk_europe"])
def test_games_with_an_agenda_run_one_table_of_kinds(game):
    assert {"KINDS", "FLOW"} <= top_names(sources_of(game)["flow.py"])


def test_the_phases_of_diplomacy_are_one_table_too():
    assert "KINDS" in top_names(sources_of("diplomacy")["steps.py"])


@pytest.mark.parametrize("game", games.GAME_NAMES)
def test_data_stands_beside_the_code(game):
    assert (FOLDER / game / "data").is_dir()


@pytest.mark.parametrize("path", sorted(SKELETON))
def test_a_missing_file_is_found(path):
    sources = sources_of("risk_europe")
    del sources[path]
    assert f"{path} is missing" in faults_of("risk_europe", sources)


@pytest.mark.parametrize(
    ("path", "name"), [(path, name) for path, names in SKELETON.items() for name in sorted(names)]
)
def test_a_name_that_stands_elsewhere_is_found(path, name):
    sources = sources_of("risk_europe")
    sources[path] = '"""Empty."""'
    assert f"{path} has no {name}" in faults_of("risk_europe", sources)


def test_logic_in_the_contract_is_found():
    sources = sources_of("risk_europe")
    sources["__init__.py"] += "\ndef helper():\n    pass\n"
    assert faults_of("risk_europe", sources) == ["__init__.py holds a FunctionDef"]


def test_a_stray_file_is_found():
    sources = sources_of("risk_europe") | {"more_rules.py": ""}
    assert faults_of("risk_europe", sources) == ["more_rules.py is no part of the skeleton"]


def test_a_crowded_folder_is_found():
    sources = sources_of("risk_europe") | {f"rules/part{n}.py": "" for n in range(MOST_FILES)}
    assert faults_of("risk_europe", sources) == [f"rules has over {MOST_FILES} files"]
