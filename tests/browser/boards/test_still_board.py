"""The board never moves: a map keeps its corner and its size through every step of a turn."""

import pytest
from playwright.sync_api import Page, expect

from powderkeg.core.chance import Audited
from powderkeg.core.record import make_record, write_record
from powderkeg.core.table import Table
from powderkeg.games import diplomacy
from tests.browser.boards.still import boxes_seen, watch_board
from tests.browser.boards.test_board_diplomacy import as_france, place
from tests.browser.boards.test_board_versailles import new_table as new_conference
from tests.browser.boards.test_board_versailles import play as play_at_random
from tests.browser.boards.test_lessons import SETTLEMENT, begin, click_through
from tests.browser.decisions.moments import Moment, open_moment
from tests.browser.fast_forward import HEAD


def tap(page: Page, code: str, size: str) -> None:
    point = place(page, code)
    page.touchscreen.tap(*point) if size == "phone" else page.mouse.click(*point)


@pytest.mark.parametrize("size", ["desk", "phone"])
def test_the_map_stands_still_through_a_whole_turn(sit, size):
    page = as_france(sit(size=size, settings="{confirm: false}"))
    ready = page.locator(".prompt [data-option=ready]")
    watch_board(page, ".atlas svg.moving")

    def still(step: str) -> None:
        assert len(boxes_seen(page)) == 1, step

    tap(page, "par", size)
    expect(page.locator(".prompt [data-back]")).to_be_visible()
    still("a unit is chosen")
    tap(page, "bur", size)
    expect(page.locator(".order.move.france")).to_have_count(1)
    still("an order is given")
    page.get_by_role("button", name="Sketch").click()
    sketch = page.get_by_role("group", name="Sketch")
    expect(sketch).to_be_visible()
    still("a sketch is opened")
    sketch.get_by_role("button").last.click()
    expect(sketch).to_have_count(0)
    still("a sketch is put away")
    tap(page, "mar", size)
    page.locator(".prompt [data-option$=' S']").click()
    expect(page.locator("use.choice[data-place=par]")).to_be_visible()
    still("a support is begun")
    page.locator(".prompt [data-back]").click()
    page.locator(".prompt [data-back]").click()
    expect(ready).to_be_visible()
    ready.click()
    expect(page.get_by_role("list", name="Before you confirm")).to_be_visible()
    still("before being ready")
    phase = page.locator("h1 .phase").inner_text()
    page.locator("[data-confirm]").click()
    expect(page.locator("h1 .phase")).not_to_have_text(phase)
    still("the next turn")


def test_the_map_of_a_phone_stands_still_while_one_looks_back(sit):
    page = as_france(sit("es", "phone"))
    paris, where = page.locator(".ground #par"), "e => JSON.stringify(e.getBoundingClientRect())"
    before = paris.evaluate(where)
    page.locator(".where button.phone").click()
    expect(page.get_by_role("slider")).to_be_visible()
    assert paris.evaluate(where) == before


def venice_falls() -> Moment:
    """Austria has taken Venice: Italy must retreat, and loses a unit in winter."""
    table = Table(diplomacy, 7, source=Audited(b"5eed" * 8))
    for orders in (("A VIE - TYR",), ("A TYR - VEN", "F TRI S A TYR - VEN")):
        for text in orders:
            table.act("AUSTRIA", text)
        for seat in table.seats:
            table.act(seat, "ready")
    return Moment("retreat", write_record(make_record(table)), table.seats.index("ITALY"))


@pytest.mark.parametrize("size", ["desk", "phone"])
def test_the_map_stands_still_through_retreats_and_winter(sit, size):
    page = sit("it", size, settings="{confirm: false}")
    page.request.post("/api/guests", data={}, headers=HEAD)
    open_moment(page, venice_falls())
    expect(page.locator("use.choice[data-place=ven]")).to_be_visible()
    watch_board(page, ".atlas svg.moving")
    phase = page.locator("h1 .phase")

    def ready(step: str) -> None:
        before = phase.inner_text()
        page.locator(".prompt [data-option=ready]").click()
        page.locator("[data-confirm]").click()
        expect(phase).not_to_have_text(before)
        assert len(boxes_seen(page)) == 1, step

    if size == "desk":
        for tab in ("proposals", "press", "log", "orders"):
            page.locator(f"#tab-{tab}").click()
        assert len(boxes_seen(page)) == 1, "panels are opened"
    page.locator("use.choice[data-place=ven]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("use.choice[data-place=pie]")).to_be_visible()
    page.locator("use.choice[data-place=pie]").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".order.retreat")).to_have_count(1)
    ready("the retreat is over")
    page.locator(".prompt [data-option=ready]").wait_for()
    page.locator("use.choice").first.focus()
    page.keyboard.press("Enter")
    assert len(boxes_seen(page)) == 1, "a unit is chosen in winter"


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (1440, 900)])
def test_nothing_of_the_conference_moves_while_an_issue_is_settled(sit, width, height):
    """Cards come and go above the tracks: the row of cards keeps its height."""
    page = sit("it", at="/learn/versailles", settings="{confirm: false}")
    page.set_viewport_size({"width": width, "height": height})
    begin(page, "settle")
    expect(page.locator(SETTLEMENT[0])).to_be_visible()
    watch_board(page, ".moods")
    click_through(page, *SETTLEMENT)
    page.locator("[data-confirm]:enabled").click()
    expect(page.locator("[data-option=end]")).to_be_visible()
    assert len(boxes_seen(page)) == 1, boxes_seen(page)


@pytest.mark.parametrize("size", ["desk", "phone"])
def test_nothing_of_the_conference_moves_through_many_turns(sit, size):
    """The choice of a nation, cards of every length, cubes that are placed, auctions, offers."""
    page = sit("it", size)
    if size == "desk":
        page.set_viewport_size({"width": 1366, "height": 768})
    new_conference(page, 3)
    watch_board(page, ".conference, .moods" if size == "desk" else ".board")
    play_at_random(page, most=160)
    assert len(boxes_seen(page)) == 1, boxes_seen(page)
