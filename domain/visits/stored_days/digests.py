"""The digest of a day's rows: the sum of the SHA-256 of each. What rightly changes a few rows, such as an erasure,
takes them out of the sum and adds what they have become: nothing else is read, and a day that was tampered with before
keeps a digest that does not fit."""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256

from domain.crawlers.crawl_tally import CrawlDayRow
from domain.visits.stored_days.commerce_keys import CouponHourRow, OrderSessionRow
from domain.visits.stored_days.demand_keys import DemandRow
from domain.visits.stored_days.keys import DayKey, HourKey, LearnerDayRow, SessionLearnerRow, TouchpointRow
from domain.visits.stored_days.served_rows import ServedDayRow

_MODULUS = 2**256
VisitorRow = TouchpointRow | SessionLearnerRow | LearnerDayRow
CommerceRow = CouponHourRow | OrderSessionRow
# One that is all key.
PlainRow = VisitorRow | CommerceRow | DemandRow | CrawlDayRow | ServedDayRow
# A row of a day or of an hour: its key and its figures. One of a visitor, a coupon, an order, a crawler, of what
# people looked for or what was served, has all in its key.
FigureRow = tuple[DayKey | HourKey, Sequence[int]]
Row = FigureRow | tuple[PlainRow, Sequence[int]]


def _hash_of(row: Row) -> int:
    key, figures = row
    return int.from_bytes(sha256(repr((*key, *figures)).encode()).digest())


def digest_of(*tables: Iterable[Row]) -> str:
    return _text(sum(_hash_of(row) for rows in tables for row in rows))


def without_figures(rows: Iterable[PlainRow]) -> Iterator[Row]:
    return ((row, ()) for row in rows)


def changed(digest: str, removed: Iterable[Row], added: Iterable[Row] = ()) -> str:
    """The digest once these rows are removed and added."""
    return _text(int(digest, 16) - sum(map(_hash_of, removed)) + sum(map(_hash_of, added)))


def _text(number: int) -> str:
    return f"{number % _MODULUS:064x}"
