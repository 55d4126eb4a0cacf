"""Notices: a mail server and a webhook of our own receive them, once."""

# ruff: noqa: PT018  # two halves of one statement about a table belong together

import base64
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import func, select, update

from powderkeg.server.db import schema
from powderkeg.server.jobs import worker
from powderkeg.server.notices import senders
from tests.server.jobs.test_deadlines import DAY
from tests.server.notices.postbox import Post
from tests.server.visiting import ROOT, Clock, Running, running, until

pytestmark = pytest.mark.slow


@pytest.fixture
def post() -> Iterator[Post]:
    found = Post()
    yield found
    found.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def site(settings, clock, post) -> Iterator[Running]:
    mine = replace(
        settings, smtp_url=post.smtp_url, hooks_to_private=True, public_url="https://pk.example"
    )
    with running(mine, clock=clock) as found:
        yield found


def user(site, name, **fields):
    """An account with a proven address."""
    person = site.person()
    person.me = person.post("/accounts", {"name": name, "password": "correct horse"})

    async def prove():
        async with site.server.store.write() as tx:
            mine = update(schema.users).where(schema.users.c.id == person.me["id"])
            await tx.run(
                mine.values(email=f"{name}@example.org".lower(), email_proven=True, **fields)
            )

    site.do(prove())
    return person


def away(site, clock):
    clock.now += 600
    site.server.events.publish("jobs:notices", {})


def settle(site, clock):
    """Wait until nothing is left that is to be sent by now."""
    n, j = schema.notices.c, schema.jobs.c
    waits = n.status.in_(["waiting", "digest"]) & (n.send_at <= clock.now)
    notices = select(func.count()).where((n.status == "sending") | waits)
    jobs = select(func.count()).where(j.run_at <= clock.now)

    async def left():
        async with site.server.store.read() as tx:
            return await tx.value(notices) + await tx.value(jobs)

    def is_done():
        site.server.events.publish("jobs:notices", {})
        return site.do(left()) == 0

    until(is_done)


def both_move(ann, ben, table):
    for person in (ann, ben):
        now = person.get(f"/tables/{table}")
        if now["question"]:
            person.act(table, now["legal"][0], now["question"]["id"])


def test_your_turn_by_mail_in_my_language_with_a_link(site, clock, post):
    ann, ben = user(site, "Ann", lang="it"), user(site, "Ben")
    table = site.table(ann, ben, title="congress")
    away(site, clock)
    both_move(ann, ben, table)
    until(lambda: any("congress" in m for m in post.mails))
    mail = next(m for m in post.mails if "congress" in m)
    assert f"https://pk.example/t/{table}" in mail.replace("=\r\n", "")
    texts = " ".join(post.mails)
    assert "tocca a te" in texts or "it is your turn" in texts


@pytest.mark.slow
def test_a_refused_notice_is_tried_again_and_arrives_once(site, clock, post):
    ann, ben = user(site, "Ann", hook={"url": post.hook_url, "form": "json"}), user(site, "Ben")
    post.refuse = 3
    table = site.table(ann, ben)
    ann.post(f"/tables/{table}/proposals", {"kind": "draw"})

    def arrived() -> int:
        return sum("proposes a draw" in mail.replace("=\r\n", "") for mail in post.mails)

    def later() -> int:
        settle(site, clock)  # what is being sent when an hour goes by counts as lost
        clock.now += 3600
        settle(site, clock)
        return arrived()

    until(later)
    for _ in range(3):
        assert later() == 1


def test_tries_spread_over_most_of_a_day():
    pauses = [senders.retry_pause(tries) for tries in range(1, senders.MOST_TRIES)]
    assert pauses == sorted(pauses)
    assert pauses[0] == 60
    assert 0.5 * DAY < sum(pauses) < DAY


@pytest.mark.slow
def test_discord_and_a_tables_own_hook_one_message_a_turn(site, clock, post):
    ann, ben = user(site, "Ann"), user(site, "Ben")
    table = ann.post("/tables", {"game": "sparks", "seats": [{"seat": "red", "kind": "me"}]})["id"]
    ann.post(f"/tables/{table}/hooks", {"url": post.hook_url, "form": "discord"})
    assert ben.post(f"/tables/{table}/hooks", {"url": post.hook_url}, 403)
    ben.post(f"/tables/{table}/join")
    ann.post(f"/tables/{table}/start")
    until(lambda: post.hooks)
    settle(site, clock)
    assert len(post.hooks) == 1 and f"/t/{table}" in post.hooks[0]["content"]
    hooks = ann.get(f"/tables/{table}/hooks")["hooks"]
    assert hooks[0]["error"] == ""


