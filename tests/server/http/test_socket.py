"""Live tables: everybody hears of every change; who floods or babbles is dropped alone."""

# two halves of one statement about a table belong together

import asyncio
import json
import signal
from typing import NamedTuple

import pytest
from sqlalchemy import select, update
from websockets.exceptions import ConnectionClosed

from powderkeg.games import find_game
from powderkeg.server import metrics
from powderkeg.server.db import schema
from powderkeg.server.db.events import EventHub
from powderkeg.server.http import socket
from powderkeg.server.schemas.play import DraftIn
from powderkeg.server.settings import Settings
from powderkeg.server.tables.commands import keep_draft
from tests.server.visiting import PATIENCE, Cluster, play_out, principal, running, until

pytestmark = pytest.mark.slow


def test_everybody_hears_of_every_action(site):
    ann, ben, eve = site.guest("Ann"), site.guest("Ben"), site.guest("Eve")
    table = site.table(ann, ben)
    with ann.live(table) as a, ben.live(table) as b, eve.live(table) as e:
        now = a.table()
        a.send(type="act", command="1", question=now["question"]["id"], text=now["legal"][0])
        for wire in (a, b, e):
            wire.table(lambda t: t["seq"] == now["seq"] + 1)
        done = [message for message in a.heard if message["type"] == "done"]  # before or after it
        assert (done or [a.next("done")])[0]["seq"] == now["seq"] + 1


def test_what_your_command_changed_comes_in_the_frame_of_its_answer(tmp_path, monkeypatch):
    monkeypatch.setattr(socket, "GATHER_SECONDS", 0.0)
    with (
        running(Settings(data=str(tmp_path), limits=False)) as site,
        (ann := site.guest("Ann")).live(site.table(ann, site.guest("Ben"))) as a,
    ):
        now = a.table()
        a.send(type="act", command="1", question=now["question"]["id"], text=now["legal"][0])
        frames = iter(lambda: json.loads(a.wire.recv(120)), None)
        answer = next(frame for frame in frames if '"done"' in json.dumps(frame))
        assert [message["type"] for message in answer] == ["delta", "done"]


def test_the_dash_of_an_order_takes_no_wide_characters(tmp_path):
    """To put together and send a message of plain ASCII takes a tenth of the time."""
    games = {"diplomacy": find_game("diplomacy")}
    with running(Settings(data=str(tmp_path), limits=False), games=games) as site:
        ann = site.guest("Ann")
        with ann.live(site.table(ann, site.guest("Ben"), game="diplomacy"), "") as a:
            now = a.table()
            order = {"question": now["question"]["id"], "text": "A par - bur"}
            a.send(type="act", command="1", **order)
            frame = next(frame for frame in iter(lambda: a.wire.recv(120), None) if "bur" in frame)
            assert frame.isascii()
            assert "\N{EN DASH}" in json.dumps(json.loads(frame), ensure_ascii=False)


def screens_counted() -> float:
    (metric,) = metrics.SCREEN_SECONDS.collect()
    return next(each.value for each in metric.samples if each.name.endswith("_count"))


