"""A game by mail: mailboxes of all kinds go in, the next position and an answer per player come out."""

import re
from email import message_from_bytes, policy
from pathlib import Path

import pytest
from typer.testing import CliRunner

from powderkeg.cli.moderate.mail_files import html_text, is_mail, parse_mails, read_mails
from powderkeg.cli.moderate.players_file import parse_game_file
from powderkeg.core.errors import Unreadable
from powderkeg.core.words import LANGS
from powderkeg.games.diplomacy.board import Unit
from powderkeg.games.diplomacy.judge.answers import arrived_page, moderator_page, player_answer
from powderkeg.games.diplomacy.judge.letters import Letter, Player, Players, letter_lines
from powderkeg.games.diplomacy.judge.page import judge_page
from powderkeg.games.diplomacy.judge.post import PostedPhase, judge_letters
from powderkeg.games.diplomacy.judge.sheet import Sheet, first_sheet
from tests.games.diplomacy.judge.sample import app

ANNA, BRUNO, CARLA = "anna@example.org", "bruno@example.org", "carla@example.org"
PLAYERS = Players(
    {"FRANCE": Player(frozenset([ANNA])), "ITALY": Player(frozenset([BRUNO]), "it")},
    frozenset(["gm@example.org"]),
)

REPLY = """\
Hi GM,

hope all is well. My orders for this week:

A Par-Bur
A Mar S A Par - Burgandy
F Bre-MAO

See you in spring 1902!
Best regards, Anna
--{blank}
Anna - Paris office
A Mar H

On Mon, 9 Nov 2026 at 10:00, GM <gm@example.org> wrote:
> A Par H
""".replace("{blank}", " ")


def orders(posted: PostedPhase, power: str) -> list[str]:
    return list(map(str, posted.turn.orders.get(power, [])))


def letter(text: str, sender: str = ANNA, sent: str = "Monday", subject: str = "") -> Letter:
    return Letter(text, sender, subject, sent)


def judge(*letters: Letter, players: Players = PLAYERS, sheet: Sheet | None = None) -> PostedPhase:
    return judge_letters(sheet or first_sheet(), letters, players)


# Letters


def test_greetings_quotations_and_signatures_are_no_orders():
    posted = judge(letter(REPLY))
    assert orders(posted, "FRANCE") == ["A par - bur", "A mar S A par - bur", "F bre - mao"]
    assert posted.is_complete()
    reply = moderator_page(posted, "en")
    assert "France: “A Mar S A Par - Burgandy” was read as A Mar S A Par-Bur." in reply
    assert "No orders from Austria, England, Germany, Italy, Russia and Turkey." in reply


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("A Par H\n> A Par-Bur", ["A Par H"]),
        ("From: x@y\nSubject: z\n\nA Par H", ["", "A Par H"]),
        ("A Par H\n\nFrom: gm\nSent: today\nA Par-Bur", ["A Par H", ""]),
        ("A Par H\n-----Original Message-----\nA Par-Bur", ["A Par H"]),
        ("El lunes, GM escribió:\n> hola\n*E Par M*", ["E Par M"]),
        ("A Par H\n-- \nA Par-Bur", ["A Par H"]),
    ],
)
def test_what_the_sender_wrote(text, kept):
    assert list(letter_lines(text)) == kept


def test_the_latest_order_of_a_unit_counts_and_that_is_said():
    posted = judge(letter(REPLY), letter("Change of mind: A Par-Pic", sent="Tuesday"))
    assert sorted(orders(posted, "FRANCE")) == ["A mar S A par - bur", "A par - pic", "F bre - mao"]
    change = "France: the letter of Tuesday replaces A Par-Bur with A Par-Pic."
    assert change in moderator_page(posted, "en")
    assert change in player_answer(posted, "FRANCE", "en")


def test_a_letter_that_adds_an_order_replaces_only_what_it_changes():
    posted = judge(letter("A Par-Bur"), letter("A Par-Pic\nF Bre-MAO", sent="Tuesday"))
    assert "replaces A Par-Bur with A Par-Pic." in moderator_page(posted, "en")


