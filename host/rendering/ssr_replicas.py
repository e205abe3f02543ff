"""SSR workers behind one name: its addresses are looked up again and again, each is a worker (decision 0032)."""

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable
from functools import partial
from ipaddress import ip_address
from typing import Generic, Protocol, TypeVar

from host.resilience.background_loop import BackgroundLoop
from host.resilience.daemon_thread import run_in_daemon_thread

log = logging.getLogger("coursefront.render")

# How soon a new replica gets jobs. One that ended gets none at once, because its connection breaks.
LOOK_UP_EVERY_S = 2.0


def host_and_port(address: str) -> tuple[str, int]:
    """The host and port of tcp://name:port or tcp://[IPv6 address]:port."""
    host, _, port = address.removeprefix("tcp://").rpartition(":")
    return host.strip("[]"), int(port)


def is_name(address: str) -> bool:
    """Whether an address of SSR_URL has to be looked up: neither a Unix socket nor an IP address."""
    if not address.startswith("tcp://"):
        return False
    try:
        ip_address(host_and_port(address)[0])
    except ValueError:
        return True
    return False


def look_up(name: str, port: int) -> set[str]:
    """The addresses of a name as tcp://address:port, those of IPv4 if there are any: a worker that has an address of
    each kind is one worker. Raises OSError. Blocks for as long as the resolver takes."""
    found = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)
    ipv4 = {f"tcp://{target[0]}:{port}" for family, *_, target in found if family == socket.AF_INET}
    return ipv4 or {f"tcp://[{target[0]}]:{port}" for family, *_, target in found if family == socket.AF_INET6}


class Connection(Protocol):
    """A connection to one worker."""

    loop: BackgroundLoop

    @property
    def is_ready(self) -> bool: ...


C = TypeVar("C", bound=Connection)


class SsrReplicas(Generic[C]):
    """Keeps one connection to each address of tcp://name:port.

    A worker that the name no longer has is kept as long as it answers: some resolvers return only a part of the
    addresses. While the name cannot be looked up nothing changes.
    """

    def __init__(
        self,
        address: str,
        add: Callable[[str], C],
        remove: Callable[[C], Awaitable[None]],
    ):
        self._name, self._port = host_and_port(address)
        self._add, self._remove = add, remove
        self._workers: dict[str, C] = {}
        self._is_known = True
        self.loop = BackgroundLoop(f"addresses of {address}", self._update)

    async def _update(self) -> None:
        try:
            addresses = await run_in_daemon_thread(partial(look_up, self._name, self._port), "look up")
        except OSError as error:
            if self._is_known:
                log.warning("the SSR workers %s cannot be looked up: %s", self._name, error)
            self._is_known = False
        else:
            self._is_known = True
            await self._change(addresses)
        await asyncio.sleep(LOOK_UP_EVERY_S)

    async def _change(self, addresses: set[str]) -> None:
        for address in sorted(addresses - self._workers.keys()):
            worker = self._workers[address] = self._add(address)
            worker.loop.start()
        gone = [address for address in self._workers.keys() - addresses if not self._workers[address].is_ready]
        for address in gone:
            await self._remove(self._workers.pop(address))
