"""Search that is compiled first: in a thread, while another way of thinking takes over."""

import logging
from collections.abc import Callable
from concurrent.futures import Future
from importlib.util import find_spec
from threading import Lock, Thread
from typing import Generic, TypeVar

logger = logging.getLogger(__name__)
Made = TypeVar("Made")


class BackgroundCompiler(Generic[Made]):
    """Something that needs the extra ``fast``. `make` imports it and runs it once, which compiles it:
    a minute or two at first, a second when the results are stored."""

    def __init__(self, make: Callable[[], Made]) -> None:
        self.make = make
        self.future: Future[Made | None] | None = None
        self._lock = Lock()

    def find(self, *, wait: bool) -> Made | None:
        """What was made. Callers that cannot `wait` get None until it is compiled, and everyone does
        without the extra."""
        if not (find_spec("numba") and find_spec("numpy")):
            return None
        future = self._begin()
        return future.result() if wait or future.done() else None

    def _begin(self) -> "Future[Made | None]":
        with self._lock:
            if self.future is None:
                self.future = Future()
                Thread(target=self._compile, args=(self.future,), daemon=True).start()
            return self.future

    def _compile(self, future: "Future[Made | None]") -> None:
        try:
            future.set_result(self.make())
        except Exception:  # a Numba that does not work is as good as none
            logger.exception("%s cannot be compiled", self.make.__module__)
            future.set_result(None)
