"""Steps of the event loop that take long are noted, whatever the clock says."""

import asyncio
import threading
import time
from collections import Counter
from types import FrameType
from typing import Any, Self

import pytest

from powderkeg.games import diplomacy
from powderkeg.server.long_steps import note_long_steps
from powderkeg.server.settings import Settings
from tests.server.visiting import running

# The test's own server starts in a step, and the worker's chores belong to no player.
OTHER_STEPS = {"Server.serve", "JobWorker._run_ticks"}


async def work_for(seconds: float) -> None:
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


async def wait_a_little() -> None:
    await asyncio.sleep(0.05)


def test_a_step_that_works_is_noted_and_one_that_waits_is_not():
    noted: list[tuple[str, float]] = []
    with note_long_steps(0.03, lambda name, spent: noted.append((name, spent))):

        async def main() -> None:
            await asyncio.gather(work_for(0.06), wait_a_little())

        asyncio.run(main())
    assert [name for name, _ in noted] == ["work_for"]
    assert noted[0][1] >= 0.06
    asyncio.run(work_for(0.06))
    assert len(noted) == 1  # the loop is as before


class CallCount:
    """Counts the calls of functions in each thread that starts: work that no machine makes longer."""

    def __init__(self) -> None:
        self.calls: Counter[int] = Counter()

    def __enter__(self) -> Self:
        threading.setprofile(self.note)
        return self

    def __exit__(self, *error: object) -> None:
        threading.setprofile(None)

    def note(self, frame: FrameType, event: str, argument: Any) -> None:
        if event in ("call", "c_call"):
            self.calls[threading.get_ident()] += 1

    def so_far(self) -> int:
        return self.calls[threading.get_ident()]


MOST_CALLS = 80_000  # the longest step needs 28,000, which take about five milliseconds


@pytest.mark.slow
def test_no_step_of_a_server_at_play_keeps_everybody_waiting(tmp_path):
    """A phase of Diplomacy for those who follow it."""
    noted: list[tuple[float, str]] = []
    settings = Settings(data=str(tmp_path), limits=False)
    with CallCount() as count, running(settings, games={"diplomacy": diplomacy}) as site:
        ann, ben = site.guest("Ann"), site.guest("Ben")
        table = site.table(ann, ben, game="diplomacy", players=2)
        with ann.live(table) as a, ben.live(table) as b:
            a.table(), b.table()
            with note_long_steps(0, lambda name, n: noted.append((n, name)), count.so_far):
                for person in (ann, ben, ann, ben):
                    now = person.get(f"/tables/{table}")
                    person.act(table, "ready", now["question"]["id"])
                b.table(lambda shown: shown["phase"] != now["phase"])
    calls, name = max(step for step in noted if step[1] not in OTHER_STEPS)
    assert calls < MOST_CALLS, f"{name} called {calls} functions"
