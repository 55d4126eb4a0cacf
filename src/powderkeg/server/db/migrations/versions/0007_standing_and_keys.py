"""How players stand, the history of ratings, and keys that the server makes for itself."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("standing", sa.Text(), nullable=False, server_default="{}"))
    op.create_table(
        "rating_changes",
        sa.Column("user", sa.String(length=24), nullable=False),
        sa.Column("game", sa.String(length=24), nullable=False),
        sa.Column("rules", sa.String(length=40), nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user"], ["users.id"], name=op.f("fk_rating_changes_user"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["game"], ["games.id"], name=op.f("fk_rating_changes_game"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user", "game", name=op.f("pk_rating_changes")),
    )
    op.create_table(
        "server_keys",
        sa.Column("name", sa.String(length=20), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_server_keys")),
    )


def downgrade() -> None:
    op.drop_table("server_keys")
    op.drop_table("rating_changes")
    op.drop_column("games", "standing")