def test_a_test_button_and_the_last_error(site, post):
    ann = user(site, "Ann")
    assert ann.post("/me/hook/test", expect=409)["code"] == "server.no_hook"
    ann.call("PATCH", "/me", {"hook": {"url": post.hook_url, "form": "json"}})
    ann.post("/me/hook/test")
    assert post.hooks[-1]["event"] == "test"
    post.refuse = 1
    refused = ann.post("/me/hook/test", expect=409)
    assert refused["code"] == "server.outside_refused" and "500" in refused["text"]


def test_a_webhook_that_says_no_more_than_its_address(site, post):
    """Its form is the usual one; and its owner is still a person who can play."""
    ann, ben = user(site, "Ann"), user(site, "Ben")
    me = ann.call("PATCH", "/me", {"hook": {"url": post.hook_url}})
    assert me["hook"] == {"id": "", "url": post.hook_url, "form": "json", "error": ""}
    table = site.table(ann, ben)
    ben.post(f"/tables/{table}/proposals", {"kind": "draw"})
    until(lambda: any(hook.get("event") == "proposal" for hook in post.hooks))


def test_the_last_error_of_a_webhook_is_in_its_owners_language(site, clock, post):
    ann, ben = user(site, "Ann", lang="it"), user(site, "Ben")
    ann.call("PATCH", "/me", {"hook": {"url": post.hook_url, "form": "json"}})
    table = site.table(ann, ben)
    post.refuse = 99  # one that arrives would wipe the error away
    ben.post(f"/tables/{table}/proposals", {"kind": "draw"})
    until(lambda: ann.get("/me")["hook"]["error"])
    assert ann.get("/me")["hook"]["error"] == "127.0.0.1 l\u2019ha rifiutato (stato 500)."


@pytest.mark.slow
def test_events_can_be_switched_off_or_gathered_into_a_digest(site, clock, post):
    ann, ben = user(site, "Ann"), user(site, "Ben")
    ben.call("PATCH", "/me", {"notices": {"proposal": "digest", "your_turn": "off", "near": "off"}})
    tables = [site.table(ann, ben) for _ in range(2)]
    for table in tables:
        ann.post(f"/tables/{table}/proposals", {"kind": "draw"})
    away(site, clock)
    settle(site, clock)
    mine = [m for m in post.mails if "To: ben@example.org" in m]
    assert mine == []
    clock.now += DAY
    site.server.events.publish("jobs:notices", {})
    until(lambda: any("To: ben@example.org" in m for m in post.mails))
    (mail,) = [m for m in post.mails if "To: ben@example.org" in m]
    assert all(f"/t/{table}" in mail.replace("=\r\n", "") for table in tables)


@pytest.mark.slow
def test_a_reminder_comes_once_before_the_deadline(site, clock, post):
    ann, ben = user(site, "Ann", zone="Europe/Madrid"), user(site, "Ben")
    site.table(ann, ben, settings={"clock": {"kind": "turn", "length": DAY}})
    clock.now += DAY * 0.8
    site.server.events.publish("jobs:notices", {})
    until(lambda: sum("runs out" in m for m in post.mails) == 2)
    due = "2027-01-16 09:00 (Europe/Madrid)"
    (mine,) = [m for m in post.mails if "To: ann" in m and "runs out" in m]
    assert due in mine.replace("=\r\n", "")
    clock.now += 60
    settle(site, clock)
    assert sum("runs out" in m for m in post.mails) == 2


