"""What a newcomer with a link to a table must load before the board can be used."""

import gzip
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Response, expect

from tests.browser.boards import test_board_diplomacy as diplomacy
from tests.browser.boards import test_board_risk_europe as risk_europe
from tests.browser.boards import test_board_versailles as versailles

MOST = 150_000  # bytes of scripts and styles, compressed
FACE = 21_000  # bytes of one font
BOARDS: dict[str, tuple[Callable[[Page], object], str]] = {
    "diplomacy": (diplomacy.as_france, ".atlas .units .unit"),
    "versailles": (versailles.new_table, "[data-board=versailles] [data-target]"),
    "risk_europe": (risk_europe.new_table, ".atlas .city"),
}
# Fonts that text waits for: those that hide it, and those that are fetched before all else.
BLOCKING = """() => {
  const hide = [...document.fonts].filter((face) => face.display !== "swap");
  return hide.length + document.querySelectorAll("link[rel=preload][as=font]").length;
}"""


def weigh_visit(page: Page, url: str, ready: str) -> tuple[dict[str, int], dict[str, int]]:
    """The scripts and styles, and the fonts, that a first visit to a board loads."""
    packed: dict[str, int] = {}
    fonts: dict[str, int] = {}

    def weigh(response: Response) -> None:
        if response.url.endswith((".js", ".css")) and not response.url.endswith("/sw.js"):
            packed[response.url] = len(gzip.compress(response.body()))
        if ".woff" in response.url:
            fonts[response.url] = len(response.body())

    page.on("response", weigh)
    page.goto(url)
    expect(page.locator(ready).first).to_be_visible()
    page.wait_for_load_state("networkidle")
    return packed, fonts


@pytest.mark.parametrize("game", BOARDS)
def test_the_first_board_by_a_direct_link_is_light(sit, game):
    make, ready = BOARDS[game]
    owner = sit()
    make(owner)
    page = sit("es", at="/healthz", storage_state=owner.context.storage_state())
    packed, fonts = weigh_visit(page, owner.url, ready)
    assert sum(packed.values()) < MOST, sorted(packed.items(), key=lambda item: -item[1])[:12]
    assert max(fonts.values()) < FACE
    assert page.evaluate(BLOCKING) <= 2
