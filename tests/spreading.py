"""Which tests run in the same process, and which of them start first (with `--dist=loadscope`).

A file's tests stay together, and so do those that share what takes long to make: four processes on
PostgreSQL, the packages of a release. What takes longest starts first, so that no core waits for it
at the end.
"""

import re
from typing import Any

ON_POSTGRES = re.compile(r"[\[-]postgres[\]-]")
RELEASE = "tests/release/"
POSTGRES = "postgres"
FIRST = (
    POSTGRES,
    RELEASE,
    "tests/tools/test_compile_rules.py",
    "tests/browser/test_cards.py",
    "tests/browser/test_games.py",
    "tests/browser/test_everybody.py",
    "tests/browser/test_three_evenings.py",
    "tests/browser/boards/test_board_versailles.py",
    "tests/browser/boards/test_board_risk_europe.py",
    "tests/server/test_kill.py",
    "tests/server/test_two_processes.py",
    "tests/server/tables/test_races.py",
    "tests/server/test_process.py",
    "tests/games/versailles/test_contract.py",
    "tests/bots/arena/test_tournament.py",
    "tests/tools/test_mapmaker.py",
    "docs/guides/research.md",
    "docs/tour.md",
)


def scope_of(test: str) -> str:
    """What a test runs together with: its file, or what it shares with others."""
    if test.startswith(RELEASE):
        return RELEASE
    return POSTGRES if ON_POSTGRES.search(test) else test.partition("::")[0]


def place_of(test: str) -> int:
    """How early a test starts."""
    scope = scope_of(test)
    return FIRST.index(scope) if scope in FIRST else len(FIRST)


def scheduler(config: Any, log: Any) -> Any:
    """Gives each process one group of tests after the other, in the order of their collection."""
    from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]  # it ships no types

    class ByScope(LoadScopeScheduling):  # type: ignore[misc]  # see above
        def add_node_collection(self, node: Any, collection: Any) -> None:
            assert len({*collection}) == len(collection), "of tests that share a name one would run"
            super().add_node_collection(node, collection)

        def _split_scope(self, nodeid: str) -> str:
            return scope_of(nodeid)

    config.option.loadscopereorder = False
    return ByScope(config, log)
