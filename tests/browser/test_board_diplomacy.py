"""Diplomacy on its map: orders by click, by drag, by key and by touch; results; a whole game."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

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
    expect(page.locator("svg.atlas .units .unit")).to_have_count(22)
    return page


def place(page: Page, code: str) -> tuple[float, float]:
    """A point on the screen inside a province: where its unit would stand."""
    found = page.evaluate(
        """(code) => {
          const box = document.getElementById(code).getBoundingClientRect();
          for (let i = 1; i < 30; i++) for (let j = 1; j < 30; j++) {
            const x = box.left + box.width * i / 30, y = box.top + box.height * j / 30;
            const hit = document.elementsFromPoint(x, y).find((e) => e.dataset?.place || e.id.length === 3);
            if ((hit?.dataset?.place ?? hit?.id) === code) return [x, y];
          }
        }""",
        code,
    )
    return float(found[0]), float(found[1])


def orders(page: Page) -> list[str]:
    drawn = page.locator("svg.atlas .orders .order")
    return list(drawn.evaluate_all("all => all.map(g => g.getAttribute('class'))"))


def test_an_order_by_two_clicks(sit):
    page = as_france(sit())
    page.mouse.click(*place(page, "par"))
    expect(page.locator("use.choice[data-place=gas]")).to_be_visible()
    page.mouse.click(*place(page, "gas"))
    expect(page.locator(".order.move.france")).to_have_count(1)


def test_an_order_by_dragging(sit):
    page = as_france(sit())
    page.mouse.move(*place(page, "par"))
    page.mouse.down()
    page.mouse.move(*place(page, "bre"), steps=4)
    page.mouse.move(*place(page, "bur"), steps=4)
    page.mouse.up()
    expect(page.locator(".order.move.france")).to_have_count(1)


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


@pytest.mark.parametrize("lang", ["en", "es", "it"])
def test_names_are_in_the_readers_language(sit, lang):
    page = as_france(sit(lang))
    name = {"en": "Burgundy", "es": "Borgoña", "it": "Borgogna"}[lang]
    expect(page.locator(f".labels[lang={lang}] [data-place=bur]")).to_contain_text(name)
    others = [code for code in ("en", "es", "it") if code != lang]
    for other in others:
        expect(page.locator(f".labels[lang={other}]")).to_be_hidden()


def test_a_whole_game_with_bots(sit):
    """France is always ready at once; what came of each turn is drawn; the game ends in 1902."""
    page = as_france(sit(settings="{confirm: false}"), options={"last_year": 1902})
    ready = page.locator(".prompt").get_by_role("button", name="ready", exact=False)
    over = page.get_by_role("heading", name="The game is over").or_(page.locator(".outcome"))
    for _ in range(14):
        expect(ready.or_(over).first).to_be_visible(timeout=60_000)
        if over.count():
            break
        turn = page.locator("h1 .phase").inner_text()
        ready.first.click()
        expect(page.locator("h1 .phase")).not_to_have_text(turn, timeout=60_000)
    expect(over.first).to_be_visible()
    assert orders(page), "what came of the last turn is drawn"
