"""Reads the sitemaps of a site one after the other and checks them against the protocol."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit
from xml.etree import ElementTree

from seo_audit.breaches import Report
from seo_audit.page import Page

NS = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
IMAGE = "{http://www.google.com/schemas/sitemap-image/1.1}"
MAX_ADDRESSES, MAX_BYTES = 50_000, 50 * 1024 * 1024
# W3C's profile of ISO 8601: a date, or a time with its zone.
DATE = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?")
# Allowed difference between the clocks of site and audit.
LEEWAY = timedelta(minutes=5)
# A lastmod that is twice this close to the time of its request is generated on request.
NOW_TOLERANCE = timedelta(seconds=2)
# The site sends no usable Last-Modified for a file that changed within the last 2 s (host/http/conditional.py).
SETTLE_S = 3.0
VALIDATORS = {"ETag": "If-None-Match", "Last-Modified": "If-Modified-Since"}

Fetch = Callable[..., Awaitable[tuple[Page, bytes]]]


@dataclass(frozen=True)
class Entry:
    path: str
    changed: datetime | None


class Sitemaps:
    def __init__(self, fetch: Fetch, report: Report, origin: str):
        self._fetch, self._report, self._origin = fetch, report, origin
        # File -> its date in the index, and when that was read.
        self._dates: dict[str, tuple[datetime | None, datetime]] = {}
        # (file, validator header) that were not answered with 304.
        self._not_304: list[tuple[str, str]] = []

    async def entries(self, start: str) -> AsyncIterator[Entry]:
        """Every page address in the sitemap at `start` and in the sitemaps it refers to."""
        waiting, seen = [start], {start}
        while waiting:
            path = waiting.pop(0)
            async for is_file, entry in self._read(path):
                if not is_file:
                    yield entry
                elif entry.path not in seen:
                    seen.add(entry.path)
                    waiting.append(entry.path)
                    self._dates[entry.path] = (entry.changed, datetime.now(UTC))

    async def _read(self, path: str) -> AsyncIterator[tuple[bool, Entry]]:
        page, body = await self._fetch(path)
        tree = self._parse(page, body)
        if tree is None:
            return
        await self._conditional(page)
        is_index = tree.tag == f"{NS}sitemapindex"
        for node in tree:
            entry = self._entry(path, node)
            if entry is not None:
                yield is_index, entry
        if len(tree) > MAX_ADDRESSES or len(body) > MAX_BYTES:
            self._add(path, f"{len(tree):,} addresses in {len(body):,} bytes: more than a sitemap may have")

    def _parse(self, page: Page, body: bytes) -> ElementTree.Element | None:
        if page.status != 200:
            self._add(page.path, f"answers {page.status}")
            return None
        if "xml" not in page.headers.get("Content-Type", ""):
            self._add(page.path, f"is {page.headers.get('Content-Type')!r}, not XML")
        try:
            tree = ElementTree.fromstring(body)  # noqa: S314 our own site, and no entity is resolved from outside
        except ElementTree.ParseError as error:
            self._add(page.path, f"is not valid XML: {error}")
            return None
        if tree.tag not in (f"{NS}sitemapindex", f"{NS}urlset"):
            self._add(page.path, f"has the root element {tree.tag}")
            return None
        return tree

    def _entry(self, file: str, node: ElementTree.Element) -> Entry | None:
        address = (node.findtext(f"{NS}loc") or "").strip()
        parts = urlsplit(address)
        if f"{parts.scheme}://{parts.netloc}" != self._origin:
            self._add(file, f"has {address!r}, which is not below {self._origin}")
            return None
        for image in node.iter(f"{IMAGE}loc"):
            if not (image.text or "").startswith(("http://", "https://")):
                self._add(file, f"has the picture {image.text!r}, which is not absolute")
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        return Entry(path, self._date(path, node.findtext(f"{NS}lastmod")))

    def _date(self, path: str, text: str | None) -> datetime | None:
        if text is None:
            return None
        try:
            changed = datetime.fromisoformat(text) if DATE.fullmatch(text) else None
        except ValueError:
            changed = None
        if changed is None:
            self._report.add(path, "lastmod", "error", f"lastmod {text!r} is not a W3C date")
            return None
        changed = changed if changed.tzinfo else changed.replace(tzinfo=UTC)
        if changed > datetime.now(UTC) + LEEWAY:
            self._report.add(path, "lastmod", "error", f"lastmod {text} is in the future")
        return changed

    async def _conditional(self, page: Page) -> None:
        """Check that an unchanged file is answered with 304."""
        for name in VALIDATORS:
            if name not in page.headers:
                self._report.add(page.path, "sitemap-conditional", "error", f"has no {name}")
            elif not await self._is_not_modified(page, name):
                self._not_304.append((page.path, name))

    async def _is_not_modified(self, page: Page, name: str) -> bool:
        again, _ = await self._fetch(page.path, **{VALIDATORS[name]: page.headers.get(name, "")})
        return again.status == 304

    async def _retry_conditional(self) -> None:
        """Try files again that had changed just before their first check, and report those that still fail."""
        if self._not_304:
            await asyncio.sleep(SETTLE_S)
        for path, name in self._not_304:
            page, _ = await self._fetch(path)
            if not await self._is_not_modified(page, name):
                text = f"{VALIDATORS[name]} is not answered 304"
                self._report.add(path, "sitemap-conditional", "error", text)

    async def finish(self, start: str) -> None:
        await self._retry_conditional()
        await self._compare_dates(start)

    async def _compare_dates(self, start: str) -> None:
        """Report dates in the index that are always the time of the request."""
        page, body = await self._fetch(start)
        tree = self._parse(page, body)
        now = datetime.now(UTC)
        for node in tree if tree is not None else ():
            entry = self._entry(start, node)
            before, read_at = self._dates.get(entry.path, (None, now)) if entry else (None, now)
            if entry is None or entry.changed is None or before is None or entry.changed == before:
                continue
            if abs(entry.changed - now) < NOW_TOLERANCE and abs(before - read_at) < NOW_TOLERANCE:
                self._report.add(entry.path, "lastmod", "error", "lastmod is always the time of the request")

    def _add(self, path: str, text: str) -> None:
        self._report.add(path, "sitemap-form", "error", text)
