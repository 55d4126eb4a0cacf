"""People at a table: setting it up, inviting, talking, playing, changing their mind, playing in a league."""

import itertools
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import axe
from tests.browser.boards.answers import count_answers, expect_answer
from tests.browser.fast_forward import HEAD, send_answer
from tests.browser.test_getting_in import create, small_print


def new_table(page: Page) -> str:
    """Set up a table of the tiny game, two seats, mine the first; return the link to share."""
    page.get_by_role("button", name="Create the table").click()
    expect(page.get_by_text("Waiting room")).to_be_visible()
    return page.get_by_role("textbox", name="Link").input_value()


def friend_sits_down(link: str, page: Page) -> Page:
    page.goto(link)
    page.get_by_role("button", name="Sit here").click()
    expect(page.get_by_role("button", name="Leave this seat")).to_be_visible()
    return page


def choose(page: Page) -> None:
    page.locator("[data-option]").first.click()
    page.locator("[data-confirm]").click()


def test_two_people_set_up_talk_play_and_look_back(sit):
    host = sit(at="/new/sparks")
    host.get_by_label("Your name at the table").fill("Ada")
    link = new_table(host)

    friend = sit("es")
    friend.goto(link)
    friend.get_by_label("Tu nombre en la mesa").fill("Bea")
    friend.get_by_role("button", name="Sentarme aquí").click()
    expect(host.get_by_text("Bea", exact=True)).to_be_visible()

    host.get_by_label("Write here").fill("Welcome!")
    host.get_by_role("button", name="Send").click()
    expect(friend.get_by_text("Welcome!")).to_be_visible()
    friend.get_by_label("Escribe aquí").fill("¡Hola!")
    friend.keyboard.press("Enter")
    expect(host.get_by_text("¡Hola!")).to_be_visible()

    host.get_by_role("button", name="Start the game").click()
    expect(friend.locator("[data-option]").first).to_be_visible()

    # A choice can be taken back until the other has chosen too.
    choose(host)
    expect(host.locator("[data-option]")).to_have_count(0)
    host.locator("[data-undo]").click()
    expect(host.locator("[data-option]").first).to_be_visible()
    choose(host)
    choose(friend)
    expect(friend.get_by_role("list", name="Crónica").get_by_text("punt").first).to_be_visible()

    # A line of the log leads to its moment, and back.
    lines = host.get_by_role("list", name="Log").get_by_role("button").filter(has_text="chose")
    lines.first.click()
    expect(host.get_by_text("You are looking at an earlier moment.")).to_be_visible()
    expect(host.locator("[data-option]")).to_have_count(0)
    host.keyboard.press("ArrowRight")
    host.keyboard.press("End")
    expect(host.get_by_text("You are looking at an earlier moment.")).to_have_count(0)


def test_a_proposal_waits_for_an_answer_and_ends_the_game(sit):
    host = sit(at="/new/sparks")
    link = new_table(host)
    friend = sit("it")
    friend.goto(link)
    friend.get_by_role("button", name="Siediti qui").click()
    expect(friend.get_by_role("button", name="Alzati")).to_be_visible()
    host.get_by_role("button", name="Start the game").click()

    host.get_by_role("tab", name="Proposals").click()
    host.get_by_label("Propose", exact=True).select_option("draw")
    host.get_by_role("button", name="Propose this").click()
    host.get_by_role("button", name="Yes, ask them").click()
    badge = friend.get_by_role("tab", name=re.compile("Proposte.*1", re.DOTALL))
    expect(badge).to_be_visible()
    badge.click()
    friend.get_by_role("button", name="Accetta").click()
    friend.get_by_role("button", name="Sì, finire la partita").click()
    expect(friend.get_by_role("region", name="Risultato")).to_be_visible()
    expect(host.get_by_role("region", name="Result")).to_be_visible()


def test_an_invited_seat_has_a_link_of_its_own(sit):
    host = sit(at="/new/sparks")
    host.get_by_label("Who plays Blue?").select_option("invited")
    host.get_by_role("button", name="Create the table").click()
    expect(host.get_by_role("img", name="The link as a QR code")).to_be_visible()
    link = host.locator("[data-invite=blue]").get_by_role("textbox", name="Link").input_value()
    friend = sit("es")
    friend.goto(link)
    expect(friend.get_by_text("Sala de espera")).to_be_visible()
    expect(friend.locator("[data-seat=blue]").get_by_text("(tú)")).to_be_visible()


