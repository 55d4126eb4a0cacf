"""Migrate the database on start; refuse one written by a newer Powderkeg."""

from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from asyncpg import PostgresError  # type: ignore[import-untyped]  # it ships no types
from sqlalchemy import Connection, make_url, text
from sqlalchemy.exc import DBAPIError

from powderkeg.server.db.store import CannotStart, Store

MIGRATIONS_FOLDER = Path(__file__).parent / "migrations"
MIGRATION_LOCK = (
    7_113_019  # any fixed number: processes that start together take turns by this lock
)

POSTGRES_PORT = 5432


def alembic_config() -> Config:
    found = Config()
    found.set_main_option("script_location", str(MIGRATIONS_FOLDER).replace("%", "%%"))
    return found


async def upgrade_database(store: Store, to: str = "head") -> None:
    try:
        await store.run_sync(_run_upgrade, to)
    except (DBAPIError, PostgresError) as error:
        why = str(getattr(error, "orig", error)).partition("\n")[0]
        raise CannotStart("server.database_refused", why=why) from error
    except OSError as error:
        if store.settings.is_sqlite:
            raise
        raise _unreachable_database(store.settings.url, error) from error


def _unreachable_database(url: str, error: OSError) -> CannotStart:
    at = make_url(url)  # its password is not repeated
    address = f"{at.host or 'localhost'}:{at.port or POSTGRES_PORT}"
    return CannotStart("server.database_unreachable", address=address, why=str(error))


def _run_upgrade(connection: Connection, to: str) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": MIGRATION_LOCK})
    setup = alembic_config()
    known = {script.revision for script in ScriptDirectory.from_config(setup).walk_revisions()}
    current = MigrationContext.configure(connection).get_current_heads()
    if unknown := set(current) - known:
        raise CannotStart("server.newer_database", version=min(unknown))
    setup.attributes["connection"] = connection
    if to == "head" or to in known:
        command.upgrade(setup, to)


def downgrade_database(connection: Connection, to: str) -> None:
    setup = alembic_config()
    setup.attributes["connection"] = connection
    command.downgrade(setup, to)


def database_version(connection: Connection) -> Any:
    return MigrationContext.configure(connection).get_current_revision()
