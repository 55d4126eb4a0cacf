"""What one wants next is in sight without scrolling: on a laptop and on a phone."""

import random

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from powderkeg.core.ask import One
from powderkeg.core.chance import Audited
from powderkeg.core.record import make_record, write_record
from powderkeg.core.table import Table
from powderkeg.games import diplomacy, risk_europe, versailles
from tests.browser.boards.test_board_diplomacy import as_france, say_ready
from tests.browser.boards.test_board_risk_europe import new_table
from tests.browser.boards.test_still_board import venice_falls
from tests.browser.decisions.moments import Moment, choose_action, first_moments, open_moment
from tests.browser.fast_forward import HEAD, send_answer
from tests.browser.letters.test_offers import JOIN, MAKE, START, offer_peace_and_a_zone
from tests.browser.test_ready import two_people

# Whether the whole of it is seen: inside the window, and nothing lies over its corners.
SEEN = """(e) => {
  const box = e.getBoundingClientRect();
  const corners = [box.left + 6, box.right - 6].flatMap((x) => [box.top + 6, box.bottom - 6].map((y) => [x, y]));
  return corners.every(([x, y]) => e.contains(document.elementFromPoint(x, y)));
}"""


def russia_builds() -> Moment:
    """Winter: Russia took Sweden and builds at one of its centres."""
    table = Table(diplomacy, 7, source=Audited(b"5eed" * 8))
    for order in ("F stp/sc - bot", "F bot - swe"):
        table.act("RUSSIA", order)
        for seat in sorted(table.to_act):
            table.act(seat, "ready")
    file = write_record(make_record(table))
    return Moment("a build", file, table.seats.index("RUSSIA"))


def expect_seen(what: Locator) -> None:
    """It comes into sight: a panel that has just opened may still be scrolled to."""
    what.wait_for()
    what.page.wait_for_function(SEEN, arg=what.element_handle())


def laptop(sit, lang: str = "en") -> Page:
    page: Page = sit(lang)
    page.set_viewport_size({"width": 1366, "height": 768})
    return as_france(page)


def test_typed_orders_have_their_field_in_sight_on_a_laptop(sit):
    page = laptop(sit, "it")
    expect_seen(page.locator("#typed-orders"))
    expect(page.locator("[data-row]")).to_have_count(3)
    for row in page.locator("[data-row]").all():
        expect_seen(row)
    page.get_by_role("tab", name="Lettere").click()
    expect_seen(page.get_by_label("Scrivi qui"))


def test_all_orders_of_a_turn_are_in_sight_on_a_tablet(sit):
    page = sit("it")
    page.set_viewport_size({"width": 820, "height": 1180})
    as_france(page)
    expect_seen(page.locator("#typed-orders"))
    expect(page.locator("[data-row]")).to_have_count(3)
    for row in page.locator("[data-row]").all():
        expect_seen(row)


def test_who_is_waited_for_covers_nobody_on_a_laptop(sit):
    ana, _ = two_people(sit)
    ana.set_viewport_size({"width": 1366, "height": 768})
    say_ready(ana)
    expect(ana.locator(".prompt [data-option=revise]")).to_be_visible()
    for lang in ("en", "es", "it"):
        ana.locator("header select").select_option(lang)
        expect(ana.locator("html")).to_have_attribute("lang", lang)
        expect_seen(ana.locator(".people li").first)


def test_the_column_stays_through_the_year(sit):
    """In Spanish the longest phase once took a line more than the others."""
    page = sit("es")
    page.set_viewport_size({"width": 1440, "height": 900})
    as_france(page)
    lines = "e => { const r = document.createRange(); r.selectNodeContents(e); return r.getClientRects().length }"
    assert page.locator("h1 .phase").evaluate(lines) == 1
    page.set_viewport_size({"width": 1366, "height": 768})
    assert page.locator("h1 .phase").evaluate("e => e.offsetLeft") < 900  # below the name
    top = "e => e.getBoundingClientRect().top"
    spring = page.locator(".bar.asked").evaluate(top)
    open_moment(page, venice_falls())
    expect(page.locator("h1 .phase")).to_contain_text("retiradas")  # beside it
    assert page.locator(".bar.asked").evaluate(top) == spring


def test_every_pen_of_a_sketch_is_in_sight_on_a_phone(sit):
    page = as_france(sit("es", "phone"))
    page.get_by_role("button", name="Boceto").click()
    for pen in page.get_by_role("radio").all():
        expect_seen(pen)


