"""Links to files of lessons, signed for one learner and four hours: a session may end while a video plays."""

import hmac
import re
from base64 import urlsafe_b64encode
from datetime import datetime, timedelta
from urllib.parse import quote

from aiohttp import web

from domain.learning.files import LessonFileRow

MAX_AGE = timedelta(hours=4)
# Links of ten minutes are the same, so that a browser need not load a file again with every page.
_STEP_S = 600
_NUMBER = re.compile(r"[0-9]{1,15}")


class FileLinks:
    """Makes and checks links. The HMAC's key is derived from `secret`, the application's, for this use alone."""

    def __init__(self, secret: str):
        self._key = hmac.digest(secret.encode(), b"coursefront: files of lessons", "sha256")

    def href(self, file: LessonFileRow, learner_id: int, at: datetime) -> str:
        until = int((at + MAX_AGE).timestamp()) // _STEP_S * _STEP_S
        signature = self._signature(file.id, learner_id, until)
        return f"/learning/files/{file.id}/{quote(file.name, safe='')}?u={learner_id}&until={until}&sig={signature}"

    def is_valid(self, file_id: int, learner: str, until: str, signature: str, at: datetime) -> bool:
        if not _NUMBER.fullmatch(learner) or not _NUMBER.fullmatch(until) or int(until) <= at.timestamp():
            return False
        expected = self._signature(file_id, int(learner), int(until))
        return hmac.compare_digest(signature.encode(), expected.encode())

    def _signature(self, file_id: int, learner_id: int, until: int) -> str:
        mac = hmac.digest(self._key, f"{file_id}:{learner_id}:{until}".encode(), "sha256")
        return urlsafe_b64encode(mac).decode().rstrip("=")


FILE_LINKS = web.AppKey("file_links", FileLinks)
