"""Statements that are built once: for what is written with every action, and read for every connection and
every table that is loaded.

SQLAlchemy builds, hashes and looks up a statement each time, which takes ten times as long as SQLite
needs to run it. A prepared statement keeps its SQL text, and SQLite's own connection runs it.
"""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Executable, Select, Table, bindparam, select, update
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.sql.compiler import SQLCompiler

Row = Mapping[str, Any]
Convert = Callable[[Any], Any] | None


class PreparedStatement:
    """A statement whose values are parameters."""

    def __init__(self, statement: Executable) -> None:
        self.statement = statement
        self._sql = ""
        self._columns: list[
            tuple[str, Any, Convert]
        ] = []  # with values that are the same each time

    def run(self, direct: sqlite3.Connection, dialect: Dialect, rows: Sequence[Row]) -> int:
        """Run it on SQLite, once for each row; return the number of affected rows."""
        if not self._sql:
            self._compile(dialect)
        if len(rows) == 1:
            return direct.execute(self._sql, self._values(rows[0])).rowcount
        return direct.executemany(self._sql, map(self._values, rows)).rowcount

    def _compile(self, dialect: Dialect) -> None:
        compiled: Any = self.statement.compile(dialect=dialect)  # type: ignore[attr-defined]  # of every statement
        assert isinstance(compiled, SQLCompiler)  # noqa: S101  # of a statement
        bounds = [(name, compiled.binds[name]) for name in compiled.positiontup or ()]
        self._columns = [
            (name, bound.value, bound.type.dialect_impl(dialect).bind_processor(dialect))
            for name, bound in bounds
        ]
        self._sql = str(compiled)  # last: other threads may look

    def _values(self, row: Row) -> list[Any]:
        return [
            row.get(name, fixed) if convert is None else convert(row.get(name, fixed))
            for name, fixed, convert in self._columns
        ]


class PreparedUpdates:
    """Updates of rows found by `keys`, one statement for each set of columns that change."""

    def __init__(self, table: Table, *keys: str) -> None:
        self.table, self.keys = table, keys
        self.known: dict[tuple[str, ...], PreparedStatement] = {}

    def of(self, columns: tuple[str, ...]) -> PreparedStatement:
        """The update of these columns. A key is the parameter `k_<name>`, a new value `v_<name>`."""
        if (found := self.known.get(columns)) is None:
            c = self.table.c
            keys = [c[name] == bindparam(f"k_{name}", type_=c[name].type) for name in self.keys]
            values = {name: bindparam(f"v_{name}", type_=c[name].type) for name in columns}
            statement = update(self.table).where(*keys).values(values)
            found = self.known[columns] = PreparedStatement(statement)
        return found


class PreparedQuery:
    """A query whose values are parameters: texts and numbers, which need no conversion."""

    def __init__(self, statement: Select[Any]) -> None:
        self.statement = statement
        self._sql = ""
        # Parameters, their own values, and whether the caller gives the value
        self._values: list[tuple[str, Any, bool]] = []
        self._columns: list[tuple[str, Convert]] = []

    def find_rows(
        self, direct: sqlite3.Connection, dialect: Dialect, values: Row
    ) -> list[dict[str, Any]]:
        """Look on SQLite; the columns by their names."""
        if not self._sql:
            self._compile(dialect)
        given = [values[name] if asked else fixed for name, fixed, asked in self._values]
        return [
            {
                name: found if convert is None else convert(found)
                for (name, convert), found in zip(self._columns, row, strict=True)
            }
            for row in direct.execute(self._sql, given)
        ]

    def _compile(self, dialect: Dialect) -> None:
        compiled: Any = self.statement.compile(dialect=dialect)
        bounds = [(name, compiled.binds[name]) for name in compiled.positiontup or ()]
        self._values = [(name, bound.value, bound.required) for name, bound in bounds]
        self._columns = [
            (str(column.key), column.type.dialect_impl(dialect).result_processor(dialect, None))
            for column in self.statement.selected_columns
        ]
        self._sql = str(compiled)  # last: other threads may look


def prepare_lookup(table: Table, key: str, *conditions: ColumnElement[bool]) -> PreparedQuery:
    """The rows of a table whose `key` is the parameter `key`."""
    column = table.c[key]
    mine = column == bindparam("key", type_=column.type)
    return PreparedQuery(select(table).where(mine, *conditions))
