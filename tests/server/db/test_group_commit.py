"""Writers share a commit: all are committed before any is answered, and one that fails harms no other."""

import asyncio
import contextlib
import os
import random
import sqlite3
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from sqlalchemy import insert, select

from powderkeg.server.db import checkpoints, migrate, schema
from powderkeg.server.db.store import Store
from powderkeg.server.settings import Settings

events = schema.host_events


async def open_store(folder: Path) -> Store:
    store = Store(Settings(data=str(folder)))
    await store.open()
    await migrate.upgrade_database(store)
    return store


async def write_topic(store: Store, topic: str) -> None:
    async with store.write() as tx:
        await tx.run(insert(events), [{"topic": topic, "note": {}}])
        tx.publish(topic)
        if topic == "bad":
            raise ValueError(topic)


async def committed(store: Store) -> set[str]:
    async with store.read() as tx:
        return {row.topic for row in await tx.all(select(events.c.topic))}


@pytest.mark.asyncio
async def test_writers_at_the_same_time_share_a_commit_and_one_may_fail(tmp_path):
    store = await open_store(tmp_path)
    published: list[str] = []
    store.events.add_listener(lambda topic, note: published.append(topic))
    names = ["a", "b", "bad", "c"]
    ends = await asyncio.gather(*(write_topic(store, n) for n in names), return_exceptions=True)
    assert [type(end) for end in ends] == [type(None), type(None), ValueError, type(None)]
    assert await committed(store) == {"a", "b", "c"}
    assert published == ["a", "b", "c"]
    await store.close()


@pytest.mark.asyncio
async def test_nobody_is_answered_before_the_commit_and_all_fail_with_it(tmp_path, monkeypatch):
    store = await open_store(tmp_path)
    published: list[str] = []
    store.events.add_listener(lambda topic, note: published.append(topic))
    await write_topic(store, "first")

    def fail() -> None:
        raise OSError("the disk is gone")

    with monkeypatch.context() as patch:
        patch.setattr(store.commits, "commit_now", fail)
        ends = await asyncio.gather(*(write_topic(store, n) for n in "xy"), return_exceptions=True)
    assert [type(end) for end in ends] == [OSError, OSError]
    assert published == ["first"]
    assert await committed(store) == {"first"}
    await write_topic(store, "later")
    assert await committed(store) == {"first", "later"}
    await store.close()


@pytest.mark.asyncio
async def test_after_a_lost_transaction_a_writer_that_fails_leaves_nothing_behind(tmp_path):
    """SQLite ends the whole transaction when the disk is full: those in it fail, and the next writer
    begins another. Nobody is refused whose row is stored later."""
    store = await open_store(tmp_path)

    async def lose_all() -> None:
        async with store.write() as tx:
            await tx.run(insert(events), [{"topic": "lost", "note": {}}])
            assert store.commits.direct is not None
            store.commits.direct.rollback()
            raise sqlite3.OperationalError("database or disk is full")

    writers = {"before": write_topic(store, "before"), "lost": lose_all()}
    writers |= {"after": write_topic(store, "after")}
    ends = await asyncio.gather(*writers.values(), return_exceptions=True)
    refused = {name for name, end in zip(writers, ends, strict=True) if end is not None}
    assert refused == {"before", "lost"}
    await write_topic(store, "before")  # tried again
    assert await committed(store) == {"before", "after"}
    async with store.read() as tx:
        assert len(await tx.all(select(events))) == 2
    await store.close()


@pytest.mark.asyncio
async def test_a_writer_that_is_cancelled_while_it_waits_is_committed_all_the_same(tmp_path):
    store = await open_store(tmp_path)
    written = asyncio.Event()

    async def write() -> None:
        async with store.write() as tx:
            await tx.run(insert(events), [{"topic": "kept", "note": {}}])
            written.set()

    writer = asyncio.create_task(write())
    await written.wait()
    assert store.commits.group.finish is not None
    writer.cancel()
    await asyncio.gather(writer, return_exceptions=True)
    await write_topic(store, "next")
    assert await committed(store) == {"kept", "next"}
    await store.close()


