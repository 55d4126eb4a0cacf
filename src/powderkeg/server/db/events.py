"""Telling those who are watching. A reader is told which topics have news, and woken; it then looks
for itself, so slow readers pile up nothing and nobody is ever sent what was not committed."""

import asyncio
from collections import defaultdict
from collections.abc import Callable
from typing import Any


class Reader:
    """Somebody who waits for news of some topics."""

    __slots__ = ("news", "on", "wake")

    def __init__(self, *topics: str) -> None:
        self.on = topics
        self.wake = asyncio.Event()
        self.news: set[str] = set()

    def tell(self, topic: str) -> None:
        self.news.add(topic)
        self.wake.set()

    async def wait(self, seconds: float | None = None) -> set[str]:
        """The topics with news since last time; none after so many seconds of silence."""
        try:
            async with asyncio.timeout(seconds):
                await self.wake.wait()
        except TimeoutError:
            return set()
        self.wake.clear()
        news, self.news = self.news, set()
        return news


class Hub:
    """Topics and their readers in this process. ``*`` reaches everybody: all may have changed."""

    def __init__(self) -> None:
        self.readers: defaultdict[str, set[Reader]] = defaultdict(set)
        self.first: list[Callable[[str, dict[str, Any]], None]] = []  # caches: told before readers
        self.closing = False

    def told(self, topic: str, note: dict[str, Any]) -> None:
        for listener in self.first:
            listener(topic, note)
        if topic == "*":
            for reader in {r for readers in self.readers.values() for r in readers}:
                reader.tell(topic)
        else:
            for reader in tuple(self.readers.get(topic, ())):
                reader.tell(topic)

    def join(self, *topics: str) -> Reader:
        reader = Reader(*topics)
        for topic in topics:
            self.readers[topic].add(reader)
        return reader

    def leave(self, reader: Reader) -> None:
        for topic in reader.on:
            self.readers[topic].discard(reader)
            if not self.readers[topic]:
                del self.readers[topic]

    def close(self) -> None:
        """The server stops: everybody is to reconnect elsewhere."""
        self.closing = True
        self.told("*", {"closing": True})
