"""Searches that found nothing, by the week, for staff: what the catalogue lacks."""

from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple

from sqlalchemy import Select, and_, case, func, literal, select
from sqlalchemy.orm import Session

from domain.audit import recording
from domain.audit.recording import Subject
from domain.database.database import insert_ignoring
from domain.errors import InvalidInput, NotFound
from domain.staff.recorded_events import latest_about
from domain.tables import DismissedSearch, Learner, SearchQuery

MAX_QUERIES = 200
WEEK = timedelta(days=7)
# As long as queries are kept unless a setting says otherwise (domain/visits/retention).
SHOWN_DAYS = 90
_DISMISSED_BY = latest_about("dismiss", literal("search"), DismissedSearch.id.expression, "actor_id")


class Unanswered(NamedTuple):
    """`answer`: how the last search matched: none, or partial when words of it were found elsewhere. `dismissed_at`:
    None for what shows; `dismissed_by`: the name of whoever dismissed it, "" when they have deleted their account."""

    query: str
    times: int
    last: datetime
    answer: str
    dismissed_at: datetime | None = None
    dismissed_by: str | None = None


def week_of(day: date) -> date:
    """The Monday of its week."""
    return day - timedelta(days=day.weekday())


def weeks(today: date) -> list[date]:
    """The Mondays of the weeks that are shown, the newest first."""
    newest = week_of(today)
    return [newest - number * WEEK for number in range(SHOWN_DAYS // 7 + 1)]


def unanswered(session: Session, monday: date, *, is_dismissed: bool | None = None) -> list[Unanswered]:
    """The searches of a week whose last occurrence in it had no results, the most frequent first. `is_dismissed`: those
    alone that are dismissed in this week, or are not; None: all."""
    since = datetime.combine(monday, time(), UTC)
    in_week = (SearchQuery.searched_at >= since, SearchQuery.searched_at < since + WEEK)
    grouped = select(func.max(SearchQuery.id).label("newest"), func.count().label("times")).where(*in_week)
    counted = grouped.group_by(SearchQuery.query).subquery()
    columns = (SearchQuery.query, counted.c.times, SearchQuery.searched_at, SearchQuery.answer)
    dismissal = and_(DismissedSearch.query == SearchQuery.query, DismissedSearch.since <= monday)
    query = (
        select(*columns, DismissedSearch.dismissed_at, _DISMISSED_BY)
        .join(counted, SearchQuery.id == counted.c.newest)
        .outerjoin(DismissedSearch, dismissal)
        .where(SearchQuery.results == 0)
    )
    if is_dismissed is not None:
        query = query.where(DismissedSearch.id.is_not(None) if is_dismissed else DismissedSearch.id.is_(None))
    rows = session.execute(query.order_by(counted.c.times.desc(), SearchQuery.query).limit(MAX_QUERIES)).all()
    names = _names(session, {actor_id for *_, actor_id in rows if actor_id is not None})
    return [Unanswered._make((*row, names.get(actor_id))) for *row, actor_id in rows]


def _names(session: Session, learner_ids: set[int]) -> dict[int, str]:
    people = select(Learner.id, Learner.name).where(Learner.id.in_(learner_ids))
    return {row.id: row.name for row in session.execute(people)} if learner_ids else {}


def dismiss(session: Session, query: str, monday: date, at: datetime) -> None:
    """Leave the search out of the report of this week and of later ones. For `Database.write_as`; what is dismissed
    already changes nothing. Raises InvalidInput and NotFound."""
    if monday not in weeks(at.date()):
        raise InvalidInput({"week": "Choose one of the weeks that are shown, by its Monday."})
    if query not in (row.query for row in unanswered(session, monday)):
        raise NotFound("Nobody searched for this without a result in that week.")
    insert_ignoring(session, DismissedSearch, [{"query": query, "since": monday, "dismissed_at": at}])
    row = session.scalars(_of(query).with_for_update()).one()
    if row.dismissed_at != at and row.since <= monday:
        recording.no_change(session)
        return
    row.since = min(row.since, monday)
    recording.record(session, "search.dismiss", Subject("search", row.id), after={"query": query, "since": row.since})


def bring_back(session: Session, query: str) -> None:
    """Show the search in every week again. For `Database.write_as`; what is not dismissed changes nothing."""
    row = session.scalar(_of(query).with_for_update())
    if row is None:
        recording.no_change(session)
        return
    recording.record(
        session, "search.bring_back", Subject("search", row.id), before={"query": query, "since": row.since}
    )
    session.delete(row)


def _of(query: str) -> Select[DismissedSearch]:
    return select(DismissedSearch).where(DismissedSearch.query == query)


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
