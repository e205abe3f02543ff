"""DNS, asked about the addresses of crawlers: a few questions a second, each with a deadline."""

import re
import time
from collections.abc import Callable, Sequence
from ipaddress import ip_address

import dns.exception
import dns.name
import dns.resolver
import dns.reversename

from domain.crawlers.addresses import Address
from domain.crawlers.verification import Silent

DEADLINE_S = 2.0
# Between the beginnings of two questions: five a second.
PAUSE_S = 0.2
# What a host may be called. Whoever answers for an address may put any bytes into a name.
_HOST_NAME = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)+\.?", re.IGNORECASE)
_RECORDS = {4: "A", 6: "AAAA"}


class DnsNames:
    """A name service (domain/crawlers/verification.py). `server`: address and port; None: those of the system."""

    def __init__(
        self,
        server: tuple[str, int] | None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ):
        self._resolver = dns.resolver.Resolver(configure=server is None)
        if server is not None:
            self._resolver.nameservers, self._resolver.port = [server[0]], server[1]
        self._clock, self._sleep = clock, sleep
        self._next_at = clock()

    def names_of(self, address: Address) -> Sequence[str]:
        """None is a name that no host can have. Raises Silent."""
        names = self._ask(dns.reversename.from_address(str(address)), "PTR")
        return [name for name in names if _HOST_NAME.fullmatch(name)]

    def addresses_of(self, name: str, version: int) -> Sequence[Address]:
        """Raises Silent."""
        return [ip_address(text) for text in self._ask(name, _RECORDS[version])]

    def _ask(self, name: dns.name.Name | str, record: str) -> list[str]:
        self._pause()
        try:
            answer = self._resolver.resolve(name, record, lifetime=DEADLINE_S, search=False)
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
            return []
        except (dns.exception.DNSException, OSError) as error:
            raise Silent(str(error)) from error
        return [row.to_text() for row in answer]

    def _pause(self) -> None:
        now = self._clock()
        if now < self._next_at:
            self._sleep(self._next_at - now)
            now = self._next_at
        self._next_at = now + PAUSE_S
