"""Two people, five bots, three evenings: nothing is lost, nobody is locked out, no game ends by
accident. The server's clock is the test's own, so that days pass at once."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

from powderkeg.games import diplomacy
from powderkeg.server.settings import Settings
from tests.browser.test_getting_in import call
from tests.server.visiting import Clock, Running, running, until

MINUTE, DAY = 60.0, 86400.0
DESK: ViewportSize = {"width": 1280, "height": 720}
PHONE: ViewportSize = {"width": 390, "height": 844}
BOTS = ("AUSTRIA", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
IN_WORDS = "localStorage['powderkeg.settings'] ??= JSON.stringify({text: true})"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def site(tmp_path, clock) -> Iterator[Running]:
    settings = Settings(data=str(tmp_path), limits=False)
    with running(settings, games={"diplomacy": diplomacy}, clock=clock) as found:
        yield found


@pytest.fixture
def people(browser: Browser, site: Running) -> Iterator[list[BrowserContext]]:
    contexts = [browser.new_context(base_url=site.bases[0], locale="en-GB") for _ in range(2)]
    for context in contexts:
        context.set_default_timeout(180_000)
        context.add_init_script(IN_WORDS)
    yield contexts
    for context in contexts:
        context.close()


def come(person: BrowserContext, path: str) -> Page:
    page = person.new_page()
    page.goto(path)
    return page


def sit_down(people: list[BrowserContext]) -> tuple[Page, Page, str]:
    """Ana opens a table of ten-minute turns with five bots; Ben comes by the link she sends."""
    ana = come(people[0], "/")
    call(ana, "POST", "/guests", {"name": "Ana"})
    seats = [{"seat": "FRANCE", "kind": "me"}, {"seat": "ENGLAND", "kind": "open"}]
    seats += [{"seat": seat, "kind": "bot", "level": "random"} for seat in BOTS]
    made = call(ana, "POST", "/tables", {"game": "diplomacy", "preset": "ten", "seats": seats})
    ana.goto(f"/t/{made['id']}")
    ben = come(people[1], f"/t/{made['id']}?invite={made['invite']}")
    ben.get_by_label("Your name at the table").fill("Ben")
    ben.get_by_role("button", name="Sit here").click()
    expect(ana.locator("[data-seat=ENGLAND]").get_by_text("Ben")).to_be_visible()
    ana.get_by_role("button", name="Start the game").click()
    expect(ben.locator("[data-option=ready]").first).to_be_visible()
    return ana, ben, made["id"]


def write(page: Page, text: str) -> None:
    page.get_by_role("tab", name=re.compile("Letters")).click()
    page.get_by_label("Write here").fill(text)
    page.get_by_label("Write here").press("Enter")
    expect(page.get_by_text(text).first).to_be_visible()


def read(page: Page, *texts: str) -> None:
    page.get_by_role("tab", name=re.compile("Letters")).click()
    for text in texts:
        expect(page.get_by_text(text).first).to_be_visible()


def look(page: Page, table: str) -> Any:
    return call(page, "GET", f"/tables/{table}?text=0&raw=1")


def give_order(page: Page, table: str, text: str) -> None:
    asked = look(page, table)["question"]["id"]
    body = {"command": f"{text}", "question": asked, "text": text}
    call(page, "POST", f"/tables/{table}/act", body)


def be_ready(page: Page) -> None:
    page.locator(".prompt [data-option=ready]").click()
    page.locator("[data-confirm]").click()


def owes_orders(seen: Any) -> bool:
    """A deadline that passed while people were away may have made them ready already."""
    return seen["seat"] in seen["to_act"]


def play_phase(table: str, *pages: Page) -> None:
    """Everybody who owes orders is ready, until the phase is over."""
    phase = look(pages[0], table)["phase"]
    for page in pages:
        if owes_orders(look(page, table)):
            be_ready(page)
    until(lambda: look(pages[0], table)["phase"] != phase, 60)


def propose(page: Page, kind: str) -> None:
    page.get_by_role("tab", name=re.compile("Proposals")).click()
    page.get_by_label("Propose", exact=True).select_option(kind)
    page.get_by_role("button", name="Propose this").click()


def agree(page: Page) -> None:
    page.get_by_role("tab", name=re.compile("Proposals.*1", re.DOTALL)).click()
    page.get_by_role("button", name="Agree").click()


def seat_of(page: Page, table: str, name: str) -> Any:
    return next(seat for seat in look(page, table)["seats"] if seat["seat"] == name)


def pass_deadline(site: Running, clock: Clock) -> None:
    clock.now += 11 * MINUTE
    site.server.events.publish("jobs:due", {})


def test_two_people_five_bots_three_evenings(site, clock, people):
    # The first evening: they sit down, talk, play, and agree to go on tomorrow.
    ana, ben, table = sit_down(people)
    write(ana, "Shall we leave the Channel empty?")
    read(ben, "Shall we leave the Channel empty?")
    write(ben, "Agreed, the Channel stays empty.")
    give_order(ben, table, "F LON - NTH")
    clock_of_ana = ana.locator(".players [data-seat=FRANCE] time")
    expect(clock_of_ana).to_have_count(1)
    due = seat_of(ana, table, "FRANCE")["due"]
    propose(ana, "extend")
    agree(ben)
    until(lambda: seat_of(ana, table, "FRANCE")["due"] == due + 10 * MINUTE)
    be_ready(ana)
    expect(clock_of_ana).to_have_count(0)  # who is ready has no clock that runs
    play_phase(table, ana, ben)

    propose(ana, "draw")  # one click asks; nothing ends, and the bots refuse
    ana.get_by_role("button", name="Yes, ask them").click()
    until(lambda: not look(ana, table)["proposals"])
    assert look(ana, table)["status"] == "live"

    left = seat_of(ana, table, "FRANCE")["due"] or look(ana, table)["due"]
    propose(ana, "pause")
    agree(ben)
    expect(ana.get_by_text("The game is paused.").first).to_be_visible()
    moment = look(ana, table)
    ana.close()
    ben.close()

    # The second evening: a day has passed, and no time was lost.
    clock.now += DAY
    ana, ben = come(people[0], f"/t/{table}"), come(people[1], f"/t/{table}")
    assert look(ana, table)["seq"] == moment["seq"]
    read(ana, "Agreed, the Channel stays empty.")
    ana.get_by_role("button", name="Ask to continue").click()
    agree(ben)
    until(lambda: look(ana, table)["status"] == "live")
    due = seat_of(ana, table, "FRANCE")["due"] or look(ana, table)["due"]
    assert due is None or left is None or due == pytest.approx(left + DAY)
    play_phase(table, ana, ben)

    ben.close()  # without a word; Ana plays on, and after two missed turns a bot plays for Ben
    for _ in range(8):
        if seat_of(ana, table, "ENGLAND")["autopilot"]:
            break
        before = look(ana, table)
        if owes_orders(before):
            be_ready(ana)
        if "ENGLAND" in look(ana, table)["to_act"]:
            pass_deadline(site, clock)
        until(lambda seq=before["seq"]: look(ana, table)["seq"] > seq, 60)
    assert seat_of(ana, table, "ENGLAND")["autopilot"]
    write(ana, "Ben, where are you?")
    ana.close()  # and now nobody is left

    watcher = come(people[0], "/healthz")
    for _ in range(8):
        pass_deadline(site, clock)
        if look(watcher, table)["status"] == "paused":
            break
        seq = look(watcher, table)["seq"]
        until(
            lambda seq=seq: (
                look(watcher, table)["seq"] > seq or look(watcher, table)["status"] == "paused"
            ),
            60,
        )
    until(lambda: look(watcher, table)["status"] == "paused", 60)
    still = look(watcher, table)["seq"]
    watcher.close()

    # The third evening, weeks later: the game has waited, and both are asked.
    clock.now += 20 * DAY
    ben = come(people[1], f"/t/{table}")
    for size in (PHONE, DESK):  # on a phone the list of players is another page
        ben.set_viewport_size(size)
        note = ben.get_by_role("region", name="Welcome back")
        expect(note).to_contain_text("Everyone had left, so the game is waiting.")
    assert look(ben, table)["seq"] == still
    note.get_by_role("button", name="Take my seat back and wait").click()
    expect(note).to_contain_text("The game is paused.")
    assert not seat_of(ben, table, "ENGLAND")["autopilot"]
    read(ben, "Ben, where are you?", "Shall we leave the Channel empty?")

    ana = come(people[0], f"/t/{table}")
    note = ana.get_by_role("region", name="Welcome back")
    note.get_by_role("button", name="Ask to continue").click()
    agree(ben)
    until(lambda: look(ana, table)["status"] == "live")
    now = look(ana, table)
    assert now["result"] is None
    names = {
        seat["seat"]: (seat["name"], seat["autopilot"], seat["vacant"]) for seat in now["seats"]
    }
    assert names["FRANCE"] == ("Ana", False, False)
    assert names["ENGLAND"] == ("Ben", False, False)
    assert (now["held"], look(ben, table)["held"]) == (["FRANCE"], ["ENGLAND"])
    log = call(ben, "GET", f"/tables/{table}/log")["entries"]
    assert any((entry["do"] or "").upper() == "F LON - NTH" for entry in log)
    play_phase(table, ana, ben)
