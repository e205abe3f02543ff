"""Learners by the month or week of their first paid order, counted with the days on which they buy again.

The counts of days add up: a learner is counted on the first day of each month or week on which something was bought,
so that the sums over days are different learners. The first channel is looked up as paths of orders are, and stays once
the path of the first order is closed."""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

from sqlalchemy import case, delete, func, insert, literal, select
from sqlalchemy.orm import Session

from domain.database.database import insert_ignoring
from domain.reports import sales_lines
from domain.reports.attribution.stored_paths import StoredPath
from domain.reports.computed_days import CHUNK, UNSYNCHRONISED
from domain.reports.sales_lines import BuyerPayments, SaleLine
from domain.tables import CohortDay, FirstChannel
from domain.visits import touchpoints
from domain.visits.raw.local_days import DayRules

NOT_MEASURED = "(not measured)"


def month_of(day: date) -> date:
    return day.replace(day=1)


def week_of(day: date) -> date:
    """Monday."""
    return day - timedelta(days=day.weekday())


CALENDARS: Mapping[str, Callable[[date], date]] = {"month": month_of, "week": week_of}


class CohortKey(NamedTuple):
    """`start`: the month or week of the first paid order, by its first day; `part`: that of this day."""

    calendar: str
    channel: str
    start: date
    part: date
    currency: str


class CohortSums(NamedTuple):
    """`buyers`: learners who bought for the first time in this month or week; `new`: whose first order ever it was;
    `back`: who bought on a second day; `net_minor`: of all their orders of the day. A learner counts in the currency of
    the first order of the day."""

    buyers: int
    new: int
    back: int
    net_minor: int


class DayCohorts(NamedTuple):
    """`channels`: order -> first channel, of first orders whose channel is not stored so yet; `rows`: by their keys."""

    channels: dict[int, str]
    rows: tuple[tuple[CohortKey, CohortSums], ...]


_COLUMNS = (*CohortKey._fields, *CohortSums._fields)


class BuyerDay(NamedTuple):
    """A local day of these rules: the lines of the orders that were paid on it, by the time of payment, and the
    payments of their learners."""

    day: date
    rules: DayRules
    lines: Sequence[SaleLine]
    own: Mapping[int, BuyerPayments]


def buyers_of(session: Session, day: date, rules: DayRules, lines: Sequence[SaleLine]) -> BuyerDay:
    learners = {line.learner_id for line in lines}
    return BuyerDay(day, rules, lines, sales_lines.payments(session, learners, rules.window(day).since))


def count(session: Session, buyers: BuyerDay, paths: Mapping[int, StoredPath]) -> DayCohorts:
    """`paths`: of those of these orders whose
    first channel may be looked up; that of a closed one stays as it is stored."""
    own = buyers.own
    known = _channels(session, {payments.first.order_id for payments in own.values()})
    looked_up = {
        payments.first.order_id: learner_id
        for learner_id, payments in own.items()
        if (path := paths.get(payments.first.order_id)) is not None
        and (path.closed_at is None or payments.first.order_id not in known)
    }
    found = _look_up(session, looked_up, own)
    rows = _rows(buyers, {**known, **found})
    return DayCohorts({key: channel for key, channel in found.items() if known.get(key) != channel}, rows)


def _channels(session: Session, order_ids: Collection[int]) -> dict[int, str]:
    found: dict[int, str] = {}
    ordered = sorted(order_ids)
    for start in range(0, len(ordered), CHUNK):
        query = select(FirstChannel.order_id, FirstChannel.channel)
        rows = session.execute(query.where(FirstChannel.order_id.in_(ordered[start : start + CHUNK])))
        found |= {row.order_id: row.channel for row in rows}
    return found


def _look_up(session: Session, learners: Mapping[int, int], own: Mapping[int, BuyerPayments]) -> dict[int, str]:
    """First order -> the channel of the first session that is known to be of its learner, up to the payment."""
    first: dict[int, str] = {}
    for one in touchpoints.of_learners(session, set(learners.values())) if learners else ():
        if one.at <= own[one.learner_id].first.paid_at:
            first.setdefault(one.learner_id, one.row.channel)
    return {order_id: first.get(learner_id, NOT_MEASURED) for order_id, learner_id in learners.items()}


