"""The garbage collector: what is new is walked a little at a time, what tables keep is not."""

import asyncio
import gc
import weakref

import pytest

from powderkeg.server import heap
from powderkeg.server.heap import BUSY_OBJECTS, HeapKeeper


@pytest.mark.asyncio
async def test_what_is_new_is_swept_before_it_becomes_much():
    """A long sweep keeps everybody waiting."""
    keeper = HeapKeeper()
    keeper.open()
    try:
        kept = [[] for _ in range(5000)]  # Python itself would not collect yet
        await keeper.sweep()
        walked = set(map(id, gc.get_objects()))  # without what is frozen
        assert not [each for each in kept if id(each) in walked]
    finally:
        keeper.close()


class Knot:
    """Garbage that only a walk finds."""

    def __init__(self) -> None:
        self.self = self


@pytest.mark.asyncio
async def test_what_tables_keep_is_not_walked_while_next_to_nothing_is_garbage():
    gc.collect()
    keeper = HeapKeeper()
    keeper.open()
    try:
        kept = [[[] for _ in range(2 * BUSY_OBJECTS)]]
        first = weakref.ref(Knot())
        sampling = asyncio.create_task(keeper.sweep())
        await asyncio.sleep(0)
        second = weakref.ref(Knot())
        await sampling
        assert first() is not None  # put aside
        assert second() is None  # in the sample
        third = weakref.ref(Knot())
        await keeper.sweep()  # little is new: swept at once
        assert third() is None
        kept.append([[] for _ in range(2 * BUSY_OBJECTS)])
        sampling = asyncio.create_task(keeper.sweep())
        await asyncio.sleep(0)
        many = [weakref.ref(Knot()) for _ in range(BUSY_OBJECTS)]
        await sampling
        assert not any(each() for each in many)
        kept.append([[] for _ in range(2 * BUSY_OBJECTS)])
        fourth = weakref.ref(Knot())
        await keeper.sweep()  # the sample was full of garbage: all is swept
        assert fourth() is None
    finally:
        keeper.close()
    assert kept


@pytest.mark.asyncio
async def test_garbage_that_was_put_aside_does_not_wait_for_the_next_day(monkeypatch):
    """Too little for a walk each second may be gigabytes in a day."""
    monkeypatch.setattr(heap, "MOST_UNSEEN", 1)
    gc.collect()
    keeper = HeapKeeper()
    keeper.open()
    try:
        kept = [[] for _ in range(2 * BUSY_OBJECTS)]
        aside = weakref.ref(Knot())
        sampling = asyncio.create_task(keeper.sweep())
        await asyncio.sleep(0)
        sampled = weakref.ref(Knot())
        await sampling
        assert aside() is not None
        assert sampled() is None
        await keeper.sweep()
        assert aside() is None
    finally:
        keeper.close()
    assert kept
