"""Steps of the event loop that take long are noted, whatever the clock says."""

import asyncio
import time

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


def machine_pace() -> float:
    """CPU seconds of a piece of work that takes about a millisecond on a machine with nothing else to do."""
    times = []
    for _ in range(5):
        begun = time.thread_time()
        sum(number * number for number in range(16_000))
        times.append(time.thread_time() - begun)
    return min(times)


@pytest.mark.slow
def test_no_step_of_a_server_at_play_keeps_everybody_waiting(tmp_path):
    """A phase of Diplomacy for those who follow it. Five milliseconds are the aim; where many processes want
    the cores a step takes several times as long, so this fails only far beyond that, and names the step."""
    noted: list[tuple[float, str]] = []
    settings = Settings(data=str(tmp_path), limits=False)
    with running(settings, games={"diplomacy": diplomacy}) as site:
        ann, ben = site.guest("Ann"), site.guest("Ben")
        table = site.table(ann, ben, game="diplomacy", players=2)
        with ann.live(table) as a, ben.live(table) as b:
            a.table(), b.table()
            with note_long_steps(0.0, lambda name, spent: noted.append((spent, name))):
                for person in (ann, ben, ann, ben):
                    now = person.get(f"/tables/{table}")
                    person.act(table, "ready", now["question"]["id"])
                b.table(lambda shown: shown["phase"] != now["phase"])
    spent, name = max(step for step in noted if step[1] not in OTHER_STEPS)
    assert spent < 50 * machine_pace(), f"{name} took {spent * 1000:.1f} ms of CPU"
