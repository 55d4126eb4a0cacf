"""The board of Risk Europe: played by mouse, by keyboard, by touch, and to the end."""

import json
import time
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from powderkeg.core.chance import Audited
from powderkeg.core.record import make_record, write_record
from powderkeg.core.table import Table
from powderkeg.games import risk_europe
from tests.browser.axe import axe
from tests.browser.boards.answers import expect_answer
from tests.browser.boards.keys import press_there, tab_to
from tests.browser.boards.still import boxes_seen, watch_board
from tests.browser.boards.test_map_room import LETTERS
from tests.browser.decisions.moments import Moment, open_moment

ROOT = Path(__file__).parents[3]
ANCHORS = ROOT / "src" / "powderkeg" / "games" / "risk_europe" / "data" / "anchors.json"
HEAD = {"X-Powderkeg": "1"}


def new_table(page: Page, players: int = 2, **options: Any) -> None:
    """Blue is mine; bots that play at random have the rest."""
    page.request.post("/api/guests", data={}, headers=HEAD)
    seats = ("blue", "orange", "green", "purple")[:players]
    chairs = [{"seat": seat, "kind": "me"} if seat == "blue" else bot(seat) for seat in seats]
    wanted = {"game": "risk_europe", "players": players, "options": options, "seats": chairs}
    made = page.request.post("/api/tables", data={**wanted, "start": True}, headers=HEAD).json()
    page.goto(f"/t/{made['id']}")
    page.locator(".atlas").wait_for()


def bot(seat: str) -> dict[str, str]:
    return {"seat": seat, "kind": "bot", "level": "random"}


def choices(page: Page) -> Locator:
    """The territories that are lit."""
    return page.locator(".atlas use.choice")


@cache
def anchors() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(ANCHORS.read_text(encoding="utf-8"))["territories"]
    return found


def screen(page: Page, place: str) -> tuple[float, float]:
    """Where the army of a territory stands on the screen: surely inside its borders."""
    x, y = anchors()[place]["stack"]
    at = page.locator(f"use.choice[data-place={place}]").evaluate(
        "(e, [x, y]) => { const p = new DOMPoint(x, y).matrixTransform(e.getScreenCTM());"
        " return [p.x, p.y]; }",
        [x, y],
    )
    return at[0], at[1]


def offered(page: Page) -> list[str]:
    """The cities in which the question lets me settle."""
    table = page.request.get(f"/api/tables/{page.url.rpartition('/')[2]}").json()
    (settle,) = table["question"]["node"]["options"]
    return [option["target"] for option in settle["then"]["options"]]


def confirm(page: Page) -> None:
    with expect_answer(page):
        page.locator("[data-confirm]").click()


def bid(page: Page) -> None:
    """A slider and its button are choice and confirmation in one."""
    page.locator("[data-amount]").fill("5")
    with expect_answer(page):
        page.locator(".desk [data-settle]").click()


# One step of a player who clicks at random on what the board offers; the prompt bar only where
# the board has nothing to click. It stops, with nothing clicked, where `goal` is on the screen.
STEP = """
(goal) => {
  const seen = (s) => [...document.querySelectorAll(s)]
    .filter((e) => !e.disabled && e.getClientRects().length);
  const any = (list) => list[Math.floor(Math.random() * list.length)];
  if (goal && seen(goal).length) return 'reached';
  if (document.querySelector('.outcome')) return 'over';
  // What is already answered may be changed until all have: let it be.
  if (/(may|can) (still )?change/.test(document.querySelector('.say')?.textContent)) return 'wait';
  const press = (e) => (e.click
    ? e.click()
    : e.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true })));
  const confirm = seen('[data-confirm]')[0];
  if (confirm) { press(confirm); return 'confirm'; }
  const tokens = seen('[data-token][aria-pressed=false]');
  const all = seen('[data-all]')[0];
  if (all) press(all);
  return new Promise((resolve) => setTimeout(() => {
    if (goal && seen(goal).length) return resolve('reached');
    const settle = seen('.desk [data-settle]')[0];
    if (settle) { press(settle); return resolve('settle'); }
    if (tokens.length) { press(any(tokens)); return resolve('token'); }
    const board = seen('use.choice, [data-card], .desk [data-order], [data-ware], [data-mission]');
    const bar = seen('[data-option]');
    // The bar points at the board, which may still roll dice; it must not stay so.
    if (seen('.prompt [data-list]').length && !board.length) return resolve('wait');
    const narrow = bar.filter((b) => !['buy', 'build', 'fortify'].includes(b.dataset.option));
    const chosen = board.length && Math.random() < 0.7 ? any(board) : any(narrow.length ? narrow : bar);
    if (!chosen) return resolve('wait');
    press(chosen);
    resolve(chosen.dataset.option ?? 'board');
  }, 0));
}
"""


PATIENCE = 600.0  # seconds for which others may think; nothing here measures time


