"""The visits to the pages of retired courses, which keep them alive (retirement_rules.py).

What counts is the last activity: the retirement or the last visit of a person since. Visits are too many to search for
every page and are deleted after a while. So storing a batch of visits also writes at most one small row a day for
every retired course in it (`record_visits`), and a page looks that row up by its primary key.
"""

import logging
from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import Any
from urllib.parse import unquote_plus
from weakref import WeakKeyDictionary

from sqlalchemy import ColumnElement, Engine, and_, case, event, func, or_, select, update
from sqlalchemy.orm import Session

from domain.catalogue.retirement_rules import QUIET_PERIOD, RetiredPage
from domain.database.database import insert_ignoring
from domain.database.savepoints import error_in_savepoint
from domain.tables import Product, RetiredPageVisit

log = logging.getLogger("coursefront.retirement")

SLUG_LENGTH = 191
# How often the row of a course is updated at most.
RECORD_EVERY = timedelta(days=1)


def retired_page(session: Session, product: Any, *, has_successor: bool) -> RetiredPage:
    """What the answer of a product's page depends on. `product`: a retired Product or its row."""
    return RetiredPage(product.kind, product.retirement_choice, last_activity(session, product), has_successor)


def last_activity(session: Session, product: Any) -> datetime:
    """The last visit of a person since the retirement, else the retirement. `product`: a Product or its row."""
    visited = session.scalar(select(RetiredPageVisit.last_at).where(RetiredPageVisit.product_id == product.id))
    retired: datetime = product.retired_at or product.updated_at
    return retired if visited is None else max(visited, retired)


def last_activity_column() -> ColumnElement[datetime]:
    """`last_activity` as a column, for a statement that joins Product with RetiredPageVisit (outer join)."""
    retired = func.coalesce(Product.retired_at, Product.updated_at, type_=Product.updated_at.type)
    return case((RetiredPageVisit.last_at > retired, RetiredPageVisit.last_at), else_=retired)


def is_listed(at: datetime) -> ColumnElement[bool]:
    """Whether a retired product is in the sitemap, for such a statement: as `retirement_status` is `landing`."""
    is_visited = and_(Product.retirement_choice == "auto", last_activity_column() > at - QUIET_PERIOD)
    return and_(Product.kind == "course", or_(Product.retirement_choice == "landing", is_visited))


# Slugs that were looked up, by database and day: a busy worker looks each up once a day instead of in every batch.
_recorded: WeakKeyDictionary[Engine, tuple[date, set[str]]] = WeakKeyDictionary()
MAX_RECORDED = 50_000
# What a session will add to them when it commits: its transaction, the day, the slugs.
_UNCOMMITTED = "retirement.uncommitted"


def record_visits(session: Session, visits: Iterable[Mapping[str, Any]]) -> bool:
    """Record which retired courses people visited. `visits`: rows for the table `visits`, `visited_at` aware."""
    latest: dict[str, datetime] = {}
    for visit in visits:
        if visit.get("page") == "course-details" and visit.get("visitor_class") == "human":
            url, at = visit["url"], visit["visited_at"]
            latest[url] = max(at, latest.get(url, at))
    return record_urls(session, latest)


def record_urls(session: Session, visited_at: Mapping[str, datetime]) -> bool:
    """Record which retired courses people visited, by the URLs of courses' pages and when each was last visited.

    A course that is gone stays gone: visits to its error page do not count. Returns False when this failed, which is
    logged: it must not undo the visits that the transaction stores. Raises OperationalError when the connection is
    lost or the database has ended the transaction.
    """
    latest: dict[str, datetime] = {}
    for url, at in visited_at.items():
        slug = _slug_in(url)
        if 0 < len(slug) <= SLUG_LENGTH:
            latest[slug] = max(at, latest.get(slug, at))
    fresh = _not_recorded(session, latest) if latest else {}
    return not fresh or _try_record(session, fresh)


def _try_record(session: Session, latest: Mapping[str, datetime]) -> bool:
    error = error_in_savepoint(session, lambda: _record(session, latest))
    if error is None:
        _remember(session, latest)
        return True
    log.error("visits to %d courses' pages are not recorded as those to retired courses", len(latest), exc_info=error)
    return False


def _slug_in(url: str) -> str:
    """The parameter `course`, or "". Its name is not decoded: no link escapes it."""
    _, name, rest = url.partition("?course=")
    if not name:
        _, name, rest = url.partition("&course=")
    return unquote_plus(rest.partition("&")[0]) if name else ""


def _not_recorded(session: Session, latest: Mapping[str, datetime]) -> dict[str, datetime]:
    day, recorded = _recorded.get(session.get_bind().engine, (None, frozenset[str]()))
    if day != _day_of(latest):
        return dict(latest)
    return {slug: at for slug, at in latest.items() if slug not in recorded}


def _day_of(latest: Mapping[str, datetime]) -> date:
    return max(latest.values()).date()


def _remember(session: Session, latest: Mapping[str, datetime]) -> None:
    """Once the transaction is committed: after a rollback nothing is recorded."""
    transaction, day = session.get_transaction(), _day_of(latest)
    begun, slugs = session.info.get(_UNCOMMITTED, (None, {}))
    session.info[_UNCOMMITTED] = (
        transaction,
        {**(slugs if begun is transaction else {}), **dict.fromkeys(latest, day)},
    )


@event.listens_for(Session, "after_commit")
def _add_recorded(session: Session) -> None:
    if _UNCOMMITTED not in session.info or session.in_nested_transaction():
        return
    transaction, days = session.info.pop(_UNCOMMITTED)
    if transaction is not session.get_transaction():
        return
    engine, day = session.get_bind().engine, max(days.values())
    recorded_day, recorded = _recorded.get(engine, (day, set()))
    if recorded_day != day or len(recorded) > MAX_RECORDED:
        recorded = set()
    _recorded[engine] = (day, recorded | {slug for slug, slug_day in days.items() if slug_day == day})


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
        .where(Product.retirement_choice != "gone")
        .where(or_(Product.retirement_choice == "landing", last_activity_column() > newest - QUIET_PERIOD))
    )
    # MariaDB ignores spaces at the end when it compares: such an address, which no link has, finds a course by a slug
    # that is not in `latest`.
    visits = [(row.id, latest[row.slug]) for row in session.execute(outdated) if row.slug in latest]
    insert_ignoring(session, RetiredPageVisit, [{"product_id": key, "last_at": at} for key, at in visits])
    for key, at in visits:
        session.execute(
            update(RetiredPageVisit)
            .where(RetiredPageVisit.product_id == key, RetiredPageVisit.last_at < at)
            .values(last_at=at),
            execution_options={"synchronize_session": False},
        )
