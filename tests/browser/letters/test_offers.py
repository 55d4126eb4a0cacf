"""Offers in the press: put together by clicks, read in the reader's language, answered by people and
bots."""

import re

from playwright.sync_api import expect

from tests.browser.axe import axe

MAKE = """async ([open, level]) => {
  const headers = {"Content-Type": "application/json", "X-Powderkeg": "1"};
  await fetch("/api/guests", {method: "POST", headers, body: JSON.stringify({name: "Ana"})});
  const rest = ["AUSTRIA", "ENGLAND", "GERMANY", "ITALY", "RUSSIA", "TURKEY"];
  const bot = (seat) => ({seat, kind: "bot", level: seat === "ENGLAND" ? level : "random"});
  const seats = [{seat: "FRANCE", kind: "me"},
    ...rest.map((seat) => seat === open ? {seat, kind: "open"} : bot(seat))];
  const body = JSON.stringify({game: "diplomacy", players: 7, seats, start: !open});
  return (await fetch("/api/tables", {method: "POST", headers, body})).json();
}"""
JOIN = """async ([table, invite]) => {
  const headers = {"Content-Type": "application/json", "X-Powderkeg": "1"};
  await fetch("/api/guests", {method: "POST", headers, body: JSON.stringify({name: "Bea"})});
  const body = JSON.stringify({invite, seat: "ENGLAND"});
  await fetch(`/api/tables/${table}/join`, {method: "POST", headers, body});
}"""
START = """async (table) => {
  const headers = {"Content-Type": "application/json", "X-Powderkeg": "1"};
  await fetch(`/api/tables/${table}/start`, {method: "POST", headers, body: "{}"});
}"""


def offer_peace_and_a_zone(page):
    page.get_by_role("tab", name="Letters").click()
    page.get_by_text("Make an offer").click()
    page.get_by_label("Offer to").select_option(label="England")
    page.get_by_label("What do you offer?").select_option(label="Peace")
    page.get_by_role("button", name="And also").click()
    page.get_by_label("And also").select_option(label="Demilitarised zone")
    page.get_by_role("combobox", name="Provinces").select_option(label="English Channel")
    assert axe(page) == []
    page.get_by_role("button", name="Send this offer").click()


def test_people_agree_each_in_their_own_language(sit):
    ana, bea = sit(), sit("es")
    made = ana.evaluate(MAKE, ["ENGLAND", "random"])
    bea.evaluate(JOIN, [made["id"], made["invite"]])
    ana.evaluate(START, made["id"])
    for page in (ana, bea):
        page.goto(f"/t/{made['id']}")
        expect(page.locator(".atlas .units .unit")).to_have_count(22)
    offer_peace_and_a_zone(ana)
    bea.get_by_role("tab", name="Mensajes").click()
    bea.get_by_role("button", name="Francia").click()
    letter = bea.locator(".letter").last
    expect(letter).to_contain_text("Propongo todo esto junto: la paz entre Inglaterra y Francia")
    expect(letter).to_contain_text("Canal de la Mancha")
    letter.get_by_role("button", name="Aceptar").click()
    expect(letter.get_by_role("button", name="Aceptar")).to_have_count(0)
    ana.locator(".channel", has_text="England").click()
    expect(ana.locator(".letter").last).to_contain_text("Agreed: “I propose the following together")


def test_a_bot_answers(sit):
    page = sit()
    made = page.evaluate(MAKE, ["", "normal"])
    page.goto(f"/t/{made['id']}")
    expect(page.locator(".atlas .units .unit")).to_have_count(22)
    offer_peace_and_a_zone(page)
    england = page.locator(".channel", has_text="England")
    expect(england).to_have_attribute("aria-pressed", "true")  # where it can be read
    answer = page.locator(".letter:not(.mine)", has_text=re.compile("^.*(Agreed|No, thank you)"))
    expect(answer.last).to_contain_text("peace between England and France")


def test_an_offer_begins_with_what_a_bot_understood(sit):
    page = sit()
    made = page.evaluate(MAKE, ["", "normal"])
    page.goto(f"/t/{made['id']}")
    page.get_by_role("tab", name="Letters").click()
    page.get_by_role("button", name="Write to…").click()
    page.get_by_role("checkbox", name="England").check()
    page.get_by_role("button", name="Start the letter").click()
    page.get_by_label("Write here").fill("Shall we have peace?")
    page.get_by_label("Write here").press("Enter")
    expect(page.locator(".letter:not(.mine)")).to_contain_text("As a formal offer")
    form = page.get_by_text("Make an offer", exact=True)
    form.click()
    expect(page.get_by_label("What do you offer?")).to_have_value("peace")
    page.locator(".channel", has_text="Everyone").click()  # where nobody has offered anything
    expect(page.get_by_label("What do you offer?")).to_have_value("")
    page.locator(".channel", has_text="England").click()
    expect(page.get_by_label("What do you offer?")).to_have_value("peace")
    page.get_by_role("button", name="Send this offer").click()
    expect(page.locator(".letter.mine").last).to_contain_text("I propose peace")