def play(page: Page, goal: str = "") -> dict[str, int]:
    """Play until the game is over or the goal is on the screen; counts what was clicked."""
    done: dict[str, int] = {}
    last = time.monotonic()
    while time.monotonic() - last < PATIENCE:
        did = page.evaluate(STEP, goal)
        done[did] = done.get(did, 0) + 1
        if did in ("reached", "over"):
            return done
        if did in ("wait", "confirm", "settle"):
            page.wait_for_timeout(25)
        if did != "wait":
            last = time.monotonic()
    pytest.fail(f"nothing more can be done: {done} {page.locator('.bar').inner_text()}")


def until(page: Page, goal: str) -> None:
    assert "reached" in play(page, goal)


def test_the_map_is_lit_and_a_click_settles(sit):
    page = sit()
    page.set_viewport_size({"width": 820, "height": 1180})
    new_table(page)
    expect(page.locator(".desk [data-settle]")).to_be_in_viewport(ratio=1)  # below the map
    page.set_viewport_size({"width": 1440, "height": 900})
    bid(page)
    choices(page).first.wait_for()
    expect(page.locator(".bar").get_by_text("Choose on the board")).to_be_visible()
    lit = [c.get_attribute("data-place") or "" for c in choices(page).all()]
    assert sorted(lit) == sorted(offered(page))
    reminder = page.get_by_role("region", name="City bonuses")  # as in the box
    expect(reminder.locator("li")).to_have_count(8)
    page.mouse.move(*screen(page, "france"))
    expect(page.locator("[data-bonus]")).to_contain_text("Paris")
    place = lit[0]
    page.mouse.click(*screen(page, place))
    expect(page.get_by_role("list", name="Chosen so far")).to_be_visible()
    confirm(page)
    expect(page.locator("#washes use.wash.blue")).not_to_have_count(0)


# What a player by keys presses next, the first that is offered.
WAYS = ("[data-confirm]", ".desk [data-settle]", ".desk [data-all]", "use.choice", "[data-option]")
OFFERED = """(ways) => ways.find((css) => [...document.querySelectorAll(css)]
  .some((e) => !e.disabled && e.getClientRects().length))"""


def play_by_keys(page: Page, goal: str) -> None:
    """Answer whatever is asked, by keys, until the goal is on the screen."""
    for _ in range(40):
        way = page.wait_for_function(OFFERED, arg=[goal, *WAYS]).json_value()
        if way == goal:
            return
        sends = way in WAYS[:2]
        with expect_answer(page) if sends else nullcontext():
            press_there(page, f"{way}:not(:disabled)")
    raise AssertionError(f"{goal} never came")


def test_a_round_is_played_by_keys_alone(sit):
    page = sit("es")
    new_table(page, 4)  # fewer hire mercenaries between
    watch_board(page, ".atlas svg.moving")
    tab_to(page, "[data-amount]")
    page.keyboard.press("ArrowRight")
    press_there(page, ".desk [data-settle]")
    play_by_keys(page, "button[data-card]")  # the kingdom
    for card in ("tax", "split"):
        press_there(page, f"button[data-card={card}]:not([aria-pressed=true])")
    press_there(page, "[data-confirm]")
    for order, then in (
        ("tax", ".desk [data-order=split]:enabled"),
        ("split", "button[data-card]"),
    ):
        press_there(page, f".desk [data-order={order}]:enabled")
        play_by_keys(page, then)
    assert len(boxes_seen(page)) == 1  # the map never moved


def test_a_bid_stands_while_others_bid_until_it_is_changed(sit):
    table = Table(risk_europe, 3, source=Audited(b"5eed" * 8))
    table.act("blue", "bid 3")
    file = write_record(make_record(table))
    page = sit()
    page.request.post("/api/guests", data={}, headers=HEAD)
    open_moment(page, Moment("a bid", file, 1))
    page.locator(".neighbours button").filter(has_text="Blue").click()
    expect(page.locator(".bar .say")).to_contain_text("You bid 3 coins")
    slider, settle = page.locator(".desk [data-amount]"), page.locator(".desk [data-settle]")
    expect(slider).to_have_value("3")
    expect(page.get_by_role("region", name="Sealed bids")).to_contain_text("3 coins")
    expect(settle).to_have_count(0)  # nothing to confirm
    expect(page.locator(".bar").get_by_text("Choose on the board")).to_have_count(0)
    slider.fill("4")
    with expect_answer(page):
        settle.click()
    expect(page.locator(".bar .say")).to_contain_text("You bid 4 coins")
    expect(settle).to_have_count(0)


