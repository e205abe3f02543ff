"""The secret in the mail of an invitation: an HMAC of its id, so that a mail that is sent again has the same link."""

import hmac
from base64 import urlsafe_b64encode
from hashlib import sha256

# Longer texts are no tokens.
MAX_TOKEN = 200


def token_of(key: bytes, invitation_id: int) -> str:
    """43 characters of URL-safe ASCII. `key`: that of the tokens in links (`MailSite.token_key`)."""
    digest = hmac.digest(key, f"invitation:{invitation_id}".encode(), "sha256")
    return urlsafe_b64encode(digest).decode().rstrip("=")


def digest_of(token: str) -> str:
    """As it is stored: the table is of no use for joining."""
    return sha256(token[:MAX_TOKEN].encode()).hexdigest()