def test_two_people_share_one_screen_and_hide_their_hands(sit):
    page = sit(at="/new/sparks")
    page.get_by_label("Who plays Blue?").select_option("here")
    page.get_by_role("button", name="Create the table").click()
    page.get_by_role("button", name="Start the game").click()
    for seat in ("Red", "Blue"):
        expect(page.get_by_role("heading", name=f"Pass the screen to {seat}")).to_be_visible()
        expect(page.locator("[data-option]")).to_have_count(0)
        page.get_by_role("button", name=f"I am {seat}").click()
        choose(page)


def test_a_person_at_a_shared_screen_can_take_it_out_of_turn(sit):
    """To agree to a draw, although it is the other who is to move."""
    page = sit(at="/new/sparks")
    page.get_by_label("Who plays Blue?").select_option("here")
    page.get_by_role("button", name="Create the table").click()
    page.get_by_role("button", name="Start the game").click()
    page.get_by_role("button", name="I am Red").click()
    page.get_by_role("tab", name="Proposals").click()
    page.get_by_label("Propose", exact=True).select_option("draw")
    page.get_by_role("button", name="Propose this").click()
    expect(page.get_by_text("This ends the game if these agree: Blue.")).to_be_visible()
    page.get_by_role("button", name="Yes, ask them").click()
    expect(page.get_by_text("proposes a draw")).to_be_visible()
    expect(page.get_by_role("button", name="Agree")).to_have_count(0)  # it is my own
    choose(page)
    page.get_by_role("button", name="I am Blue").click()
    page.get_by_role("button", name="I am Red").click()  # who has chosen already
    page.get_by_role("tab", name="Proposals").click()
    expect(page.get_by_text("proposes a draw")).to_be_visible()
    page.get_by_role("button", name="I am Blue").click()
    page.get_by_role("tab", name="Proposals").click()
    page.get_by_role("button", name="Agree").click()
    expect(page.get_by_text("If everyone agrees, the game ends now.")).to_be_visible()
    page.get_by_role("button", name="Yes, end the game").click()
    expect(page.get_by_role("region", name="Result")).to_be_visible()


def test_players_of_an_anonymous_table_come_to_the_board(sit):
    """No matter how often the table was changed before and who moves first."""
    host = sit(at="/new/sparks")
    host.get_by_text("Table options", exact=True).click()
    host.get_by_label("Keep players anonymous").check()
    link = new_table(host)
    for _ in range(3):
        host.get_by_role("button", name="Add a bot at Blue").click()
        host.get_by_role("button", name="Remove bot: Blue").click()
    friend = friend_sits_down(link, sit())
    host.get_by_role("button", name="Start the game").click()
    choose(host)
    choose(friend)
    for page in (host, friend):  # what both have chosen is shown to both
        expect(page.get_by_role("list", name="Log").get_by_text("point").first).to_be_visible()


def test_an_absent_player_can_be_replaced(sit):
    host = sit(at="/new/sparks")
    link = new_table(host)
    friend = friend_sits_down(link, sit())
    host.get_by_role("button", name="Start the game").click()
    host.get_by_role("tab", name="Proposals").click()
    host.get_by_label("Propose", exact=True).select_option("replace")
    host.get_by_label("Who is absent?").select_option(label="Blue")
    host.get_by_role("button", name="Propose this").click()
    expect(host.get_by_text("played by a bot")).to_be_visible()
    expect(friend.locator("[data-option]")).to_have_count(0)
    expect(host.get_by_role("alert")).to_have_count(0)


def test_keys_change_nothing_while_looking_back(sit):
    page = sit(at="/")
    page.locator("[data-game=sparks]").get_by_role("button", name="Play now").click()
    choose(page)
    page.locator("[data-option]").first.click()
    expect(page.locator("[data-confirm]")).to_be_visible()
    page.locator("body").press("Home")
    expect(page.get_by_text("You are looking at an earlier moment.")).to_be_visible()
    sent = count_answers(page)
    for key in ("Enter", "u", "1"):
        page.locator("body").press(key)
    slider = page.get_by_role("slider", name="Replay")
    slider.press("End")
    expect(page.get_by_text("You are looking at an earlier moment.")).to_have_count(0)
    expect(page.locator("[data-confirm]")).to_be_visible()
    assert count_answers(page) == sent


def test_the_language_changes_at_once(sit):
    page = sit(at="/")
    page.locator("[data-game=sparks]").get_by_role("button", name="Play now").click()
    expect(page.get_by_text("What do you do?")).to_be_visible()
    page.get_by_role("banner").get_by_label("Language").select_option("it")
    expect(page.get_by_role("tab", name="Cronaca")).to_be_visible()
    expect(page.get_by_text("Che cosa fai?")).to_be_visible()
    assert page.locator("html").get_attribute("lang") == "it"
    page.reload()
    expect(page.get_by_text("Che cosa fai?")).to_be_visible()