def test_two_cards_are_placed_face_down_in_order(sit):
    page = sit()
    page.set_viewport_size({"width": 1366, "height": 768})
    new_table(page, 3)
    names = page.evaluate(LETTERS)
    assert len(names) == 49 + 15  # territories and cities
    assert [(name, size) for name, size in names if size < 9] == []
    until(page, "button[data-card]")
    cards = page.get_by_role("region", name="King's Orders")
    expect(cards.locator(".slot")).to_have_count(10)
    for slot in cards.locator(".slot").all():  # on a laptop all of them are seen at once
        expect(slot).to_be_in_viewport(ratio=1)
    cards.locator("[data-card=tax]").first.click()
    cards.locator("[data-card=split]").first.click()
    expect(cards.locator(".slot .turn")).to_have_text(["1", "2"])
    confirm(page)
    spend = ".desk [data-order=spend]:enabled"
    until(page, spend)
    page.locator(spend).click()
    confirm(page)
    expect(page.locator("[data-ware]")).to_have_count(6)
    for shown in (page.locator("[data-ware]"), cards.locator(".slot")):
        expect(shown.last).to_be_in_viewport(ratio=1)


def test_the_card_in_play_lies_beside_its_orders(sit):
    page = sit()
    new_table(page)
    until(page, ".desk [data-order]")
    card = page.locator(".paper.writ .doc [role=img]").bounding_box()
    orders = page.locator(".paper.writ > .orders").bounding_box()
    assert card
    assert orders
    assert 60 < card["width"] < card["height"] < 2 * card["width"]
    assert card["x"] + card["width"] < orders["x"]
    expect(page.locator(".prompt .term")).to_have_count(0)  # orders are no links beside buttons


def test_a_phone_is_enough(sit):
    page = sit("it", "phone")
    new_table(page, 4)
    watch_board(page, ".atlas svg.moving")
    slider = page.locator(".desk [data-settle]")
    for both in (slider, page.locator(".atlas")):
        expect(both).to_be_in_viewport(ratio=1)
    slider.tap()
    choices(page).first.wait_for()
    place = choices(page).first.get_attribute("data-place")
    page.touchscreen.tap(*screen(page, place))
    expect(page.locator("[data-confirm]")).to_be_visible()
    until(page, "button[data-card]")
    for card in ("tax", "split"):
        page.locator(f"button[data-card={card}]").first.tap()
    confirm(page)
    until(page, "button[data-card]")  # of the next round
    assert len(boxes_seen(page)) == 1  # nothing scrolled by itself
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0


def test_axe_finds_nothing_on_the_board(sit):
    page = sit(settings="{theme: 'day'}")
    new_table(page, 3, missions=True)
    until(page, "button[data-card]")
    assert axe(page) == []
    page.evaluate("document.documentElement.dataset.theme = 'lamp'")
    assert axe(page) == []


def test_a_lesson_leaves_the_players_their_room_in_a_narrow_window(sit):
    page = sit(at="/learn/risk_europe")
    page.set_viewport_size({"width": 1000, "height": 700})
    page.get_by_role("button", name="Start the lesson").click()
    page.locator(".teacher .lesson").wait_for()
    assert page.locator(".people").evaluate("(list) => list.scrollHeight <= list.clientHeight")


# The step of a lesson, and whether a button leads on from it: read at once, for others act.
TEACHER = "(box) => [box.dataset.step, box.querySelector('.button.first') !== null]"


def test_the_lesson_is_walked_to_its_end(sit):
    page = sit(at="/learn/risk_europe")
    page.get_by_role("button", name="Start the lesson").click()
    lesson = page.locator(".lesson")
    lesson.wait_for()
    steps = []
    while not steps or steps[-1] != "end":
        code, leads_on = lesson.evaluate(TEACHER)
        step = code.rpartition(".")[2]
        steps.append(step)
        if leads_on:
            lesson.locator(".button.first").click()
        else:
            obey(page, step)
            until(page, f".lesson:not([data-step$='.{step}'])")
    assert len(steps) == len(set(steps))
    assert {"cards", "tax", "expand", "spend", "shop", "attack"} <= set(steps)
    expect(lesson).to_have_count(0)


def obey(page: Page, step: str) -> None:
    """Do what the teacher says, where it is a certain card or order."""
    cards = {"cards": ("tax", "split"), "cards_again": ("tax", "fortify")}.get(step, ())
    for card in cards:
        page.locator(f"button[data-card={card}]").first.click()
    order = {"tax": "tax", "expand": "split", "spend": "spend"}.get(step, "")
    if order:
        page.locator(f"[data-order={order}]").click()
    if cards or order:
        confirm(page)


@pytest.mark.parametrize(
    ("players", "options"), [(2, {"rounds": 2}), (3, {"rounds": 1, "missions": True})]
)
def test_a_whole_game_is_played_through_the_screen(sit, players, options):
    page = sit()
    new_table(page, players, **options)
    watch_board(page, ".atlas svg.moving")
    done = play(page)
    assert "over" in done
    assert len(boxes_seen(page)) == 1  # the map never moved
    expect(page.get_by_role("region", name="Result")).to_be_visible()
    assert done.get("board", 0) > 3
    page.get_by_role("button", name="Supply lines").click()
    expect(page.locator(".supply-line").first).to_be_visible()
