"""Requests to addresses that somebody gave us: they reach what was looked at, and nothing else."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from powderkeg.server.notices import webhooks
from powderkeg.server.notices.webhooks import OutboundClient, Unsent, Unsure

HERE, ELSEWHERE = "127.0.0.2", "127.0.0.1"  # two addresses of this machine


class Heard:
    """What was asked of a server, and where. It answers, and goes on forever with `endless`."""

    def __init__(self, answer: bytes, endless: bytes) -> None:
        self.answer, self.endless = answer, endless
        self.asked: list[tuple[str, str]] = []
        self.lines: list[asyncio.Task[None]] = []

    def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.lines.append(asyncio.create_task(self.say(reader, writer)))

    async def say(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        self.asked.append((writer.get_extra_info("sockname")[0], head))
        writer.write(self.answer)
        with suppress(OSError):  # nobody wants to hear it
            while self.endless:
                writer.write(self.endless)
                await writer.drain()
                await asyncio.sleep(0.01)
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()

    async def end(self) -> None:
        await asyncio.gather(*self.lines, return_exceptions=True)


@asynccontextmanager
async def listening(
    status: int = 204, *, endless: bytes = b"", more: str = "", **given: Any
) -> AsyncIterator[tuple[int, Heard]]:
    """The same port on both addresses; status 0: never a whole answer."""
    answer = f"HTTP/1.1 {status} Said\r\n{more}\r\n" if status else "HTTP"
    heard = Heard(answer.encode(), endless)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(heard.end)
        first = await stack.enter_async_context(
            await asyncio.start_server(heard.serve, HERE, 0, **given)
        )
        port = first.sockets[0].getsockname()[1]
        await stack.enter_async_context(
            await asyncio.start_server(heard.serve, ELSEWHERE, port, **given)
        )
        yield port, heard


class Names:
    """A resolver that gives one answer after the other, the last one forever."""

    def __init__(self, *answers: str) -> None:
        self.answers, self.asked = list(answers), 0

    async def __call__(self, name: str, port: int) -> list[str]:
        self.asked += 1
        return [self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]]


@asynccontextmanager
async def way_out(*answers: str, **given: Any) -> AsyncIterator[tuple[OutboundClient, Names]]:
    names = Names(*answers)
    way = OutboundClient(resolve=names, **given)
    try:
        yield way, names
    finally:
        await way.close()


@pytest.fixture
def here_is_public(monkeypatch):
    """One of our addresses stands for the world, the other for our own network."""
    monkeypatch.setattr(webhooks, "is_public", lambda address: address == HERE)


@pytest.mark.asyncio
async def test_we_connect_to_the_address_that_was_looked_at(here_is_public):
    """A name that stands for a public machine now and for one of ours a moment later."""
    async with listening() as (port, heard), way_out(HERE, ELSEWHERE) as (way, names):
        await way.post(f"http://rebind.example:{port}/hook?a=1", b"{}", {"X-Key": "7"})
        assert names.asked == 1
        ((where, head),) = heard.asked
        assert where == HERE
        assert head.startswith("POST /hook?a=1 ")
        assert f"host: rebind.example:{port}\r\n" in head.lower()
        assert "x-key: 7" in head.lower()
        with pytest.raises(Unsent) as refused:
            await way.post(f"http://rebind.example:{port}/hook", b"{}", {})
        assert refused.value.code == "server.hook_private"
        assert len(heard.asked) == 1


@pytest.mark.asyncio
async def test_one_private_address_among_several_is_enough(here_is_public):
    async def both(name: str, port: int) -> list[str]:
        return [HERE, ELSEWHERE]

    async with listening() as (port, heard):
        way = OutboundClient(resolve=both)
        with pytest.raises(Unsent):
            await way.post(f"http://two.example:{port}/", b"{}", {})
        await way.close()
    assert heard.asked == []


@pytest.mark.asyncio
async def test_a_redirect_is_not_followed(here_is_public):
    inward = f"Location: http://{ELSEWHERE}/secret\r\n"
    async with listening(307, more=inward) as (port, heard), way_out(HERE) as (way, _):
        with pytest.raises(Unsent) as refused:
            await way.post(f"http://far.example:{port}/", b"{}", {})
    assert refused.value.answer == 307
    assert len(heard.asked) == 1


@pytest.mark.asyncio
async def test_an_endless_answer_is_not_read(here_is_public):
    async with listening(200, endless=b"x" * 65536) as (port, _), way_out(HERE) as (way, _):
        await way.post(f"http://far.example:{port}/", b"{}", {})


@pytest.mark.slow
@pytest.mark.asyncio
async def test_an_answer_that_never_comes_is_not_waited_for(here_is_public, monkeypatch):
    """Each piece comes in time, the whole never does."""
    monkeypatch.setattr(webhooks, "OUTBOUND_SECONDS", 0.5)
    async with listening(0, endless=b"/") as (port, _), way_out(HERE) as (way, _):
        with pytest.raises(Unsure):
            await way.post(f"http://slow.example:{port}/", b"{}", {})


@pytest.mark.asyncio
async def test_the_next_address_is_tried_where_one_is_dead(here_is_public, monkeypatch):
    monkeypatch.setattr(webhooks, "is_public", lambda address: True)

    async def both(name: str, port: int) -> list[str]:
        return ["127.0.0.3", HERE]

    async with listening() as (port, heard):
        way = OutboundClient(resolve=both)
        await way.post(f"http://two.example:{port}/", b"{}", {})
        with pytest.raises(Unsent) as refused:
            await way.post("http://two.example:1/", b"{}", {})
        await way.close()
    assert refused.value.code == "server.outside_unreachable"
    assert len(heard.asked) == 1


@pytest.mark.parametrize("url", ["http:///x", "ftp://127.0.0.1", "http://[::bad/", "nonsense"])
@pytest.mark.asyncio
async def test_what_is_no_address_is_refused_in_words(url):
    way = OutboundClient()
    with pytest.raises(Unsent) as refused:
        await way.post(url, b"{}", {})
    await way.close()
    assert refused.value.code == "server.outside_unknown"


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.1.2.3",
        "100.64.0.1",
        "169.254.169.254",
        "224.0.1.1",
        "::1",
        "fe80::1%1",
        "::ffff:127.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "192.0.0.9",  # special ranges
        "192.0.0.170",
        "192.0.2.1",
        "192.88.99.1",
        "198.18.0.1",
        "203.0.113.9",
        "240.0.0.1",
        "255.255.255.255",
        "::5db8:d70e",  # public addresses that stand in others
        "::ffff:93.184.215.14",
        "::ffff:0:93.184.215.14",
        "64:ff9b::5db8:d70e",
        "64:ff9b:1::5db8:d70e",
        "2001:0:4136:e378::1",
        "2002:5db8:d70e::1",
        "2001:db8::1",
        "3fff::1",
        "fd00::1",
        "ff0e::1",
    ],
)
def test_no_way_into_private_networks(address):
    assert not webhooks.is_public(address)


@pytest.mark.parametrize("address", ["93.184.215.14", "2606:4700::1111"])
def test_the_world_is_public(address):
    assert webhooks.is_public(address)


@pytest.mark.parametrize("address", ["127.0.0.1", "::ffff:127.0.0.1", "64:ff9b::7f00:1"])
@pytest.mark.asyncio
async def test_nothing_is_sent_to_an_address_that_is_not_public(address):
    """The resolver and the transport are the test's own: nothing leaves this process."""
    asked = []

    async def resolve(name: str, port: int) -> list[str]:
        return [address]

    def refuse(request: httpx2.Request) -> httpx2.Response:
        asked.append(request.url)
        return httpx2.Response(204)

    way = OutboundClient(resolve=resolve)
    await way.http.aclose()
    way.http = httpx2.AsyncClient(transport=httpx2.MockTransport(refuse))
    with pytest.raises(Unsent) as refused:
        await way.post("https://hooks.example/x", b"{}", {})
    await way.close()
    assert refused.value.code == "server.hook_private"
    assert asked == []


# TLS: the certificate is that of the name, though we connect to an address


def certificate(folder: Path, name: str) -> Path:
    """A certificate for `name`, signed by itself, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    who = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(who)
        .issuer_name(who)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    file = folder / "cert.pem"
    file.write_bytes(made.public_bytes(serialization.Encoding.PEM) + pem)
    return file


@pytest.mark.asyncio
async def test_a_certificate_is_checked_against_the_name(here_is_public, tmp_path):
    file = certificate(tmp_path, "hooks.example")
    served = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    served.load_cert_chain(file)
    trusted = ssl.create_default_context(cafile=str(file))
    async with listening(ssl=served) as (port, heard), way_out(HERE, context=trusted) as (way, _):
        await way.post(f"https://hooks.example:{port}/", b"{}", {})
        with pytest.raises(Unsent) as refused:
            await way.post(f"https://other.example:{port}/", b"{}", {})
    assert "certificate" in str(refused.value.msg.args["why"]).lower()
    assert len(heard.asked) == 1
