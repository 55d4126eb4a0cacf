"""Diplomacy on its map: orders by click, by drag, by key and by touch; results; a whole game."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.boards.answers import hold_first_action, release_held, wait_for_held

MAKE = """async (more) => {
  const headers = {"Content-Type": "application/json", "X-Powderkeg": "1"};
  await fetch("/api/guests", {method: "POST", headers, body: JSON.stringify({name: "Ana"})});
  const bots = ["AUSTRIA", "ENGLAND", "GERMANY", "ITALY", "RUSSIA", "TURKEY"];
  const seats = [{seat: "FRANCE", kind: "me"}, ...bots.map((seat) => ({seat, kind: "bot", level: "random"}))];
  const body = JSON.stringify({game: "diplomacy", players: 7, seats, start: true, ...more});
  const made = await (await fetch("/api/tables", {method: "POST", headers, body})).json();
  return made.id ?? JSON.stringify(made);
}"""


def as_france(page: Page, **more: Any) -> Page:
    page.goto(f"/t/{page.evaluate(MAKE, more)}")
    expect(page.locator(".atlas .units .unit")).to_have_count(22)
    return page


def place(page: Page, code: str) -> tuple[float, float]:
    """A point on the screen well inside a province, where nothing else lies."""
    found = page.evaluate(
        """(code) => {
          const at = (x, y) => {
            const hit = document.elementsFromPoint(x, y).find((e) => e.dataset?.place || e.id.length === 3);
            return (hit?.dataset?.place ?? hit?.id) === code;
          };
          const box = document.getElementById(code).getBoundingClientRect();
          for (const room of [4, 2, 0]) for (let i = 1; i < 30; i++) for (let j = 1; j < 30; j++) {
            const x = Math.round(box.left + box.width * i / 30);
            const y = Math.round(box.top + box.height * j / 30);
            if ([[0, 0], [room, 0], [-room, 0], [0, room], [0, -room]].every(([a, b]) => at(x + a, y + b)))
              return [x, y];
          }
        }""",
        code,
    )
    return float(found[0]), float(found[1])


def drag(page: Page, *points: tuple[float, float]) -> None:
    page.mouse.move(*points[0])
    page.mouse.down()
    for point in points[1:]:
        page.mouse.move(*point, steps=4)
    page.mouse.up()


def orders(page: Page) -> list[str]:
    drawn = page.locator(".atlas .orders .order")
    return list(drawn.evaluate_all("all => all.map(g => g.getAttribute('class'))"))


def test_an_order_by_two_clicks(sit):
    page = as_france(sit())
    page.mouse.click(*place(page, "par"))
    expect(page.locator("use.choice[data-place=gas]")).to_be_visible()
    expect(page.locator(".say .prompt")).to_have_text("Your order for A Paris:")
    page.mouse.click(*place(page, "gas"))
    expect(page.locator(".order.move.france")).to_have_count(1)


def test_a_place_that_may_mean_two_things_stays_chosen(sit):
    """Also when the server echoes what was begun: Brest is where Paris may go, or whom it helps."""
    page = sit()
    with page.expect_websocket() as line:
        as_france(page)
    with line.value.expect_event("framereceived", lambda shown: '"draft":{' in str(shown)):
        for code in ("par", "bre"):
            page.locator(f"use.choice[data-place={code}]").focus()
            page.keyboard.press("Enter")
        few = page.locator(".prompt [data-option]").count()
    page.wait_for_timeout(200)
    assert page.locator(".prompt [data-option]").count() == few


def test_an_order_by_dragging(sit):
    page = as_france(sit())
    drag(page, place(page, "par"), place(page, "bre"), place(page, "bur"))
    expect(page.locator(".order.move.france")).to_have_count(1)


def order_on_a_slow_line(page: Page, unit: str, to: str) -> None:
    """Give an order that waits on its way until it is released; later ones are not held."""
    hold_first_action(page)
    drag(page, place(page, unit), place(page, to))
    wait_for_held(page)


def test_orders_given_faster_than_the_line_answers_are_all_sent(sit):
    page = as_france(sit())
    order_on_a_slow_line(page, "mar", "spa")
    drag(page, place(page, "par"), place(page, "pic"))
    page.mouse.click(*place(page, "bre"))
    page.mouse.click(*place(page, "pic"))  # both want it: a bounce on purpose
    release_held(page)
    expect(page.locator(".order.move.france")).to_have_count(3)


def test_a_row_of_the_sheet_waits_for_the_answer_as_well(sit):
    page = as_france(sit())
    order_on_a_slow_line(page, "par", "bur")
    page.locator("[data-row=mar]").click()
    page.mouse.click(*place(page, "spa"))
    release_held(page)
    expect(page.locator(".order.move.france")).to_have_count(2)


def test_an_order_by_keys_alone(sit):
    page = as_france(sit())
    page.locator("use.choice[data-place=mar]").focus()
    page.keyboard.press("Enter")
    page.locator("use.choice[data-place=spa]").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".order.move.france")).to_have_count(1)


def test_an_order_by_touch(sit):
    page = as_france(sit("es", "phone"))
    page.touchscreen.tap(*place(page, "bre"))
    expect(page.locator("use.choice[data-place=mao]")).to_be_visible()
    page.touchscreen.tap(*place(page, "mao"))
    expect(page.locator(".order.move.france")).to_have_count(1)


class Fingers:
    """Real touches, as a screen sends them: each by its number."""

    def __init__(self, page: Page):
        self.line = page.context.new_cdp_session(page)
        self.down: dict[int, tuple[float, float]] = {}

    def _tell(self, what: str) -> None:
        points = [{"id": finger, "x": x, "y": y} for finger, (x, y) in self.down.items()]
        self.line.send("Input.dispatchTouchEvent", {"type": what, "touchPoints": points})

    def press(self, at: tuple[float, float], finger: int = 0) -> None:
        self.down[finger] = at
        self._tell("touchStart")

    def draw(self, to: tuple[float, float], finger: int = 0, steps: int = 6) -> None:
        (x, y), (far, deep) = self.down[finger], to
        for i in range(1, steps + 1):
            self.down[finger] = (x + (far - x) * i / steps, y + (deep - y) * i / steps)
            self._tell("touchMove")

    def lift(self, finger: int = 0) -> None:
        del self.down[finger]
        self._tell("touchEnd")

    def lose(self) -> None:
        """The machine takes the touch away: a call, a gesture of its own."""
        self.down.clear()
        self._tell("touchCancel")


def lies(page: Page) -> str:
    """Where the map lies, and how near."""
    return page.locator(".atlas .moving > g").get_attribute("transform") or ""


def test_an_order_by_a_finger_that_is_drawn(sit):
    """The map stays where it is, and the next tap means something."""
    page = as_france(sit("it", "phone"))
    fingers = Fingers(page)
    before = lies(page)
    fingers.press(place(page, "par"))
    fingers.draw(place(page, "bur"))
    expect(page.locator("use.lit[href='#bur']")).to_have_count(1)
    expect(page.locator(".slip")).to_have_count(0)  # nothing is refused before it is asked for
    fingers.lift()
    expect(page.locator(".order.move.france")).to_have_count(1)
    assert lies(page) == before
    page.touchscreen.tap(*place(page, "bre"))
    expect(page.locator("use.choice[data-place=mao]")).to_be_visible()


def test_a_finger_on_the_open_map_moves_it(sit):
    page = as_france(sit("en", "phone"))
    page.get_by_role("button", name="Zoom in").click()
    fingers = Fingers(page)
    before = lies(page)
    fingers.press(place(page, "mun"))
    fingers.draw(place(page, "tyr"))
    fingers.lift()
    assert lies(page) != before
    expect(page.locator(".atlas .order")).to_have_count(0)


def test_a_touch_that_is_taken_away_orders_nothing(sit):
    page = as_france(sit("es", "phone"))
    fingers = Fingers(page)
    fingers.press(place(page, "par"))
    fingers.draw(place(page, "bur"))
    expect(page.locator(".order.move.france")).to_have_count(1)
    fingers.lose()
    expect(page.locator(".atlas .order")).to_have_count(0)
    page.touchscreen.tap(*place(page, "par"))
    expect(page.locator("use.choice[data-place=gas]")).to_be_visible()


def test_two_fingers_scale_the_map_even_if_one_is_on_a_unit(sit):
    page = as_france(sit("en", "phone"))
    fingers = Fingers(page)
    before = lies(page)
    fingers.press(place(page, "par"))
    fingers.draw(place(page, "pic"))
    fingers.press(place(page, "tyr"), finger=1)
    expect(page.locator(".atlas .order")).to_have_count(0)
    fingers.draw(place(page, "bud"), finger=1)
    fingers.lift(1)
    fingers.lift()
    assert lies(page) != before
    expect(page.locator(".atlas .order")).to_have_count(0)


def test_a_drag_that_ends_beside_the_map_orders_nothing(sit):
    page = as_france(sit())
    drag(page, place(page, "par"), place(page, "bur"), (1300, 10))
    expect(page.locator(".atlas .order")).to_have_count(0)


CHANGES = """() => {
  window.changes = [];
  const note = (records) => window.changes.push(...records.map((r) => r.target.nodeName));
  for (const sheet of document.querySelectorAll(".atlas .still"))
    new MutationObserver(note).observe(sheet, {attributes: true, childList: true, subtree: true});
}"""


def test_news_leave_the_still_sheets_of_the_map_alone(sit):
    """They are costly to paint: an order given must not change a thing on them."""
    page = as_france(sit())
    expect(page.locator(".atlas .still")).to_have_count(3)
    page.evaluate(CHANGES)
    order(page, "par bur")
    expect(page.locator(".order.move.france")).to_have_count(1)
    assert page.evaluate("window.changes") == []
    page.get_by_role("button", name="Zoom in").click()
    page.wait_for_function("window.changes.length > 0")  # the test does see changes


# How far the centre of Paris as printed lies from the ring that its owner put around it.
ASTRAY = """() => {
  const mark = document.querySelector(".still #centre-par");
  const place = mark.getAttribute("cx");
  const ring = document.querySelector(`.moving .owned[cx="${place}"]`);
  const middle = (element) => {
    const box = element.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };
  const [[a, b], [c, d]] = [middle(mark), middle(ring)];
  return Math.hypot(a - c, b - d);
}"""


def test_pieces_and_land_stay_together_nearer_and_farther(sit):
    """The still sheets are moved as pictures by wheel and drag, and drawn again at a new scale."""
    page = as_france(sit())
    assert page.evaluate(ASTRAY) < 1
    scale = page.locator(".still.ground > g")
    before = scale.get_attribute("transform")
    page.mouse.move(*place(page, "bur"))
    page.mouse.wheel(0, -500)
    assert page.evaluate(ASTRAY) < 1
    expect(scale).not_to_have_attribute("transform", before or "")
    drawn = scale.get_attribute("transform") or ""
    page.mouse.move(*place(page, "swi"))
    page.mouse.down()
    page.mouse.move(*place(page, "tyr"), steps=5)
    assert page.evaluate(ASTRAY) < 1
    page.mouse.up()
    assert page.evaluate(ASTRAY) < 1
    expect(scale).to_have_attribute("transform", drawn)  # a drag repaints nothing
    page.mouse.click(*place(page, "par"))
    page.mouse.click(*place(page, "gas"))
    expect(page.locator(".order.move.france")).to_have_count(1)


def test_the_past_shows_its_results_even_if_those_of_last_turn_are_put_away(sit):
    page = as_france(sit(settings="{confirm: false}"))
    drawn = page.locator(".atlas .orders .order")
    for _ in range(2):
        turn = page.locator("h1 .phase").inner_text()
        say_ready(page)
        expect(page.locator("h1 .phase")).not_to_have_text(turn)
    expect(drawn.first).to_be_visible()
    page.get_by_role("button", name="Last turn").click()
    expect(drawn).to_have_count(0)
    page.get_by_role("button", name="Previous phase").click()
    expect(page.get_by_text("You are looking at an earlier moment")).to_be_visible()
    expect(drawn.first).to_be_visible()


@pytest.mark.parametrize("lang", ["en", "es", "it"])
def test_names_are_in_the_readers_language(sit, lang):
    page = as_france(sit(lang))
    name = {"en": "Burgundy", "es": "Borgoña", "it": "Borgogna"}[lang]
    expect(page.locator(f".labels[lang={lang}] [data-place=bur]")).to_contain_text(name)
    others = [code for code in ("en", "es", "it") if code != lang]
    for other in others:
        expect(page.locator(f".labels[lang={other}]")).to_be_hidden()


@pytest.mark.parametrize(
    ("lang", "typed", "wrong"),
    [
        ("en", "A Par - Bur; F Bre - MAO", "Mar - Lon"),
        ("es", "E París - Borgoña; F Brest - OAM", "Marsella - Londres"),
        ("it", "A Parigi - Borgogna; F Bre - Atlantico Centrale", "Marsiglia - Londra"),
    ],
)
def test_orders_are_typed_in_every_language(sit, lang, typed, wrong):
    """What is understood is echoed and given; what is not says why, in place, and stays."""
    page = as_france(sit(lang))
    page.keyboard.press("/")
    field = page.locator("#typed-orders")
    expect(field).to_be_focused()
    meaning = page.locator("#typed-meaning")
    page.keyboard.type(field.get_attribute("placeholder") or "")
    expect(meaning.locator(".meant")).to_have_count(2)
    expect(meaning.locator(".unclear")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(field).to_have_value("")  # the example itself was understood and sent
    expect(page.locator(".order.move.france")).to_have_count(2)
    page.keyboard.type(f"{typed}; {wrong}")
    expect(meaning.locator(".meant")).to_have_count(2)
    expect(meaning.locator(".unclear")).to_contain_text("D-")
    page.keyboard.press("Enter")
    expect(field).to_have_value(wrong)
    expect(page.locator(".order.move.france")).to_have_count(3)  # Marseilles keeps the example's
    expect(meaning.locator(".unclear")).to_have_count(1)
    meaning.get_by_role("button", name="D-").click()
    expect(page.get_by_role("dialog")).to_contain_text("D-")


def test_what_cannot_be_chosen_says_why_and_by_which_rule(sit):
    page = as_france(sit("es"))
    page.mouse.move(*place(page, "mun"))
    slip = page.locator(".slip")
    expect(slip).to_contain_text("Alemania")
    page.mouse.click(*place(page, "par"))
    expect(page.locator("use.choice[data-place=gas]")).to_be_visible()
    page.mouse.move(*place(page, "mos"))
    expect(slip).to_contain_text("Moscú")
    slip.get_by_role("button", name="D-MOVE-01").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("D-MOVE-01")
    page.keyboard.press("Escape")
    page.mouse.move(*place(page, "gas"))
    expect(slip).to_have_count(0)
    page.mouse.click(*place(page, "gas"))
    expect(page.locator(".order.move.france")).to_have_count(1)


def test_a_click_on_what_cannot_be_chosen_says_why_at_once_on_a_phone(sit):
    page = as_france(sit("it", "phone"))
    page.touchscreen.tap(*place(page, "mos"))
    expect(page.locator(".slip")).to_contain_text("Mosca")


def test_plans_are_drawn_in_pencil_and_sent_with_a_letter(sit):
    page = as_france(sit())
    page.get_by_role("button", name="Sketch").click()
    expect(page.get_by_role("radio", name="Support")).to_be_visible()
    drag(page, place(page, "ber"), place(page, "mun"), place(page, "sil"))
    drawn = page.locator(".pencil .order")
    expect(drawn).to_have_count(1)
    page.get_by_role("radio", name="Support").click()
    for code in ("mun", "ber", "sil"):  # by keyboard
        page.locator(f"use.choice[data-place={code}]").focus()
        page.keyboard.press("Enter")
    expect(drawn).to_have_count(2)
    expect(page.locator(".pencil .order.support.germany")).to_have_count(1)
    page.get_by_role("button", name="Erase the last line").click()
    expect(drawn).to_have_count(1)
    page.get_by_role("button", name="Send with a letter").click()
    expect(page.get_by_text("1 sketched order goes with your next letter")).to_be_visible()
    page.get_by_label("Write here").fill("What about this?")
    page.keyboard.press("Enter")
    sketch = page.get_by_role("button", name="Sketch of 1 order")
    expect(sketch).to_contain_text("A ber - sil")
    expect(drawn).to_have_count(0)
    sketch.click()
    expect(page.locator(".pencil .order.move.germany")).to_have_count(1)
    watcher = sit(at=page.url)  # who watches reads what is said to all, and can lay it on the map
    watcher.get_by_role("tab", name="Letters").click()
    watcher.get_by_role("button", name="Everyone").click()
    watcher.get_by_role("button", name="Sketch of 1 order").click()
    expect(watcher.locator(".pencil .order.move.germany")).to_have_count(1)


def test_the_lesson_is_walked_to_its_end(sit):
    """Each step waits for what it says; the teacher points at it on the map."""
    page = sit(at="/learn/diplomacy", settings="{confirm: false}")
    page.get_by_role("button", name="Start the lesson").click()
    lesson = page.get_by_role("region", name="Lesson")
    expect(page.locator(".atlas .units .unit")).to_have_count(22)

    def step(name: str) -> None:
        expect(page.locator(f".lesson[data-step='lesson.diplomacy.{name}']")).to_be_visible()

    def on() -> None:
        lesson.locator(".button.first").click()

    step("welcome")
    on()
    step("units")
    expect(page.locator("use.lit")).to_have_count(3)
    on()
    for name, clicks in (("move", "par bur"), ("support", "mar par bur"), ("fleet", "bre mao")):
        step(name)
        order(page, clicks)
    step("ready")
    ready = page.locator(".prompt [data-option=ready]")
    say_ready(page)
    for name in ("results", "talk"):
        step(name)
        on()
    seen = set()
    for _ in range(8):
        box = page.locator(".lesson")
        expect(ready.or_(page.locator(".lesson[data-step$='.end']")).first).to_be_visible()
        seen.add(box.get_attribute("data-step"))
        if box.get_attribute("data-step") == "lesson.diplomacy.end":
            break
        turn = page.locator("h1 .phase").inner_text()
        say_ready(page)
        expect(page.locator("h1 .phase")).not_to_have_text(turn)
    assert "lesson.diplomacy.autumn" in seen
    step("end")
    on()
    expect(lesson).to_have_count(0)


def say_ready(page: Page) -> None:
    page.locator(".prompt [data-option=ready]").click()
    page.locator("[data-confirm]").click()


def order(page: Page, clicks: str) -> None:
    """Give an order by clicking places: whose, and where to; a support names two."""
    first, *rest = clicks.split()
    page.mouse.click(*place(page, first))
    if len(rest) == 2:
        page.locator(".prompt [data-option$=' S']").click()
    for code in rest:
        expect(page.locator(f"use.choice[data-place={code}]")).to_be_visible()
        page.mouse.click(*place(page, code))


def test_a_whole_game_with_bots(sit):
    """France is always ready at once; what came of each turn is drawn; the game ends in 1902."""
    page = as_france(sit(settings="{confirm: false}"), options={"last_year": 1902})
    ready = page.locator(".prompt [data-option=ready]")
    over = page.get_by_role("heading", name="The game is over").or_(page.locator(".outcome"))
    for _ in range(14):
        expect(ready.or_(over).first).to_be_visible()
        if over.count():
            break
        turn = page.locator("h1 .phase").inner_text()
        say_ready(page)
        expect(page.locator("h1 .phase")).not_to_have_text(turn)
    expect(over.first).to_be_visible()
    assert orders(page), "what came of the last turn is drawn"
    page.get_by_role("button", name="Centres over the years").click()
    chart = page.get_by_role("dialog", name="Centres over the years")
    expect(chart.get_by_role("columnheader")).to_have_text(["1900", "1901", "1902"])
    expect(chart.get_by_role("row", name="Austria 3")).to_be_visible()
    expect(chart.locator(".curve")).to_have_count(7)


def test_a_click_on_a_province_with_two_coasts_asks_which_one(sit):
    page = as_france(sit(settings="{confirm: false}"))
    order(page, "bre mao")
    say_ready(page)
    expect(page.locator("h1 .phase")).to_contain_text("Fall")
    page.mouse.click(*place(page, "mao"))
    page.mouse.click(*place(page, "spa"))
    page.locator(".prompt [data-option='spa/sc']").click()
    expect(page.locator(".order.move.france")).to_have_count(1)
    expect(page.locator("[data-row=mao]")).to_contain_text("Spain (south coast)")
