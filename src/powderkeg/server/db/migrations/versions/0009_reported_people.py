"""A report keeps whom it is about: the seat may have another player later."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

HOLDERS = (  # of reports made before: the players of today are the best guess
    'UPDATE reports SET about = (SELECT "user" FROM seats'
    " WHERE seats.game = reports.game AND seats.seat = reports.seat),"
    " name = coalesce((SELECT seats.name FROM seats"
    " WHERE seats.game = reports.game AND seats.seat = reports.seat), '')"
)


def upgrade() -> None:
    with op.batch_alter_table("reports", table_kwargs={"sqlite_autoincrement": True}) as reports:
        reports.add_column(sa.Column("about", sa.String(length=24), nullable=True))
        reports.add_column(
            sa.Column("name", sa.String(length=40), nullable=False, server_default="")
        )
        reports.create_foreign_key(
            op.f("fk_reports_about"), "users", ["about"], ["id"], ondelete="SET NULL"
        )
    op.execute(HOLDERS)
    with op.batch_alter_table("reports", table_kwargs={"sqlite_autoincrement": True}) as reports:
        reports.alter_column("name", server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("reports", table_kwargs={"sqlite_autoincrement": True}) as reports:
        reports.drop_constraint(op.f("fk_reports_about"), type_="foreignkey")
        reports.drop_column("name")
        reports.drop_column("about")
