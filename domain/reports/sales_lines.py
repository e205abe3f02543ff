"""Lines of paid orders as reports count them. Only this module of the reports reads the tables of orders.

A line counts when its order is paid, in the order's currency. A refund counts when its credit note is issued, as in the
books: the gateway has accepted it, and whatever becomes of the transfer, the shop owes the money from then on. Refunds
of payments that bought nothing belong to no line (docs/decisions/0139).
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Row, Select, case, func, select
from sqlalchemy.orm import Session, aliased

from domain.coupons.queries import normalised
from domain.database.parts import parts_of
from domain.pricing.order_columns import OFFERS
from domain.tables import Document, Learner, Order, OrderLine, Product, Refund, RefundLine
from domain.visits.erased import ERASED

# An order is paid in these states: one that was refunded has been.
PAID_STATES = ("paid", "refunded")
ORDER_CODE = Order.code
# Ids in one statement.
_CHUNK = 500


@dataclass(frozen=True)
class SaleLine:
    """Amounts in minor units of `currency`. `gross_minor`: what was paid with tax, and the discount by codes and by
    prices of contracts; a sale price is no discount. `refunded_net_minor` and `refunded_tax_minor`: of all credit notes
    so far. Codes are folded, "" where none lowered the line. `category_id`: of the product today. `student_number`: of
    the buyer, "(erased)" after the end of the account."""

    order_id: int
    line_id: int
    kind: str
    learner_id: int
    student_number: str
    product_id: int | None
    category_id: int | None
    quantity: int
    currency: str
    placed_at: datetime
    paid_at: datetime
    gross_minor: int
    discount_minor: int
    tax_minor: int
    refunded_net_minor: int
    refunded_tax_minor: int
    line_code: str
    cart_code: str

    @property
    def net_minor(self) -> int:
        """What is left of it for the shop."""
        return self.gross_minor - self.discount_minor - self.tax_minor - self.refunded_net_minor

    @property
    def units(self) -> int:
        """What is sold by the piece: products and seats."""
        return 0 if self.kind == "delivery" else self.quantity


@dataclass(frozen=True)
class ReturnedMoney:
    """What a credit note gives back of a line; below 0 where money of a dispute came back to the shop."""

    line: SaleLine
    returned_at: datetime
    net_minor: int
    tax_minor: int


def lines(session: Session, paid_from: datetime, paid_until: datetime) -> Iterator[SaleLine]:
    """The lines of the orders that were paid from `paid_from` to before `paid_until`: every kind of line, also of
    orders of nothing; by the time of payment, order and number. In a session that reads one state."""
    is_paid = (Order.state.in_(PAID_STATES), Order.paid_at >= paid_from, Order.paid_at < paid_until)
    ids = session.scalars(select(Order.id).where(*is_paid).order_by(Order.paid_at, Order.id)).all()
    for part in parts_of(ids, _CHUNK):
        yield from _lines_of(session, part)


def lines_of_orders(session: Session, order_ids: Sequence[int]) -> Iterator[SaleLine]:
    """The lines of these orders as far as they are paid, however long ago."""
    for part in parts_of(order_ids, _CHUNK):
        is_paid = (Order.id.in_(part), Order.state.in_(PAID_STATES), Order.paid_at.is_not(None))
        yield from _lines_of(session, session.scalars(select(Order.id).where(*is_paid).order_by(Order.id)).all())


def returns(session: Session, since: datetime, until: datetime) -> Iterator[ReturnedMoney]:
    """What went back from `since` to before `until` of lines of orders, whenever these were paid."""
    columns = (Document.issued_at, Document.order_id, RefundLine.line_id, RefundLine.amount_minor, RefundLine.tax_minor)
    joined = select(*columns).join(RefundLine, RefundLine.refund_id == Document.refund_id)
    in_time = (Document.issued_at >= since, Document.issued_at < until)
    rows = session.execute(joined.where(*in_time).order_by(Document.id, RefundLine.line_id)).all()
    orders = list(dict.fromkeys(row.order_id for row in rows))
    known = {line.line_id: line for part in parts_of(orders, _CHUNK) for line in _lines_of(session, part)}
    for row in rows:
        net_minor = row.amount_minor - row.tax_minor
        yield ReturnedMoney(known[row.line_id], row.issued_at, net_minor, row.tax_minor)


def changed_since(session: Session, at: datetime | None) -> set[datetime]:
    """The times whose days have other sales or returns than before `at`: when the orders that have changed since were
    paid, and when their credit notes were issued. None: those of all orders. Each change of what an order has cost
    appends to its timeline, and so is a later time in `orders.changed_at`."""
    is_paid = [Order.state.in_(PAID_STATES), Order.paid_at.is_not(None)]
    has_changed = [] if at is None else [Order.changed_at >= at]
    paid = session.scalars(select(Order.paid_at).where(*is_paid, *has_changed))
    times = {time for time in paid if time is not None}
    if at is not None:
        times |= _later_payments(session, at)
    notes = select(Document.issued_at).join(Order, Order.id == Document.order_id)
    return times | set(session.scalars(notes.where(Document.refund_id.is_not(None), *has_changed)))


def _later_payments(session: Session, at: datetime) -> set[datetime]:
    """When the buyers of orders that have changed since `at` paid for later ones: whether one of these was the first
    may be another answer now."""
    later = aliased(Order)
    is_later = (later.learner_id == Order.learner_id) & (later.paid_at > Order.paid_at)
    # The state is looked at here: SQLite would read all paid orders for each that has changed.
    query = select(later.state, later.paid_at).join(Order, is_later).where(Order.changed_at >= at)
    return {paid_at for state, paid_at in session.execute(query) if state in PAID_STATES and paid_at is not None}


def times_of_learner(session: Session, learner_id: int) -> set[datetime]:
    """The times whose days have sales or returns of a learner's orders."""
    of_learner = Order.learner_id == learner_id
    paid = session.scalars(select(Order.paid_at).where(of_learner, Order.paid_at.is_not(None)))
    notes = select(Document.issued_at).join(Order, Order.id == Document.order_id)
    return {time for time in paid if time is not None} | set(session.scalars(notes.where(of_learner)))


