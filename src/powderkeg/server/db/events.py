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
    """Waits for news of some topics. While it is held, news wakes nobody."""

    __slots__ = ("is_held", "news", "since", "topics", "waiting")

    def __init__(self, *topics: str) -> None:
        self.topics = topics
        self.waiting: asyncio.Future[None] | None = None
        self.is_held = False
        self.news: set[str] = set()
        self.since: float | None = None  # when the oldest change was written that is still news

    def notify(self, topic: str, note: EventNote) -> None:
        self.news.add(topic)
        self.since = self.since or note.get("at")
        if not self.is_held:
            self._wake()

    def hold(self) -> None:
        self.is_held = True

    def release(self) -> None:
        self.is_held = False
        if self.news:
            self._wake()

    def _wake(self) -> None:
        if self.waiting is not None and not self.waiting.done():
            self.waiting.set_result(None)

    def take_topic(self, topic: str) -> float | None:
        """This topic is no news any more; return when the oldest change was written."""
        self.news.discard(topic)
        since, self.since = self.since, None
        return since

    async def wait(self, seconds: float | None = None) -> set[str]:
        """Wait for news; return its topics, or none if nothing comes within the time."""
        await self.await_news(seconds)
        return self.take_news()

    async def await_news(self, seconds: float | None = None) -> None:
        """Wait until there is news, or the time has passed."""
        if self.news and not self.is_held:
            return
        loop = asyncio.get_running_loop()
        self.waiting = loop.create_future()
        timer = None if seconds is None else loop.call_later(seconds, self._wake)
        try:
            await self.waiting
        finally:
            self.waiting = None
            if timer is not None:
                timer.cancel()

    def take_news(self) -> set[str]:
        """The topics with news since the last call."""
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
            subscription.notify(topic, note)

    def subscribe(self, *topics: str) -> Subscription:
        subscription = Subscription(*topics)
        self.add(subscription)
        return subscription

    def add(self, subscription: Subscription) -> None:
        for topic in subscription.topics:
            self.subscriptions[topic].add(subscription)

    def unsubscribe(self, subscription: Subscription) -> None:
        for topic in subscription.topics:
            self.subscriptions[topic].discard(subscription)
            if not self.subscriptions[topic]:
                del self.subscriptions[topic]

    def close(self) -> None:
        """The server stops: wake all subscribers so that they can disconnect."""
        self.closing = True
        self.publish(EVERYTHING, {"closing": True})
