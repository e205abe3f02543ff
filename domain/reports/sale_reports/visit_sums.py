"""Some sums of people's visits by the values of a dimension. Products and links may be thousands, and to group their
days takes longer with each sum: a report reads those that it shows."""

from collections import defaultdict
from collections.abc import Mapping
from datetime import timedelta
from operator import add
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain.reports.visit_reports.stored_figures import Span
from domain.tables import VisitDay, VisitHour
from domain.visits.raw.local_days import SHOP


def by_key(session: Session, dimension: str, span: Span, *names: str) -> Mapping[str, tuple[int, ...]]:
    """The sums of these names, of each value of a dimension; of a day that is cut, up to then."""
    last = span.until if span.cut is None else span.until - timedelta(days=1)
    found = dict(_rows(session, VisitDay, dimension, names, (VisitDay.day >= span.since, VisitDay.day <= last)))
    if span.cut is None:
        return found
    until_cut = (VisitHour.day == span.until, VisitHour.hour < span.cut)
    total = defaultdict[str, tuple[int, ...]](lambda: (0,) * len(names), found)
    for key, sums in _rows(session, VisitHour, dimension, names, until_cut):
        total[key] = tuple(map(add, total[key], sums))
    return total


def _rows(
    session: Session, table: type[VisitDay | VisitHour], dimension: str, names: tuple[str, ...], times: tuple[Any, ...]
) -> list[tuple[str, tuple[int, ...]]]:
    sums = [func.sum(getattr(table, name)) for name in names]
    of_people = (table.site == SHOP, table.dimension == dimension, *times, table.audience == "people")
    rows = session.execute(select(table.key, *sums).where(*of_people).group_by(table.key))
    return [(key, tuple(map(int, numbers))) for key, *numbers in rows]
