"""Every door is tried with no, wrong, expired, foreign and too weak credentials."""

# ruff: noqa: PT018  # two halves of one statement about a table belong together

import itertools
import re
import time
import uuid
from typing import Any

import pytest
from sqlalchemy import update

from powderkeg.server.accounts import identity, limits, tokens
from powderkeg.server.app import create_app
from powderkeg.server.db import schema
from powderkeg.server.http import security
from powderkeg.server.lobby import lists
from powderkeg.server.refusals import Refused
from powderkeg.server.settings import Settings
from tests.server.visiting import GAMES, NO_TLS, OPENED, Clock, running

# What anybody may open. Everything else needs somebody, and mostly somebody in particular.
PUBLIC = {
    ("GET", "/api/me"),
    ("GET", "/api/games"),
    ("GET", "/api/games/{name}"),
    ("GET", "/api/lobby"),
    ("GET", "/api/lobby/stream"),
    ("GET", "/api/users/{name}"),
    ("GET", "/api/ratings/{game}"),
    ("GET", "/api/games/{game}/lessons"),
    ("GET", "/api/games/{game}/lessons/{name}/picture"),
    ("POST", "/api/games/{name}/pack"),  # checks cards, stores nothing
    ("GET", "/api/packs"),  # nobody has none
    ("GET", "/api/packs/{pack}"),  # shared by its link
    ("GET", "/api/leagues"),  # nobody has none
    ("GET", "/api/leagues/{league}"),  # shared by its link
    ("GET", "/api/leagues/{league}/tables"),
    ("GET", "/healthz"),
    ("GET", "/metrics"),
    ("POST", "/api/guests"),
    ("POST", "/api/accounts"),
    ("POST", "/api/sessions"),
    ("DELETE", "/api/sessions/current"),
    ("POST", "/api/mail-links"),
    ("POST", "/api/mail-links/open"),
    ("POST", "/api/seat-links/open"),
}
# Personal things: a stranger with an account may use them for their own.
OWN = re.compile(
    r"/api/(me|inbox|imports|packs|bot/upgrade|bot/events|sandboxes|(tables|leagues)$)"
)
BODIES: dict[str, Any] = {
    "/api/tables": {"game": "sparks"},
    "/api/imports": {"file": "x"},
    "/api/imports/games": {"file": "x"},
    "/api/sandboxes": {"game": "sparks"},
    "/api/tables/{table}/position": {"position": {}},
    "/api/tables/{table}/act": {"command": "c", "question": 1, "text": "card c1"},
    "/api/tables/{table}/undo": {"command": "c"},
    "/api/tables/{table}/read": {"text": "card c1"},
    "/api/tables/{table}/draft": {"question": 1, "value": 1},
    "/api/tables/{table}/press": {"text": "hi"},
    "/api/tables/{table}/proposals": {"kind": "draw"},
    "/api/tables/{table}/proposals/{number}/vote": {"agree": True},
    "/api/tables/{table}/report": {"seat": "red", "text": "x"},
    "/api/tables/{table}/hooks": {"url": "http://127.0.0.1:9/"},
    "/api/tables/{table}/seats/{seat}": {"kind": "bot"},
    "/api/leagues": {"name": "Club"},
    "/api/leagues/{league}": {"name": "Mine"},
    "/api/packs": {"game": "versailles", "name": "mine", "text": ""},
    "/api/packs/{pack}": {"game": "versailles", "name": "mine", "text": ""},
    "/api/me/tokens": {"name": "t", "scopes": ["read"]},
    "/api/me/pushes": {"endpoint": "https://127.0.0.1:9/", "keys": {}},
}


def doors() -> list[tuple[str, str]]:
    document = create_app(Settings(data="/tmp/unused"), GAMES).openapi()
    return [(m.upper(), path) for path, found in document["paths"].items() for m in found]


