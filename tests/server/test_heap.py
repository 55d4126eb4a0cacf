"""The garbage collector: what is new is walked a little at a time, what tables keep is not."""

import gc
import weakref

import pytest

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
async def test_what_tables_keep_is_not_walked_every_second_while_next_to_nothing_is_garbage():
    gc.collect()
    keeper = HeapKeeper()
    keeper.open()
    try:
        kept = [[[] for _ in range(2 * BUSY_OBJECTS)]]
        await keeper.sweep()
        kept.append([[] for _ in range(2 * BUSY_OBJECTS)])
        first = weakref.ref(Knot())
        await keeper.sweep()
        assert first() is not None  # left out
        await keeper.sweep()  # little is new: swept at once
        second = weakref.ref(Knot())
        await keeper.sweep()
        assert second() is None
        kept.append([[] for _ in range(BUSY_OBJECTS)])
        many = [weakref.ref(Knot()) for _ in range(BUSY_OBJECTS)]
        await keeper.sweep()
        kept.append([[] for _ in range(2 * BUSY_OBJECTS)])
        third = weakref.ref(Knot())
        await keeper.sweep()  # the last one found much
        assert third() is None
        assert not any(each() for each in many)
    finally:
        keeper.close()
    assert kept