def test_a_process_that_died_while_sending_sends_no_more(site, clock, post):
    ann, ben = user(site, "Ann"), user(site, "Ben")
    table = site.table(ann, ben)
    store = site.server.store

    async def leave_it_sending():
        async with store.write() as tx:
            row = {
                "key": "k", "user": ann.me["id"], "game": table, "way": "mail", "event": "nudge",
                "to": {"mail": "ann@example.org"}, "lang": "en",
                "said": {"code": "server.notice.test", "args": {}}, "status": "sending",
                "send_at": clock.now, "created": clock.now, "locked_until": clock.now - 1,
            }  # fmt: skip
            await tx.run(schema.notices.insert().values(**row))
        await site.server.sender.send_waiting()
        async with store.read() as tx:
            n = schema.notices.c
            return await tx.value(select(n.status).where(n.key == "k"))

    assert site.do(leave_it_sending()) == "unsure" and not any("reach you" in m for m in post.mails)


def test_a_link_by_mail_logs_in_once(site, post):
    ann = user(site, "Ann")
    other = site.person()
    other.post("/mail-links", {"email": "ann@example.org"})
    other.post("/mail-links", {"email": "nobody@example.org"})
    token = mailed_token(post)
    assert other.post("/mail-links/open", {"token": token})["name"] == "Ann"
    refused = site.person().post("/mail-links/open", {"token": token}, 404)
    assert refused["code"] == "server.login_link_dead"  # nobody to ask but the server itself
    assert "new email" in refused["text"]
    assert ann.get("/me")["kind"] == "person"


def mailed_token(post, place=0):
    """The secret out of a mail with a link to log in."""
    found = until(lambda: [m for m in post.mails if "/m/" in m][place:])[0].replace("=\r\n", "")
    return found.split("/m/")[1].split()[0].replace("=3D", "=")


def test_a_link_proves_the_address_that_it_was_sent_to(site, post):
    ann = site.person()
    wish = {"name": "Ann", "password": "correct horse", "email": "ann@example.org"}
    me = ann.post("/accounts", wish)
    assert me["mail"] and me["email"] == "ann@example.org" and not me["email_proven"]
    ann.post("/mail-links", {"email": "ann@example.org"})
    old = mailed_token(post)
    ann.call("PATCH", "/me", {"email": "Anna@example.org"})
    assert ann.post("/mail-links/open", {"token": old}, 404)
    assert not ann.get("/me")["email_proven"]
    ann.post("/mail-links", {"email": "anna@example.org"})
    assert ann.post("/mail-links/open", {"token": mailed_token(post, 1)})["email_proven"]


@pytest.mark.slow
def test_asking_for_a_link_takes_as_long_for_everybody(site, post):
    """The answer does not wait for the mail, which only somebody with an account gets."""
    user(site, "Ann")
    post.talks.clear()
    site.person().post("/mail-links", {"email": "ann@example.org"})
    post.talks.set()  # were the answer to wait, it would have come without a mail
    until(lambda: any("/m/" in mail for mail in post.mails))


def test_deadlines_never_wait_for_the_servers_of_others(site):
    assert not any("notices" in lane for lane in site.server.worker.lanes if len(lane) > 1)
    assert worker.NOTICE_LANE in site.server.worker.lanes


def test_two_webhooks_that_begin_alike_both_get_the_notice(site, post):
    """Addresses of some services are long, and differ at their end only."""
    ann, ben = user(site, "Ann"), user(site, "Ben")
    table = ann.post("/tables", {"game": "sparks", "seats": [{"seat": "red", "kind": "me"}]})["id"]
    for end in "ab":
        url = f"{post.hook_url}/{'x' * 300}{end}"
        ann.post(f"/tables/{table}/hooks", {"url": url, "form": "discord"})
    ben.post(f"/tables/{table}/join")
    ann.post(f"/tables/{table}/start")
    until(lambda: len(post.hooks) == 2)


@pytest.mark.slow
def test_what_was_sent_is_forgotten_in_time(site, clock, post):
    """Notices hold addresses; links out of mails open nothing after an hour."""
    ann, ben = user(site, "Ann"), user(site, "Ben")
    table = site.table(ann, ben)
    ann.post(f"/tables/{table}/proposals", {"kind": "draw"})
    site.person().post("/mail-links", {"email": "ann@example.org"})
    until(lambda: len(post.mails) >= 2)

    def kept(part: Any) -> int:
        async def count() -> Any:
            async with site.server.store.read() as tx:
                return await tx.value(select(func.count()).select_from(part))

        found: int = site.do(count())
        return found

    until(lambda: kept(schema.notices) and kept(schema.tokens))
    tokens = kept(schema.tokens)
    site.do(site.server.housekeeper.clean_up())
    assert kept(schema.notices) and kept(schema.tokens) == tokens
    clock.now += 31 * DAY
    site.do(site.server.housekeeper.clean_up())
    assert kept(schema.tokens) == tokens - 1
    until(lambda: _tidied(site, clock) and kept(schema.notices) == 0)


