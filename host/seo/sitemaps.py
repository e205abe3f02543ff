"""The sitemap index and its files: pages, courses and items by ranges of ids, each made once for a catalogue version.

A file takes a tenth of a second to make, and is made when it is asked for. What is kept is compressed and bounded; two
who ask at once wait for one making. A file whose content is what it was keeps its ETag and its time.
"""

import asyncio
import gzip
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import partial
from hashlib import sha256
from typing import Any

from domain import pages, sitemap
from domain.catalogue import PAGE_SIZE, ShopQuery
from domain.db import Database
from domain.errors import Unavailable
from domain.sitemap import Bucket, Entry, Summary
from host import sitemap_xml
from host.loaders.cards import COURSE_PATH, ITEM_PATH
from host.loaders.content import read as read_content
from host.loaders.controls import address
from host.seo import absolute
from host.settings import Settings
from host.site import SiteState, is_kept

MOST_BYTES = 32 * 2**20
# Of one file, by the protocol.
MOST_ADDRESSES = 50_000
# What only time moves is in the summary; this is for databases that were put back to an older state.
SUMMARY_LIFE = timedelta(minutes=10)
WRITTEN_PAGES = ("about", "contact", "refund-grievance-policy")


@dataclass(frozen=True)
class File:
    """A finished file; `source` is what it was made from, `changed` when this process first had this content.

    That may be later than the dates in it: an import of minutes dates all its rows alike, and they come in pieces.
    """

    source: Any
    packed: bytes
    etag: str
    changed: datetime

    async def plain(self) -> bytes:
        return await asyncio.to_thread(gzip.decompress, self.packed)


class Sitemaps:
    def __init__(self, settings: Settings, db: Database):
        self._settings, self._db = settings, db
        self._summary: tuple[Summary, datetime] | None = None
        self._files: OrderedDict[str, File] = OrderedDict()
        self._making: dict[str, asyncio.Future[None]] = {}

    async def index(self, site: SiteState) -> File:
        found = await self._current(site)
        base = self._settings.site_origin + "/sitemaps/"
        files = [(f"{base}pages.xml", _changed(found))]
        files += [(f"{base}{_name(one)}.xml", one.changed) for one in found.buckets if one.count]
        return await self._kept("", found, _ready(sitemap_xml.index(files)))

    async def file(self, name: str, site: SiteState) -> File | None:
        """None for a file that the index does not name."""
        found = await self._current(site)
        if name == "pages":
            return await self._kept(name, found, partial(self._pages, found, site))
        for bucket in found.buckets:
            if bucket.count and _name(bucket) == name:
                return await self._kept(name, (found.version, bucket), partial(self._products, bucket))
        return None

    async def _current(self, site: SiteState) -> Summary:
        """The summary of the present catalogue; the last one while the records are away."""
        at = datetime.now(UTC)
        if self._summary is not None:
            known, made = self._summary
            if known.version >= site.version and (known.until is None or at < known.until) and at - made < SUMMARY_LIFE:
                return known
        try:
            await self._once("summary", self._summarise)
        except Unavailable:
            if self._summary is None:
                raise
        assert self._summary is not None  # noqa: S101 made just above, or there before
        return self._summary[0]

    async def _summarise(self) -> None:
        at = datetime.now(UTC)
        self._summary = (await self._db.read(sitemap.summary, at), at)

    async def _kept(self, name: str, source: Any, make: Callable[[], Awaitable[bytes]]) -> File:
        kept = self._files.get(name)
        if kept is not None and kept.source == source:
            self._files.move_to_end(name)
            return kept
        try:
            await self._once(name, lambda: self._make(name, source, make))
        except Unavailable:
            if kept is None:
                raise
        return self._files[name]

    async def _make(self, name: str, source: Any, make: Callable[[], Awaitable[bytes]]) -> None:
        body = await make()
        packed = await asyncio.to_thread(gzip.compress, body, 6, mtime=0)
        etag = sha256(body).hexdigest()[:20]
        before = self._files.pop(name, None)
        changed = before.changed if before is not None and before.etag == etag else datetime.now(UTC)
        self._files[name] = File(source, packed, etag, changed)
        while sum(len(one.packed) for one in self._files.values()) > MOST_BYTES and len(self._files) > 1:
            self._files.popitem(last=False)

    async def _once(self, name: str, make: Callable[[], Awaitable[None]]) -> None:
        """A visitor who leaves does not end the making: others wait for it."""
        task = self._making.get(name)
        if task is None:
            task = self._making[name] = asyncio.ensure_future(make())
            task.add_done_callback(lambda _done: self._making.pop(name, None))
        await asyncio.shield(task)

    async def _products(self, bucket: Bucket) -> bytes:
        """Read in pieces: one read of everything would keep others waiting where records are read on the loop."""
        at, after, rows = datetime.now(UTC), -1, list[Entry]()
        while piece := await self._db.read(sitemap.entries, bucket, at, after):
            rows += piece
            after = piece[-1].id
        return await asyncio.to_thread(lambda: sitemap_xml.urlset(map(self._entry, rows)))

    def _entry(self, row: Entry) -> str:
        settings = self._settings
        path = COURSE_PATH + row.slug if row.kind == "course" else f"{ITEM_PATH}{row.id}"
        return sitemap_xml.entry(
            absolute(settings, path), row.changed, (absolute(settings, one) for one in row.pictures)
        )

    async def _pages(self, found: Summary, site: SiteState) -> bytes:
        return await asyncio.to_thread(lambda: sitemap_xml.urlset(self._page_entries(found, site)))

    def _page_entries(self, found: Summary, site: SiteState) -> list[str]:
        """The fixed pages, and every page of every list that search engines may keep.

        Only the first page of a list has a date: when a course comes, the others shift, and nothing on them changes.
        """
        origin = self._settings.site_origin
        made = [sitemap_xml.entry(origin + page.path, _page_date(page.id, found)) for page in _fixed_pages()]
        for category in (None, *site.categories):
            count = category.count if category else sum(one.count for one in site.categories)
            chosen = (category.slug,) if category else ()
            if category and is_kept(category):
                made.append(sitemap_xml.entry(origin + address(ShopQuery(chosen)), found.categories.get(category.slug)))
            if not category or is_kept(category):
                rest = range(2, -(-count // PAGE_SIZE) + 1)
                made += [sitemap_xml.entry(origin + address(ShopQuery(chosen, page=number)), None) for number in rest]
        return made[:MOST_ADDRESSES]


def _name(bucket: Bucket) -> str:
    return f"{bucket.kind}s-{bucket.number}"


def _ready(body: bytes) -> Callable[[], Awaitable[bytes]]:
    async def make() -> bytes:
        return body

    return make


def _fixed_pages() -> list[pages.Page]:
    needs_value = ("course-details", "shop-details")
    return [page for page in pages.table() if page.indexable and page.served and page.id not in needs_value]


def _written(page: str) -> date:
    return date.fromisoformat(read_content(page).updated)


def _page_date(page: str, found: Summary) -> datetime | date | None:
    return _written(page) if page in WRITTEN_PAGES else found.changed


def _changed(found: Summary) -> datetime:
    """The last change of anything, written pages included."""
    written = max(_written(page) for page in WRITTEN_PAGES)
    at = datetime(written.year, written.month, written.day, tzinfo=UTC)
    return at if found.changed is None else max(at, found.changed)
