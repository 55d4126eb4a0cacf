"""The log by phase: results under their own heading, notes folded, places shown, replay by phase."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.boards.test_board_diplomacy import as_france, place
from tests.browser.boards.test_board_risk_europe import new_table
from tests.server.visiting import until

MARCH = "France, A Paris \N{EN DASH} Burgundy"


def play_spring(page: Page) -> None:
    page.mouse.click(*place(page, "par"))
    page.mouse.click(*place(page, "bur"))
    expect(page.locator(".order.move.france")).to_have_count(1)
    phase = page.locator("h1 .phase").inner_text()
    page.locator(".prompt [data-option=ready]").click()
    page.locator("[data-confirm]").click()
    expect(page.locator("h1 .phase")).not_to_have_text(phase)
    page.get_by_role("tab", name="Log").click()


def group(page: Page, heading: str):
    return page.locator(".log .group").filter(has=page.get_by_role("heading", name=heading))


def test_results_stand_under_the_phase_of_their_orders(sit):
    page = as_france(sit())
    play_spring(page)
    spring = group(page, "Spring 1901, movement")
    expect(spring.locator("> ol .line").filter(has_text=MARCH)).to_have_count(1)
    first = spring.locator("> ol .line").first
    expect(first).to_contain_text("Austria")  # what came of the orders, before anything else


def test_orders_and_ready_are_folded_and_others_notes_are_nobodys_business(sit):
    page = as_france(sit())
    play_spring(page)
    spring = group(page, "Spring 1901, movement")
    notes = spring.locator("details")
    expect(notes).to_have_count(1)
    expect(notes.locator(".line").first).not_to_be_visible()
    notes.locator("summary").click()
    expect(notes.locator(".line").filter(has_text="France: ready")).to_be_visible()
    expect(page.locator(".log .line").filter(has_text="Austria: ready")).to_have_count(0)


def test_results_carry_the_badge_of_whose_army_they_tell(sit):
    page = as_france(sit())
    play_spring(page)
    spring = group(page, "Spring 1901, movement")
    for power in ("Austria", "France", "Turkey"):  # France was the last to be ready
        orders = page.locator(".line", has_text=re.compile(f"^{power}, [AF] "))
        marks = spring.locator("> ol .entry").filter(has=orders).locator(".mark")
        expect(marks).to_have_text([power[:2]] * 3)


def test_a_line_shows_its_place_on_the_map(sit):
    page = as_france(sit())
    play_spring(page)
    line = page.locator(".log .group > ol .line").filter(has_text=MARCH)
    ends = page.locator("use.lit[href='#bur'], use.lit[href='#par']")

    def point_at_it() -> bool:
        page.mouse.move(0, 0)  # lines that come later move it away: come to it again
        line.hover()
        return bool(ends.count() == 2)

    until(point_at_it)
    line.click()
    expect(page.locator(".log .line[aria-current]")).to_have_count(1)


def test_the_replay_goes_by_phase_and_the_log_along(sit):
    page = as_france(sit())
    play_spring(page)
    bar = page.get_by_role("group", name="Replay")
    bar.get_by_role("button", name="Previous phase").click()
    expect(page.locator("h1 .phase")).to_have_text("Spring 1901, movement")
    expect(page.locator(".atlas .units .unit")).to_have_count(22)
    bar.get_by_role("combobox", name="Speed").select_option("4")
    bar.get_by_role("button", name="Autoplay").click()
    expect(page.locator("h1 .phase")).not_to_have_text("Spring 1901, movement")


def test_results_are_read_from_the_top_and_no_line_repeats_a_heading(sit):
    page = as_france(sit())
    play_spring(page)
    first = group(page, "Spring 1901, movement").locator("> ol .line").first
    box, log = first.bounding_box(), page.locator(".log").bounding_box()
    assert box is not None
    assert log is not None
    assert log["y"] <= box["y"] < log["y"] + log["height"]
    again = page.locator(".log .line").filter(has_text="Fall 1901, movement.")
    expect(again).to_have_count(0)


@pytest.mark.parametrize("window", [(1366, 768), (1440, 900), (820, 1180), (390, 844)])
def test_the_slider_of_the_replay_has_the_width_of_its_bar(sit, window):
    page = sit(size="phone" if window[0] < 400 else "desk")
    page.set_viewport_size({"width": window[0], "height": window[1]})
    new_table(page, 4)
    page.keyboard.press("ArrowLeft")  # a phone shows the bar only then
    bar = page.get_by_role("group", name="Replay")
    bar.wait_for()
    widths = [part.bounding_box()["width"] for part in (bar, bar.get_by_role("slider"))]
    assert widths[1] > 0.95 * widths[0]
