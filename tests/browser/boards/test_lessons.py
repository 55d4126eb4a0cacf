"""Lessons in the browser: one exercise of each game from start to finish, with a reload between."""

import itertools

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import axe
from tests.server.visiting import until


def begin(page: Page, name: str) -> Locator:
    """Begin an exercise from the list; return its box beside the board."""
    page.locator(f"[data-lesson={name}] button").click()
    box = page.locator(f"section[data-lesson={name}]")
    expect(box).to_have_attribute("data-verdict", "open")
    return box


def press_place(page: Page, *codes: str) -> None:
    for code in codes:
        page.locator(f"use.choice[data-place={code}]").focus()
        page.keyboard.press("Enter")


def confirm(page: Page) -> None:
    page.locator("[data-confirm]").click()


COUNT = "() => { window.clicks = 0; window.onclick = () => window.clicks++; }"


def click_through(page: Page, *targets: str) -> int:
    """Click on one thing after the other, and confirm where that is asked between; how many clicks."""
    page.evaluate(COUNT)
    sure = page.locator("[data-confirm]:enabled")
    for here, then in itertools.pairwise((*targets, "")):
        page.locator(here).first.click()
        if then:
            expect(sure.or_(page.locator(then).first).first).to_be_visible()
            if sure.is_visible():
                sure.click()
    return int(page.evaluate("window.clicks"))


def test_an_exercise_of_diplomacy_survives_a_reload_and_is_solved(sit):
    page = sit("en", at="/learn/diplomacy", settings="{confirm: false}")
    box = begin(page, "support")
    expect(box).to_contain_text("A German army holds Burgundy")
    press_place(page, "par")
    page.locator(".prompt [data-option='A par -']").click()  # and not an attack on the German army
    press_place(page, "bur")
    expect(page.locator(".order.move.france")).to_have_count(1)
    page.reload()
    expect(box).to_have_attribute("data-verdict", "open")
    expect(page.locator(".order.move.france")).to_have_count(1)
    box.get_by_role("button", name="Hint").click()
    expect(box).to_contain_text("strength two")
    press_place(page, "mar", "par", "bur")
    page.locator(".prompt [data-option=ready]").click()
    confirm(page)
    expect(box).to_have_attribute("data-verdict", "solved")
    expect(box).to_contain_text("Two against one")
    assert axe(page) == []
    box.get_by_role("button", name="Next: Cut a support").click()
    expect(page.locator("section[data-lesson=cut]")).to_be_visible()
    page.locator("section[data-lesson=cut]").get_by_role("link", name="All lessons").click()
    expect(page.locator("[data-lesson=support]")).to_have_attribute("data-solved", "true")
    expect(page.locator("[data-lesson=bounce]")).to_have_attribute("data-solved", "false")
    assert axe(page) == []


def test_a_wrong_answer_is_tried_again(sit):
    page = sit("en", at="/learn/diplomacy", settings="{confirm: false}")
    box = begin(page, "bounce")
    page.locator(".prompt [data-option=ready]").click()
    confirm(page)
    expect(box).to_have_attribute("data-verdict", "failed")
    first = page.url
    box.get_by_role("button", name="Try again").click()
    expect(box).to_have_attribute("data-verdict", "open")
    assert page.url != first
    press_place(page, "par", "bur")
    page.locator(".prompt [data-option=ready]").click()
    confirm(page)
    expect(box).to_have_attribute("data-verdict", "solved")


SETTLEMENT = (
    "[data-target='palestine.uk_mandate']",  # settles Palestine by this option
    "[data-target=uk]",  # an event asks twice
    "[data-option='choose 1']",
    "[data-target=dobruja]",
    "[data-target=churchill]",
    "[data-option='cube no']",
    "[data-target=draw]",
    "[data-target=tyrol]",
)


def test_an_exercise_of_versailles_survives_a_reload_and_is_solved(sit):
    page = sit("es", at="/learn/versailles", settings="{confirm: false}")
    box = begin(page, "uprising")
    expect(box).to_contain_text("Conserva Siria")
    page.reload()
    expect(box).to_have_attribute("data-verdict", "open")
    page.locator("[data-option='modify -1']").click()
    confirm(page)
    expect(box).to_have_attribute("data-verdict", "solved")
    expect(box).to_contain_text("¡Resuelto!")
    assert axe(page) == []
    page.goto("/learn/versailles")
    begin(page, "settle")
    expect(page.locator(SETTLEMENT[0])).to_be_visible()
    assert axe(page) == []  # options can be chosen on a card that can be chosen itself
    clicks = click_through(page, *SETTLEMENT) + 1
    page.locator("[data-confirm]:enabled").click()  # what follows cannot be undone
    expect(page.locator("[data-option=end]")).to_be_visible()
    assert clicks <= 9
    page.evaluate("localStorage['powderkeg.settings'] = JSON.stringify({confirm: true})")
    page.goto("/learn/versailles")
    again = page.get_by_role("button", name="Empezar de nuevo")
    begin(page, "settle").filter(has=again).wait_for()
    again.click()
    page.locator(
        SETTLEMENT[0]
    ).click()  # who wants to confirm everything is asked once for one click
    expect(page.get_by_role("list", name="Elegido hasta ahora")).to_contain_text(
        "Mandato británico"
    )
    confirm(page)
    expect(page.locator(SETTLEMENT[1]).first).to_be_visible()


@pytest.mark.parametrize("size", ["desk", "phone"])
def test_an_exercise_of_risk_europe_survives_a_reload_and_is_solved(sit, size):
    page = sit("it", size, at="/learn/risk_europe", settings="{confirm: false}")
    box = begin(page, "taxes")
    expect(box).to_contain_text("Hai due linee di rifornimento")
    page.locator("[data-order=tax]").click()
    expect(page.locator("use.choice[data-place=poland]")).to_be_attached()
    page.reload()
    expect(box).to_have_attribute("data-verdict", "open")
    press_place(page, "poland")
    asked = page.locator("[data-confirm]")
    until(lambda: asked.count() > 0 or box.get_attribute("data-verdict") == "solved")
    if asked.count():
        confirm(page)
    expect(box).to_have_attribute("data-verdict", "solved")
    expect(box).to_contain_text("Risolto!")
    assert axe(page) == []


def test_an_expansion_takes_at_most_six_clicks(sit):
    page = sit(at="/learn/risk_europe", settings="{confirm: false}")
    begin(page, "orders")
    click_through(page, "[data-card=split]", "[data-card=tax]")
    confirm(page)
    page.locator("[data-order=split]").wait_for()
    expansion = (
        "[data-order=split]",
        "use.choice[data-place=lorraine]",
        "use.choice[data-place=swabia]",
        ".desk [data-all]",
        ".desk [data-settle]:enabled",
    )
    assert click_through(page, *expansion) <= 6  # the last button is the confirmation


def test_a_tour_goes_on_where_it_was_after_a_reload(sit):
    page = sit("en", at="/learn/diplomacy", settings="{confirm: false}")
    page.get_by_role("button", name="Start the lesson").click()
    box = page.locator(".lesson")
    for step in ("welcome", "units"):
        expect(box).to_have_attribute("data-step", f"lesson.diplomacy.{step}")
        box.get_by_role("button", name="Next").click()
    expect(box).to_have_attribute("data-step", "lesson.diplomacy.move")
    page.reload()
    expect(box).to_have_attribute("data-step", "lesson.diplomacy.move")
    page.goto("/learn/diplomacy")
    page.get_by_role("button", name="Continue the lesson").click()
    expect(box).to_have_attribute("data-step", "lesson.diplomacy.move")
