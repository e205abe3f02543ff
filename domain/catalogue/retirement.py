"""The page of a retired course: shown while people still visit it, then 410.

What counts is the last activity: the retirement or the last visit of a person since. Visits are too many to search for
every page and are deleted after a while. So storing a batch of visits also writes at most one small row a day for
every retired course in it (`record_visits`), and a page looks that row up by its primary key.
"""

from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import Any, Literal
from urllib.parse import unquote_plus
from weakref import WeakKeyDictionary

from sqlalchemy import ColumnElement, Engine, case, func, or_, select, update
from sqlalchemy.orm import Session

from domain.database.database import insert_ignoring
from domain.tables import Product, RetiredPageVisit

# A page without visits for this long has lost its rank in search engines (SEO contract: 12 months).
QUIET_PERIOD = timedelta(days=365)
SLUG_LENGTH = 191
# How often the row of a course is updated at most.
RECORD_EVERY = timedelta(days=1)

# landing: shown and in the sitemap. unlisted: shown because it has a successor, not in the sitemap. gone: 410.
RetirementStatus = Literal["landing", "unlisted", "gone"]


def retirement_status(last_active_at: datetime, has_successor: bool, at: datetime) -> RetirementStatus:
    """The status of a retired course at a time; `last_active_at` as `last_activity` returns it."""
    if at - last_active_at < QUIET_PERIOD:
        return "landing"
    return "unlisted" if has_successor else "gone"


def last_activity(session: Session, product: Any) -> datetime:
    """The last visit of a person since the retirement, else the retirement. `product`: a Product or its row."""
    visited = session.scalar(select(RetiredPageVisit.last_at).where(RetiredPageVisit.product_id == product.id))
    retired: datetime = product.retired_at or product.updated_at
    return retired if visited is None else max(visited, retired)


def last_activity_column() -> ColumnElement[datetime]:
    """The same as a column, for a statement that joins Product with RetiredPageVisit (outer join)."""
    retired = func.coalesce(Product.retired_at, Product.updated_at, type_=Product.updated_at.type)
    return case((RetiredPageVisit.last_at > retired, RetiredPageVisit.last_at), else_=retired)


# Slugs that were looked up, by database and day: a busy worker looks each up once a day instead of in every batch.
_recorded: WeakKeyDictionary[Engine, tuple[date, set[str]]] = WeakKeyDictionary()
MAX_RECORDED = 50_000


def record_visits(session: Session, visits: Iterable[Mapping[str, Any]]) -> None:
    """Record which retired courses people visited. `visits`: rows for the table `visits`, `visited_at` aware.

    A course that is gone stays gone: visits to its error page do not count.
    """
    latest: dict[str, datetime] = {}
    for visit in visits:
        if visit.get("page") == "course-details" and visit.get("visitor_class") == "human":
            slug = _slug_in(visit["url"])
            if 0 < len(slug) <= SLUG_LENGTH:
                latest[slug] = max(visit["visited_at"], latest.get(slug, visit["visited_at"]))
    if latest:
        fresh = _not_recorded(session, latest)
        if fresh:
            _record(session, {slug: latest[slug] for slug in fresh})


def _slug_in(url: str) -> str:
    """The parameter `course`, or "". Its name is not decoded: no link escapes it."""
    _, name, rest = url.partition("?course=")
    if not name:
        _, name, rest = url.partition("&course=")
    return unquote_plus(rest.partition("&")[0]) if name else ""


def _not_recorded(session: Session, latest: Mapping[str, datetime]) -> set[str]:
    engine, day = session.get_bind().engine, max(latest.values()).date()
    recorded_day, recorded = _recorded.get(engine, (day, set()))
    if recorded_day != day or len(recorded) > MAX_RECORDED:
        recorded = set()
    fresh = latest.keys() - recorded
    _recorded[engine] = (day, recorded | fresh)
    return fresh


def clear_recorded() -> None:
    """For tests that reuse one database."""
    _recorded.clear()


def _record(session: Session, latest: Mapping[str, datetime]) -> None:
    """Reads before it writes: almost no visit is to a retired course, and a write would lock rows needlessly."""
    newest = max(latest.values())
    outdated = (
        select(Product.id, Product.slug)
        .outerjoin(RetiredPageVisit, RetiredPageVisit.product_id == Product.id)
        .where(Product.kind == "course", Product.slug.in_(latest), Product.status == "retired")
        .where(or_(RetiredPageVisit.last_at.is_(None), RetiredPageVisit.last_at < newest - RECORD_EVERY))
        .where(last_activity_column() > newest - QUIET_PERIOD)
    )
    visits = [(row.id, latest[row.slug]) for row in session.execute(outdated)]
    insert_ignoring(session, RetiredPageVisit, [{"product_id": key, "last_at": at} for key, at in visits])
    for key, at in visits:
        session.execute(
            update(RetiredPageVisit)
            .where(RetiredPageVisit.product_id == key, RetiredPageVisit.last_at < at)
            .values(last_at=at),
            execution_options={"synchronize_session": False},
        )
