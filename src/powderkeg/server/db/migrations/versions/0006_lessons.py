"""What people have learnt: the exercises they tried and solved."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "lessons",
        sa.Column("user", sa.String(length=24), nullable=False),
        sa.Column("exercise", sa.String(length=60), nullable=False),
        sa.Column("game", sa.String(length=24), nullable=True),
        sa.Column("verdict", sa.String(length=8), nullable=False),
        sa.Column("solved", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(
            ["user"], ["users.id"], name=op.f("fk_lessons_user"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["game"], ["games.id"], name=op.f("fk_lessons_game"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("user", "exercise", name=op.f("pk_lessons")),
    )
    op.create_index(op.f("ix_lessons_game"), "lessons", ["game"])


def downgrade() -> None:
    op.drop_index(op.f("ix_lessons_game"), "lessons")
    op.drop_table("lessons")
