"""The board of Versailles 1919: played by mouse, by keyboard, by touch, and to the end."""

import itertools
import random
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import axe
from tests.browser.boards.answers import expect_answer
from tests.browser.boards.keys import press_there, tab_to
from tests.browser.boards.still import boxes_seen, watch_board
from tests.browser.fast_forward import HEAD, is_near_end, random_answer, send_answer, skip_ahead


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
    with expect_answer(page):
        page.locator("[data-confirm]").click()


# Plays at random, in the page itself: clicks on the board where it can, in the prompt bar where
# it must. Ends when the game is over, when `until` is found or when a lesson goes on from `step`.
# However slow the machine: only where nothing can be done for minutes it is `stuck`, be it that the
# bar points at the board, where nothing is open. Clicks that lead nowhere are `endless`.
PLAY = r"""async ({ until = '', step = '', patience = 600, most = 4000 }) => {
  let seed = 7;
  const random = () => (seed = (seed * 1664525 + 1013904223) % 4294967296) / 4294967296;
  const any = (list) => list[Math.floor(random() * list.length)];
  const all = (css) => [...document.querySelectorAll(css)].filter((e) => !e.disabled);
  const rest = (ms) => new Promise((done) => setTimeout(done, ms));
  const talk = /^(propose|counter|accept|refuse|withdraw)/;
  const open = '[data-board] :is([data-target], .placing .button.first, [data-bid], [data-pass])';
  const clicks = { board: 0, bar: 0, sent: 0 };
  const trail = [];
  const click = (e, where) => {
    trail.push(`${where}: ${JSON.stringify({ ...e.dataset })} ${e.innerText}`);
    e.click();
    clicks[where] += 1;
    last = Date.now();
  };
  const bar = () => document.querySelector('.prompt').innerText;
  let last = Date.now();
  while (Date.now() - last < patience * 1000) {
    if (trail.length > most)
      return { ...clicks, ended: 'endless', bar: bar(), trail: trail.slice(-12) };
    if (document.querySelector('.outcome')) return { ...clicks, ended: 'over' };
    if (until && document.querySelector(until)) return { ...clicks, ended: 'found' };
    if (step && document.querySelector('.lesson').dataset.step !== step)
      return { ...clicks, ended: 'on' };
    const confirm = document.querySelector('[data-confirm]');
    const spots = all(open);
    const options = all('.prompt [data-option]').filter((e) => !talk.test(e.dataset.option));
    const settle = all('.prompt .ask .button.first');
    const sent = all('[data-deal]').length > 0; // the bar leaves offers to the board as well
    const lost = document.querySelector('.prompt [data-list]') && !spots.length && !sent;
    if (lost) await rest(20);
    else if (confirm && !confirm.disabled) click(confirm, 'sent');
    else if (confirm) await rest(20);
    // Several things may be chosen, and chosen away again: at some time it is enough.
    else if (settle.length && random() < 0.3) click(settle[0], 'bar');
    else if (spots.length && random() < 0.75) click(any(spots), 'board');
    else if (options.length) click(any(options), 'bar');
    else await rest(20);
    await rest(5);
  }
  return { ...clicks, ended: 'stuck', bar: bar(), trail: trail.slice(-12) };
}"""


def play(page: Page, **until: str | int) -> dict[str, int | str]:
    found: dict[str, int | str] = page.evaluate(PLAY, until)
    return found


def begin(page: Page) -> None:
    """Come to the first turn of mine, whatever is asked before: a nation, or what others do."""
    assert play(page, until="[data-option=place]")["ended"] == "found"


def begin_with_a_free_card(page: Page) -> str:
    """Come to a turn of mine in which an issue waits on which nobody has placed: others may have, on
    all three. On the table an issue may be settled, too, and later players must lead."""
    free = ".waiting .card:not(:has(.side))"
    for _ in range(12):
        new_table(page)
        begin(page)
        if page.locator(free).count():
            return free
    raise AssertionError("no card is ever free")


BOX = {
    "UK": lambda r, g, b: r > 2 * max(g, b),
    "France": lambda r, g, b: b > 1.4 * max(r, g),
    "USA": lambda r, g, b: min(r, g, b) > 220,
    "Italy": lambda r, g, b: min(r, g) > 2 * b,
}
# A nation's colour as red, green and blue, from its badge in the table of issues.
COLOURS = """() => Object.fromEntries([...document.querySelectorAll("[data-tally] tbody tr")].map((row) => {
  const badge = row.querySelector("th > :not(.unseen)");
  return [row.querySelector(".unseen").textContent,
    getComputedStyle(badge).backgroundColor.match(/[0-9.]+/g).slice(0, 3).map(Number)];
}))"""


