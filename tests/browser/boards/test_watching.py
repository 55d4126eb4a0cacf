"""A game one watches: what others do is shown step by step, and nobody has to wait for it."""

import json
import random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from powderkeg.games import risk_europe
from tests.browser.axe import axe
from tests.browser.boards.still import boxes_seen, watch_board
from tests.browser.boards.test_board_risk_europe import anchors, bid, choices, new_table, screen
from tests.browser.boards.test_board_versailles import new_table as new_conference
from tests.browser.fast_forward import send_answer
from tests.server.visiting import until

SLOW = "{pace: 'slow', confirm: false}"  # chosen by name: it holds although these readers want no motion


# Whether two steps are still to come; if so, the show is stopped at once.
PAUSE = """() => {
    const left = Number(document.querySelector("[data-skip] .number")?.textContent ?? 0);
    if (left > 1) document.querySelectorAll(".watch button")[1].click();
    return left > 1;
}"""


def watching(page: Page) -> None:
    """Others act after me, and the page shows what they do. It waits at a step, with more to come."""
    new_table(page, 4)
    bid(page)
    table, rng = page.url.rpartition("/")[2], random.Random(3)
    for _ in range(6000):
        if page.evaluate(PAUSE):
            return
        now = table_of(page)
        if is_my_turn(now):
            state = risk_europe.deal(now["view"], rng)
            text = str(risk_europe.legal(state, now["seat"]).sample(rng))
            send_answer(page, table, now["question"]["id"], text)
        page.wait_for_timeout(50)
    raise AssertionError("nothing was shown")


def table_of(page: Page) -> Any:
    return page.request.get(f"/api/tables/{page.url.rpartition('/')[2]}").json()


def is_my_turn(table: Any) -> bool:
    return table["seat"] in table["to_act"]


def test_what_others_do_comes_step_by_step_and_the_reader_turns_the_pages(sit):
    page = sit(settings=SLOW)
    watching(page)
    step = page.locator(".prompt [data-step]")
    expect(page.get_by_role("button", name="Continue")).to_be_visible()
    first = int(step.get_attribute("data-step") or -1)
    page.get_by_role("button", name="Next step").click()
    expect(step).not_to_have_attribute("data-step", str(first))
    second = int(step.get_attribute("data-step") or -1)
    assert second > first
    seen = page.locator(".log .entry").count()  # the log tells no more than the board
    page.get_by_role("button", name="Previous step").click()
    expect(step).to_have_attribute("data-step", str(first))
    page.locator("[data-skip]").click()
    expect(page.locator("[data-skip]")).to_have_count(0)
    expect(page.locator(".log .entry").nth(seen)).to_be_attached()


def test_a_key_skips_to_now(sit):
    page = sit("es", settings=SLOW)
    watching(page)
    page.locator("body").press("Escape")
    expect(page.locator("[data-skip]")).to_have_count(0)


def test_a_click_on_the_board_skips_to_now_and_answers_nothing(sit):
    page = sit(settings=SLOW)
    new_table(page, 2)
    table = page.url.rpartition("/")[2]
    page.goto("/healthz")
    play_on(page, table, lambda now: is_my_turn(now) and now["seq"] > 30 and names_places(now))
    page.goto(f"/t/{table}")
    x, y = screen(page, choices(page).first.get_attribute("data-place") or "")
    page.locator("[data-since]").click()
    page.get_by_role("button", name="Pause").click()
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y + 30)
    page.mouse.up()
    expect(page.locator("[data-skip]")).to_have_count(1)  # who moves the map goes on watching
    page.mouse.click(x, y)
    expect(page.locator("[data-skip]")).to_have_count(0)
    seq = table_of(page)["seq"]
    expect(page.locator("[data-back], [data-confirm]")).to_have_count(0)
    page.mouse.click(x, y)  # the same click, now that the question is there
    chosen = page.locator("[data-back], [data-confirm]")
    until(lambda: chosen.count() > 0 or table_of(page)["seq"] > seq)


def names_places(table: Any) -> bool:
    """Whether an answer can begin on the map."""
    asked = json.dumps(table["question"]["node"])
    return any(f'"target": "{place}"' in asked for place in anchors())


