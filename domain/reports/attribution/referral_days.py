"""Orders that came by the link of a student or an organisation, counted with the day of their payment.

An order counts for the last link in its path that was followed in the LINK_DAYS before it was placed. Days are computed
with their credits, from the same paths and sales, and stored in the same transaction."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Literal, NamedTuple

from sqlalchemy import delete, func, insert, select
from sqlalchemy.orm import Session

from domain.database.parts import parts_of
from domain.reports import sales_lines
from domain.reports.attribution import stored_paths
from domain.reports.attribution.stored_paths import StoredPath
from domain.reports.computed_days import CHUNK, UNSYNCHRONISED
from domain.reports.sales_lines import SaleLine
from domain.tables import ReferralDay
from domain.visits.days.channels import NONE
from domain.visits.days.paths import UNKNOWN
from domain.visits.raw.local_days import DayWindow

Referrer = Literal["student", "partner"]
REFERRERS: tuple[Referrer, ...] = ("student", "partner")
# How long a link counts.
LINK_DAYS = timedelta(days=30)
_NOBODY = (NONE, UNKNOWN)


class ReferralKey(NamedTuple):
    """`referrer`: one of REFERRERS; `key`: a student number or the name of an organisation in links."""

    referrer: str
    currency: str
    key: str


class ReferralSums(NamedTuple):
    """`orders` and `net_minor` are of orders by the links of others, the rest of those by the buyer's own link."""

    orders: int
    net_minor: int
    own_orders: int
    own_net_minor: int


# By their keys.
DayReferrals = tuple[tuple[ReferralKey, ReferralSums], ...]
_COLUMNS = (*ReferralKey._fields, *ReferralSums._fields)


def count(lines: Iterable[SaleLine], paths: Mapping[int, StoredPath]) -> DayReferrals:
    """What these orders, whose lines these are, give to each link."""
    net: Counter[int] = Counter()
    for line in lines:
        net[line.order_id] += line.net_minor
    sums: defaultdict[ReferralKey, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for order_id, net_minor in net.items():
        for key, is_own in _links(paths[order_id]) if order_id in paths else ():
            found = sums[key]
            found[2 if is_own else 0] += 1
            found[3 if is_own else 1] += net_minor
    return tuple((key, ReferralSums(*sums[key])) for key in sorted(sums))


def _links(path: StoredPath) -> Iterator[tuple[ReferralKey, bool]]:
    """The last link of each kind in a path, and whether it is the buyer's own. A path ends with the placing."""
    since = path.placed_at - LINK_DAYS
    for referrer in REFERRERS:
        followed = (step for step in reversed(path.steps) if getattr(step, referrer) not in _NOBODY)
        last = next(followed, None)
        if last is not None and last.visited_at > since:
            is_own = referrer == "student" and last.is_own
            yield ReferralKey(referrer, path.currency, getattr(last, referrer)), is_own


def count_window(session: Session, window: DayWindow) -> DayReferrals:
    """What the orders that were paid in a part of a day give to each link, by the paths that are stored."""
    lines = list(sales_lines.lines(session, window.since, window.until))
    return count(lines, stored_paths.load(session, {line.order_id for line in lines}))


def load(session: Session, day: date) -> DayReferrals:
    rows = session.execute(select(*(getattr(ReferralDay, name) for name in _COLUMNS)).where(*_of_day(day)))
    width = len(ReferralKey._fields)
    return tuple(sorted((ReferralKey._make(row[:width]), ReferralSums._make(row[width:])) for row in rows))


def replace(session: Session, day: date, rows: DayReferrals) -> bool:
    """Whether anything differs from what was stored."""
    if load(session, day) == rows:
        return False
    session.execute(delete(ReferralDay).where(*_of_day(day)), execution_options=UNSYNCHRONISED)
    table: Any = ReferralDay.__table__
    values = [{"day": day, **key._asdict(), **sums._asdict()} for key, sums in rows]
    for part in parts_of(values, CHUNK):
        session.execute(insert(table), part)
    return True


def delete_student(session: Session, student_number: str, days: Sequence[date]) -> None:
    """The days come back under "(erased)" when they are computed again."""
    is_theirs = (ReferralDay.referrer == "student", ReferralDay.key == student_number)
    for part in parts_of(days, CHUNK):
        of_days = ReferralDay.day.in_(part)
        session.execute(delete(ReferralDay).where(*is_theirs, of_days), execution_options=UNSYNCHRONISED)


def _of_day(day: date) -> tuple[Any, ...]:
    """The kinds of links are named, as the key begins with them."""
    return ReferralDay.referrer.in_(REFERRERS), ReferralDay.day == day


_SUMS = [func.sum(getattr(ReferralDay, name)) for name in ReferralSums._fields]


def by_key(session: Session, referrer: Referrer, currency: str, since: date, until: date) -> dict[str, ReferralSums]:
    """The sums of each link over these days, both included."""
    query = select(ReferralDay.key, *_SUMS).where(*_of_days(referrer, currency, since, until))
    return {key: ReferralSums(*map(int, sums)) for key, *sums in session.execute(query.group_by(ReferralDay.key))}


def by_day(session: Session, referrer: Referrer, currency: str, since: date, until: date) -> dict[date, ReferralSums]:
    query = select(ReferralDay.day, *_SUMS).where(*_of_days(referrer, currency, since, until))
    return {day: ReferralSums(*map(int, sums)) for day, *sums in session.execute(query.group_by(ReferralDay.day))}


def _of_days(referrer: Referrer, currency: str, since: date, until: date) -> tuple[Any, ...]:
    in_days = (ReferralDay.day >= since, ReferralDay.day <= until)
    return ReferralDay.referrer == referrer, *in_days, ReferralDay.currency == currency