def test_in_winter_the_latest_letter_counts():
    page = "Winter 1901\nUnits\nFrance: A Spa\nCentres\nFrance: Par, Bre, Mar, Spa"
    sheet = judge_page(page)[-1].sheet
    posted = judge(letter("Build F Bre, build A Par"), letter("Build A Mar"), sheet=sheet)
    assert orders(posted, "FRANCE") == ["A mar B"]
    assert "replaces F Bre B and A Par B with A Mar B" in moderator_page(posted, "en")
    posted = judge(letter("Build F Bre, build A Par"), letter("Build A Par"), sheet=sheet)
    assert "drops F Bre B." in moderator_page(posted, "en")


def test_small_talk_after_the_orders_changes_nothing():
    posted = judge(letter("A Par-Bur"), letter("Thanks for moderating!\nAnna", sent="Tuesday"))
    assert orders(posted, "FRANCE") == ["A par - bur"]


def test_what_was_not_read_is_said_to_the_moderator_and_to_the_player():
    posted = judge(letter("A Par-Xyz\nF Bre-MAO"))
    assert not posted.is_complete()
    for reply in (moderator_page(posted, "en"), player_answer(posted, "FRANCE", "en")):
        assert "France, “A Par-Xyz”: No place on the map is called “Xyz”" in reply
        assert "France: no order for A Par and A Mar." in reply
    assert "Xyz" not in player_answer(posted, "ITALY", "en")


def test_an_unread_line_is_forgotten_when_every_unit_has_an_order():
    late = "A Par H, A Mar H, F Bre H"
    assert judge(letter("A Par-Xyz"), letter(late)).is_complete()
    assert not judge(letter("A Par-Xyz"), letter("A Mar H")).is_complete()


@pytest.mark.parametrize(
    ("sender", "subject", "text"),
    [
        (ANNA, "", "A Par-Bur"),
        ("x@y", "France: orders", "A Par-Bur"),
        ("x@y", "", "France: A Par-Bur"),
        ("x@y", "", "FRANCE\nA Par-Bur\n\nCheers"),
        ("x@y", "", "A Par-Bur\nF Bre-MAO"),  # only France has these units
    ],
)
def test_whose_orders_a_letter_has(sender, subject, text):
    players = PLAYERS if sender == ANNA else Players()
    posted = judge(letter(text, sender, subject=subject), players=players)
    assert orders(posted, "FRANCE")[0] == "A par - bur"
    assert posted.is_complete()


def test_no_player_orders_the_units_of_another():
    posted = judge(letter("Italy: A Ven-Tri\nFrance: A Par-Bur"))
    assert (orders(posted, "ITALY"), orders(posted, "FRANCE")) == ([], ["A par - bur"])
    assert "“A Ven-Tri” is an order for Italy" in moderator_page(posted, "en")
    by_gm = judge(letter("Italy: A Ven-Tri", "gm@example.org"))
    assert orders(by_gm, "ITALY") == ["A ven - tri"]


def test_a_stranger_is_named():
    posted = judge(letter("France: A Par-Bur", "mallory@example.org"))
    assert not posted.turn.orders
    assert "No player has the address mallory@example.org" in moderator_page(posted, "en")


def test_a_page_sent_back_gives_only_its_orders():
    """Players answer by filling in the page that they were sent."""
    page = moderator_page(judge(), "en").replace("France:\n", "France: A Par-Bur\n")
    sheet = judge_page(page)[-1].sheet
    posted = judge(letter(page), sheet=sheet)
    assert orders(posted, "FRANCE") == ["A par - bur"]
    assert posted.is_complete()


def test_orders_for_another_phase_are_left_alone():
    posted = judge(letter("Spring 1901\nA Par-Bur\n\nFall 1901\nA Par H, A Bur-Mun"))
    assert orders(posted, "FRANCE") == ["A par - bur"]


