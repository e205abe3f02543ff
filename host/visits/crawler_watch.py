"""Crawlers as this process sees them: published ranges in memory, and sightings on their way to be looked at."""

import logging
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache

from aiohttp import web
from sqlalchemy.exc import SQLAlchemyError

from adapters.crawler_sightings import SightingBox
from contracts.payloads import CrawlerSighting
from domain.crawlers import stored_ranges, verification
from domain.crawlers.addresses import Address, AddressHasher, parse_address
from domain.crawlers.operators import crawlers, hosting_lists, lists_without_people
from domain.crawlers.ranges import RangeList
from domain.crawlers.stored_ranges import Versions
from domain.database.database import Database
from domain.visits.evidence_bits import EvidenceBit
from host.resilience.background_loop import BackgroundLoop
from host.resilience.woken_thread import WokenThread

log = logging.getLogger("coursefront.crawlers")

EVERY_S = 2.0
# Lists change once a week or less; hosts ask for their dates alone.
READ_LISTS_EVERY_S = 60.0
# What DNS did not answer is asked again after an hour, and so is everything else: the worker knows what is still valid.
NOTED_S = 3_600.0
MAX_NOTED = 20_000
MAX_WAITING = 10_000


class CrawlerWatch:
    """`note` is called for each recorded fetch of a crawler. `redis_url` None: there is no broker, and whoever takes
    the sightings (`take`) is in this process."""

    def __init__(self, database: Database, secret: str, redis_url: str | None, *, asks_names: bool):
        self._database, self._hasher, self._asks_names = database, AddressHasher(secret), asks_names
        self._box = None if redis_url is None else SightingBox(redis_url)
        # Crawlers ask thousands of times from one address.
        self._known_address = lru_cache(MAX_NOTED)(self._read_address)
        self._lists: Mapping[str, RangeList] = {}
        self._versions: Versions = {}
        self._read_at = float("-inf")
        # Crawler and hash -> until when it needs not be noted again; and what waits.
        self._noted: dict[tuple[str, str], float] = {}
        self._waiting: dict[tuple[str, str], CrawlerSighting] = {}
        # Address -> what the lists say of it.
        self._bits: dict[str, EvidenceBit] = {}
        self.dropped = 0
        self._thread = WokenThread("crawlers")
        self.loop = BackgroundLoop("watching crawlers", self._iterate)

    def note(self, name: str, ip: str) -> str:
        """The hash of the address from which a crawler of this name came; "" for what is no address."""
        known, now = self._known_address(ip), time.monotonic()
        if known is None:
            return ""
        (address, ip_hash), crawler = known, crawlers().get(name)
        pair = (name, ip_hash)
        if crawler is None or self._noted.get(pair, 0.0) > now:
            return ip_hash
        at = datetime.now(UTC)
        lists = [self._lists[one] for one in crawler.lists if one in self._lists]
        finding = verification.find_in_ranges(crawler, address, lists, at, asks_names=self._asks_names)
        sighting = CrawlerSighting(crawler=name, ip_hash=ip_hash, seen_at=int(at.timestamp()))
        if finding is not None:
            verdict, method = str(finding.verification), str(finding.method)
            self._add(pair, replace(sighting, verification=verdict, method=method), now)
        elif crawler.suffixes and self._asks_names:
            self._add(pair, replace(sighting, address=str(address)), now)
        return ip_hash

    def _read_address(self, ip: str) -> tuple[Address, str] | None:
        """The address and its hash."""
        address = parse_address(ip)
        return None if address is None else (address, self._hasher.hash(address))

    def evidence_of(self, ip: str) -> EvidenceBit:
        """What an address says about whoever comes from it under a browser's name."""
        bits = self._bits.get(ip)
        if bits is None:
            if len(self._bits) >= MAX_NOTED:
                self._bits.clear()
            bits = self._bits[ip] = self._bits_of(ip)
        return bits

    def _bits_of(self, ip: str) -> EvidenceBit:
        address, bits = parse_address(ip), EvidenceBit(0)
        if address is None:
            return bits
        for names, bit in ((hosting_lists(), EvidenceBit.HOSTING), (lists_without_people(), EvidenceBit.CRAWLER_RANGE)):
            if any(name in names and ranges.has(address) for name, ranges in self._lists.items()):
                bits |= bit
        return bits

    def _add(self, pair: tuple[str, str], sighting: CrawlerSighting, now: float) -> None:
        if len(self._waiting) >= MAX_WAITING:
            self.dropped += 1
            return
        if len(self._noted) >= MAX_NOTED:
            self._noted.clear()
        self._noted[pair] = now + NOTED_S
        self._waiting[pair] = sighting

    def take(self, most: int) -> list[CrawlerSighting]:
        """The oldest sightings, which then wait no more."""
        pairs = list(self._waiting)[:most]
        return [self._waiting.pop(pair) for pair in pairs]

    def give_back(self, sightings: list[CrawlerSighting]) -> None:
        """For the next look."""
        for one in sightings:
            self._waiting.setdefault((one.crawler, one.ip_hash), one)

    async def _iterate(self) -> None:
        await self._thread.turn(EVERY_S, self._work)

    def _work(self) -> None:
        if time.monotonic() - self._read_at >= READ_LISTS_EVERY_S:
            self.read_lists()
        if self._box is not None and self._waiting:
            self._send(self._box)

    def read_lists(self) -> None:
        """Read the stored ranges if they have changed. While the database does not answer, those of before hold."""
        self._read_at = time.monotonic()
        try:
            with self._database.read_session() as session:
                if stored_ranges.versions(session) != self._versions:
                    self._versions, self._lists = stored_ranges.read_lists(session)
                    self._bits = {}
        except SQLAlchemyError as error:
            log.info("ranges of crawlers are read again in a minute: %s", error)

    def _send(self, box: SightingBox) -> None:
        """What Redis does not take is forgotten: its crawler comes again."""
        sightings = self.take(MAX_WAITING)
        if refused := box.try_add(sightings):
            log.info("sightings of crawlers that Redis did not take: %d", refused)
            self.dropped += refused
            for one in sightings:
                self._noted.pop((one.crawler, one.ip_hash), None)

    async def lifespan(self, _app: web.Application) -> AsyncIterator[None]:
        self._thread.wake()
        self.loop.start()
        yield
        await self.loop.stop()
        await self._thread.finish()
        if self._box is not None:
            self._box.close()


CRAWLER_WATCH = web.AppKey("crawler_watch", CrawlerWatch)
