"""Card screens: every value that is not certain carries its mark, and owners write packs."""

import re
from collections.abc import Mapping
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from powderkeg.core.cards.packs import pack_values
from powderkeg.games.versailles.cards.reader import default_pack
from powderkeg.games.versailles.cards.table import CARD_TOOL
from tests.browser.axe import axe
from tests.browser.boards.test_board_versailles import new_table
from tests.browser.fast_forward import skip_ahead

pytestmark = pytest.mark.slow
MARKS = {"reconstructed": "°", "probable": "·"}

# Every mark with the text it stands behind, as a reader sees it.
# Each mark: what it says, its sign, and whether it is seen: not hidden, and inside of what would cut it off.
SHOWN = """(root) => [...root.querySelectorAll('[data-certainty]:not(.legend *)')].map((mark) => {
  const {left, right, top} = mark.getBoundingClientRect();
  let seen = getComputedStyle(mark).visibility;
  for (let box = mark.parentElement; box && root.contains(box); box = box.parentElement) {
    const edge = box.getBoundingClientRect();
    const cuts = getComputedStyle(box).overflowX === 'hidden';
    if (cuts && (left < edge.left - 1 || right > edge.right + 1 || top > edge.bottom)) seen = 'cut';
  }
  return [mark.dataset.certainty, mark.textContent.trim(), seen];
})"""

# Opens one card after the other in the editor; of each: the mark at the end of every label, the marks
# on the card as it looks, and its text.
WALK = """async (paths) => {
  const found = [], chooser = document.querySelector('.chooser select');
  const isOpen = (path) => document.querySelector(`[data-card="${path}"]`)
    && (path === 'board' || document.querySelector('.preview'));
  for (const path of paths) {
    chooser.value = path;
    chooser.dispatchEvent(new Event('change', { bubbles: true }));
    for (let n = 0; n < 6000 && !isOpen(path); n++) await new Promise((r) => setTimeout(r, 10));
    const look = document.querySelector('.preview');
    const marks = [...(look?.querySelectorAll('[data-certainty]') ?? [])];
    found.push([path, [...document.querySelectorAll('[data-value]')].map((value) => [
      value.dataset.value, value.querySelector('label').textContent.trim().match(/[°·]?$/)[0]]),
      marks.map((mark) => mark.dataset.certainty), look?.innerText ?? '']);
  }
  return found;
}"""


def play_on(page: Page) -> None:
    """Until something is settled and strategies are on the table."""
    skip_ahead(page.url.rpartition("/t/")[2], [page], lambda view: view["turn"] > 8)


def doubts(sure: Mapping[str, str], *keys: str) -> list[str]:
    return [sure[key] for key in keys if sure.get(key) in MARKS]


def shared(*sures: str) -> list[str]:
    """The one mark of values that are all equally doubtful."""
    return list(sures[:1]) if len(set(sures)) == 1 and sures[0] in MARKS else []


def option_sures(option: Any) -> list[str]:
    return [option.sure.get(kind, "") for kind in ("unrest", "happiness", "counters")]


def lying_marks(id_: str) -> list[str]:
    """The marks of an issue on the table: one for values that share it, in the order of the card."""
    issue = default_pack().issues[id_]
    region, name = doubts(issue.sure, "region"), doubts(issue.sure, "name")
    head = [issue.sure.get("no_military", ""), issue.sure.get("stars", "")]
    values = [sure for option in issue.options for sure in option_sures(option)]
    if whole := shared(*head, *values):
        return [*region, *whole]
    found = region + (shared(*head) or doubts(issue.sure, "no_military", "stars")) + name
    return found + [mark for option in issue.options for mark in marks_of_option(option)]


def marks_of_issue(id_: str, *first: str) -> list[str]:
    """The marks of an issue in words: of the values that are shown first, then of its options, in order."""
    issue = default_pack().issues[id_]
    found = doubts(issue.sure, *first)
    return found + [mark for option in issue.options for mark in marks_of_option(option)]


