"""Guests, accounts, tokens, ratings, and an account's data."""

# ruff: noqa: PT018  # two halves of one statement about a table belong together

import uuid
from typing import get_args

import pytest

from powderkeg.server.db.rows import NoticeEvent
from tests.server.visiting import play_out

pytestmark = pytest.mark.slow


def account(site, name=None, **more):
    person = site.person(**more)
    name = name or f"p{uuid.uuid4().hex[:10]}"
    person.me = person.post("/accounts", {"name": name, "password": "correct horse"})
    return person


@pytest.mark.slow
def test_a_guest_becomes_an_account_and_keeps_the_seat(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    name = f"Ann{uuid.uuid4().hex[:8]}"
    me = ann.post("/accounts", {"name": name, "password": "correct horse"})
    assert me["kind"] == "person" and me["id"] == ann.me["id"]
    assert ann.get(f"/tables/{table}")["held"] == ["red"]
    again = site.person()
    assert again.post("/sessions", {"name": name, "password": "wrong horse"}, 401)
    again.post("/sessions", {"name": name.upper(), "password": "correct horse"})
    assert again.get(f"/tables/{table}")["held"] == ["red"]
    again.call("DELETE", "/sessions/current")
    assert again.get("/me")["kind"] == "none"
    assert site.person().post("/accounts", {"name": name, "password": "correct horse"}, 409)


def test_changing_the_password_ends_other_sessions(site):
    ann = account(site)
    other = site.person()
    other.post("/sessions", {"name": ann.me["name"], "password": "correct horse"})
    ann.call("PATCH", "/me", {"password": "another horse"})
    assert other.get("/me")["kind"] == "none" and ann.get("/me")["kind"] == "person"


def test_settings_are_checked_and_kept(site):
    ann = account(site)
    me = ann.call("PATCH", "/me", {"lang": "it", "zone": "Europe/Rome", "notices": {"near": "off"}})
    assert (me["lang"], me["zone"], me["notices"]["near"]) == ("it", "Europe/Rome", "off")
    assert ann.call("PATCH", "/me", {"zone": "Moon/Base"}, 422)["code"] == "server.no_such_zone"
    assert ann.post("/tables/nosuch/start", expect=404)["text"] == "Questo tavolo non esiste."


def test_a_guest_without_a_name_is_a_guest_in_the_language_of_the_reader(site):
    nobody, ann = site.person(), site.guest("Ann")
    nobody.me = nobody.post("/guests", {"lang": "es"})
    table = site.table(nobody, ann)
    seen = {lang: ann.get(f"/tables/{table}?lang={lang}")["seats"] for lang in ("en", "es", "it")}
    assert [seats[0]["name"] for seats in seen.values()] == ["Guest", "Invitado", "Ospite"]
    (line,) = [x for x in ann.get("/lobby?lang=it")["mine"] if x["id"] == table]
    assert line["names"] == ["Ospite", "Ann"]
    assert nobody.call("PATCH", "/me", {"name": "Ben"})["name"] == "Ben"
    assert ann.get(f"/tables/{table}?lang=it")["seats"][0]["name"] == "Ben"


def test_several_guests_without_names_are_told_apart_by_numbers(site):
    first, second = site.person(), site.person()
    for person in (first, second):
        person.me = person.post("/guests", {})
    table = site.table(first, second)
    seats = first.get(f"/tables/{table}?lang=es")["seats"]
    assert [seat["name"] for seat in seats] == ["Invitado 1", "Invitado 2"]


def test_every_notice_has_a_usual_setting(site):
    """Before the account has chosen any."""
    usual = account(site).me["notices"]
    assert set(usual) == set(get_args(NoticeEvent))
    assert {event for event, when in usual.items() if when != "now"} == {"message"}


def test_tokens_do_what_their_scopes_say(site):
    ann = account(site)
    token = ann.post("/me/tokens", {"name": "reader", "scopes": ["read"]})
    robot = site.person(Authorization=f"Bearer {token['token']}")
    assert robot.get("/me")["scopes"] == ["read"]
    refused = robot.post("/tables", {"game": "sparks"}, 403)
    assert refused["code"] == "server.scope_missing"
    assert robot.post("/me/tokens", {"name": "more", "scopes": ["play"]}, 403)
    player = ann.post("/me/tokens", {"name": "player", "scopes": ["read", "play", "tables"]})
    robot = site.person(Authorization=f"Bearer {player['token']}")
    robot.post("/tables", {"game": "sparks"})
    listed = ann.get("/me/tokens")["tokens"]
    assert {t["name"] for t in listed} == {"reader", "player"} and not any(
        t["token"] for t in listed
    )
    assert {t["name"] for t in listed if t["used"]} == {"reader", "player"}
    ann.post("/me/tokens", {"name": "spare", "scopes": ["read"]})
    assert [t["name"] for t in ann.get("/me/tokens")["tokens"] if not t["used"]] == ["spare"]
    ann.call("DELETE", f"/me/tokens/{player['id']}")
    assert robot.get("/me", 401)["code"] == "server.bad_token"


@pytest.mark.slow
def test_ratings_follow_rated_games_between_accounts(site):
    ann, ben = account(site), account(site)
    table = site.table(ann, ben, settings={"rated": True})
    winner = play_out(site, table, [ann, ben])["result"]["ranking"][0]
    found = {p: p.get(f"/users/{p.me['name']}")["ratings"] for p in (ann, ben)}
    assert all(r[0]["played"] == 1 for r in found.values())
    better = {("red",): [ann], ("blue",): [ben]}.get(tuple(winner), [ann, ben])
    best = max(r[0]["rating"] for r in found.values())
    assert [p for p, r in found.items() if r[0]["rating"] == best] == better
    names = {r["name"] for r in ann.get("/ratings/sparks")["ranks"]}
    assert {ann.me["name"], ben.me["name"]} <= names
    guest = site.guest("G")
    unrated = site.table(ann, guest, settings={"rated": True})
    assert play_out(site, unrated, [ann, guest])["status"] == "over"
    assert ann.get(f"/users/{ann.me['name']}")["ratings"] == found[ann]


@pytest.mark.slow
def test_ones_data_can_be_taken_along_and_deleted(site):
    ann, ben = account(site), site.guest("Ben")
    table = site.table(ann, ben, settings={"missed": {"level": "random"}})
    now = ann.get(f"/tables/{table}")
    ann.act(table, now["legal"][0], now["question"]["id"])
    ann.post(f"/tables/{table}/press", {"text": "mine"})
    data = ann.get("/me/data")
    assert data["press"][0]["text"] == "mine" and data["actions"][0]["game"] == table
    assert "password" not in data["user"]
    ann.call("DELETE", "/me")
    assert ann.get("/me")["kind"] == "none"
    assert site.person().get(f"/users/{ann.me['name']}", 404)
    assert play_out(site, table, [ben])["status"] == "over"