def of_learner(session: Session, learner_id: int) -> list[SaleLine]:
    """The lines of a learner's paid orders."""
    is_paid = (Order.learner_id == learner_id, Order.state.in_(PAID_STATES), Order.paid_at.is_not(None))
    ids = session.scalars(select(Order.id).where(*is_paid).order_by(Order.paid_at, Order.id)).all()
    return [line for part in parts_of(ids, _CHUNK) for line in _lines_of(session, part)]


def of_order(session: Session, order_id: int) -> list[SaleLine]:
    """[] for an order that was not paid."""
    is_paid = (Order.id == order_id, Order.state.in_(PAID_STATES), Order.paid_at.is_not(None))
    return list(_lines_of(session, session.scalars(select(Order.id).where(*is_paid)).all()))


def order_of_code(session: Session, code: str) -> int | None:
    """The number of an order, as it is found by people who know its code."""
    return session.scalar(select(Order.id).where(Order.code == code.strip().upper()))


def of_buyer(query: Select[Any], order_id: Any, learner_id: int) -> Select[Any]:
    """A query with a column of orders, of one learner's orders alone; ORDER_CODE is that of each."""
    return query.join(Order, Order.id == order_id).where(Order.learner_id == learner_id)


def names_of_lines(session: Session, order_id: int) -> dict[int, str]:
    """What was sold, by the line."""
    rows = session.execute(select(OrderLine.id, OrderLine.name).where(OrderLine.order_id == order_id))
    return {row.id: row.name for row in rows}


class PaidOrder(NamedTuple):
    """`student_number`: the buyer's own. `net_minor`: what is left of all its lines for the shop."""

    order_id: int
    learner_id: int
    student_number: str
    currency: str
    placed_at: datetime
    paid_at: datetime
    net_minor: int