def test_influence_is_placed_by_clicks_on_the_cards(sit):
    page = sit()
    free = page.locator(begin_with_a_free_card(page)).first
    colours = page.evaluate(COLOURS)  # as in the box: red, blue, white, yellow
    assert len(colours.keys() & BOX.keys()) >= 2
    for nation in colours.keys() & BOX.keys():
        assert BOX[nation](*colours[nation]), (nation, colours)
    expect(page.locator("[data-tally] thead th")).to_have_count(5)  # a region each
    page.locator("[data-option=deploy]").click()
    there = page.locator(".track.balkans .unit")
    before = there.count()
    page.locator('[data-board] [data-target^="balkans."]').first.click()  # the square itself
    confirm(page)
    expect(there).to_have_count(before + 1)
    name = free.locator(".title").inner_text()
    issue = free.locator("[data-target]").get_attribute("data-target")
    spot(page, issue or "").click()
    cubes = page.locator(".placing").get_by_role("spinbutton")
    expect(cubes).to_have_attribute("aria-valuenow", "1")
    cubes.press("ArrowUp")
    expect(cubes).to_have_attribute("aria-valuenow", "2")
    with expect_answer(page):  # a stepper and its button are confirmation
        page.locator(".placing").get_by_role("button", name="Place influence").click()
    expect(spot(page, issue or "")).to_have_count(0)  # the second issue must be another one
    expect(page.locator(".conference [data-target]")).not_to_have_count(0)
    placed = page.locator(".waiting .card").filter(has=page.get_by_text(name, exact=True))
    expect(placed.locator(".side .count")).to_have_text("2")


def test_a_turn_is_played_by_keys_alone(sit):
    page = sit(settings="{confirm: false}")
    new_table(page)
    begin(page)
    press_there(page, "[data-option=deploy]")
    region = spot(page, "balkans")
    expect(region).to_have_attribute("aria-label", re.compile("Balkans"))
    there = page.locator(".track.balkans .unit")
    before = there.count()
    with expect_answer(page):
        press_there(page, '[data-board] [data-target^="balkans."]')
    expect(there).to_have_count(before + 1)
    for _ in range(2):  # influence on two issues
        press_there(page, ".conference.waiting [data-target]")
        tab_to(page, ".placing [role=spinbutton]")
        with expect_answer(page):
            press_there(page, ".placing .button.first")
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator("[data-option=deploy]")).to_have_count(0)  # the turn is over
    tabs = page.get_by_role("tablist", name="Conference sheets")
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
    page.get_by_role("tab", name="Nations").click()  # another paper takes nothing away
    page.get_by_role("tab", name="Deals and promises").click()
    protocol = sheet.locator(".protocol li")
    expect(protocol.filter(has_text="Binding this turn")).to_have_count(1)
    expect(protocol.filter(has_text="A promise, not binding")).to_have_count(1)
    with expect_answer(page):
        sheet.locator("[data-offer]").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.get_by_role("tabpanel", name="Log")).to_contain_text("proposes to")


def test_a_card_under_the_lens_says_everything_in_words(sit):
    page = sit("es")
    new_table(page)
    begin(page)
    card = page.locator(".waiting .card").first
    name = card.locator(".title").inner_text().rstrip("°·")  # one mark for all that is below
    card.locator(".lens").click()
    paper = page.get_by_role("dialog", name=re.compile(re.escape(name), re.IGNORECASE))
    expect(paper.locator("li")).to_have_count(card.locator(".option").count())
    expect(paper).to_contain_text("estrella")
    page.keyboard.press("Escape")
    expect(paper).to_have_count(0)
    page.get_by_role("tab", name="Leyenda").click()
    expect(page.locator(".key dt svg")).to_have_count(26)
    assert fields(page) == []


def fields(page: Page) -> list[str]:
    """Texts on the screen, and for ears, in which a word was never filled in."""
    said: list[str] = page.evaluate(
        """() => [document.body.innerText, ...[...document.querySelectorAll('[aria-label], [title]')]
            .map((e) => `${e.getAttribute('aria-label')} ${e.title}`)]"""
    )
    return [found for text in said for found in re.findall(r"\{[\w:+]+\}", text)]