def marks_of_option(option: Any) -> list[str]:
    """The one mark of an option, or those of its icons; the last is for what it seems not to have."""
    if line := shared(*option_sures(option)):
        return line
    icons = {"unrest": option.unrest, "happiness": option.happiness, "counters": option.counters}
    found = doubts(option.sure, "name")
    for kind, shown in icons.items():
        found += doubts(option.sure, kind) * len(shown)
    absent = doubts(option.sure, *(kind for kind in icons if not icons[kind]))
    return found + (["reconstructed"] if "reconstructed" in absent else absent[:1])


def marks_of_strategy(id_: str) -> list[str]:
    card = default_pack().strategies[id_]
    lines = [[each.sure.get("points", ""), each.sure.get("counts", "")] for each in card.conditions]
    if whole := shared(*(sure for line in lines for sure in line)):
        return whole
    found = [shared(*line) or [sure for sure in line if sure in MARKS] for line in lines]
    return doubts(card.sure, "name") + [doubt for line in found for doubt in line]


def seen_marks(part: Locator) -> list[str]:
    """The marks in a part of the page, all of which can be seen."""
    found = part.evaluate(SHOWN)
    assert all(text == MARKS[doubt] and seen == "visible" for doubt, text, seen in found)
    return [doubt for doubt, _, _ in found]


def check_event(part: Locator, id_: str, *shown: str) -> None:
    """Marks at the icons of an event, and in its sentences."""
    event = default_pack().events[id_]
    assert seen_marks(part) == doubts(event.sure, *shown), id_
    for half in ("crisis", "conference"):
        assert MARKS.get(event.sure[half], "") in part.inner_text(), (id_, half)


def test_a_tour_of_all_card_screens_finds_a_mark_at_every_doubtful_value(sit):
    """Lens, table, tracks, settled issues, strategies, then every card in the editor."""
    page: Page = sit()
    new_table(page, 4)
    play_on(page)
    view = page.request.get(f"/api/tables/{page.url.rpartition('/t/')[2]}?text=0").json()["view"]
    tour_lens(page)
    tour_table(page, view)
    tour_tracks(page, view)
    tour_strategies(page, view)
    tour_editor(page)


def tour_lens(page: Page) -> None:
    expect(page.locator(".lens").first).to_be_visible()
    seen = set()
    for button in page.locator(".lens").all():
        button.click()
        dialog = page.locator("[data-reading]")
        card = dialog.get_attribute("data-reading") or ""
        if card in default_pack().issues:
            assert seen_marks(dialog) == marks_of_issue(card, "region", "stars", "no_military")
        else:
            check_event(dialog, card, "cube")
        seen.add(card)
        page.keyboard.press("Escape")
    assert len(seen & default_pack().issues.keys()) >= 2


def tour_table(page: Page, view: dict[str, Any]) -> None:
    """The cards as they lie: issues, events, discards and settled issues."""
    issues = default_pack().issues
    lying = [each["issue"] for each in (*view["table"], *view["waiting"])]
    cards = page.locator(".card:has(> .issue)")
    expect(cards).to_have_count(len(lying))
    for id_, card in zip(lying, cards.all(), strict=True):
        assert seen_marks(card) == lying_marks(id_), id_
    events = list(filter(None, (view["event"], *view["lobby"])))
    for id_, card in zip(events, page.locator(".card:has(> .event)").all(), strict=True):
        check_event(card, id_, "name", "crisis", "cube")
    pile = view["pile"][: len(view["board"]["dive_costs"])]
    for id_, card in zip(pile, page.locator(".discard").all(), strict=True):
        assert seen_marks(card) == doubts(issues[id_].sure, "region", "name"), id_
    held = [held for nation in view["nations"].values() for held in nation["issues"]]
    expect(page.locator(".settled")).to_have_count(len(held))
    for each in held:
        issue, id_ = issues[each["issue"]], each["issue"]
        card = page.locator(f'.settled:has([data-read="{id_}"], [data-target="{id_}"])')
        option = next(option for option in issue.options if option.id == each["option"])
        marks = [*doubts(issue.sure, "region", "name"), *doubts(option.sure, "counters")]
        assert seen_marks(card) == [*marks, *doubts(issue.sure, "stars")], issue.id


