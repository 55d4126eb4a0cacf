"""Races between real processes: submit, undo, reconnect, timeout, replace and kill, in any order.

Two web processes and two workers share one PostgreSQL; everything comes through real sockets. What
was acknowledged is kept in a model, and after every step the log must agree with it. Processes are
killed (SIGKILL) while they work; whatever got no answer is sent again to the other one, with the
same command, until there is one. `test_races` has the same at exact moments, in one process.
"""

import asyncio
import itertools
import os
import threading
import time
from contextlib import suppress
from typing import Any

import httpx2
import pytest
import sparks
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from sqlalchemy import select, text

from powderkeg.server.admin import HostCommands
from powderkeg.server.db import schema
from powderkeg.server.db.queue import enqueue_job
from powderkeg.server.settings import Settings
from tests.server.visiting import PATIENCE, Cluster, Person, replay_acknowledged, until

pytestmark = pytest.mark.slow

EXAMPLES = int(os.environ.get("POWDERKEG_EXAMPLES", "4"))
STEPS = 16
_commands = itertools.count()
SEATS = st.sampled_from(["red", "blue"])
PICK = st.integers(0, 5)
WHICH = st.integers(0, 1)


class Races(RuleBasedStateMachine):
    cluster: Cluster
    url = ""

    def __init__(self) -> None:
        super().__init__()
        self.people: dict[str, Person] = {}
        self.acked: set[tuple[str, str, str]] = set()
        self.loop = asyncio.new_event_loop()
        self.host = HostCommands(Settings(database_url=self.url), {"sparks": sparks})

    def teardown(self) -> None:
        for person in {*self.people.values()}:
            person.http.close()
        self.loop.run_until_complete(self.host.close())
        self.loop.close()

    # Speaking to the processes

    def send(self, person: Person, which: int, method: str, path: str, body: Any = None) -> Any:
        """To that process first; if it dies or is dead, to the other, until there is an answer."""
        ports, end = itertools.cycle(self.ports(which)), time.monotonic() + PATIENCE
        while time.monotonic() < end:
            url = f"http://127.0.0.1:{next(ports)}/api{path}"
            with suppress(httpx2.TransportError):
                answer = person.http.request(method, url, json=body)
                assert answer.status_code < 500 or answer.status_code == 503, answer.text
                if answer.status_code != 503:
                    return answer
            time.sleep(0.02)
        raise AssertionError("nobody answers")

    def ports(self, which: int) -> list[int]:
        ports = self.cluster.ports
        return [ports[which], ports[1 - which]]

    def look(self, seat: str, which: int) -> Any:
        answer = self.send(
            self.people[seat], which, "GET", f"/tables/{self.table}?seat={seat}&text=0"
        )
        return answer.json()

    def command(self, seat: str, which: int, path: str, body: dict[str, Any], text: str) -> Any:
        """What is acknowledged is sent once more, to the other process: it is not done twice."""
        answer = self.send(self.people[seat], which, "POST", f"/tables/{self.table}/{path}", body)
        if answer.status_code == 200:
            self.acked.add((seat, text, body["command"]))
            path = f"/tables/{self.table}/{path}"
            again = self.send(self.people[seat], 1 - which, "POST", path, body)
            assert (again.status_code, again.json().get("repeated")) == (200, True), again.text
        return answer

    def act(self, seat: str, which: int, pick: int, question: int, command: str) -> None:
        legal = self.look(seat, which).get("legal")
        if legal:
            chosen = legal[pick % len(legal)]
            body = {"command": command, "question": question, "text": chosen, "seat": seat}
            self.command(seat, which, "act", body, chosen)

    def together(self, *work: Any) -> None:
        """Everything at once, from threads of their own."""
        failed: list[BaseException] = []

        def guarded(each: Any) -> None:
            try:
                each()
            except BaseException as error:  # noqa: BLE001  # passed on to the test
                failed.append(error)

        threads = [threading.Thread(target=guarded, args=(each,)) for each in work]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failed == []

    # What happens

    @initialize()
    def sit_down(self) -> None:
        ann, ben, carl = (Person(self.cluster.bases[:1]) for _ in range(3))
        for person in (ann, ben, carl):
            self.send(person, 0, "POST", "/guests", {"name": "P"})
        wish = {
            "game": "sparks",
            "seats": [{"seat": "red", "kind": "me"}],
            "settings": {"missed": {"level": "random"}},
        }
        made = self.send(ann, 0, "POST", "/tables", wish).json()
        self.table, self.invite = made["id"], made["invite"]
        self.send(ben, 1, "POST", f"/tables/{self.table}/join", {"invite": self.invite})
        self.send(ann, 0, "POST", f"/tables/{self.table}/start")
        self.people = {"red": ann, "blue": ben}
        self.away = carl

    @rule(which=WHICH, seat=SEATS, pick=PICK)
    def submit(self, which: int, seat: str, pick: int) -> None:
        self.act(seat, which, pick, self.look(seat, which)["seq"], f"c{next(_commands)}")

    @rule(picks=st.tuples(PICK, PICK), same=st.booleans())
    def submit_at_once(self, picks: tuple[int, int], *, same: bool) -> None:
        """Both processes act in the same moment: for one seat or for two."""
        seats = ("red", "red") if same else ("red", "blue")
        seq = self.look("red", 0)["seq"]
        names = [f"c{next(_commands)}" for _ in seats]
        self.together(
            *(
                lambda which=which: self.act(seats[which], which, picks[which], seq, names[which])
                for which in (0, 1)
            )
        )

    @rule(pick=PICK)
    def submit_twice(self, pick: int) -> None:
        """The same command reaches both processes: a retry after a lost answer."""
        now, command = self.look("red", 0), f"c{next(_commands)}"
        if now["legal"]:
            chosen = now["legal"][pick % len(now["legal"])]
            body = {"command": command, "question": now["seq"], "text": chosen, "seat": "red"}
            answers: list[Any] = []
            self.together(
                *(
                    lambda which=which: answers.append(
                        self.command("red", which, "act", body, chosen)
                    )
                    for which in (0, 1)
                )
            )
            if any(answer.status_code == 200 for answer in answers):  # then both hear of it
                assert all(answer.status_code == 200 for answer in answers)
                assert sum(not answer.json()["repeated"] for answer in answers) <= 1

    @rule(which=WHICH, seat=SEATS)
    def undo(self, which: int, seat: str) -> None:
        body = {"command": f"c{next(_commands)}", "seat": seat}
        self.command(seat, which, "undo", body, "undo")

    @rule(which=WHICH, seat=SEATS)
    def reconnect(self, which: int, seat: str) -> None:
        """A new connection shows at least what was committed before."""
        seq = len(self.log())
        person = self.people[seat]
        person.bases = itertools.cycle([f"http://127.0.0.1:{self.cluster.ports[which]}"])
        with suppress(OSError, EOFError), person.live(self.table, f"seat={seat}") as wire:
            shown = wire.table()
            assert shown["seq"] >= seq
            assert shown["view"]["seat"] == seat

    @rule(seat=SEATS)
    def time_out(self, seat: str) -> None:
        """The seat's time is over: a worker plays the default, once."""

        async def late() -> None:
            async with self.host.cache.change(self.table) as change:
                if change.loaded.row.status == "live" and seat in change.loaded.row.to_act:
                    change.set_seat(seat, due=change.now - 1, asked=change.now - 2)
                    await enqueue_job(change.tx, "due", self.table, change.now)

        self.loop.run_until_complete(late())
        until(lambda: not self.jobs("due"))

    @rule(which=WHICH)
    def replace(self, which: int) -> None:
        """Blue stands up, a bot plays on, and somebody else sits down."""
        old, new = self.people["blue"], self.away
        self.send(old, which, "POST", f"/tables/{self.table}/leave")
        path = f"/tables/{self.table}/join"
        joined = self.send(new, 1 - which, "POST", path, {"seat": "blue", "invite": self.invite})
        if joined.status_code == 200:
            self.people["blue"], self.away = new, old
        else:  # the game was over
            self.send(old, which, "GET", "/me")

    @rule(which=WHICH, pick=PICK, pause=st.integers(0, 30))
    def kill_in_the_middle(self, which: int, pick: int, pause: int) -> None:
        """A web process dies while it is asked; the other answers, and a new one takes its place."""
        port = self.cluster.ports[which]
        self.cluster.wait(port)
        now = self.look("red", which)
        command = f"c{next(_commands)}"
        process = self.cluster.web[port]

        def kill() -> None:
            time.sleep(pause / 1000)
            process.kill()
            process.wait()

        self.together(lambda: self.act("red", which, pick, now["seq"], command), kill)
        self.cluster.start_web(port, wait=False)

    @rule(which=WHICH)
    def kill_a_worker(self, which: int) -> None:
        process = self.cluster.workers[which]
        process.kill()
        process.wait()
        self.cluster.workers[which] = self.cluster.run("worker")

    # What must hold

    def log(self) -> Any:
        async def rows() -> Any:
            async with self.host.store.read() as tx:
                lg = schema.log.c
                query = select(schema.log).where(lg.game == self.table).order_by(lg.seq)
                return await tx.all(query)

        return self.loop.run_until_complete(rows())

    def jobs(self, kind: str) -> int:
        async def count() -> Any:
            async with self.host.store.read() as tx:
                query = text("SELECT count(*) FROM jobs WHERE game = :game AND kind = :kind")
                return await tx.value(query.bindparams(game=self.table, kind=kind))

        return int(self.loop.run_until_complete(count()))

    @precondition(lambda self: self.people)
    @invariant()
    def the_log_is_what_was_acknowledged(self) -> None:
        log = self.log()
        replayed = replay_acknowledged(log, self.acked)
        shown = self.look("red", 0)
        if shown["seq"] == len(log):  # a bot may have moved since
            assert shown["view"] == replayed.view("red")
        else:
            assert shown["seq"] > len(log)

    @precondition(lambda self: self.people)
    @invariant()
    def both_processes_show_the_same(self) -> None:
        for _ in range(50):
            one, other = self.look("red", 0), self.look("red", 1)
            if one["seq"] == other["seq"]:  # else somebody moved in between
                assert (one["view"], one["legal"]) == (other["view"], other["legal"])
                return
        raise AssertionError("the processes never agree")


def test_two_processes_never_lose_or_double_an_action(postgres, tmp_path):
    Races.url = postgres()
    Races.cluster = Cluster({"POWDERKEG_DATABASE_URL": Races.url}, 2, 2, tmp_path / "log.txt")
    run = settings(
        max_examples=EXAMPLES,
        stateful_step_count=STEPS,
        deadline=None,
        phases=[Phase.generate],  # what real processes did is not done again to make it shorter
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    from hypothesis.stateful import run_state_machine_as_test

    try:
        run_state_machine_as_test(Races, settings=run)
    finally:
        Races.cluster.stop()
    assert "Traceback" not in (tmp_path / "log.txt").read_text()
