"""Work divided among cores or a Ray cluster. The results are the same either way."""

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from typing import Any, TypeVar

from powderkeg.core.errors import Unreadable
from powderkeg.core.extras import need_extra

T = TypeVar("T")
R = TypeVar("R")

MOST_BREAKDOWNS = 3  # killed processes after which we give up


def share_work(
    work: Callable[[T], R], items: Sequence[T], *, jobs: int | None = None, ray: str | None = None
) -> Iterator[R]:
    """The results of `work` on every item, as they are finished."""
    count = jobs or os.cpu_count() or 1
    if ray is not None:
        yield from _on_ray(work, items, ray)
    elif count == 1 or len(items) < 2:
        yield from map(work, items)
    else:
        yield from _on_cores(work, items, count)


def _on_cores(work: Callable[[T], R], items: Sequence[T], jobs: int) -> Iterator[R]:
    """Share work among cores; if a killed process breaks the pool, start a new one for the rest."""
    left = dict(enumerate(items))
    spawn = multiprocessing.get_context("spawn")  # fork would copy threads in any state
    for _ in range(MOST_BREAKDOWNS):
        with ProcessPoolExecutor(jobs, mp_context=spawn, initializer=_end_with_parent) as pool:
            asked: dict[Future[R], int] = {pool.submit(work, x): i for i, x in left.items()}
            try:
                for future in as_completed(asked):
                    result = future.result()
                    del left[asked[future]]
                    yield result
            except BrokenProcessPool:
                continue
            finally:
                pool.shutdown(wait=True, cancel_futures=True)
        return
    raise Unreadable("bots.pool_broken", n=len(left))


def _end_with_parent() -> None:
    """Exit when the parent dies: the processes of a pool would otherwise wait for work forever."""
    parent = multiprocessing.parent_process()
    assert parent is not None, "a process of a pool has one"  # noqa: S101  # multiprocessing's

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _on_ray(work: Callable[[T], R], items: Sequence[T], address: str) -> Iterator[R]:
    """Share work in a Ray cluster at `address`; ``local`` starts one on this machine."""
    need_extra("cluster", "ray")
    ray: Any = import_module("ray")
    started = not ray.is_initialized()
    if started:
        _join_cluster(ray, address)
    try:
        remote = ray.remote(_call_work)  # it takes plain functions only
        waiting = [remote.remote(work, item) for item in items]
        while waiting:
            ready, waiting = ray.wait(waiting)
            yield from ray.get(ready)
    finally:
        if started:
            ray.shutdown()


def _join_cluster(ray: Any, address: str) -> None:
    try:
        ray.init(log_to_driver=False, address=address)
    except Exception as error:  # Ray has a dozen kinds: no answer, no token, another version
        why = str(error).partition("\n")[0]
        raise Unreadable("bots.no_cluster", address=address, why=why) from error


def _call_work(work: Callable[[T], R], item: T) -> R:
    return work(item)
