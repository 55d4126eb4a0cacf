"""A sandbox: every side in one hand, on one screen, without a clock; back, branch, edit, share."""

from playwright.sync_api import Page, expect

from tests.browser.boards.still import boxes_seen, watch_board
from tests.browser.boards.test_board_diplomacy import as_france, place
from tests.browser.boards.test_map_room import SHARE


def open_sandbox(sit, game: str, lang: str = "en") -> Page:
    page: Page = sit(lang, at=f"/learn/{game}")
    page.get_by_role("button", name="Sandbox").click()
    page.wait_for_url("**/t/*")
    return page


def order(page: Page, unit: str, to: str, power: str) -> None:
    before = page.locator(f".order.move.{power}").count()
    page.mouse.click(*place(page, unit))
    expect(page.locator(f"use.choice[data-place={to}]")).to_be_visible()
    page.mouse.click(*place(page, to))
    expect(page.locator(f".order.move.{power}")).to_have_count(before + 1)


def adjudicate(page: Page, phase: str) -> None:
    page.get_by_role("button", name="Adjudicate").click()
    expect(page.locator("h1 .phase")).to_have_text(phase)


def test_all_powers_are_ordered_on_one_map_in_any_order(sit):
    page = open_sandbox(sit, "diplomacy")
    expect(page.locator(".atlas .units .unit")).to_have_count(22)
    order(page, "par", "bur", "france")
    order(page, "mun", "ruh", "germany")
    order(page, "mos", "ukr", "russia")
    page.get_by_label("Or type your orders").fill("F Lon - NTH; A Ven - Tyr")
    page.keyboard.press("Enter")
    expect(page.locator(".order.move.italy")).to_have_count(1)
    adjudicate(page, "Fall 1901, movement")
    expect(page.get_by_role("button", name="I am")).to_have_count(0)


def test_a_step_back_keeps_the_orders_and_the_other_line_stays(sit):
    page = open_sandbox(sit, "diplomacy")
    expect(page.locator(".atlas .units .unit")).to_have_count(22)
    order(page, "par", "bur", "france")
    adjudicate(page, "Fall 1901, movement")
    first = page.url
    page.get_by_role("button", name="Step back", exact=True).click()
    expect(page.locator("h1 .phase")).to_have_text("Spring 1901, movement")
    expect(page.locator(".order.move.france")).to_have_count(1)
    assert page.url != first
    page.go_back()
    expect(page.locator("h1 .phase")).to_have_text("Fall 1901, movement")


def test_the_map_of_a_sandbox_has_its_share_of_a_laptop_and_stands_still_while_it_is_edited(sit):
    page = open_sandbox(sit, "diplomacy")
    page.set_viewport_size({"width": 1366, "height": 768})
    expect(page.locator(".atlas .units .unit")).to_have_count(22)
    tools = page.get_by_role("group", name="Sandbox").get_by_role("button")
    assert len({tool.bounding_box()["y"] for tool in tools.all()}) == 1  # the players have the room
    assert page.evaluate(SHARE) >= 0.45
    watch_board(page, ".atlas svg.moving")
    page.get_by_role("button", name="Edit the position").click()
    expect(page.get_by_role("button", name="Play from here")).to_be_visible()
    assert len(boxes_seen(page)) == 1, boxes_seen(page)


def test_a_position_is_edited_and_played_on(sit):
    page = open_sandbox(sit, "diplomacy")
    expect(page.locator(".atlas .units .unit")).to_have_count(22)
    page.get_by_role("button", name="Edit the position").click()
    page.get_by_role("button", name="Empty the map").click()
    expect(page.locator(".atlas .units .unit")).to_have_count(0)
    page.get_by_label("Whose").select_option("TURKEY")
    page.mouse.click(*place(page, "gre"))
    page.get_by_label("What to put").select_option("fleet")
    page.locator("[data-place='stp/nc']").click()
    page.get_by_label("What to put").select_option("centre")
    page.mouse.click(*place(page, "bul"))
    page.get_by_label("Year").fill("1907")
    page.get_by_label("Year").blur()
    page.get_by_role("button", name="Play from here").click()
    expect(page.locator("h1 .phase")).to_have_text("Spring 1907, movement")
    expect(page.locator(".atlas .units .unit.turkey")).to_have_count(2)
    order(page, "gre", "bul", "turkey")


def test_somebody_with_the_link_looks_on(sit):
    page = open_sandbox(sit, "diplomacy")
    expect(page.locator(".atlas .units .unit")).to_have_count(22)
    friend = sit("it", at=page.url.removeprefix("http://").partition("/")[2].join(["/", ""]))
    expect(friend.locator(".atlas .units .unit")).to_have_count(22)


def test_a_moment_of_a_game_goes_on_in_a_sandbox(sit):
    page = as_france(sit())
    order(page, "par", "bur", "france")
    page.get_by_role("button", name="This table").click()
    page.get_by_role("button", name="Try it out in a sandbox").click()
    expect(page.get_by_role("group", name="Sandbox")).to_be_visible()
    expect(page.locator(".order.move")).to_have_count(0)  # nobody's orders go along
    order(page, "mun", "ruh", "germany")


def test_other_games_are_played_without_handing_over_the_screen(sit):
    page = open_sandbox(sit, "versailles")
    expect(page.locator(".prompt .prompt")).to_be_visible()
    expect(page.get_by_role("button", name="I am")).not_to_have_count(0)  # one may take any seat
    expect(page.get_by_role("heading", name="Pass the screen")).to_have_count(0)
