"""Reads the sitemaps of a site, piece by piece, and holds them to the protocol."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit
from xml.etree import ElementTree

from host.seo_audit.breaches import Report
from host.seo_audit.page import Page

NS = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
IMAGE = "{http://www.google.com/schemas/sitemap-image/1.1}"
MOST_ADDRESSES, MOST_BYTES = 50_000, 50 * 1024 * 1024
# W3C's profile of ISO 8601: a day, or a moment with its zone.
DATE = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?")
# Clocks differ a little.
LEEWAY = timedelta(minutes=5)
# A date this close to the time of asking, twice, is the time of asking.
NOW = timedelta(seconds=2)
# HTTP dates know seconds only: a file that changed within the last two may have changed again.
SETTLES_S = 3.0
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
        # Files that answered in full to one who has them, and by which header.
        self._unknown: list[tuple[str, str]] = []

    async def entries(self, start: str) -> AsyncIterator[Entry]:
        """Every address of the sitemap at `start` and of those it names."""
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
        tree = self._parsed(page, body)
        if tree is None:
            return
        await self._conditional(page)
        is_index = tree.tag == f"{NS}sitemapindex"
        for node in tree:
            found = self._entry(path, node)
            if found is not None:
                yield is_index, found
        if len(tree) > MOST_ADDRESSES or len(body) > MOST_BYTES:
            self._add(path, f"{len(tree):,} addresses in {len(body):,} bytes: more than a sitemap may have")

    def _parsed(self, page: Page, body: bytes) -> ElementTree.Element | None:
        if page.status != 200:
            self._add(page.path, f"answers {page.status}")
            return None
        if "xml" not in page.headers.get("Content-Type", ""):
            self._add(page.path, f"is {page.headers.get('Content-Type')!r}, not XML")
        try:
            tree = ElementTree.fromstring(body)  # noqa: S314 our own site, and no entity is resolved from outside
        except ElementTree.ParseError as error:
            self._add(page.path, f"cannot be read as XML: {error}")
            return None
        if tree.tag not in (f"{NS}sitemapindex", f"{NS}urlset"):
            self._add(page.path, f"begins with {tree.tag}")
            return None
        return tree

    def _entry(self, file: str, node: ElementTree.Element) -> Entry | None:
        address = (node.findtext(f"{NS}loc") or "").strip()
        parts = urlsplit(address)
        if f"{parts.scheme}://{parts.netloc}" != self._origin:
            self._add(file, f"names {address!r}, which is not below {self._origin}")
            return None
        for image in node.iter(f"{IMAGE}loc"):
            if not (image.text or "").startswith(("http://", "https://")):
                self._add(file, f"names the picture {image.text!r}, which is not absolute")
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        return Entry(path, self._date(path, node.findtext(f"{NS}lastmod")))

    def _date(self, path: str, text: str | None) -> datetime | None:
        if text is None:
            return None
        try:
            found = datetime.fromisoformat(text) if DATE.fullmatch(text) else None
        except ValueError:
            found = None
        if found is None:
            self._report.add(path, "lastmod", "error", f"lastmod {text!r} is no W3C date")
            return None
        found = found if found.tzinfo else found.replace(tzinfo=UTC)
        if found > datetime.now(UTC) + LEEWAY:
            self._report.add(path, "lastmod", "error", f"lastmod {text} lies in the future")
        return found

    async def _conditional(self, page: Page) -> None:
        """Unchanged files cost a few bytes only."""
        for name in VALIDATORS:
            if name not in page.headers:
                self._report.add(page.path, "sitemap-conditional", "error", f"has no {name}")
            elif not await self._is_known(page, name):
                self._unknown.append((page.path, name))

    async def _is_known(self, page: Page, name: str) -> bool:
        again, _ = await self._fetch(page.path, **{VALIDATORS[name]: page.headers.get(name, "")})
        return again.status == 304

    async def _ask_again(self) -> None:
        """At the end: a file that was made a moment ago cannot be known by its date yet."""
        if self._unknown:
            await asyncio.sleep(SETTLES_S)
        for path, name in self._unknown:
            page, _ = await self._fetch(path)
            if not await self._is_known(page, name):
                text = f"{VALIDATORS[name]} is not answered 304"
                self._report.add(path, "sitemap-conditional", "error", text)

    async def finish(self, start: str) -> None:
        await self._ask_again()
        await self._compare_dates(start)

    async def _compare_dates(self, start: str) -> None:
        """Dates that are always the time of asking say nothing."""
        page, body = await self._fetch(start)
        tree = self._parsed(page, body)
        at = datetime.now(UTC)
        for node in tree if tree is not None else ():
            entry = self._entry(start, node)
            before, read_at = self._dates.get(entry.path, (None, at)) if entry else (None, at)
            if entry is None or entry.changed is None or before is None or entry.changed == before:
                continue
            if abs(entry.changed - at) < NOW and abs(before - read_at) < NOW:
                self._report.add(entry.path, "lastmod", "error", "lastmod is always now")

    def _add(self, path: str, text: str) -> None:
        self._report.add(path, "sitemap-form", "error", text)
