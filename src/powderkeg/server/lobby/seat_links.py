"""Secret links to seats: to use a seat on another device, or to invite a player."""

from typing import NamedTuple

from powderkeg.server.accounts.identity import Principal
from powderkeg.server.accounts.tokens import find_token, issue_token, revoke_tokens
from powderkeg.server.db import schema
from powderkeg.server.db.store import Tx
from powderkeg.server.lobby.join import seat_person
from powderkeg.server.refusals import Refused, not_found
from powderkeg.server.tables.cache import TableCache


async def make_seat_link(cache: TableCache, who: Principal, table: str, seat: str) -> str:
    """The secret of a new link to a seat. Older links to it stop working."""
    async with cache.look(table) as loaded:
        if seat not in loaded.held_by(who.id, who.grants):
            raise Refused(403, "not_your_seat")
        holder = loaded.seats[seat].user
    async with cache.store.write() as tx:
        await revoke_seat_links(tx, table, seat)
        token, _ = await issue_token(tx, "seat", cache.clock(), game=table, seat=seat, user=holder)
    return token


async def revoke_seat_links(tx: Tx, table: str, seat: str) -> None:
    t = schema.tokens.c
    await revoke_tokens(tx, (t.game == table) & (t.seat == seat) & (t.kind == "seat"))


class LinkedSeat(NamedTuple):
    """The seat that a link opens; an invitation gives the seat permanently."""

    table: str
    seat: str
    is_invitation: bool


async def find_linked_seat(cache: TableCache, secret: str) -> LinkedSeat:
    async with cache.store.read() as tx:
        token = await find_token(tx, secret)
    if token is None or token.kind != "seat" or token.game is None or token.seat is None:
        raise not_found("no_such_link")
    async with cache.look(token.game) as loaded:
        seat = loaded.seats[token.seat]
        if seat.kind != "invited" and seat.user != token.user:
            raise not_found("no_such_link")
    return LinkedSeat(token.game, token.seat, seat.kind == "invited")


async def claim_linked_seat(cache: TableCache, who: Principal, linked: LinkedSeat) -> None:
    """Take the seat permanently; the link stops working."""
    async with cache.change(linked.table) as change:
        name = change.loaded.seats[linked.seat].name or who.name
        await seat_person(change, linked.seat, who.need_user("tables"), name)
        await revoke_seat_links(change.tx, linked.table, linked.seat)
