"""The folders of the server import one way only, and no import hides inside a function."""

import ast
from pathlib import Path

import pytest

SERVER = Path(__file__).parent.parent.parent / "src" / "powderkeg" / "server"

# Which folders of the server each folder may import, from the ground up.
SERVER_MAY: dict[str, set[str]] = {
    "db": set(),
    "schemas": {"db"},
    "notices": {"db"},
    "accounts": {"db", "schemas"},
    "tables": {"db", "schemas", "notices", "accounts"},
    "views": {"db", "schemas", "accounts", "tables"},
    "lobby": {"db", "schemas", "notices", "accounts", "tables", "views"},
    "press": {"db", "schemas", "accounts", "tables", "views", "lobby"},
    "bots": {"db", "accounts", "tables"},
    "analysis": {"schemas", "accounts", "tables", "views", "lobby"},
    "jobs": {"db", "notices", "tables", "press", "bots"},
    "http": {
        "db",
        "schemas",
        "notices",
        "accounts",
        "tables",
        "views",
        "lobby",
        "press",
        "analysis",
        "process",
    },
}
# Modules beside the folders: the small ones are for everybody, the large ones wire all together.
EVERYWHERE = {"settings", "metrics", "refusals", "local_time", "message_json", "games", "logs"}
EVERYWHERE |= {"heap", "long_steps", "loop_lag", "step_times"}  # what measures a process
NEEDS = {"message_json": {"db"}}  # the types of stored messages
WIRING = {"app", "process", "admin"}
# Packages that are large or optional, loaded where they are needed.
LATE = {"py_vapid", "pywebpush", "cryptography"}


def folder_of(path: Path) -> str:
    return path.relative_to(SERVER).parts[0].removesuffix(".py")


def server_imports(source: str) -> set[str]:
    """The folders and modules of the server that a source imports."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        found |= {n.split(".")[2] for n in names if n.startswith("powderkeg.server.")}
    return found


def hidden_imports(source: str) -> list[str]:
    """Imports inside functions, but for packages that are loaded late on purpose."""
    found = []
    for function in ast.walk(ast.parse(source)):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.ImportFrom):
                found.append(node.module or "")
            elif isinstance(node, ast.Import):
                found += [alias.name for alias in node.names]
    return [name for name in found if name.split(".")[0] not in LATE]


def faults(path: Path, source: str) -> list[str]:
    """What a module at `path` imports against the rules."""
    folder, used = folder_of(path), server_imports(source)
    if folder in WIRING or folder == "__init__":
        wrong = set()
    elif folder in EVERYWHERE:
        wrong = used - EVERYWHERE - NEEDS.get(folder, set())
    else:
        wrong = used - SERVER_MAY[folder] - EVERYWHERE - {folder}
    return sorted(wrong) + hidden_imports(source)


@pytest.mark.parametrize(
    "path", sorted(SERVER.rglob("*.py")), ids=lambda path: str(path.relative_to(SERVER))
)
def test_the_servers_folders_import_one_way(path):
    assert faults(path, path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("where", "line"),
    [
        ("db/store.py", "from powderkeg.server.tables import cache"),
        ("db/rows.py", "from powderkeg.server.schemas.tables import TableOut"),
        ("notices/outbox.py", "from powderkeg.server.tables.loaded import LoadedTable"),
        ("tables/cache.py", "from powderkeg.server.press import proposals"),
        ("tables/after_move.py", "from powderkeg.server.bots.turns import play_bots"),
        ("tables/after_move.py", "def f():\n    from powderkeg.server.db import store"),
        ("press/letters.py", "from powderkeg.server.http import press"),
        ("views/present.py", "import powderkeg.server.lobby.create"),
        ("jobs/deadlines.py", "from powderkeg.server.http.deps import ServerDep"),
        ("http/tables.py", "from powderkeg.server.app import create_app"),
        ("settings.py", "from powderkeg.server.db import store"),
        ("app.py", "async def f():\n    import powderkeg.server.http"),
    ],
)
def test_a_planted_import_of_the_server_is_found(where, line):
    assert faults(SERVER / where, line)


def test_every_folder_of_the_server_has_its_rule_and_some_room():
    folders = {p.name for p in SERVER.iterdir() if p.is_dir() and p.name != "__pycache__"}
    assert folders == set(SERVER_MAY)
    for folder in folders | {"."}:
        assert len(list((SERVER / folder).glob("*.py"))) <= 16, folder