def journal_pages(folder: Path) -> int:
    """The pages in SQLite's journal since it last began at its start."""
    with contextlib.closing(sqlite3.connect(folder / "powderkeg.sqlite")) as plain:
        return int(plain.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()[1])


@pytest.mark.asyncio
async def test_the_journal_is_copied_beside_the_writers(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoints, "COPIED_ROWS", 3)
    store = await open_store(tmp_path)
    copier = store.commits.copier
    for number in range(3):
        assert copier.task is None
        await write_topic(store, str(number))
    assert copier.task is not None
    assert await copier.task  # every page
    assert copier.changes == 3
    assert store.commits.direct is not None
    assert store.commits.direct.execute("PRAGMA wal_autocheckpoint").fetchone() == (0,)
    await store.close()


@pytest.mark.asyncio
async def test_a_long_journal_begins_again_under_constant_load(tmp_path, monkeypatch):
    """Every checkpoint copies what it finds, but writers add to it meanwhile."""
    monkeypatch.setattr(checkpoints, "LONG_JOURNAL", 100)
    monkeypatch.setattr(checkpoints, "COPIED_ROWS", 20)
    store = await open_store(tmp_path)

    async def write_often(name: int) -> None:
        for number in range(400):
            await write_topic(store, f"{name}.{number}")

    await asyncio.gather(*map(write_often, range(8)))
    longest = (tmp_path / "powderkeg.sqlite-wal").stat().st_size // 4096  # it never gets shorter
    assert longest < 600
    await store.close()


@pytest.mark.asyncio
async def test_a_long_journal_begins_again_though_somebody_is_always_reading(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoints, "LONG_JOURNAL", 10)
    store = await open_store(tmp_path)
    await write_topic(store, "first")
    async with store.read() as tx:  # what comes after this look cannot be copied yet
        await tx.all(select(events))
        for number in range(20):
            await write_topic(store, str(number))
        await store.commits.copier.copy_journal()
    assert store.commits.copier.is_long
    await write_topic(store, "copies the rest")
    assert not store.commits.copier.is_long
    before = journal_pages(tmp_path)
    await write_topic(store, "begins again")
    assert journal_pages(tmp_path) < 10 < before
    await store.close()


WRITERS = """
import asyncio, itertools, sys
from sqlalchemy import insert
from powderkeg.server.db import migrate, schema
from powderkeg.server.db.store import Store
from powderkeg.server.settings import Settings

async def write_for_ever(store, name):
    for number in itertools.count():
        rows = [{"topic": f"{name}-{number}", "note": {"half": half}} for half in (1, 2)]
        async with store.write() as tx:
            await tx.run(insert(schema.host_events), rows[:1])
            await tx.run(insert(schema.host_events), rows[1:])
        print(f"{name}-{number}", flush=True)

async def main(folder, name):
    store = Store(Settings(data=folder))
    await store.open()
    await migrate.upgrade_database(store)
    await asyncio.gather(*(write_for_ever(store, f"{name}.{n}") for n in range(12)))

asyncio.run(main(*sys.argv[1:]))
"""
KILLS = int(os.environ.get("POWDERKEG_KILLS", "3"))


@pytest.mark.slow
def test_every_answered_write_is_on_disk_when_the_process_is_killed_amid_groups(tmp_path):
    """Twelve writers share commits; each write has two halves. After every kill what was answered is
    there, and nothing is there by half or twice."""
    rng, answered = random.Random(3), set[str]()
    for kill in range(KILLS):
        command = [sys.executable, "-c", WRITERS, str(tmp_path), f"k{kill}"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            lines = [process.stdout.readline() for _ in range(rng.randrange(1, 300))]
            process.kill()
            lines += process.stdout.readlines()
        answered |= {line.strip() for line in lines if line.endswith("\n")}
        with contextlib.closing(sqlite3.connect(tmp_path / "powderkeg.sqlite")) as plain:
            rows = plain.execute(str(select(events.c.topic, events.c.note))).fetchall()
        halves = Counter(topic for topic, _ in rows)
        assert answered <= halves.keys()
        assert set(halves.values()) == {2}
        assert len(set(rows)) == len(rows)
