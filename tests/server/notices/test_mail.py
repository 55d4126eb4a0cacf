"""Mail: the address of a mail server, passwords only over encryption, and no connection left open."""

import asyncio
from dataclasses import fields
from typing import Any, ClassVar

import aiosmtplib
import pytest

from powderkeg.server.db.rows import NoticeRow
from powderkeg.server.notices import senders
from powderkeg.server.notices.webhooks import Unsent, Unsure
from powderkeg.server.settings import Settings


class Smtp:
    """A mail server that fails on request."""

    made: ClassVar["list[Smtp]"] = []

    def __init__(self, **given: Any) -> None:
        self.given = given
        self.done: list[Any] = []
        Smtp.made.append(self)

    async def connect(self) -> None:
        self.done.append("connect")

    async def login(self, *who: str) -> None:
        self.done.append(("login", *who))
        if "wrong" in who:
            raise aiosmtplib.SMTPAuthenticationError(535, "no")

    async def send_message(self, mail: Any) -> None:
        self.done.append("send")
        if "broken" in mail["To"]:
            raise aiosmtplib.SMTPServerDisconnected("gone")

    def close(self) -> None:
        self.done.append("close")


def mailed(monkeypatch, url, to="a@example.org"):
    monkeypatch.setattr(aiosmtplib, "SMTP", Smtp)
    asyncio.run(senders.send_mail(Settings(smtp_url=url), to, "t", "x", "k"))
    return Smtp.made.pop()


def test_what_is_quoted_in_the_address_of_a_mail_server_is_unquoted(monkeypatch):
    client = mailed(monkeypatch, "smtp://me%40example.org:a%2Fb@127.0.0.1")
    assert client.done == ["connect", ("login", "me@example.org", "a/b"), "send", "close"]


@pytest.mark.parametrize(
    ("url", "tls"),
    [
        ("smtp://127.0.0.1", (False, False, 587)),
        ("smtp://me:pw@127.0.0.1", (False, True, 587)),
        ("smtp+starttls://127.0.0.1:25", (False, True, 25)),
        ("smtps://me:pw@127.0.0.1", (True, False, 465)),
    ],
)
def test_passwords_travel_encrypted_only(monkeypatch, url, tls):
    given = mailed(monkeypatch, url).given
    assert (given["use_tls"], given["start_tls"], given["port"]) == tls


@pytest.mark.parametrize(
    ("url", "to", "problem"),
    [
        ("smtp://me:wrong@127.0.0.1", "a@example.org", Unsent),
        ("smtp://127.0.0.1", "a@broken.example.org", Unsure),
    ],
)
def test_a_mail_that_fails_leaves_no_line_open(monkeypatch, url, to, problem):
    with pytest.raises(problem):
        mailed(monkeypatch, url, to)
    assert Smtp.made.pop().done[-1] == "close"


class Gone(senders.NoticeSender):
    """Sends to people who are gone."""

    async def _send_mail(self, rows: list[NoticeRow]) -> None:
        raise senders.Undeliverable("no_mail")


def test_a_mail_whose_recipient_is_gone_fails_and_is_not_tried_again():
    blank: dict[str, Any] = dict.fromkeys(each.name for each in fields(NoticeRow))
    notice = NoticeRow(**blank | {"way": "mail", "lang": "en", "to": {}, "tries": 1})
    sender = Gone(None, Settings(), lambda: 0.0)
    assert asyncio.run(sender._try_sending([notice]))[0] == "failed"


def test_a_webhook_gets_the_form_that_it_asked_for():
    facts = {"event": "ended", "link": "https://pk.example/t/x"}
    assert senders.hook_body("json", "Over.", facts) == {**facts, "text": "Over."}
    assert senders.hook_body("discord", "Over.", facts) == {
        "content": "Over.\nhttps://pk.example/t/x"
    }
    with pytest.raises(AssertionError):
        senders.hook_body("telegraph", "Over.", facts)
