"""Migrations that change rows: forth and back."""

from typing import Any

import pytest
import sqlalchemy as sa

from powderkeg.server.db.migrate import downgrade_database, upgrade_database
from powderkeg.server.db.store import Store

pytestmark = pytest.mark.slow

PEOPLE = [  # id, kind, name
    ("nobody", "guest", "Invitado"),
    ("ann", "guest", "Ann"),
    ("account", "person", "Guest"),
]
SEATS = [  # table, seat, user, name
    ("played", "red", "nobody", "Invitado"),
    ("played", "blue", "ann", "Ann"),
    ("played", "sky", "account", "Guest"),
    ("screen", "red", "nobody", "Guest"),
    ("screen", "blue", "nobody", "Bea"),
    ("copy", "red", "nobody", ""),
]


def insert_rows(connection: sa.Connection, name: str, *rows: dict[str, Any]) -> None:
    """Rows of an older schema; columns that matter to no test here are filled with something."""
    table = sa.Table(name, sa.MetaData(), autoload_with=connection)
    filling = {
        column.name: column.type.python_type()
        for column in table.columns
        if not column.nullable and not column.primary_key
    }
    connection.execute(table.insert(), [filling | row for row in rows])


def fill_tables(connection: sa.Connection) -> None:
    keys = ("id", "kind", "name")
    insert_rows(connection, "users", *(dict(zip(keys, row, strict=True)) for row in PEOPLE))
    purposes = {"played": "game", "screen": "game", "copy": "sandbox"}
    games = [{"id": id_, "purpose": purpose} for id_, purpose in purposes.items()]
    insert_rows(connection, "games", *games)
    columns = ("game", "seat", "user", "name")
    insert_rows(connection, "seats", *(dict(zip(columns, row, strict=True)) for row in SEATS))
    for name, user in (("press", "user"), ("reports", "about")):
        rows = [{"game": "played", user: id_, "name": called} for id_, _, called in PEOPLE]
        insert_rows(connection, name, *rows)


def read_names(connection: sa.Connection) -> dict[str, list[str]]:
    orders = {"users": "kind, id", "seats": "game, place, seat", "press": "id", "reports": "id"}
    return {
        table: list(
            connection.execute(sa.text(f"SELECT name FROM {table} ORDER BY {order}")).scalars()
        )
        for table, order in orders.items()
    }


@pytest.mark.asyncio
async def test_guests_lose_the_word_that_stood_for_a_name_and_nobody_else_does(settings):
    store = Store(settings, serves=False)
    await store.open()
    await upgrade_database(store)
    await store.run_sync(downgrade_database, "0011")
    await store.run_sync(fill_tables)
    await upgrade_database(store)
    assert await store.run_sync(read_names) == {
        "users": ["Ann", "", "Guest"],
        "seats": ["", "Ann", "", "Guest", "Bea", ""],
        "press": ["", "Ann", "Guest"],
        "reports": ["", "Ann", "Guest"],
    }
    await store.run_sync(downgrade_database, "0011")
    assert await store.run_sync(read_names) == {
        "users": ["Ann", "Guest", "Guest"],
        "seats": ["", "Ann", "Guest", "Guest", "Bea", "Guest"],
        "press": ["Guest", "Ann", "Guest"],
        "reports": ["Guest", "Ann", "Guest"],
    }
    await store.close()
