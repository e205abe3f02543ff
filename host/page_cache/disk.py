"""Rendered pages on disk, in VAR_DIR/pages: one process can serve what another rendered when nothing can be rendered.

They are written in the background, and read only while the database or the renderers are unavailable and this process
does not have the page. Pages from disk count as outdated: they are served marked as stale.

A file's modification time says when a process last rendered exactly this page. A page that is rendered again without a
change keeps its file, which then counts as new: it neither expires nor is among the oldest, which are deleted first.
"""

import asyncio
import logging
import os
import time
from collections.abc import AsyncIterator
from hashlib import sha256
from pathlib import Path

import brotli
import orjson

from config.settings import Settings
from domain.database.database import database_url
from host.page_cache.entry import OUTDATED, CachedPage, RenderedPage
from host.resilience.bounded_folder import BoundedFolder

log = logging.getLogger("coursefront.page_cache")

# Pages that were confirmed longer ago may show prices that are long outdated.
MAX_AGE_S = 86_400.0
# How soon a process confirms a page again: while the catalogue changes all the time, pages are rendered more often.
CONFIRM_EVERY_S = 600.0
MAX_PENDING = 1_000
MAX_KNOWN_KEYS = 20_000


class DiskCache:
    """`max_bytes` bounds the folder, which every host process of the machine shares."""

    def __init__(self, settings: Settings, build: str, max_bytes: int):
        self._folder = BoundedFolder(settings.var_dir / "pages", ".page", max_bytes)
        self._variant = _variant(settings, build)
        self._pending: dict[str, CachedPage] = {}
        # By key: ETag of the page on disk, and when this process wrote or confirmed it (time.monotonic()).
        self._confirmed: dict[str, tuple[str, float]] = {}
        self._writer: asyncio.Task[None] | None = None
        self.dropped = 0

    async def lifespan(self, _app: object) -> AsyncIterator[None]:
        yield
        if self._writer is not None:
            self._writer.cancel()

    def write_later(self, page: CachedPage) -> None:
        """Write or confirm the page in the background; of several pages of one key only the newest counts."""
        etag, at = self._confirmed.get(page.key, ("", 0.0))
        if etag == page.etag and time.monotonic() - at < CONFIRM_EVERY_S:
            return
        if len(self._pending) >= MAX_PENDING:
            self.dropped += 1
            return
        self._pending[page.key] = page
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write())

    async def _write(self) -> None:
        while self._pending:
            key = next(iter(self._pending))
            page = self._pending.pop(key)
            try:
                await asyncio.to_thread(self._confirm_or_write, page)
            except OSError as error:
                self.dropped += 1
                log.warning("the page %s cannot be written: %s", key, error)
            except Exception:
                # The pages behind it are written all the same.
                self.dropped += 1
                log.exception("the page %s cannot be written", key)
            else:
                self._note_confirmed(page)

    def _confirm_or_write(self, page: CachedPage) -> None:
        """Another process may have replaced or deleted the file, so it is confirmed only if it holds this page."""
        path, now = self.file_of(page.key), time.time()
        if not _holds(path, page):
            self._folder.write(path, _serialise(page))
        os.utime(path, (now, now))

    def _note_confirmed(self, page: CachedPage) -> None:
        if len(self._confirmed) >= MAX_KNOWN_KEYS:
            self._confirmed.clear()
        self._confirmed[page.key] = page.etag, time.monotonic()

    async def read(self, key: str) -> CachedPage | None:
        """The page that any process rendered or confirmed last, at most MAX_AGE_S ago; None when there is none."""
        return await asyncio.to_thread(self._read, key)

    def file_of(self, key: str) -> Path:
        name = sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:40]
        return self._folder.folder / self._variant / name[:2] / f"{name}.page"

    def _read(self, key: str) -> CachedPage | None:
        path = self.file_of(key)
        try:
            if not 0 <= time.time() - path.stat().st_mtime <= MAX_AGE_S:
                return None
            return _deserialise(key, path.read_bytes())
        except OSError:
            return None


def _variant(settings: Settings, build: str) -> str:
    """A name for what pages depend on beside their key: the build and the settings."""
    values = (
        settings.site_origin,
        settings.site_name,
        settings.site_tagline,
        settings.site_logo,
        settings.site_email,
        settings.currency,
        settings.shop.price_mode,
        settings.locale,
        settings.robots,
        settings.api_base,
        database_url(settings.database, settings.var_dir).render_as_string(hide_password=True),
    )
    return sha256("\n".join((build, *values)).encode()).hexdigest()[:16]


def _serialise(page: CachedPage) -> bytes:
    """A line of JSON with the page's properties, then its HTML as brotli."""
    body = page.brotli_body
    properties = {
        "key": page.key,
        "page": page.page,
        "headers": page.base_headers,
        "head": page.head.decode(),
        "etag": page.etag,
        "size": len(body),
        "sum": sha256(body).hexdigest(),
    }
    return orjson.dumps(properties, option=orjson.OPT_APPEND_NEWLINE) + body


def _holds(path: Path, page: CachedPage) -> bool:
    """Whether the file holds exactly this page, in full. Only its line of JSON is read."""
    try:
        with path.open("rb") as file:
            line, size = file.readline(), os.fstat(file.fileno()).st_size
        properties = orjson.loads(line)
        is_same = (properties["key"], properties["etag"]) == (page.key, page.etag)
        return is_same and size == len(line) + properties["size"]
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _deserialise(key: str, content: bytes) -> CachedPage | None:
    """None for a file that is damaged, or of another key with the same digest."""
    line, _, body = content.partition(b"\n")
    try:
        properties = orjson.loads(line)
        if properties["key"] != key or properties["sum"] != sha256(body).hexdigest():
            return None
        document = RenderedPage(
            properties["page"], brotli.decompress(body), properties["headers"], properties["head"].encode()
        )
    except (ValueError, KeyError, TypeError, brotli.error):
        return None
    return CachedPage(key, OUTDATED, document)
