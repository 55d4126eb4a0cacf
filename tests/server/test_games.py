"""The real games on the server, with everybody connected: nobody learns another's secret.

What a reader is sent must not depend on what the reader may not know. So every message is compared
with the one the server would send if all hidden things were dealt anew: they must be equal.
"""

# ruff: noqa: PT018  # two halves of one statement about a table belong together

import random
from collections.abc import Iterator
from typing import Any

import pytest

from powderkeg.games import NAMES, find
from powderkeg.server import show
from powderkeg.server.security import Principal
from powderkeg.server.settings import Settings
from tests.server.visiting import SEATS, Person, Running, running

ACTIONS = 40


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Iterator[Running]:
    games = {name: find(name) for name in NAMES}
    SEATS.update({n: list(g.seats(g.players[-1], g.Options())) for n, g in games.items()})
    settings = Settings(data=str(tmp_path_factory.mktemp("games")), limits=False)
    with running(settings, games=games) as found:
        yield found


async def as_if_dealt_anew(site: Running, person: Person, table: str, rng: random.Random) -> Any:
    """What the server would show this person if hidden things were otherwise."""
    async with site.server.rooms.look(table) as room:
        user = (
            type("User", (), {"id": person.me["id"], "name": "", "lang": "en"})
            if person.me
            else None
        )
        reader = show.reader(room, Principal(user), None, text=True, raw=True)
        fold = room.live
        state, base = fold.table.state, fold.base_state
        fold.table.state = room.game.deal(room.game.view(state, reader.seat), rng)
        room.shown.clear()
        try:
            return show.table_out(room, reader, 0).model_dump(mode="json")
        finally:
            fold.table.state, fold.base_state = state, base
            room.shown.clear()


@pytest.mark.parametrize("name", NAMES)
def test_no_message_depends_on_what_its_reader_may_not_know(site, name):
    rng = random.Random(name)
    people = [site.guest(f"P{i}") for i, _ in enumerate(SEATS[name])]
    table = site.table(*people, game=name)
    watcher = site.guest("W")
    for _ in range(ACTIONS):
        acted = False
        for person in rng.sample(people, len(people)):
            now = person.get(f"/tables/{table}?text=0&raw=1")
            if now["question"] and now["legal"]:
                person.act(table, rng.choice(now["legal"]), now["question"]["id"])
                acted = True
                break
        if not acted:
            break
        for person in rng.sample([*people, watcher], 2):
            sent = {**person.get(f"/tables/{table}?text=1&raw=1"), "now": 0}
            other = site.do(as_if_dealt_anew(site, person, table, rng))
            wrong = [key for key in sent if sent[key] != {**other, "seats": sent["seats"]}[key]]
            assert wrong == [], (name, now["seq"], wrong)
    assert now["seq"] > 5


@pytest.mark.parametrize("name", NAMES)
def test_a_log_tells_each_reader_their_own_facts(site, name):
    rng = random.Random(1)
    people = [site.guest(f"P{i}") for i, _ in enumerate(SEATS[name])]
    table = site.table(*people, game=name)
    for _ in range(25):
        person = rng.choice(people)
        now = person.get(f"/tables/{table}?text=0&raw=1")
        if now["question"] and now["legal"]:
            person.act(table, rng.choice(now["legal"]), now["question"]["id"])
    for person in people:
        page = person.get(f"/tables/{table}/log")
        seat = person.get(f"/tables/{table}")["seat"]
        for entry in page["entries"]:
            assert entry["do"] is None or entry["seat"] == seat
            assert all(fact["text"] and fact["code"] for fact in entry["facts"])
        assert person.get(f"/tables/{table}/at/{page['seq']}")["view"]
        copy = person.post(f"/tables/{table}/sandbox", {"seq": page["seq"]})
        assert copy["table"]["status"] == "live" and len(copy["table"]["held"]) == len(people)


@pytest.mark.parametrize("name", NAMES)
def test_a_game_with_bots_goes_on_by_itself(site, name):
    ann = site.guest("Ann")
    seats = [{"seat": s, "kind": "bot", "level": "random"} for s in SEATS[name]]
    players = len(seats)
    made = ann.post("/tables", {"game": name, "players": players, "seats": seats, "start": True})
    from tests.server.visiting import until

    until(lambda: ann.get(f"/tables/{made['id']}?text=0")["seq"] > 30, 300)
    ann.post(f"/tables/{made['id']}/leave", expect=403)
