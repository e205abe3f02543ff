"""What happens to a demo order after it was placed, by the functions that a real one runs through."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.orders import events, expiry, shipping
from domain.orders.expiry import DueOrder
from domain.orders.locks import OrderRef
from domain.orders.refunds import by_learner, by_staff
from domain.orders.refunds.by_learner import LearnerRefundRequest
from domain.orders.refunds.by_staff import StaffRefund
from domain.orders.settings import Context
from domain.payments.gateway import RefundProgress
from domain.seed.orders import gateway
from domain.seed.orders.gateway import DemoShop
from domain.tables import Order, OrderLine, VoucherCode

Units = Mapping[int, int]


@dataclass(frozen=True)
class OrderAction:
    """An action on an order. `units`: line number -> units, for refunds; {}: all."""

    order: Order
    shop: DemoShop
    at: datetime
    units: Units

    @property
    def context(self) -> Context:
        return Context(self.at, self.shop.settings)

    @property
    def ref(self) -> OrderRef:
        return OrderRef(self.order.id, self.order.learner_id, self.order.currency)

    @property
    def due(self) -> DueOrder:
        return DueOrder(self.order.id, self.order.learner_id)


def _pay(session: Session, step: OrderAction) -> None:
    gateway.report(session, step.order, step.shop, step.at)


def _pay_wrong_amount(session: Session, step: OrderAction) -> None:
    gateway.report(session, step.order, step.shop, step.at, amount_minor=step.order.total_minor + 100)


def _decline_card(session: Session, step: OrderAction) -> None:
    """The page stays open."""
    facts = {"state": "open", "payment": "unpaid", "failure": "Your card was declined.", "paid_at": None}
    gateway.report(session, step.order, step.shop, step.at, **facts)


def _begin_debit(session: Session, step: OrderAction) -> None:
    facts = {"payment": "processing", "paid_at": None, "method": gateway.DEBIT}
    gateway.report(session, step.order, step.shop, step.at, **facts)


def _fail_debit(session: Session, step: OrderAction) -> None:
    facts = {"payment": "failed", "paid_at": None, "failure": "The account has too little money."}
    gateway.report(session, step.order, step.shop, step.at, **facts)


def _expire(session: Session, step: OrderAction) -> None:
    closed = {"state": "expired", "payment": "unpaid", "paid_at": None}
    gateway.report(session, step.order, step.shop, step.at, **closed)
    expiry.expire(session, step.due, step.context)


def _cancel(session: Session, step: OrderAction) -> None:
    expiry.cancel(session, step.due, "cancel", events.LEARNER, step.context)


def _ship(session: Session, step: OrderAction) -> None:
    shipping.ship(session, step.ref, events.COMMAND, step.at)


def _deliver(session: Session, step: OrderAction) -> None:
    shipping.deliver(session, step.ref, events.COMMAND, step.at)


def _use_voucher(session: Session, step: OrderAction) -> None:
    """The first code of the order."""
    codes = select(VoucherCode.code).join(OrderLine, OrderLine.id == VoucherCode.line_id)
    code = session.scalars(codes.where(OrderLine.order_id == step.order.id).order_by(VoucherCode.id).limit(1)).one()
    shipping.use_voucher(session, step.ref, code, events.COMMAND, step.at)


def _ask(session: Session, step: OrderAction) -> None:
    request = LearnerRefundRequest(
        learner_id=step.order.learner_id,
        code=step.order.code,
        form_key=f"demo-{step.order.code}-{step.at:%Y%m%d%H%M}",
        units=step.units,
        confirmed=frozenset({"deleted", "returned"}),
        note="It is not what I was looking for.",
    )
    by_learner.request_refund(session, step.order.id, request, step.context)


def _approve(session: Session, step: OrderAction) -> None:
    refund = StaffRefund(events.COMMAND, "The goods came back.", restocks=True)
    by_staff.approve_request(session, step.ref, 1, refund, step.context)


def _decline(session: Session, step: OrderAction) -> None:
    refund = StaffRefund(events.COMMAND, "The goods came back used.")
    by_staff.decline_request(session, step.ref, 1, refund, step.context)


def _refund(session: Session, step: OrderAction) -> None:
    refund = StaffRefund(events.COMMAND, "A gesture of goodwill.", units=dict(step.units))
    by_staff.refund_order(session, step.ref, refund, step.context)


def _pay_by_hand(session: Session, step: OrderAction) -> None:
    refund = StaffRefund(events.COMMAND, "Paid by bank transfer.", is_manual=True)
    by_staff.pay_failed_manually(session, step.ref, refund, step.context)


def _refund_is(state: RefundProgress, failure: str = "") -> "Action":
    def act(session: Session, step: OrderAction) -> None:
        refunds = gateway.refund_snapshots(session, step.order, state, step.at, failure)
        gateway.report(session, step.order, step.shop, step.at, refunds=refunds)

    return act


def _dispute_is(outcome: Literal["open", "won", "lost"]) -> "Action":
    def act(session: Session, step: OrderAction) -> None:
        dispute = gateway.dispute_snapshot(step.order, outcome, step.at)
        refunds = gateway.refund_snapshots(session, step.order, "succeeded", step.at)
        gateway.report(session, step.order, step.shop, step.at, disputes=(dispute,), refunds=refunds)

    return act


Action = Callable[[Session, OrderAction], object]
ACTIONS: Mapping[str, Action] = {
    "pay": _pay,
    "pay-wrong-amount": _pay_wrong_amount,
    "decline-card": _decline_card,
    "begin-debit": _begin_debit,
    "fail-debit": _fail_debit,
    "expire": _expire,
    "cancel": _cancel,
    "ship": _ship,
    "deliver": _deliver,
    "use-voucher": _use_voucher,
    "ask": _ask,
    "approve": _approve,
    "decline": _decline,
    "refund": _refund,
    "refund-pending": _refund_is("pending"),
    "refund-done": _refund_is("succeeded"),
    "refund-failed": _refund_is("failed", "The card was closed."),
    "pay-by-hand": _pay_by_hand,
    "dispute": _dispute_is("open"),
    "dispute-won": _dispute_is("won"),
    "dispute-lost": _dispute_is("lost"),
}
