"""An index for the presence of players; drops a table that nothing was written to."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(op.f("ix_seats_seen"), "seats", ["seen"])
    op.drop_table("events")


def downgrade() -> None:
    op.create_table(
        "events",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user", sa.String(length=24), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("game", sa.String(length=24), nullable=True),
        sa.Column("seat", sa.String(length=40), nullable=True),
        sa.Column("seq", sa.Integer(), nullable=True),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game"], ["games.id"], name=op.f("fk_events_game"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["user"], ["users.id"], name=op.f("fk_events_user"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_events_user_id"), "events", ["user", "id"])
    op.drop_index(op.f("ix_seats_seen"), "seats")