def _tidied(site, clock) -> bool:
    clock.now += DAY
    site.server.events.publish("jobs:notices", {})
    site.do(site.server.housekeeper.clean_up())
    return True


def test_an_invited_account_gets_a_notice_and_its_seat_waits(site, clock, post):
    ann, ben, eve = user(site, "Ann"), user(site, "Ben"), user(site, "Eve")
    seats = [{"seat": "red", "kind": "me"}, {"seat": "blue", "kind": "invited", "invite": "BEN"}]
    wish = {"game": "sparks", "title": "for two", "seats": seats, "settings": {"join": "link"}}
    table = ann.post("/tables", wish)["id"]
    until(lambda: any("invited" in m and "for two" in m for m in post.mails))
    assert eve.post(f"/tables/{table}/join", {}, 403)
    assert ben.get(f"/tables/{table}")["held"] == []
    for reader, invited in ((ben, [False, True]), (eve, [False, False])):
        seats_seen = reader.get(f"/tables/{table}")["seats"]
        assert [seat["for_me"] for seat in seats_seen] == invited
    assert ben.post(f"/tables/{table}/join")["held"] == ["blue"]
    wish["seats"][1]["invite"] = "nobody"
    assert ann.post("/tables", wish, 422)["code"] == "server.no_such_user"


WORKER = ROOT / "web" / "src" / "sw.ts"


def read_by_the_worker() -> set[str]:
    """The fields of a notice that the browser's worker knows."""
    (fields,) = re.findall(r"interface Notice \{(.*?)\}", WORKER.read_text(), re.DOTALL)
    return set(re.findall(r"(\w+)\??:", fields))


@pytest.mark.slow
def test_web_push_reaches_the_browsers_service(settings, clock, post):
    """It is sent once, and what the browser decrypts is what its worker reads."""
    import http_ece  # type: ignore[import-untyped]  # it ships no types
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
    from py_vapid import Vapid  # type: ignore[import-untyped]  # it ships no types

    vapid = Vapid()
    vapid.generate_keys()
    number = vapid.private_key.private_numbers().private_value.to_bytes(32)
    key = base64.urlsafe_b64encode(number).rstrip(b"=").decode()
    browser = ec.generate_private_key(ec.SECP256R1())
    point = browser.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    keys = {"p256dh": base64.urlsafe_b64encode(point).decode(), "auth": "c2l4dGVlbiBieXRlcyEh"}
    secret = base64.urlsafe_b64decode(keys["auth"])
    mine = replace(settings, vapid_key=key, hooks_to_private=True)
    with running(mine, clock=clock) as site:
        ann, ben = site.guest("Ann"), site.guest("Ben")
        assert len(ben.get("/me")["push_key"]) == 87
        ben.post("/me/pushes", {"endpoint": post.hook_url, "keys": keys})
        ben.post("/me/pushes", {"endpoint": post.hook_url.replace("hook", "gone"), "keys": keys})
        table = site.table(ann, ben)
        ann.post(f"/tables/{table}/proposals", {"kind": "draw"})
        until(lambda: post.hooks and post.gone)
        settle(site, clock)
        (sent,) = post.hooks
        notice = json.loads(http_ece.decrypt(sent["raw"], private_key=browser, auth_secret=secret))
        assert notice.keys() == read_by_the_worker()
        assert notice["link"].endswith(f"/t/{table}") and notice["table"] == table
        assert "draw" in notice["text"]
        # A browser that has unsubscribed is looked for once, and never again.
        until(lambda: len(ben.get("/me/data")["user"]["pushes"]) == 1)
        clock.now += 86400
        ann.post(f"/tables/{table}/proposals", {"kind": "pause"})
        until(lambda: len(post.hooks) == 2)
        settle(site, clock)
        assert post.gone == 1
