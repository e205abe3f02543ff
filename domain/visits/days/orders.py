"""Orders of sessions: an order belongs to the learner's last visit to the checkout before it, at most a day before."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.database.parts import parts_of
from domain.tables import Order, OrderLine
from domain.visits.raw import day_rows
from domain.visits.raw.local_days import DayWindow, microseconds

CHECKOUT_TIME = timedelta(hours=24)
# Ids in one statement.
_CHUNK = 500


class PlacedOrder(NamedTuple):
    order_id: int
    learner_id: int
    placed_at: datetime
    is_paid: bool


_COLUMNS = (Order.id, Order.learner_id, Order.placed_at, Order.paid_at.is_not(None))


def placed_orders(session: Session, window: DayWindow) -> dict[str, list[PlacedOrder]]:
    """Event id of a visit to the checkout within the window -> the orders that came of it."""
    later = Order.placed_at < window.until + CHECKOUT_TIME
    rows = session.execute(select(*_COLUMNS).where(Order.placed_at >= window.since, later))
    found: dict[str, list[PlacedOrder]] = {}
    for visit, order in _visits_before(session, [PlacedOrder(*row) for row in rows]):
        if window.since <= visit.at < window.until:
            found.setdefault(visit.event_id, []).append(order)
    return found


def paid_by_visit(placed: Mapping[str, Sequence[PlacedOrder]]) -> dict[str, bool]:
    """Event id of such a visit -> whether an order that came of it is paid."""
    return {event_id: any(order.is_paid for order in orders) for event_id, orders in placed.items()}


def checkout_times(session: Session, changed_since: datetime) -> set[datetime]:
    """When learners were at the checkout before the orders that were placed or paid since."""
    is_new = (Order.placed_at >= changed_since) | (Order.paid_at >= changed_since)
    rows = session.execute(select(*_COLUMNS).where(Order.changed_at >= changed_since, is_new))
    return {visit.at for visit, _ in _visits_before(session, [PlacedOrder(*row) for row in rows])}


def bought_lines(session: Session, window: DayWindow, learner_ids: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Learner, time of the order in microseconds, and product, of each line of their paid orders that were placed in
    the window."""
    columns = (Order.learner_id, Order.placed_at, OrderLine.product_id)
    placed = (Order.placed_at >= window.since, Order.placed_at < window.until, Order.paid_at.is_not(None))
    query = select(*columns).join(OrderLine, OrderLine.order_id == Order.id)
    query = query.where(*placed, OrderLine.product_id.is_not(None))
    for part in parts_of(learner_ids, _CHUNK):
        is_theirs = Order.learner_id.in_(part)
        for learner_id, placed_at, product_id in session.execute(query.where(is_theirs)):
            yield learner_id, microseconds(placed_at), product_id or 0


def _visits_before(session: Session, orders: list[PlacedOrder]) -> Iterable[tuple[day_rows.CheckoutVisit, PlacedOrder]]:
    if not orders:
        return
    times = [order.placed_at for order in orders]
    # The last visit may have been in the moment of the order itself.
    window = DayWindow(min(times) - CHECKOUT_TIME, max(times) + timedelta(microseconds=1))
    by_learner: dict[int, list[day_rows.CheckoutVisit]] = {}
    for visit in day_rows.checkout_visits(session, window, {order.learner_id for order in orders}):
        by_learner.setdefault(visit.learner_id, []).append(visit)
    for order in orders:
        earlier = [visit for visit in by_learner.get(order.learner_id, ()) if visit.at <= order.placed_at]
        if earlier and order.placed_at - earlier[-1].at <= CHECKOUT_TIME:
            yield earlier[-1], order
