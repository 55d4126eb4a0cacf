"""Sandboxes on the server: new ones, branches with their history, positions, and who may look."""

import pytest

from powderkeg.games import diplomacy, versailles
from powderkeg.server.settings import Settings
from tests.server.visiting import running


@pytest.fixture
def site(tmp_path):
    games = {"diplomacy": diplomacy, "versailles": versailles}
    with running(Settings(data=str(tmp_path), limits=False), games=games) as found:
        yield found


def give(person, table, *texts):
    for text in texts:
        person.act(table, text, person.get(f"/tables/{table}")["question"]["id"])


def test_a_sandbox_of_diplomacy_has_one_seat_for_all_powers_and_no_clock(site):
    ann = site.guest("Ann")
    made = ann.post("/sandboxes", {"game": "diplomacy"})["table"]
    assert (made["purpose"], made["seat"], made["handover"]) == ("sandbox", "ALL", None)
    assert len(made["question"]["node"]["rows"]) == 22
    assert all(seat["due"] is None for seat in made["seats"])


def test_other_games_have_all_seats_in_one_hand(site):
    ann = site.guest("Ann")
    made = ann.post("/sandboxes", {"game": "versailles"})["table"]
    assert made["purpose"] == "sandbox"
    assert len(made["held"]) == 4


@pytest.mark.parametrize("game", ["diplomacy", "versailles"])
def test_who_says_their_name_or_logs_in_gives_it_to_no_seat_of_a_sandbox(site, game):
    ann, guest = site.guest("Ann"), site.person()
    ann.post("/accounts", {"name": "Annika", "password": "correct horse"})
    guest.me = guest.post("/guests", {})
    table = guest.post("/sandboxes", {"game": game})["id"]

    def names():
        return {seat["name"] for seat in guest.get(f"/tables/{table}")["seats"]}

    guest.call("PATCH", "/me", {"name": "Nora"})
    assert names() == {""}
    guest.post("/sessions", {"name": "annika", "password": "correct horse"})
    assert names() == {""}


@pytest.mark.slow
def test_a_branch_keeps_the_history_and_leaves_the_other_alone(site):
    ann = site.guest("Ann")
    table = ann.post("/sandboxes", {"game": "diplomacy"})["id"]
    give(ann, table, "A par - bur", "F lon - nth", "ready")
    log = ann.get(f"/tables/{table}/log")
    last = log["phases"][-1]["seq"]
    back = ann.post(f"/tables/{table}/sandbox", {"seq": last - 1})["table"]
    assert back["view"]["phase"] == "S1901M"
    assert set(back["view"]["drafts"].values()) == {"A par - bur", "F lon - nth"}
    give(ann, back["id"], "A par - pic", "ready")
    assert "A pic" in ann.get(f"/tables/{back['id']}")["view"]["units"]["FRANCE"]
    assert "A bur" in ann.get(f"/tables/{table}")["view"]["units"]["FRANCE"]
    assert len(ann.get(f"/tables/{back['id']}/log")["entries"]) == last + 1


def test_a_position_is_edited_and_refused_in_words(site):
    ann, eve = site.guest("Ann"), site.guest("Eve")
    table = ann.post("/sandboxes", {"game": "diplomacy"})["id"]
    position = {"year": 1907, "season": "fall", "units": {"ITALY": ["F ion"]}, "centres": {}}
    made = ann.post(f"/tables/{table}/position", {"position": position})["table"]
    assert made["view"]["phase"] == "F1907M"
    assert made["view"]["units"]["ITALY"] == ["F ion"]
    wrong = {"position": {**position, "units": {"ITALY": ["A ion"]}}}
    refused = ann.post(f"/tables/{table}/position", wrong, 409)
    assert refused["code"] == "diplomacy.position.cannot_stand"
    assert "cannot stand" in refused["text"]
    assert eve.post(f"/tables/{table}/position", {"position": position}, 403)
    assert eve.get(f"/tables/{table}")["view"]["units"]["FRANCE"]  # the link is enough to look


def test_a_moment_of_a_running_game_shows_only_what_its_reader_may_know(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    mine = [{"seat": "ENTENTE", "kind": "me"}]
    table = site.table(ann, ben, game="diplomacy", players=2, seats=mine)
    give(ben, table, "A vie - gal")
    copy = ann.post(f"/tables/{table}/sandbox", {})["table"]
    assert copy["seat"] == "ALL"
    assert copy["view"]["drafts"] == {}
    assert len(copy["question"]["node"]["rows"]) >= 19
