"""Lists of ranges as they are stored: taken over when they are plausible, read by hosts, and shown to staff."""

import hashlib
import json
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.crawlers.operators import crawlers, published_lists
from domain.crawlers.ranges import PublishedList, RangeList
from domain.crawlers.verification import LIST_OLD
from domain.display_text import count_text
from domain.errors import Refused
from domain.tables import CrawlerRanges


class ListChange(NamedTuple):
    """How many ranges a list had, has, and how many of them are new and gone."""

    before: int
    after: int
    added: int
    removed: int


def store_list(session: Session, name: str, found: PublishedList, at: datetime, *, is_forced: bool) -> ListChange:
    """Take a list over. Raises Refused, and changes nothing, for one that lost half of its ranges or more: rather a
    mistake of its operator than half of its crawlers gone. `is_forced`: all the same."""
    row = session.get(CrawlerRanges, name, with_for_update=True)
    before = _prefixes_of(row.prefixes) if row is not None else ()
    change = _change(before, found.prefixes)
    if change.after * 2 <= change.before and not is_forced:
        shrunk = f"{count_text(change.after)} ranges instead of {count_text(change.before)}"
        raise Refused(f"It has {shrunk}; --force takes it all the same.")
    text = json.dumps(found.prefixes)
    if row is None:
        row = CrawlerRanges(name=name)
        session.add(row)
    row.prefixes, row.digest = text, hashlib.sha256(text.encode()).hexdigest()
    row.fetched_at, row.created_at = at, found.created_at
    return change


def _prefixes_of(text: str) -> tuple[str, ...]:
    return tuple(json.loads(text))


def _change(before: Collection[str], after: Collection[str]) -> ListChange:
    old, new = set(before), set(after)
    return ListChange(len(old), len(new), len(new - old), len(old - new))


# Name of a list -> when it was fetched, and the digest of its ranges.
Versions = Mapping[str, tuple[datetime, str]]


def versions(session: Session) -> Versions:
    """By which a host sees that lists have changed."""
    rows = session.execute(select(CrawlerRanges.name, CrawlerRanges.fetched_at, CrawlerRanges.digest))
    return {name: (fetched_at, digest) for name, fetched_at, digest in rows}


def read_lists(session: Session) -> tuple[Versions, Mapping[str, RangeList]]:
    rows = session.scalars(select(CrawlerRanges)).all()
    lists = {row.name: RangeList(row.name, _prefixes_of(row.prefixes), row.fetched_at) for row in rows}
    return {row.name: (row.fetched_at, row.digest) for row in rows}, lists


class ListState(NamedTuple):
    """A published list, and what is stored of it: nothing before it was fetched."""

    name: str
    address: str
    crawlers: tuple[str, ...]
    fetched_at: datetime | None
    created_at: datetime | None
    ranges: int

    def is_old(self, at: datetime) -> bool:
        return self.fetched_at is not None and at - self.fetched_at > LIST_OLD


def all_states(session: Session) -> list[ListState]:
    """The states of all lists that operators publish, and of stored ones that no operator has any more."""
    rows = {row.name: row for row in session.scalars(select(CrawlerRanges))}
    addresses = {**dict.fromkeys(sorted(rows), ""), **published_lists()}
    return [_state(name, address, rows.get(name)) for name, address in sorted(addresses.items())]


def _state(name: str, address: str, row: CrawlerRanges | None) -> ListState:
    users = tuple(crawler.name for crawler in crawlers().values() if name in crawler.lists)
    if row is None:
        return ListState(name, address, users, None, None, 0)
    return ListState(name, address, users, row.fetched_at, row.created_at, len(_prefixes_of(row.prefixes)))
