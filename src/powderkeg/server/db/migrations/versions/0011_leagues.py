"""Leagues: tables of a club that are counted together."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "leagues",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("owner", sa.String(length=24), nullable=True),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("rules", sa.String(length=40), nullable=True),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("closed", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(
            ["owner"], ["users.id"], name=op.f("fk_leagues_owner"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_leagues")),
    )
    op.create_index(op.f("ix_leagues_owner"), "leagues", ["owner"])
    op.add_column("games", sa.Column("league", sa.String(length=24), nullable=True))
    op.create_index(op.f("ix_games_league"), "games", ["league"])


def downgrade() -> None:
    op.drop_index(op.f("ix_games_league"), "games")
    op.drop_column("games", "league")
    op.drop_index(op.f("ix_leagues_owner"), "leagues")
    op.drop_table("leagues")
