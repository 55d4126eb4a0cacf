"""Files of games that were played elsewhere, opened in the browser."""

import json

from playwright.sync_api import Page, expect

from powderkeg.games.diplomacy.archive.saved_game import export_game
from tests.games.diplomacy.archive.archive_games import GROWTH, STUCK, as_dipcc, played
from tests.games.diplomacy.archive.jdip_saves import jdip_bytes

MESSAGE = {
    "sender": "ITALY",
    "recipient": "AUSTRIA",
    "time_sent": 16640466260000,
    "message": "I only pass through.",
}


def saved_game(name: str) -> str:
    data = as_dipcc(export_game(played(STUCK), name))
    data["phases"][0]["messages"] = [MESSAGE]
    return json.dumps(data)


def upload(page: Page, name: str, text: str) -> None:
    page.get_by_label("Choose a file").set_input_files(
        {"name": name, "mimeType": "application/json", "buffer": text.encode()}
    )


def test_an_archive_opens_with_full_replay(sit):
    page = sit(at="/")
    page.get_by_role("link", name="Open a game file").click()
    upload(page, "two.jsonl", saved_game("friday") + "\n" + saved_game("sunday"))
    expect(page.get_by_role("heading", name="There are 2 games in this file.")).to_be_visible()
    page.get_by_role("button", name="sunday").click()

    expect(page.get_by_text("Spring 1901").first).to_be_visible()
    page.get_by_role("button", name="Back to the present").click()
    expect(page.get_by_text("Spring 1902, movement").first).to_be_visible()
    page.get_by_role("tab", name="Letters").click()
    page.get_by_role("button", name="Austria and Italy").click()
    expect(page.get_by_text("I only pass through.")).to_be_visible()


def test_a_compressed_save_of_jdip_opens(sit):
    page = sit(at="/open")
    save = {"name": "evening.dip", "mimeType": "", "buffer": jdip_bytes(played(GROWTH))}
    page.get_by_label("Choose a file").set_input_files(save)
    expect(page.get_by_text("Spring 1901").first).to_be_visible()
    page.get_by_role("button", name="Back to the present").click()
    expect(page.get_by_text("Spring 1902, movement").first).to_be_visible()


def test_the_screen_fits_a_phone(sit):
    page = sit("it", size="phone", at="/open")
    expect(page.get_by_role("heading", name="Apri un file di partita")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