def test_all_seven_powers_stand_on_the_score_pad_of_a_phone(sit):
    page = as_france(sit("it", "phone"))
    page.locator("[data-score-pad]").click()
    pad = page.locator("[data-score]")
    expect(pad.get_by_role("columnheader")).to_have_count(7)
    assert pad.evaluate("e => e.parentElement.scrollWidth <= e.parentElement.clientWidth")


def test_what_a_proposal_asks_for_is_in_sight_below_an_open_one(sit):
    ana, ben = two_people(sit)
    ana.set_viewport_size({"width": 1366, "height": 768})
    for page in (ben, ana):
        page.get_by_role("tab", name="Proposals").click()
    ben.get_by_label("Propose", exact=True).select_option("extend")
    ben.get_by_role("button", name="Propose this").click()
    expect(ana.get_by_role("button", name="Agree")).to_be_visible()
    ana.get_by_label("Propose", exact=True).select_option("concede")
    expect_seen(ana.get_by_label("Who wins?"))
    expect_seen(ana.get_by_role("button", name="Propose this"))


def test_a_draw_is_proposed_on_a_laptop_without_scrolling(sit):
    page = laptop(sit)
    page.get_by_role("tab", name="Proposals").click()
    page.get_by_label("Propose", exact=True).select_option("draw")
    propose = page.get_by_role("button", name="Propose this")
    expect_seen(propose)
    propose.click()
    expect_seen(page.get_by_role("button", name="Yes, ask them"))
    expect_seen(page.get_by_text("This ends the game if these agree: Austria, England"))


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (1440, 900)])
def test_a_letter_and_its_answers_are_in_sight_on_a_laptop(sit, width, height):
    ana, bea = sit(), sit("es")
    bea.set_viewport_size({"width": width, "height": height})
    made = ana.evaluate(MAKE, ["ENGLAND", "random"])
    bea.evaluate(JOIN, [made["id"], made["invite"]])
    ana.evaluate(START, made["id"])
    for page in (ana, bea):
        page.goto(f"/t/{made['id']}")
    offer_peace_and_a_zone(ana)
    bea.get_by_role("tab", name="Mensajes").click()
    bea.get_by_role("button", name="Francia").click()
    expect_seen(bea.locator(".letter").last)
    bea.get_by_text("Hacer una oferta").click()
    expect(bea.get_by_label("¿Qué ofreces?")).to_have_value("peace")  # what was offered to me
    expect_seen(bea.get_by_label("¿Qué ofreces?"))
    expect(bea.get_by_role("button", name="Canal de la Mancha")).to_be_visible()
    expect_seen(bea.locator(".offer .first"))
    bea.get_by_text("Hacer una oferta").click()
    bea.get_by_role("button", name="Escribir a").click()
    expect_seen(bea.locator(".pick .button"))


def test_play_again_is_in_sight_at_the_end_on_a_phone(sit):
    page = as_france(sit("it", "phone"), options={"last_year": 1901})
    end = page.locator("[data-again]")
    for _ in range(9):  # two movements, their retreats, winter
        page.locator(".prompt [data-option=ready]").or_(end).first.wait_for()
        if end.count():
            break
        phase = page.locator("h1 .phase").inner_text()
        say_ready(page)
        expect(page.locator("h1 .phase")).not_to_have_text(phase)
    expect_seen(end)
    expect_seen(page.locator("[data-file]"))
    page.locator(".where button.phone").click()
    page.locator(".replay button").first.click()
    expect_seen(page.locator(".replay button").first)
    page.locator(".bar .button.first").click()
    page.locator("[data-study]").click()  # its plans are drawn on the map
    expect(end).to_have_count(0)


def test_every_build_is_in_sight_on_a_phone(sit):
    page = sit("en", "phone", settings="{pace: 'off'}")
    page.request.post("/api/guests", data={}, headers=HEAD)
    open_moment(page, russia_builds())
    page.locator("use.choice[data-place=stp]").focus()
    page.keyboard.press("Enter")
    choices = page.locator(".prompt [data-option]")
    expect(choices).to_have_count(4)  # an army, a fleet at either coast, nothing
    for choice in choices.all():
        expect_seen(choice)


def finished_idly(page: Page) -> None:
    """A short game of Diplomacy in which France orders nothing, and its study."""
    page.set_viewport_size({"width": 1366, "height": 768})
    table = as_france(page, options={"last_year": 1901}).url.rpartition("/")[2]
    page.goto("/healthz")
    while (now := page.request.get(f"/api/tables/{table}?text=0").json())["status"] == "live":
        if now["seat"] in now["to_act"]:
            send_answer(page, table, now["question"]["id"], "ready")
    page.goto(f"/t/{table}")
    page.locator("[data-study]").click()


