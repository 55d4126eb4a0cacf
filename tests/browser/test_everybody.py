"""Accessibility: keyboard alone, a phone, three languages, and what axe has to say."""

import re
from functools import cache
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from playwright.sync_api import Page, expect

from tests.browser.axe import axe
from tests.browser.boards.answers import count_answers, expect_answer
from tests.browser.boards.keys import FOCUS_KEPT, press_there
from tests.browser.boards.test_board_diplomacy import MAKE
from tests.browser.fast_forward import HEAD

ROOT = Path(__file__).parent.parent.parent
SCREENS = (
    "/",
    "/new/sparks",
    "/new/diplomacy",
    "/learn/diplomacy",
    "/settings",
    "/account",
    "/leagues",
    "/help",
    "/nowhere",
)


def play_now(page: Page, game: str = "sparks") -> None:
    page.locator(f"[data-game={game}] button.first").click()
    page.locator(".bar.asked").wait_for()


# By keyboard alone


def test_a_game_is_played_in_words_by_keyboard_alone(sit):
    page = sit(at="/", settings="{text: true}")
    page.locator("[data-game=sparks]").wait_for()  # before the page stands, Tab leads nowhere
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('[data-game=sparks] button.first')"):
            break
    page.keyboard.press("Enter")
    page.locator("[data-option]").first.wait_for()
    page.locator("body").press("Escape")  # leave the button that is no longer there
    result = page.get_by_role("region", name="Result")
    for _ in range(30):
        page.locator("[data-option]").first.or_(result).first.wait_for()
        if result.is_visible():
            break
        page.keyboard.press("1")
        expect(page.locator("[data-confirm]")).to_be_visible()
        with expect_answer(page):
            page.keyboard.press("Enter")
    expect(result).to_be_visible()
    page.keyboard.press("Home")
    expect(page.get_by_text("You are looking at an earlier moment.")).to_be_visible()
    page.keyboard.press("End")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_the_text_first_view_as_a_screen_reader_hears_it(sit):
    page = sit(at="/", settings="{text: true}")
    play_now(page)
    expect(page.get_by_role("region", name="Question")).to_match_aria_snapshot("""
        - region "Question":
          - paragraph: What do you do?
          - group "Your choice":
            - button /Card c\\d/
            - button /Card c\\d/
            - button /Card c\\d/
    """)
    expect(page.get_by_role("region", name="The board in words")).to_match_aria_snapshot("""
        - region "The board in words":
          - heading "Scores" [level=2]
          - list:
            - listitem: "red: 0"
            - listitem: "blue: 0"
          - heading "Your hand" [level=2]
          - list:
            - listitem: /Card c\\d/
            - listitem: /Card c\\d/
            - listitem: /Card c\\d/
    """)
    expect(page.get_by_role("complementary")).to_match_aria_snapshot("""
        - complementary "Table panels":
          - list "Players":
            - listitem
            - listitem
          - tablist "Table panels":
            - tab "Log" [selected]
            - tab "Letters"
            - tab "Proposals"
          - tabpanel "Log"
    """)
    players = page.get_by_role("list", name="Players").get_by_role("listitem")
    expect(players).to_have_text([re.compile("Red.*(Bot|Guest)"), re.compile("Blue.*(Bot|Guest)")])
    mine = page.locator(".players li.mine")  # the seat was drawn
    expect(mine).to_match_aria_snapshot("""
        - listitem:
          - text: /Red|Blue/
          - button "Guest"
          - text: to act
    """)
    expect(players.filter(has_not=page.get_by_role("button"))).to_match_aria_snapshot("""
        - listitem: /(Red|Blue).*Bot, normal/
    """)


def test_orders_are_given_in_words_by_keyboard(sit):
    page = sit(at="/", settings="{text: true}")
    play_now(page, "diplomacy")
    # There is no way back past what others do: wait until they all are ready.
    expect(page.locator(".players li.acting")).to_have_count(1)
    rows = page.get_by_role("list", name="Orders").get_by_role("button")
    first = rows.first
    first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("list", name="Chosen so far")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("list", name="Chosen so far")).to_have_count(0)
    first.focus()
    page.keyboard.press("Enter")
    with expect_answer(page):
        page.keyboard.press("1")
    expect(page.get_by_text(re.compile(r"Orders: 1 of \d"))).to_be_visible()
    expect(page.locator("[data-undo]")).to_be_visible()
    with expect_answer(page):
        page.keyboard.press("u")
    expect(page.get_by_text(re.compile(r"Orders: 0 of \d"))).to_be_visible()


