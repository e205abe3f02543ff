"""Codes of authenticator apps: RFC 6238, six digits, 30 s, SHA-1, one step of tolerance to either side."""

import hmac
import secrets
from base64 import b32decode, b32encode
from urllib.parse import quote, urlencode

STEP_S = 30


def new_secret() -> str:
    """160 bits as base32."""
    return b32encode(secrets.token_bytes(20)).decode()


def code_at(secret: str, step: int) -> str:
    key = b32decode(secret + "=" * (-len(secret) % 8))
    mac = hmac.digest(key, step.to_bytes(8, "big"), "sha1")
    offset = mac[-1] & 15
    number = int.from_bytes(mac[offset : offset + 4], "big") & 0x7FFFFFFF
    return f"{number % 1_000_000:06d}"


def find_step(secret: str, digits: str, now: float) -> int | None:
    """The time step of this code, None for a wrong code."""
    current = int(now // STEP_S)
    close = (current, current - 1, current + 1)
    return next((step for step in close if secrets.compare_digest(code_at(secret, step), digits)), None)


def otpauth_uri(secret: str, login: str, issuer: str) -> str:
    """The otpauth URI that an app reads from the QR code."""
    label = quote(f"{issuer}:{login}")
    return f"otpauth://totp/{label}?{urlencode({'secret': secret, 'issuer': issuer})}"
