"""Unguessable words, and what is kept of secrets instead of the secrets."""

import hashlib
import secrets
from base64 import b64decode, b64encode, urlsafe_b64decode, urlsafe_b64encode

# Of passwords: 16 MiB and some 40 ms for each guess. Codes live five minutes, a quarter of it is enough for them.
PASSWORD_COST = 2**14
CODE_COST = 2**12


def new(prefix: str = "") -> str:
    """256 random bits in letters, digits, - and _."""
    return prefix + secrets.token_urlsafe(32)


def new_id(prefix: str) -> str:
    """An id nobody can guess, 80 bits; letters and digits only, it stands in paths."""
    return prefix + secrets.token_hex(10)


def new_digits(count: int) -> str:
    return f"{secrets.randbelow(10**count):0{count}d}"


def digest(word: str) -> str:
    """Of words with 256 bits of their own: nothing slower is needed."""
    return hashlib.sha256(word.encode()).hexdigest()


def hashed(secret: str, cost: int = PASSWORD_COST) -> str:
    salt = secrets.token_bytes(16)
    return f"{cost}${b64encode(salt).decode()}${b64encode(_scrypt(secret, salt, cost)).decode()}"


def matches(stored: str, secret: str) -> bool:
    cost, salt, expected = stored.split("$")
    return secrets.compare_digest(_scrypt(secret, b64decode(salt), int(cost)), b64decode(expected))


def _scrypt(secret: str, salt: bytes, cost: int) -> bytes:
    return hashlib.scrypt(secret.encode(), salt=salt, n=cost, r=8, p=1, dklen=32)


def encoded(data: bytes) -> str:
    """base64url without padding."""
    return urlsafe_b64encode(data).decode().rstrip("=")


def decoded(text: str) -> bytes:
    """base64url or plain base64, with or without padding. Raises ValueError."""
    plain = text.strip().rstrip("=").replace("+", "-").replace("/", "_")
    return urlsafe_b64decode(plain + "=" * (-len(plain) % 4))
