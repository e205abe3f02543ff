"""Raw visits as a day is computed from them. Only this file knows in which columns they are stored."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, String, delete, func, select, type_coerce
from sqlalchemy.orm import Session

from domain.database.database import affected_rows
from domain.database.parts import parts_of
from domain.tables import Visit
from domain.visits.raw.local_days import DayWindow, microseconds
from domain.visits.raw.visit_context import BY_SCRIPT, CRAWLER, VisitContext, signs_of

# How long after a link its target page is logged: the cookie between them lasts 2 minutes.
LINK_TIME = timedelta(minutes=5)
_CHUNK = 500
# Without it MariaDB's driver holds a whole day in memory.
_STREAMED = {"yield_per": 5_000}
_NOTHING: Mapping[str, str] = {}


class DayRow(NamedTuple):
    """A raw visit. `at`: microseconds since 1970. `session_id`: "" for a visit without a session; that of a link is the
    session of the first visit that refers to it. `learner_id` is proved."""

    event_id: str
    at: int
    session_id: str
    page: str
    url: str
    learner_id: int | None
    context: VisitContext


# Columns of the table: those of the class cost half as much again for each row.
_visits = Visit.__table__.c
_OWN: tuple[Any, ...] = (
    *(_visits.event_id, _visits.visited_at, _visits.session_id, _visits.page, _visits.url, _visits.learner_id),
)
# What VisitContext is made from, as one text: a day has few different ones, so that most rows need no more than to find
# it, and the driver hands over one value in place of twelve.
_SHARED = func.json_array(
    *(_visits.coupon_id, _visits.special_coupon, _visits.student_number, _visits.partner, _visits.campaign),
    *(_visits.referrer, _visits.visitor_class, _visits.source, _visits.agent, _visits.evidence, _visits.ip_hash),
    _visits.attributes,
)


def rows_of(session: Session, window: DayWindow) -> Iterator[DayRow]:
    """All visits of the window, in no certain order."""
    return _read(session, _sessions_of_links(session, window), *_within(window))


def _read(session: Session, links: Mapping[str, str], *conditions: ColumnElement[bool]) -> Iterator[DayRow]:
    """`links`: event id of a link -> its session."""
    contexts: dict[str, VisitContext] = {}
    query = select(*_OWN, type_coerce(_SHARED, String)).where(*conditions)
    rows: Iterable[Any] = session.execute(query, execution_options=_STREAMED)
    for event_id, at, sent_id, page, url, learner, shared in rows:
        if (context := contexts.get(shared)) is None:
            context = contexts[shared] = _context(*json.loads(shared))
        session_id = sent_id
        # A link has no session of its own: a forged reference cannot take over a visit of another session.
        if links and not sent_id and not context.signs & BY_SCRIPT and context.visitor_class != CRAWLER:
            session_id = links.get(event_id, "")
        yield DayRow(event_id, microseconds(at), session_id, page, url, learner, context)


def rows_of_sessions(session: Session, window: DayWindow, session_ids: Collection[str]) -> list[DayRow]:
    """Visits of the window in some sessions, with the visits of links that belong to them."""
    links = {event: name for event, name in _sessions_of_links(session, window).items() if name in session_ids}
    found: list[DayRow] = []
    for column, values in ((Visit.session_id, sorted(session_ids)), (Visit.event_id, sorted(links))):
        for part in parts_of(values, _CHUNK):
            found += _read(session, links, column.in_(part), *_within(window))
    # MariaDB compares ids without case; and a link that has a session of its own is among both.
    return list({row.event_id: row for row in found if row.session_id in session_ids}.values())


def _within(window: DayWindow) -> tuple[ColumnElement[bool], ...]:
    return _visits.visited_at >= window.since, _visits.visited_at < window.until


def _context(*shared: Any) -> VisitContext:
    *values, campaign, referrer, visitor_class, source, agent, evidence, ip_hash, attributes = shared
    coupon, special, student, partner = values
    parameters = _campaign(campaign) if campaign else _NOTHING
    signs = signs_of(visitor_class, evidence, is_script=source == "browser")
    about = (parameters, referrer, visitor_class, signs, agent, ip_hash, attributes)
    return VisitContext((coupon, special, student, partner), *about)


def _campaign(stored: Any) -> Mapping[str, str]:
    """SQLite hands over its text, MariaDB what it says. Nothing of what is no object."""
    values = json.loads(stored) if isinstance(stored, str) else stored
    return {str(name): str(value) for name, value in values.items()} if isinstance(values, dict) else _NOTHING


def _sessions_of_links(session: Session, window: DayWindow) -> dict[str, str]:
    """Event id of a link -> session of the first visit that refers to it, also of one just after the window."""
    after = DayWindow(window.since, window.until + LINK_TIME)
    query = (
        select(Visit.referral_id, Visit.session_id)
        .where(*_within(after), Visit.referral_id.is_not(None), Visit.session_id != "")
        # The first one is written last.
        .order_by(Visit.visited_at.desc(), Visit.event_id.desc())
    )
    rows = session.execute(query, execution_options=_STREAMED)
    return {str(event_id): session_id for event_id, session_id in rows}


class CouponVisit(NamedTuple):
    """A visit with a code, of no crawler. `at`: microseconds since 1970; `network`: the shortened address, or ""."""

    at: int
    session_id: str
    coupon: str
    network: str
    referrer: str


def coupon_visits(session: Session, window: DayWindow) -> Iterator[CouponVisit]:
    columns = (_visits.visited_at, _visits.session_id, _visits.coupon_id, _visits.address, _visits.referrer)
    is_counted = (_visits.coupon_id != "", _visits.visitor_class != CRAWLER)
    for at, *about in session.execute(
        select(*columns).where(*_within(window), *is_counted), execution_options=_STREAMED
    ):
        yield CouponVisit(microseconds(at), *about)


def urls_of(session: Session, window: DayWindow) -> Iterator[str]:
    yield from session.scalars(select(_visits.url).where(*_within(window)), execution_options=_STREAMED)


def session_ids_of(session: Session, window: DayWindow) -> set[str]:
    """Also of links within the window, and more: those with a reference just after it."""
    own = session.scalars(select(Visit.session_id).where(*_within(window), Visit.session_id != "").distinct())
    return {*own, *_sessions_of_links(session, window).values()}


def count_of(session: Session, window: DayWindow) -> int:
    return session.scalar(select(func.count()).select_from(Visit).where(*_within(window))) or 0


def first_time_from(session: Session, since: datetime) -> datetime | None:
    """When the first visit at or after `since` was."""
    return session.scalar(select(func.min(Visit.visited_at)).where(Visit.visited_at >= since))


def delete_some(session: Session, window: DayWindow, limit: int) -> int:
    """By their ids: by time, MariaDB would lock the places of late visits."""
    ids = list(session.scalars(select(Visit.id).where(*_within(window)).limit(limit)))
    return affected_rows(session, delete(Visit).where(Visit.id.in_(ids))) if ids else 0


class CheckoutVisit(NamedTuple):
    learner_id: int
    at: datetime
    event_id: str


def checkout_visits(session: Session, window: DayWindow, learner_ids: Collection[int]) -> list[CheckoutVisit]:
    """Proved visits of these learners to the checkout, in the order of their time."""
    found: list[CheckoutVisit] = []
    for part in parts_of(sorted(learner_ids), _CHUNK):
        columns = (Visit.learner_id, Visit.visited_at, Visit.event_id)
        query = select(*columns).where(Visit.learner_id.in_(part), *_within(window), Visit.page == "checkout")
        found += [CheckoutVisit(learner or 0, at, event_id) for learner, at, event_id in session.execute(query)]
    return sorted(found, key=lambda visit: (visit.at, visit.event_id))
