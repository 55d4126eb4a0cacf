"""Letters: sent once, read by those they are for, and not lost while they are written."""

import re
import uuid

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.boards.test_in_sight import expect_seen
from tests.browser.fast_forward import HEAD
from tests.browser.test_ready import two_people as two_powers
from tests.browser.test_tables import friend_sits_down, new_table

MAKE = """async (seats) => {
  const headers = {"Content-Type": "application/json", "X-Powderkeg": "1"};
  await fetch("/api/guests", {method: "POST", headers, body: JSON.stringify({name: "Ana"})});
  const body = JSON.stringify({game: "diplomacy", players: 7, seats, start: true});
  return (await fetch("/api/tables", {method: "POST", headers, body})).json();
}"""
POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")


def diplomacy(page: Page, *, mine: str = "FRANCE", here: str = "") -> None:
    """Sit down as a power among bots, at a screen that may be shared with another."""
    kinds = {mine: "me", here: "here"}
    bots = {"kind": "bot", "level": "random"}
    seats = [{"seat": p, **({"kind": kinds[p]} if p in kinds else bots)} for p in POWERS]
    page.goto(f"/t/{page.evaluate(MAKE, seats)['id']}")


def two_people(sit, **friend) -> tuple[Page, Page]:
    host = sit(at="/new/sparks")
    link = new_table(host)
    other = friend_sits_down(link, sit(**friend))
    host.get_by_role("button", name="Start the game").click()
    expect(other.locator("[data-option]").first).to_be_visible()
    return host, other


def letters(page: Page) -> None:
    page.get_by_role("tab", name=re.compile("Letters")).click()


def write(page: Page, text: str) -> None:
    page.get_by_label("Write here").fill(text)
    page.get_by_label("Write here").press("Enter")


def test_at_one_screen_nobody_reads_the_letters_of_the_one_before(sit):
    page = sit()
    diplomacy(page, here="ENGLAND")
    page.get_by_role("button", name="I am England").click()
    letters(page)
    page.get_by_role("button", name="Write to…").click()
    page.get_by_role("checkbox", name="Germany").check()
    page.get_by_role("button", name="Start the letter").click()
    write(page, "Shall we take Belgium?")
    expect(page.get_by_text("Shall we take Belgium?")).to_be_visible()
    page.get_by_label("Write here").fill("And then")
    page.locator("[data-option=ready]").click()
    page.locator("[data-confirm]").click()
    page.get_by_role("button", name="I am France").click()
    letters(page)
    expect(page.get_by_role("group", name="Conversations").get_by_role("button")).to_have_count(2)
    expect(page.get_by_text("Shall we take Belgium?")).to_have_count(0)
    expect(page.get_by_label("Write here")).to_have_value("")


def test_what_is_half_written_stays(sit):
    page = sit()
    diplomacy(page)
    letters(page)
    page.get_by_label("Write here").fill("Dear friends,")
    page.get_by_role("tab", name="Log").click()
    letters(page)
    expect(page.get_by_label("Write here")).to_have_value("Dear friends,")
    page.get_by_role("banner").get_by_label("Language").select_option("it")
    expect(page.get_by_role("tab", name="Cronaca")).to_be_visible()
    expect(page.get_by_label("Scrivi qui")).to_have_value("Dear friends,")


def test_a_letter_whose_answer_was_lost_is_sent_once(sit):
    page = sit()
    diplomacy(page)
    letters(page)

    def lose(route: Route) -> None:
        if route.request.method == "POST":
            route.fetch()
            route.abort()
        else:
            route.continue_()

    page.route("**/press?*", lose)
    write(page, "Peace to all.")
    expect(page.get_by_role("alert")).to_contain_text("cannot be reached")
    expect(page.get_by_label("Write here")).to_have_value("Peace to all.")
    page.unroute("**/press?*")
    page.get_by_label("Write here").press("Enter")
    expect(page.get_by_label("Write here")).to_have_value("")
    expect(page.locator(".letter")).to_have_count(1)
    page.reload()
    letters(page)
    expect(page.locator(".letter")).to_have_count(1)
    sit.forgive("ERR_FAILED")


def test_on_a_phone_a_letter_is_new_until_it_was_seen(sit):
    host, phone = two_people(sit, size="phone")
    pages = phone.get_by_role("navigation", name="Pages")
    pages.get_by_role("button", name="Letters").click()
    pages.get_by_role("button", name="Board").click()
    letters(host)
    write(host, "Are you there?")
    badge = pages.get_by_role("button", name=re.compile("Letters.*1", re.DOTALL))
    expect(badge).to_be_visible()
    badge.click()
    expect(phone.get_by_text("Are you there?")).to_be_visible()
    expect(badge).to_have_count(0)
    phone.reload()
    expect(pages.get_by_role("button", name="Letters")).to_be_visible()
    expect(badge).to_have_count(0)


PLACE = "list => list.scrollTop"
SCROLL_UP = """list => new Promise((done) => {
  list.addEventListener("scrollend", done, {once: true});
  list.scrollTo({top: 0});
})"""


def post_letter(page: Page, to: str, **letter: object) -> None:
    table = page.url.rpartition("/")[2]
    body = {"to": [to], "command": str(uuid.uuid4()), **letter}
    sent = page.request.post(f"/api/tables/{table}/press", data=body, headers=HEAD)
    assert sent.ok, sent.text()


@pytest.mark.parametrize("size", [(1366, 768), (1440, 900), (820, 1180), (390, 844)])
def test_the_newest_letter_is_whole_in_sight_and_older_ones_are_read_in_peace(sit, size):
    ana, ben = two_powers(sit)
    ben.set_viewport_size({"width": size[0], "height": size[1]})
    for n in range(6):
        post_letter(ana, "ENGLAND", text=f"{n} " + "Shall we keep the Channel empty? " * 3)
    tab = "button[role=tab]:visible, nav.pages button:visible"
    ben.locator(tab).filter(has_text="Letters").click()
    ben.locator(".channel", has_text="France").click()
    letters, newest = ben.locator("ol.letters"), ben.locator(".letter").last
    expect(newest).to_contain_text("5 Shall we")
    expect_seen(newest)
    post_letter(ana, "ENGLAND", offer=[{"kind": "peace"}])  # one reads at the end: it is shown
    expect_seen(newest.get_by_role("button", name="Agree"))
    expect_seen(newest)
    letters.evaluate(SCROLL_UP)
    post_letter(ana, "ENGLAND", text="7 Did you read this?")
    below = ben.get_by_role("button", name="New letter below")
    expect(below).to_be_visible()
    assert letters.evaluate(PLACE) == 0
    below.click()
    expect(newest).to_contain_text("7 Did you")
    expect_seen(newest)
    expect(below).to_have_count(0)
