"""The sitemap index and its files: pages, courses and items by ranges of ids, generated once per catalogue version.

Generating a file takes a tenth of a second, on the first request; concurrent requests share it. The cache is compressed
and bounded. A file whose content is unchanged keeps its ETag and its time.
"""

import asyncio
import gzip
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import partial
from hashlib import sha256
from itertools import islice
from typing import Any

from aiohttp import web

from config.settings import Settings
from domain import routes
from domain.catalogue import instructors, sitemap
from domain.catalogue.listing import PAGE_SIZE, CategoryCount, ShopQuery
from domain.catalogue.sitemap import SitemapEntry, SitemapFile, Summary
from domain.database.database import Database
from domain.errors import ServiceUnavailable
from host.content import EDITABLE
from host.resilience.single_flight import SingleFlight
from host.seo import sitemap_xml
from host.seo.head_texts import absolute
from host.site_state import SiteState, is_indexable_category
from host.urls import COURSE_PATH, INSTRUCTOR_PATH, ITEM_PATH, address

MAX_BYTES = 32 * 2**20
# The most in one file, by the protocol.
MAX_URLS = 50_000
# The first file of pages leaves so many of these to the fixed pages and those of instructors.
RESERVED = 100 + instructors.MOST_PAGES
# The summary says when it expires; this is for databases that were restored to an older state.
SUMMARY_MAX_AGE = timedelta(minutes=10)


@dataclass(frozen=True)
class File:
    """A generated file; `source` is the state it was generated from.

    `changed` is when this process first had this content. That may be later than the dates in it: an import gives all
    its rows one time, and commits them over minutes.
    """

    source: Any
    compressed: bytes
    etag: str
    changed: datetime

    async def plain(self) -> bytes:
        return await asyncio.to_thread(gzip.decompress, self.compressed)


