"""Whether a crawler is who it says to be: by the ranges and names that its operator publishes.

Verified: the address is in a stored range, or its name by DNS ends in a suffix of the operator and leads back to it.
Spoofed: the operator publishes a way to check it, and it does not fit. Claimed: no way is published, nobody has asked
yet, or DNS is silent. What was found is stored for each address, as a hash, and asked for again when it expires.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

from sqlalchemy import delete, select, tuple_, update
from sqlalchemy.orm import Session

from domain.crawlers.addresses import Address
from domain.crawlers.operators import Crawler
from domain.crawlers.ranges import RangeList
from domain.database.database import affected_rows, insert_ignoring
from domain.database.parts import parts_of
from domain.tables import CrawlerCheck


class CrawlerVerification(StrEnum):
    VERIFIED = "verified"
    SPOOFED = "spoofed"
    CLAIMED = "claimed"


class Method(StrEnum):
    RANGE = "range"
    NAME = "name"
    # DNS gave no answer in time, or one that says nothing.
    SILENT = "silent"


class Finding(NamedTuple):
    verification: CrawlerVerification
    method: Method


class CheckedCrawler(NamedTuple):
    crawler: str
    ip_hash: str
    finding: Finding


LASTS = {
    CrawlerVerification.VERIFIED: timedelta(days=7),
    CrawlerVerification.SPOOFED: timedelta(days=1),
    CrawlerVerification.CLAIMED: timedelta(hours=1),
}
# Operators change their lists: an address that an older one lacks may be new.
LIST_OLD = timedelta(days=30)
# Names that one address may have, and addresses of a name, that are looked at: whoever answers may send thousands.
MAX_NAMES, MAX_ADDRESSES = 3, 20
# A crawler's name, and the hash of an address.
Pair = tuple[str, str]
_CHUNK = 250
_UNREAD = {"synchronize_session": False}


class Silent(Exception):
    """DNS did not answer in time, or failed."""


class NameService(Protocol):
    """DNS. An address or name that does not exist has nothing. Both raise Silent."""

    def names_of(self, address: Address) -> Sequence[str]: ...

    def addresses_of(self, name: str, version: int) -> Collection[Address]: ...


def find_in_ranges(
    crawler: Crawler, address: Address, lists: Iterable[RangeList], at: datetime, *, asks_names: bool
) -> Finding | None:
    """What the stored lists say of an address; None when they cannot tell. `lists`: those of the crawler that are
    stored; `asks_names`: DNS is asked too, and decides about what is in no range."""
    stored = list(lists)
    if any(ranges.has(address) for ranges in stored):
        return Finding(CrawlerVerification.VERIFIED, Method.RANGE)
    is_complete = len(stored) == len(crawler.lists) > 0 and all(at - one.fetched_at <= LIST_OLD for one in stored)
    if not is_complete or (crawler.suffixes and asks_names):
        return None
    return None if crawler.suffixes else Finding(CrawlerVerification.SPOOFED, Method.RANGE)


def find_by_name(crawler: Crawler, address: Address, names: NameService) -> Finding:
    """What DNS says of an address: its name, and that the name leads back to the address."""
    try:
        own = [name for name in names.names_of(address) if has_suffix(name, crawler.suffixes)]
        leads_back = any(
            address in list(names.addresses_of(name, address.version))[:MAX_ADDRESSES] for name in own[:MAX_NAMES]
        )
    except Silent:
        return Finding(CrawlerVerification.CLAIMED, Method.SILENT)
    return Finding(CrawlerVerification.VERIFIED if leads_back else CrawlerVerification.SPOOFED, Method.NAME)


def has_suffix(name: str, suffixes: Collection[str]) -> bool:
    """Whether a name is one of these or below it: of googlebot.com is crawl-1.googlebot.com, not evilgooglebot.com."""
    labels = f".{name.rstrip('.').lower()}"
    return any(labels.endswith(f".{suffix}") for suffix in suffixes)


def verification_of(session: Session, crawler: str, ip_hash: str) -> CrawlerVerification:
    """What was last found about an address, also when it has expired since."""
    return verifications_of(session, [(crawler, ip_hash)])[crawler, ip_hash]


def verifications_of(session: Session, pairs: Collection[Pair]) -> dict[Pair, CrawlerVerification]:
    """What was last found about each of the pairs, as of `verification_of`: each pair is in the result. A day that is
    computed again in a year finds the same, as long as nothing else was found since."""
    found = dict.fromkeys(pairs, CrawlerVerification.CLAIMED)
    for part in parts_of(sorted(found), _CHUNK):
        columns = (CrawlerCheck.crawler, CrawlerCheck.ip_hash, CrawlerCheck.verification)
        key = tuple_(CrawlerCheck.crawler, CrawlerCheck.ip_hash)
        for crawler, ip_hash, verification in session.execute(select(*columns).where(key.in_(part))):
            found[crawler, ip_hash] = CrawlerVerification(verification)
    return found


def expired(session: Session, pairs: Collection[Pair], at: datetime) -> set[Pair]:
    """Return those of the pairs that nobody has asked about, or too long ago."""
    valid: set[Pair] = set()
    for part in parts_of(sorted(set(pairs)), _CHUNK):
        key = tuple_(CrawlerCheck.crawler, CrawlerCheck.ip_hash)
        query = select(CrawlerCheck.crawler, CrawlerCheck.ip_hash).where(key.in_(part), CrawlerCheck.expires_at > at)
        valid |= {(crawler, ip_hash) for crawler, ip_hash in session.execute(query)}
    return set(pairs) - valid


def store_checks(session: Session, checked: Collection[CheckedCrawler], at: datetime) -> None:
    """Store what was found, in place of what was found before. Two may store the same at a time."""
    rows = [_row(*one, at) for one in sorted(set(checked))]
    insert_ignoring(session, CrawlerCheck, rows)
    for row in rows:
        key = CrawlerCheck.ip_hash == row["ip_hash"], CrawlerCheck.crawler == row["crawler"]
        session.execute(update(CrawlerCheck).where(*key).values(row), execution_options=_UNREAD)


def _row(crawler: str, ip_hash: str, finding: Finding, at: datetime) -> dict[str, Any]:
    expires_at = at + LASTS[finding.verification]
    about = {"verification": str(finding.verification), "method": str(finding.method)}
    return {"ip_hash": ip_hash, "crawler": crawler, **about, "checked_at": at, "expires_at": expires_at}


def delete_old(session: Session, before: datetime, limit: int = 1_000) -> int:
    """Delete what was found before, some rows at a time. Raw visits that it is about must be gone."""
    query = select(CrawlerCheck.ip_hash, CrawlerCheck.crawler).where(CrawlerCheck.checked_at < before).limit(limit)
    keys = [(row.ip_hash, row.crawler) for row in session.execute(query)]
    key = tuple_(CrawlerCheck.ip_hash, CrawlerCheck.crawler)
    return sum(affected_rows(session, delete(CrawlerCheck).where(key.in_(part))) for part in parts_of(keys, _CHUNK))
