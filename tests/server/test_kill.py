"""Nothing is lost: processes die at random under load, and every acknowledged action is there."""

import os
import random
import resource
import sqlite3
import threading
import time
from pathlib import Path

import httpx2
import pytest
from sqlalchemy import make_url

from powderkeg.server.settings import Settings
from tests.server.visiting import PATIENCE, Cluster, Person, until

pytestmark = pytest.mark.slow

KILLS = int(os.environ.get("POWDERKEG_KILLS", "4"))


class Player(threading.Thread):
    """Plays both seats of tables with a bot beside, over and over, and remembers what the server
    confirmed. What gets no answer is sent again, with the same command."""

    def __init__(self, cluster: Cluster, number: int, stop: threading.Event) -> None:
        super().__init__(daemon=True)
        self.person = Person(cluster.bases)
        self.rng = random.Random(number)
        self.number = number
        self.stopped = stop
        self.done: dict[str, list[tuple[str, str]]] = {}  # table -> commands and their texts
        self.failed: BaseException | None = None

    def send(self, method: str, path: str, body=None):
        """Until there is an answer, from whichever process."""
        while True:
            try:
                answer = self.person.call(method, path, body, None)
            except httpx2.TransportError:
                time.sleep(0.05)
                continue
            if answer.status_code in (500, 502, 503):
                assert answer.status_code != 500, answer.text
                time.sleep(0.05)
                continue
            return answer

    def run(self) -> None:
        try:
            self.send("POST", "/guests", {"name": f"P{self.number}"})
            while not self.stopped.is_set():
                self.game()
        except BaseException as error:  # noqa: BLE001  # passed on to the test
            self.failed = error

    def game(self) -> None:
        seats = [{"seat": "red", "kind": "me"}, {"seat": "blue", "kind": "bot", "level": "random"}]
        made = self.send("POST", "/tables", {"game": "sparks", "seats": seats, "start": True})
        if made.status_code != 200:
            return
        table = made.json()["id"]
        mine = self.done.setdefault(table, [])
        waited = time.monotonic()
        while True:
            now = self.send("GET", f"/tables/{table}?text=0").json()
            if now["status"] == "over":
                return
            if now["question"] is None:
                assert time.monotonic() - waited < PATIENCE, "the bot is stuck"
                time.sleep(0.05)
                continue
            waited = time.monotonic()
            command, text = f"{self.number}-{len(mine)}", self.rng.choice(now["legal"])
            body = {"command": command, "question": now["question"]["id"], "text": text}
            answer = self.send("POST", f"/tables/{table}/act", body)
            if answer.status_code == 200:
                mine.append((command, text))


def kill_some(cluster: Cluster, rng: random.Random) -> None:
    victims = [*cluster.web.items(), *enumerate(cluster.workers)]
    place, process = rng.choice(victims)
    process.kill()
    process.wait()
    if process in cluster.workers:
        cluster.workers[cluster.workers.index(process)] = cluster.run("worker")
    else:
        cluster.start_web(place, wait=True)


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_nothing_is_lost_when_processes_are_killed(kind, request, tmp_path):
    env = {"POWDERKEG_DATA": str(tmp_path)}
    web, workers = (1, 0)
    if kind == "postgres":
        env["POWDERKEG_DATABASE_URL"] = request.getfixturevalue("postgres")()
        web, workers = (2, 2)
    cluster = Cluster(env, web, workers, tmp_path / "log.txt")
    stop = threading.Event()
    players = [Player(cluster, number, stop) for number in range(2)]
    rng = random.Random(7)
    try:
        for player in players:
            player.start()
        for _ in range(KILLS):
            time.sleep(rng.uniform(0.2, 1.0))
            kill_some(cluster, rng)
        stop.set()
        for player in players:
            player.join(PATIENCE)
            assert player.failed is None, repr(player.failed)
            assert not player.is_alive(), "a game does not go on"
        for player in players:
            check(player)
    finally:
        cluster.stop()
        for player in players:
            player.person.http.close()


def check(player: Player) -> None:
    """Every acknowledged action is in the log, in order, none twice."""
    assert player.done
    for table, commands in player.done.items():
        log = player.send("GET", f"/tables/{table}/log").json()["entries"]
        mine = [entry["do"] for entry in log if entry["seat"] == "red"]
        assert mine == [text for _, text in commands]
        assert [entry["seq"] for entry in log] == list(range(len(log)))