def test_an_offer_lies_on_top_and_is_accepted_there(sit):
    host, friend = sit(), sit()
    made, invite = two_people(host)
    friend.goto(invite)
    friend.get_by_text("Waiting room").wait_for()
    host.request.post(f"/api/tables/{made}/start", data={}, headers=HEAD)
    for page in (host, friend):
        page.goto(f"/t/{made}")
        page.locator("[data-board=versailles]").wait_for()
    for _ in range(2):  # the first chooses a nation, the other takes what is left
        for page in (host, friend):
            table = page.request.get(f"/api/tables/{made}").json()
            if table["question"] and not table["view"]["turn"]:
                text = table["question"]["node"]["options"][0]["text"]
                send_answer(page, made, table["question"]["id"], text)
    expect(friend.locator("[data-option=propose]")).to_be_visible()  # all that the friend may do:
    nations = friend.get_by_role("tab", name="Nations")  # nobody has asked for another paper
    expect(nations).to_have_attribute("aria-selected", "true")
    host.locator("[data-option=propose]").click()
    sheet = host.get_by_role("region", name="Propose a deal")
    sheet.locator("input[type=checkbox]").first.check()
    with expect_answer(host):
        sheet.locator("[data-offer]").click()
    expect(sheet.locator("[data-offer]")).to_be_disabled()  # it stands
    expect(nations).to_have_attribute(
        "aria-selected", "true"
    )  # no offer turns the papers by itself
    offer = friend.get_by_role("region", name="Offers to you").locator("[data-deal]")
    with expect_answer(friend):
        offer.get_by_role("button", name="Refuse").click()
    expect(sheet.locator("input[type=checkbox]").first).to_be_checked()  # its terms are not lost
    with expect_answer(host):
        sheet.locator("[data-offer]").click()
    expect(offer).to_contain_text("Binding this turn")
    expect(friend.locator(".prompt [data-option^=accept]")).to_have_count(0)  # beside its terms
    for tab in ("Strategies", "Deals and promises", "Key"):  # whichever paper is open
        friend.get_by_role("tab", name=tab).click()
        expect(friend.locator("[data-deal] [data-answer^=accept]")).to_be_in_viewport(ratio=1)
    with expect_answer(friend):
        offer.get_by_role("button", name="Accept").click()
    expect(friend.get_by_role("alert")).to_have_count(0)
    expect(friend.get_by_role("region", name="Offers to you")).to_have_count(0)
    host.get_by_role("tab", name="Deals and promises").click()
    expect(host.locator("[data-deal].made")).to_be_visible()


def test_a_bot_waits_for_my_answer_and_says_how_long(sit):
    """The host offers a deal and settles what a bot leads: the bot lets the friend answer first."""
    host, friend = sit(), sit()
    made, invite = two_people(host, {"seat": "P3", "kind": "bot", "level": "easy"})
    friend.goto(invite)
    friend.get_by_text("Waiting room").wait_for()
    host.request.post(f"/api/tables/{made}/start", data={}, headers=HEAD)
    table, issue = come_to_settle(made, host, friend)
    friend.goto(f"/t/{made}")
    friend.locator("[data-board=versailles]").wait_for()
    mine, other = (table["view"]["players"][seat] for seat in ("P1", "P2"))
    offer = f"propose {other} {mine}.keepout.europe"
    table = send_answer(host, made, table["question"]["id"], offer)
    send_answer(host, made, table["question"]["id"], f"settle {issue}")
    expect(friend.locator(".prompt .patience time")).to_have_text(re.compile(r"^[12]:\d\d$"))
    offered = friend.get_by_role("region", name="Offers to you").locator("[data-deal]")
    with expect_answer(friend):
        offered.get_by_role("button", name="Refuse").click()
    expect(friend.locator(".prompt .patience")).to_have_count(0)


def come_to_settle(made: str, host: Page, friend: Page) -> tuple[Any, str]:
    """Play through the API until the host may settle an issue that the bot leads."""
    rng = random.Random(1)
    for page in itertools.islice(itertools.cycle((host, friend)), 2000):
        table = page.request.get(f"/api/tables/{made}?text=0").json()
        if table["seat"] not in table["to_act"]:
            continue
        view, options = table["view"], table["question"]["node"]["options"]
        led = {o["issue"] for o in view["table"] if o["leader"] == view["players"]["P3"]}
        settle = [o["then"]["options"] for o in options if o["text"] == "settle"]
        open_issues = [o["text"] for o in (settle[0] if settle else []) if o["text"] in led]
        if open_issues and page is host:
            return table, open_issues[0]
        send_answer(page, made, table["question"]["id"], random_answer(view, table["seat"], rng))
    raise AssertionError("the bot never leads")