def test_a_mistake_has_the_width_of_the_panel_and_its_plans_below(sit):
    page = sit("es")
    finished_idly(page)
    page.get_by_role("button", name="Repasar la partida").click()
    mistake = page.locator(".blunders > li").filter(has_text="No se hizo nada").first
    mistake.locator("button").first.click()
    plan = mistake.get_by_role("button", name="Mostrar en el tablero")
    plan.click()
    expect(page.locator(".atlas .pencil path").first).to_be_attached()
    line, below = mistake.locator("button").first.bounding_box(), plan.bounding_box()
    assert line is not None
    assert below is not None
    assert line["y"] + line["height"] <= below["y"]


def test_a_review_that_is_stopped_and_begun_again_runs_once(sit):
    """The answer to the first question comes after the second one was asked."""
    page = sit()
    finished_idly(page)
    held: list[Route] = []

    def hold_two(route: Route) -> None:
        if len(held) < 2:
            held.append(route)
        else:
            route.continue_()

    page.route("**/review?*", hold_two)
    page.get_by_role("button", name="Review the game").click()
    page.get_by_role("button", name="Stop", exact=True).click()
    with page.expect_request("**/review?*"):
        page.get_by_role("button", name="Review the game").click()
    while len(held) < 2:
        page.wait_for_timeout(50)
    for route in held:
        route.continue_()
    expect(page.get_by_role("button", name="Stop", exact=True)).to_have_count(0)
    page.wait_for_load_state("networkidle")
    shown = page.locator(".blunders > li").all_inner_texts()
    assert shown
    assert len(set(shown)) == len(shown)


def test_the_slider_of_a_replay_is_in_sight_in_a_narrow_column(sit):
    page = sit()
    page.set_viewport_size({"width": 1366, "height": 768})
    new_table(page)
    page.get_by_role("button", name="One step back").click()
    expect_seen(page.get_by_role("slider", name="Replay"))


def test_the_menu_of_a_table_is_in_sight_on_a_phone(sit):
    page = as_france(sit("it", "phone"))
    page.get_by_role("button", name="Questo tavolo").click()
    items = page.locator(".menu li").all()
    assert len(items) > 2
    for item in items:
        expect_seen(item)


@pytest.mark.parametrize(
    ("lang", "preset", "title"),
    [
        ("en", "ten", "An evening among very old friends"),
        ("it", "ten", "An evening among very old friends"),
        ("en", "day", "Versailles 1919"),
        ("es", "day", "Versailles 1919"),
    ],
)
def test_the_time_left_is_in_sight_on_a_phone(sit, lang, preset, title):
    page = as_france(sit(lang, "phone"), preset=preset, title=title)
    expect_seen(page.locator("h1 time"))
    expect_seen(page.locator("h1 .phase"))
    box = page.locator("h1").bounding_box()
    assert box is not None
    assert box["height"] <= 60


def decide(page: Page, step: str, players: int, entries: int) -> Page:
    """Open the first decision of a kind in a random conference."""
    page.request.post("/api/guests", data={}, headers=HEAD)
    moments = first_moments(versailles, players, entries)
    open_moment(page, next(moment for moment in moments if moment.kind.startswith(step)))
    return page


def test_an_event_is_read_where_it_is_decided_on_a_phone(sit):
    page = decide(sit("es", "phone", settings="{pace: 'off'}"), "ChoosePerform", 1, 60)
    page.wait_for_function(
        """() => {
          const [event, bar] = [".event.main", ".bar"].map((css) => document.querySelector(css));
          const box = event.getBoundingClientRect();
          return box.top > 0 && box.bottom <= bar.getBoundingClientRect().top;
        }"""
    )


@pytest.mark.parametrize(("step", "players", "entries"), [("Turn", 1, 60), ("ChooseFlag", 3, 100)])
def test_every_choice_of_a_few_is_in_sight_on_a_phone(sit, step, players, entries):
    page = decide(sit("es", "phone", settings="{pace: 'off'}"), step, players, entries)
    choices = page.locator(".prompt [data-option]")
    choices.first.wait_for()
    assert choices.count() >= 3
    for choice in choices.all():
        expect_seen(choice)


def test_a_first_question_says_who_and_why_on_a_phone(sit):
    page = decide(sit("en", "phone", settings="{pace: 'off'}"), "BotPlaces", 1, 60)
    expect_seen(page.get_by_text("is a bot: where does it place?"))


