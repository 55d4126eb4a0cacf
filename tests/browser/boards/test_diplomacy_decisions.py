"""Every kind of decision of Diplomacy: what is asked, what it is about and the answers are in sight."""

import pytest
from playwright.sync_api import Locator, Page, expect

from powderkeg.core.chance import Audited
from powderkeg.core.record import make_record, write_record
from powderkeg.core.table import Table
from powderkeg.games import diplomacy
from tests.browser.boards.moments import Moment, open_moment
from tests.browser.boards.test_board_diplomacy import as_france, place
from tests.browser.boards.test_in_sight import expect_seen
from tests.browser.boards.test_lessons import begin
from tests.browser.fast_forward import HEAD

SIZES = [(1366, 768), (1440, 900), (820, 1180)]
EXERCISES = ["bounce", "cut", "build", "serbia", "bulgaria"]  # one to three units, short and long

Round = dict[str, tuple[str, ...]]


def after(seat: str, *rounds: Round) -> Moment:
    """The moment at which a seat decides after these rounds of orders."""
    table = Table(diplomacy, 7, source=Audited(b"5eed" * 8))
    for orders in rounds:
        for power, texts in orders.items():
            for text in texts:
                table.act(power, text)
        for power in sorted(table.to_act):
            table.act(power, "ready")
    return Moment(seat, write_record(make_record(table)), table.seats.index(seat))


def open_at(sit, moment: Moment, size: tuple[int, int], lang: str) -> Page:
    page: Page = sit(lang, settings="{confirm: false}")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.request.post("/api/guests", data={}, headers=HEAD)
    open_moment(page, moment)
    return page


ENGLISH_FLEETS = after(
    "ENGLAND",
    {
        "ENGLAND": ("F LON - ENG", "F EDI - NTH", "A LVP - YOR"),
        "FRANCE": ("F BRE - MAO", "A PAR - BUR"),
    },
)


def expect_all_seen(things: Locator) -> None:
    expect(things.first).to_be_visible()
    for thing in things.all():
        expect_seen(thing)


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("lang", ["es", "it"])
def test_a_long_list_of_answers_covers_no_tab_of_the_papers(sit, width, height, lang):
    """An army that may go by convoy has seventeen answers."""
    page = open_at(sit, ENGLISH_FLEETS, (width, height), lang)
    page.locator("use.choice[data-place=yor]").focus()
    page.keyboard.press("Enter")
    page.locator(".prompt [data-option='A yor -']").click()
    expect(page.locator(".prompt [data-option]")).to_have_count(17)
    expect_all_seen(page.locator(".papers [role=tab]"))
    last = page.locator(".prompt [data-option]").last
    if width > height:
        expect_seen(last)
    last.scroll_into_view_if_needed()  # the strip of a tablet scrolls inside
    expect_seen(last)


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_an_exercise_shows_its_task_and_every_order(sit, width, height):
    page = sit("es", at="/learn/diplomacy", settings="{confirm: false}")
    page.set_viewport_size({"width": width, "height": height})
    for name in EXERCISES:
        page.goto("/learn/diplomacy")
        box = begin(page, name)
        box.get_by_role("button", name="Pista").click()
        expect_all_seen(box.locator(".words p"))
        expect_all_seen(page.locator(".papers [data-row]"))
        expect_seen(page.locator(".prompt [data-option=ready]"))


@pytest.mark.parametrize("size", ["desk", "phone"])
def test_a_folded_result_stays_folded_when_one_has_looked_back(sit, size):
    table = Table(diplomacy, 7, diplomacy.Options(last_year=1901), source=Audited(b"5eed" * 8))
    while table.to_act:
        table.act(min(table.to_act), "ready")
    page: Page = sit("it", size)
    page.request.post("/api/guests", data={}, headers=HEAD)
    file = write_record(make_record(table))
    made = page.request.post("/api/imports", data={"file": file}, headers=HEAD).json()
    page.goto(f"/t/{made['id']}")
    result = page.get_by_role("region", name="Risultato")
    result.locator(".fold").click()
    expect(result.locator("[data-file]")).to_have_count(0)
    if size == "phone":
        page.locator(".where button.phone").click()
    page.locator(".replay button").first.click()
    expect(result).to_have_count(0)
    page.locator(".bar .button.first").click()
    expect(result).to_be_visible()
    expect(result.locator("[data-file]")).to_have_count(0)


def test_why_something_is_impossible_is_gone_when_one_sketches_or_steps_back(sit):
    page = as_france(sit())
    note = page.locator(".slip")

    def send_brest_inland() -> None:
        page.mouse.click(*place(page, "bre"))
        page.mouse.click(*place(page, "mun"))
        expect(note).to_contain_text("a fleet cannot go inland")

    send_brest_inland()
    page.get_by_role("button", name="Sketch").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("group", name="Sketch")).to_be_visible()
    assert note.count() == 0
    page.get_by_role("group", name="Sketch").get_by_role("button").last.click()
    page.locator(".prompt [data-back]").click()
    send_brest_inland()
    page.locator(".prompt [data-back]").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".prompt [data-option=ready]")).to_be_visible()
    assert note.count() == 0
