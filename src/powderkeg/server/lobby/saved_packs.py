"""Card packs that people save to their account and share by a link."""

from sqlalchemy import delete, func, select

from powderkeg.core.cards.packs import NAME_KEY, read_pack_text
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.accounts.tokens import new_id
from powderkeg.server.db import schema
from powderkeg.server.db.rows import PackRow
from powderkeg.server.db.store import Store
from powderkeg.server.refusals import conflict, forbidden, not_found
from powderkeg.server.schemas.cards import PackSaveIn
from powderkeg.server.views.pack_sheet import need_card_tool

MOST_PACKS = 50  # of one user; a login may add those of a guest, and then no more are saved


async def list_packs(store: Store, who: Principal) -> list[PackRow]:
    if who.id is None:
        return []
    p = schema.packs.c
    async with store.read() as tx:
        rows = await tx.all(select(schema.packs).where(p.user == who.id).order_by(p.name, p.id))
    return [PackRow.load(row) for row in rows]


async def find_pack(store: Store, id_: str) -> PackRow:
    async with store.read() as tx:
        row = await tx.one(select(schema.packs).where(schema.packs.c.id == id_))
    if row is None:
        raise not_found("no_such_pack")
    return PackRow.load(row)


async def save_pack(store: Store, who: Principal, wish: PackSaveIn, now: float) -> PackRow:
    """Save a pack that can be played as a new one of mine."""
    row = _pack_row(who.need_user("tables"), wish, now, new_id())
    mine = select(func.count()).where(schema.packs.c.user == row.user)
    user = select(schema.users.c.id).where(schema.users.c.id == row.user)
    async with store.write() as tx:
        await tx.one(user.with_for_update())  # two packs saved at once are counted one by one
        if await tx.value(mine) >= MOST_PACKS:
            raise conflict("packs_enough", n=MOST_PACKS)
        await tx.run(schema.packs.insert().values(**row.values()))
    return row


async def replace_pack(
    store: Store, who: Principal, wish: PackSaveIn, now: float, id_: str
) -> PackRow:
    """Save over a pack of mine."""
    row = _pack_row(who.need_user("tables"), wish, now, id_)
    await _need_own_pack(store, row.user, id_)
    async with store.write() as tx:
        await tx.run(schema.packs.update().where(schema.packs.c.id == id_).values(**row.values()))
    return row


def _pack_row(user: str, wish: PackSaveIn, now: float, id_: str) -> PackRow:
    tool = need_card_tool(wish.game)
    tables = read_pack_text(tool, wish.text)
    tables[NAME_KEY] = wish.name
    line = tool.format_option(tables)
    return PackRow(id=id_, user=user, rules=wish.game, name=wish.name, line=line, updated=now)


async def _need_own_pack(store: Store, user: str, id_: str) -> None:
    if (await find_pack(store, id_)).user != user:
        raise forbidden("not_your_pack")


async def drop_pack(store: Store, who: Principal, id_: str) -> None:
    user = who.need_user("tables")
    await _need_own_pack(store, user, id_)
    async with store.write() as tx:
        await tx.run(delete(schema.packs).where(schema.packs.c.id == id_))
