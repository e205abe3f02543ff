"""The product feed as JSON Lines and as CSV, generated once for each state of the catalogue.

Products are read and written in parts, and only compressed parts are kept: memory does not grow with their number but
for that. What changed since the last time is noted in the database (domain/catalogue/product_feed.py), so that every
process knows it, and those that are started later too.
"""

import asyncio
import time
from bisect import bisect_left
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

from aiohttp import web

from config.settings import Settings
from domain.catalogue import product_feed
from domain.catalogue.product_feed import MAX_CHANGES, FeedRow
from domain.database.database import Database
from domain.errors import InvalidInput, ServiceUnavailable
from host.feeds import feed_lines
from host.feeds.packed_lines import LinePacker, PackedLines
from host.loaders.course import iso_utc
from host.resilience.single_flight import SingleFlight
from host.site_state import SiteState

# A catalogue that changes all the time is read again only after so many times as long as the last reading took.
REST = 10
UNKNOWN_CURSOR = "This cursor is not known here any more: read the whole feed once, without `since`."


@dataclass(frozen=True)
class Feed:
    """One state of the feed. `number`: what a reader of it knows, as of domain/catalogue/product_feed.py; `last_ids`:
    the last product of each part; `changed`: when this process first had this content; `rests_until`: as of
    `time.monotonic`."""

    source: SiteState
    json_lines: PackedLines
    csv: PackedLines
    last_ids: tuple[int, ...]
    number: int
    changed: datetime
    rests_until: float


class ProductFeed:
    def __init__(self, settings: Settings, db: Database):
        self._settings, self._db = settings, db
        self._feed: Feed | None = None
        self._flight = SingleFlight[None]()

    async def current(self, site: SiteState) -> Feed:
        """The feed of the present catalogue; the last one while the database is unavailable. `site` is another one when
        the catalogue has changed, and when a sale has begun or ended."""
        feed = self._feed
        if feed is not None and (feed.source is site or time.monotonic() < feed.rests_until):
            return feed
        try:
            await self._flight.run("feed", lambda: self._generate(site))
        except ServiceUnavailable:
            if feed is None:
                raise
        assert self._feed is not None  # noqa: S101 generated just above, or before
        return self._feed

    async def changes(self, feed: Feed, since: int | datetime) -> AsyncIterator[bytes]:
        """The JSON Lines of what changed, removed products among them. Raises InvalidInput for a number that the feed
        never had; everything that is raised is raised before the first part."""
        if isinstance(since, int) and since > feed.number:
            # Another process may be ahead of this one; a restored database never was.
            if since > await self._db.read(product_feed.number):
                raise InvalidInput({"since": UNKNOWN_CURSOR})
            return _nothing()
        changed = await self._db.read_many(product_feed.changed_after, since, feed.number)
        return _changed_lines(feed, changed)

    async def _generate(self, site: SiteState) -> None:
        began, at = time.monotonic(), datetime.now(UTC)
        known = await self._db.read(product_feed.number)
        json_lines, csv, last_ids = LinePacker(), LinePacker(), list[int]()
        csv.add(feed_lines.csv_header())
        noting, after = _Noting(self._db, site.version, at), -1
        while rows := await self._db.read_many(product_feed.rows, after):
            texts = await asyncio.to_thread(self._lines, rows, at)
            await asyncio.to_thread(_pack, json_lines, csv, texts)
            await noting.add(texts.digests, after, rows[-1].id)
            after = rows[-1].id
            last_ids.append(after)
        number = await noting.finish(after)
        finished = (json_lines.finish(), csv.finish())
        previous, now = self._feed, datetime.now(UTC)
        is_unchanged = previous is not None and previous.json_lines.etag == finished[0].etag
        self._feed = Feed(
            source=site,
            json_lines=finished[0],
            csv=finished[1],
            last_ids=tuple(last_ids),
            number=known if number is None else number,
            changed=previous.changed if previous is not None and is_unchanged else now,
            rests_until=time.monotonic() + REST * (time.monotonic() - began),
        )

    def _lines(self, rows: Sequence[FeedRow], at: datetime) -> "_Texts":
        entries = [feed_lines.entry(self._settings, row, at) for row in rows]
        lines = [feed_lines.json_line(values) for values in entries]
        digests = {row.id: sha256(line).hexdigest() for row, line in zip(rows, lines, strict=True)}
        return _Texts(b"".join(lines), feed_lines.csv_lines(entries), digests)


class _Noting:
    """Notes what changed while the feed is made, MAX_CHANGES at a time: the digests of all products are never in
    memory together."""

    def __init__(self, db: Database, version: int, at: datetime):
        self._db, self._version, self._at = db, version, at
        self._changed: dict[int, str] = {}
        # None: another process has noted a newer catalogue, and nothing more is noted here.
        self._number: int | None = 0

    async def add(self, digests: Mapping[int, str], after: int, until: int | None) -> None:
        """`digests`: of all products with ids above `after` up to `until`; None is the last."""
        if self._number is None:
            return
        self._changed |= await self._db.read_many(product_feed.differences, digests, after, until)
        while len(self._changed) >= MAX_CHANGES and self._number is not None:
            await self._write(sorted(self._changed)[:MAX_CHANGES])

    async def finish(self, after: int) -> int | None:
        """The feed's number, once products above `after` that are gone are noted too."""
        await self.add({}, after, None)
        if self._number is not None:
            await self._write(sorted(self._changed))
        return self._number

    async def _write(self, ids: Sequence[int]) -> None:
        part = {id_: self._changed.pop(id_) for id_ in ids}
        self._number = await self._db.write(product_feed.record, part, self._version, self._at, datetime.now(UTC))


@dataclass(frozen=True)
class _Texts:
    """A part of the feed in both forms, and the digest of each product's line."""

    json_lines: bytes
    csv: bytes
    digests: Mapping[int, str]


def _pack(json_lines: LinePacker, csv: LinePacker, texts: _Texts) -> None:
    json_lines.add(texts.json_lines)
    csv.add(texts.csv)


async def _nothing() -> AsyncIterator[bytes]:
    return
    yield b""


async def _changed_lines(feed: Feed, changed: Mapping[int, datetime]) -> AsyncIterator[bytes]:
    """In the order of the ids, part by part of the feed."""
    ids, first = sorted(changed), 0
    for part, last in enumerate(feed.last_ids):
        end = bisect_left(ids, last + 1, first)
        if end > first:
            wanted = {id_: changed[id_] for id_ in ids[first:end]}
            yield await asyncio.to_thread(_of_part, feed.json_lines, part, wanted)
        first = end
    if first < len(ids):
        yield b"".join(_removed(id_, changed[id_]) for id_ in ids[first:])


def _of_part(packed: PackedLines, part: int, wanted: Mapping[int, datetime]) -> bytes:
    there = {_id_of(line): line for line in packed.plain(part).splitlines(keepends=True)}
    return b"".join(there.get(id_) or _removed(id_, at) for id_, at in wanted.items())


def _id_of(line: bytes) -> int:
    """Every line begins with its id, which is in digits."""
    return int(line.split(b'"', 4)[3])


def _removed(product_id: int, at: datetime) -> bytes:
    return feed_lines.json_line({"id": str(product_id), "deleted": True, "updated_at": iso_utc(at)})


PRODUCT_FEED = web.AppKey("product_feed", ProductFeed)
