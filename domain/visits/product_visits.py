"""How often people visited the page of one product, by month: from the computed days."""

from collections import Counter
from datetime import date, timedelta
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain.tables import VisitDay, VisitRollup
from domain.visits.raw.local_days import SHOP

MONTHS = 12


class MonthVisits(NamedTuple):
    """`visits` None: no day of the month was computed."""

    month: str
    visits: int | None


def months_of(session: Session, product_id: int, today: date) -> list[MonthVisits]:
    """The last 12 months, the running one included, the oldest first. A day keeps the visits of its most visited
    products alone (ROLLUP_KEYS)."""
    days = _days(today)
    is_its = (VisitDay.site == SHOP, VisitDay.dimension == "product", VisitDay.key == str(product_id))
    # Each day is found by its whole key: a range of days would read all products of these.
    of_people = (VisitDay.audience == "people", VisitDay.day.in_(days))
    visits: Counter[str] = Counter()
    for day, count in session.execute(select(VisitDay.day, VisitDay.visits).where(*is_its, *of_people)):
        visits[_month(day)] += count
    is_computed = (VisitRollup.site == SHOP, VisitRollup.built_at.is_not(None))
    since = session.scalar(select(func.min(VisitRollup.day)).where(*is_computed))
    months = dict.fromkeys(map(_month, days))
    is_known = {month: since is not None and month >= _month(since) for month in months}
    return [MonthVisits(month, visits[month] if is_known[month] else None) for month in months]


def _days(today: date) -> list[date]:
    """From the first of the oldest month to today."""
    ordinal = today.year * 12 + today.month - MONTHS
    first = date(ordinal // 12, ordinal % 12 + 1, 1)
    return [first + timedelta(days=number) for number in range((today - first).days + 1)]


def _month(day: date) -> str:
    return f"{day:%Y-%m}"