def _rows(buyers: BuyerDay, channels: Mapping[int, str]) -> tuple[tuple[CohortKey, CohortSums], ...]:
    day, rules, lines, own = buyers
    sums: defaultdict[CohortKey, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    seen: set[int] = set()
    for line in lines:
        payments = own[line.learner_id]
        channel = channels.get(payments.first.order_id, NOT_MEASURED)
        first = rules.day_of(payments.first.paid_at)
        before = None if payments.last_before is None else rules.day_of(payments.last_before)
        for calendar, start_of in CALENDARS.items():
            part = start_of(day)
            row = sums[CohortKey(calendar, channel, start_of(first), part, line.currency)]
            if line.learner_id not in seen:
                row[0] += before is None or before < part
                row[1] += before is None
                row[2] += before is not None and before == first
            row[3] += line.net_minor
        seen.add(line.learner_id)
    return tuple((key, CohortSums(*sums[key])) for key in sorted(sums))


def load(session: Session, day: date) -> tuple[tuple[CohortKey, CohortSums], ...]:
    rows = session.execute(select(*(getattr(CohortDay, name) for name in _COLUMNS)).where(*_of_day(day)))
    width = len(CohortKey._fields)
    return tuple(sorted((CohortKey._make(row[:width]), CohortSums._make(row[width:])) for row in rows))


def replace(session: Session, day: date, computed: DayCohorts) -> bool:
    """Whether anything differs from what was stored."""
    _replace_channels(session, computed.channels)
    if load(session, day) == computed.rows:
        return bool(computed.channels)
    session.execute(delete(CohortDay).where(*_of_day(day)), execution_options=UNSYNCHRONISED)
    table: Any = CohortDay.__table__
    values = [{"day": day, **key._asdict(), **sums._asdict()} for key, sums in computed.rows]
    for start in range(0, len(values), CHUNK):
        session.execute(insert(table), values[start : start + CHUNK])
    return True


def _replace_channels(session: Session, channels: Mapping[int, str]) -> None:
    ordered = sorted(channels)
    for start in range(0, len(ordered), CHUNK):
        part = ordered[start : start + CHUNK]
        session.execute(delete(FirstChannel).where(FirstChannel.order_id.in_(part)), execution_options=UNSYNCHRONISED)
        insert_ignoring(session, FirstChannel, [{"order_id": key, "channel": channels[key]} for key in part])


def _of_day(day: date) -> tuple[Any, ...]:
    """The calendars are named, as the key begins with them."""
    return CohortDay.calendar.in_(CALENDARS), CohortDay.day == day


class CohortPart(NamedTuple):
    """What the learners of a cohort and channel did in one month or week; the sums are over its days. `channel` "": of
    all channels."""

    channel: str
    start: date
    part: date
    sums: CohortSums


class CohortPeriod(NamedTuple):
    """The cohorts from `first` to `last`, which are first days of months or weeks; net is of one currency."""

    calendar: str
    currency: str
    first: date
    last: date


def parts(session: Session, period: CohortPeriod, *, has_channels: bool) -> list[CohortPart]:
    """What the cohorts of a period did. `has_channels` False: of all channels together, as a year has thousands of
    pairs of weeks by channel."""
    calendar, currency, first, last = period
    channel = CohortDay.channel if has_channels else literal("")
    groups = (*([channel] if has_channels else []), CohortDay.start, CohortDay.part)
    counts = [func.sum(getattr(CohortDay, name)) for name in CohortSums._fields[:-1]]
    net = func.sum(case((CohortDay.currency == currency, CohortDay.net_minor), else_=0))
    of_cohorts = (CohortDay.calendar == calendar, CohortDay.day >= first)
    starts = (CohortDay.start >= first, CohortDay.start <= last)
    columns = (channel, CohortDay.start, CohortDay.part, *counts, net)
    rows = session.execute(select(*columns).where(*of_cohorts, *starts).group_by(*groups))
    return [CohortPart(channel, start, part, CohortSums(*map(int, sums))) for channel, start, part, *sums in rows]
