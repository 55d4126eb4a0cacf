"""Guests who never said a name have none: each reader's word for a guest stands for it."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

WORDS = ("Guest", "Invitado", "Ospite")  # what such guests were called until now

users = sa.table("users", sa.column("id"), sa.column("kind"), sa.column("name"))
guests = sa.select(users.c.id).where(users.c.kind == "guest")
HOLDERS = {"seats": "user", "press": "user", "reports": "about"}


def upgrade() -> None:
    for name, user in HOLDERS.items():
        held = sa.table(name, sa.column(user), sa.column("name"))
        theirs = held.c[user].in_(guests) & held.c.name.in_(WORDS)
        op.execute(sa.update(held).where(theirs).values(name=""))
    unnamed = (users.c.kind == "guest") & users.c.name.in_(WORDS)
    op.execute(sa.update(users).where(unnamed).values(name=""))


def downgrade() -> None:
    """Back to one word for all. Seats of sandboxes and opened files had no names before, either."""
    seats = sa.table("seats", sa.column("game"), sa.column("user"), sa.column("name"))
    games = sa.table("games", sa.column("id"), sa.column("purpose"))
    played = seats.c.game.in_(sa.select(games.c.id).where(games.c.purpose == "game"))
    _name_guests(seats, "user", played)
    _name_guests(sa.table("press", sa.column("user"), sa.column("name")), "user", sa.true())
    _name_guests(sa.table("reports", sa.column("about"), sa.column("name")), "about", sa.true())
    op.execute(sa.update(users).where(users.c.name == "").values(name=WORDS[0]))


def _name_guests(held: sa.TableClause, user: str, where: sa.ColumnElement[bool]) -> None:
    theirs = held.c[user].in_(guests) & (held.c.name == "")
    op.execute(sa.update(held).where(theirs, where).values(name=WORDS[0]))
