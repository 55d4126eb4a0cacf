"""Bots answer letters in plain words: honestly, in the reader's language, without promising anything."""

import threading

import pytest

from powderkeg.games import find_game
from powderkeg.server.press import offers, prose_replies
from powderkeg.server.settings import Settings
from tests.server.visiting import running


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    games = {name: find_game(name) for name in ("diplomacy", "versailles", "risk_europe")}
    folder = tmp_path_factory.mktemp("prose")
    with running(Settings(data=str(folder), limits=False), games=games) as site:
        yield site


def open_table(person, level="normal", **settings):
    others = ("AUSTRIA", "ENGLAND", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
    seats = [{"seat": seat, "kind": "bot", "level": level} for seat in others]
    wish = {"game": "diplomacy", "seats": [{"seat": "FRANCE", "kind": "me"}, *seats]}
    made = person.call("POST", "/tables", {**wish, "start": True, "settings": settings})
    return made["id"]


def write(person, table, text, to=("GERMANY",)):
    """Write a letter; return the plain answers to it."""
    letter = {"to": list(to), "text": text, "command": text[:60]}
    sent = person.call("POST", f"/tables/{table}/press", letter)
    after = person.call("GET", f"/tables/{table}/press?since={sent['id']}")["messages"]
    return [each for each in after if each["code"].startswith(("server.bot.", "bots.prose."))]


def test_a_bot_says_what_it_understood_and_binds_nobody(site):
    ann = site.guest("Ann")
    table = open_table(ann)
    (answer,) = write(ann, table, "Shall we have peace?")
    assert answer["seat"] == "GERMANY"
    assert answer["said"] is False  # it is the bot that speaks, not the table
    assert "peace between France and Germany" in answer["text"]
    assert answer["form"] == ""
    assert [part["kind"] for part in answer["parts"]] == ["peace"]  # it fills the form of an offer
    spanish = ann.call("GET", f"/tables/{table}/press?lang=es")["messages"]
    assert any("paz entre Francia y Alemania" in each["text"] for each in spanish)


def test_a_question_of_the_bot_can_be_answered_in_a_word(site):
    ann = site.guest("Ann")
    table = open_table(ann)
    (asked,) = write(ann, table, "Support me into Burgundy.")
    assert asked["code"] == "bots.prose.which"
    (answer,) = write(ann, table, "the one from Paris")
    assert "A Munich supports A Paris" in answer["text"]
    (again,) = write(ann, table, "from Marseilles", to=("ITALY",))  # who was asked nothing
    assert again["code"] == "bots.prose.unclear_about"


def test_what_it_cannot_read_it_says_so(site):
    ann = site.guest("Ann")
    table = open_table(ann)
    (answer,) = write(ann, table, "The roses are lovely in May.")
    assert answer["code"] == "bots.prose.unclear"
    assert write(ann, table, "Peace to all!", to=()) == []  # nobody was asked alone
    assert write(ann, table, "Peace?", to=("GERMANY", "ITALY")) == []


def test_a_bot_that_does_not_negotiate_says_so(site):
    ann = site.guest("Ann")
    (answer,) = write(ann, open_table(ann, level="random"), "Peace?")
    assert answer["code"] == "server.bot.silent"


def test_a_letter_arrives_even_if_the_bot_fails_to_read_it(site, monkeypatch):
    def fail(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(prose_replies, "prose_reply", fail)
    ann = site.guest("Ann")
    table = open_table(ann)
    assert write(ann, table, "Shall we have peace?") == []
    letters = ann.call("GET", f"/tables/{table}/press")["messages"]
    assert "Shall we have peace?" in [each["text"] for each in letters]


def test_a_short_letter_that_may_go_on_with_a_long_one_keeps_nobody_waiting(site, monkeypatch):
    """Both are read, which takes as long as a long one."""
    earlier, threads = [""], []

    async def find_earlier(*_):
        return earlier[0]

    def note_thread(*_):
        threads.append(threading.current_thread())
        return {"code": "server.bot.silent", "args": {}}

    monkeypatch.setattr(prose_replies, "_earlier_letter", find_earlier)
    monkeypatch.setattr(prose_replies, "prose_reply", note_thread)
    ann = site.guest("Ann")
    table = open_table(ann)
    write(ann, table, "Peace?")
    earlier[0] = "The roses are lovely in May. " * 15
    write(ann, table, "In June too.")
    at_once, after_it = threads
    assert after_it != at_once


def test_at_an_anonymous_table_no_answer_gives_a_bot_away(site):
    ann = site.guest("Ann")
    assert write(ann, open_table(ann, anonymous=True), "Peace?") == []


def test_bots_of_other_games_say_that_they_do_not_read_letters(site):
    ann = site.guest("Ann")
    for game, code in (("versailles", "deals_only"), ("risk_europe", "no_letters")):
        seats = find_game(game).seats(2, find_game(game).Options())
        wish = {"game": game, "start": True, "settings": {"press": "all"}}
        kinds = zip(seats, ({"kind": "me"}, {"kind": "bot", "level": "normal"}), strict=True)
        wish["seats"] = [{"seat": seat, **kind} for seat, kind in kinds]
        table = ann.call("POST", "/tables", wish)["id"]
        (answer,) = write(ann, table, "Peace?", to=(seats[1],))
        assert answer["code"] == f"server.bot.{code}"


def test_a_zone_too_large_for_the_form_can_be_read(site):
    """A letter in the formal language may name more places than the form has room for."""
    ann, ben = site.guest("Ann"), site.guest("Ben")
    seats = [{"seat": "FRANCE", "kind": "me"}, {"seat": "ENGLAND", "kind": "open"}]
    others = ("AUSTRIA", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
    seats += [{"seat": seat, "kind": "bot", "level": "random"} for seat in others]
    made = ann.post("/tables", {"game": "diplomacy", "seats": seats})
    ben.post(f"/tables/{made['id']}/join", {"invite": made["invite"], "seat": "ENGLAND"})
    ann.post(f"/tables/{made['id']}/start")
    seas = "ADR AEG BAL BAR BLA EAS RUH GOB GOL HEL ION IRI MAO NAO NTH NWG SKA TYS WES BUR PIE TYR"
    form = f"PRP ( DMZ ( ENG FRA ) ( {seas} ) )"
    sent = ann.post(f"/tables/{made['id']}/press", {"to": ["ENGLAND"], "form": form})
    (read,) = ben.get(f"/tables/{made['id']}/press?since={sent['id'] - 1}")["messages"]
    (part,) = read["parts"]
    assert part["kind"] == "zone"
    assert len(part["places"]) == 22


def test_an_offer_before_the_start_can_be_read(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    seats = [{"seat": "FRANCE", "kind": "me"}, {"seat": "ENGLAND", "kind": "open"}]
    made = ann.post("/tables", {"game": "diplomacy", "seats": seats})
    ben.post(f"/tables/{made['id']}/join", {"invite": made["invite"], "seat": "ENGLAND"})
    ann.post(f"/tables/{made['id']}/press", {"to": [], "form": "PRP ( PCE ( FRA ENG ) )"})
    letters = ben.get(f"/tables/{made['id']}/press")["messages"]
    assert [each["parts"] for each in letters if each["form"]] == [[]]


def test_a_page_of_letters_takes_one_view_of_the_seat(site, monkeypatch):
    ann = site.guest("Ann")
    table = open_table(ann)
    for text in ("Peace?", "DMZ Burgundy?", "Shall we have a truce?"):
        write(ann, table, text)
    seen = []
    shown = offers.visible_game
    monkeypatch.setattr(offers, "visible_game", lambda *of: seen.append(of) or shown(*of))
    letters = ann.call("GET", f"/tables/{table}/press")["messages"]
    assert sum(bool(each["parts"]) for each in letters) >= 3
    assert len(seen) == 1
