"""Players can leave a league."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "league_departures",
        sa.Column("league", sa.String(length=24), nullable=False),
        sa.Column("user", sa.String(length=24), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["league"],
            ["leagues.id"],
            name=op.f("fk_league_departures_league"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user"], ["users.id"], name=op.f("fk_league_departures_user"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("league", "user", name=op.f("pk_league_departures")),
    )
    op.create_index(op.f("ix_league_departures_user"), "league_departures", ["user"])


def downgrade() -> None:
    op.drop_index(op.f("ix_league_departures_user"), "league_departures")
    op.drop_table("league_departures")
