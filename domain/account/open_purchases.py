"""Purchases that are not over: they may keep an account from being deleted."""

from sqlalchemy import exists, or_, select
from sqlalchemy.orm import Session

from domain.bank_transfers import account
from domain.documents import erasure
from domain.orders import events, states
from domain.orders.locks import lock_row
from domain.orders.settings import Context
from domain.tables import Order, OrderLine, Payment, Refund

# The money is not back yet, or a person has to decide.
RUNNING = ("requested", "approved", "sent", "pending", "failed")
DEBIT = "Order {code} is being paid by debit, which takes some days. The account can be deleted once that is done."
TRANSFER = "Order {code} waits for a bank transfer. The account can be deleted once it is paid or cancelled."
REFUND = "A refund of order {code} is under way. The account can be deleted once it is paid or declined."
GOODS = "Goods of order {code} have not been sent yet. The account can be deleted once they are, or are refunded."


def first_refusal(session: Session, learner_id: int) -> str | None:
    """Why the learner's account cannot be deleted now, in words for them and for staff. The learner is locked."""
    code = select(Order.code).where(Order.learner_id == learner_id).order_by(Order.id).limit(1)
    has_debit = exists().where(Payment.order_id == Order.id, Payment.state == "processing")
    has_refund = exists().where(Refund.order_id == Order.id, Refund.state.in_(RUNNING))
    is_unsent = (OrderLine.fulfilment == "shipped", OrderLine.shipped_at.is_(None), OrderLine.ended_at.is_(None))
    is_owed = OrderLine.refunded_quantity + OrderLine.shipped_quantity < OrderLine.quantity
    has_goods = exists().where(OrderLine.order_id == Order.id, *is_unsent, is_owed)
    by_transfer = exists().where(Payment.order_id == Order.id, Payment.gateway == account.TRANSFER)
    cases = (
        (TRANSFER, (Order.state == "processing") & by_transfer),
        (DEBIT, or_(Order.state == "processing", has_debit)),
        (REFUND, has_refund),
        (GOODS, (Order.state == "paid") & has_goods),
    )
    for text, condition in cases:
        if (found := session.scalar(code.where(condition))) is not None:
            return text.format(code=found)
    return None


def cancel_open_order(session: Session, learner_id: int, context: Context) -> None:
    """Its page at the gateway is closed after the commit; a payment that was faster is sent back. Call it after the
    lines of the cart are locked or gone: they are locked before what the order has reserved."""
    open_id = session.scalar(select(Order.id).where(Order.open_learner_id == learner_id))
    if open_id is not None:
        order = lock_row(session, learner_id, open_id)
        states.advance(session, order, "cancel", context.at, actor=events.LEARNER, facts={}, settings=context.settings)


def erase_unpaid_orders(session: Session, learner_id: int) -> None:
    """Orders that were never paid have no documents, and need nobody's address any more."""
    query = select(Order).where(Order.learner_id == learner_id, Order.paid_at.is_(None))
    for order in session.scalars(query.with_for_update(), execution_options={"populate_existing": True}).all():
        erasure.erase_order(session, order)
