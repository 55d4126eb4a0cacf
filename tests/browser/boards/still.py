"""Whether a board stands still: every place and size that it has had, as the eye would see it."""

from playwright.sync_api import Page

WATCH = """(what) => {
  window.boxes = [];
  const look = () => {
    const boxes = [...document.querySelectorAll(what)].map((e) => e.getBoundingClientRect());
    const now = boxes
      .map((box) => [box.left, box.top, box.width, box.height].map((n) => n.toFixed(1)).join(" "))
      .join(" | ");
    const past = document.querySelector(".outcome"); // the end has a card of its own
    if (now && !past && !window.boxes.includes(now)) window.boxes.push(now);
    requestAnimationFrame(look);
  };
  look();
}"""


def watch_board(page: Page, what: str = ".board") -> None:
    """From now on note in every frame where it stands; several things are one board."""
    page.evaluate(WATCH, what)


def boxes_seen(page: Page) -> list[str]:
    """Where it has stood: one line if it never moved."""
    found: list[str] = page.evaluate("window.boxes")
    return found