def test_since_your_last_turn_is_shown_again(sit):
    page = sit(settings=SLOW)
    watching(page)
    page.locator("[data-skip]").click()
    until(lambda: is_my_turn(table_of(page)))  # the others have acted
    page.locator("[data-since]").click()
    page.locator("[data-skip]").wait_for()
    page.locator("body").press("ArrowLeft")  # stays at the first step, and waits there
    expect(page.get_by_role("button", name="Continue")).to_be_visible()
    assert axe(page) == []
    page.locator("body").press("Escape")
    expect(page.locator("[data-skip]")).to_have_count(0)


def test_readers_who_want_no_motion_or_no_steps_see_everything_at_once(sit):
    page = sit()
    new_table(page, 4)
    bid(page)
    expect(page.locator(".atlas use.choice, .log .entry").first).to_be_visible()
    expect(page.locator("[data-skip]")).to_have_count(0)
    page.goto("/settings")
    expect(page.get_by_label("Other players")).to_have_value("off")


def play_on(page: Page, table: str, is_enough: Any) -> None:
    """Answer through the API, at random, until it is enough."""
    rng = random.Random(4)
    for _ in range(4000):
        now = page.request.get(f"/api/tables/{table}?text=0").json()
        if is_enough(now):
            return
        if is_my_turn(now):
            state = risk_europe.deal(now["view"], rng)
            text = str(risk_europe.legal(state, now["seat"]).sample(rng))
            send_answer(page, table, now["question"]["id"], text)
    raise AssertionError("it never came")


def scenes_of(page: Page, table: str, seq: int) -> list[Any]:
    found: list[Any] = page.request.get(f"/api/tables/{table}/at/{seq}/scenes").json()["scenes"]
    return found


@pytest.mark.parametrize("size", ["desk", "phone"])
def test_the_battles_of_the_round_are_there_while_cards_are_picked(sit, size):
    page = sit(size=size)
    new_table(page, 4)
    table = page.url.rpartition("/")[2]
    page.goto("/healthz")

    def fought(now: Any) -> bool:
        picking = now["view"]["stage"] == "cards" and is_my_turn(now)
        shown = scenes_of(page, table, now["seq"]) if picking else []
        return any(scene["kind"] == "battle" and len(scene["beats"]) > 1 for scene in shown)

    play_on(page, table, fought)
    page.goto(f"/t/{table}")
    stage = page.locator("[data-theatre]")
    stage.wait_for()
    now = table_of(page)
    shown = scenes_of(page, table, now["seq"])
    expect(stage.locator("[data-scene]")).to_have_count(len(shown))
    last = stage.locator("[data-scene]").last
    expect(last.locator("[data-beat]")).to_have_count(len(shown[-1]["beats"]))
    rolled = sum(len(side["dice"]) for beat in shown[-1]["beats"] for side in beat["sides"])
    expect(last.locator("svg.die")).to_have_count(rolled)
    expect(page.locator("[data-card]").first).to_be_attached()
    assert axe(page) == []


@pytest.mark.parametrize(("lang", "title"), [("en", "Score pad"), ("it", "Foglio segnapunti")])
def test_the_score_pad_is_open_during_the_game(sit, lang, title):
    page = sit(lang)
    new_conference(page, 3)
    page.locator("[data-target]").first.wait_for()
    page.get_by_role("button", name=title).click()
    pad = page.get_by_role("dialog", name=title)
    expect(pad).to_be_visible()
    assert axe(page) == []


# Dice of a battle that is not over.
FOUGHT = ".desk .fought [data-beat] svg.die"


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (820, 1180)])
def test_the_dice_of_a_battle_that_is_watched_are_in_sight(sit, width, height):
    page = sit(settings=SLOW)
    page.set_viewport_size({"width": width, "height": height})
    new_table(page, 4)
    table = page.url.rpartition("/")[2]
    page.goto("/healthz")

    def fought(now: Any) -> bool:
        picking = now["view"]["stage"] == "cards" and is_my_turn(now)
        shown = scenes_of(page, table, now["seq"]) if picking else []
        return any(len(scene["beats"]) > 2 for scene in shown)

    play_on(page, table, fought)
    page.goto(f"/t/{table}")
    page.locator("[data-since]").click()
    page.get_by_role("button", name="Pause").click()
    watch_board(page, ".atlas svg.moving")
    step = page.locator(".prompt [data-step]")
    for _ in range(200):
        if page.locator(FOUGHT).count():
            break
        at = step.get_attribute("data-step") or ""
        page.get_by_role("button", name="Next step").click()
        expect(step).not_to_have_attribute("data-step", at)
    expect(page.locator(FOUGHT).last).to_be_in_viewport(ratio=1)
    assert len(boxes_seen(page)) == 1
