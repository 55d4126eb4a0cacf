"""Tests that share what is dear run in one process, and the longest start first."""

from pathlib import Path

import pytest

from tests.spreading import FIRST, POSTGRES, RELEASE, place_of, scope_of

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    ("test", "scope"),
    [
        ("tests/server/http/test_socket.py::test_it[postgres]", POSTGRES),
        ("tests/server/http/test_socket.py::test_it[late-postgres]", POSTGRES),
        ("tests/server/http/test_socket.py::test_it[sqlite]", "tests/server/http/test_socket.py"),
        ("tests/release/test_install.py::test_it[3.12]", RELEASE),
        ("docs/tour.md::tour.md", "docs/tour.md"),
    ],
)
def test_what_is_shared_keeps_tests_together(test, scope):
    assert scope_of(test) == scope


def test_the_longest_start_first():
    tests = [
        "tests/core/test_a.py::test_a",
        "docs/tour.md::tour.md",
        "tests/b.py::test_b[postgres]",
    ]
    assert sorted(tests, key=place_of) == tests[::-1]


def test_what_starts_first_exists():
    assert [path for path in FIRST if path != POSTGRES and not (ROOT / path).exists()] == []
