"""Races at exact moments: submit, undo, reconnect, timeout, replace, and death before the commit.

Two servers in this process share one PostgreSQL, so that death can come between the last write and
the commit. What they answered is kept in a model; the log must agree. Real processes and real
deaths are in `test_two_processes`.
"""

import asyncio
import contextlib
import itertools
import os
from typing import Any

import pytest
import sparks
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from sqlalchemy import select

from powderkeg.core import plain
from powderkeg.core.errors import RulesError
from powderkeg.server.accounts.identity import Principal
from powderkeg.server.db import schema
from powderkeg.server.db.rows import SeatRow
from powderkeg.server.db.table_settings import TableSettings
from powderkeg.server.jobs.deadlines import _play_default
from powderkeg.server.lobby import create, join
from powderkeg.server.process import ServerProcess
from powderkeg.server.settings import Settings
from powderkeg.server.tables.commands import play_actions, undo_action
from powderkeg.server.views import present
from tests.server.visiting import principal, replay_acknowledged

pytestmark = pytest.mark.slow

EXAMPLES = int(os.environ.get("POWDERKEG_EXAMPLES", "12"))
_commands = itertools.count()


class Killed(Exception):
    """The process died in the middle of a transaction."""


class Races(RuleBasedStateMachine):
    url = ""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.servers: list[ServerProcess] = []

    def run(self, work: Any) -> Any:
        return self.loop.run_until_complete(work)

    async def start(self) -> ServerProcess:
        server = ServerProcess(
            Settings(database_url=self.url, jobs=False, limits=False), {"sparks": sparks}
        )
        await server.store.open()
        from powderkeg.server.db import migrate

        await migrate.upgrade_database(server.store)
        return server

    @initialize()
    def open(self) -> None:
        self.servers = [self.run(self.start()), self.run(self.start())]
        self.seen = {"red": 0, "blue": 0}
        self.acked: list[tuple[str, str, str]] = []
        self.run(self._table())

    async def _table(self) -> None:
        cache = self.servers[0].cache
        now = cache.clock()
        options = sparks.Options()
        row = create.new_table_row(sparks, options, 2, now, TableSettings())
        seats = [SeatRow(game=row.id, seat=s, place=i) for i, s in enumerate(("red", "blue"))]
        async with cache.store.write() as tx:
            for user in ("u1", "u2", "u3"):
                if await tx.one(select(schema.users.c.id).where(schema.users.c.id == user)) is None:
                    values = {
                        "id": user,
                        "kind": "guest",
                        "name": user,
                        "created": now,
                        "seen": now,
                    }
                    await tx.run(schema.users.insert().values(notices={}, pushes=[], **values))
            await create.store_table(tx, row, seats)
        self.table = row.id
        async with cache.change(self.table) as change:
            await join.seat_person(change, "red", "u1", "Ann")
            await join.seat_person(change, "blue", "u2", "Ben")
            create.start_game(change)

    async def _act(
        self, server: ServerProcess, seat: str, pick: int, question: int, command: str
    ) -> None:
        async with server.cache.look(self.table) as loaded:
            legal = list(loaded.game.legal(loaded.current.table.state, seat))
        if not legal:
            return
        text = str(legal[pick % len(legal)])
        try:
            head = await play_actions(
                server.cache, self.table, seat, [text], command=command, question=question
            )
        except RulesError:
            return
        if head is not None:
            self.acked.append((seat, text, command))

    async def _seq(self, server: ServerProcess) -> int:
        async with server.cache.look(self.table) as loaded:
            return loaded.current.seq

    @rule(which=st.integers(0, 1), seat=st.sampled_from(["red", "blue"]), pick=st.integers(0, 5))
    def submit(self, which: int, seat: str, pick: int) -> None:
        server = self.servers[which]
        seq = self.run(self._seq(server))
        self.run(self._act(server, seat, pick, seq, f"c{next(_commands)}"))

    @rule(picks=st.tuples(st.integers(0, 5), st.integers(0, 5)), same=st.booleans())
    def submit_at_once(self, picks: tuple[int, int], *, same: bool) -> None:
        """Both processes act in the same moment: for one seat or for two."""
        seats = ("red", "red") if same else ("red", "blue")
        seq = self.run(self._seq(self.servers[0]))
        work = [
            self._act(server, seat, pick, seq, f"c{next(_commands)}")
            for server, seat, pick in zip(self.servers, seats, picks, strict=True)
        ]

        async def together() -> None:
            await asyncio.gather(*work)

        self.run(together())

    @rule(pick=st.integers(0, 5))
    def submit_twice(self, pick: int) -> None:
        """The same command reaches both processes: a retry after a lost answer."""
        command = f"c{next(_commands)}"
        seq = self.run(self._seq(self.servers[0]))

        async def twice() -> None:
            await asyncio.gather(
                *(self._act(server, "red", pick, seq, command) for server in self.servers)
            )

        self.run(twice())

    @rule(which=st.integers(0, 1), seat=st.sampled_from(["red", "blue"]))
    def undo(self, which: int, seat: str) -> None:
        async def go() -> None:
            command = f"c{next(_commands)}"
            try:
                done = await undo_action(
                    self.servers[which].cache,
                    self.table,
                    seat,
                    command=command,
                    may=lambda loaded: True,
                )
            except RulesError:
                return
            if done is not None:
                self.acked.append((seat, "undo", command))

        self.run(go())

    @rule(which=st.integers(0, 1), seat=st.sampled_from(["red", "blue"]))
    def time_out(self, which: int, seat: str) -> None:
        async def go() -> None:
            async with self.servers[which].cache.change(self.table) as change:
                if change.loaded.row.status == "live":
                    _play_default(change, seat)

        self.run(go())

    @rule(which=st.integers(0, 1))
    def replace(self, which: int) -> None:
        async def go() -> None:
            async with self.servers[which].cache.change(self.table) as change:
                if change.loaded.row.status == "live":
                    join.vacate_seat(change, "blue")
                    await join.seat_person(change, "blue", "u3", "Carl")

        self.run(go())

    @rule(which=st.integers(0, 1), pick=st.integers(0, 5))
    def die_in_the_middle(self, which: int, pick: int) -> None:
        """Everything is written but the commit; the process is gone and a new one takes its place."""
        server = self.servers[which]
        store = server.cache._store

        async def die(change: Any) -> None:
            await store(change)
            raise Killed

        async def go() -> None:
            server.cache._store = die  # type: ignore[method-assign]  # that is the point
            seq = await self._seq(server)
            with contextlib.suppress(Killed):
                await self._act(server, "red", pick, seq, f"c{next(_commands)}")
            await server.store.close()
            self.servers[which] = await self.start()

        self.run(go())

    @rule(which=st.integers(0, 1), seat=st.sampled_from(["red", "blue", None]))
    def reconnect(self, which: int, seat: str | None) -> None:
        """A reader sees what is committed."""

        async def go() -> None:

            user = {"red": "u1", "blue": "u2"}.get(seat or "")
            who = principal(user) if user else Principal()
            cache = self.servers[which].cache
            await present.present_table(cache, who, self.table, None, text=False)

        self.run(go())

    @precondition(lambda self: self.servers)
    @invariant()
    def the_log_is_what_was_acknowledged(self) -> None:
        async def rows() -> Any:
            async with self.servers[0].store.read() as tx:
                lg = schema.log.c
                query = select(schema.log).where(lg.game == self.table).order_by(lg.seq)
                return await tx.all(query)

        replayed = replay_acknowledged(self.run(rows()), self.acked)
        for server in self.servers:
            state = self.run(self._state(server))
            assert plain.dump(state) == plain.dump(replayed.state)

    async def _state(self, server: ServerProcess) -> Any:
        async with server.cache.look(self.table) as loaded:
            return loaded.current.table.state

    def teardown(self) -> None:
        for server in self.servers:
            self.run(server.store.close())
        self.loop.close()


def test_two_servers_never_lose_or_double_an_action(postgres):
    Races.url = postgres()
    run = settings(
        max_examples=EXAMPLES,
        stateful_step_count=18,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    from hypothesis.stateful import run_state_machine_as_test

    run_state_machine_as_test(Races, settings=run)