def two_people(page: Page, *more: dict[str, str]) -> tuple[str, str]:
    """A table for me and a friend: its id, and the friend's way in."""
    page.request.post("/api/guests", data={}, headers=HEAD)
    seats = [{"seat": "P1", "kind": "me"}, {"seat": "P2", "kind": "invited"}, *more]
    wanted = {"game": "versailles", "players": len(seats), "preset": "bots", "seats": seats}
    made = page.request.post("/api/tables", data=wanted, headers=HEAD).json()
    return made["id"], made["invites"]["P2"]


# The step of a lesson, and whether a button leads on from it: read at once, for others act.
TEACHER = "(box) => [box.dataset.step, box.querySelector('.button.first') !== null]"


def test_the_lesson_is_walked_to_its_end(sit):
    page = sit("it", at="/learn/versailles")
    page.get_by_role("button", name="Comincia la lezione").click()
    lesson = page.locator(".lesson")
    lesson.wait_for()
    steps = []
    while not steps or steps[-1] != "lesson.versailles.end":
        step, leads_on = lesson.evaluate(TEACHER)
        steps.append(step)
        if leads_on:
            lesson.locator(".button.first").click()
        else:
            done = play(page, step=step)
            assert done["ended"] == "on", (step, done)
    assert len(steps) == len(set(steps))
    assert {f"lesson.versailles.{name}" for name in ("place", "settle", "deals")} <= set(steps)
    expect(lesson).to_have_count(0)


def test_a_phone_shows_where_a_turn_begins(sit):
    """The issues come first, though something further down may be chosen as well."""
    page = sit(size="phone")
    new_table(page, 3)
    begin(page)
    board = page.locator("[data-board]")
    page.locator("[data-option=place]").click()
    board.evaluate("board => board.scrollTo(0, board.scrollHeight)")
    expect(spot(page).first).not_to_be_in_viewport()
    page.locator("body").press("Escape")
    expect(page.locator("[data-option=place]")).to_be_visible()
    expect(spot(page).first).to_be_in_viewport()


@pytest.mark.parametrize("lang", ["es", "it"])
def test_a_phone_is_enough(sit, lang):
    page = sit(lang, "phone")
    new_table(page)
    watch_board(page)
    begin(page)
    page.locator(".places button").first.tap()
    page.locator(".waiting [data-target]").first.tap()
    expect(page.locator(".placing .button.first")).to_be_in_viewport(ratio=1)
    with expect_answer(page):
        page.locator(".placing .button.first").tap()
    wide = page.evaluate("document.querySelector('.versailles').scrollWidth")
    assert wide <= 390
    assert len(boxes_seen(page)) == 1  # the board never moved
    assert axe(page) == []


def test_an_auction_lies_on_top_of_the_papers_on_a_desk(sit):
    """So that nothing is pushed away; the other papers are one click away."""
    page = sit()
    new_table(page, 3)
    watch_board(page)
    assert play(page, until="[data-bid]")["ended"] == "found"
    assert len(boxes_seen(page)) == 1
    hand = page.get_by_role("tabpanel", name="At hand")
    expect(hand.locator("[data-bid]")).to_be_in_viewport(ratio=0.8)
    expect(page.locator(".conference.table")).to_be_in_viewport(ratio=0.9)
    page.get_by_role("tab", name="Nations").click()
    expect(hand).to_have_count(0)
    page.get_by_role("tab", name="At hand").click()
    expect(hand.locator("[data-pass]")).to_be_visible()


def test_a_whole_game_against_two_bot_factions_and_its_auctions(sit):
    page = sit()
    new_table(page, 1)
    first = play(page, until="[data-bid]")
    assert first["ended"] in ("found", "over"), first
    if first["ended"] == "found":
        assert axe(page) == []
        with expect_answer(page):
            page.locator("[data-bid]").click()
    skip_ahead(page.url.rpartition("/")[2], [page], is_near_end)
    done = play(page)
    assert done["ended"] == "over", done
    assert int(first["board"]) + int(done["board"]) > 30
    pad = page.get_by_role("region", name="Result").locator("[data-score]")  # open by itself
    expect(pad).to_contain_text("Victory points")
    expect(page.locator("[data-again]")).to_be_visible()
    page.locator("[data-study]").click()
    expect(page.get_by_role("tab", name="Study")).to_have_attribute("aria-selected", "true")
    page.get_by_role("tab", name="Solitaire").click()
    expect(page.get_by_role("heading", name="What the bots did and why")).to_be_visible()
    assert axe(page) == []