class Sitemaps:
    def __init__(self, settings: Settings, db: Database):
        self._settings, self._db = settings, db
        self._summary: tuple[Summary, datetime] | None = None
        self._files: OrderedDict[str, File] = OrderedDict()
        self._flight = SingleFlight[None]()

    async def index(self, site: SiteState) -> File:
        summary = await self._current(site)
        base = self._settings.site_origin + "/sitemaps/"
        changed, further = _changed(site, summary), range(2, self._pages_files(site) + 1)
        files = [(f"{base}pages.xml", changed), *((f"{base}pages-{number}.xml", changed) for number in further)]
        files += [(f"{base}{_name(bucket)}.xml", bucket.changed) for bucket in summary.buckets if bucket.count]
        return await self._cached("", summary, _constant(sitemap_xml.index(files)))

    async def file(self, name: str, site: SiteState) -> File | None:
        """None for a file that the index does not name."""
        summary = await self._current(site)
        for number in range(1, self._pages_files(site) + 1):
            if name == ("pages" if number == 1 else f"pages-{number}"):
                return await self._cached(name, summary, partial(self._pages, summary, site, number))
        for bucket in summary.buckets:
            if bucket.count and _name(bucket) == name:
                return await self._cached(name, (summary.version, bucket), partial(self._products, bucket))
        return None

    async def _current(self, site: SiteState) -> Summary:
        """The summary of the present catalogue; the last one while the database is unavailable."""
        at = datetime.now(UTC)
        if self._summary is not None:
            summary, read_at = self._summary
            if (
                summary.version >= site.version
                and (summary.until is None or at < summary.until)
                and at - read_at < SUMMARY_MAX_AGE
            ):
                return summary
        try:
            await self._flight.run("summary", self._summarise)
        except ServiceUnavailable:
            if self._summary is None:
                raise
        assert self._summary is not None  # noqa: S101 read just above, or before
        return self._summary[0]

    async def _summarise(self) -> None:
        at = datetime.now(UTC)
        pieces = [await self._db.read(sitemap.read_piece, at)]
        while (next_id := pieces[-1].next_id) is not None:
            pieces.append(await self._db.read_many(sitemap.read_piece, at, next_id))
        self._summary = (sitemap.summarise(pieces), at)

    async def _cached(self, name: str, source: Any, generate: Callable[[], Awaitable[bytes]]) -> File:
        cached = self._files.get(name)
        if cached is not None and cached.source == source:
            self._files.move_to_end(name)
            return cached
        try:
            await self._flight.run(name, lambda: self._generate(name, source, generate))
        except ServiceUnavailable:
            if cached is None:
                raise
        return self._files[name]

    async def _generate(self, name: str, source: Any, generate: Callable[[], Awaitable[bytes]]) -> None:
        body = await generate()
        compressed = await asyncio.to_thread(gzip.compress, body, 6, mtime=0)
        etag = sha256(body).hexdigest()[:20]
        previous = self._files.pop(name, None)
        is_unchanged = previous is not None and previous.etag == etag
        changed = previous.changed if previous is not None and is_unchanged else datetime.now(UTC)
        self._files[name] = File(source, compressed, etag, changed)
        while sum(len(file.compressed) for file in self._files.values()) > MAX_BYTES and len(self._files) > 1:
            self._files.popitem(last=False)

    async def _products(self, bucket: SitemapFile) -> bytes:
        """Read in pieces: one read of everything would make other readers wait."""
        at, after, rows = datetime.now(UTC), -1, list[SitemapEntry]()
        while piece := await self._db.read(sitemap.entries, bucket, at, after):
            rows += piece
            after = piece[-1].id
        return await asyncio.to_thread(lambda: sitemap_xml.urlset(map(self._entry, rows)))

    def _entry(self, row: SitemapEntry) -> str:
        settings = self._settings
        path = COURSE_PATH + row.slug if row.kind == "course" else f"{ITEM_PATH}{row.id}"
        return sitemap_xml.entry(
            absolute(settings, path), row.changed, (absolute(settings, picture) for picture in row.pictures)
        )

    def _pages_files(self, site: SiteState) -> int:
        """Files of pages that are of no product: one, unless the lists have tens of thousands of pages."""
        lists = sum(_pages_of(category.count) for category in _listed(site)) + _pages_of(_everything(site)) - 1
        return 1 + -(-max(0, lists - (MAX_URLS - RESERVED)) // MAX_URLS)

    async def _pages(self, summary: Summary, site: SiteState, number: int) -> bytes:
        people = await self._db.read(instructors.last_changes)
        return await asyncio.to_thread(lambda: sitemap_xml.urlset(self._page_entries(summary, site, people, number)))

    def _page_entries(
        self, summary: Summary, site: SiteState, people: list[tuple[str, datetime]], number: int
    ) -> list[str]:
        """The fixed pages, those of instructors, and every page of every list that search engines may index; the part
        of them in the file of that number.

        Only the first page of a list has a date: a new course shifts the others without changing a course on them.
        """
        rows: list[tuple[str, datetime | date | None]] = []
        if number == 1:
            rows += [(page.path, _page_date(site, page.id, summary)) for page in _fixed_pages(site)]
            rows += [(INSTRUCTOR_PATH + slug, changed) for slug, changed in people]
        first = 0 if number == 1 else MAX_URLS * (number - 1) - RESERVED
        rows += islice(_lists(summary, site), first, MAX_URLS * number - RESERVED)
        return [sitemap_xml.entry(self._settings.site_origin + path, changed) for path, changed in rows]


def _lists(summary: Summary, site: SiteState) -> Iterator[tuple[str, datetime | None]]:
    """Every page of every list, but for the first one of all products, which is a fixed page."""
    for shown in range(2, _pages_of(_everything(site)) + 1):
        yield address(ShopQuery(page=shown)), None
    for category in _listed(site):
        yield address(ShopQuery((category.slug,))), summary.categories.get(category.slug)
        for shown in range(2, _pages_of(category.count) + 1):
            yield address(ShopQuery((category.slug,), page=shown)), None


SITEMAPS = web.AppKey("sitemaps", Sitemaps)


def _everything(site: SiteState) -> int:
    return sum(category.count for category in site.categories)


def _listed(site: SiteState) -> list[CategoryCount]:
    return [category for category in site.categories if is_indexable_category(category)]


def _pages_of(count: int) -> int:
    return -(-count // PAGE_SIZE)


def _name(bucket: SitemapFile) -> str:
    return f"{bucket.kind}s-{bucket.number}"


def _constant(body: bytes) -> Callable[[], Awaitable[bytes]]:
    async def generate() -> bytes:
        return body

    return generate


def _fixed_pages(site: SiteState) -> list[routes.Page]:
    needs_value = ("course-details", "shop-details", "instructor")
    pages = (page for page in routes.public_pages() if page.indexable and page.served and page.id not in needs_value)
    return [page for page in pages if site.has_page(page.id)]


def _content_page(site: SiteState, page: str) -> date:
    return date.fromisoformat(site.content(page).updated)


def _page_date(site: SiteState, page: str, summary: Summary) -> datetime | date | None:
    return _content_page(site, page) if page in EDITABLE else summary.changed


def _changed(site: SiteState, summary: Summary) -> datetime:
    """The last change of anything, content pages included."""
    content = max(_content_page(site, page) for page in EDITABLE if site.has_page(page))
    at = datetime(content.year, content.month, content.day, tzinfo=UTC)
    return at if summary.changed is None else max(at, summary.changed)
