"""Bots have a character; those seated before are even-handed."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("seats") as seats:
        seats.add_column(
            sa.Column("character", sa.String(length=20), nullable=False, server_default="")
        )
    with op.batch_alter_table("seats") as seats:
        seats.alter_column("character", server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("seats") as seats:
        seats.drop_column("character")
