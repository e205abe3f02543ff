"""The rows of a day of this shop that are of coupons and orders: who came with a code in each hour, and in which
session an order began. Imported logs know neither."""

from collections.abc import Iterable, Sequence
from datetime import date
from itertools import chain
from typing import Any

from sqlalchemy import delete, func, insert, select
from sqlalchemy.orm import Session

from domain.database.parts import parts_of
from domain.tables import CouponHour, OrderSession
from domain.visits.raw.local_days import hour_of, microseconds, time_of, time_of_hour
from domain.visits.stored_days.commerce_keys import CommerceRows, CouponHourRow, OrderSessionRow
from domain.visits.stored_days.digests import Row, without_figures

_CHUNK = 1000
_UNSYNCHRONISED = {"synchronize_session": False}


def stored_coupon_hours(session: Session, *conditions: Any, for_update: bool = False) -> list[CouponHourRow]:
    columns = (CouponHour.hour, CouponHour.coupon, CouponHour.sessions, CouponHour.networks, CouponHour.referrer_hosts)
    query = select(*columns).where(*conditions)
    rows = session.execute(query.with_for_update() if for_update else query)
    return [CouponHourRow(hour_of(microseconds(row[0])), *row[1:]) for row in rows]


def _stored_order_sessions(session: Session, day: date) -> list[OrderSessionRow]:
    query = select(OrderSession.order_id, OrderSession.began_at).where(OrderSession.day == day)
    return [OrderSessionRow(order_id, microseconds(began_at)) for order_id, began_at in session.execute(query)]


def stored_of_day(session: Session, day: date) -> Iterable[Row]:
    """Rows of both tables, for the digest."""
    hours = stored_coupon_hours(session, CouponHour.day == day)
    return without_figures(chain(hours, _stored_order_sessions(session, day)))


def count_of(session: Session, day: date) -> int:
    counts = (select(func.count()).select_from(table).where(table.day == day) for table in (CouponHour, OrderSession))
    return sum(session.scalar(count) or 0 for count in counts)


def write(session: Session, day: date, rows: CommerceRows) -> None:
    """In place of those of the day."""
    _delete(session, day)
    insert_coupon_hours(session, day, rows.coupon_hours)
    values = [{"day": day, "order_id": row.order_id, "began_at": time_of(row.began_at)} for row in rows.order_sessions]
    _insert(session, OrderSession, values)


def remove_of_day(session: Session, day: date) -> list[Row]:
    """The rows that were removed."""
    if removed := list(stored_of_day(session, day)):
        _delete(session, day)
    return removed


def insert_coupon_hours(session: Session, day: date, rows: Iterable[CouponHourRow]) -> None:
    _insert(session, CouponHour, [{"day": day, **row._asdict(), "hour": time_of_hour(row.hour)} for row in rows])


def delete_coupon_hours(session: Session, *conditions: Any) -> None:
    session.execute(delete(CouponHour).where(*conditions), execution_options=_UNSYNCHRONISED)


def _delete(session: Session, day: date) -> None:
    delete_coupon_hours(session, CouponHour.day == day)
    session.execute(delete(OrderSession).where(OrderSession.day == day), execution_options=_UNSYNCHRONISED)


def _insert(session: Session, table: type[CouponHour | OrderSession], values: Sequence[dict[str, Any]]) -> None:
    for part in parts_of(values, _CHUNK):
        session.execute(insert(table), part)
