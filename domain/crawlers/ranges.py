"""Lists of address ranges: read in the form in which operators publish them, and searched by bisection."""

import json
from bisect import bisect_right
from collections.abc import Iterable
from datetime import UTC, datetime
from ipaddress import IPv4Network, IPv6Network, collapse_addresses, ip_network
from typing import Any, NamedTuple

from domain.crawlers.addresses import Address
from domain.display_text import count_text, size_text
from domain.errors import Refused
from domain.typed_values import bounded

Network = IPv4Network | IPv6Network
# Largest lists: of a crawler's operator, and of a hosting provider, which has thousands of networks.
MAX_BYTES, MAX_HOSTING_BYTES = 2_000_000, 8_000_000
MAX_PREFIXES = 50_000
# Widest ranges, by version: wider than any operator's; one by mistake would verify everybody.
WIDEST = {4: 8, 6: 19}
# Of crawlers and of Google; of Amazon, which has those of IPv6 in a list of their own.
_KEYS = ("ipv4Prefix", "ipv6Prefix", "ip_prefix", "ipv6_prefix")


class PublishedList(NamedTuple):
    """`created_at`: when its operator wrote it, if it says so."""

    prefixes: tuple[str, ...]
    created_at: datetime | None


def read_list(body: bytes, max_bytes: int = MAX_BYTES) -> PublishedList:
    """A list in the form that operators share: `creationTime`, and `prefixes` with an ipv4Prefix or ipv6Prefix each.
    One wrong range makes all of it doubtful. Raises Refused."""
    if len(body) > max_bytes:
        raise Refused(f"It is larger than {size_text(max_bytes)}.")
    try:
        content = json.loads(body)
    except (ValueError, RecursionError):
        raise Refused("It is not JSON.") from None
    rows = content.get("prefixes") if isinstance(content, dict) else None
    others = content.get("ipv6_prefixes", []) if isinstance(content, dict) else None
    rows = rows + others if isinstance(rows, list) and isinstance(others, list) else None
    if rows is None or not 0 < len(rows) <= MAX_PREFIXES:
        raise Refused(f"It has no list `prefixes` of 1 to {count_text(MAX_PREFIXES)} ranges.")
    networks = {_network_of(row) for row in rows}
    ordered = sorted(networks, key=lambda network: (network.version, network))
    return PublishedList(tuple(map(str, ordered)), _time_of(content.get("creationTime")))


def _network_of(row: Any) -> Network:
    texts = [row.get(key) for key in _KEYS if row.get(key)] if isinstance(row, dict) else []
    if len(texts) != 1 or not isinstance(texts[0], str):
        raise Refused(f"An entry of `prefixes` has not one {' or '.join(_KEYS)}: {str(row)[:80]}.")
    try:
        network = ip_network(texts[0].strip())
    except ValueError:
        raise Refused(f"{texts[0][:80]!r} is no range of addresses.") from None
    if network.prefixlen < WIDEST[network.version]:
        raise Refused(f"{network} is wider than any operator's range.")
    if not network.is_global:
        raise Refused(f"{network} has addresses that are not public.")
    return network


def _time_of(text: Any) -> datetime | None:
    """A time without a zone is UTC."""
    try:
        at = datetime.fromisoformat(text)
        return bounded(at if at.tzinfo else at.replace(tzinfo=UTC))
    except (TypeError, ValueError, OverflowError):
        return None


class RangeList:
    """The addresses of one list, as numbers: where each range begins and ends."""

    def __init__(self, name: str, prefixes: Iterable[str], fetched_at: datetime):
        self.name, self.fetched_at = name, fetched_at
        networks = [ip_network(prefix) for prefix in prefixes]
        four = collapse_addresses([network for network in networks if isinstance(network, IPv4Network)])
        six = collapse_addresses([network for network in networks if isinstance(network, IPv6Network)])
        self._ranges = {4: _ends_of(four), 6: _ends_of(six)}

    def has(self, address: Address) -> bool:
        firsts, lasts = self._ranges[address.version]
        number = int(address)
        place = bisect_right(firsts, number)
        return place > 0 and number <= lasts[place - 1]


def _ends_of(networks: Iterable[Network]) -> tuple[list[int], list[int]]:
    """Where networks begin and end that do not overlap: only the one that begins last before a number can have it."""
    ends = sorted((int(network.network_address), int(network.broadcast_address)) for network in networks)
    return [first for first, _ in ends], [last for _, last in ends]