def tour_tracks(page: Page, view: dict[str, Any]) -> None:
    sures = zip(view["demobilise"], view["certainty"]["demobilise"], strict=False)
    spaces = [sure for each, sure in sures if each["nation"] is None]
    shown = page.locator(".space.free [data-certainty]")
    expect(shown).to_have_count(len(spaces))
    assert [each.get_attribute("data-certainty") for each in shown.all()] == spaces
    assert page.locator(".scale .corner [data-certainty=probable]").count() == 1  # of all columns
    assert page.locator(".happiness h3 [data-certainty=probable]").count() == 1  # of all zones
    expect(page.locator(".legend")).to_contain_text("Beside a title it holds for everything below")


def tour_strategies(page: Page, view: dict[str, Any]) -> None:
    page.get_by_role("tab", name="Strategies").click()
    cards = page.locator(".strategy")
    expect(cards).to_have_count(len(view["strategies"]))
    found = sorted(seen_marks(card) for card in cards.all())
    assert found == sorted(map(marks_of_strategy, view["strategies"]))


def tour_editor(page: Page) -> None:
    """Every value of every card: a mark behind its label, and on the card as it looks."""
    page.goto("/cards/versailles")
    page.locator(".preview").wait_for()
    shipped = CARD_TOOL.shipped_pack()
    wanted = {
        **{f"issues.{id_}": lying_marks(id_) for id_ in default_pack().issues},
        **{f"strategies.{id_}": marks_of_strategy(id_) for id_ in default_pack().strategies},
        **{
            f"events.{id_}": doubts(event.sure, "name", "crisis", "cube")
            for id_, event in default_pack().events.items()
        },
        "board": [],
    }
    shown: dict[str, str] = {}
    for path, labels, marks, text in page.evaluate(WALK, list(wanted)):
        shown |= dict(labels)
        assert marks == wanted[path], path
        if event := default_pack().events.get(path.removeprefix("events.")):
            assert MARKS.get(event.sure["conference"], "") in text, path
    sures = {value.path: value.sure for value in pack_values(shipped, CARD_TOOL)}
    assert shown == {path: MARKS.get(sure, "") for path, sure in sures.items()}


# Packs


def forget_refusals(sit) -> None:
    """Chromium notes every refusal by itself; these were wanted."""
    sit.forgive("422")


def put(page: Page, path: str, text: str) -> None:
    """Change a value in the editor and wait for the server's answer."""
    field = page.locator(f'[data-value="{path}"] input')
    with page.expect_response("**/pack?**"):
        field.fill(text)
        field.press("Tab")


def open_card(page: Page, path: str) -> None:
    page.locator(".chooser select").select_option(path)
    page.locator(f'[data-card="{path}"]').wait_for()