DOORS = doors()
GUARDED = [door for door in DOORS if door not in PUBLIC]


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A private table, and people with all kinds of wrong keys."""
    with running(Settings(data=str(tmp_path_factory.mktemp("doors")), limits=False)) as site:
        ann, ben = site.guest("Ann"), site.guest("Ben")
        private = {"watch": "off", "listed": False, "join": "link"}
        league = ann.post("/leagues", {"name": "Club"})["id"]
        table = site.table(ann, ben, settings=private, league=league)
        eve = site.person()
        eve.post("/accounts", {"name": f"e{uuid.uuid4().hex[:8]}", "password": "correct horse"})
        other = site.table(eve, site.guest("Dan"), settings=private)
        foreign = eve.post(f"/tables/{other}/seats/red/link")["token"]
        weak = eve.post("/me/tokens", {"name": "w", "scopes": ["read"]})["token"]
        expired = ann.post(
            "/me/tokens", {"name": "x", "scopes": ["read", "play", "tables", "account"]}
        )

        async def expire():
            async with site.server.store.write() as tx:
                old = update(schema.tokens).where(schema.tokens.c.id == expired["id"])
                await tx.run(old.values(expires=time.time() - 1))

        site.do(expire())
        keys = {
            "none": site.person(),
            "wrong": site.person(Authorization=f"Bearer {tokens.new_token('api')}"),
            "nonsense": site.person(Authorization="Basic YTpi"),
            "expired": site.person(Authorization=f"Bearer {expired['token']}"),
            "seat of another table": site.person(Authorization=f"Bearer {foreign}"),
            "stranger": eve,
            "stranger's token": site.person(Authorization=f"Bearer {weak}"),
        }
        kept = OPENED.copy()
        OPENED.clear()  # these people stay for the whole module
        yield site, table, keys, ann
        OPENED.extend(kept)


def address(path: str, table: str, league: str = "x") -> str:
    named = {"table": table, "seat": "red", "number": "1", "seq": "1", "hook": "x", "token": "x"}
    named |= {"game": "sparks", "name": "versailles", "pack": "x", "league": league}
    return re.sub(r"{(\w+)}", lambda found: named[found[1]], path)


@pytest.mark.slow
@pytest.mark.parametrize(("method", "path"), GUARDED, ids=lambda part: part)
def test_no_door_opens_to_the_wrong_key(house, method, path):
    site, table, keys, ann = house
    before = ann.get(f"/tables/{table}")
    for name, person in keys.items():
        if name in ("stranger", "stranger's token") and OWN.match(path):
            continue
        url = f"{site.bases[0]}{address(path, table, before['league'])}"
        answer = person.http.request(method, url, json=BODIES.get(path, {}))
        assert answer.status_code in (401, 403, 404), (name, answer.status_code, answer.text[:300])
        assert set(answer.json()) == {"code", "text", "rule"}
    now = ann.get(f"/tables/{table}")
    assert (now["rev"], now["league"]) == (before["rev"], before["league"])


@pytest.mark.slow
@pytest.mark.parametrize(("method", "path"), [d for d in DOORS if d[0] != "GET"], ids=lambda p: p)
def test_cookies_alone_change_nothing(house, method, path):
    """Another site can make a browser send cookies, but not our header."""
    site, table, _, ann = house
    url = f"{site.bases[0]}{address(path, table)}"
    bare = {"Cookie": ann.cookie}
    import httpx2

    answer = httpx2.request(method, url, json=BODIES.get(path, {}), headers=bare, verify=NO_TLS)
    assert answer.status_code == 403 and answer.json()["code"] == "server.other_site"
    foreign = {**bare, "X-Powderkeg": "1", "Origin": "https://evil.example"}
    answer = httpx2.request(method, url, json=BODIES.get(path, {}), headers=foreign, verify=NO_TLS)
    assert answer.status_code == 403 and answer.json()["code"] == "server.other_site"


@pytest.mark.parametrize("kind", ["none", "wrong", "expired", "seat of another table", "stranger"])
def test_no_socket_opens_to_the_wrong_key(house, kind):
    _, table, keys, _ = house
    with keys[kind].live(table) as wire:
        assert wire.next("refused")["code"] in ("server.not_watchable", "server.bad_token")


def test_a_socket_from_another_site_is_not_opened(house):
    from websockets.exceptions import InvalidStatus
    from websockets.sync.client import connect

    site, table, _, ann = house
    url = f"{site.bases[0].replace('http', 'ws')}/api/tables/{table}/live"
    headers = {"Cookie": ann.cookie, "Origin": "https://evil.example"}
    with pytest.raises(InvalidStatus):
        connect(url, additional_headers=headers)


def test_secrets_are_stored_hashed_only(house):
    site, *_ = house

    async def everything():
        async with site.server.store.read() as tx:
            rows = [await tx.all(table.select()) for table in schema.metadata.sorted_tables]
        return repr(rows)

    assert "pk_" not in site.do(everything())


def test_pages_carry_a_strict_policy(house):
    site, *_ = house
    answer = site.person().http.get(site.bases[0] + "/")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'self'" in policy and "unsafe" not in policy
    assert answer.headers["x-frame-options"] == "DENY"
    cookie = site.person().call("POST", "/guests", {}, None).headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 200),
        ("GET", "/t/nowhere", 200),
        ("GET", "/assets/none.js", 404),
        ("GET", "/healthz", 200),
        ("GET", "/metrics", 200),
        ("GET", "/api/openapi.json", 200),
        ("GET", "/api/lobby", 200),
        ("GET", "/api/nothing", 404),
        ("GET", "/api/tables/nowhere", 404),
        ("PUT", "/api/lobby", 405),
        ("POST", "/api/sessions", 422),
        ("GET", "/api/me/data", 401),
        ("POST", "/api/guests?%00", 404),
        ("GET", "/api/games/sparks/lessons/none/picture", 404),
    ],
)
def test_every_kind_of_answer_carries_the_security_headers(house, method, path, status):
    site, *_ = house
    answer = site.person().http.request(method, site.bases[0] + path)
    assert answer.status_code == status
    check_headers(answer, path)


def check_headers(answer: Any, path: str) -> None:
    for name, value in security.SECURITY_HEADERS.items():
        assert answer.headers.get(name) == value, name
    if path.startswith("/api/"):
        assert answer.headers["cache-control"] == "no-store"


@pytest.mark.slow
def test_a_request_from_another_site_and_a_failure_carry_them_too(house, monkeypatch):
    site, *_ = house
    person = site.person()
    guests = f"{site.bases[0]}/api/guests"
    foreign = person.http.post(guests, json={}, headers={"Origin": "https://example.org"})
    assert foreign.status_code == 403
    check_headers(foreign, "/api/")
    monkeypatch.setattr(lists, "_table_line", lambda *parts: 1 / 0)
    failed = house[3].get("/lobby", None)
    assert failed.status_code == 500
    check_headers(failed, "/api/")


@pytest.mark.slow
@pytest.mark.parametrize("secure", [True, False])
def test_every_cookie_is_out_of_reach_of_scripts_and_other_sites(tmp_path, secure):
    settings = Settings(data=str(tmp_path), limits=False, secure_cookies=secure)
    with running(settings) as site:
        ann = site.person()
        account = {"name": "Ann", "password": "correct horse"}
        answers = [ann.post("/accounts", account, None), ann.post("/sessions", account, None)]
        for answer in answers:  # over plain HTTP the client keeps no secure cookie by itself
            ann.http.headers["Cookie"] = answer.headers["set-cookie"].partition(";")[0]
        table = ann.post("/tables", {"game": "sparks", "seats": [{"seat": "red", "kind": "me"}]})
        link = ann.post(f"/tables/{table['id']}/seats/red/link")["token"]
        answers.append(site.person().post("/seat-links/open", {"token": link}, None))
        answers += [site.person().post("/guests", {}, None)]
        answers += [ann.call("DELETE", "/sessions/current", None, None)]
        for answer in answers:
            cookie = answer.headers["set-cookie"].lower()
            assert "httponly" in cookie and "samesite=strict" in cookie and "path=/" in cookie
            assert ("; secure" in cookie) is secure


@pytest.mark.slow
def test_limits_answer_with_seconds(tmp_path):
    with running(Settings(data=str(tmp_path))) as site:
        ann = site.person()
        for _ in range(10):
            ann.post("/sessions", {"name": "x", "password": "y"}, 401)
        refused = ann.post("/sessions", {"name": "x", "password": "y"}, 429)
        assert refused["ratelimit"]["key"] == "login" and refused["ratelimit"]["seconds"] > 0


@pytest.mark.parametrize(
    "path", ["/..%2f..%2fpyproject.toml", "/%2e%2e/app.py", "/assets/../../x", "/a%00b"]
)
def test_only_the_clients_files_are_served(house, path):
    site, *_ = house
    answer = site.person().http.get(site.bases[0] + path)
    assert "powderkeg.server" not in answer.text and answer.status_code in (200, 404)


def test_the_page_on_limits_says_what_is_counted(request):
    page = (request.config.rootpath / "docs/guides/bot-api.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| `(\w+)` \|.*\| (\d+) (per \w+|in 5 minutes) \| by (\w+) \|$", page, re.MULTILINE
    )
    units = {"per minute": "1/minute", "per hour": "1/hour", "in 5 minutes": "1/5minute"}
    said = {key: f"{n}{units[per][1:]}" for key, n, per, _ in rows}
    assert said == limits.RATE_LIMITS
    assert {key for key, *_, by in rows if by == "all"} == set(limits.SHARED_LIMITS)


@pytest.mark.slow
@pytest.mark.parametrize(("gone", "wait"), [(0.0, 330), (25.0, 305), (299.0, 31)])
def test_processes_count_together_what_is_dear(postgres, tmp_path, gone, wait):
    """Ten wrong passwords are ten, whichever process hears them and however much of the window is
    gone; and a restart forgets nothing."""
    settings = Settings(database_url=postgres(), data=str(tmp_path))
    now = 4_000_000_200.0 + gone  # a window begins; far ahead, so that none of it is tidied away
    with running(settings) as one, running(settings) as two:
        for site in (one, two):
            site.server.limiter.clock = lambda: now
        people = itertools.cycle([one.person(), two.person()])
        for _ in range(10):
            next(people).post("/sessions", {"name": "x", "password": "y"}, 401)
        refused = next(people).post("/sessions", {"name": "x", "password": "y"}, 429)
        assert refused["code"] == "server.too_many"
        assert refused["ratelimit"] == {"key": "login", "seconds": wait}
        next(people).post("/sessions", {"name": "x", "password": "y"}, 429)
    with running(settings) as three:
        three.server.limiter.clock = lambda: now
        answer = three.person().post("/sessions", {"name": "z", "password": "y"}, None)
        assert answer.status_code == 429 and int(answer.headers["retry-after"]) > 0


def test_a_window_slides(tmp_path):
    """Old attempts count less and less; after the wait that was announced, one may go on."""
    clock = Clock()  # of the whole server: else what is old by its clock is tidied away meanwhile
    with running(Settings(data=str(tmp_path), jobs=False), clock=clock) as site:

        def tries() -> int | None:
            try:
                site.do(site.server.limiter.check_shared("login", "me"))
            except Refused as error:
                return error.seconds
            return None

        assert [tries() for _ in range(10)] == [None] * 10
        waits = []
        for _ in range(6):
            waits.append(tries())
            clock.now += waits[-1] - 1.5
            assert tries() is not None
            clock.now += 1.5
            assert tries() is None
        assert sum(waits) < 600

        async def rows() -> int:
            async with site.server.store.read() as tx:
                return len(await tx.all(schema.hits.select()))

        keeper = site.server.housekeeper
        keeper.cleaned = 0.0
        site.do(keeper.clean_up())
        assert site.do(rows())
        clock.now += 3600
        site.do(keeper.clean_up())
        assert site.do(rows()) == 0


@pytest.mark.parametrize(
    ("address", "same"),
    [
        ("2001:db8:1:2::9", "2001:db8:1:2:ffff::1"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("unix", "unix"),
    ],
)
def test_neighbours_in_a_network_are_counted_as_one(address, same):
    assert identity.network_of(address) == identity.network_of(same)
    assert identity.network_of("2001:db8:1:3::9") != identity.network_of("2001:db8:1:2::9")
    assert identity.network_of("192.0.2.7") != identity.network_of("192.0.2.8")
