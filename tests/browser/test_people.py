"""People: accounts, mail, notices, language; and what they read when the line is down."""

import base64
import json
import re
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import axe
from tests.browser.conftest import serving
from tests.browser.fast_forward import HEAD
from tests.browser.test_coming_back import press
from tests.browser.test_everybody import foreign, play_now
from tests.browser.test_getting_in import call, create
from tests.server.notices.postbox import Post
from tests.server.notices.test_senders import mailed_token


def own(page: Page, path: str = "/me") -> Any:
    """What the server answers to this browser."""
    return page.evaluate("path => fetch(`/api${path}`).then((answer) => answer.json())", path)


def guest(page: Page) -> None:
    head = {"x-powderkeg": "1"}
    page.evaluate(
        "headers => fetch('/api/guests', { method: 'POST', headers, body: '{}' })",
        {**head, "content-type": "application/json"},
    )


@pytest.fixture(scope="module")
def post() -> Iterator[Post]:
    found = Post()
    yield found
    found.close()


@pytest.fixture(scope="module")
def wired(post: Post, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that sends mail and push, and has a host."""
    from py_vapid import Vapid  # type: ignore[import-untyped]  # it ships no types

    vapid = Vapid()
    vapid.generate_keys()
    number = vapid.private_key.private_numbers().private_value.to_bytes(32)
    key = base64.urlsafe_b64encode(number).rstrip(b"=").decode()
    env = {"POWDERKEG_SMTP_URL": post.smtp_url, "POWDERKEG_VAPID_KEY": key}
    folder = tmp_path_factory.mktemp("wired")
    with serving(folder) as address:
        register_warden(address)  # a name that is a host's can no longer be taken
    with serving(folder, POWDERKEG_HOSTS="Warden", **env) as address:
        yield address


def register_warden(address: str) -> None:
    body = json.dumps({"name": "Warden", "password": "correct horse"}).encode()
    head = {"x-powderkeg": "1", "content-type": "application/json"}
    wish = urllib.request.Request(f"{address}/api/accounts", body, head)
    urllib.request.urlopen(wish, timeout=60).close()


# Mail


def make_account(page: Page, name: str, email: str) -> None:
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password").fill("correct horse")
    page.get_by_label("Email (optional)").fill(email)
    page.locator("form").get_by_role("button", name="Create an account").click()
    expect(page.get_by_text("Not confirmed yet")).to_be_visible()


def test_an_address_is_proven_by_a_mail_and_lets_one_in_again(sit, wired, post):
    page = sit(at=f"{wired}/account")
    make_account(page, "Ann", "ann@example.org")
    assert axe(page) == []
    token = mailed_token(post)
    other = sit(at=f"{wired}/m/{token}")
    expect(other.get_by_role("link", name="Ann")).to_be_visible()
    assert other.url == f"{wired}/"
    page.reload()
    expect(page.get_by_text("confirmed", exact=True)).to_be_visible()
    page.get_by_label("New email address").fill("anna@example.org")
    page.get_by_role("button", name="Save address").click()
    expect(page.get_by_text("on its way to anna@example.org")).to_be_visible()
    page.goto(f"{wired}/m/{mailed_token(post, 1)}")
    expect(page).to_have_url(f"{wired}/")  # the link has been opened
    expect(page.get_by_role("link", name="Ann")).to_be_visible()
    assert own(page)["email_proven"]

    lost = sit(at=f"{wired}/account")
    lost.get_by_role("button", name="Sign in").click()
    lost.get_by_text("Forgot your password?").click()
    for email in ("nobody@example.org", "anna@example.org"):
        lost.get_by_label("Email address").fill(email)
        lost.get_by_role("button", name="Email me a link").click()
        expect(lost.get_by_text("If an account has this address")).to_be_visible()
    assert axe(lost) == []
    lost.goto(f"{wired}/m/{mailed_token(post, 2)}")
    expect(lost.get_by_role("link", name="Ann")).to_be_visible()
    lost.goto(f"{wired}/account")
    lost.get_by_text("Change password").first.click()
    lost.get_by_label("New password").fill("another horse")
    lost.get_by_role("button", name="Change password").click()
    expect(lost.get_by_text("Your password has been changed")).to_be_visible()

    dead = sit(at=f"{wired}/m/{token}")
    expect(dead.get_by_role("heading", name="no longer works")).to_be_visible()
    sit.forgive("404 (Not Found)")


def test_a_server_without_mail_asks_for_no_address(sit):
    page = sit(at="/account")
    expect(page.get_by_text("This server does not send email")).to_be_visible()
    expect(page.get_by_label("Email (optional)")).to_have_count(0)


# Reports


def test_a_host_reads_what_players_report(sit, wired):
    player = sit(at=f"{wired}/new/sparks")
    player.get_by_text("Now, with bots").click()
    table = create(player)["id"]
    report = {"seat": "blue", "text": "Wrote <b>insults</b>\nto everybody."}
    call(player, "POST", f"/tables/{table}/report", report)
    player.goto(f"{wired}/reports")
    expect(player.get_by_role("alert")).to_be_visible()  # no host, no reports
    expect(player.get_by_text("insults")).to_have_count(0)

    host = sit(at=f"{wired}/account")
    host.get_by_role("button", name="Sign in").click()
    host.get_by_label("Name", exact=True).fill("Warden")
    host.get_by_label("Password").fill("correct horse")
    host.locator("form").get_by_role("button", name="Sign in").click()
    host.get_by_role("link", name="Warden").click()
    host.get_by_role("link", name="Reports").click()
    line = host.get_by_role("listitem").filter(has_text="Blue")
    expect(line.get_by_role("blockquote")).to_have_text("Wrote <b>insults</b>\nto everybody.")
    expect(line).to_contain_text("reported by Guest")
    assert axe(host) == []
    line.get_by_role("link").click()
    expect(host).to_have_url(f"{wired}/t/{table}")
    sit.forgive("403 (Forbidden)")


# Notices


def test_a_token_for_a_bot_is_made_shown_once_and_revoked(sit):
    page = sit(at="/account")
    page.get_by_label("Name", exact=True).fill("Talleyrand")
    page.get_by_label("Password").fill("correct horse")
    page.locator("form").get_by_role("button", name="Create an account").click()
    page.wait_for_url("**/")
    page.goto("/account")
    page.get_by_text("Bots and programs").click()
    page.get_by_label("This account is for a bot").check()
    page.get_by_role("button", name="Make this a bot account").click()
    expect(page.get_by_text("This is a bot account")).to_be_visible()
    page.get_by_label("Name of the token").fill("my laptop")
    page.get_by_role("button", name="Create a token").click()
    token = page.get_by_label("Token", exact=True).input_value()
    assert token.startswith("pk_api_")
    read = "key => fetch('/api/me', { headers: { authorization: `Bearer ${key}` } }).then((a) => a.json())"
    assert page.evaluate(read, token)["kind"] == "bot"
    assert axe(page) == []
    page.get_by_role("button", name="Revoke my laptop").click()
    expect(page.get_by_text("my laptop")).to_have_count(0)
    expect(page.get_by_label("Token", exact=True)).to_have_count(0)
    assert own(page, "/me/tokens")["tokens"] == []
    page.goto("/new/sparks")
    page.get_by_role("button", name="Create the table").click()
    expect(page.locator("[data-seat=red]")).to_contain_text("s account")
    page.get_by_role("button", name="Add a bot at Blue").click()
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator(".players [data-seat=red]")).to_contain_text("s account")


def test_notices_are_shown_as_they_are_also_when_a_change_fails(sit):
    page = sit()
    guest(page)
    page.goto("/settings")
    turn = page.get_by_label("It's my turn")
    expect(turn).to_have_value("now")
    expect(page.get_by_label("I have a new letter")).to_have_value("off")
    page.context.set_offline(True)
    turn.select_option("off")
    expect(page.get_by_role("alert")).to_contain_text("Nothing was sent")
    expect(turn).to_have_value("now")
    page.context.set_offline(False)
    with page.expect_response("**/api/me?*"):  # the alert goes before the answer comes
        turn.select_option("digest")
    expect(page.get_by_role("alert")).to_have_count(0)
    assert own(page)["notices"]["your_turn"] == "digest"
    sit.forgive("ERR_INTERNET_DISCONNECTED")


# The browser's service, which no test can reach: what it has given is kept for the page.
SERVICE = """
    const given = () => JSON.parse(localStorage.given ?? "null");
    const made = () => ({
        toJSON: given,
        unsubscribe: async () => delete localStorage.given,
    });
    PushManager.prototype.getSubscription = async () => given() && made();
    PushManager.prototype.subscribe = async () => {
        if (localStorage.broken) throw new DOMException("push service error", "AbortError");
        localStorage.given = JSON.stringify({
            endpoint: "https://127.0.0.1:9/1", keys: { p256dh: "a", auth: "b" },
        });
        return made();
    };
    Object.defineProperty(Notification, "permission", { get: () => localStorage.allowed ?? "default" });
    Notification.requestPermission = async () => Notification.permission;
"""


def test_push_is_on_when_the_server_knows_of_it(sit, wired):
    page = sit(at=wired)
    page.context.add_init_script(SERVICE)
    guest(page)
    page.goto(f"{wired}/settings")
    allow = page.get_by_role("button", name="Allow notifications on this device")
    allow.click()  # the reader closes the browser's question: that is no answer
    expect(allow).to_be_visible()
    expect(page.get_by_text("blocks notifications from this site")).to_have_count(0)
    page.evaluate("localStorage.allowed = 'granted'")
    page.evaluate("localStorage.broken = 1")
    allow.click()
    expect(page.get_by_role("alert")).to_contain_text("cannot be reached")
    page.evaluate("delete localStorage.broken")
    allow.click()
    expect(page.get_by_text("Notifications are allowed on this device")).to_be_visible()

    def pushes() -> int:
        return len(own(page, "/me/data")["user"]["pushes"])

    assert pushes() == 1
    drop = "fetch('/api/me/pushes', { method: 'DELETE', headers: { 'x-powderkeg': '1' } })"
    page.evaluate(drop)
    with page.expect_response(re.compile("/me/pushes")):
        page.goto(wired)
    assert pushes() == 1


def test_notices_come_in_the_language_that_is_read(sit):
    page = sit(at="/")
    guest(page)
    page.reload()
    with page.expect_response(lambda r: r.request.method == "PATCH"):
        page.get_by_role("banner").get_by_label("Language").select_option("es")
    assert own(page)["lang"] == "es"


# Two tabs, another screen


def test_two_tabs_of_nobody_are_one_guest(sit):
    page = sit(at="/")
    page.get_by_role("link", name="Sign in").wait_for()
    guest(page)  # in the other tab
    me = own(page)["id"]
    page.locator("[data-game=sparks] button.first").click()
    expect(page.locator("[data-option]").first).to_be_visible()
    assert own(page)["id"] == me


def test_every_screen_has_a_title_and_begins_at_its_top(sit):
    page = sit(at="/")
    expect(page).to_have_title("Powderkeg")
    assert page.evaluate("document.activeElement === document.body")
    page.get_by_role("link", name="Settings").click()
    expect(page).to_have_title("Settings · Powderkeg")
    expect(page.locator("#main")).to_be_focused()
    page.go_back()
    expect(page).to_have_title("Powderkeg")
    for path, title in {
        "/new/diplomacy": "Diplomacy",
        "/learn/diplomacy": "Diplomacy",
        "/rules/diplomacy": "Diplomacy",
        "/help": "Help",
        "/account": "Account",
        "/open": "Open a game file",
        "/nowhere": "nothing at this address",
    }.items():
        page.goto(path)
        expect(page).to_have_title(re.compile(f"{title}.* · Powderkeg$"))


# Tables


def test_a_table_against_bots_begins_at_once_and_is_unlisted(sit):
    page = sit(at="/new/sparks")
    page.get_by_text("Now, with bots").click()
    page.get_by_text("Table options", exact=True).click()
    expect(page.get_by_label("Show in the list of open tables")).not_to_be_checked()
    expect(page.get_by_label("Level of the bot at Blue")).to_have_value("normal")
    page.get_by_role("button", name="Create the table").click()
    expect(page.locator("[data-option]").first).to_be_visible()
    table = page.url.rsplit("/", 1)[1]
    assert table not in json.dumps(own(sit(), "/lobby"))


def test_a_bot_that_is_seated_later_plays_as_usual(sit):
    page = sit(at="/new/sparks")
    page.get_by_role("button", name="Create the table").click()
    page.get_by_role("button", name="Add a bot at Blue").click()
    expect(page.locator("[data-seat=blue]")).to_contain_text("Bot, normal")
    page.goto("/")
    mine = page.get_by_role("region", name="My tables")
    expect(mine.get_by_text("30 minutes each")).to_be_visible()
    mine.get_by_role("link").first.click()
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("[data-option]").first).to_be_visible()
    page.goto("/")
    expect(mine.get_by_text(re.compile(r"^\d+ minutes left$"))).to_be_visible()


def test_a_step_back_in_a_lesson_stays(sit):
    """Also at a step that is done: it goes on by itself only where one has not been."""
    page = sit(at="/learn/diplomacy")
    page.get_by_role("button", name="Start the lesson").click()
    lesson = page.get_by_role("region", name="Lesson")

    def at(step: str) -> None:
        expect(lesson).to_have_attribute("data-step", f"lesson.diplomacy.{step}")

    at("welcome")
    for _ in range(2):
        lesson.get_by_role("button", name="Next").click()
    at("move")
    press(page, "use.choice[data-place=par]")
    press(page, "use.choice[data-place=bur]")
    at("support")
    lesson.get_by_role("button", name="Previous step").click()
    at("move")
    page.wait_for_timeout(500)
    at("move")
    lesson.locator(".button.tight:not(.square)").click()
    at("support")


# When the line is down


def test_a_link_to_a_seat_is_opened_when_the_line_is_back(sit):
    host = sit(at="/new/sparks")
    host.get_by_label("Who plays Blue?").select_option("invited")
    host.get_by_role("button", name="Create the table").click()
    link = host.locator("[data-invite=blue]").get_by_role("textbox", name="Link").input_value()
    friend = sit(service_workers="block")
    friend.route("**/api/seat-links/open*", lambda route: route.abort())
    friend.goto(link)
    expect(friend.get_by_role("alert")).to_contain_text("cannot be reached")
    expect(friend.get_by_role("heading", name="does not lead")).to_have_count(0)
    friend.unroute("**/api/seat-links/open*")
    friend.get_by_role("button", name="Try again").click()
    expect(friend.get_by_text("Waiting room")).to_be_visible()
    sit.forgive("ERR_FAILED")


def test_rules_and_lessons_that_cannot_be_read_now(sit):
    page = sit(service_workers="block")
    page.route("**/assets/diplomacy-*.js", lambda route: route.abort())
    page.goto("/rules/diplomacy")
    expect(page.get_by_role("alert")).to_contain_text("cannot be reached")
    page.goto("/learn/diplomacy")
    page.get_by_role("button", name="Start the lesson").click()
    expect(page.get_by_role("alert")).to_contain_text("cannot be reached")
    page.unroute("**/assets/diplomacy-*.js")
    page.goto("/rules/diplomacy")
    expect(page.locator("#D-ORD-01")).to_be_visible()
    sit.forgive("ERR_FAILED")


def test_a_link_is_copied_without_a_clipboard(sit):
    """As over plain HTTP at home; and where nothing works, it is said."""
    page = sit(permissions=["clipboard-read"])
    page.context.add_init_script(
        "Object.defineProperty(navigator, 'clipboard', {value: undefined})"
    )
    page.goto("/new/sparks")
    page.get_by_role("button", name="Create the table").click()
    link = page.get_by_role("textbox", name="Link")
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    letter = page.get_by_label("Write here")
    letter.focus()
    page.keyboard.press("Control+V")
    expect(letter).to_have_value(link.input_value())
    page.evaluate("document.execCommand = () => false")
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("alert")).to_contain_text("by hand")


# A change of language: all that is on the screen is in the new one


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
