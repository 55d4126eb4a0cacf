"""Card packs that people save to their account."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "packs",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("user", sa.String(length=24), nullable=False),
        sa.Column("rules", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.Column("updated", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user"], ["users.id"], name=op.f("fk_packs_user"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_packs")),
    )
    op.create_index(op.f("ix_packs_user"), "packs", ["user"])


def downgrade() -> None:
    op.drop_index(op.f("ix_packs_user"), "packs")
    op.drop_table("packs")