def paid_orders(
    session: Session, paid_from: datetime, paid_until: datetime, learner_ids: Collection[int] | None = None
) -> Iterator[PaidOrder]:
    """The orders that were paid from `paid_from` to before `paid_until`, by the time of payment; `learner_ids`: of
    these alone. Their lines are not read: an order has the sums of all of them."""
    in_time = (Order.paid_at >= paid_from, Order.paid_at < paid_until)
    if learner_ids is None:
        yield from _paid(session, (Order.state.in_(PAID_STATES), *in_time))
        return
    for part in parts_of(sorted(learner_ids), _CHUNK):
        # Without their state: SQLite would read all orders of these days for each part.
        yield from _paid(session, (Order.learner_id.in_(part), *in_time))


def _paid(session: Session, conditions: Sequence[Any]) -> Iterator[PaidOrder]:
    net = func.sum(RefundLine.amount_minor - RefundLine.tax_minor)
    credit = select(Refund.order_id, net).join(RefundLine, RefundLine.refund_id == Refund.id)
    credit = credit.join(Document, Document.refund_id == Refund.id).join(Order, Order.id == Refund.order_id)
    rows = session.execute(credit.where(*conditions).group_by(Refund.order_id))
    credited = {order_id: int(amount) for order_id, amount in rows}
    columns = (Order.id, Order.learner_id, Learner.student_number, Order.currency, Order.placed_at, Order.paid_at)
    amounts = ((Order.total_minor - Order.tax_minor).label("sold_minor"), Learner.issuer, Order.state)
    query = select(*columns, *amounts).join(Learner, Learner.id == Order.learner_id).where(*conditions)
    for row in session.execute(query.order_by(Order.paid_at, Order.id)):
        order_id, learner_id, number, currency, placed_at, paid_at, sold_minor, issuer, state = row
        if state in PAID_STATES and paid_at is not None:
            own = number if issuer else ERASED
            net_minor = sold_minor - credited.get(order_id, 0)
            yield PaidOrder(order_id, learner_id, own, currency, placed_at, paid_at, net_minor)


class PaymentTime(NamedTuple):
    order_id: int
    paid_at: datetime


class AgentOrder(NamedTuple):
    """What a paid order has of the cart links of a program, `agent`. `net_minor`: what is left of these lines for the
    shop."""

    agent: str
    order_id: int
    paid_at: datetime
    net_minor: int


def agent_orders(session: Session, currency: str, paid_from: datetime, paid_until: datetime) -> list[AgentOrder]:
    """Each order once for every program whose links brought lines of it, by the time of payment."""
    of_program = (OrderLine.agent > "", Order.currency == currency, Order.state.in_(PAID_STATES))
    in_time = (Order.paid_at >= paid_from, Order.paid_at < paid_until)
    amount = func.sum(RefundLine.amount_minor - RefundLine.tax_minor)
    credit = select(RefundLine.line_id, amount).join(Document, Document.refund_id == RefundLine.refund_id)
    credit = credit.join(OrderLine, OrderLine.id == RefundLine.line_id).join(Order, Order.id == OrderLine.order_id)
    rows = session.execute(credit.where(*of_program, *in_time).group_by(RefundLine.line_id))
    credited = {line_id: int(amount) for line_id, amount in rows}
    sold = (OrderLine.total_minor - OrderLine.tax_minor).label("sold_minor")
    query = select(OrderLine.agent, OrderLine.order_id, Order.paid_at, OrderLine.id, sold)
    query = query.join(Order, Order.id == OrderLine.order_id).where(*of_program, *in_time)
    found: dict[tuple[str, int], AgentOrder] = {}
    for agent, order_id, paid_at, line_id, sold_minor in session.execute(query.order_by(Order.paid_at, OrderLine.id)):
        if paid_at is not None:
            before = found.get((agent, order_id), AgentOrder(agent, order_id, paid_at, 0))
            net_minor = before.net_minor + sold_minor - credited.get(line_id, 0)
            found[agent, order_id] = before._replace(net_minor=net_minor)
    return list(found.values())


class BuyerPayments(NamedTuple):
    """The first payment of a learner, and the time of the last one before a day."""

    first: PaymentTime
    last_before: datetime | None


