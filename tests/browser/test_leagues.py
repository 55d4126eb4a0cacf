"""Leagues: friends start one, play a game of it to its end and find the result in the standings."""

import itertools
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import axe
from tests.browser.fast_forward import send_answer
from tests.browser.test_getting_in import create, small_print


def play_on(table: str, people: list[Page]) -> None:
    """Answer every question through the API until the game is over."""
    for page in itertools.cycle(people):
        now: Any = page.request.get(f"/api/tables/{table}?text=0").json()
        if now["status"] == "over":
            return
        if now["question"]:
            send_answer(page, table, now["question"]["id"], now["legal"][0])


@pytest.mark.parametrize("size", ["desk", "phone"])
def test_friends_play_in_a_league_and_see_who_stands_where(sit, size):
    host = sit("en", size, at="/", settings="{name: 'Ann'}")
    host.get_by_role("link", name="Leagues").click()
    host.get_by_label("Name of the league").fill("Friday club")
    host.get_by_role("button", name="Start a league").click()
    host.wait_for_url("**/league/*")
    league = host.url
    expect(host.get_by_role("heading", name="Friday club")).to_be_visible()
    expect(host).to_have_title("Friday club · Powderkeg")
    expect(host.get_by_text("No game has been finished yet.")).to_be_visible()
    assert axe(host) == []

    host.get_by_role("link", name="New table: Sparks").click()
    expect(host.get_by_role("link", name="League: Friday club")).to_be_visible()
    small_print(host, "Table options")
    expect(host.get_by_label("Show in the list of open tables")).not_to_be_checked()
    host.get_by_label("Name of the table").fill("First round")
    table = create(host)["id"]
    expect(host.get_by_role("link", name="League: Friday club")).to_be_visible()

    friend = sit("en", size, at="/", settings="{name: 'Ben'}")
    expect(friend.get_by_text("First round")).to_have_count(0)  # no public list has it
    friend.goto(league)
    line = friend.get_by_role("link", name="First round")
    expect(line).to_contain_text("Join")
    line.click()
    friend.get_by_role("button", name="Sit here").click()
    expect(friend.get_by_role("link", name="League: Friday club")).to_be_visible()
    host.get_by_role("button", name="Start the game").click()
    host.locator(".play").wait_for()
    host.get_by_role("button", name="This table").click()
    expect(host.get_by_role("link", name="League: Friday club")).to_be_visible()
    host.keyboard.press("Escape")
    play_on(table, [host, friend])

    card = host.get_by_role("region", name="Result")
    card.get_by_role("link", name="League: Friday club").click()
    expect(host).to_have_url(league)
    rows = host.get_by_role("row")
    expect(rows).to_have_count(3)
    for name in ("Ann", "Ben"):
        expect(rows.filter(has_text=name)).to_have_count(1)
    expect(host.get_by_role("link", name="First round")).to_have_attribute("href", f"/t/{table}")
    assert axe(host) == []
    assert host.evaluate("document.documentElement.scrollWidth <= innerWidth")

    host.goto("/")
    mine = host.get_by_role("region", name="My leagues")
    expect(mine.get_by_role("link", name="Friday club")).to_be_visible()
    host.goto("/leagues")
    expect(host.get_by_role("link", name="Friday club")).to_be_visible()
    assert axe(host) == []

    host.goto(league)
    host.get_by_text("Manage the league").click()
    host.get_by_label("Name of the league").fill("Saturday club")
    host.get_by_role("button", name="Rename").click()
    expect(host.get_by_role("heading", name="Saturday club")).to_be_visible()
    host.get_by_role("button", name="Close for new tables").click()
    expect(host.get_by_text("This league is closed")).to_be_visible()
    expect(host.get_by_role("link", name="New table: Sparks")).to_have_count(0)
    host.get_by_role("button", name="Take “First round” out").click()
    host.get_by_role("button", name="Take it out").click()
    expect(host.get_by_text("No game has been finished yet.")).to_be_visible()
    friend.goto(league)
    expect(friend.get_by_role("heading", name="Saturday club")).to_be_visible()
    expect(friend.get_by_text("Manage the league")).to_have_count(0)


def test_a_league_that_does_not_exist_says_so(sit):
    page = sit(at="/league/nothing")
    expect(page.get_by_role("alert")).to_have_text("There is no such league.")
    sit.forgive("404 (Not Found)")
