"""How much of a game a reader may see: watchers with a delay see an earlier moment."""

from sqlalchemy import func, select

from powderkeg.core.game import Game
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.db import schema
from powderkeg.server.db.rows import TableRow
from powderkeg.server.refusals import Refused
from powderkeg.server.tables.cache import TableCache
from powderkeg.server.tables.commands import replay_alone
from powderkeg.server.tables.loaded import LoadedTable
from powderkeg.server.tables.replay import ReplayedGame
from powderkeg.server.views.readers import Reader, find_reader, hides_moves, watch_delay


async def delayed_game(
    cache: TableCache, loaded: LoadedTable, reader: Reader
) -> ReplayedGame | None:
    """The game as the reader may see it, if they watch with a delay."""
    if loaded.replayed is None or not watch_delay(loaded, reader):
        return None
    seq = await visible_length(cache, loaded, reader)
    async with cache.store.read() as tx:
        return await cache.replay_to(tx, loaded.row, seq)


async def visible_length(cache: TableCache, loaded: LoadedTable, reader: Reader) -> int:
    """How many entries of the log the reader may see."""
    if loaded.replayed is None:
        return 0
    if delay := watch_delay(loaded, reader):
        return await _delayed_length(cache, loaded.row, delay)
    if hides_moves(loaded):
        return loaded.replayed.base
    return loaded.replayed.seq


async def _delayed_length(cache: TableCache, row: TableRow, delay: float) -> int:
    """How many entries are older than the delay; in an anonymous game none since all were asked at once."""
    lg = schema.log.c
    late = (lg.game == row.id) & (lg.at <= cache.clock() - delay)
    async with cache.store.read() as tx:
        seq: int = await tx.value(select(func.count()).where(late)) or 0
        if not row.is_anonymous:
            return seq
        replayed = await cache.replay_to(tx, row, seq)
    return replayed.base if replayed.together else seq


async def visible_moment(
    cache: TableCache, loaded: LoadedTable, reader: Reader, seq: int | None
) -> int:
    """The moment after `seq` entries (None: the latest); refused if the reader may not see it."""
    upto = await visible_length(cache, loaded, reader)
    moment = upto if seq is None else seq
    if not 0 <= moment <= upto:
        raise Refused(404, "no_such_moment", seq=moment)
    return moment


async def replay_moment(
    cache: TableCache, who: Principal, table: str, seat: str | None, seq: int
) -> tuple[Game, Reader, ReplayedGame]:
    """The game after its first `seq` entries, for a reader who may see that moment."""
    async with cache.look(table) as loaded:
        reader = find_reader(loaded, who, seat)
        await visible_moment(cache, loaded, reader, seq)
        row, game = loaded.row, loaded.game
    async with cache.store.read() as tx:
        replayed = await cache.replay_to(tx, row, seq)
    return game, reader, hide_choices(row, replayed, reader)


def hide_choices(row: TableRow, replayed: ReplayedGame, reader: Reader) -> ReplayedGame:
    """In an anonymous game a moment at which all chose at once shows no choices of others, as it did then."""
    if row.is_anonymous and replayed.together:
        return replay_alone(replayed, reader.seat) or replayed
    return replayed


async def started_moment(
    cache: TableCache, loaded: LoadedTable, reader: Reader, seq: int | None
) -> int:
    """Like `visible_moment`, but refused as well while the game has not started."""
    if loaded.replayed is None:
        raise Refused(404, "no_such_moment", seq=seq or 0)
    return await visible_moment(cache, loaded, reader, seq)