def payments(session: Session, learner_ids: Collection[int], day_begins: datetime) -> dict[int, BuyerPayments]:
    """What a day needs to know of the payments of its learners, by the learner. All of them are not read: a learner
    with many orders would have them read again for each day on which they buy."""
    found: dict[int, BuyerPayments] = {}
    # The state is looked at here: SQLite would read all paid orders for each part.
    paid_at = case((Order.state.in_(PAID_STATES), Order.paid_at))
    last_before = func.max(case((Order.paid_at < day_begins, paid_at)))
    for part in parts_of(sorted(learner_ids), _CHUNK):
        query = select(Order.learner_id, func.min(paid_at).label("first_at"), last_before.label("last_before"))
        times = query.where(Order.learner_id.in_(part)).group_by(Order.learner_id).subquery()
        is_first = (Order.learner_id == times.c.learner_id) & (paid_at == times.c.first_at)
        rows = session.execute(
            select(Order.learner_id, func.min(Order.id), times.c.first_at, times.c.last_before)
            .join(times, is_first)
            .where(Order.learner_id.in_(part))
            .group_by(Order.learner_id, times.c.first_at, times.c.last_before)
        )
        for learner_id, order_id, first_at, last_at in rows:
            found[learner_id] = BuyerPayments(PaymentTime(order_id, first_at), last_at)
    return found


# Without the quote of the order, which is long.
_COLUMNS = (
    OrderLine.order_id,
    OrderLine.id.label("line_id"),
    OrderLine.kind,
    OrderLine.product_id,
    OrderLine.quantity,
    OrderLine.total_minor,
    OrderLine.tax_minor,
    OrderLine.steps,
    OrderLine.line_code,
    OrderLine.cart_code,
    Order.learner_id,
    Order.currency,
    Order.placed_at,
    Order.paid_at,
    Learner.issuer,
    Learner.student_number,
    Product.category_id,
)


def _lines_of(session: Session, order_ids: Sequence[int]) -> Iterator[SaleLine]:
    """The lines of these orders, the orders as they are given."""
    credited = _credited(session, order_ids)
    query = select(*_COLUMNS).join(Order, Order.id == OrderLine.order_id).join(Learner, Learner.id == Order.learner_id)
    query = query.outerjoin(Product, Product.id == OrderLine.product_id).where(Order.id.in_(order_ids))
    by_order: dict[int, list[SaleLine]] = {}
    for row in session.execute(query.order_by(OrderLine.number)):
        sale = _sale_line(row, *credited.get(row.line_id, (0, 0)))
        by_order.setdefault(row.order_id, []).append(sale)
    for order_id in order_ids:
        yield from by_order.get(order_id, ())


def _sale_line(row: Row[Any], refunded: int, refunded_tax: int) -> SaleLine:
    discount = -sum(step["change_minor"] for step in row.steps if step["step"] in OFFERS)
    return SaleLine(
        order_id=row.order_id,
        line_id=row.line_id,
        kind=row.kind,
        learner_id=row.learner_id,
        # No provider has an empty issuer (domain/account/anonymise.py).
        student_number=row.student_number if row.issuer else ERASED,
        product_id=row.product_id,
        category_id=row.category_id,
        quantity=row.quantity,
        currency=row.currency,
        placed_at=row.placed_at,
        paid_at=row.paid_at,
        gross_minor=row.total_minor + discount,
        discount_minor=discount,
        tax_minor=row.tax_minor,
        refunded_net_minor=refunded - refunded_tax,
        refunded_tax_minor=refunded_tax,
        line_code=normalised(row.line_code),
        cart_code=normalised(row.cart_code),
    )


def _credited(session: Session, order_ids: Sequence[int]) -> dict[int, tuple[int, int]]:
    """Line -> amount and tax of its credit notes."""
    sums = (func.sum(RefundLine.amount_minor), func.sum(RefundLine.tax_minor))
    query = select(RefundLine.line_id, *sums).join(Refund, Refund.id == RefundLine.refund_id)
    noted = query.join(Document, Document.refund_id == Refund.id).where(Refund.order_id.in_(order_ids))
    rows = session.execute(noted.group_by(RefundLine.line_id))
    return {line_id: (int(amount), int(tax)) for line_id, amount, tax in rows}
