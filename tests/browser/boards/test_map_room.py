"""The map gets the room, can be read, and answers a click at once."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.boards.answers import release_held
from tests.browser.boards.keys import FOCUS_KEPT, press_there, tab_to
from tests.browser.boards.test_board_diplomacy import as_france, order_on_a_slow_line, place

SHARE = """() => {
  const svg = document.querySelector(".atlas svg.still");
  const [box, sheet] = [svg.getBoundingClientRect(), svg.viewBox.baseVal];
  const fit = Math.min(box.width / sheet.width, box.height / sheet.height);
  return fit * sheet.width * fit * sheet.height / (innerWidth * innerHeight);
}"""

# The height of the letters on the screen, of every name that is shown.
LETTERS = """() => [...document.querySelectorAll(".atlas .labels text")]
  .filter((text) => text.getClientRects().length)
  .map((text) => {
    const to = text.getScreenCTM();
    return [text.textContent, parseFloat(getComputedStyle(text).fontSize) * Math.hypot(to.a, to.b)];
  })"""

BRIGHTNESS = """(code) => {
  const canvas = document.createElement("canvas").getContext("2d");
  const wash = document.querySelector(`.lights use.open[href="#${code}"]`);
  canvas.fillStyle = getComputedStyle(wash).fill;
  canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
}"""


def seen(sit, width: int, height: int, lang: str = "en") -> Page:
    page = sit(lang)
    page.set_viewport_size({"width": width, "height": height})
    return as_france(page)


@pytest.mark.parametrize(
    ("width", "height", "least"),
    [(1366, 768, 0.45), (1440, 900, 0.5), (1920, 1080, 0.45), (1024, 768, 0.4), (820, 1180, 0.4)],
)
def test_the_map_has_its_share_of_the_window(sit, width, height, least):
    page = seen(sit, width, height)
    assert page.evaluate(SHARE) >= least
    page.get_by_role("tab", name="Orders").wait_for()


@pytest.mark.parametrize("lang", ["en", "es", "it"])
@pytest.mark.parametrize(("width", "height"), [(1366, 768), (820, 1180)])
def test_every_name_on_the_map_can_be_read_on_a_laptop_and_a_tablet(sit, lang, width, height):
    page = seen(sit, width, height, lang)
    small = [(name, size) for name, size in page.evaluate(LETTERS) if size < 9]
    assert small == []
    assert len(page.evaluate(LETTERS)) == 75


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (820, 1180)])
def test_every_name_can_be_read_where_the_centres_of_all_powers_are_counted(sit, width, height):
    page = sit(at="/learn/diplomacy")
    page.set_viewport_size({"width": width, "height": height})
    page.get_by_role("button", name="Sandbox").click()
    expect(page.locator(".atlas .units .unit")).to_have_count(22)
    assert [(name, size) for name, size in page.evaluate(LETTERS) if size < 9] == []


def test_what_can_be_chosen_is_lit_and_not_darkened(sit):
    page = seen(sit, 1366, 768)
    page.mouse.click(*place(page, "mar"))
    expect(page.locator(".lights use.open[href='#spa']")).to_have_count(1)
    assert min(page.evaluate(BRIGHTNESS, "spa")) > 240
    line = page.locator("use.choice[data-place=spa]")
    assert line.evaluate("e => parseFloat(getComputedStyle(e).strokeWidth)") >= 2


def test_an_order_is_drawn_before_the_server_has_answered(sit):
    page = as_france(sit())
    order_on_a_slow_line(page, "par", "bur")
    expect(page.locator(".order.move.france")).to_have_count(1)
    release_held(page)
    expect(page.locator("[data-row=par]")).to_contain_text("Burgundy")
    expect(page.locator(".order.move.france")).to_have_count(1)


def test_an_order_that_is_refused_is_taken_from_the_map(sit):
    page = as_france(sit())
    order_on_a_slow_line(page, "par", "bur")
    expect(page.locator(".order.move.france")).to_have_count(1)
    release_held(page, "bur", "lon")
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.locator(".order.move.france")).to_have_count(0)


def test_an_arrow_has_a_light_and_a_dark_line_around_it(sit):
    page = as_france(sit())
    page.mouse.click(*place(page, "par"))
    page.mouse.click(*place(page, "bur"))
    arrow = page.locator(".order.move.france")
    expect(arrow.locator("path.halo").first).to_be_attached()
    ink = "e => getComputedStyle(e).stroke"
    assert arrow.locator("path.halo").first.evaluate(ink) != arrow.locator(".casing").evaluate(ink)


def test_nothing_lies_over_the_map(sit):
    page = seen(sit, 1280, 800)
    page.get_by_role("button", name="Sketch").click()
    for code in ("tun", "ion", "eas", "nao", "naf"):
        at = page.locator(f"#{code}").evaluate("e => e.getBoundingClientRect().toJSON()")
        assert at["width"] > 0
    strip = page.locator(".sketching").bounding_box()
    atlas = page.locator(".atlas").bounding_box()
    assert strip is not None
    assert atlas is not None
    assert strip["x"] + strip["width"] <= atlas["x"]


def test_a_turn_is_played_by_keys_alone_and_arrow_keys_walk_between_neighbours(sit):
    page = as_france(sit())
    tab_to(page, "use.choice[data-place=par]")
    at = "document.activeElement.dataset.place"
    page.keyboard.press("ArrowRight")
    assert page.evaluate(at) == "bur"
    page.keyboard.press("ArrowRight")
    assert page.evaluate(at) == "mun"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(at) == "par"
    page.keyboard.press("Enter")
    expect(page.locator("use.choice[data-place=gas]")).to_be_visible()
    assert page.evaluate(at) == "par"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".order.move.france")).to_have_count(1)
    assert page.evaluate(at) == "bur"
    phase = page.locator("h1 .phase")
    assert phase.inner_text().startswith("Spring 1901")  # no replay began
    press_there(page, ".prompt [data-option=ready]", "Shift+Tab")
    press_there(page, "[data-confirm]")
    expect(phase).not_to_contain_text("Spring 1901, movement")
    page.wait_for_function(FOCUS_KEPT)


def test_a_phone_held_sideways_shows_the_whole_map_and_keeps_it_in_sight(sit):
    page = seen(sit, 844, 390)
    box = "document.querySelector('.atlas svg.still').getBoundingClientRect()"
    for _ in range(2):
        assert page.evaluate(f"{box}.top") >= 0
        assert page.evaluate(f"{box}.bottom <= innerHeight")
        page.locator(".time").scroll_into_view_if_needed()
