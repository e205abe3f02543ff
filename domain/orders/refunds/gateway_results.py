"""What became of an approved refund: the gateway's answers, and what follows once it has accepted it."""

from datetime import datetime
from typing import Protocol

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from contracts.tasks import OutboxKind
from domain.bank_transfers.account import TRANSFER
from domain.documents import credit_notes
from domain.errors import Refused
from domain.orders import events, fulfilment, notices, parcels, states
from domain.orders.lines import lines_of
from domain.orders.refunds.refund_rows import advance_refund, facts_of, parts_of
from domain.orders.settings import Context
from domain.reservations import orders as reservation_orders
from domain.tables import Document, Order, OrderLine, Payment, Refund, RefundLine

# The gateway has accepted a refund in these states.
ACCEPTED = ("pending", "succeeded", "manual")
# The learner was told when it was found, or has the money from their bank.
WITHOUT_MAIL = ("late", "dispute")


class RefundAtGateway(Protocol):
    """A refund as the gateway has it now (domain/payments/gateway.py)."""

    @property
    def id(self) -> str: ...
    @property
    def state(self) -> str: ...
    @property
    def failure(self) -> str: ...


def mark_sent(session: Session, refund: Refund, at: datetime) -> None:
    """The call to the gateway begins: from now on it may have the refund, also when no answer comes."""
    advance_refund(refund, "sent", at)
    session.flush()


def record(session: Session, order: Order, refund: Refund, snapshot: RefundAtGateway, context: Context) -> bool:
    """Store what the gateway says about a refund. False when that is not newer than what is known."""
    if refund.state == "failed" and refund.gateway_id is None and snapshot.state != "failed":
        # It was given up without an answer, and the gateway had made it after all.
        refund.state = "sent"
    refund.gateway_id = refund.gateway_id or snapshot.id
    was_accepted = refund.state in ACCEPTED
    if not advance_refund(refund, snapshot.state, context.at):
        return False
    if snapshot.state == "failed":
        _note_failure(session, order, refund, snapshot.failure, context.at)
    elif not was_accepted:
        accept(session, order, refund, context)
    session.flush()
    return True


def refuse(session: Session, order: Order, refund: Refund, failure: str, at: datetime) -> None:
    """The gateway refused the call for good: staff pay the money back another way (`pay_manually`)."""
    if advance_refund(refund, "failed", at):
        _note_failure(session, order, refund, failure, at)


def _note_failure(session: Session, order: Order, refund: Refund, failure: str, at: datetime) -> None:
    """What was taken back stays so, and the credit note stands: the money is still owed."""
    refund.failure = failure[:255]
    events.append(session, order, "refund_failed", events.GATEWAY, at, facts_of(refund))
    for kind in (OutboxKind.REFUND_FAILED, OutboxKind.STAFF_REFUND_FAILED):
        notices.mail_refund(session, kind, refund, at)


def pay_manually(session: Session, order: Order, refund: Refund, actor: str, context: Context) -> None:
    """The money was paid back outside the gateway. Raises Refused while the gateway may still send it."""
    if refund.state != "failed" and not waits_for_hand(session, refund):
        raise Refused(f"This refund is {refund.state}: the gateway pays it.")
    advance_refund(refund, "manual", context.at)
    events.append(session, order, "refund_paid_manually", actor, context.at, facts_of(refund))
    if not _has_credit_note(session, refund):
        accept(session, order, refund, context)


def waits_for_hand(session: Session, refund: Refund) -> bool:
    """Whether an approved refund is of a bank transfer, which nobody but staff pays back."""
    if refund.state != "approved" or refund.payment_id is None:
        return False
    return session.get_one(Payment, refund.payment_id).gateway == TRANSFER


def try_again(session: Session, order: Order, refund: Refund, actor: str, at: datetime) -> None:
    """Have the gateway pay a failed refund once more. Raises Refused for one that has not failed, or has no payment.

    A refund that failed at the gateway keeps its number there for ever, so that ours gets the next one: what the
    gateway says of the former is then about none of ours. One that the gateway never made keeps its number, by which
    it is looked for before it is made. The key is another one: the gateway answers a known one as it did before.
    """
    if refund.state != "failed" or refund.payment_id is None:
        raise Refused(f"This refund is {refund.state}: it cannot be tried again.")
    former = refund.number
    if refund.gateway_id is not None:
        last = session.scalar(select(func.max(Refund.number)).where(Refund.order_id == order.id)) or 0
        refund.number = last + 1
    refund.key = f"{order.code}-r{refund.number}-{int(at.timestamp())}"
    refund.state = "approved" if refund.gateway_id is not None else "sent"
    refund.gateway_id, refund.failure, refund.changed_at = None, "", max(at, refund.changed_at)
    events.append(session, order, "refund_retried", actor, at, {**facts_of(refund), "former": former})
    notices.send_refund(session, refund, at)
    session.flush()


def _has_credit_note(session: Session, refund: Refund) -> bool:
    return session.scalar(select(Document.id).where(Document.refund_id == refund.id)) is not None


def accept(session: Session, order: Order, refund: Refund, context: Context) -> None:
    """The refund is certain: take back what it pays for, issue the credit note, end the order with its last line."""
    actor = events.GATEWAY if refund.gateway_id else refund.actor
    events.append(session, order, "refund_accepted", actor, context.at, facts_of(refund))
    # What a refund took back before it failed, and was tried again, stays taken.
    is_first = not _has_credit_note(session, refund)
    parts = {part.line_id: part for part in parts_of(session, refund)} if is_first else {}
    if parts:
        _take_back(session, order, refund, parts, context.at)
        credit_notes.issue(session, refund, context.at, context.settings.issuer)
    if refund.reason not in WITHOUT_MAIL:
        notices.mail_refund(session, OutboxKind.REFUND_ACCEPTED, refund, context.at)
    if parts and all(is_back(line) and line.ended_at is not None for line in _bought(session, order)):
        facts = {"refund": refund.number}
        event = "dispute_lost" if refund.reason == "dispute" else "refund_all"
        states.advance(session, order, event, context.at, actor=refund.actor, facts=facts, settings=context.settings)


def _bought(session: Session, order: Order) -> list[OrderLine]:
    """Delivery alone does not keep an order paid."""
    return [line for line in lines_of(session, order.id) if line.kind != "delivery"]


def is_back(line: OrderLine) -> bool:
    """Whether all units of a line were refunded."""
    return line.refunded_quantity == line.quantity


def _take_back(session: Session, order: Order, refund: Refund, parts: dict[int, RefundLine], at: datetime) -> None:
    lines = [line for line in lines_of(session, order.id) if line.id in parts]
    # Stock is locked before coupons and grants.
    for line in lines:
        if refund.restocks and parts[line.id].quantity:
            reservation_orders.restock(session, order.id, line.id, parts[line.id].quantity)
    # What was not sent goes back first: the goods that are left may all be on their way.
    parcels.note_times(session, [line for line in lines if not is_back(line)])
    if refund.keeps_access:
        return
    fulfilment.take_back(session, order, [line for line in lines if is_back(line)], at)
    for line in lines:
        if not is_back(line):
            fulfilment.void_codes(session, line, parts[line.id].quantity, at)
