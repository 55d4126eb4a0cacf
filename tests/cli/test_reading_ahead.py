"""Sockets are read on while a few messages wait, and no further."""

import asyncio

from uvicorn import Config
from uvicorn.server import ServerState
from websockets.asyncio.client import connect

from powderkeg.cli.host.listening import WAITING_MESSAGES, ReadingAhead

SENT = [f"{number} {'x' * 20_000}" for number in range(100)]  # more than the system keeps for us


async def _hear_all() -> list[str]:
    opened, go_on = asyncio.Event(), asyncio.Event()
    heard: list[str] = []

    async def slow_app(scope, receive, send):
        await receive()
        await send({"type": "websocket.accept"})
        opened.set()
        await go_on.wait()
        while len(heard) < len(SENT):
            heard.append((await receive())["text"])
        await send({"type": "websocket.close"})

    config = Config(slow_app, ws=ReadingAhead, lifespan="off", log_config=None)
    config.load()
    sockets: list[ReadingAhead] = []

    def serve():
        sockets.append(ReadingAhead(config, ServerState(), {}))
        return sockets[-1]

    server = await asyncio.get_running_loop().create_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with connect(f"ws://127.0.0.1:{port}/", compression=None) as wire:
        await opened.wait()
        sending = asyncio.create_task(_send_all(wire))
        while not sockets[0].read_paused:  # noqa: ASYNC110  # it is not ours, and has no event
            await asyncio.sleep(0)
        assert sockets[0].queue.qsize() > WAITING_MESSAGES  # it has read ahead, and stopped
        go_on.set()
        await sending
        await wire.wait_closed()
    server.close()
    return heard


async def _send_all(wire):
    for text in SENT:
        await wire.send(text)


def test_a_socket_reads_a_few_messages_ahead_and_loses_none():
    assert asyncio.run(_hear_all()) == SENT
