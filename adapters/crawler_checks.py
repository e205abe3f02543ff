"""Finds out about addresses of crawlers that hosts have seen, and stores it (domain/crawlers): for workers, and for a
host without a broker."""

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial

from sqlalchemy.exc import SQLAlchemyError

from contracts.payloads import CrawlerSighting
from domain.crawlers import verification
from domain.crawlers.addresses import parse_address
from domain.crawlers.operators import crawlers
from domain.crawlers.verification import CheckedCrawler, CrawlerVerification, Finding, Method, NameService
from domain.database.database import Database

log = logging.getLogger("coursefront.crawlers")

# One run asks DNS for so long; a question that has begun takes at most 2 s more, and a task may take 20 s.
RUN_S = 8.0
# How many sightings one run takes.
BATCH = 500
# No older sighting is handed back: with the time to live in Redis (adapters/crawler_sightings.py), whole addresses are
# deleted within a day.
HANDED_BACK_UNTIL_S = 3_600
# Findings outlive the visits that they are about: a day of visits is computed with one of up to a week before.
CHECKS_OUTLIVE = timedelta(days=8)


def look_at(
    database: Database,
    sightings: Iterable[CrawlerSighting],
    names: NameService | None,
    clock: Callable[[], float] = time.monotonic,
) -> list[CrawlerSighting]:
    """Store what is found out about sightings whose finding is missing or has expired, and what ranges say otherwise
    than before. `names` None: DNS is not asked. Returns those for which the time was too short. Raises
    SQLAlchemyError."""
    by_pair = {(one.crawler, one.ip_hash): one for one in sightings}
    by_ranges = {pair: one.verification for pair, one in by_pair.items() if one.verification}
    with database.read_session() as session:
        due = verification.expired(session, [*by_pair], datetime.now(UTC))
        known = verification.verifications_of(session, [*by_ranges])
    due |= {pair for pair, found in by_ranges.items() if found != known[pair]}
    until, checked, left = clock() + RUN_S, list[CheckedCrawler](), list[CrawlerSighting]()
    # In the order in which they came: whoever floods the site under one name must not delay those after it.
    for pair, one in by_pair.items():
        if pair not in due:
            continue
        if one.address and names is not None and clock() >= until:
            left.append(one)
        elif (finding := _finding(one, names)) is not None:
            checked.append(CheckedCrawler(*pair, finding))
    if checked:
        database.write_sync(verification.store_checks, checked, datetime.now(UTC))
        log.info("addresses of crawlers looked at: %d", len(checked))
    return left


def _finding(sighting: CrawlerSighting, names: NameService | None) -> Finding | None:
    """None for a crawler that a host of another build knows, and for what only DNS could say while it is not asked."""
    crawler = crawlers().get(sighting.crawler)
    if crawler is None:
        return None
    try:
        if sighting.verification:
            return Finding(CrawlerVerification(sighting.verification), Method(sighting.method))
    except ValueError:
        return None
    address = parse_address(sighting.address)
    if names is None or address is None or not crawler.suffixes:
        return None
    return verification.find_by_name(crawler, address, names)


def may_be_handed_back(sightings: Sequence[CrawlerSighting], now: float) -> list[CrawlerSighting]:
    """Return those that are young enough: what is handed back lives for another while."""
    return [one for one in sightings if now - one.seen_at < HANDED_BACK_UNTIL_S]


def delete_old(database: Database, visits_keep_days: int, at: datetime) -> None:
    """Findings about visits that are deleted; for ever as visits are with 0 days."""
    if not visits_keep_days:
        return
    before = at - timedelta(days=visits_keep_days) - CHECKS_OUTLIVE
    try:
        if count := database.write_sync(partial(verification.delete_old, before=before)):
            log.info("old findings about crawlers deleted: %d", count)
    except SQLAlchemyError as error:
        log.warning("old findings about crawlers are deleted by the next run: %s", error)
