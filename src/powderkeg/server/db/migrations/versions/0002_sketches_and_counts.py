"""Sketches in the press, who among the watchers spoke, and limits counted for all processes."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("press", table_kwargs={"sqlite_autoincrement": True}) as press:
        press.add_column(sa.Column("sketch", sa.Text(), nullable=True))
        press.add_column(sa.Column("user", sa.String(length=24), nullable=True))
        press.create_foreign_key(
            op.f("fk_press_user"), "users", ["user"], ["id"], ondelete="SET NULL"
        )
        press.create_index(op.f("ix_press_user"), ["user"])
    op.create_table(
        "hits",
        sa.Column("who", sa.String(length=64), nullable=False),
        sa.Column("slot", sa.Integer(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("ends", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("who", "slot", name=op.f("pk_hits")),
    )
    op.create_index(op.f("ix_hits_ends"), "hits", ["ends"])


def downgrade() -> None:
    op.drop_table("hits")
    with op.batch_alter_table("press", table_kwargs={"sqlite_autoincrement": True}) as press:
        press.drop_index(op.f("ix_press_user"))
        press.drop_constraint(op.f("fk_press_user"), type_="foreignkey")
        press.drop_column("user")
        press.drop_column("sketch")
