"""Offers in the press, and what bots that talk remember."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("press", sa.Column("form", sa.Text(), nullable=True))
    op.add_column("press", sa.Column("answers", sa.Integer(), nullable=True))
    op.add_column("games", sa.Column("spoken", sa.String(length=80), nullable=True))
    op.create_table(
        "envoys",
        sa.Column("game", sa.String(length=24), nullable=False),
        sa.Column("seat", sa.String(length=40), nullable=False),
        sa.Column("phase", sa.String(length=80), nullable=False),
        sa.Column("heard", sa.Integer(), nullable=False),
        sa.Column("memory", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["game"], ["games.id"], name=op.f("fk_envoys_game"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("game", "seat", name=op.f("pk_envoys")),
    )


def downgrade() -> None:
    op.drop_table("envoys")
    op.drop_column("games", "spoken")
    op.drop_column("press", "answers")
    op.drop_column("press", "form")
