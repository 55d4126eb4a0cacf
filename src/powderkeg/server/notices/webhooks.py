"""Requests to addresses that users gave us: webhooks and push services.

A name is looked up once. If all of its addresses are public, we connect to the address that was
checked, with the name for TLS: a second lookup could return a machine of our own network. Redirects are not followed, answers are not read, and nothing takes longer than
`OUTBOUND_SECONDS`.
"""

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from typing import Any

import httpx2

from powderkeg.server.refusals import Refused

OUTBOUND_SECONDS = 20.0
ResolveName = Callable[[str, int], Awaitable[list[str]]]


class Unsent(Refused):
    """Certainly not delivered: it may be tried again. `answer` is the HTTP status of a refusal."""

    def __init__(self, code: str, *, answer: int | None = None, **facts: Any) -> None:
        super().__init__(409, code, **facts)
        self.answer = answer


class Unsure(Refused):
    """The connection broke while sending: nobody can know whether it arrived."""

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(409, code, **facts)


@cache
def usual_certificates() -> ssl.SSLContext:
    """Trust what this machine's HTTP clients trust; read once, for that takes a while."""
    return httpx2.create_ssl_context(trust_env=False)


class OutboundClient:
    """Sends requests out. With `private`, it may reach a home network too."""

    def __init__(
        self,
        *,
        private: bool = False,
        resolve: ResolveName | None = None,
        context: ssl.SSLContext | None = None,
    ) -> None:
        self.private, self.resolve = private, resolve or resolve_name
        self.http = httpx2.AsyncClient(
            timeout=10,
            follow_redirects=False,
            trust_env=False,  # a proxy would look names up again
            verify=context or usual_certificates(),
            # Names that share an address must not share a connection proven for one of them.
            limits=httpx2.Limits(max_keepalive_connections=0),
        )

    async def close(self) -> None:
        await self.http.aclose()

    async def post(self, url: str, content: bytes, headers: Mapping[str, str]) -> None:
        """Send; returns if it was accepted."""
        target, found = await self._look_up(url)
        try:
            async with asyncio.timeout(OUTBOUND_SECONDS):
                status = await self._send_to(target, found, content, headers)
        except (httpx2.HTTPError, TimeoutError) as error:
            raise Unsure("outside_broke", host=target.host, why=repr(error)) from error
        if status >= 300:
            raise Unsent("outside_refused", answer=status, host=target.host, status=status)

    async def _look_up(self, url: str) -> tuple[httpx2.URL, list[str]]:
        try:
            target = httpx2.URL(url)
            name, port = (
                target.raw_host.decode("ascii"),
                target.port or DEFAULT_PORTS[target.scheme],
            )
            found = await self.resolve(name, port)
        except (httpx2.InvalidURL, KeyError, ValueError, OSError) as error:
            raise Unsent("outside_unknown", url=url) from error
        if not found:
            raise Unsent("outside_unknown", url=url)
        if not self.private and not all(map(is_public, found)):
            raise Unsent("hook_private")
        return target, found

    async def _send_to(
        self, target: httpx2.URL, found: list[str], content: bytes, headers: Mapping[str, str]
    ) -> int:
        """The status of the answer, from the first of the addresses that can be reached."""
        sent = {**headers, "Host": target.netloc.decode("ascii")}
        name = {"sni_hostname": target.raw_host.decode("ascii")}
        problem: Exception | None = None
        for address in found:
            there = target.copy_with(host=address)
            try:
                async with self.http.stream(
                    "POST", there, content=content, headers=sent, extensions=name
                ) as answer:
                    return answer.status_code
            except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
                problem = error
        raise Unsent("outside_unreachable", host=target.host, why=repr(problem)) from problem


DEFAULT_PORTS = {"http": 80, "https": 443}


async def resolve_name(name: str, port: int) -> list[str]:
    """All addresses of a name."""
    if not name:
        return []
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(name, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(info[4][0]) for info in found))


def is_public(address: str) -> bool:
    """Whether an address is public by every reading of it. One that stands for another address, which a
    gateway would translate, is refused."""
    ip = ipaddress.ip_address(address)
    if not ip.is_global or ip.is_multicast or ip.is_reserved:
        return False
    return not any(ip in network for network in SPECIAL_NETWORKS if network.version == ip.version)


# Special ranges of which `ipaddress` calls some addresses global, and those that carry an IPv4 address.
SPECIAL_NETWORKS = tuple(
    map(
        ipaddress.ip_network,
        (
            "192.0.0.0/24",  # protocol assignments
            "192.88.99.0/24",  # relays to IPv6 (6to4)
            "::/96",  # IPv4-compatible
            "::ffff:0:0/96",  # IPv4-mapped
            "::ffff:0:0:0/96",  # IPv4-translated
            "64:ff9b::/96",  # translated by NAT64
            "64:ff9b:1::/48",  # the same, for local use
            "2001::/23",  # protocol assignments, among them Teredo
            "2002::/16",  # 6to4
            "3fff::/20",  # documentation
            "5f00::/16",  # segment routing
        ),
    )
)
