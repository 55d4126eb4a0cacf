"""Webhooks of a table: a channel learns whose turn it is. Only the host manages them."""

from sqlalchemy import delete, select

from powderkeg.server.accounts.identity import Principal
from powderkeg.server.accounts.tokens import new_id
from powderkeg.server.db import schema
from powderkeg.server.db.rows import HookRow
from powderkeg.server.refusals import conflict
from powderkeg.server.schemas.accounts import HookIn
from powderkeg.server.tables.cache import TableCache
from powderkeg.server.tables.commands import need_host

MOST_HOOKS = 5  # webhooks of one table


async def list_hooks(cache: TableCache, who: Principal, table: str) -> list[HookRow]:
    async with cache.look(table) as loaded:
        need_host(loaded, who)
    async with cache.store.read() as tx:  # with their latest errors
        rows = await tx.all(select(schema.hooks).where(schema.hooks.c.game == table))
    return [HookRow.load(row) for row in rows]


async def add_hook(cache: TableCache, who: Principal, table: str, wish: HookIn) -> HookRow:
    who.need_user("tables")
    hook = HookRow(id=new_id(), game=table, url=wish.url, form=wish.form, lang=who.lang)
    async with cache.change(table) as change:
        need_host(change.loaded, who)
        if len(change.loaded.hooks) >= MOST_HOOKS:
            raise conflict("hooks_enough", n=MOST_HOOKS)
        await change.tx.run(schema.hooks.insert().values(**hook.values()))
        change.loaded.hooks.append(hook)
        change.touch()
    return hook


async def drop_hook(cache: TableCache, who: Principal, table: str, hook: str) -> None:
    who.need_user("tables")
    h = schema.hooks.c
    async with cache.change(table) as change:
        need_host(change.loaded, who)
        await change.tx.run(delete(schema.hooks).where(h.game == table, h.id == hook))
        change.loaded.hooks = [each for each in change.loaded.hooks if each.id != hook]
        change.touch()