HEARD = {
    "diplomacy": """
        - region "The board in words":
          - heading "Phase" [level=2]
          - list
          - heading "Austria" [level=2]
          - list
          - heading "England" [level=2]
          - list
          - heading "France" [level=2]
    """,
    "versailles": """
        - region "The board in words":
          - heading "Game" [level=2]
          - list
          - heading "Regions" [level=2]
          - list
          - heading "Nations" [level=2]
    """,
    "risk_europe": """
        - region "The board in words":
          - heading "The table" [level=2]
          - list
          - heading "Blue" [level=2]
          - list
          - heading "Orange" [level=2]
          - list
    """,
}


@pytest.mark.parametrize("game", list(HEARD))
def test_a_real_game_is_begun_in_words_by_keyboard_alone(sit, game):
    """A few decisions by number keys and Enter; what a screen reader hears keeps its shape."""
    page = sit(at="/", settings="{text: true}")
    play_now(page, game)
    board = page.get_by_role("region", name="The board in words")
    expect(board).to_match_aria_snapshot(HEARD[game])
    asked = page.get_by_role("region", name="Question")
    expect(asked).to_match_aria_snapshot("""
        - region "Question":
          - paragraph
    """)
    for _ in range(400):  # a busy page takes in only some of the keys
        if (acts := count_answers(page)) >= 3:
            break
        expect(asked.locator(".prompt")).not_to_have_class(re.compile("quiet"))
        if page.locator("[data-confirm]").count() or page.locator(".ask .first:enabled").count():
            page.keyboard.press("Enter")
        elif (row := page.locator("[data-row]")).count() and acts < 2:
            row.nth(acts).focus()
            page.keyboard.press("Enter")
        elif page.locator(".ask [role=spinbutton], .ask input[type=range]").count():
            page.locator(".ask [role=spinbutton], .ask input[type=range]").first.focus()
            page.keyboard.press("ArrowUp")
            page.locator("body").press("Enter")
        else:
            page.keyboard.press("1")
        page.wait_for_timeout(150)
    assert count_answers(page) >= 3, "three decisions were made"
    expect(page.get_by_role("alert")).to_have_count(0)


# A turn in words: where it begins, and where it has ended.
TURNS = {
    "versailles": ("[data-option=place]", ".prompt .quiet, .prompt [data-option=end]"),
    "risk_europe": ("Round 1: cards", "Round 2: cards"),
}
NEXT = """([goal, talk]) => {
  const found = (css) => [...document.querySelectorAll(css)].filter((e) => !e.disabled)[0];
  const say = document.querySelector(".say")?.textContent;
  const phase = document.querySelector("h1 .phase")?.textContent;
  if (goal.startsWith("Round") ? phase === goal : found(goal)) return "goal";
  if (/can (still )?change/.test(say)) return null;  // the others choose
  if (found("[data-confirm]")) return "[data-confirm]";
  if (found(".ask .button.first")) return ".ask .button.first:not(:disabled)";
  const option = [...document.querySelectorAll(".ask [data-option]")]
    .find((e) => !e.dataset.option.startsWith(talk));
  return option ? `.ask [data-option="${option.dataset.option}"]` : null;
}"""


def answer_in_words(page: Page, goal: str) -> None:
    """Answer by Tab and Enter whatever is asked, the first choice first; the focus is never lost."""
    for _ in range(2000):  # a press while an answer is on its way does nothing
        way = page.wait_for_function(NEXT, arg=[goal, "propose"]).json_value()
        if way == "goal":
            return
        press_there(page, way)
    raise AssertionError(f"{goal} never came")


@pytest.mark.parametrize("game", list(TURNS))
def test_a_whole_turn_is_played_in_words_by_keys_alone(sit, game):
    page = sit(settings="{text: true, confirm: false}")
    page.request.post("/api/guests", data={}, headers=HEAD)
    seats = {"versailles": ["P1", "P2"], "risk_europe": ["blue", "orange", "green", "purple"]}[game]
    bots = [{"seat": seat, "kind": "bot", "level": "random"} for seat in seats[1:]]
    wanted = {"game": game, "players": len(seats), "start": True}
    chairs = [{"seat": seats[0], "kind": "me"}, *bots]
    made = page.request.post("/api/tables", data={**wanted, "seats": chairs}, headers=HEAD).json()
    page.goto(f"/t/{made['id']}")
    begins, ends = TURNS[game]
    answer_in_words(page, begins)
    answer_in_words(page, ends)
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_turn_of_orders_is_played_in_words_by_keys_alone(sit):
    page = sit(settings="{text: true, confirm: false}")
    page.goto(f"/t/{page.evaluate(MAKE, {})}")
    for done, unit in enumerate(("par", "mar", "bre"), 1):
        press_there(page, f"[data-row={unit}]")
        press_there(page, ".ask [data-option$=' H']")
        expect(page.get_by_text(f"Orders: {done} of 3")).to_be_visible()
        page.wait_for_function(FOCUS_KEPT)
    phase = page.locator("h1 .phase")
    before = phase.inner_text()
    press_there(page, ".prompt [data-option=ready]")
    press_there(page, "[data-confirm]")
    expect(phase).not_to_have_text(before)
    page.wait_for_function(FOCUS_KEPT)


