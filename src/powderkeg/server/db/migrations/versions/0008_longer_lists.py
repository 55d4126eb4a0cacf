"""Indexes for lists that have grown: jobs by kind, tables by their last move, vacant seats."""

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


NEW = (("jobs", "kind", "run_at"), ("games", "status", "listed", "moved"), ("seats", "vacant"))
OLD = (("jobs", "run_at"), ("games", "status", "listed"))


def upgrade() -> None:
    _create(NEW)
    _drop(OLD)


def downgrade() -> None:
    _create(OLD)
    _drop(NEW)


def _create(indexes: tuple[tuple[str, ...], ...]) -> None:
    for table, *columns in indexes:
        op.create_index(op.f(f"ix_{table}_{'_'.join(columns)}"), table, columns)


def _drop(indexes: tuple[tuple[str, ...], ...]) -> None:
    for table, *columns in indexes:
        op.drop_index(op.f(f"ix_{table}_{'_'.join(columns)}"), table)
