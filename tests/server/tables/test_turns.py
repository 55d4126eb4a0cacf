"""Commands that wait for the same table are carried out together, and each is answered for itself."""

import asyncio

from sqlalchemy import select

from powderkeg.core.errors import RulesError
from powderkeg.server.db import schema
from powderkeg.server.process import ServerProcess
from powderkeg.server.settings import Settings
from powderkeg.server.tables.commands import play_actions
from powderkeg.server.tables.loaded import TableChange
from powderkeg.server.tables.replay import LogLine
from powderkeg.server.tables.turns import SeatCommand, run_in_turn
from tests.server.visiting import running


async def play_at_once(server: ServerProcess, table: str, texts: dict[str, str]) -> list[object]:
    """All of them wait while somebody looks at the table."""
    cache = server.cache

    async def play(seat: str) -> object:
        try:
            return await play_actions(
                cache, table, seat, [texts[seat]], command=f"by {seat}", question=None
            )
        except RulesError as error:
            return error.code

    async with cache.look(table):
        playing = [asyncio.create_task(play(seat)) for seat in texts]
        await asyncio.sleep(0)
        assert len(cache.queues[table].waiting) == len(texts)
    return list(await asyncio.gather(*playing))


async def stored_log(server: ServerProcess, table: str) -> list[tuple[str, str | None]]:
    lg = schema.log.c
    async with server.store.read() as tx:
        rows = await tx.all(select(lg.seat, lg.command).where(lg.game == table).order_by(lg.seq))
    return [(row.seat, row.command) for row in rows]


def first_cards(server: ServerProcess, table: str) -> dict[str, str]:
    loaded = server.cache.peek(table)
    assert loaded is not None
    hands = loaded.current.table.state.hands
    return {seat: f"card {cards[0]}" for seat, cards in hands.items()}


def test_those_who_wait_share_one_change_with_the_consequences_of_each(settings: Settings):
    with running(settings) as site:
        table = site.table(site.guest("Ann"), site.guest("Ben"))
        server = site.server
        before = server.cache.peek(table)
        rev = before.row.rev
        heads = site.do(play_at_once(server, table, first_cards(server, table)))
        loaded = server.cache.peek(table)
        assert loaded.row.rev == rev + 1
        log = site.do(stored_log(server, table))
        assert ("red", "by red") in log
        assert ("blue", "by blue") in log
        assert heads[0] == log.index(("red", "by red")) + 1
        assert heads[1] == len(log) == loaded.row.head
        owing = {name for name, seat in loaded.seats.items() if seat.asked is not None}
        assert owing == set(loaded.row.to_act)
        assert not server.cache.queues


async def play_after_another(server: ServerProcess, table: str, texts: dict[str, str]) -> None:
    """The second command comes when the first has begun."""
    playing = []
    for seat, text in texts.items():
        play = play_actions(server.cache, table, seat, [text], command=seat, question=None)
        playing.append(asyncio.create_task(play))
        await asyncio.sleep(0)
    await asyncio.gather(*playing)


def test_while_all_choose_at_once_the_first_waits_a_moment_for_the_others(settings: Settings):
    with running(settings) as site:
        table = site.table(site.guest("Ann"), site.guest("Ben"))
        server = site.server
        rev = server.cache.peek(table).row.rev
        site.do(play_after_another(server, table, first_cards(server, table)))
        assert server.cache.peek(table).row.rev == rev + 1


def test_a_fault_in_one_command_is_nobody_elses(settings: Settings):
    """Later in the queue, and no refusal: still the first is played, and each is tried at most twice."""
    with running(settings) as site:
        table = site.table(site.guest("Ann"), site.guest("Ben"))
        cache, tried = site.server.cache, []

        def command(number: int) -> SeatCommand:
            def play(change: TableChange) -> list[LogLine]:
                tried.append(number)
                if number == 2:
                    raise KeyError(number)
                return []

            return SeatCommand("red", play, None, "person", lambda loaded: True)

        async def run_all() -> list[object]:
            async with cache.look(table):
                running_ = [
                    asyncio.create_task(run_in_turn(cache, table, command(n))) for n in range(6)
                ]
                await asyncio.sleep(0)
            return list(await asyncio.gather(*running_, return_exceptions=True))

        answers = site.do(run_all())
        assert [isinstance(answer, KeyError) for answer in answers] == [n == 2 for n in range(6)]
        assert all(tried.count(number) <= 2 for number in range(6))
        assert not cache.queues


def test_who_is_refused_keeps_nobody_from_playing(settings: Settings):
    with running(settings) as site:
        table = site.table(site.guest("Ann"), site.guest("Ben"))
        server = site.server
        texts = first_cards(server, table)
        answers = site.do(play_at_once(server, table, {"red": "duck", "blue": texts["blue"]}))
        assert answers[0] == "sparks.not_now"
        log = site.do(stored_log(server, table))
        assert [seat for seat, _ in log if seat != "chance"] == ["blue"]
        assert answers[1] == len(log)
        assert not server.cache.queues


def test_those_who_are_refused_among_others_leave_the_table_in_memory(settings: Settings):
    with running(settings) as site:
        table = site.table(site.guest("Ann"), site.guest("Ben"))
        server = site.server
        before, texts = server.cache.peek(table), first_cards(server, table)
        rev, length = before.row.rev, before.current.seq
        answers = site.do(play_at_once(server, table, {"red": texts["red"], "blue": "duck"}))
        assert answers == [length + 1, "sparks.not_now"]
        assert server.cache.peek(table) is before
        assert before.row.rev == rev + 1
        refused = site.do(play_at_once(server, table, {"red": "duck", "blue": "duck"}))
        assert refused[1] == "sparks.not_now"
        assert server.cache.peek(table) is before
        assert (before.row.rev, before.current.seq) == (rev + 1, length + 1)


def test_a_refusal_keeps_the_table_in_memory_unless_a_part_was_played(settings: Settings):
    with running(settings) as site:
        table = site.table(site.guest("Ann"), site.guest("Ben"))
        cache = site.server.cache
        before = cache.peek(table)
        seat, card = next(iter(first_cards(site.server, table).items()))

        async def refused(*texts: str) -> str:
            try:
                await play_actions(cache, table, seat, [*texts], command=None, question=None)
            except RulesError as error:
                return error.code
            return ""

        assert site.do(refused("duck")) == "sparks.not_now"
        assert cache.peek(table) is before
        length = before.current.seq
        assert site.do(refused(card, "duck"))
        assert cache.peek(table) is None
        assert site.do(stored_log(site.server, table))[length:] == []
        assert site.do(refused(card)) == ""
        assert len(site.do(stored_log(site.server, table))) > length
