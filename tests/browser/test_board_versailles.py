"""The board of Versailles 1919: played by mouse, by keyboard, by touch, and to the end."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

AXE = Path(__file__).parent.parent.parent / "web" / "node_modules" / "axe-core" / "axe.min.js"
HEAD = {"X-Powderkeg": "1"}


def new_table(page: Page, players: int = 2) -> None:
    """The first seat is mine; bots that play at random have the rest."""
    page.request.post("/api/guests", data={}, headers=HEAD)
    bots = [{"seat": f"P{n}", "kind": "bot", "level": "random"} for n in range(2, players + 1)]
    wanted = {"game": "versailles", "players": players, "start": True}
    seats = [{"seat": "P1", "kind": "me"}, *bots]
    made = page.request.post("/api/tables", data={**wanted, "seats": seats}, headers=HEAD).json()
    page.goto(f"/t/{made['id']}")
    page.locator("[data-board=versailles]").wait_for()


def spot(page: Page, target: str = "") -> Locator:
    """What can be chosen on the board."""
    return page.locator(f'[data-board] [data-target="{target}"]' if target else "[data-target]")


def confirm(page: Page) -> None:
    with page.expect_response(re.compile("/act")):
        page.locator("[data-confirm]").click()


# Plays at random, in the page itself: clicks on the board where it can, in the prompt bar where
# it must. Ends when the game is over, when `until` is found, or when the time is up.
PLAY = r"""async ({ until = '', seconds = 60 }) => {
  let seed = 7;
  const random = () => (seed = (seed * 1664525 + 1013904223) % 4294967296) / 4294967296;
  const any = (list) => list[Math.floor(random() * list.length)];
  const all = (css) => [...document.querySelectorAll(css)].filter((e) => !e.disabled);
  const rest = (ms) => new Promise((done) => setTimeout(done, ms));
  const talk = /^(propose|counter|accept|refuse|withdraw)/;
  const end = Date.now() + seconds * 1000;
  const clicks = { board: 0, bar: 0, sent: 0 };
  while (Date.now() < end) {
    if (document.querySelector('.outcome')) return { ...clicks, ended: 'over' };
    if (until && document.querySelector(until)) return { ...clicks, ended: 'found' };
    const confirm = document.querySelector('[data-confirm]');
    const spots = all('[data-board] [data-target]');
    const bar = all('.prompt [data-option]').filter((e) => !talk.test(e.dataset.option));
    const settle = all('.prompt .ask .button.first');
    if (confirm) {
      if (!confirm.disabled) { confirm.click(); clicks.sent += 1; }
      await rest(20);
    } else if (spots.length && random() < 0.75) {
      any(spots).click(); clicks.board += 1; await rest(5);
    } else if (bar.length) {
      any(bar).click(); clicks.bar += 1; await rest(5);
    } else if (settle.length && !document.querySelector('.prompt [data-option]')) {
      settle[0].click(); await rest(5);
    } else await rest(20);
  }
  return { ...clicks, ended: 'time' };
}"""


def play(page: Page, until: str = "", seconds: int = 60) -> dict[str, int | str]:
    found: dict[str, int | str] = page.evaluate(PLAY, {"until": until, "seconds": seconds})
    return found


def axe(page: Page) -> list[str]:
    page.evaluate("document.fonts.ready")
    page.evaluate(AXE.read_text(encoding="utf-8") + "; 0")
    rules = "{runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']}"
    found = page.evaluate(f"async () => (await axe.run(document, {rules})).violations")
    return [f"{v['id']}: {n['target']} {n['failureSummary']}" for v in found for n in v["nodes"]]


def begin(page: Page) -> None:
    """Take the first nation that is offered, and come to a turn of mine. Who chooses last has no
    choice and is not asked."""
    turn = page.locator("[data-option=place]")
    page.locator("button.start").or_(turn).first.wait_for()
    if page.locator("button.start").count():
        page.locator("button.start").first.click()
        confirm(page)
    turn.wait_for()


def test_influence_is_placed_by_clicks_on_the_cards(sit):
    page = sit()
    new_table(page)
    begin(page)
    card = page.locator(".waiting button.issue").first  # on the table it may be settled too
    issue = card.get_attribute("data-target")
    card.click()
    cubes = page.locator(".placing").get_by_role("spinbutton")
    few = int(cubes.get_attribute("aria-valuenow") or 0)  # whoever comes later must lead
    cubes.press("ArrowUp")
    expect(cubes).to_have_attribute("aria-valuenow", str(few + 1))
    page.locator(".placing").get_by_role("button", name="Place influence").click()
    expect(page.get_by_role("list", name="Chosen so far")).to_contain_text(str(few + 1))
    confirm(page)
    expect(spot(page, issue or "")).to_have_count(0)  # the second issue must be another one
    expect(page.locator("button.issue")).not_to_have_count(0)
    expect(page.locator(".side .count").filter(has_text=str(few + 1)).first).to_be_visible()


def test_units_are_deployed_by_keyboard(sit):
    page = sit()
    new_table(page)
    begin(page)
    page.locator("[data-option=deploy]").focus()
    page.keyboard.press("Enter")
    region = spot(page, "balkans")
    expect(region).to_have_attribute("aria-label", re.compile("Balkans"))
    region.focus()
    page.keyboard.press("Enter")
    post = spot(page, "balkans.7")
    post.focus()
    page.keyboard.press("Space")
    expect(page.locator("[data-confirm]")).to_be_visible()
    page.locator("body").focus()
    with page.expect_response(re.compile("/act")):
        page.locator("[data-confirm]").press("Enter")
    expect(page.locator(".track.balkans .unit")).to_be_visible()
    tabs = page.get_by_role("tablist", name="Papers of the conference")
    tabs.get_by_role("tab", name="Nations").press("ArrowRight")
    expect(tabs.get_by_role("tab", name="Strategies")).to_be_focused()


def test_a_deal_is_written_on_its_sheet(sit):
    page = sit()
    new_table(page, 3)
    begin(page)
    page.locator("[data-option=propose]").click()
    sheet = page.get_by_role("region", name="Propose a deal")
    expect(sheet.locator("[data-offer]")).to_be_disabled()
    sheet.get_by_label("Subject").select_option("issues")
    place = sheet.locator('input[value*=".place."]').first
    issue = (place.get_attribute("value") or "").rpartition(".")[2]
    place.check()
    expect(sheet.locator(f'input[value$=".shun.{issue}"]').first).to_be_disabled()
    sheet.get_by_label("Subject").select_option("later")
    sheet.locator("input[type=checkbox]").first.check()
    protocol = sheet.locator(".protocol li")
    expect(protocol.filter(has_text="Binds this turn")).to_have_count(1)
    expect(protocol.filter(has_text="A promise, not binding")).to_have_count(1)
    with page.expect_response(re.compile("/act")) as answer:
        sheet.locator("[data-offer]").click()
    assert answer.value.ok
    expect(page.get_by_role("tabpanel", name="Log")).to_contain_text("proposes to")


@pytest.mark.parametrize("lang", ["es", "it"])
def test_a_phone_is_enough(sit, lang):
    page = sit(lang, "phone")
    new_table(page)
    begin(page)
    page.locator(".places button").first.tap()
    page.locator(".waiting button.issue").first.tap()
    page.locator(".placing .button.first").tap()
    expect(page.locator("[data-confirm]")).to_be_visible()
    wide = page.evaluate("document.querySelector('.versailles').scrollWidth")
    assert wide <= 390
    assert axe(page) == []


def test_a_whole_game_against_two_bot_factions_and_its_auctions(sit):
    page = sit()
    new_table(page, 1)
    page.set_default_timeout(120_000)
    first = play(page, "[data-bid]")
    assert first["ended"] in ("found", "over")
    if first["ended"] == "found":
        assert axe(page) == []
        with page.expect_response(re.compile("/act")):
            page.locator("[data-bid]").click()
    done = play(page)
    assert done["ended"] == "over"
    assert int(first["board"]) + int(done["board"]) > 30
    page.get_by_role("tab", name="Solitaire").click()
    expect(page.get_by_role("heading", name="What the bots did, and why")).to_be_visible()
    assert axe(page) == []
