"""What of an order may be refunded now, for the page of the order and its form."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain.money import currency
from domain.orders.lines import lines_of
from domain.orders.refund_rules import Confirmation, Kind, PurchasedLine, first_refusal
from domain.orders.refunds.chosen import delivery_left_minor
from domain.orders.refunds.purchases import purchases
from domain.orders.refunds.shares import share_of
from domain.orders.settings import Context
from domain.tables import Order, OrderLine, Refund

NOT_PAID = "This order is not paid."
# From this number of requests in a year on, a person decides.
MAX_AUTOMATIC = 3
COUNTED = timedelta(days=365)


@dataclass(frozen=True)
class RefundableLine:
    """`quantity`: units that may be requested, 0 with a `refusal`. `amounts_minor`: what 1, 2, … of them are worth.
    `confirmation`: what the learner has to confirm. `is_goods`: delivery goes back with the last of them."""

    number: int
    name: str
    kind: Kind
    quantity: int
    amounts_minor: tuple[int, ...]
    refusal: str | None
    confirmation: Confirmation | None
    is_goods: bool
    is_shipped: bool

    @property
    def amount_minor(self) -> int:
        """The amount of all units that may be requested."""
        return self.amounts_minor[-1] if self.amounts_minor else 0


@dataclass(frozen=True)
class RefundOffer:
    """`delivery_minor`: what goes back with the last of the goods. `other_goods`: units of goods that cannot be chosen.
    `automatic_minor`: up to this amount nobody has to decide, unless goods were sent; None: somebody always decides."""

    lines: tuple[RefundableLine, ...]
    delivery_minor: int
    other_goods: int
    automatic_minor: int | None

    @property
    def is_possible(self) -> bool:
        return any(line.quantity for line in self.lines)


def refundable(session: Session, order: Order, context: Context) -> tuple[RefundableLine, ...]:
    """The products of an order by number, with what may be requested of each, or why nothing."""
    return _refundable_of(session, order, lines_of(session, order.id), context)


def _refundable_of(
    session: Session, order: Order, lines: Sequence[OrderLine], context: Context
) -> tuple[RefundableLine, ...]:
    return tuple(_refundable(order, line, purchase, context) for line, purchase in purchases(session, order, lines))


def _refundable(order: Order, line: OrderLine, purchase: PurchasedLine, context: Context) -> RefundableLine:
    refusal = first_refusal(purchase, context) if order.state == "paid" else _refusal_of_state(order)
    quantity = 0 if refusal is not None else purchase.units_left
    is_goods = purchase.kind == "goods"
    # Goods that were not sent have nothing to return.
    is_in_their_hands = not is_goods or line.shipped_quantity > 0
    return RefundableLine(
        number=line.number,
        name=line.name,
        kind=purchase.kind,
        quantity=quantity,
        amounts_minor=tuple(
            share_of(line, units, currency(order.currency)).amount_minor for units in range(1, quantity + 1)
        ),
        refusal=refusal,
        confirmation=None if purchase.terms is None or not is_in_their_hands else purchase.terms.confirm,
        is_goods=is_goods,
        is_shipped=line.shipped_quantity > 0,
    )


def _refusal_of_state(order: Order) -> str:
    return "This was refunded." if order.state == "refunded" else NOT_PAID


def refund_offer(session: Session, order: Order, context: Context) -> RefundOffer:
    """What the form of the learner shows."""
    rows = lines_of(session, order.id)
    lines = _refundable_of(session, order, rows, context)
    goods_left = sum(row.quantity - row.refunded_quantity for row in rows if row.fulfilment == "shipped")
    goods_offered = sum(line.quantity for line in lines if line.is_goods)
    return RefundOffer(
        lines, delivery_left_minor(rows), goods_left - goods_offered, automatic_minor(session, order, context)
    )


def automatic_minor(session: Session, order: Order, context: Context) -> int | None:
    """Up to which amount a request is approved at once; None when a person decides about every one."""
    if order.disputed_at is not None or recent_requests(session, order.learner_id, context.at) >= MAX_AUTOMATIC:
        return None
    return context.settings.refund_auto_max_minor


def recent_requests(session: Session, learner_id: int, at: datetime) -> int:
    """The learner's requests of the last 12 months, without those that were declined."""
    query = select(func.count(Refund.id)).join(Order, Order.id == Refund.order_id)
    counted = (Order.learner_id == learner_id, Refund.reason.in_(("request", "withdrawal")), Refund.state != "declined")
    return session.scalars(query.where(*counted, Refund.requested_at > at - COUNTED)).one()
