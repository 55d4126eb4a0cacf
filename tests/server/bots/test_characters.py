"""Characters of bots at a table: chosen or drawn, shown, kept; and bots that say why they refuse."""

import pytest

from powderkeg.bots.characters import CHARACTER_NAMES
from powderkeg.games import find_game
from powderkeg.server.bots.turns import say_to_table
from powderkeg.server.settings import Settings
from tests.server.visiting import running, until


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    games = {name: find_game(name) for name in ("diplomacy", "versailles", "risk_europe")}
    folder = tmp_path_factory.mktemp("characters")
    with running(Settings(data=str(folder), limits=False), games=games) as site:
        yield site


def open_table(person, character, game="diplomacy", **wish):
    """A table of the first seat, with bots of one character in the others."""
    first, *others = find_game(game).seats(find_game(game).players[-1], find_game(game).Options())
    bots = [{"seat": s, "kind": "bot", "level": "normal", "character": character} for s in others]
    seats = [{"seat": first, "kind": "me"}, *bots]
    return person.call("POST", "/tables", {"game": game, "seats": seats, **wish}, None)


def characters(person, table):
    seats = person.get(f"/tables/{table}?text=0")["seats"]
    return [seat["character"] for seat in seats if seat["kind"] == "bot"]


def test_the_characters_of_a_game_are_offered(site):
    games = site.guest("Ann").get("/games")["games"]
    assert {game["name"]: tuple(game["characters"]) for game in games} == {
        "diplomacy": CHARACTER_NAMES,
        "versailles": CHARACTER_NAMES,
        "risk_europe": (),
    }


def test_a_character_is_chosen_shown_changed_and_drawn(site):
    ann, bob = site.guest("Ann"), site.guest("Bob")
    table = open_table(ann, "loyal").json()["id"]
    assert characters(bob, table) == ["loyal"] * 6
    wish = {"kind": "bot", "level": "hard", "character": "cautious"}
    ann.call("PUT", f"/tables/{table}/seats/TURKEY", wish)
    assert characters(bob, table) == [*["loyal"] * 5, "cautious"]
    ann.call("PUT", f"/tables/{table}/seats/TURKEY", {"kind": "open"})
    assert characters(bob, table) == ["loyal"] * 5
    drawn = open_table(ann, "drawn").json()["id"]
    assert set(characters(ann, drawn)) <= set(CHARACTER_NAMES)


def test_a_wrong_character_is_refused(site):
    ann = site.guest("Ann")
    assert open_table(ann, "rude").json()["code"] == "bots.no_such_character"
    assert open_table(ann, "loyal", "risk_europe").json()["code"] == "bots.no_characters"
    drawn = open_table(ann, "drawn", "risk_europe").json()["id"]
    assert set(characters(ann, drawn)) == {""}


def test_an_anonymous_table_does_not_show_them(site):
    ann = site.guest("Ann")
    wish = {"settings": {"anonymous": True}, "start": True}
    table = open_table(ann, "loyal", **wish).json()["id"]
    seats = ann.get(f"/tables/{table}?text=0")["seats"]
    assert {seat["character"] for seat in seats} == {""}


@pytest.mark.slow
def test_a_bot_says_why_it_refuses(site):
    ann = site.guest("Ann")
    table = open_table(ann, "loyal", start=True).json()["id"]
    letter = {"to": ["RUSSIA"], "offer": [{"kind": "draw"}]}
    ann.post(f"/tables/{table}/press", letter)

    def answers():
        found = ann.get(f"/tables/{table}/press?lang=es")["messages"]
        return [m for m in found if m["seat"] == "RUSSIA" and m["form"].startswith("REJ")]

    (answer,) = until(answers)
    assert answer["code"] == "bots.press.why.draw"
    assert answer["text"].endswith("quiero seguir jugando.")
    assert answer["text"].startswith("No, gracias")
    assert answer["said"] is False


def test_what_a_bot_says_with_its_move_is_heard_by_all(site):
    ann, bob = site.guest("Ann"), site.guest("Bob")
    table = open_table(ann, "", "versailles", start=True).json()["id"]
    seat = ann.get(f"/tables/{table}?text=0")["seats"][1]["seat"]
    site.do(say_to_table(site.server.cache, table, seat, "versailles_bots.say.worse"))
    (heard,) = bob.get(f"/tables/{table}/press")["messages"]
    assert (heard["seat"], heard["text"]) == (seat, "This deal would leave me worse off.")
    silent = open_table(ann, "", "versailles", start=True, settings={"anonymous": True})
    table = silent.json()["id"]
    site.do(say_to_table(site.server.cache, table, seat, "versailles_bots.say.worse"))
    assert ann.get(f"/tables/{table}/press")["messages"] == []
