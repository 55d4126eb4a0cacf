"""Getting in: how fast, who sits where, the link to send, names, lists, and pages about people."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import axe
from tests.browser.fast_forward import HEAD

CALL = """async ([method, path, body]) => {
  const answer = await fetch(`/api${path}`, {
    method, headers: {"x-powderkeg": "1", "content-type": "application/json"},
    body: body === null ? undefined : JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(path + " " + answer.status + " " + await answer.text());
  return answer.json();
}"""


def call(page: Page, method: str, path: str, body: Any = None) -> Any:
    """A request of the page's own, with its cookies."""
    return page.evaluate(CALL, [method, path, body])


def small_print(page: Page, summary: str) -> None:
    page.get_by_text(summary, exact=True).click()


def create(page: Page) -> Any:
    """Create the table that the form describes; return what the server made."""
    with page.expect_response(lambda r: r.url.split("?")[0].endswith("/api/tables")) as made:
        page.get_by_role("button", name="Create the table").click()
    return made.value.json()


def test_a_group_gets_the_time_it_needs(sit):
    """Half a day per movement, less for retreats, always at eight in the evening, weekends off."""
    page = sit(at="/new/diplomacy", timezone_id="Europe/Madrid")
    page.get_by_text("Over days", exact=True).click()
    for length in ("One day", "Two days", "Three days", "One week"):
        expect(page.get_by_text(f"{length} per turn", exact=True)).to_be_visible()
    page.get_by_text("12 hours per turn", exact=True).click()
    small_print(page, "More time settings: phases, hours, late players")
    page.get_by_label("Retreats", exact=True).fill("6")
    page.get_by_label("Retreats", exact=True).blur()
    page.get_by_label("Deadline always at").fill("20:00")
    page.get_by_label("Sat", exact=True).check()
    page.get_by_label("Sun", exact=True).check()
    page.get_by_role("spinbutton", name="Grace after the deadline").fill("2")
    page.get_by_role("spinbutton", name="Grace after the deadline").blur()
    page.get_by_label("Missed turns in a row until a bot plays").fill("1")
    page.get_by_label("Players may vote to pause").uncheck()
    table = create(page)["table"]
    clock, missed = table["settings"]["clock"], table["settings"]["missed"]
    assert (clock["kind"], clock["length"], clock["at"]) == ("turn", 43200, "20:00")
    assert (clock["zone"], clock["rest"]) == ("Europe/Madrid", [5, 6])
    assert clock["stages"]["retreat"] == 6 * 3600
    assert (missed["autopilot"], table["settings"]["pausing"]) == (1, False)
    expect(page.get_by_text("Turns end at 20:00 (Europe/Madrid).")).to_be_visible()
    expect(page.get_by_text("No deadlines on: Saturday and Sunday.")).to_be_visible()
    assert missed["grace"] > 0
    expect(page.get_by_text("Grace period: 2")).to_be_visible()


def test_an_evening_is_played_in_phases_of_minutes(sit):
    page = sit(at="/new/diplomacy")
    page.get_by_text("One evening", exact=True).click()
    expect(page.get_by_text("Half an hour each")).to_have_count(
        0
    )  # no bank where all decide at once
    for minutes in (10, 15):
        expect(page.get_by_text(f"{minutes} minutes per turn", exact=True)).to_be_visible()
    page.get_by_text("5 minutes per turn", exact=True).click()
    clock = create(page)["table"]["settings"]["clock"]
    assert clock["length"] == 300
    assert clock["stages"] == {"retreat": 150, "adjustment": 150}


def test_friends_at_one_screen_get_no_clock_unless_they_want_one(sit):
    page = sit(at="/new/sparks")
    expect(page.get_by_text("Half an hour each", exact=True)).to_be_visible()
    page.get_by_label("Who plays Blue?").select_option("here")
    expect(
        page.get_by_text("Everyone plays at this screen, so no clock is needed.")
    ).to_be_visible()
    assert create(page)["table"]["settings"]["clock"]["kind"] == "none"


def test_one_control_sets_the_level_of_all_bots(sit):
    page = sit(at="/new/diplomacy")
    page.get_by_text("Now, with bots", exact=True).click()
    page.get_by_role("group", name="Level of all bots").get_by_role("button", name="hard").click()
    expect(page.get_by_text("looks ahead and punishes mistakes")).to_be_visible()
    levels = {seat["level"] for seat in create(page)["table"]["seats"] if seat["kind"] == "bot"}
    assert levels == {"hard"}


def test_gunboat_is_one_choice(sit):
    page = sit(at="/new/sparks")
    small_print(page, "Table options")
    page.get_by_label("Letters").select_option("gunboat")
    page.get_by_label("Spectators").select_option(label="Not allowed")
    expect(page.get_by_label("Keep players anonymous")).to_be_checked()
    settings = create(page)["table"]["settings"]
    assert (settings["press"], settings["anonymous"]) == ("none", True)
    assert settings["watch"] == "off"
    terms = page.get_by_role("term").filter(has_text="Letters")  # the waiting room says so
    expect(terms.locator("xpath=following-sibling::dd[1]")).to_contain_text("Gunboat: no letters")


def test_two_people_choose_a_duel_beside_the_number_of_players(sit):
    page = sit(at="/new/diplomacy")
    duel = page.get_by_role("group", name="Duel")
    expect(duel).to_have_count(0)
    page.get_by_role("button", name="2", exact=True).click()
    expect(page.get_by_label("Who plays the Entente?")).to_be_visible()
    duel.get_by_role("button", name="Germany against Italy").click()
    expect(page.get_by_label("Who plays the Entente?")).to_have_count(0)
    page.get_by_label("Who plays Italy?").select_option("bot")
    page.get_by_role("button", name="hard", exact=True).click()
    seats = create(page)["table"]["seats"]
    assert [(seat["seat"], seat["level"]) for seat in seats] == [("GERMANY", ""), ("ITALY", "hard")]
    expect(page.get_by_text("Duel: Germany against Italy.")).to_be_visible()


def test_options_of_solitaire_are_shown_where_they_apply(sit):
    page = sit(at="/new/versailles")
    small_print(page, "Game options")
    expect(page.get_by_text("Cards under Rush to the Finish")).to_be_visible()
    expect(page.get_by_text(re.compile("^Solitaire:"))).to_have_count(0)
    page.get_by_role("button", name="1", exact=True).click()
    expect(page.get_by_text(re.compile("^Solitaire:")).first).to_be_visible()


def test_the_waiting_room_says_what_is_played_and_which_link_to_send(sit, browser, server):
    context = browser.new_context(
        base_url=server, viewport={"width": 1366, "height": 768}, locale="en-GB"
    )
    page = context.new_page()
    page.goto("/new/diplomacy")
    page.get_by_label("Your name at the table").fill("Ada")
    create(page)
    for words in (
        "Diplomacy for 7 players",
        "10 minutes per turn",
        "You play the seat you choose.",
    ):
        expect(page.get_by_text(words)).to_be_visible()
    expect(page.get_by_role("textbox", name="Link")).to_have_count(1)  # one link, no choice
    expect(page.get_by_role("img", name="The link as a QR code")).to_be_visible()
    begin = page.get_by_role("button", name="Start the game")
    box = begin.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 768
    assert axe(page) == []
    context.close()


def test_everybody_in_the_room_can_invite_change_seats_and_sees_that_it_is_full(sit):
    host, friend, late = sit(size="phone"), sit("it", "phone"), sit("es", "phone")
    for page, name in ((host, "Ann"), (friend, "Ben")):
        call(page, "POST", "/guests", {"name": name})
    wish = {"game": "risk_europe", "players": 3, "preset": "free"}
    seats = [{"seat": f"P{n}", "kind": kind} for n, kind in ((1, "me"), (2, "open"), (3, "open"))]
    names = [
        seat["seat"] for seat in host.request.get("/api/games/risk_europe").json()["seats"]["3"]
    ]
    for seat, name in zip(seats, names, strict=True):
        seat["seat"] = name
    table = call(host, "POST", "/tables", {**wish, "seats": seats})["id"]
    friend.goto(f"/t/{table}")
    friend.get_by_text("Altro su questo tavolo").click()
    expect(friend.get_by_text("Giochi nel posto che scegli.")).to_be_visible()
    friend.locator(f"[data-seat={names[1]}]").get_by_role("button", name="Siediti qui").click()
    link = friend.get_by_role("textbox", name="Link")
    expect(link).to_have_value(f"{friend.evaluate('location.origin')}/t/{table}")
    friend.locator(f"[data-seat={names[2]}]").get_by_role("button", name="Siediti qui").click()
    expect(friend.locator(f"[data-seat={names[2]}]")).to_contain_text("Ben (tu)")
    expect(friend.locator(f"[data-seat={names[1]}]")).to_contain_text("libero")
    host.goto(f"/t/{table}")
    host.get_by_role("button", name=re.compile("^Add a bot")).click()
    late.goto(link.input_value())
    expect(late.get_by_text("Todos los asientos están ocupados.")).to_be_visible()
    expect(late.get_by_label("Tu nombre en la mesa")).to_have_count(0)
    assert axe(late) == []


def test_the_code_holds_the_link(sit):
    """The squares are those of a known encoder: a picture that looks like a code is not enough."""
    page = sit(at="/new/sparks")
    create(page)
    link = page.get_by_role("textbox", name="Link").input_value()
    path = page.get_by_role("img", name="The link as a QR code").locator("path").get_attribute("d")
    assert path is not None
    dark = {tuple(map(int, xy)) for xy in re.findall(r"M(\d+) (\d+)h1", path)}
    size = max(x for x, _ in dark) + 3  # with a border of two
    for left, top in ((2, 2), (size - 9, 2), (2, size - 9)):  # the three large marks
        ring = {(left + i, top) for i in range(7)} | {(left, top + i) for i in range(7)}
        assert ring <= dark
        assert (left + 1, top + 1) not in dark
    assert 8 * len(link) < size * size  # large enough for the link


def test_a_guest_is_asked_for_a_name_and_the_seat_follows(sit):
    host = sit(at="/new/sparks")
    link = create(host)["link"]
    friend = sit(at=link)
    friend.get_by_role("button", name="Sit here").click()
    friend.get_by_label("What should the others call you?").fill("Bea")
    friend.get_by_role("button", name="Save name").click()
    expect(friend.get_by_label("What should the others call you?")).to_have_count(0)
    expect(host.locator("[data-seat=blue]").get_by_text("Bea")).to_be_visible()
    friend.goto("/settings")
    friend.get_by_role("textbox", name="Your name").fill("Beatriz")
    friend.get_by_role("button", name="Save name").click()
    expect(friend.get_by_text("Your seats show the new name.")).to_be_visible()
    expect(host.locator("[data-seat=blue]").get_by_text("Beatriz")).to_be_visible()


def test_an_account_made_on_the_way_takes_the_seat_along(sit):
    host = sit(at="/new/sparks")
    made = create(host)
    friend = sit(at=made["link"])
    friend.get_by_role("button", name="Sit here").click()
    expect(friend.get_by_role("button", name="Leave this seat")).to_be_visible()
    friend.get_by_role("link", name="Guest").click()
    friend.get_by_label("Name", exact=True).fill(f"Cleo{made['id']}")
    friend.get_by_label("Password").fill("correct horse")
    friend.get_by_role("button", name="Create an account").last.click()
    expect(friend.get_by_role("button", name="Leave this seat")).to_be_visible()
    assert friend.url.endswith(f"/t/{made['id']}?invite={made['invite']}")
    expect(host.locator("[data-seat=blue]").get_by_text(f"Cleo{made['id']}")).to_be_visible()


def test_my_tables_say_how_i_stand(sit):
    page = sit(at="/")
    card = page.locator("[data-game=diplomacy]")
    card.get_by_label("Level of all bots").select_option("easy")
    expect(card).to_contain_text("For a first game")
    card.get_by_label("Your seat").select_option("ITALY")
    card.get_by_role("button", name="Play now").click()
    players = page.get_by_role("list", name="Players")
    expect(players.locator("[data-seat=ITALY]")).to_contain_text("Guest")
    bot = re.compile("Bot.* easy, (loyal|opportunist|cautious)")
    expect(players.locator("[data-seat=RUSSIA]")).to_contain_text(bot)
    seat = "Italy"
    expect(page).to_have_title(re.compile(rf"● {seat} · Spring 1901, movement · ", re.IGNORECASE))
    page.get_by_role("tab", name="Coach").click()
    page.get_by_role("button", name="Give me a hint").click()
    hints = page.locator(".hints > li")
    expect(hints).to_have_text([re.compile("^Look here: .+")])
    page.get_by_role("button", name="Tell me more").click()
    expect(hints.nth(1)).to_have_text(re.compile("^Think of this: .+"))
    page.get_by_role("button", name="Tell me more").click()
    expect(hints.nth(2).get_by_role("listitem")).not_to_have_count(0)
    page.goto("/")
    expect(card.get_by_label("Level of all bots")).to_have_value("easy")
    expect(card.get_by_label("Your seat")).to_have_value("ITALY")
    other = page.locator("[data-game=versailles]")
    expect(other.get_by_label("Level of all bots")).to_have_value("easy")
    expect(other.get_by_label("Your seat")).to_have_value("")
    mine = page.get_by_role("region", name="My tables").get_by_role("listitem").first
    expect(mine).to_contain_text(re.compile(rf"{seat} · [34] · #\d of 7", re.IGNORECASE))
    expect(mine).to_contain_text("Spring 1901, movement")
    expect(mine).to_contain_text("Your turn")
    picture = mine.locator("img")
    expect(picture).to_be_visible()
    page.wait_for_function("image => image.naturalWidth > 100", arg=picture.element_handle())
    preview = page.request.get(mine.get_by_role("link").first.get_attribute("href") or "").text()
    assert re.search('og:title" content="[^"]*Diplomacy', preview)
    shown = re.search('og:image" content="([^"]+)"', preview)
    assert shown
    assert page.request.get(shown[1]).headers["content-type"].startswith("image/")


def test_a_full_table_is_not_listed_as_open(sit):
    host = sit(at="/new/sparks")
    small_print(host, "Table options")
    host.get_by_label("Name of the table").fill("Full house")
    made = create(host)
    watcher = sit(at="/")
    listed = watcher.get_by_role("region", name="Open tables").get_by_text("Full house")
    expect(listed).to_be_visible()
    call(host, "PUT", f"/tables/{made['id']}/seats/blue", {"kind": "bot"})
    watcher.reload()
    expect(watcher.get_by_role("region", name="Open tables")).to_be_visible()
    expect(listed).to_have_count(0)


def test_a_table_is_found_among_many(sit):
    host = sit()
    call(host, "POST", "/guests", {"name": "Zeno"})
    clocks = {"evening": {"kind": "turn", "length": 300}, "days": {"kind": "turn", "length": 86400}}
    for n in range(8):
        speed = "days" if n == 3 else "evening"
        seats = [{"seat": "red", "kind": "me"}]
        wish = {"game": "sparks", "title": f"Many {n}", "seats": seats}
        call(host, "POST", "/tables", {**wish, "settings": {"clock": clocks[speed]}})
    page = sit(at="/")
    tables = page.get_by_role("region", name="Open tables")
    page.get_by_label("Search tables and players").fill("many")
    page.get_by_label("Time limit").select_option("days")
    expect(tables.get_by_role("listitem")).to_have_count(1)
    expect(tables).to_contain_text("Many 3")
    expect(tables).to_contain_text("One table has open seats")
    language = page.get_by_role("search").get_by_label("Language")
    language.select_option("it")
    expect(tables).to_contain_text("No table matches.")
    language.select_option("en")
    expect(tables.get_by_role("listitem")).to_have_count(1)
    page.get_by_label("Game", exact=True).select_option("diplomacy")
    expect(tables).to_contain_text("No table matches.")


def test_my_own_table_is_found_among_many(sit):
    page = sit("es", at="/healthz", settings="{name: 'Zeno'}")
    page.request.post("/api/guests", data={"name": "Zeno"}, headers=HEAD)
    for n in range(8):
        bots = [{"seat": "red", "kind": "me"}, {"seat": "blue", "kind": "bot"}]
        seats = bots if n < 2 else bots[:1]  # two run, and it is my turn there
        wish = {"game": "sparks", "title": f"Mine {n}", "seats": seats, "start": n < 2}
        assert page.request.post("/api/tables", data=wish, headers=HEAD).ok
    page.goto("/")
    mine = page.get_by_role("region", name="Mis mesas")
    expect(mine).to_contain_text("Te toca en 2 mesas.")
    mine.get_by_label("Solo donde me toca").check()
    expect(mine.get_by_role("listitem")).to_have_count(2)
    mine.get_by_label("Buscar en mis mesas").fill("mine 1")
    expect(mine.get_by_role("listitem")).to_have_count(1)
    mine.get_by_label("Juego").select_option("diplomacy")
    expect(mine).to_contain_text("Ninguna mesa coincide.")
    assert axe(page) == []


# Pages about people


def account(page: Page, name: str) -> None:
    call(page, "POST", "/accounts", {"name": name, "password": "correct horse"})


def play_to_the_end(pages: list[Page], table: str) -> None:
    for _ in range(200):
        for page in pages:
            now = call(page, "GET", f"/tables/{table}?text=0&raw=1")
            if now["status"] != "live":
                return
            if now["question"]:
                body = {
                    "command": f"c{now['seq']}{now['seat']}",
                    "question": now["question"]["id"],
                    "text": now["legal"][0],
                }
                call(page, "POST", f"/tables/{table}/act", body)
    pytest.fail("the game does not end")


def rated_pair(sit: Any) -> tuple[Page, Page, str]:
    """Two accounts that have played two rated games; the second table."""
    first, second = sit(), sit()
    mark = call(first, "POST", "/guests", {"name": "x"})["id"][:6]
    account(first, f"Ida{mark}")
    account(second, f"Jon{mark}")
    table = ""
    for _ in range(2):
        wish = {
            "game": "sparks",
            "seats": [{"seat": "red", "kind": "me"}],
            "settings": {"rated": True},
        }
        table = call(first, "POST", "/tables", wish)["id"]
        call(second, "POST", f"/tables/{table}/join", {})
        call(first, "POST", f"/tables/{table}/start")
        play_to_the_end([first, second], table)
    return first, second, f"Ida{mark}"


def test_a_person_has_a_page_and_a_place(sit):
    first, _, name = rated_pair(sit)
    first.goto("/ratings/sparks")
    expect(first).to_have_title(re.compile("Ratings"))
    first.locator("#main").get_by_role("link", name=name).click()
    expect(first.get_by_role("heading", name=name)).to_be_visible()
    expect(first.get_by_role("img", name="Rating after each game")).to_be_visible()
    expect(first.get_by_text("2 games finished")).to_be_visible()
    expect(first.get_by_role("row")).to_have_count(3)
    assert axe(first) == []


def test_a_player_is_looked_at_and_reported(sit):
    host = sit(at="/new/sparks")
    host.get_by_label("Your name at the table").fill("Ada")
    made = create(host)
    friend = sit(at=made["link"])
    friend.get_by_label("Your name at the table").fill("Bea")
    friend.get_by_role("button", name="Sit here").click()
    expect(friend.get_by_role("button", name="Leave this seat")).to_be_visible()
    host.get_by_role("button", name="Start the game").click()
    friend.get_by_role("list", name="Players").get_by_role("button", name="Ada").click()
    dialog = friend.get_by_role("dialog")
    expect(dialog.get_by_text("Plays as a guest")).to_be_visible()
    dialog.get_by_role("button", name="Report bad conduct").click()
    dialog.get_by_label("What happened?").fill("Rude letters.")
    assert axe(friend) == []
    dialog.get_by_role("button", name="Send the report").click()
    expect(dialog.get_by_text("Sent. Thank you")).to_be_visible()


# Notices


def test_the_settings_say_plainly_which_channels_exist(sit):
    page = sit()
    call(page, "POST", "/guests", {"name": "Ada"})
    page.goto("/settings")
    expect(page.get_by_role("heading", name="On this device")).to_be_visible()
    expect(page.get_by_text("This server does not send email.")).to_be_visible()
    page.get_by_label("Address of the webhook").fill("http://127.0.0.1:9/hook")
    expect(page.get_by_label("Format").locator("option")).to_contain_text(["Discord"])
    page.get_by_label("Format").select_option("json")
    page.get_by_role("button", name="Save webhook").click()
    expect(page.get_by_text("Saved. Send a test message")).to_be_visible()
    page.get_by_role("button", name="Send a test message").click()
    expect(page.get_by_role("alert")).to_be_visible()  # a private address is refused, with words
    assert axe(page) == []
    page.get_by_role("button", name="Remove webhook").click()
    expect(page.get_by_role("button", name="Send a test message")).to_have_count(0)
    assert call(page, "GET", "/me")["push_key"]  # nobody configured it


@pytest.mark.parametrize("lang", ["en", "es", "it"])
@pytest.mark.parametrize(
    "path",
    [
        "/new/diplomacy",
        "/settings",
        "/ratings",
        "/reports",
        "/open",
        "/account",
        "/learn/diplomacy",
        "/rules/diplomacy",
    ],
)
def test_the_pages_have_no_faults_of_access(sit, lang, path):
    page = sit(lang, "phone")
    call(page, "POST", "/guests", {"name": "Ada"})
    page.goto(path)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    for summary in page.locator("details > summary").all():
        summary.click()
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    sit.forgive("403")  # reports are for hosts


def test_a_game_is_started_on_a_laptop_without_scrolling(sit):
    page = sit(at="/")
    page.set_viewport_size({"width": 1366, "height": 768})
    for game in ("diplomacy", "versailles", "risk_europe"):
        play = page.locator(f"[data-game={game}]").get_by_role("button", name="Play now")
        expect(play).to_be_in_viewport(ratio=1)


def test_a_named_guest_is_not_asked_for_a_name_on_a_new_device(sit):
    page = sit()
    call(page, "POST", "/guests", {"name": "Ana"})
    made = call(
        page, "POST", "/tables", {"game": "diplomacy", "seats": [{"seat": "ITALY", "kind": "me"}]}
    )
    page.goto(f"/t/{made['id']}")
    expect(page.locator("[data-seat=ITALY]").get_by_text("Ana")).to_be_visible()
    expect(page.get_by_label("What should the others call you?")).to_have_count(0)
