"""What compiled games share: how functions are compiled, and random numbers."""

import os

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("numba")

from powderkeg.core.fast.compiling import (  # noqa: E402  # needs the extra
    SHARED_SOURCES,
    bare_entry,
    forget_outdated,
    kernel_entry,
    kernel_inside,
    kernel_joint,
    kernel_layer,
    kernel_part,
)
from powderkeg.core.fast.luck import random_below  # noqa: E402  # needs the extra


def test_decorated_functions_stay_what_they_are():
    for decorate in (
        kernel_part, kernel_layer, kernel_joint, kernel_inside, kernel_entry, bare_entry,
    ):  # fmt: skip
        made = decorate(random_below.py_func)
        assert made.py_func is random_below.py_func


def test_what_is_older_than_its_source_is_forgotten(tmp_path):
    first, second = tmp_path / "first.py", tmp_path / "second.py"
    cache = tmp_path / "__pycache__"
    cache.mkdir()
    for number, path in enumerate((first, second)):
        path.write_text("")
        os.utime(path, (100 * number, 100 * number))
    stored = [cache / f"{name}.x-1.py311.nbi" for name in ("first", "second")]
    for path in stored:
        path.write_text("")
        os.utime(path, (50, 50))
    forget_outdated(first, second)
    assert [path.exists() for path in stored] == [True, False]


def test_the_shared_sources_exist():
    assert all(path.is_file() for path in SHARED_SOURCES)


@pytest.mark.parametrize("limit", [1, 2, 6, 1000])
def test_random_numbers_stay_below_their_limit(limit):
    luck = np.array([88172645463325252], np.uint64)
    found = [random_below.py_func(luck, limit) for _ in range(2000)]
    assert min(found) == 0
    assert max(found) < limit
    assert abs(np.mean(found) - (limit - 1) / 2) <= limit * 0.05
