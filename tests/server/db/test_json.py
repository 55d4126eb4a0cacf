"""JSON is written the same with and without the library that writes it faster."""

import sys

import pytest

from powderkeg.server.db import schema

VALUES = [
    {"a": None, "b": [1, 2.5, True], "c": {"d": 'è « ñ » \\ " \n'}},
    (1, "two", {"three": [[], {}]}),
    {1: "a number as a key"},
    10**20,
    1795017191.134991,
]


@pytest.mark.parametrize("value", VALUES)
def test_python_writes_the_same_where_msgspec_is_missing(
    monkeypatch: pytest.MonkeyPatch, value: object
) -> None:
    monkeypatch.setitem(sys.modules, "msgspec.json", None)
    assert schema.json_writer()(value) == schema.write_json(value)
