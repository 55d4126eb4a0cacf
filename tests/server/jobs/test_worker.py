"""Jobs: what is begun is finished, also when the server must stop."""

import asyncio

import pytest
from sqlalchemy import func, select

from powderkeg.server.db import migrate, schema
from powderkeg.server.db.queue import enqueue_job
from powderkeg.server.db.store import Store
from powderkeg.server.jobs.worker import TABLE_CHORES, JobWorker

pytestmark = pytest.mark.slow


@pytest.mark.asyncio
@pytest.mark.parametrize("patience", [30.0, 0.1], ids=["patient", "impatient"])
async def test_a_stopped_worker_finishes_its_job_first(settings, patience):
    """A notice on its way, say: broken off, nobody could know whether it arrived. But not forever:
    a job that takes too long is put back for others."""
    store = Store(settings, serves=False)
    await store.open()
    await migrate.upgrade_database(store)
    begun, go_on, finished = asyncio.Event(), asyncio.Event(), []

    async def work(job):
        begun.set()
        await go_on.wait()
        finished.append(job.kind)

    worker = JobWorker(store, {"notices": work}, [("notices",)])
    async with store.write() as tx:
        await enqueue_job(tx, "notices", None, 0.0, "notices")
        await enqueue_job(tx, "notices", None, 0.0, "notices:later")
    worker.start()
    await begun.wait()
    store.events.close()
    stopping = asyncio.create_task(worker.stop(patience))
    await asyncio.sleep(0)  # it begins
    assert worker.stopping
    if patience > 1:
        go_on.set()
    await stopping
    async with store.read() as tx:
        j = schema.jobs.c
        left = await tx.value(select(func.count()).select_from(schema.jobs))
        locked = await tx.value(select(func.max(j.locked_until)))
    await store.close()
    assert (finished, left) == ((["notices"], 1) if patience > 1 else ([], 2))
    assert locked == 0  # nobody has to wait until a claim runs out


@pytest.mark.asyncio
async def test_a_job_that_always_fails_is_tried_for_ever_at_a_slow_pace(settings):
    store = Store(settings, serves=False)
    await store.open()
    await migrate.upgrade_database(store)

    async def work(job):
        raise ValueError("always")

    worker = JobWorker(store, {"notices": work}, [("notices",)], clock=lambda: 1000.0)
    async with store.write() as tx:
        await enqueue_job(tx, "notices", None, 0.0, "notices")
        await tx.run(schema.jobs.update().values(tries=2000))
    assert await worker.run_one(("notices",))
    async with store.read() as tx:
        row = await tx.one(schema.jobs.select())
    await store.close()
    assert (row.run_at, row.locked_until, row.error) == (1300.0, 0.0, "always")


@pytest.mark.asyncio
async def test_chores_of_tables_are_claimed_together_and_one_that_fails_harms_no_other(settings):
    """Ten thousand deadlines in one minute: each alone would wait for three commits."""
    store = Store(settings, serves=False)
    await store.open()
    await migrate.upgrade_database(store)
    together: list[str] = []
    all_begun = asyncio.Event()

    async def work(job):
        together.append(job.key)
        if len(together) == 3:
            all_begun.set()
        await asyncio.wait_for(all_begun.wait(), 60)
        if job.key == "due:2":
            raise ValueError("bad")

    worker = JobWorker(store, {"due": work}, [TABLE_CHORES], clock=lambda: 1000.0)
    async with store.write() as tx:
        for number in range(3):
            await enqueue_job(tx, "due", None, 0.0, f"due:{number}")
    assert await worker.run_one(TABLE_CHORES)
    async with store.read() as tx:
        left = await tx.all(schema.jobs.select())
    assert not await worker.run_one(TABLE_CHORES)
    await store.close()
    assert sorted(together) == ["due:0", "due:1", "due:2"]
    assert [(row.key, row.error, row.locked_until) for row in left] == [("due:2", "bad", 0.0)]
