"""Takes a learner out of paths of orders: what these are credited to stays."""

from collections.abc import Collection
from datetime import date, datetime, timedelta

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from domain.attribution.rules import AttributionRules
from domain.attribution.weights import HOUR
from domain.database.parts import parts_of
from domain.reports import sales_lines
from domain.reports.attribution import order_paths, referral_days, stored_paths
from domain.reports.attribution.credit_storage import ROLLUPS
from domain.reports.attribution.order_paths import PathOrder
from domain.reports.attribution.stored_paths import PathStep, StoredPath, digest_of
from domain.reports.computed_days import CHUNK, UNSYNCHRONISED
from domain.tables import CreditDay, Learner, OrderPathTouchpoint
from domain.visits.erased import ERASED

_DAY = timedelta(days=1)


def erase(session: Session, learner: Learner, at: datetime) -> None:
    """Before the learner's touchpoints are erased. Their own paths are closed, and name no visit any more; their
    student number, in paths of whoever followed their links, becomes "(erased)". Whoever computes one of these days now
    stores nothing. An order of the last minute, which has no path yet, gets one of the usual window."""
    orders = order_paths.orders_of(sales_lines.of_learner(session, learner.id))
    others = _orders_by_link(session, learner.student_number)
    found = stored_paths.load(session, {*orders, *others})
    days = _days_around([*(path.paid_at for path in found.values()), *(order.paid_at for order in orders.values())])
    # Days are locked before paths, as by whoever stores a day.
    ROLLUPS.mark_dirty(session, days, at, forbid=True)
    found = stored_paths.load(session, {*orders, *others}, for_update=True)
    new = [order for order_id, order in orders.items() if order_id not in found]
    found |= order_paths.choose(session, new, {}, AttributionRules(), {})
    erased = [_erased(path, learner.student_number, orders.get(path.order_id), at) for path in found.values()]
    stored_paths.replace(session, erased)
    referral_days.delete_student(session, learner.student_number, days)
    for part in parts_of(days, CHUNK):
        is_theirs = (CreditDay.dimension == "student", CreditDay.key == learner.student_number)
        of_days = CreditDay.day.in_(part)
        session.execute(delete(CreditDay).where(*is_theirs, of_days), execution_options=UNSYNCHRONISED)


def _orders_by_link(session: Session, student_number: str) -> set[int]:
    by_link = select(OrderPathTouchpoint.order_id).where(OrderPathTouchpoint.student == student_number)
    return set(session.scalars(by_link))


def _days_around(times: Collection[datetime]) -> list[date]:
    """Each zone has a time in a day that is at most one away from that of UTC."""
    return sorted({time.date() + distance for time in times for distance in (-_DAY, 0 * _DAY, _DAY)})


def _erased(path: StoredPath, student_number: str, own: PathOrder | None, at: datetime) -> StoredPath:
    """`own`: the order, if the learner is the buyer."""
    steps = tuple(_without_number(step, student_number) for step in path.steps)
    if own is not None:
        steps = tuple(_without_visit(step, path) for step in steps)
        path = path._replace(closed_at=path.closed_at or at)
    return path._replace(steps=steps, digest=digest_of(steps))


def _without_visit(step: PathStep, path: StoredPath) -> PathStep:
    """How many whole hours it was before the order stays: weights need it."""
    hours = (path.placed_at - step.visited_at) // HOUR
    return step._replace(event_id="", visited_at=path.placed_at - hours * HOUR, landing="", referrer="")


def _without_number(step: PathStep, student_number: str) -> PathStep:
    return step._replace(student=ERASED) if step.student == student_number else step
