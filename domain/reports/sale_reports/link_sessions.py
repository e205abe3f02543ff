"""Sessions of people by the links that they came by. No other figure of visits is read: links may be thousands."""

from collections import Counter
from collections.abc import Mapping
from datetime import timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain.reports.visit_reports.stored_figures import Span
from domain.tables import VisitDay, VisitHour
from domain.visits.raw.local_days import SHOP


def by_key(session: Session, dimension: str, span: Span) -> Mapping[str, int]:
    """The sessions of each value of a dimension; of a day that is cut, up to then."""
    last = span.until if span.cut is None else span.until - timedelta(days=1)
    is_day = (VisitDay.day >= span.since, VisitDay.day <= last, VisitDay.audience == "people")
    of_days = (VisitDay.site == SHOP, VisitDay.dimension == dimension, *is_day)
    query = select(VisitDay.key, func.sum(VisitDay.sessions)).where(*of_days).group_by(VisitDay.key)
    found = {key: int(sessions) for key, sessions in session.execute(query)}
    if span.cut is None:
        return found
    is_hour = (VisitHour.day == span.until, VisitHour.hour < span.cut, VisitHour.audience == "people")
    of_hours = (VisitHour.site == SHOP, VisitHour.dimension == dimension, *is_hour)
    hours = select(VisitHour.key, func.sum(VisitHour.sessions)).where(*of_hours).group_by(VisitHour.key)
    return Counter(found) + Counter({key: int(sessions) for key, sessions in session.execute(hours)})
