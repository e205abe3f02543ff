"""Searches that found nothing, by the week, for staff: what the catalogue lacks."""

from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from domain.tables import SearchQuery

MAX_QUERIES = 200
WEEK = timedelta(days=7)
# As long as queries are kept unless a setting says otherwise (domain/visits/retention).
SHOWN_DAYS = 90


class Unanswered(NamedTuple):
    """`answer`: how the last search matched: none, or partial when words of it were found elsewhere."""

    query: str
    times: int
    last: datetime
    answer: str


def week_of(day: date) -> date:
    """The Monday of its week."""
    return day - timedelta(days=day.weekday())


def weeks(today: date) -> list[date]:
    """The Mondays of the weeks that are shown, the newest first."""
    newest = week_of(today)
    return [newest - number * WEEK for number in range(SHOWN_DAYS // 7 + 1)]


def unanswered(session: Session, monday: date) -> list[Unanswered]:
    """The searches of a week whose last occurrence in it had no results, the most frequent first."""
    since = datetime.combine(monday, time(), UTC)
    in_week = (SearchQuery.searched_at >= since, SearchQuery.searched_at < since + WEEK)
    grouped = select(func.max(SearchQuery.id).label("newest"), func.count().label("times")).where(*in_week)
    counted = grouped.group_by(SearchQuery.query).subquery()
    columns = (SearchQuery.query, counted.c.times, SearchQuery.searched_at, SearchQuery.answer)
    query = select(*columns).join(counted, SearchQuery.id == counted.c.newest).where(SearchQuery.results == 0)
    rows = session.execute(query.order_by(counted.c.times.desc(), SearchQuery.query).limit(MAX_QUERIES))
    return [Unanswered._make(row) for row in rows]


def searches_by_day(session: Session, monday: date) -> list[tuple[date, int, int]]:
    """Day, searches, and those without results, of each day of a week."""
    since = datetime.combine(monday, time(), UTC)
    in_week = (SearchQuery.searched_at >= since, SearchQuery.searched_at < since + WEEK)
    day = func.date(SearchQuery.searched_at)
    query = (
        select(day, func.count(), func.sum(case((SearchQuery.results == 0, 1), else_=0))).where(*in_week).group_by(day)
    )
    counts = {str(found): (int(total), int(without or 0)) for found, total, without in session.execute(query)}
    days = [monday + timedelta(days=number) for number in range(7)]
    return [(day, *counts.get(day.isoformat(), (0, 0))) for day in days]
