"""A move survives a reload, a dead line and another device.

In every game, on its own board: a move is begun, and finished after the return.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Locator, Page, Route, WebSocketRoute, expect

from tests.browser.boards import test_board_diplomacy as diplomacy
from tests.browser.boards import test_board_risk_europe as risk_europe
from tests.browser.boards import test_board_versailles as versailles
from tests.browser.boards.answers import expect_answer


@dataclass
class Move:
    """A move in two halves. `prepare` comes to it: what to press first, what the board will show."""

    prepare: Callable[[Page], tuple[str, str]]
    finish: str  # what is pressed


def press(page: Page, what: str) -> None:
    page.locator(what).first.focus()
    page.keyboard.press("Enter")


def march(page: Page) -> tuple[str, str]:
    diplomacy.as_france(page)
    return "use.choice[data-place=par]", ".order.move.france"


def settle(page: Page) -> tuple[str, str]:
    risk_europe.new_table(page)
    risk_europe.bid(page)
    return "use.choice", "#washes use.wash.blue"


def influence(page: Page) -> tuple[str, str]:
    free = versailles.begin_with_a_free_card(page)
    title = page.locator(f"{free} .title").first
    name = title.evaluate("title => title.firstChild.textContent")  # a mark may follow
    card = f".waiting .card:has(.title:text-is({json.dumps(name)}))"
    return f"{free} [data-target]", f"{card} .count:text-is('1')"


MOVES = {
    "diplomacy": Move(march, "use.choice[data-place=gas]"),
    "versailles": Move(influence, ".placing .button.first"),
    "risk_europe": Move(settle, "[data-confirm]"),
}
games = pytest.mark.parametrize("move", [pytest.param(m, id=name) for name, m in MOVES.items()])


def trail(page: Page) -> Locator:
    return page.get_by_role("list", name="Chosen so far")


def begin(page: Page, move: Move) -> tuple[str, re.Pattern[str]]:
    """Begin the move, until the server knows of it; what will be seen, and the words so far."""
    first, made = move.prepare(page)
    expect(page.locator(first)).not_to_have_count(0)
    with expect_answer(page, "draft"):  # of this choice, not of one on the way to it
        press(page, first)
    expect(trail(page)).to_be_visible()
    expect(page.locator(made)).to_have_count(0)
    chosen = trail(page).inner_text().split()
    return made, re.compile(r"\s*".join(map(re.escape, chosen)))


def cut(page: Page) -> None:
    """The line is dead, and the page knows."""
    page.context.set_offline(True)
    expect(page.get_by_text("Reconnecting")).to_be_visible()


def mend(page: Page) -> None:
    page.context.set_offline(False)
    expect(page.get_by_text("Reconnecting")).to_have_count(0)


@games
def test_a_reload_in_the_middle_of_a_move(sit, move):
    page = sit()
    made, chosen = begin(page, move)
    page.reload()
    expect(trail(page)).to_have_text(chosen)
    press(page, move.finish)
    expect(page.locator(made)).not_to_have_count(0)


@games
def test_a_lost_network_comes_back_by_itself(sit, move):
    """What was chosen stays through it all, and nothing is lost in silence."""
    page = sit()
    made, chosen = begin(page, move)
    cut(page)
    expect(trail(page)).to_have_text(chosen)
    press(page, move.finish)
    expect(page.get_by_role("alert")).to_contain_text("Nothing was sent")
    expect(page.locator(made)).to_have_count(0)
    mend(page)
    press(page, "[data-confirm]")
    expect(page.locator(made)).not_to_have_count(0)
    expect(page.get_by_role("alert")).to_have_count(0)
    sit.forgive("ERR_INTERNET_DISCONNECTED")


@games
def test_what_was_done_meanwhile_on_another_device(sit, move):
    """The other device goes on from what was begun here, and here it is seen after the gap."""
    page = sit()
    made, chosen = begin(page, move)
    cut(page)
    other = sit(at=page.url, storage_state=page.context.storage_state())
    expect(trail(other)).to_have_text(chosen)
    press(other, move.finish)
    expect(other.locator(made)).not_to_have_count(0)
    expect(page.locator(made)).to_have_count(0)
    mend(page)
    expect(page.locator(made)).not_to_have_count(0)
    sit.forgive("ERR_INTERNET_DISCONNECTED")


def test_a_server_that_is_away_is_asked_again(sit):
    """What stands before it answers in its stead: the table is not lost."""
    page = sit(at="/")
    page.locator("[data-game=sparks]").get_by_role("button", name="Play now").click()
    expect(page.locator("[data-option]").first).to_be_visible()
    times = []

    def away(route: Route) -> None:
        times.append(route.request.url)
        if len(times) < 3:
            route.fulfill(status=502, content_type="text/html", body="<h1>Bad gateway</h1>")
        else:
            route.continue_()

    page.route(re.compile(r"/api/tables/\w+\?"), away)
    page.reload()
    expect(page.locator("[data-option]").first).to_be_visible()
    expect(page.get_by_text("Reconnecting")).to_have_count(0)
    sit.forgive("502 (Bad Gateway)")


def test_a_link_to_a_moment_leads_there_even_if_the_log_comes_late(sit):
    page = sit(at="/")
    page.locator("[data-game=sparks]").get_by_role("button", name="Play now").click()
    page.locator("[data-option]").first.click()
    page.locator("[data-confirm]").click()
    expect(page.get_by_role("list", name="Log").get_by_text("point").first).to_be_visible()
    page.route(re.compile(r"/log\?"), lambda route: route.abort(), times=1)
    with page.expect_request(re.compile(r"/at/2\?")):
        page.goto(f"{page.url}?at=2")
    expect(page.get_by_text("You are looking at an earlier moment.")).to_be_visible()
    sit.forgive("ERR_FAILED")


def test_a_line_that_is_refused_is_tried_ever_more_rarely(sit):
    page = sit(at="/")
    page.locator("[data-game=sparks]").get_by_role("button", name="Play now").click()
    expect(page.locator("[data-option]").first).to_be_visible()
    lines = []

    def refuse(line: WebSocketRoute) -> None:
        lines.append(line.url)
        line.send('{"type": "refused", "code": "server.too_many", "text": ""}')
        line.close(code=4403)

    page.route_web_socket(re.compile(r"/live\?"), refuse)
    page.clock.install()
    page.reload()
    expect(page.locator("[data-option]").first).to_be_visible()  # plain requests suffice
    for _ in range(120):
        page.clock.run_for(1000)
    assert 6 < len(lines) < 25


def test_a_page_of_an_older_build_loads_again(sit):
    """The server was renewed: files that the page asks for are there no more."""
    page = sit(at="/", service_workers="block")  # which would answer before the routes below
    page.get_by_role("link", name="Settings").wait_for()
    entry = page.locator("script[type=module]").get_attribute("src")
    assert entry
    renewed = []

    def gone(route: Route) -> None:
        if renewed:
            route.continue_()
        else:
            route.fulfill(status=404, content_type="application/json", body="{}")

    def other(route: Route) -> None:
        if route.request.resource_type == "document":
            renewed.append(True)
            route.continue_()
        else:
            body = route.fetch().text().replace(entry, "/assets/index-newer.js")
            route.fulfill(status=200, content_type="text/html", body=body)

    page.route("**/assets/Settings-*.js", gone)
    page.route(re.compile(r":\d+/$"), other)
    page.route("**/settings", other)
    page.get_by_role("link", name="Settings").click()
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    assert renewed == [True]
    sit.forgive("404 (Not Found)")
