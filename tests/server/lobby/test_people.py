"""Getting in: names that can change, lists that say enough, profiles, reports, pictures, previews."""

# ruff: noqa: PT018  # two halves of one statement about a page belong together

import asyncio
import re
from dataclasses import replace

import pytest
import sparks
from sqlalchemy import update

from powderkeg.core.errors import RulesError
from powderkeg.games import diplomacy
from powderkeg.server.accounts import profiles
from powderkeg.server.accounts.accounts import create_login_link
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.db import schema
from powderkeg.server.db.rows import UserRow
from powderkeg.server.lobby import saved_packs
from powderkeg.server.schemas.cards import PackSaveIn
from powderkeg.server.views import pictures
from tests.server.visiting import play_out, running

pytestmark = pytest.mark.slow

GAMES = {"sparks": sparks, "diplomacy": diplomacy}
HOUR = 3600.0


@pytest.fixture
def site(settings):
    with running(settings, games=GAMES) as found:
        yield found


def register(person, name):
    return person.post("/accounts", {"name": name, "password": "correct horse"})


def names(person, table):
    return [seat["name"] for seat in person.get(f"/tables/{table}")["seats"]]


def mine(person, table):
    return next(line for line in person.get("/lobby")["mine"] if line["id"] == table)


def test_the_seat_follows_a_new_name(site):
    ann, ben = site.guest("Guest"), site.guest("Ben")
    table = site.table(ann, ben)
    ann.call("PATCH", "/me", {"name": "Ann"})
    assert names(ben, table) == ["Ann", "Ben"]
    register(ann, "Annika")  # an account takes the seat along
    assert names(ben, table) == ["Annika", "Ben"]
    assert mine(ann, table)["my_seat"] == "red"


