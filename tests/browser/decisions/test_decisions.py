"""Every kind of decision: what is asked, what it is about and the answers are in sight."""

import itertools
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from powderkeg.core.chance import Audited
from powderkeg.core.record import make_record, write_record
from powderkeg.core.table import Table
from powderkeg.games import diplomacy, risk_europe, versailles
from tests.browser.boards.test_board_diplomacy import as_france, place
from tests.browser.boards.test_board_versailles import fields
from tests.browser.boards.test_in_sight import expect_seen
from tests.browser.boards.test_lessons import begin
from tests.browser.decisions.moments import Moment, first_moments, open_moment
from tests.browser.fast_forward import HEAD

MISSIONS = risk_europe.Options(missions=True)
CHOSEN = versailles.Options(solo_order="chosen")
GAMES: dict[str, list[tuple[Any, ...]]] = {
    "versailles": [
        (versailles, 3, 400),
        (versailles, 2, 40),
        (versailles, 1, 160),
        (versailles, 1, 3, CHOSEN),
    ],
    "risk_europe": [(risk_europe, 4, 1200), (risk_europe, 3, 60, MISSIONS), (risk_europe, 2, 30)],
}
LEAST = {"versailles": 30, "risk_europe": 24}  # kinds of decision

# What is wrong on the screen: answers out of sight, words in two lines, a page that is too wide.
FAULTS = """() => {
  const wrong = [];
  const inSight = (e) => {
    const box = e.getBoundingClientRect();
    return box.width > 0 && box.top >= -1 && box.bottom <= innerHeight + 1
      && box.left >= -1 && box.right <= innerWidth + 1;
  };
  const all = (css) => [...document.querySelectorAll(css)].filter((e) => e.getClientRects().length);
  for (const e of all(".desk :is([data-settle], [data-order], [data-mission], [data-bid], [data-pass])"))
    if (!inSight(e)) wrong.push(`out of sight: ${e.outerHTML.slice(0, 120)}`);
  const atHand = (e) => {
    const box = e.getBoundingClientRect();
    return e.contains(document.elementFromPoint(box.left + box.width / 2, box.bottom - 4));
  };
  for (const e of all(".papers .hand [data-target]"))
    if (!atHand(e)) wrong.push(`below the edge: ${e.outerHTML.slice(0, 120)}`);
  const answers = all(".prompt [data-option], [data-target], use.choice, button[data-card], "
    + "[data-settle], [data-token], [data-ware], [data-mission], [data-order], [data-bid]");
  if (!answers.some(inSight)) wrong.push("nothing to answer in sight");
  for (const e of all(".writ .order > span")) {
    for (const word of e.textContent.matchAll(/\\S+/g)) {
      const range = document.createRange();
      range.setStart(e.firstChild, word.index);
      range.setEnd(e.firstChild, word.index + word[0].length);
      if (range.getClientRects().length > 1) wrong.push(`a word in two lines: ${word[0]}`);
    }
  }
  for (const e of all(".track"))
    if (new Set([...e.children].map((crown) => crown.getBoundingClientRect().top)).size > 1)
      wrong.push("crowns in two rows");
  for (const e of all(".issue .options"))
    if (e.scrollHeight > e.clientHeight + 1) wrong.push(`options cut: ${e.textContent.slice(0, 80)}`);
  const [tools, question] = [".bar .rare", ".bar .say"].map((css) => document.querySelector(css));
  if (tools && tools.getBoundingClientRect().top > question.getBoundingClientRect().top + 9)
    wrong.push("an empty line between the question and its answers");
  const [before, asked] = [".bar .over", ".bar .prompt"].map((css) => all(css)[0]?.textContent.trim());
  if (before && before.endsWith(asked)) wrong.push(`asked twice: ${asked}`);
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) wrong.push(`${wide} px too wide`);
  return wrong;
}"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lang", "size", "window"),
    [("it", "desk", (1366, 768)), ("en", "tablet", (820, 1180)), ("es", "phone", (390, 844))],
)
@pytest.mark.parametrize("game", list(GAMES))
def test_every_kind_of_decision_can_be_answered_where_it_is_asked(sit, game, lang, size, window):
    page: Page = sit(lang, size, settings="{pace: 'off'}")
    page.set_viewport_size({"width": window[0], "height": window[1]})
    page.request.post("/api/guests", data={}, headers=HEAD)
    moments = {
        moment.kind: moment
        for moment in itertools.chain.from_iterable(first_moments(*each) for each in GAMES[game])
    }
    assert len(moments) >= LEAST[game], sorted(moments)
    wrong = {}
    for kind, moment in moments.items():
        open_moment(page, moment)
        page.evaluate("() => document.fonts.ready")
        if found := page.evaluate(FAULTS) + fields(page):
            wrong[kind] = found
    assert wrong == {}


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
