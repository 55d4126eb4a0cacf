"""Alembic's entry point. The server runs migrations on a connection of its own."""

from alembic import context

from powderkeg.server.db.schema import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