def test_what_was_begun_survives_a_reload(sit):
    page = sit(at="/", settings="{text: true}")
    page.locator("[data-game=diplomacy]").get_by_role("button", name="Play now").click()
    page.locator("[data-row]").first.click()
    with expect_answer(page, "draft"):
        page.locator("[data-option]").filter(has_text="move").click()
    trail = page.get_by_role("list", name="Chosen so far").inner_text()
    page.reload()
    expect(page.get_by_role("list", name="Chosen so far")).to_have_text(
        re.compile(r"\s*".join(map(re.escape, trail.split())))
    )


def test_a_lost_network_comes_back_by_itself(sit):
    page = sit(at="/")
    page.locator("[data-game=sparks]").get_by_role("button", name="Play now").click()
    page.locator("[data-option]").first.click()
    page.context.set_offline(True)
    expect(page.get_by_text("Reconnecting")).to_be_visible()
    page.locator("[data-confirm]").click()
    expect(page.get_by_role("alert")).to_contain_text("Nothing was sent")
    page.context.set_offline(False)
    expect(page.get_by_text("Reconnecting")).to_have_count(0)
    page.locator("[data-confirm]").click()
    expect(page.get_by_role("list", name="Log").get_by_role("listitem").first).to_be_visible()
    sit.forgive("ERR_INTERNET_DISCONNECTED")


def test_a_spectator_sees_and_cannot_act(sit):
    player = sit(at="/")
    player.locator("[data-game=sparks]").get_by_role("button", name="Play now").click()
    expect(player.locator("[data-option]").first).to_be_visible()
    watcher = sit(at=player.url)
    expect(watcher.get_by_role("list", name="Players")).to_be_visible()
    expect(watcher.locator("[data-option]")).to_have_count(0)


# Leagues


def play_on(table: str, people: list[Page]) -> None:
    """Answer every question through the API until the game is over."""
    for page in itertools.cycle(people):
        now: Any = page.request.get(f"/api/tables/{table}?text=0").json()
        if now["status"] == "over":
            return
        if now["question"]:
            send_answer(page, table, now["question"]["id"], now["legal"][0])


@pytest.mark.parametrize("size", ["desk", "phone"])
def test_friends_play_in_a_league_and_see_who_stands_where(sit, size):
    host = sit("en", size, at="/", settings="{name: 'Ann'}")
    host.get_by_role("link", name="Leagues").click()
    host.get_by_label("Name of the league").fill("Friday club")
    host.get_by_role("button", name="Start a league").click()
    host.wait_for_url("**/league/*")
    league = host.url
    expect(host.get_by_role("heading", name="Friday club")).to_be_visible()
    expect(host).to_have_title("Friday club · Powderkeg")
    expect(host.get_by_text("No game has finished yet.")).to_be_visible()
    assert axe(host) == []

    host.get_by_role("link", name="New table: Sparks").click()
    expect(host.get_by_role("link", name="League: Friday club")).to_be_visible()
    small_print(host, "Table options")
    expect(host.get_by_label("Show in the list of open tables")).not_to_be_checked()
    host.get_by_label("Name of the table").fill("First round")
    table = create(host)["id"]
    expect(host.get_by_role("link", name="League: Friday club")).to_be_visible()

    friend = sit("en", size, at="/", settings="{name: 'Ben'}")
    expect(friend.get_by_text("First round")).to_have_count(0)  # no public list has it
    friend.goto(league)
    line = friend.get_by_role("link", name="First round")
    expect(line).to_contain_text("Join")
    line.click()
    friend.get_by_role("button", name="Sit here").click()
    expect(friend.get_by_role("link", name="League: Friday club")).to_be_visible()
    host.get_by_role("button", name="Start the game").click()
    host.locator(".play").wait_for()
    host.get_by_role("button", name="This table").click()
    expect(host.get_by_role("link", name="League: Friday club")).to_be_visible()
    host.keyboard.press("Escape")
    play_on(table, [host, friend])

    card = host.get_by_role("region", name="Result")
    card.get_by_role("link", name="League: Friday club").click()
    expect(host).to_have_url(league)
    rows = host.get_by_role("row")
    expect(rows).to_have_count(3)
    for name in ("Ann", "Ben"):
        expect(rows.filter(has_text=name)).to_have_count(1)
    expect(host.get_by_role("link", name="First round")).to_have_attribute("href", f"/t/{table}")
    assert axe(host) == []
    assert host.evaluate("document.documentElement.scrollWidth <= innerWidth")

    host.goto("/")
    mine = host.get_by_role("region", name="My leagues")
    expect(mine.get_by_role("link", name="Friday club")).to_be_visible()
    host.goto("/leagues")
    expect(host.get_by_role("link", name="Friday club")).to_be_visible()
    assert axe(host) == []

    host.goto(league)
    host.get_by_text("Manage the league").click()
    host.get_by_label("Name of the league").fill("Saturday club")
    host.get_by_role("button", name="Rename").click()
    expect(host.get_by_role("heading", name="Saturday club")).to_be_visible()
    host.get_by_role("button", name="Stop new tables").click()
    expect(host.get_by_text("This league is closed")).to_be_visible()
    expect(host.get_by_role("link", name="New table: Sparks")).to_have_count(0)
    host.get_by_role("button", name="Take “First round” out").click()
    host.get_by_role("button", name="Take it out").click()
    expect(host.get_by_text("No game has finished yet.")).to_be_visible()
    friend.goto(league)
    expect(friend.get_by_role("heading", name="Saturday club")).to_be_visible()
    expect(friend.get_by_text("Manage the league")).to_have_count(0)


