"""All orders, as a list for staff."""

from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple

from sqlalchemy import ColumnElement, or_, select, union

from domain.database.list_page import ListSource
from domain.identity.learners import normalised_student_number
from domain.identity.names import has_enough_letters, with_name
from domain.orders.views.state_texts import listed_text
from domain.tables import Learner, Order
from domain.tables.areas.person_keys import email_key, number_key
from domain.typed_codes import plain_code

# The length that domain/orders/settings.py gives a code; no student number is as long.
CODE_LENGTH = 20
_orders, _learners = Order.__table__.c, Learner.__table__.c


class OrderRow(NamedTuple):
    """One row; amounts in minor units."""

    code: str
    state: str
    placed_at: datetime
    paid_at: datetime | None
    email: str
    total: int
    refunded: int
    disputed_at: datetime | None
    name: str
    student_number: str
    purchase_order: str

    @property
    def state_text(self) -> str:
        """Without what only the payments of an order know."""
        if self.state == "paid" and self.disputed_at is not None:
            return "Disputed"
        return listed_text(self.state, self.refunded, self.total)


def _matches(text: str) -> ColumnElement[bool]:
    """An order by its code or purchase order number, those to an email address, or those of a student number: whole, in
    either case; or those of the people whose name has words that begin so. What may be of two kinds is found by a
    union, because a database would use an index for only one side of an OR."""
    code = plain_code(text)
    if "@" in code:
        return _orders.email_key == email_key(code)
    # MariaDB compares a code, which is ASCII, with nothing else.
    if len(code) == CODE_LENGTH and code.isascii():
        return _with_number(text, _orders.code == code.upper())
    is_theirs = _learners.student_number == normalised_student_number(text)
    if has_enough_letters(text):
        is_theirs = or_(is_theirs, with_name(text))
    return _with_number(text, _orders.learner_id.in_(select(_learners.id).where(is_theirs)))


def _with_number(text: str, other: ColumnElement[bool]) -> ColumnElement[bool]:
    """Orders with a purchase order number, and those that fulfil the other condition."""
    numbered = select(_orders.id).where(_orders.purchase_order_key == number_key(text))
    found = union(numbered, select(_orders.id).where(other)).subquery()
    return _orders.id.in_(select(found.c.id))


def _day(text: str) -> datetime:
    return datetime.combine(date.fromisoformat(text), time(), UTC)


_buyers = Learner.__table__.alias("buyers")
ORDERS = ListSource(
    rows=select(
        _orders.code,
        _orders.state,
        _orders.placed_at,
        _orders.paid_at,
        _orders.email,
        _orders.total_minor,
        _orders.refunded_minor,
        _orders.disputed_at,
        _buyers.c.name,
        _buyers.c.student_number,
        _orders.purchase_order,
    ).outerjoin_from(Order.__table__, _buyers, _buyers.c.id == _orders.learner_id),
    counted=select(_orders.id),
    make=OrderRow._make,
    key=_orders.id,
    sorts={"placed": _orders.placed_at},
    filters={
        "q": _matches,
        "state": _orders.state.__eq__,
        "since": lambda text: _orders.placed_at >= _day(text),
        "until": lambda text: _orders.placed_at < _day(text) + timedelta(days=1),
    },
)
