"""A change of language: all that is on the screen is in the new one, without a reload."""

from playwright.sync_api import Page, expect

from tests.browser.fast_forward import HEAD
from tests.browser.test_everybody import foreign, play_now


def speak(page: Page, lang: str) -> None:
    page.locator("header select").select_option(lang)
    expect(page.locator("html")).to_have_attribute("lang", lang)


def open_tab(page: Page, name: str) -> None:
    page.locator(f"#tab-{name}").click()


def test_hints_are_given_again_in_the_new_language(sit):
    page = sit(at="/")
    play_now(page, "risk_europe")
    open_tab(page, "study")
    page.get_by_role("button", name="Give me a hint").click()
    hints = page.locator(".coach .hints > li")
    expect(hints).to_have_count(1)
    page.get_by_role("button", name="Tell me more").click()
    expect(hints).not_to_have_count(1)
    shown = hints.count()
    speak(page, "it")
    expect(page.locator(".coach[aria-busy=false]")).to_contain_text("Che cosa farebbe un bot")
    expect(hints).to_have_count(shown)
    assert foreign(page, "it") == []


def test_decided_ballots_are_in_the_new_language(sit):
    page = sit(at="/")
    play_now(page, "diplomacy")
    open_tab(page, "proposals")
    page.locator("#proposal-kind").select_option("deal")
    page.locator("#proposal-text").fill("Belgium")
    page.locator("form [type=checkbox]").first.check()
    page.locator("form.new button.first").click()
    expect(page.locator(".decided")).to_contain_text("Belgium")  # a bot wants none of it
    speak(page, "es")
    expect(page.locator(".decided")).to_contain_text("Rechazada")
    assert foreign(page, "es") == []


def test_a_refusal_goes_when_it_cannot_be_said_again(sit):
    sit.forgive("401 (Unauthorized)")
    page = sit(at="/account")
    page.request.post("/api/guests", data={}, headers=HEAD)
    page.get_by_role("button", name="Sign in", exact=True).first.click()
    page.get_by_label("Name", exact=True).fill("Nobody")
    page.get_by_label("Password").fill("correct horse")
    page.get_by_label("Password").press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    speak(page, "it")
    expect(page.get_by_role("alert")).to_have_count(0)
    assert page.get_by_label("Password").input_value() == "correct horse"
    assert foreign(page, "it") == []
