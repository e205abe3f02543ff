"""Addresses of crawlers: read, and written as a hash under which they are stored."""

import hmac
from ipaddress import IPv4Address, IPv6Address, ip_address

Address = IPv4Address | IPv6Address
HASH_LENGTH = 16


def parse_address(text: str) -> Address | None:
    """None for what is no address, or one within a link. An IPv4 address in the form of IPv6 is one of IPv4."""
    try:
        parsed = ip_address(text)
    except ValueError:
        return None
    if isinstance(parsed, IPv6Address):
        return None if parsed.scope_id else parsed.ipv4_mapped or parsed
    return parsed


class AddressHasher:
    """Hashes addresses with a key of its own, made of the secret of the site: 8 bytes, in hexadecimal. Without the
    secret nobody can try all addresses of IPv4."""

    def __init__(self, secret: str):
        self._key = hmac.digest(secret.encode(), b"coursefront: addresses of crawlers", "sha256")

    def hash(self, address: Address) -> str:
        return hmac.digest(self._key, address.packed, "sha256").hex()[:HASH_LENGTH]
