"""The states of quotes, and the lock under which they change.

A quote has expired when its time is over: nothing has to happen then. One that was accepted is open again once its
order has ended without a payment.
"""

from datetime import date, datetime, timedelta
from typing import Literal

from sqlalchemy import ColumnElement, Select, and_, bindparam, case, not_, or_, select
from sqlalchemy.orm import Session

from domain.errors import NotFound
from domain.orders.refund_rules import LAST_ZONE, end_of_days
from domain.permissions import Tenant
from domain.tables import Order, SeatQuote
from domain.tables.base import UTCTime

QuoteState = Literal["open", "accepted", "expired", "withdrawn"]
# States of an order that was not paid and cannot be paid any more.
ENDED_UNPAID = ("expired", "cancelled")
UNKNOWN = "There is no such quote."
# The parameter of `state_column`.
NOW = "quotes_now"
_quotes, _orders = SeatQuote.__table__.c, Order.__table__.c
# These are for statements that join the quote's order. A parameter for each state: lists are compiled once.
_HAS_ENDED_UNPAID: ColumnElement[bool] = or_(*(_orders.state == state for state in ENDED_UNPAID))
IS_WAITING: ColumnElement[bool] = or_(_quotes.state == "open", and_(_quotes.state == "accepted", _HAS_ENDED_UNPAID))
STATE: ColumnElement[str] = case(
    (and_(IS_WAITING, _quotes.valid_until <= bindparam(NOW, type_=UTCTime())), "expired"),
    (IS_WAITING, "open"),
    else_=_quotes.state,
)


def has_state(state: str, at: datetime) -> ColumnElement[bool]:
    """Whether a quote has this state at that time."""
    if state == "open":
        return and_(IS_WAITING, _quotes.valid_until > at)
    if state == "expired":
        return and_(IS_WAITING, _quotes.valid_until <= at)
    return and_(_quotes.state == state, not_(IS_WAITING))


def valid_until(issued_at: datetime, days: int) -> datetime:
    """When a quote of so many days is over everywhere. The day on which it is made is not one of them."""
    return end_of_days(issued_at, days)


def last_day(until: datetime) -> date:
    """The last day of a quote that is valid until then."""
    return (until - LAST_ZONE - timedelta(days=1)).date()


def state_now(quote: SeatQuote, order_state: str | None, at: datetime) -> QuoteState:
    """`order_state`: of the order by which the quote was accepted last, None for none."""
    if quote.state == "withdrawn":
        return "withdrawn"
    if quote.state == "accepted" and order_state not in ENDED_UNPAID:
        return "accepted"
    return "open" if at < quote.valid_until else "expired"


def lock_quote(session: Session, tenant: Tenant | None, quote_id: int) -> tuple[SeatQuote, Order | None]:
    """A quote of the organisation, None: of any, and its order, locked in this turn with their newest values. Raises
    NotFound. Locked before: the learner who acts, then the organisation."""
    query = of_tenant(select(SeatQuote).where(SeatQuote.id == quote_id), tenant)
    quote = session.scalar(query.with_for_update().execution_options(populate_existing=True))
    if quote is None:
        raise NotFound(UNKNOWN)
    if quote.order_id is None:
        return quote, None
    order = select(Order).where(Order.id == quote.order_id).with_for_update()
    return quote, session.scalars(order.execution_options(populate_existing=True)).one()


def of_tenant(query: Select[SeatQuote], tenant: Tenant | None) -> Select[SeatQuote]:
    return query if tenant is None else query.where(SeatQuote.organisation_id == tenant.organisation_id)