def turn_of_versailles(page: Page) -> None:
    page.request.post("/api/guests", data={}, headers=HEAD)
    moments = first_moments(versailles, 3, 40)
    open_moment(page, next(moment for moment in moments if moment.kind.startswith("Turn ")))


def test_the_form_for_a_deal_is_in_sight_on_a_phone(sit):
    page = sit("es", "phone", settings="{pace: 'off'}")
    turn_of_versailles(page)
    page.locator("[data-option=propose]").click()
    expect_seen(page.locator("#v-papers select").first)
    expect_seen(page.locator("#v-papers [type=checkbox]").first)


def test_who_looks_back_on_a_laptop_can_still_slide(sit):
    page = sit(settings="{pace: 'off'}")
    page.set_viewport_size({"width": 1366, "height": 768})
    turn_of_versailles(page)
    bar = page.get_by_role("group", name="Replay")
    bar.get_by_role("button", name="One step back").click()
    expect(bar.get_by_role("combobox", name="Speed of the replay")).to_be_visible()
    expect_seen(bar.get_by_role("slider"))


def test_where_points_come_from_and_the_slider_are_in_sight_at_the_end_on_a_phone(sit):
    rng, table = random.Random(1), Table(risk_europe, 4, risk_europe.Options(rounds=1))
    table.source = Audited(b"5eed" * 8)
    while asked := sorted(table.to_act):
        table.act(asked[0], table.legal(asked[0]).sample(rng))
    page = sit("it", "phone")
    page.request.post("/api/guests", data={}, headers=HEAD)
    file = write_record(make_record(table))
    made = page.request.post("/api/imports", data={"file": file}, headers=HEAD).json()
    page.goto(f"/t/{made['id']}")
    page.locator(".outcome summary").click()
    expect_seen(page.locator(".outcome .notes li").first)
    page.locator(".tools [aria-pressed=false].phone").click()
    bar = page.get_by_role("group", name="Replay")
    bar.get_by_role("button").nth(1).click()
    expect_seen(bar.get_by_role("slider"))
    expect_seen(page.locator(".prompt .button.first"))


def bargain() -> Moment:
    """The USA may do anything, two offers lie before it, and one of its own stands."""
    rng, table = random.Random(1), Table(versailles, 3, source=Audited(b"5eed" * 8))
    settle = ["settle", "reclaim", "place", "deploy", "demobilise"]
    while len(table.log) < 60 or not {*settle} <= set(verbs(table)):
        table.act(min(table.to_act), choose_action(table.legal(min(table.to_act)), rng))
    (me,) = table.to_act
    mine, *others = sorted(table.seats, key=lambda seat: seat != me)
    nations = {seat: table.view(seat)["nation"] for seat in table.seats}
    for other in others:
        offer = f"{nations[mine]}.give.{nations[other]}.2,{nations[mine]}.keepout.europe"
        table.act(other, f"propose {nations[mine]} {offer}")
    table.act(me, f"propose {nations[others[0]]} {nations[me]}.keepout.africa")
    return Moment("a bargain", write_record(make_record(table)), table.seats.index(me))


def verbs(table: Table) -> list[str]:
    """What the seat to act can begin with."""
    question = table.ask(min(table.to_act))
    assert question is not None
    assert isinstance(question.node, One)
    return [option.text for option in question.node.options]


@pytest.mark.parametrize(
    ("lang", "width", "height"), [("es", 1366, 768), ("it", 1440, 900), ("en", 820, 1180)]
)
def test_offers_and_the_choices_of_a_turn_are_in_sight_and_cover_nobody(sit, lang, width, height):
    page = sit(lang, settings="{pace: 'off'}")
    page.set_viewport_size({"width": width, "height": height})
    page.request.post("/api/guests", data={}, headers=HEAD)
    open_moment(page, bargain())
    expect(page.locator("[data-answer^=accept]")).to_have_count(2)
    for answer in page.locator("[data-deal] button").all():
        expect_seen(answer)
    for term in page.locator("[data-deal] li").all():
        expect_seen(term)
    for player in page.locator(".people li").all():
        expect_seen(player)
    for tab in page.locator(".side [role=tab]").all():
        expect_seen(tab)
    for verb in ("settle", "reclaim", "place", "deploy", "demobilise"):
        expect_seen(page.locator(f".prompt [data-option={verb}]"))
    last = page.locator(".prompt [data-option=propose]")
    if page.locator(".bar[data-more]").count():  # a sign says that there is more
        page.locator(".bar[data-more]").evaluate("bar => bar.scrollTo(0, bar.scrollHeight)")
        expect(page.locator(".bar[data-more]")).to_have_count(0)
    expect_seen(last)
