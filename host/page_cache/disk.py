"""Finished pages on disk, VAR_DIR/pages: what one process made, another shows when nothing can be made any more.

Written beside everything else, read only while records or renderers are away and this process has not made the page
itself. What is found is old by definition: it goes out marked, or not at all.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from hashlib import sha256
from pathlib import Path

import brotli
import orjson

from host.bounded_folder import BoundedFolder
from host.kept import OUTDATED, Document, Kept
from host.settings import Settings

log = logging.getLogger("coursefront.page_store")

# A page older than this says prices that nobody stands for.
OLDEST_S = 86_400.0
MOST_WAITING = 1_000
MOST_NOTED = 20_000


class PageStore:
    """`most_bytes` bounds the folder; every host process of the machine shares it."""

    def __init__(self, settings: Settings, build: str, most_bytes: int):
        self._folder = BoundedFolder(settings.var_dir / "pages", ".page", most_bytes)
        self._form = _form(settings, build)
        self._waiting: dict[str, Kept] = {}
        self._noted: dict[str, str] = {}
        self._writing: asyncio.Task[None] | None = None
        self.dropped = 0

    async def lifetime(self, _app: object) -> AsyncIterator[None]:
        yield
        if self._writing is not None:
            self._writing.cancel()

    def keep(self, page: Kept) -> None:
        """Nobody waits for it; the newest page of an address is the one that is written."""
        if self._noted.get(page.key) == page.etag:
            return
        if len(self._waiting) >= MOST_WAITING:
            self.dropped += 1
            return
        self._waiting[page.key] = page
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write())

    async def _write(self) -> None:
        while self._waiting:
            key = next(iter(self._waiting))
            page = self._waiting.pop(key)
            try:
                await asyncio.to_thread(self._folder.write, self.place(key), _packed(page))
            except OSError as error:
                self.dropped += 1
                log.warning("the page %s cannot be stored: %s", key, error)
            else:
                self._note(page)

    def _note(self, page: Kept) -> None:
        if len(self._noted) >= MOST_NOTED:
            self._noted.clear()
        self._noted[page.key] = page.etag

    async def find(self, key: str) -> Kept | None:
        """The page as it was made last, at most OLDEST_S ago, by any process; None when there is none."""
        return await asyncio.to_thread(self._read, key)

    def place(self, key: str) -> Path:
        name = sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:40]
        return self._folder.folder / self._form / name[:2] / f"{name}.page"

    def _read(self, key: str) -> Kept | None:
        try:
            return _unpacked(key, self.place(key).read_bytes())
        except OSError:
            return None


def _form(settings: Settings, build: str) -> str:
    """Pages of another build, or of a shop with another name, currency or policy, are not ours."""
    shown = (
        settings.site_origin,
        settings.site_name,
        settings.site_tagline,
        settings.site_logo,
        settings.site_email,
        settings.currency,
        settings.locale,
        settings.robots,
        settings.api_base,
        settings.database_url.render_as_string(hide_password=True),
    )
    return sha256("\n".join((build, *shown)).encode()).hexdigest()[:16]


def _packed(page: Kept) -> bytes:
    """A line of JSON about the page, then its bytes as brotli."""
    body = page.forms["br"]
    about = {
        "key": page.key,
        "page": page.page,
        "headers": page.base_headers,
        "head": page.head.decode(),
        "at": time.time(),
        "sum": sha256(body).hexdigest(),
    }
    return orjson.dumps(about, option=orjson.OPT_APPEND_NEWLINE) + body


def _unpacked(key: str, content: bytes) -> Kept | None:
    """None for a file that is too old, damaged, or of an address with the same digest."""
    line, _, body = content.partition(b"\n")
    try:
        about = orjson.loads(line)
        is_good = about["key"] == key and about["sum"] == sha256(body).hexdigest()
        if not is_good or not 0 <= time.time() - about["at"] <= OLDEST_S:
            return None
        document = Document(about["page"], brotli.decompress(body), about["headers"], about["head"].encode())
    except (ValueError, KeyError, TypeError, brotli.error):
        return None
    return Kept(key, OUTDATED, document)