def test_a_power_that_sends_none_is_not_missing():
    assert "FRANCE" not in judge(letter("none")).missing


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["A Par H," * 12_000, "S. A " * 20_000, "(," * 50_000, "A\n" * 50_000]
)
def test_a_flood_is_read_in_part(text):
    assert judge(letter(text)).turn.judged


def test_what_has_arrived_so_far():
    reply = arrived_page(judge(letter("A Par-Bur")), "es")
    assert reply.startswith("Órdenes hasta ahora: Primavera de 1901")
    assert "Francia: E Par-Bor" in reply
    assert "Faltan las órdenes de" in reply


# Mail


def mail(
    text: str, sender: str, day: int, *, charset: str = "utf-8", kind: str = "plain", more: str = ""
) -> bytes:
    head = (
        f"From: =?utf-8?q?A_Player?= <{sender}>\nTo: gm@example.org\nSubject: Orders\n{more}"
        f"Date: Tue, {day} Nov 2026 10:00:00 +0100\nMessage-ID: <{day}.{sender}>\nMIME-Version: 1.0\n"
        f'Content-Type: text/{kind}; charset="{charset}"\nContent-Transfer-Encoding: 8bit\n\n'
    )
    return head.encode() + text.encode(charset)


MULTIPART = b"""\
From: Carla <Carla@Example.org>
Subject: =?utf-8?q?Mis_=C3=B3rdenes?=
Date: Tue, 10 Nov 2026 12:00:00 -0500
Message-ID: <carla@example.org>
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary="b"

--b
Content-Type: text/plain; charset="iso-8859-1"
Content-Transfer-Encoding: quoted-printable

Hola, aqu=ED van mis =F3rdenes.

E M=FAn-Bor
E Ber-Kie. F Kie-Din.

Un saludo

--b
Content-Type: text/html; charset="iso-8859-1"

<p>E M&uacute;n M</p>
--b--
"""

HTML = "<div>Ciao,</div><div>A Ven-Tri<br>A Rom-Ven</div><blockquote>F Nap M</blockquote><p>F Nap-Ion</p>"

GAME = """\
name = "Friday"
moderator = "gm@example.org"

[players]
France = "anna@example.org"
Italia = { mail = "bruno@example.org", lang = "it" }
Germany = ["carla@example.org"]
Turkey = "dora@example.org"
"""


def mails() -> list[bytes]:
    return [
        mail("A Par-Bur\nA Mar S A Par-Bur\nF Bre-MAO\n", ANNA, 10),
        MULTIPART,
        mail(HTML, BRUNO, 11, kind="html", charset="latin-1"),
        mail("Oops!\nA Par-Pic\n\n> From the start: A Par-Bur\n", ANNA, 12),
    ]


def as_mbox(folder: Path) -> Path:
    path = folder / "inbox.mbox"
    parts = [b"From x@y Tue Nov 10 10:00:00 2026\n" + raw + b"\n\n" for raw in mails()]
    path.write_bytes(b"".join(parts))
    return path


def as_maildir(folder: Path) -> Path:
    for number, raw in enumerate(mails()):
        part = folder / "Maildir" / ("new" if number % 2 else "cur")
        part.mkdir(parents=True, exist_ok=True)
        (part / f"{number}.host:2,S").write_bytes(raw)
    return folder / "Maildir"


def as_folder(folder: Path) -> Path:
    (folder / "mail").mkdir()
    for number, raw in enumerate(mails()):
        (folder / "mail" / f"{9 - number}.eml").write_bytes(raw)
    (folder / "mail" / "notes.txt").write_text("A Par H")
    return folder / "mail"


@pytest.mark.parametrize("box", [as_mbox, as_maildir, as_folder])
def test_mailboxes(tmp_path, box):
    found = sorted(read_mails(box(tmp_path)), key=lambda each: each.sent)
    assert [each.letter.sender for each in found] == [ANNA, CARLA, BRUNO, ANNA]
    assert "E Mún-Bor" in found[1].letter.text
    assert found[1].letter.subject == "Mis órdenes"
    assert found[1].letter.sent == "2026-11-10 17:00"
    assert found[3].letter.message_id == f"<12.{ANNA}>"


