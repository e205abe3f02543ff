"""The secret in the mail of a gift: an HMAC of its id, so that a mail that is sent again has the same link."""

import hmac
from base64 import urlsafe_b64encode
from datetime import datetime, timedelta
from hashlib import sha256

# As long as the law of many countries lets a claim live: what was paid for is not lost by waiting.
VALID_FOR = timedelta(days=3 * 365)


def derived_key(secret: str) -> bytes:
    """The HMAC's own key, from the application's secret, for this use alone."""
    return hmac.digest(secret.encode(), b"coursefront: gifts", "sha256")


def token_of(key: bytes, gift_id: int) -> str:
    """43 characters of URL-safe ASCII."""
    return urlsafe_b64encode(hmac.digest(key, f"gift:{gift_id}".encode(), "sha256")).decode().rstrip("=")


def digest_of(token: str) -> str:
    """As it is stored: the table is of no use for claiming."""
    return sha256(token.encode()).hexdigest()


def valid_until(send_at: datetime) -> datetime:
    """When the link of a gift of that day ends."""
    return send_at + VALID_FOR
