"""Keys of plain forms: proof that this site rendered the form for this learner, and what tells one sending of it from
another. A key is new with every rendering, so that compressed pages do not reveal it (BREACH)."""

import hmac
import re
import secrets
from base64 import urlsafe_b64encode
from datetime import UTC, datetime, timedelta

from aiohttp import web

MAX_AGE = timedelta(hours=24)
# Learner, second of its creation, random part, HMAC.
_KEY = re.compile(r"(\d{1,19})\.(\d{1,10})\.[\w-]{22}\.[\w-]{43}", re.ASCII)


class InvalidFormKey(ValueError):
    """Not a key that this site made for the purpose in the last 24 hours. `learner_id`: whose form an expired key was
    of; None for every other."""

    def __init__(self, learner_id: int | None = None):
        super().__init__("the form key is invalid" if learner_id is None else "the form key has expired")
        self.learner_id = learner_id


class FormKeys:
    """Makes and checks keys. The HMAC's own key is derived from `secret`, the application's, for this use alone.
    `purpose`: which form, such as cart or checkout."""

    def __init__(self, secret: str):
        self._key = hmac.digest(secret.encode(), b"coursefront: form keys", "sha256")

    def create(self, purpose: str, learner_id: int, at: datetime) -> str:
        """A new key, 79 to 97 characters of URL-safe ASCII: the header Idempotency-Key may carry it too."""
        text = f"{learner_id}.{int(at.timestamp())}.{secrets.token_urlsafe(16)}"
        return f"{text}.{self._mac(purpose, text)}"

    def learner_of(self, purpose: str, key: str, at: datetime) -> int:
        """The learner for whom the form was rendered. Raises InvalidFormKey."""
        match = _KEY.fullmatch(key)
        text, _, mac = key.rpartition(".")
        if match is None or not hmac.compare_digest(mac, self._mac(purpose, text)):
            raise InvalidFormKey
        learner_id, created = int(match[1]), datetime.fromtimestamp(int(match[2]), UTC)
        # A key of the future comes from a process whose clock is ahead: it is as good.
        if at - created > MAX_AGE:
            raise InvalidFormKey(learner_id)
        return learner_id

    def _mac(self, purpose: str, text: str) -> str:
        mac = hmac.digest(self._key, f"{purpose}:{text}".encode(), "sha256")
        return urlsafe_b64encode(mac).decode().rstrip("=")


FORM_KEYS = web.AppKey("form_keys", FormKeys)
