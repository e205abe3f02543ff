"""Which certificates are revoked, as a W3C Bitstring Status List: one bit for each, in lists of 131,072."""

import gzip
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

# The least that the recommendation allows, so that a request does not tell which certificate is checked.
SIZE = 131_072
# A copy is refused after this time, so that an old one cannot revive a revoked certificate.
MAX_AGE = timedelta(days=1)
# Equal bits are signed again after this time.
SIGNED_AGAIN = timedelta(hours=1)
# Caches may keep a list for this long.
CACHE_S = 60
Json = dict[str, Any]


def address(origin: str, number: int) -> str:
    return f"{origin}/.well-known/certificate-status/{number}.jwt"


def entry(origin: str, index: int) -> Json:
    """Where the bit of a certificate is."""
    number, place = divmod(index, SIZE)
    url = address(origin, number)
    return {
        "id": f"{url}#{place}",
        "type": "BitstringStatusListEntry",
        "statusPurpose": "revocation",
        "statusListIndex": str(place),
        "statusListCredential": url,
    }


def claims(origin: str, issuer_id: str, number: int, revoked: Iterable[int], at: datetime) -> Json:
    """The payload of a list's JWT. `revoked`: status indexes of this list."""
    url, until = address(origin, number), at + MAX_AGE
    return {
        "@context": ["https://www.w3.org/ns/credentials/v2"],
        "id": url,
        "type": ["VerifiableCredential", "BitstringStatusListCredential"],
        "issuer": issuer_id,
        "validFrom": f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
        "validUntil": f"{until.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
        "credentialSubject": {
            "id": f"{url}#list",
            "type": "BitstringStatusList",
            "statusPurpose": "revocation",
            "encodedList": encoded(index - number * SIZE for index in revoked),
            "ttl": CACHE_S * 1000,
        },
        "iss": issuer_id,
        "jti": url,
        "sub": f"{url}#list",
        "nbf": int(at.timestamp()),
        "exp": int(until.timestamp()),
    }


def encoded(places: Iterable[int]) -> str:
    """The bits, the first one leftmost, compressed, as base64url in multibase."""
    bits = bytearray(SIZE // 8)
    for place in places:
        bits[place // 8] |= 0x80 >> place % 8
    return "u" + urlsafe_b64encode(gzip.compress(bytes(bits), mtime=0)).decode().rstrip("=")