def test_your_own_change_counts_as_seen_with_its_answer_not_with_the_next_news(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(socket, "GATHER_SECONDS", 600.0)  # what is gathered never comes here
    with (
        running(Settings(data=str(tmp_path), limits=False)) as site,
        (ann := site.guest("Ann")).live(site.table(ann, site.guest("Ben"))) as a,
    ):
        now, before = a.table(), screens_counted()
        a.send(type="act", command="1", question=now["question"]["id"], text=now["legal"][0])
        a.next("done")
        until(lambda: screens_counted() == before + 1)


def test_news_that_was_read_while_held_wakes_nobody():
    async def hold_and_release() -> bool:
        events = EventHub()
        reader = events.subscribe("table:t", "gone:key")
        waiting = asyncio.create_task(reader.wait())
        await asyncio.sleep(0)
        reader.hold()
        events.publish("table:t", {"at": 5.0})
        assert reader.take_topic("table:t") == 5.0
        reader.release()
        await asyncio.sleep(0)
        assert not waiting.done()
        reader.hold()
        events.publish("gone:key", {})
        await asyncio.sleep(0)
        assert not waiting.done()
        reader.release()
        return await waiting == {"gone:key"}

    assert asyncio.run(hold_and_release())


class StuckSocket:
    """A reader whose line takes nothing in and sends nothing."""

    def __init__(self) -> None:
        self.query_params: dict[str, str] = {}
        self.closed: list[int] = []

    async def send_text(self, text: str) -> None:
        await asyncio.Event().wait()

    async def receive_text(self) -> str:
        await asyncio.Event().wait()
        return ""

    async def close(self, code: int) -> None:
        self.closed.append(code)


def test_a_reader_that_takes_nothing_in_is_dropped_and_counts_as_having_seen_nothing(
    settings, monkeypatch
):
    monkeypatch.setattr(socket, "SEND_SECONDS", 0.01)
    with running(settings) as site:
        ann, ben = site.guest("Ann"), site.guest("Ben")
        table = site.table(ann, ben)
        stuck = StuckSocket()
        live = socket.LiveSocket(site.server, stuck, table, principal(ann.me["id"]))
        site.do(live.run())  # it ends: a missing database would be waited for
        assert stuck.closed == [1011]
        assert live.version == 0


def test_a_refusal_names_the_command_and_the_rule(site):
    ann, ben = site.guest("Ann", "es"), site.guest("Ben")
    table = site.table(ann, ben)
    with ann.live(table) as a:
        now = a.table()
        a.send(type="act", command="x", question=now["seq"], text="duck")
        refused = a.next("refused")
        assert (refused["command"], refused["rule"]) == ("x", "S-01")
        a.send(type="act", command="y", question=now["seq"])
        assert a.next("refused")["command"] == "y"
        a.send(type="act", command="z", question="what", text="duck")
        assert a.next("refused")["code"] == "server.bad_shape"
        a.send(type="undo", command="u")
        assert a.next("refused")["code"] == "core.nothing_to_undo"


def test_a_repeated_command_over_a_new_socket_is_harmless(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    with ann.live(table) as a:
        now = a.table()
        act = {"command": "same", "question": now["seq"], "text": now["legal"][0]}
        a.send(type="act", **act)
        assert not a.next("done")["repeated"]
    with ann.live(table) as a:
        a.send(type="act", **act)
        assert a.next("done")["repeated"]
    assert ben.get(f"/tables/{table}")["seq"] == now["seq"] + 1


def test_drafts_and_press_travel_too(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    with ann.live(table) as a, ann.live(table) as phone, ben.live(table) as b:
        now = a.table()
        a.send(type="draft", question=now["seq"], value=["c1"])
        assert phone.table(lambda t: t["draft"])["draft"]["value"] == ["c1"]
        a.send(type="press", command="p", to=[], text="hello")
        assert b.next("press")["messages"][-1]["text"] == "hello"
        assert not any(m.get("table", {}).get("draft") for m in b.heard)
        a.send(type="ping")
        assert a.next("pong")["now"]


def test_a_slow_reader_misses_no_kind_of_news():
    """Whose key was taken back must learn it, however much else has happened meanwhile."""
    events = EventHub()
    reader = events.subscribe("table:t", "gone:key")
    for rev in range(1000):
        events.publish("table:t", {"rev": rev})
    events.publish("gone:key", {})
    assert set(asyncio.run(reader.wait(1))) == {"table:t", "gone:key"}


@pytest.mark.slow
def test_drafts_from_two_devices_at_once_do_not_collide(settings):
    with running(settings) as site:
        ann, ben = site.guest("Ann"), site.guest("Ben")
        table = site.table(ann, ben)
        who = principal(ann.me["id"], "Ann")

        async def many():
            wishes = [DraftIn(question=1, value=[n]) for n in range(20)]
            await asyncio.gather(*(keep_draft(site.server.cache, who, table, w) for w in wishes))

        site.do(many())
        (kept,) = ann.get(f"/tables/{table}")["draft"]["value"]
        assert kept in range(20)
        ann.call("PUT", f"/tables/{table}/draft", {"question": 1})
        assert ann.get(f"/tables/{table}")["draft"] is None


def test_a_reader_who_may_not_watch_gets_no_socket(site):
    ann, ben, eve = site.guest("Ann"), site.guest("Ben"), site.guest("Eve")
    table = site.table(ann, ben, settings={"watch": "off"})
    with eve.live(table) as e:
        assert e.next("refused")["code"] == "server.not_watchable"
        with pytest.raises(ConnectionClosed):
            e.wire.recv(5)
    with eve.live("nosuch") as e:
        assert e.next("refused")["code"] == "server.no_such_table"
    with site.guest("Eva", "es").live("nosuch") as e:
        assert e.next("refused")["text"] == "Esa mesa no existe."


@pytest.mark.slow
@pytest.mark.parametrize(
    "noise",
    [
        "not json",
        "[]",
        '{"type": "dance"}',
        '{"no": "type"}',
        json.dumps({"type": "x" * 40_000}),
        "x" * 70_000,
    ],
)
def test_noise_ends_that_socket_alone(site, noise):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    with ben.live(table) as b, ann.live(table) as a:
        b.table()
        a.wire.send(noise)
        with pytest.raises(ConnectionClosed):
            a.next("never")
        b.send(type="ping")
        assert b.next("pong")


def flood(wire):
    for _ in range(500):
        wire.send(type="ping")
    wire.next("never")


@pytest.mark.slow
def test_a_flood_ends_that_socket_alone(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    with ben.live(table) as b, ann.live(table) as a:
        with pytest.raises(ConnectionClosed):
            flood(a)
        b.send(type="ping")
        assert b.next("pong")


@pytest.mark.slow
def test_a_reader_who_reads_nothing_holds_nobody_up(site):
    ann, ben, eve = site.guest("Ann"), site.guest("Ben"), site.guest("Eve")
    table = site.table(ann, ben)
    with eve.live(table):
        play_out(site, table, [ann, ben])


@pytest.mark.slow
def test_presence_shows_who_is_connected(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)

    def shown() -> list[bool]:  # by one process after the other
        return [ben.get(f"/tables/{table}")["seats"][0]["present"] for _ in range(4)]

    assert not any(shown())
    with ann.live(table) as a:
        a.table()
        until(lambda: all(shown()))


class Holder(NamedTuple):
    table: str
    held: tuple[str, ...]


def test_noting_who_is_there_waits_for_nobody(postgres, tmp_path):
    """Somebody changes a seat while presence is noted: neither keeps the other from going on."""
    settings = Settings(data=str(tmp_path), database_url=postgres(), limits=False)
    with running(settings) as site:
        ann, ben = site.guest("Ann"), site.guest("Ben")
        table = site.table(ann, ben)
        server, s = site.server, schema.seats.c

        async def note():
            async with server.store.write() as tx:
                red = (s.game == table) & (s.seat == "red")
                await tx.run(update(schema.seats).where(red).values(seen=None))
            async with server.store.write() as tx:
                blue = (s.game == table) & (s.seat == "blue")
                await tx.run(update(schema.seats).where(blue).values(misses=1))
                presence = server.presence
                presence.connections = {Holder(table, ("red", "blue"))}
                await asyncio.wait_for(presence.note_connected(), PATIENCE)
                presence.connections = set()
            async with server.store.read() as tx:
                return await tx.value(select(s.seen).where(s.game == table, s.seat == "red"))

        assert site.do(note()) is not None


@pytest.mark.slow
def test_a_stopping_server_asks_to_reconnect(settings, tmp_path):
    env = {"POWDERKEG_DATA": str(tmp_path), "POWDERKEG_DATABASE_URL": settings.database_url}
    cluster = Cluster({k: v for k, v in env.items() if v}, 1, 0, tmp_path / "log.txt")
    try:
        ann, ben = cluster.guest("Ann"), cluster.guest("Ben")
        table = cluster.table(ann, ben)
        process = cluster.web[cluster.ports[0]]
        with ann.live(table) as a, ben.http.stream("GET", f"{ben.base}/api/lobby/stream") as lobby:
            a.table()
            process.send_signal(signal.SIGTERM)
            with pytest.raises(ConnectionClosed) as closed:
                a.next("never")
            assert closed.value.rcvd.code == 1012
            assert "event: restart" in list(lobby.iter_lines())
        assert process.wait(PATIENCE) in (0, -signal.SIGTERM)  # the web server ends by its signal
    finally:
        cluster.stop()


def test_a_draft_over_the_socket_is_kept_and_answered(site):
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    with ann.live(table) as a:
        now = a.table()
        a.send(type="draft", command="d", question=now["question"]["id"], value=["half"])
        assert a.next("done")["command"] == "d"
    assert ann.get(f"/tables/{table}")["draft"]["value"] == ["half"]


def test_a_change_is_sent_as_what_changed(site):
    """The whole table comes once, and again when somebody asks; steps follow each other without gaps."""
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    with ann.live(table) as a, ben.live(table, "") as b:
        now, seen = a.table(), b.table()
        a.send(type="act", command="1", question=now["question"]["id"], text=now["legal"][0])
        after = a.table(lambda t: t["seq"] > now["seq"])
        b.table(lambda t: t["seq"] >= after["seq"])
        steps = [message for message in b.heard if "delta" in message]
        assert steps
        assert all(len(str(step["delta"])) < len(str(seen)) / 2 for step in steps)
        assert any(entry["seat"] == "red" for step in steps for entry in step["log"]["entries"])
        by_steps = b.now
        b.send(type="whole")
        assert b.next("table")["table"] == by_steps
        assert by_steps["legal"] is None
        kept = {k: v for k, v in ben.get(f"/tables/{table}").items() if k not in ("now", "legal")}
        assert kept == {k: v for k, v in by_steps.items() if k not in ("legal", "describe")} | {
            "describe": kept["describe"]
        }
