"""Answers of the server to a page's commands, whichever way they went: by socket or by request."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from playwright.sync_api import Page

COUNT = "kind => performance.getEntriesByName(`powderkeg.${kind}`).length"
MORE = "([kind, n]) => performance.getEntriesByName(`powderkeg.${kind}`).length > n"

# Keeps the first action back until `held[0](change)` is called; later ones go through.
HOLD = """() => {
  const [send, fetch] = [WebSocket.prototype.send, window.fetch];
  window.held = [];
  const same = (text) => text;
  const hold = (go) => (window.held.length ? go(same) : void window.held.push(go));
  WebSocket.prototype.send = function (text) {
    if (text.includes('"type":"act"')) hold((change) => send.call(this, change(text)));
    else send.call(this, text);
  };
  window.fetch = (url, init) =>
    String(url).includes("/act")
      ? new Promise((done) =>
          hold((change) => done(fetch(url, {...init, body: change(init.body)}))))
      : fetch(url, init);
}"""


def count_answers(page: Page, kind: Literal["command", "draft"] = "command") -> int:
    """How many commands of this page have been answered since it was loaded."""
    return int(page.evaluate(COUNT, kind))


@contextmanager
def expect_answer(page: Page, kind: Literal["command", "draft"] = "command") -> Iterator[None]:
    """Wait until the server has answered what is sent inside."""
    before = count_answers(page, kind)
    yield
    page.wait_for_function(MORE, arg=[kind, before])


def hold_first_action(page: Page) -> None:
    """From now on the first action waits on its way to the server."""
    page.evaluate(HOLD)


def wait_for_held(page: Page) -> None:
    page.wait_for_function("() => window.held.length > 0")


def release_held(page: Page, old: str = "", new: str = "") -> None:
    """Let the action go on its way, with one word changed for another."""
    page.evaluate("([a, b]) => window.held[0]((text) => text.replace(a, b))", [old, new])