def run(*args: object, stdin: str | bytes = "") -> tuple[int, str]:
    done = CliRunner().invoke(app, list(map(str, args)), input=stdin, catch_exceptions=False)
    return done.exit_code, done.output


@pytest.mark.slow
def test_a_week_in_one_command(tmp_path):
    """The same mailbox every week: what was judged before is set aside."""
    (tmp_path / "game.toml").write_text(GAME, encoding="utf-8")
    box, start, folder = as_mbox(tmp_path), tmp_path / "spring.txt", tmp_path / "answers"
    start.write_text("Spring 1901\n")
    args = ("--mail", box, "--game", tmp_path / "game.toml", "--lang", "en")
    code, reply = run(start, *args, "--answers", folder, "--strict")
    assert code == 0
    assert "France: the letter of 2026-11-12 09:00 replaces A Par-Bur with A Par-Pic." in reply
    assert "No orders from Austria, England, Russia and Turkey." in reply
    sheet = judge_page(reply)[-1].sheet
    assert sheet.phase == "F1901M"
    assert Unit("A", "tri") not in sheet.units["ITALY"]  # Austria's fleet holds there
    fall = tmp_path / "fall.txt"
    fall.write_text(reply, encoding="utf-8")
    code, reply = run(fall, *args, "--strict")
    assert "# 4 letters that are older or have no date were set aside." in reply
    assert "No orders from Austria, England, France, Germany" in reply
    undated = re.sub(rb"(?m)^Date:.*\n", b"", mail("A Pic-Bur", ANNA, 16))
    new = [b"", mail("A Pic-Bel", ANNA, 17), undated]
    box.write_bytes(box.read_bytes() + b"\n\nFrom x@y\n".join(new))
    code, reply = run(fall, *args, "--check")
    assert "France: A Pic-Bel" in reply
    assert "# 5 letters that are older or have no date were set aside." in reply
    assert "Results" not in reply
    check_answers(folder)


def check_answers(folder: Path) -> None:
    langs = {"france": "en", "italy": "it", "germany": "es", "turkey": "en", "austria": "en"}
    for power, lang in langs.items():
        answer = message_from_bytes((folder / f"{power}.eml").read_bytes(), policy=policy.default)
        assert answer["Content-Language"] == lang
        assert answer["X-Unsent"] == "1"
    france = message_from_bytes((folder / "france.eml").read_bytes(), policy=policy.default)
    assert (france["To"], france["From"]) == (ANNA, "gm@example.org")
    assert france["In-Reply-To"] == f"<12.{ANNA}>"
    assert france["Subject"].startswith("[Friday] Results: Spring 1901")
    body = (folder / "italy.eml").read_bytes()
    italy = message_from_bytes(body, policy=policy.default)
    assert "Italia, A Rom-Ven" in italy.get_content()
    turkey = message_from_bytes((folder / "turkey.eml").read_bytes(), policy=policy.default)
    assert "No orders from you arrived" in turkey.get_content()
    assert "replaces" not in (folder / "results.txt").read_text(encoding="utf-8")


def test_raw_mail_is_the_first_page(tmp_path):
    raw = mail("Hi GM,\n\nFrance: A Par-Bur, A Mar H\n  F Bre-MAO\n\nRegards\nAnna", ANNA, 10)
    assert is_mail(raw)
    path = tmp_path / "anna.eml"
    path.write_bytes(raw)
    for code, reply in (run(path, "--lang", "en"), run("-", "--lang", "en", stdin=raw)):
        assert code == 0
        assert "France, A Par-Bur" in reply
        assert "Regards" not in reply