def test_terms_of_a_game_open_their_explanation_and_rule(sit):
    page = sit("it", at="/", settings="{text: true}")
    play_now(page, "diplomacy")
    term = page.locator("section.text .term").first
    term.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("D-SC-01")
    expect(dialog.get_by_role("link", name="Tutte le regole")).to_be_visible()
    page.keyboard.press("Escape")
    expect(term).to_be_focused()


def test_the_past_by_line_slider_and_keys(sit):
    page = sit(at="/", settings="{text: true}")
    play_now(page)
    for _ in range(2):
        page.locator("[data-option]").first.click()
        with expect_answer(page):
            page.locator("[data-confirm]").click()
        page.locator("[data-option]").first.wait_for()
    page.locator(".log .line").nth(1).click()
    back = page.get_by_text("You are looking at an earlier moment.")
    expect(back).to_be_visible()
    slider = page.get_by_role("slider", name="Replay")
    before = int(slider.input_value())
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_value(str(before + 1))
    page.locator("body").press("Shift+ArrowLeft")
    expect(slider).not_to_have_value(str(before + 1))
    page.locator("body").press("End")
    expect(back).to_have_count(0)


# On a phone


def test_a_game_is_played_on_a_phone_with_a_thumb(sit):
    page = sit("it", "phone", at="/")
    page.locator("[data-game=sparks] button.first").tap()
    result = page.get_by_role("region", name="Risultato")
    for _ in range(30):
        option = page.locator("[data-option]").first
        option.or_(result).first.wait_for()
        if result.is_visible():
            break
        box = option.bounding_box()
        assert box
        assert box["height"] >= 44
        option.tap()
        with expect_answer(page):
            page.locator("[data-confirm]").tap()
    expect(result).to_be_visible()
    page.get_by_role("navigation", name="Pagine").get_by_role("button", name="Cronaca").tap()
    expect(page.get_by_role("list", name="Cronaca")).to_be_visible()
    expect(result).to_be_hidden()
    page.get_by_role("navigation", name="Pagine").get_by_role("button", name="Lettere").tap()
    page.get_by_label("Scrivi qui").fill("Bella partita")
    page.get_by_role("button", name="Invia").tap()
    expect(page.get_by_text("Bella partita")).to_be_visible()


# What is chosen in a list, where its box is too small for it.
CUT = """() => [...document.querySelectorAll("select")].map((box) => {
  const [pen, style] = [document.createElement("canvas").getContext("2d"), getComputedStyle(box)];
  pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const arrow = 16;
  const room = box.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - arrow;
  const text = box.selectedOptions[0]?.text ?? "";
  return pen.measureText(text).width > room ? text : "";
}).filter(Boolean)"""


@pytest.mark.parametrize("size", ["phone", "tablet", "desk"])
def test_no_screen_is_wider_than_the_window(sit, size):
    page = sit("it", size, settings="{size: 115}")
    for path in SCREENS:
        page.goto(path)
        page.wait_for_load_state("networkidle")
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, (path, wide)
    page.goto("/")
    expect(page.locator("select").nth(3)).to_be_visible()
    assert page.evaluate(CUT) == []
    play_now(page, "diplomacy")
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


# In every language


@cache
def sentences(lang: str) -> dict[str, re.Pattern[str]]:
    """Every text of every catalogue, by code, as a pattern that its fields may fill."""
    found: dict[str, re.Pattern[str]] = {}
    places = (ROOT / "src/powderkeg/locale", ROOT / "tests/tiny/locale")
    for po in (po for place in places for po in place.glob(f"{lang}/LC_MESSAGES/*.po")):
        with po.open("rb") as file:
            for message in read_po(file):
                texts = message.string if isinstance(message.string, tuple) else (message.string,)
                for number, text in enumerate(texts):
                    if message.id and text:
                        key = f"{po.stem}:{message.id}:{number}"
                        found[key] = re.compile(
                            re.sub(r"\\\{.*?\\\}", "(.+)", re.escape(str(text))), re.DOTALL
                        )
    return found


