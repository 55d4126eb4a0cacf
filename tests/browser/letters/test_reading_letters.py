"""Reading letters: the newest is whole in sight, and nobody who reads an older one is moved."""

import uuid

import pytest
from playwright.sync_api import Page, expect

from tests.browser.boards.test_in_sight import expect_seen
from tests.browser.fast_forward import HEAD
from tests.browser.test_ready import two_people

PLACE = "list => list.scrollTop"
SCROLL_UP = """list => new Promise((done) => {
  list.addEventListener("scrollend", done, {once: true});
  list.scrollTo({top: 0});
})"""


def write_letter(page: Page, to: str, **letter: object) -> None:
    table = page.url.rpartition("/")[2]
    body = {"to": [to], "command": str(uuid.uuid4()), **letter}
    sent = page.request.post(f"/api/tables/{table}/press", data=body, headers=HEAD)
    assert sent.ok, sent.text()


@pytest.mark.parametrize("size", [(1366, 768), (1440, 900), (820, 1180), (390, 844)])
def test_the_newest_letter_is_whole_in_sight_and_older_ones_are_read_in_peace(sit, size):
    ana, ben = two_people(sit)
    ben.set_viewport_size({"width": size[0], "height": size[1]})
    for n in range(6):
        write_letter(ana, "ENGLAND", text=f"{n} " + "Shall we keep the Channel empty? " * 3)
    tab = "button[role=tab]:visible, nav.pages button:visible"
    ben.locator(tab).filter(has_text="Letters").click()
    ben.locator(".channel", has_text="France").click()
    letters, newest = ben.locator("ol.letters"), ben.locator(".letter").last
    expect(newest).to_contain_text("5 Shall we")
    expect_seen(newest)
    write_letter(ana, "ENGLAND", offer=[{"kind": "peace"}])  # one reads at the end: it is shown
    expect_seen(newest.get_by_role("button", name="Agree"))
    expect_seen(newest)
    letters.evaluate(SCROLL_UP)
    write_letter(ana, "ENGLAND", text="7 Did you read this?")
    below = ben.get_by_role("button", name="New letter below")
    expect(below).to_be_visible()
    assert letters.evaluate(PLACE) == 0
    below.click()
    expect(newest).to_contain_text("7 Did you")
    expect_seen(newest)
    expect(below).to_have_count(0)
