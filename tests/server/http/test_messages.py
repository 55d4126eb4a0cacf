"""What comes in: too large, too deep, not storable, lone surrogates. None of it does harm."""

import hashlib
import json

import httpx2
import pytest
import sparks
from websockets.exceptions import ConnectionClosed

from powderkeg.core.chance import Drawn
from powderkeg.server.accounts import limits
from powderkeg.server.http import security
from powderkeg.server.lobby import copies
from powderkeg.server.settings import Settings
from tests.server.visiting import running

pytestmark = pytest.mark.slow

DEEP = "[" * 200 + "]" * 200
DEEPER = "[" * 100_000 + "]" * 100_000


def raw(person, table, what, body, method="POST"):
    """Send exactly these bytes."""
    headers = {"Content-Type": "application/json"}
    url = f"{person.base}/api/tables/{table}/{what}"
    return person.http.request(method, url, content=body.encode(), headers=headers)


@pytest.mark.slow
@pytest.mark.parametrize(
    "value",
    ["NaN", "Infinity", "-Infinity", "1e999", f"1{'0' * 400}", DEEP, DEEPER, '"\\ud800"',
     '"a\\u0000"', '{"\\udfff": 1}', '[{"a": ["\\u0000"]}]', '"' + "x" * 30_000 + '"'],
)  # fmt: skip
def test_a_draft_that_cannot_be_stored_is_refused_and_nothing_breaks(site, value):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    answer = raw(ann, table, "draft", f'{{"question": 1, "value": {value}}}', "PUT")
    assert answer.status_code in (400, 422), answer.text
    assert ann.get(f"/tables/{table}")["draft"] is None


@pytest.mark.slow
@pytest.mark.parametrize("number", ["-1", "2147483648", "1e30", str(10**30), "NaN"])
@pytest.mark.parametrize(("what", "method"), [("draft", "PUT"), ("act", "POST")])
def test_numbers_beyond_any_log_are_refused(site, what, method, number):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    more = '"value": 1' if what == "draft" else '"command": "c", "text": "card c1"'
    answer = raw(ann, table, what, f'{{"question": {number}, {more}}}', method)
    assert answer.status_code in (400, 409, 422), answer.text


@pytest.mark.parametrize("text", ["\\u0000", "\\ud800", "a\\udc00b"])
def test_half_characters_reach_no_database(site, text):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    answer = raw(ann, table, "press", f'{{"text": "{text}"}}')
    assert answer.status_code == 422, answer.text
    assert answer.json()["code"] == "server.bad_shape"


@pytest.mark.parametrize(
    "path",
    ["/api/tables/a%00b", "/api/users/a%00b", "/api/tables/%ff%fe", "/api/users/%ed%a0%80",
     "/api/ratings/%00", "/api/tables/x?seat=%00", "/api/games/%00", f"/api/tables/{'x' * 5000}"],
)  # fmt: skip
def test_addresses_that_no_database_can_look_for(site, path):
    answer = site.guest("Ann").http.get(site.bases[0] + path)
    assert answer.status_code in (403, 404, 422), answer.text


def test_large_bodies_are_refused_before_they_are_read(site):
    ann = site.guest("Ann")
    url = f"{ann.base}/api/imports"
    answer = ann.http.post(url, content=b"x" * (security.LARGEST_BODY + 1))
    assert (answer.status_code, answer.json()["code"]) == (413, "server.too_large")

    def endless():
        yield b'{"file": "'
        for _ in range(200):
            yield b"x" * 100_000

    try:
        answer = ann.http.post(url, content=endless())
        assert answer.status_code == 413
    except httpx2.TransportError:
        pass  # the server did not wait for the end
    assert ann.get("/me")["kind"] == "guest"


@pytest.mark.parametrize("noise", [DEEPER[:30_000], '{"type": "draft", "value": ' + DEEP + "}"])
def test_deep_messages_end_at_most_that_socket(site, noise):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    with ben.live(table) as b, ann.live(table) as a:
        b.table()
        a.wire.send(noise)
        try:
            assert a.next("refused")["code"] == "server.bad_shape"
        except ConnectionClosed as closed:
            assert closed.rcvd.code == 1008  # noqa: PT017  # either is well
        b.send(type="ping")
        assert b.next("pong")


# Keys that no longer open anything


