"""The garbage collector of a server process.

Tables in memory are millions of small objects that live long. Python's collector walks all of them
whenever enough new ones have grown old, and everybody waits: most of the slowest answers were that.
What has lived through a collection here is put aside (`gc.freeze`) and not walked again. It is still
freed when nobody refers to it any more; only cycles among it wait for the daily full collection.

Each second what is new is swept. Python itself would wait: it counts objects made less objects freed, and
a table that changes frees about as many as it makes, so that the walk, once it came, was a long one. While
much is new it is put aside without a walk, and only a sample is swept, of what is made next: what tables
keep need not be walked to be kept. If much of the sample is garbage, all that is new is swept again. What little
there is adds up beside the samples, unseen: when it may have become much, everything is collected before the
day is over.
"""

import asyncio
import gc
import time
from typing import Any

from powderkeg.server import metrics

YOUNG_OBJECTS = 500_000  # if so many are new within a second, Python collects by itself
BUSY_OBJECTS = 5_000  # new within a second: fewer are walked at once
SAMPLE_SECONDS = 0.05
LITTLE = 0.01  # of what is new: less garbage is not worth a walk,
FEWEST = 200  # nor are fewer objects
PUT_ASIDE = 20  # seconds between sweeps, in samples: so much more than a sample was not walked
MOST_UNSEEN = 5_000_000  # objects of garbage, some hundred megabytes
FULL_SECONDS = 86_400.0  # between collections of everything, which take a second or more
NEVER = 1_000_000


class HeapKeeper:
    """Collects garbage in small parts, at times of our own choice."""

    def __init__(self) -> None:
        self.cleaned = time.monotonic()
        self.is_littered = False  # the last sweep found much garbage
        self.unseen = 0  # objects of garbage that were put aside, guessed from the samples
        self._begun = 0.0
        self._before = gc.get_threshold()

    def open(self) -> None:
        """Put aside everything that was loaded at the start."""
        gc.freeze()
        gc.set_threshold(YOUNG_OBJECTS, 50, NEVER)
        gc.callbacks.append(self._note_pause)

    def close(self) -> None:
        if self._note_pause in gc.callbacks:
            gc.callbacks.remove(self._note_pause)
        gc.unfreeze()
        gc.set_threshold(*self._before)

    async def sweep(self) -> None:
        """Collect what is new, and everything once a day, or when much garbage was put aside."""
        now, beside = time.monotonic(), 0
        if now - self.cleaned >= FULL_SECONDS or self.unseen > MOST_UNSEEN:
            self.cleaned, self.unseen = now, 0
            gc.unfreeze()
        elif gc.get_count()[0] >= BUSY_OBJECTS and not self.is_littered:
            gc.freeze()
            await asyncio.sleep(SAMPLE_SECONDS)
            beside = PUT_ASIDE
        new, found = gc.get_count()[0], gc.collect()
        self.unseen += found * beside
        self.is_littered = found > max(new * LITTLE, FEWEST)
        gc.freeze()

    def _note_pause(self, phase: str, info: dict[str, Any]) -> None:
        if phase == "start":
            self._begun = time.perf_counter()
        else:
            seconds = time.perf_counter() - self._begun
            metrics.GC_SECONDS.labels(str(info["generation"])).observe(seconds)