def test_strict_fails_when_something_was_not_read(tmp_path):
    page = "France: A Par-Xyz"
    assert run("-", "--lang", "en", stdin=page)[0] == 0
    code, reply = run("-", "--strict", "--lang", "en", stdin=page)
    assert code == 1
    assert "Not everything was read" in reply
    path = tmp_path / "x.eml"
    path.write_bytes(mail("France: A Par-Xyz", ANNA, 10))
    assert run(path, "--strict", "--answers", tmp_path / "out")[0] == 1
    assert not (tmp_path / "out").exists()


def test_orders_on_the_page_are_answered_too(tmp_path):
    """A game in a forum: the moderator types, the judge writes an answer per player."""
    page = "Francia: E Par-Bor, E Mar-Xyz\nItaly: A Ven H"
    code, reply = run("-", "--answers", tmp_path / "out", "--lang", "en", stdin=page)
    assert code == 0
    assert "Line 1, France: No place on the map is called “Xyz”" in reply
    assert "No orders from Austria" in reply
    assert len(list((tmp_path / "out").glob("*.eml"))) == 7
    assert run("-", "--check", "--strict", "--lang", "en", stdin=page)[0] == 1


@pytest.mark.parametrize("lang", LANGS)
def test_a_page_is_not_mail(lang):
    page = moderator_page(judge(), lang).encode()
    assert not is_mail(page)
    assert not is_mail(b"Date: today\nFrance: A Par-Bur")


@pytest.mark.parametrize(
    "raw",
    [
        b"From: <<<>>>\nDate: never\nSubject: =?bad?x?=\nContent-Type: text/plain; charset=nonsense\n\nA Par H \xff",
        b"From: a@b\nSubject: x\nContent-Type: multipart/mixed\n\nno parts",
        b"From: a@b\nSubject: x\nContent-Transfer-Encoding: base64\n\n!!!",
        b"",
        b"From \nFrom:",
    ],
)
def test_broken_mail_is_no_reason_to_fail(raw):
    for found in parse_mails([raw]):
        assert judge(found.letter, players=Players()).turn.judged


def test_html_mail():
    assert "A Ven-Tri\nA Rom-Ven" in html_text(HTML)
    assert "F Nap M" not in html_text(HTML)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"players": {"Narnia": "x"}}, "judge.no_such_power"),
        ({"players": {"France": 3}}, "judge.bad_field"),
        ({"players": {"France": {"mail": "x", "lang": "xx"}}}, "judge.bad_field"),
        ({"players": []}, "judge.bad_field"),
    ],
)
def test_bad_game_files(data, code):
    with pytest.raises(Unreadable) as error:
        parse_game_file(data)
    assert error.value.code == code


def test_files_that_are_not_there(tmp_path):
    (tmp_path / "bad.toml").write_text("= =")
    for args in (
        ("--mail", tmp_path / "no"),
        ("--mail", tmp_path, "--game", tmp_path / "bad.toml"),
    ):
        with pytest.raises(Unreadable):
            run("-", *args)


# The guide


GUIDE = Path(__file__).parents[4] / "docs" / "guides" / "judge.md"
TITLED = re.compile(r'```\w+ title="([\w.]+)"\n(.*?)```', re.DOTALL)
CONSOLE = re.compile(r"```console\n\$ powderkeg judge (.*?)\n(.*?)```", re.DOTALL)


@pytest.mark.slow
def test_the_week_of_the_guide(tmp_path, monkeypatch):
    """The files are as printed, the commands run in order, and the output is as printed."""
    monkeypatch.chdir(tmp_path)
    text = GUIDE.read_text(encoding="utf-8")
    for name, content in TITLED.findall(text):
        Path(name).write_text(content, encoding="utf-8")
    commands = CONSOLE.findall(text)
    assert len(commands) == 3
    for command, printed in commands:
        line, _, target = command.partition(" > ")
        code, reply = run(*line.split(), "--lang", "en")
        assert code == 0
        if target:
            Path(target).write_text(reply, encoding="utf-8")
        else:
            assert reply.strip() == printed.strip()
    assert sorted(path.suffix for path in Path("spring").iterdir()) == [".eml"] * 7 + [".txt"]