def test_logging_out_disconnects_everywhere(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    with ann.live(table) as a, ben.live(table) as b:
        a.table(), b.table()
        ann.call("DELETE", "/sessions/current")
        with pytest.raises(ConnectionClosed) as closed:
            a.next("never")
        assert closed.value.rcvd.code == 4403
        b.send(type="ping")
        assert b.next("pong")


def test_an_old_link_ends_with_the_new_one(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    link = ann.post(f"/tables/{table}/seats/red/link")["token"]
    phone = site.person(Authorization=f"Bearer {link}")
    with phone.live(table) as wire:
        assert wire.table()["held"] == ["red"]
        ann.post(f"/tables/{table}/seats/red/link")
        with pytest.raises(ConnectionClosed) as closed:
            wire.next("never")
        assert closed.value.rcvd.code == 4403
    assert phone.get(f"/tables/{table}", 401)["code"] == "server.bad_token"


@pytest.mark.slow
def test_a_stream_ends_with_its_token(site):
    ann = site.person()
    ann.post("/accounts", {"name": f"s{id(ann)}", "password": "correct horse"})
    made = ann.post("/me/tokens", {"name": "t", "scopes": ["read"]})
    robot = site.person(Authorization=f"Bearer {made['token']}")
    for path in ("bot/events", "lobby/stream"):
        with robot.http.stream("GET", f"{robot.base}/api/{path}") as stream:
            lines = stream.iter_lines()
            next(lines)
            if path == "lobby/stream":
                ann.call("DELETE", f"/me/tokens/{made['id']}")
                assert "event: restart" not in list(lines)  # it ends: there is no coming back
    assert robot.get("/me", 401)


@pytest.mark.slow
def test_a_connection_ends_when_its_token_runs_out(tmp_path):
    from sqlalchemy import update

    from powderkeg.server.db import schema

    with running(Settings(data=str(tmp_path), limits=False)) as site:
        ann, ben = site.guest("Ann"), site.guest("Ben")
        table = site.table(ann, ben)

        async def shorten():
            import time

            async with site.server.store.write() as tx:
                await tx.run(update(schema.tokens).values(expires=time.time() + 4.0))

        site.do(shorten())
        with ann.live(table) as a:
            a.table()
            with pytest.raises(ConnectionClosed) as closed:
                a.next("never")
            assert closed.value.rcvd.code == 4403


def test_opening_sockets_is_limited_too(tmp_path, monkeypatch):
    monkeypatch.setitem(limits.RATE_LIMITS, "stream", "3/minute")
    with running(Settings(data=str(tmp_path))) as site:
        ann, ben = site.guest("Ann"), site.guest("Ben")
        table = site.table(ann, ben)
        for _ in range(3):
            with ann.live(table) as a:
                a.table()
        with ann.live(table) as a:
            refused = json.loads(a.wire.recv(5))
            assert refused["code"] == "server.too_many"
        with ben.live(table) as b:
            b.table()


def sealed(*items):
    """A game file of any content, with seals that fit."""
    lines, seal = [], ""
    for item in items:
        body = json.dumps(item, separators=(",", ":"))  # odd characters stay escaped
        seal = hashlib.sha256(f"{seal}{body}".encode()).hexdigest()[:16]
        lines.append(f'{body[:-1]},"seal":"{seal}"}}')
    return "\n".join([*lines, ""])


HEADER = {"powderkeg": 1, "game": "sparks", "version": 1, "players": 2, "options": {}}
DEAL = {"seat": "chance", "do": str(Drawn(sparks.CARDS))}


def test_a_file_with_odd_names_and_times_is_opened_and_can_be_shown(site):
    ann = site.guest("Ann")
    header = {**HEADER, "names": {"red": "A\ud800\x00nn" + "x" * 99}}
    entries = [{**DEAL, "at": float("nan")}, {"seat": "red", "do": "card c1", "at": 1e300}]
    made = ann.post("/imports", {"file": sealed(header, *entries, {"end": 2})})
    assert made["table"]["seats"][0]["name"] == ("Ann" + "x" * 99)[:40]
    times = [entry["at"] for entry in ann.get(f"/tables/{made['id']}/log")["entries"]]
    assert len(times) == 2
    assert all(0 < at < 1e11 for at in times)


def test_a_file_that_is_too_long_is_refused(site):
    ann = site.guest("Ann")
    more = [{"seat": "red", "do": "x"}] * (copies.LONGEST_FILE + 1)
    refused = ann.post("/imports", {"file": sealed(HEADER, *more, {"end": len(more)})}, 422)
    assert refused["code"] == "server.file_too_long"


@pytest.mark.parametrize(
    ("path", "body", "lang", "said"),
    [
        ("/accounts", {"name": "x", "password": "short"}, "es", "password: necesita al menos 8 caracteres."),
        ("/accounts", {"name": "x" * 41, "password": "long enough"}, "it", "name: può avere al massimo 40 caratteri."),
        ("/sessions", {"name": "x"}, "it", "password: manca."),
        ("/tables", {"game": "sparks", "colour": "red"}, "es", "colour: aquí no se conoce."),
        ("/tables", {"game": "sparks", "players": 0}, "en", "players: it must be at least 1."),
        ("/tables", {"game": "sparks", "players": "two"}, "en", "players: it does not have the right format."),
        ("/tables", {"game": "sparks", "preset": "soon"}, "it", "preset: dev\u2019essere uno di questi valori: bots, free, five, ten, fifteen, live, half, day, two, three, week."),
        ("/tables", {"game": "sparks", "title": "a\x00b"}, "es", "title: contiene algo que no se puede guardar."),
        ("/tables", {"game": "sparks", "settings": {"clock": {"zone": "Moon"}}}, "en", "settings/clock/zone: there is no such time zone."),
        ("/tables/x/press", {}, "it", "body: un messaggio ha bisogno di un testo, di uno schizzo o di un\u2019offerta."),
        ("/tables/x/proposals", {"kind": "draw", "hours": 0}, "es", "hours: debe ser mayor que 0."),
        ("/tables/x/draft", {"question": 1, "value": "x" * 30_000}, "en", "value: it is too large."),
    ],
)  # fmt: skip
def test_a_wrong_shape_is_refused_in_the_readers_language(site, path, body, lang, said):
    method = "PUT" if path.endswith("draft") else "POST"
    assert site.person(lang).call(method, path, body, 422)["text"] == said