def test_a_guest_who_logs_in_keeps_the_seat_and_the_table(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    register(ann, "Annika")
    again = site.guest("Guest")
    table = site.table(again, ben)
    again.post("/sessions", {"name": "annika", "password": "correct horse"})
    assert names(ben, table) == ["Annika", "Ben"]
    now = again.get(f"/tables/{table}")
    assert now["held"] == ["red"] and now["owner"]


@pytest.mark.parametrize("way", ["password", "mail"])
def test_a_guest_who_logs_in_keeps_card_packs_and_lessons(site, way):
    ann, guest = site.guest("Ann"), site.guest("Guest")
    ann.post("/accounts", {"name": "Annika", "password": "correct horse", "email": "a@b.example"})
    server = site.server

    def lesson(person, exercise, solved):
        verdict = "open" if solved is None else "solved"
        values = {"exercise": exercise, "verdict": verdict, "solved": solved}
        return schema.lessons.insert().values(user=person.me["id"], **values)

    async def learn() -> str:
        packs = schema.packs.insert()
        async with server.store.write() as tx:
            for row in (lesson(guest, "a", 5.0), lesson(guest, "b", 6.0), lesson(guest, "c", None),
                        lesson(ann, "b", None), lesson(ann, "c", 7.0)):  # fmt: skip
                await tx.run(row)
            pack = {"id": "p", "rules": "sparks", "name": "Box", "line": "", "updated": 0.0}
            await tx.run(packs.values(user=guest.me["id"], **pack))
        found = await create_login_link(server.store, server.clock(), "a@b.example")
        assert found is not None
        return found[1]

    token = site.do(learn())
    if way == "mail":
        guest.post("/mail-links/open", {"token": token})
    else:
        guest.post("/sessions", {"name": "annika", "password": "correct horse"})
    data = guest.get("/me/data")
    assert [pack["name"] for pack in data["packs"]] == ["Box"]
    assert {x["exercise"]: x["solved"] for x in data["lessons"]} == {"a": 5.0, "b": 6.0, "c": 7.0}


def test_packs_saved_at_the_same_time_stay_below_the_limit(site, monkeypatch):
    monkeypatch.setattr(saved_packs, "MOST_PACKS", 2)
    guest, server = site.guest("Guest"), site.server
    wish = PackSaveIn(game="versailles", name="Box", text="")

    async def save_several():
        async with server.store.read() as tx:
            row = await tx.one(schema.users.select().where(schema.users.c.id == guest.me["id"]))
        who = Principal(user=UserRow.load(row))
        saved = (saved_packs.save_pack(server.store, who, wish, 1.0) for _ in range(4))
        return await asyncio.gather(*saved, return_exceptions=True)

    refused = [x.code for x in site.do(save_several()) if isinstance(x, RulesError)]
    assert refused == ["server.packs_enough"] * 2
    assert len(guest.get("/packs")["packs"]) == 2


def test_a_table_that_cannot_be_opened_keeps_nobody_from_their_account(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    register(ann, "Annika")
    guest = site.guest("Guest")
    broken, table = site.table(guest, ben), site.table(guest, ben)
    now = guest.get(f"/tables/{broken}")
    guest.act(broken, now["legal"][0], now["question"]["id"])

    async def change_rules() -> None:
        async with site.server.store.write() as tx:
            await tx.run(schema.log.update().where(schema.log.c.game == broken).values(do="old"))
            await tx.run(schema.snapshots.delete())
        site.server.cache.entries.clear()

    site.do(change_rules())
    guest.get(f"/tables/{broken}", 409)
    guest.call("PATCH", "/me", {"name": "Gast"})
    assert names(ben, table) == ["Gast", "Ben"]
    guest.post("/sessions", {"name": "annika", "password": "correct horse"})
    assert names(ben, table) == ["Annika", "Ben"]
    ben.call("DELETE", "/me")


def test_a_game_that_the_server_no_longer_offers_is_refused_and_not_listed(site, monkeypatch):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    monkeypatch.delitem(site.server.cache.games, "sparks")
    site.server.cache.entries.clear()
    assert ann.get(f"/tables/{table}", 409)["code"] == "server.no_such_game"
    assert ann.get("/lobby")["mine"] == []


def test_others_at_a_shared_screen_keep_their_names(site):
    ann = site.guest("Ann")
    seats = [{"seat": "red", "kind": "me"}, {"seat": "blue", "kind": "here", "name": "Bea"}]
    table = ann.post("/tables", {"game": "sparks", "seats": seats})["id"]
    ann.call("PATCH", "/me", {"name": "Anna"})
    assert names(ann, table) == ["Anna", "Bea"]


def test_an_invited_guest_says_their_name(site):
    ann, ben = site.guest("Ann"), site.person()
    seats = [{"seat": "red", "kind": "me"}, {"seat": "blue", "kind": "invited"}]
    made = ann.post("/tables", {"game": "sparks", "seats": seats})
    token = made["invites"]["blue"].rpartition("/")[2]
    ben.post("/seat-links/open", {"token": token, "name": "Ben"})
    assert names(ann, made["id"]) == ["Ann", "Ben"]


def test_a_full_table_is_not_open(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    made = ann.post("/tables", {"game": "sparks", "seats": [{"seat": "red", "kind": "me"}]})
    assert made["id"] in [line["id"] for line in ben.get("/lobby")["open"]]
    ben.post(f"/tables/{made['id']}/join", {})
    assert made["id"] not in [line["id"] for line in ben.get("/lobby")["open"]]
    assert mine(ben, made["id"])["status"] == "open"


def test_a_list_tells_the_languages_of_those_who_sit_there_not_of_those_who_are_invited(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    register(ben, "Benito")
    ben.call("PATCH", "/me", {"lang": "es"})
    seats = [{"seat": "red", "kind": "me"}, {"seat": "blue", "kind": "invited", "invite": "Benito"}]
    table = ann.post("/tables", {"game": "sparks", "seats": seats})["id"]
    assert mine(ann, table)["langs"] == ["en"]
    ben.post(f"/tables/{table}/join")
    assert mine(ann, table)["langs"] == ["en", "es"]


def test_my_tables_say_power_score_place_and_who_is_awaited(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    wish = {"clock": {"kind": "turn", "length": 24 * HOUR}}
    table = site.table(ann, ben, game="diplomacy", settings=wish)
    line = mine(ann, table)
    assert line["my_label"] and line["phase"] and line["speed"] == "days"
    assert line["score"] > 3 and line["rank"] in (1, 2)
    assert len(line["waiting"]) == 2 and line["due"] and line["picture"]


def test_an_anonymous_table_does_not_say_who_is_awaited(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    wish = {"anonymous": True, "press": "none"}
    table = site.table(ann, ben, game="diplomacy", settings=wish)
    line = mine(ann, table)
    assert line["waiting"] == [] and line["names"] == [] and line["gunboat"]


def test_who_hosts_a_closed_table_without_playing_sees_in_the_list_how_far_it_is(site):
    host, ann, ben = (site.guest(name) for name in ("Hal", "Ann", "Ben"))
    made = host.post("/tables", {"game": "sparks", "players": 2, "settings": {"watch": "off"}})
    for person in (ann, ben):
        person.post(f"/tables/{made['id']}/join", {"invite": made["invite"]})
    host.post(f"/tables/{made['id']}/start")
    (line,) = host.get("/lobby")["mine"]
    table = host.get(f"/tables/{made['id']}")
    assert (line["phase"], line["seq"]) == (table["phase_text"], table["seq"]) != ("", 0)
    assert len(line["waiting"]) == len(table["to_act"])


def test_a_list_does_not_say_who_is_awaited_where_strangers_may_not_watch_at_once(site):
    ann, ben, eve = site.guest("Ann"), site.guest("Ben"), site.guest("Eve")
    awaited = {}
    for watch in ("on", "delayed", "off"):
        table = site.table(ann, ben, settings={"watch": watch})
        ben.post(f"/tables/{table}/leave", {"seat": "blue"})
        lines = eve.get("/lobby")["open"]
        awaited[watch] = next(line["waiting"] for line in lines if line["id"] == table)
        assert mine(ann, table)["waiting"]
    assert awaited["on"] and not awaited["delayed"] and not awaited["off"]


# Profiles


def rated_game(site, *names_, **settings):
    people = [site.guest(name) for name in names_]
    for person, name in zip(people, names_, strict=True):
        register(person, name)
    table = site.table(*people, settings={"rated": True, **settings})
    play_out(site, table, people)
    return people, table


def test_a_person_has_a_page_with_results_and_the_history_of_the_rating(site):
    (ann, _), table = rated_game(site, "Ann", "Ben")
    page = ann.get("/users/ann")
    assert page["name"] == "Ann" and page["ratings"][0]["played"] == 1
    assert [(p["table"], p["game"]) for p in page["history"]] == [(table, "sparks")]
    assert page["history"][0]["rating"] == page["ratings"][0]["rating"]
    (played,) = page["games"]
    assert played["table"] == table and played["place"] in (1, 2) and played["ended"]
    assert {x["name"] for x in ann.get("/ratings/sparks")["ranks"]} == {"Ann", "Ben"}
    ann.post(f"/tables/{table}/report", {"seat": "blue", "text": "Slow."})
    data = ann.get("/me/data")
    assert [x["game"] for x in data["rating_changes"]] == [table]
    assert [x["text"] for x in data["reports"]] == ["Slow."]


def test_the_history_of_a_rating_does_not_lead_to_unlisted_tables(site):
    (ann, _), _ = rated_game(site, "Ann", "Ben", listed=False)
    assert [point["table"] for point in ann.get("/users/ann")["history"]] == [""]


def test_a_page_shows_no_unlisted_and_no_running_anonymous_game(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    register(ann, "Ann")
    site.table(ann, ben, settings={"listed": False})
    site.table(ann, ben, settings={"anonymous": True})
    assert ben.get("/users/Ann")["games"] == []
    shown = site.table(ann, ben)
    assert [game["table"] for game in ben.get("/users/Ann")["games"]] == [shown]


def test_hidden_games_take_no_room_from_the_others_on_a_page(site, monkeypatch):
    monkeypatch.setattr(profiles, "SHOWN_GAMES", 2)
    ann, ben = site.guest("Ann"), site.guest("Ben")
    register(ann, "Ann")
    _, second, third, *gone = (site.table(ann, ben) for _ in range(5))
    for _ in range(3):
        site.table(ann, ben, settings={"anonymous": True})

    async def take_away() -> None:
        """As if the host no longer offered the game of these tables."""
        async with site.server.store.write() as tx:
            g = schema.games
            await tx.run(update(g).where(g.c.id.in_(gone)).values(rules="gone"))

    site.do(take_away())
    assert [game["table"] for game in ben.get("/users/Ann")["games"]] == [third, second]


def test_the_account_behind_a_seat_is_known_unless_the_table_is_anonymous(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    register(ann, "Ann")
    table = site.table(ann, ben)
    assert ben.get(f"/tables/{table}/seats/red/person") == {"account": "Ann"}
    assert ann.get(f"/tables/{table}/seats/blue/person") == {"account": ""}  # a guest
    hidden = site.table(ann, ben, settings={"anonymous": True})
    assert ben.get(f"/tables/{hidden}/seats/red/person") == {"account": ""}


# Reports


def test_only_hosts_read_reports(settings):
    with running(settings, games=GAMES) as site:
        register(site.person(), "Ann")
    with running(replace(settings, hosts="Ann, Zoe"), games=GAMES) as site:
        ann, ben, eve = site.person(), site.guest("Ben"), site.guest("Eve")
        assert ann.post("/sessions", {"name": "Ann", "password": "correct horse"})["host"]
        table = site.table(eve, ben)
        ben.post(f"/tables/{table}/report", {"seat": "red", "text": "Rude letters."})
        ben.get("/reports", 403)
        eve.post(f"/tables/{table}/leave", {"seat": "red"})
        site.guest("Kim").post(f"/tables/{table}/join", {"seat": "red"})
        (report,) = ann.get("/reports")["reports"]
        assert report["table"] == table and report["name"] == "Eve" and report["by"] == "Ben"
        assert report["text"] == "Rude letters."
        refused = ben.post("/accounts", {"name": "ZOE", "password": "correct horse"}, 409)
        assert refused["code"] == "server.host_name"
        register(ben, "Ben")
        ben.call("PATCH", "/me", {"name": "Zoe"}, 409)
        ann.call("PATCH", "/me", {"name": "Anna"}, 409)
        assert ann.call("PATCH", "/me", {"name": "ANN"})["host"]


# Pictures and previews


def head_of(site, path, lang="en"):
    person = site.person(lang)
    return person.http.get(f"{site.bases[0]}{path}").text


def tags_of(page):
    return dict(re.findall(r'<meta property="(og:\w+)" content="([^"]*)"', page))


@pytest.fixture
def built(tmp_path, monkeypatch):
    """A stand-in for the built client: previews must not depend on whether it was built."""
    from powderkeg.server.http import static

    (tmp_path / "index.html").write_text(
        '<title>Powderkeg</title>\n    <meta\n property="og:title" content="Powderkeg" />'
    )
    monkeypatch.setattr(static.serve_client, "__defaults__", (tmp_path,))


def test_a_link_to_a_table_has_a_preview_with_a_picture(built, site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben, game="diplomacy", title='Café "Europa"')
    tags = tags_of(head_of(site, f"/t/{table}"))
    assert tags["og:title"] == "Café &quot;Europa&quot; · Diplomacy"
    assert "Spring 1914" in tags["og:description"]
    assert head_of(site, f"/t/{table}").count('property="og:title"') == 1
    assert "Primavera" in tags_of(head_of(site, f"/t/{table}", "es"))["og:description"]
    stranger = site.person().http
    path = tags["og:image"].partition("/api/")[2].replace("&amp;", "&")
    picture = stranger.get(f"{site.bases[0]}/api/{path}")
    assert picture.status_code == 200 and picture.content.startswith(b"\x89PNG")


def test_a_preview_says_no_more_than_a_stranger_may_know(built, site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    closed = site.table(ann, ben, game="diplomacy", title="Us", settings={"watch": "off"})
    hidden = site.table(ann, ben, game="diplomacy", settings={"anonymous": True})
    late = site.table(ann, ben, game="diplomacy", settings={"watch": "delayed"})
    page = head_of(site, f"/t/{closed}")
    assert "1914" not in page and "icon-512" in tags_of(page)["og:image"]
    assert tags_of(page)["og:title"] == "Diplomacy · Powderkeg"
    assert "1914" not in tags_of(head_of(site, f"/t/{late}"))["og:description"]
    for table in (closed, hidden, late):
        assert "Ann" not in head_of(site, f"/t/{table}")
    stranger = site.person()
    stranger.get(f"/tables/{closed}/picture.png", 404)
    assert ann.get(f"/tables/{closed}/picture.png", None).status_code == 200


def test_a_picture_shows_no_orders(site):
    """The position is the same picture before and after a player has written an order."""
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben, game="diplomacy")
    before = ann.get(f"/tables/{table}/picture.png", None).content
    now = ann.get(f"/tables/{table}?raw=1")
    order = next(text for text in now["legal"] if " - " in text)
    ann.act(table, order, now["question"]["id"])
    assert ann.get(f"/tables/{table}/picture.png", None).content == before


def test_a_table_that_does_not_exist_has_the_preview_of_the_site(built, site):
    assert tags_of(head_of(site, "/t/nothing"))["og:title"] == "Powderkeg"


def test_tables_that_wait_for_me_come_first(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    waits = site.table(ann, ben)
    newer = ann.post("/tables", {"game": "sparks", "seats": [{"seat": "red", "kind": "me"}]})["id"]
    lines = ann.get("/lobby")["mine"]
    assert [(line["id"], line["my_turn"]) for line in lines] == [(waits, True), (newer, False)]


def test_a_link_to_a_finished_game_says_who_won_and_one_to_a_moment_shows_it(built, site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben, game="diplomacy", options={"last_year": 1914})
    now = ann.get(f"/tables/{table}?raw=1")
    march = next(text for text in now["legal"] if " - " in text)
    ann.act(table, march, now["question"]["id"])  # so that the end looks different
    play_out(site, table, [ann, ben], lambda now: "ready")
    over = tags_of(head_of(site, f"/t/{table}", "it"))
    assert over["og:description"].endswith("andata.")
    assert re.match(r"(Vittoria|Patta): \w", over["og:description"])
    moment = tags_of(head_of(site, f"/t/{table}?at=0", "it"))
    assert moment["og:description"].startswith("Primavera 1914")
    assert moment["og:url"].endswith(f"/t/{table}?at=0")
    pictures = []
    for tags in (over, moment):
        path = tags["og:image"].partition("/api/")[2].replace("&amp;", "&")
        pictures.append(site.person().http.get(f"{site.bases[0]}/api/{path}").content)
    assert all(each.startswith(b"\x89PNG") for each in pictures) and pictures[0] != pictures[1]
    for wrong in ("?at=99999", "?at=x", "?at=" + "9" * 40):
        assert tags_of(head_of(site, f"/t/{table}{wrong}", "it"))["og:description"]


def test_a_link_to_a_moment_of_a_game_without_pictures_does_not_tell_its_end(built, site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben, options={"rounds": 1})
    play_out(site, table, [ann, ben])
    over = tags_of(head_of(site, f"/t/{table}"))
    moment = tags_of(head_of(site, f"/t/{table}?at=0"))
    assert "icon-512" in over["og:image"] and "icon-512" in moment["og:image"]
    ending = re.compile("Victory|A draw")
    assert ending.match(over["og:description"])
    assert not ending.match(moment["og:description"])


def test_nothing_is_replayed_for_a_picture_that_no_game_draws(site, monkeypatch):
    table = site.table(site.guest("Ann"), site.guest("Ben"))
    monkeypatch.setattr(pictures, "replay_moment", None)
    site.person().get(f"/tables/{table}/picture.png?seq=0", 404)


def test_a_moment_of_a_closed_table_is_no_strangers_business(built, site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben, game="diplomacy", settings={"watch": "off"})
    assert "1914" not in head_of(site, f"/t/{table}?at=0")
    site.person().get(f"/tables/{table}/picture.png?seq=0", 403)


def test_every_page_has_a_preview_with_a_picture_at_a_whole_address(built, site):
    ann = site.guest("Ann")
    league = ann.post("/leagues", {"name": "Friday <club>"})["id"]
    tags = tags_of(head_of(site, f"/league/{league}"))
    assert tags["og:title"] == "Friday &lt;club&gt; · Powderkeg"
    for path in ("/", "/rules/diplomacy", "/league/nothing", f"/league/{league}"):
        assert tags_of(head_of(site, path))["og:image"].startswith("http")
