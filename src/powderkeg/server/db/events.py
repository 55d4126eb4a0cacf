"""Publish and subscribe within a process.

A subscriber learns only which topics have news and then loads what it needs: slow subscribers
build up no backlog, and nothing uncommitted is ever sent. `db.store` publishes the events of a transaction once
it is committed, in this and in every other process.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable
from typing import Any, TypeAlias

EventNote: TypeAlias = dict[str, Any]
EventListener: TypeAlias = Callable[[str, EventNote], None]
EVERYTHING = "*"  # the topic that reaches all subscribers: anything may have changed


class Subscription:
    """Waits for news of some topics."""

    __slots__ = ("news", "topics", "wake")

    def __init__(self, *topics: str) -> None:
        self.topics = topics
        self.wake = asyncio.Event()
        self.news: set[str] = set()

    def notify(self, topic: str) -> None:
        self.news.add(topic)
        self.wake.set()

    async def wait(self, seconds: float | None = None) -> set[str]:
        """Wait for news; return its topics, or none if nothing comes within the time."""
        try:
            async with asyncio.timeout(seconds):
                await self.wake.wait()
        except TimeoutError:
            return set()
        self.wake.clear()
        news, self.news = self.news, set()
        return news


class EventHub:
    """The topics of this process and their subscribers."""

    def __init__(self) -> None:
        self.subscriptions: defaultdict[str, set[Subscription]] = defaultdict(set)
        self.listeners: list[EventListener] = []
        self.closing = False

    def add_listener(self, listener: EventListener) -> None:
        """Call `listener` with every event before any subscriber wakes: for caches."""
        self.listeners.append(listener)

    def publish(self, topic: str, note: EventNote) -> None:
        for listener in self.listeners:
            listener(topic, note)
        if topic == EVERYTHING:
            found = {each for group in self.subscriptions.values() for each in group}
        else:
            found = set(self.subscriptions.get(topic, ()))
        for subscription in found:
            subscription.notify(topic)

    def subscribe(self, *topics: str) -> Subscription:
        subscription = Subscription(*topics)
        for topic in topics:
            self.subscriptions[topic].add(subscription)
        return subscription

    def unsubscribe(self, subscription: Subscription) -> None:
        for topic in subscription.topics:
            self.subscriptions[topic].discard(subscription)
            if not self.subscriptions[topic]:
                del self.subscriptions[topic]

    def close(self) -> None:
        """The server stops: wake all subscribers so that they can disconnect."""
        self.closing = True
        self.publish(EVERYTHING, {"closing": True})