def foreign(page: Page, lang: str) -> list[str]:
    """Texts on the page that the English catalogues have and those of `lang` do not."""
    texts = page.evaluate(
        """() => {
            const found = [];
            const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            while (walk.nextNode()) {
                const element = walk.currentNode.parentElement;
                const text = walk.currentNode.textContent.trim().replace(/\\s+/g, " ");
                const other = element.closest("[lang]").lang !== document.documentElement.lang;
                if (text && !other && !element.closest("script, style")) found.push(text);
            }
            for (const element of document.querySelectorAll("[aria-label], [title], [placeholder]"))
                for (const name of ["aria-label", "title", "placeholder"])
                    if (element.getAttribute(name)) found.push(element.getAttribute(name));
            return [...new Set(found)];
        }"""
    )
    english, own = sentences("en"), sentences(lang)
    bare = re.compile(r"^(web|server|core|sparks|diplomacy|versailles|risk_europe)\.\w")
    wrong = [text for text in texts if bare.match(text)]
    for text in texts:
        if not re.search(r"[A-Za-z]{3}", text) or any(p.fullmatch(text) for p in own.values()):
            continue
        codes = [c for c, p in english.items() if p.fullmatch(text) and len(p.pattern) > 4]
        specific = [c for c in codes if not english[c].pattern.startswith("(.+)")]
        if specific:
            wrong.append(f"{text} ({specific[0]})")
    return wrong


GAMES = ("diplomacy", "versailles", "risk_europe")


@pytest.mark.parametrize("lang", ["es", "it"])
def test_no_text_is_in_the_wrong_language(sit, lang):
    """Every address, with everything on it that can be unfolded."""
    page = sit(lang)
    wrong: dict[str, list[str]] = {}
    more = [f"/{screen}/{game}" for game in GAMES for screen in ("new", "learn", "rules")]
    for path in (*SCREENS, *more):
        page.goto(path)
        page.wait_for_load_state("networkidle")
        page.evaluate("for (const d of document.querySelectorAll('details')) d.open = true")
        wrong[path] = foreign(page, lang)
    page.goto("/new/sparks")
    page.locator("form button.first").click()
    page.locator("[data-seat=red]").wait_for()
    wrong["room"] = foreign(page, lang)
    assert {where: texts for where, texts in wrong.items() if texts} == {}


@pytest.mark.parametrize("lang", ["es", "it"])
@pytest.mark.parametrize("game", ["sparks", *GAMES])
def test_no_text_of_a_game_is_in_the_wrong_language(sit, lang, game):
    """The play screen: papers, proposals, menu, keys, the board in words, a term and its rule."""
    page = sit(lang, at="/")
    play_now(page, game)
    page.wait_for_load_state("networkidle")
    wrong = {"board": foreign(page, lang)}
    for tab in page.get_by_role("tab").all():
        tab.click()
        wrong[tab.inner_text()] = foreign(page, lang)
    kind = page.locator("#proposal-kind")
    for _ in range(20):
        if kind.is_visible():
            break
        page.locator("#tab-proposals").click()  # a bot's offer has opened its own tab meanwhile
    kind.select_option("deal")
    wrong["deal"] = foreign(page, lang)
    page.locator("[aria-controls=table-menu]").click()
    wrong["menu"] = foreign(page, lang)
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.get_by_role("dialog").wait_for()
    wrong["keys"] = foreign(page, lang)
    page.keyboard.press("Escape")
    if game == "diplomacy":
        page.locator(".map .tools button").last.click()  # pencil and paper
        page.get_by_role("radiogroup").wait_for()
        wrong["sketch"] = foreign(page, lang)
        page.keyboard.press("Escape")
    page.locator("body").press("t")
    page.locator("section.text").wait_for()
    wrong["in words"] = foreign(page, lang)
    if (term := page.locator("section.text .term")).count():
        term.first.click()
        page.get_by_role("dialog").wait_for()
        wrong["term"] = foreign(page, lang)
    assert {where: texts for where, texts in wrong.items() if texts} == {}


# What axe finds


@pytest.mark.parametrize("light", ["light", "dark"])
def test_axe_finds_nothing(sit, light):
    page = sit(color_scheme=light)
    found: dict[str, list[str]] = {}
    for path in SCREENS:
        page.goto(path)
        page.wait_for_load_state("networkidle")
        found[path] = axe(page)
    page.goto("/new/sparks")
    page.locator("form button.first").click()
    page.get_by_text("Waiting room").wait_for()
    found["room"] = axe(page)
    for game in ("sparks", "diplomacy"):
        page.goto("/")
        play_now(page, game)
        found[game] = axe(page)
        page.get_by_role("tab", name="Letters").click()
        found[f"{game} letters"] = axe(page)
        page.get_by_role("tab", name="Proposals").click()
        page.get_by_label("Propose", exact=True).select_option("deal")
        found[f"{game} proposals"] = axe(page)
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Keyboard shortcuts").click()
        found[f"{game} keys"] = axe(page)
        page.keyboard.press("Escape")
    assert {where: lines for where, lines in found.items() if lines} == {}
