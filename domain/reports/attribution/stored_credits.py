"""Reads sums of credits for the report, in one currency."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain.attribution.credits import NO_POSITION, NOT_MEASURED, SELF
from domain.database.parts import parts_of
from domain.reports.computed_days import CHUNK
from domain.reports.visit_reports.stored_figures import Span
from domain.tables import CreditDay, CreditRollup, OrderCredit, OrderPath, OrderPathTouchpoint

# Orders whose credits are read one by one: those that were paid last.
MAX_ORDERS = 10_000
# (model, amount, thousandths of orders)
ModelSums = tuple[str, int, int]


class CreditState(NamedTuple):
    """`first_day`: the first with a paid order, None while there is none. `open_paths`: of these days."""

    first_day: date | None
    built_at: datetime | None
    open_paths: int


class NamedOrder(NamedTuple):
    order_id: int
    ref: str
    paid_at: datetime


def state_of(session: Session, span: Span) -> CreditState:
    first = session.scalar(select(func.min(CreditDay.day)).where(CreditDay.dimension == "channel"))
    in_span = (CreditRollup.day >= span.since, CreditRollup.day <= span.until)
    totals = select(func.max(CreditRollup.built_at), func.sum(CreditRollup.open_paths)).where(*in_span)
    built_at, open_paths = session.execute(totals).one()
    return CreditState(first, built_at, int(open_paths or 0))


def _of_days(dimension: str, span: Span) -> tuple[Any, ...]:
    return CreditDay.dimension == dimension, CreditDay.day >= span.since, CreditDay.day <= span.until


def currencies(session: Session, span: Span) -> list[str]:
    """The currencies of these days, the one of the most orders first."""
    orders = func.sum(CreditDay.orders_milli)
    query = select(CreditDay.currency).where(*_of_days("channel", span)).group_by(CreditDay.currency)
    return list(session.scalars(query.order_by(orders.desc(), CreditDay.currency)))


_SUMS = (func.sum(CreditDay.amount_minor), func.sum(CreditDay.orders_milli))


def by_key(session: Session, dimension: str, span: Span, currency: str) -> dict[str, list[ModelSums]]:
    query = select(CreditDay.key, CreditDay.model, *_SUMS).where(
        *_of_days(dimension, span), CreditDay.currency == currency
    )
    found: dict[str, list[ModelSums]] = defaultdict(list)
    for key, model, amount, milli in session.execute(query.group_by(CreditDay.key, CreditDay.model)):
        found[key].append((model, int(amount), int(milli)))
    return dict(found)


def by_day(
    session: Session, dimension: str, span: Span, currency: str, keys: Collection[str] | None
) -> dict[date, list[ModelSums]]:
    """`keys`: of these values alone; None: of all."""
    query = select(CreditDay.day, CreditDay.model, *_SUMS).where(
        *_of_days(dimension, span), CreditDay.currency == currency
    )
    if keys is not None:
        query = query.where(CreditDay.key.in_(keys))
    found: dict[date, list[ModelSums]] = defaultdict(list)
    for day, model, amount, milli in session.execute(query.group_by(CreditDay.day, CreditDay.model)):
        found[day].append((model, int(amount), int(milli)))
    return dict(found)


def orders_of(
    session: Session, since: datetime, until: datetime, currency: str, value: tuple[str, Collection[str]] | None
) -> list[NamedOrder]:
    """The orders that were paid then, of `value` (a dimension and its keys) those with such a touchpoint; the latest
    first, at most MAX_ORDERS."""
    columns = [getattr(OrderPath, name) for name in NamedOrder._fields]
    is_paid = (OrderPath.paid_at >= since, OrderPath.paid_at < until, OrderPath.currency == currency)
    query = select(*columns).where(*is_paid)
    if value is not None:
        query = query.where(OrderPath.order_id.in_(_with_value(*value)))
    rows = session.execute(query.order_by(OrderPath.paid_at.desc(), OrderPath.order_id).limit(MAX_ORDERS))
    return [NamedOrder._make(row) for row in rows]


def _with_value(dimension: str, keys: Collection[str]) -> Any:
    if NOT_MEASURED in keys:
        return select(OrderCredit.order_id).where(OrderCredit.position == NO_POSITION)
    return select(OrderPathTouchpoint.order_id).where(*_is_value(dimension, keys))


def _is_value(dimension: str, keys: Collection[str]) -> list[Any]:
    """The condition of touchpoints by which their credits count under one of these keys."""
    if SELF in keys:
        return [OrderPathTouchpoint.is_own.is_(True)]
    own = [OrderPathTouchpoint.is_own.is_(False)] if dimension == "student" else []
    return [getattr(OrderPathTouchpoint, dimension).in_(keys), *own]


def amounts_of(
    session: Session, order_ids: Sequence[int], value: tuple[str, Collection[str]] | None
) -> dict[int, list[ModelSums]]:
    """What each order gives by each model, of `value` alone."""
    found: dict[int, list[ModelSums]] = defaultdict(list)
    for part in parts_of(order_ids, CHUNK):
        of_orders = OrderCredit.order_id.in_(part)
        query = select(OrderCredit.order_id, OrderCredit.model, func.sum(OrderCredit.amount_minor)).where(of_orders)
        if value is not None and NOT_MEASURED in value[1]:
            query = query.where(OrderCredit.position == NO_POSITION)
        elif value is not None:
            same_order = OrderPathTouchpoint.order_id == OrderCredit.order_id
            step = (same_order, OrderPathTouchpoint.position == OrderCredit.position)
            query = query.join(OrderPathTouchpoint, step[0] & step[1]).where(*_is_value(*value))
        for order_id, model, amount in session.execute(query.group_by(OrderCredit.order_id, OrderCredit.model)):
            found[order_id].append((model, int(amount), 0))
    return dict(found)
