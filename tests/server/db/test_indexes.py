"""Lists, searches and due jobs are found by an index, however large the database has grown."""

import contextlib
import sqlite3

import pytest
from sqlalchemy import event

from powderkeg.server.db import migrate, schema
from powderkeg.server.db.store import Store
from powderkeg.server.jobs.worker import JobWorker, worker_lanes
from powderkeg.server.lobby.leagues import create_league, list_leagues, read_league_tables
from powderkeg.server.lobby.lists import list_lobby
from powderkeg.server.schemas.leagues import LeagueIn
from powderkeg.server.settings import Settings
from powderkeg.server.tables.cache import TableCache
from tests.server.visiting import GAMES, principal

SCANS = tuple(f"SCAN {table}" for table in schema.metadata.tables)


@pytest.mark.asyncio
async def test_no_list_reads_a_whole_table(tmp_path):
    store = Store(Settings(data=str(tmp_path)))
    await store.open()
    await migrate.upgrade_database(store)
    said: list[tuple[str, object]] = []
    event.listen(
        store.reader,
        "before_cursor_execute",
        lambda connection, cursor, sql, values, context, many: said.append((sql, values)),
    )
    cache = TableCache(store, GAMES)
    lanes = worker_lanes(1)
    worker = JobWorker(store, {}, lanes)
    who = principal("nobody")
    await list_lobby(cache, who)
    await list_leagues(store, who)
    async with store.write() as tx:
        assert who.user
        await tx.run(schema.users.insert().values(**who.user.values()))
    league = await create_league(cache, who, LeagueIn(name="Club"))
    await read_league_tables(cache, who, league.id, None)
    worker.tasks = [None]  # as if it were started
    await worker.wake_lanes()
    for lane in lanes:
        assert not await worker.run_one(lane)
    assert len(said) > 5
    await store.close()
    with contextlib.closing(sqlite3.connect(tmp_path / "powderkeg.sqlite")) as plain:
        for sql, values in said:
            steps = [row[-1] for row in plain.execute(f"EXPLAIN QUERY PLAN {sql}", values)]
            assert not [step for step in steps if step.startswith(SCANS)], (sql, steps)