@pytest.mark.parametrize(("lang", "size"), [("it", "desk"), ("es", "phone")])
def test_a_pack_is_written_saved_shared_and_played(sit, lang, size):
    page: Page = sit(lang, size, at="/cards/versailles")
    page.locator("[data-card]").wait_for()
    open_card(page, "issues.fiume")
    put(page, "issues.fiume.name", "Danzig")
    expect(page.locator(".preview .title")).to_contain_text("Danzig")
    put(page, "issues.fiume.stars", "9")
    expect(page.locator("[data-finding=doubt]")).to_contain_text("Danzig")
    put(page, "issues.fiume.stars", "900")
    expect(page.get_by_role("alert")).to_contain_text("900")
    forget_refusals(sit)
    put(page, "issues.fiume.stars", "9")
    page.locator("#added").fill("Plebiscite")
    with page.expect_response("**/pack?**"):
        page.locator("#added").press("Enter")
    expect(page.locator(".preview .choice")).to_have_count(4)
    with page.expect_response("**/pack?**"):
        page.locator("#pack-name").fill("My box")
        page.locator("#pack-name").press("Tab")
    with page.expect_response("**/api/packs?**"):
        page.locator("[data-save]").click()
    expect(page).to_have_url(re.compile(r"/cards/versailles\?pack="))
    shared = page.url
    with page.expect_download() as kept:
        page.locator("a[download]").click()
    assert 'name = "Danzig"' in kept.value.path().read_text("utf-8")
    friend: Page = sit("en", "desk", at=shared)
    expect(friend.locator("#pack-name")).to_have_value("My box")
    page.goto(shared.replace("/cards/", "/new/"))
    expect(page.locator("#pack option:checked")).to_have_text("My box")
    page.locator("form .end .button.first").click()
    expect(page).to_have_url(re.compile("/t/"))
    expect(page.locator("[data-pack] summary")).to_contain_text("My box")
    watcher: Page = sit("en", "desk", at=page.url)
    watcher.locator("[data-pack] summary").click()
    expect(watcher.locator("[data-pack]")).to_contain_text("Danzig")


def test_regions_counters_and_conditions_are_chosen_from_lists(sit):
    page: Page = sit("es", at="/cards/versailles")
    page.locator("[data-card]").wait_for()
    open_card(page, "issues.fiume")
    pick(page, '[data-value="issues.fiume.region"] select >> nth=0', "Oriente Medio")
    expect(page.locator("[data-finding=note], [data-finding=doubt]").first).to_be_attached()
    option = '[data-value^="issues.fiume.options."]'
    numbers = page.locator(f'{option}[data-value$=".unrest"]').first
    field = numbers.locator("[data-word=pacific]")
    with page.expect_response("**/pack?**"):
        field.fill("2")
        field.press("Tab")
    expect(numbers.locator("[data-word=pacific]")).to_have_value("2")
    counters = f'{option}[data-value$=".counters"] >> nth=0'
    before = page.locator(counters).locator(".word").count()
    pick(page, f"{counters} >> .several select", "Crecimiento industrial")
    expect(page.locator(counters).locator(".word")).to_have_count(before + 1)
    with page.expect_response("**/pack?**"):
        page.locator(counters).locator(".word button").last.click()
    expect(page.locator(counters).locator(".word")).to_have_count(before)
    open_card(page, "strategies.revanchism")
    counts = '[data-value="strategies.revanchism.conditions.1.counts"] select >> nth=0'
    pick(page, counts, "cada unidad tuya sin desmovilizar")
    expect(page.locator(counts)).to_have_value("units")
    assert axe(page) == []


def pick(page: Page, field: str, label: str) -> None:
    with page.expect_response("**/pack?**"):
        page.locator(field).select_option(label=label)


def test_a_file_is_uploaded_when_a_table_is_set_up(sit, tmp_path):
    good, bad = tmp_path / "box.toml", tmp_path / "bad.toml"
    good.write_text('name = "Box"\n[issues.fiume]\nstars = 3\n', "utf-8")
    bad.write_text("[issues.fiume\n", "utf-8")
    page: Page = sit("es", at="/new/versailles")
    expect(page.locator("[data-deck] a")).to_have_attribute("href", "/cards/versailles")
    page.locator("details:has(#pack) > summary").click()
    page.locator("input[type=file]").set_input_files(bad)
    expect(page.get_by_role("alert")).to_contain_text("línea 1")
    forget_refusals(sit)
    page.locator("input[type=file]").set_input_files(good)
    expect(page.locator("#pack option:checked")).to_have_text("Box")


def test_the_front_page_says_how_much_is_reconstructed(sit):
    page: Page = sit(at="/")
    note = page.locator("[data-game=versailles] [data-deck]")
    expect(note).to_contain_text("reconstructed")
    note.locator("a").click()
    expect(page).to_have_url(re.compile("/cards/versailles"))
    page.locator("[data-card]").wait_for()
    found = axe(page)
    assert found == []
