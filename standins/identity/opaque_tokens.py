"""Random tokens, hashes of secrets, and base64url."""

import hashlib
import secrets
from base64 import b64decode, b64encode, urlsafe_b64decode, urlsafe_b64encode

# scrypt's n for passwords: 16 MiB and about 40 ms per guess. Codes expire in five minutes, so a quarter is enough.
PASSWORD_COST = 2**14
CODE_COST = 2**12


def new_token(prefix: str = "") -> str:
    """256 random bits in letters, digits, - and _."""
    return prefix + secrets.token_urlsafe(32)


def new_id(prefix: str) -> str:
    """An unguessable id of 80 bits in letters and digits, usable in paths."""
    return prefix + secrets.token_hex(10)


def new_digits(count: int) -> str:
    return f"{secrets.randbelow(10**count):0{count}d}"


def digest(token: str) -> str:
    """SHA-256 of a random token: with 256 random bits no slow hash is needed."""
    return hashlib.sha256(token.encode()).hexdigest()


def hash_secret(secret: str, cost: int = PASSWORD_COST) -> str:
    salt = secrets.token_bytes(16)
    return f"{cost}${b64encode(salt).decode()}${b64encode(_scrypt(secret, salt, cost)).decode()}"


def matches_hash(stored: str, secret: str) -> bool:
    cost, salt, expected = stored.split("$")
    return secrets.compare_digest(_scrypt(secret, b64decode(salt), int(cost)), b64decode(expected))


def _scrypt(secret: str, salt: bytes, cost: int) -> bytes:
    return hashlib.scrypt(secret.encode(), salt=salt, n=cost, r=8, p=1, dklen=32)


def encode_base64url(data: bytes) -> str:
    """base64url without padding."""
    return urlsafe_b64encode(data).decode().rstrip("=")


def decode_base64url(text: str) -> bytes:
    """base64url or plain base64, with or without padding. Raises ValueError."""
    plain = text.strip().rstrip("=").replace("+", "-").replace("/", "_")
    return urlsafe_b64decode(plain + "=" * (-len(plain) % 4))