def test_a_league_that_does_not_exist_says_so(sit):
    page = sit(at="/league/nothing")
    expect(page.get_by_role("alert")).to_have_text("There is no such league.")
    sit.forgive("404 (Not Found)")


SQUEEZED = """() => [...document.querySelectorAll(".players li")].flatMap((seat) => {
  const name = seat.querySelector(".seat"), end = seat.querySelector(".end").getBoundingClientRect();
  const range = document.createRange();
  range.selectNodeContents(name);
  const words = range.getBoundingClientRect();
  const wrong = words.right > end.left || range.getClientRects().length > 1;
  return wrong ? [name.textContent] : [];
})"""


@pytest.mark.parametrize("game", ["diplomacy", "versailles"])
def test_a_free_seat_is_taken_over_and_its_name_stays_readable(sit, game):
    host, friend, watcher = (sit(lang, "tablet") for lang in ("en", "it", "es"))
    for page, name in ((host, "Annabella Castiglione"), (friend, "Bartolomeo")):
        page.request.post("/api/guests", data={"name": name}, headers=HEAD)
    wish = {"game": game, "preset": "free", "seats": [], "start": False}
    made = host.request.post("/api/tables", data=wish, headers=HEAD).json()
    for page in (host, friend):
        path = f"/api/tables/{made['id']}/join"
        page.request.post(path, data={"invite": made["invite"]}, headers=HEAD)
    host.request.post(f"/api/tables/{made['id']}/start", headers=HEAD)
    friend.request.post(f"/api/tables/{made['id']}/leave", headers=HEAD)
    watcher.set_viewport_size({"width": 820, "height": 1180})
    watcher.goto(f"/t/{made['id']}")
    take = watcher.get_by_role("button", name="Ocupar el asiento")
    expect(take).to_have_count(1)
    assert watcher.evaluate(SQUEEZED) == []
    take.click()
    expect(watcher.locator(".players .mine")).to_have_count(1)
    expect(watcher.locator(".players .mine")).to_contain_text("Invitado")


def test_a_player_leaves_a_league_and_its_owner_deletes_it(sit):
    host, friend = sit("en"), sit("it", "phone")
    for page in (host, friend):
        page.request.post("/api/guests", data={"name": "Somebody"}, headers=HEAD)
    league = host.request.post("/api/leagues", data={"name": "Club"}, headers=HEAD).json()["id"]
    wish = {"game": "sparks", "league": league, "seats": [{"seat": "red", "kind": "me"}]}
    table = host.request.post("/api/tables", data=wish, headers=HEAD).json()["id"]
    friend.request.post(f"/api/tables/{table}/join", data={}, headers=HEAD)

    friend.goto(f"/league/{league}")
    friend.get_by_role("button", name="Lascia la lega").click()
    question = friend.get_by_role("dialog", name="Lascia la lega: Club")
    expect(question).to_contain_text("continua a contare in classifica")
    assert axe(friend) == []
    question.get_by_role("button", name="Lasciala").click()
    friend.wait_for_url("**/leagues")
    expect(friend.get_by_role("link", name="Club")).to_have_count(0)

    host.goto(f"/league/{league}")
    host.get_by_text("Manage the league").click()
    host.get_by_role("button", name="Delete the league").click()
    question = host.get_by_role("dialog", name="Delete the league: Club")
    expect(question).to_contain_text("running tables go on")
    question.get_by_role("button", name="Cancel").click()
    expect(question).to_have_count(0)
    host.get_by_role("button", name="Delete the league").click()
    question.get_by_role("button", name="Delete", exact=True).click()
    host.wait_for_url("**/leagues")
    expect(host.get_by_role("link", name="Club")).to_have_count(0)
    friend.goto(f"/t/{table}")
    expect(friend.get_by_role("button", name="Alzati")).to_be_visible()
