"""Being ready and voting: nothing ends by accident, and nobody is locked in."""

import re

from playwright.sync_api import Page, expect

from tests.browser.boards.test_board_diplomacy import as_france, order, say_ready

TWO = """async () => {
  const headers = {"Content-Type": "application/json", "X-Powderkeg": "1"};
  await fetch("/api/guests", {method: "POST", headers, body: JSON.stringify({name: "Ana"})});
  const bots = ["AUSTRIA", "GERMANY", "ITALY", "RUSSIA", "TURKEY"];
  const seats = [{seat: "FRANCE", kind: "me"}, {seat: "ENGLAND", kind: "open"},
    ...bots.map((seat) => ({seat, kind: "bot", level: "random"}))];
  const body = JSON.stringify({game: "diplomacy", players: 7, seats});
  return await (await fetch("/api/tables", {method: "POST", headers, body})).json();
}"""
JOIN = """async (made) => {
  const headers = {"Content-Type": "application/json", "X-Powderkeg": "1"};
  await fetch("/api/guests", {method: "POST", headers, body: JSON.stringify({name: "Ben"})});
  const body = JSON.stringify({invite: made.invite});
  await fetch(`/api/tables/${made.id}/join`, {method: "POST", headers, body});
}"""
START = """(id) => fetch(`/api/tables/${id}/start`,
  {method: "POST", headers: {"X-Powderkeg": "1"}}).then((answer) => answer.status)"""


def two_people(sit) -> tuple[Page, Page]:
    ana, ben = sit(settings="{confirm: false}"), sit(settings="{confirm: false}")
    made = ana.evaluate(TWO)
    ben.evaluate(JOIN, made)
    assert ana.evaluate(START, made["id"]) == 200
    for page in (ana, ben):
        page.goto(f"/t/{made['id']}")
        expect(page.locator(".atlas .units .unit")).to_have_count(22)
    return ana, ben


def test_a_ready_player_reads_the_orders_and_takes_it_back_while_another_writes(sit):
    ana, ben = two_people(sit)
    order(ana, "par bur")
    ana.locator(".prompt [data-option=ready]").click()
    notes = ana.get_by_role("list", name="Before you confirm")
    expect(notes).to_contain_text("No orders for A Marseilles and F Brest. They hold.")
    ana.locator("[data-confirm]").click()
    expect(ana.locator(".prompt [data-option=revise]")).to_be_visible()
    expect(ana.locator("[data-undo]")).to_have_count(0)  # one way back is enough
    expect(ana.get_by_text("A Paris \N{EN DASH} Burgundy").first).to_be_visible()
    expect(ana.locator(".order.move.france")).to_have_count(1)
    order(ben, "lon nth")
    expect(ben.locator(".order.move.england")).to_have_count(1)
    ana.locator(".prompt [data-option=revise]").click()
    expect(ana.locator(".prompt [data-option=ready]")).to_be_visible()
    order(ana, "bre mao")
    expect(ana.locator(".order.move.france")).to_have_count(2)
    phase = ana.locator("h1 .phase").inner_text()
    say_ready(ana)
    say_ready(ben)
    expect(ana.locator("h1 .phase")).not_to_have_text(phase)


def test_one_click_never_ends_a_game_and_bots_vote(sit):
    page = as_france(sit())
    page.get_by_role("tab", name="Proposals").click()
    page.get_by_label("Propose", exact=True).select_option("draw")
    page.get_by_role("button", name="Propose this").click()
    expect(page.get_by_text("This ends the game if these agree: Austria, England")).to_be_visible()
    page.get_by_role("button", name="Yes, ask them").click()
    expect(page.get_by_text("Voted down")).to_be_visible()  # without unfolding anything
    expect(page.get_by_role("region", name="Result")).to_have_count(0)


def test_number_keys_never_send_what_cannot_be_taken_back(sit):
    page = as_france(sit(settings="{confirm: false}"))
    for key in "123456789":
        page.keyboard.press(key)
    expect(page.locator("[data-confirm]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".prompt [data-option=ready]")).to_be_visible()
    order(page, "par bur")
    expect(page.locator(".order.move.france")).to_have_count(1)


def test_the_tab_marks_my_turn_only_and_a_ready_player_reminds_the_others(sit):
    ana, ben = two_people(sit)
    expect(ana).to_have_title(re.compile("^● France"))
    say_ready(ana)
    expect(ana).to_have_title(re.compile("^France"))
    ana.get_by_role("button", name="This table").click()
    expect(ana.get_by_role("button", name="Send a polite reminder")).to_be_visible()
    ben.get_by_role("button", name="This table").click()
    expect(ben.get_by_role("button", name="Send a polite reminder")).to_have_count(0)


def test_what_is_confirmed_stands_beside_no_undo(sit):
    page = as_france(sit(settings="{confirm: false}"))
    order(page, "par bur")
    expect(page.locator("[data-undo]")).to_be_visible()
    page.locator(".prompt [data-option=ready]").click()
    expect(page.locator("[data-confirm]")).to_be_visible()
    expect(page.locator("[data-undo]")).to_have_count(0)


def test_a_paused_table_says_so_once_and_asks_only_who_has_not_agreed(sit):
    ana, ben = two_people(sit)
    for page in (ana, ben):
        page.get_by_role("tab", name="Proposals").click()
    ana.get_by_label("Propose", exact=True).select_option("pause")
    ana.get_by_role("button", name="Propose this").click()
    ben.get_by_role("button", name="Agree").click()
    for page in (ana, ben):
        said = page.locator(".play :is(.bar, .people)").get_by_text(
            re.compile("paused", re.IGNORECASE)
        )
        expect(said).to_have_count(1)
    ana.get_by_role("button", name="Ask to continue").click()
    expect(ana.get_by_text("not everyone has voted yet")).to_be_visible()
    expect(ana.get_by_role("button", name="Ask to continue")).to_have_count(0)
    expect(ben.get_by_role("button", name="Ask to continue")).to_have_count(0)
    ben.get_by_role("button", name="Keep playing").click()
    expect(ana.locator(".prompt [data-option=ready]")).to_be_visible()