def test_a_database_that_may_not_grow_is_refused_clearly_and_recovered_from(tmp_path):
    """The database may not grow: writes are refused with 503, reads go on; then all is well."""
    from tests.server.visiting import running

    with running(Settings(data=str(tmp_path), limits=False)) as site:
        ann, ben = site.guest("Ann"), site.guest("Ben")
        table = site.table(ann, ben)
        store = site.server.store

        async def limit(pages: int) -> int:
            async with store.commits.turn:  # the limit belongs to the connection that writes
                connection = store.commits.connection
                assert connection is not None
                cursor = connection.connection.cursor()
                return int(cursor.execute(f"PRAGMA max_page_count={pages}").fetchone()[0])

        site.do(limit(1))
        refused = 0
        for number in range(400):
            body = {"text": "x" * 3000, "command": f"fill{number}"}
            answer = ann.post(f"/tables/{table}/press", body, None)
            if answer.status_code == 503:
                refused += 1
                assert answer.json()["code"] == "server.unavailable"
                break
        assert refused
        now = ann.get(f"/tables/{table}")
        ann.post(f"/tables/{table}/press", {"text": "a new connection", "command": "n"}, None)
        site.do(limit(1_000_000))
        ann.act(table, now["legal"][0], now["question"]["id"])
        assert sqlite3.connect(Path(tmp_path) / "powderkeg.sqlite").execute(
            "PRAGMA integrity_check"
        ).fetchone() == ("ok",)


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="no limits from outside here")
def test_a_full_disk_under_a_real_process_is_recovered_from_without_hands(tmp_path):
    """The system lets the process write no further: nothing is acknowledged that is not there,
    reading goes on, and once there is room again so does playing, in the same process."""
    cluster = Cluster({"POWDERKEG_DATA": str(tmp_path)}, 1, 0, tmp_path / "log.txt")
    try:
        ann, ben = cluster.guest("Ann"), cluster.guest("Ben")
        table = cluster.table(ann, ben)
        process = cluster.web[cluster.ports[0]]
        database = tmp_path / "powderkeg.sqlite"
        endless = resource.RLIM_INFINITY

        def used():
            return max(file.stat().st_size for file in tmp_path.glob("powderkeg.sqlite*"))

        full = used()
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (full + 50_000, endless))
        said = []
        for number in range(400):
            body = {"text": f"{number} " + "x" * 3000, "command": f"fill{number}"}
            answer = ann.post(f"/tables/{table}/press", body, None)
            if answer.status_code != 200:
                break
            said.append(body["text"])
            full = used()
        assert (answer.status_code, answer.json()["code"]) == (503, "server.unavailable")
        # Nor is there room for anything smaller.
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (full, endless))
        now = ann.get(f"/tables/{table}")
        assert ann.act(table, now["legal"][0], now["question"]["id"], 503)
        assert ben.get(f"/tables/{table}")["seq"] == now["seq"]
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (endless, endless))
        ann.act(table, now["legal"][0], now["question"]["id"])
        heard = [m["text"] for m in ben.get(f"/tables/{table}/press?limit=500")["messages"]]
        assert heard == said
        assert process.poll() is None
        assert "Traceback" not in (tmp_path / "log.txt").read_text()  # it would end connections
        found = sqlite3.connect(database).execute("PRAGMA integrity_check").fetchone()
        assert found == ("ok",)
    finally:
        cluster.stop()


def test_a_database_that_goes_away_is_refused_clearly_and_found_again(postgres, tmp_path):
    """Every connection is cut, new ones are refused for a while; then play goes on."""
    import asyncio

    import asyncpg  # type: ignore[import-untyped]  # it ships no types

    from tests.server.visiting import running

    url = postgres()
    name = make_url(url).database
    admin = make_url(url).set(database="postgres").render_as_string(hide_password=False)

    async def close_door(*, shut: bool) -> None:
        line = await asyncpg.connect(admin)
        await line.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS {'false' if shut else 'true'}")
        if shut:
            await line.fetch(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", name
            )
        await line.close()

    settings = Settings(database_url=url, data=str(tmp_path), limits=False)
    with running(settings) as site:
        ann, ben = site.guest("Ann"), site.guest("Ben")
        table = site.table(ann, ben)
        now = ann.get(f"/tables/{table}")
        with ben.live(table) as b:
            b.table()
            asyncio.run(close_door(shut=True))
            answer = ann.get(f"/tables/{table}", None)
            assert answer.status_code == 503, answer.text
            assert answer.json()["code"] == "server.unavailable"
            asyncio.run(close_door(shut=False))
            until(lambda: ann.get(f"/tables/{table}", None).status_code == 200)
            ann.act(table, now["legal"][0], now["question"]["id"])
            b.table(lambda t: t["seq"] == now["seq"] + 1)
