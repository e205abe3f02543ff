"""Disputes: a buyer's bank takes money of a payment back, all of it or a part, and may give it back.

What counts is the money that moved, not the gateway's word for the end of a dispute: what the shop has lost so far is
booked as a refund over the lines, and corrected whenever it changes. Staff are told of each change.
"""

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from contracts.tasks import OutboxKind
from domain.documents import credit_notes
from domain.money import Currency, currency, part_minor
from domain.orders import events, fulfilment, notices, states
from domain.orders.lines import lines_of
from domain.orders.refunds import gateway_results, requests
from domain.orders.refunds.chosen import parts_of_amount
from domain.orders.refunds.refund_rows import (
    Part,
    RefundTerms,
    advance_refund,
    facts_of,
    insert_with_lines,
    parts_of,
    refunds_of,
)
from domain.orders.refunds.shares import Share, spread
from domain.orders.settings import Context
from domain.payments.gateway import DisputeSnapshot
from domain.payments.returned_money import has_bought
from domain.tables import Order, OrderEvent, OrderLine, Payment, Refund

# Order events about the state of a dispute.
KINDS = ("disputed", "dispute_appealed", "dispute_closed", "dispute_won")
log = logging.getLogger(__name__)


def apply_disputes(
    session: Session, order: Order, payment: Payment, snapshots: Sequence[DisputeSnapshot], context: Context
) -> None:
    """Book what each dispute has cost by now. The order is marked while one is under way or has cost something. An
    older snapshot, which knows fewer movements or is open again, changes nothing."""
    is_marked = any(dispute.state != "closed" or dispute.decided_minor for dispute in snapshots)
    for dispute in snapshots:
        noted = _last_noted(session, order, dispute)
        if _is_news(dispute, noted):
            _note(session, order, dispute, context, is_marked=is_marked)
            _book(session, _Case(order, payment, dispute), context)


def _last_noted(session: Session, order: Order, dispute: DisputeSnapshot) -> dict[str, object] | None:
    """The facts of the last event about this dispute."""
    of_disputes = select(OrderEvent.facts).where(OrderEvent.order_id == order.id, OrderEvent.kind.in_(KINDS))
    rows = session.scalars(of_disputes.order_by(OrderEvent.number.desc()))
    return next((facts for facts in rows if facts.get("dispute") == dispute.id), None)


def _is_news(dispute: DisputeSnapshot, noted: dict[str, object] | None) -> bool:
    if noted is None:
        return True
    state = noted.get("state")
    is_older = dispute.movements < int(str(noted.get("movements", 0))) or (dispute.state == "open" != state)
    return not is_older and (dispute.state, dispute.decided_minor) != (state, noted.get("taken_minor"))


def _note(session: Session, order: Order, dispute: DisputeSnapshot, context: Context, *, is_marked: bool) -> None:
    """Append what is known of the dispute to the timeline, and tell staff."""
    order.disputed_at = (order.disputed_at or context.at) if is_marked else None
    ended = "dispute_closed" if dispute.taken_minor else "dispute_won"
    kind = {"open": "disputed", "appealed": "dispute_appealed"}.get(dispute.state, ended)
    facts = {"dispute": dispute.id, "state": dispute.state, "amount_minor": dispute.amount_minor}
    facts |= {"taken_minor": dispute.decided_minor, "movements": dispute.movements, "reason": dispute.reason}
    events.append(session, order, kind, events.GATEWAY, context.at, facts)
    notices.mail_order(session, OutboxKind.DISPUTE, order, context.at)


@dataclass(frozen=True)
class _Case:
    """A dispute with the payment that it is about, and the order that this payment belongs to."""

    order: Order
    payment: Payment
    dispute: DisputeSnapshot


def _book(session: Session, case: _Case, context: Context) -> None:
    booked = [refund for refund in refunds_of(session, case.order.id) if refund.dispute_id == case.dispute.id]
    change = case.dispute.decided_minor - sum(refund.amount_minor for refund in booked)
    if change > 0:
        _take(session, case, change, context)
    elif change < 0:
        _give_back(session, case, booked, -change, context)


def _take(session: Session, case: _Case, amount_minor: int, context: Context) -> None:
    """The gateway has taken the money already: a refund that nobody has to send. What is more than the lines still have
    stays a finding of the reconciliation."""
    order, payment = case.order, case.payment
    lines = lines_of(session, order.id) if has_bought(session, payment) else []
    of_lines = sum(line.total_minor - line.refunded_minor for line in lines)
    left = min(amount_minor, payment.amount_minor - payment.refunded_minor, of_lines)
    if left < amount_minor:
        log.error("order %s: dispute %s takes %d more than is left", order.code, case.dispute.id, amount_minor - left)
    if left:
        parts = parts_of_amount(lines, left, currency(order.currency))
        refund = _insert(session, case, "dispute", parts, context)
        gateway_results.accept(session, order, refund, context)


def _insert(session: Session, case: _Case, reason: str, parts: Sequence[Part], context: Context) -> Refund:
    terms = RefundTerms(reason, events.GATEWAY, case.payment, dispute_id=case.dispute.id)
    refund = insert_with_lines(session, case.order, parts, terms, context.at)
    requests.set_aside(session, case.order, refund)
    advance_refund(refund, "succeeded", context.at)
    return refund


def _give_back(session: Session, case: _Case, booked: Sequence[Refund], amount_minor: int, context: Context) -> None:
    """Money of the dispute came back: a refund with negative amounts, a credit note with such ones, and what the
    dispute had ended is given again. What cannot be given again is in the event, and in the mail to staff."""
    order = case.order
    fulfilment.lock_uses(session, order)
    lines = {line.id: line for line in lines_of(session, order.id)}
    parts = _parts_back(session, lines, booked, amount_minor, currency(order.currency))
    refund = _insert(session, case, "dispute_won", parts, context)
    again = [part.line for part in parts if part.share.quantity and part.line.ended_at is not None]
    left = fulfilment.give_again(session, order, again, context.at)
    facts = {**facts_of(refund), **({"not_given": left} if left else {})}
    events.append(session, order, events.MONEY_BACK, events.GATEWAY, context.at, facts)
    credit_notes.issue(session, refund, context.at, context.settings.issuer)
    if order.state == "refunded":
        about, settings = {"refund": refund.number}, context.settings
        actor = events.GATEWAY
        states.advance(session, order, "dispute_reversed", context.at, actor=actor, facts=about, settings=settings)


def _parts_back(
    session: Session, lines: dict[int, OrderLine], booked: Sequence[Refund], amount_minor: int, counted_in: Currency
) -> list[Part]:
    """Which parts of lines an amount of the dispute pays for again, as negative shares: in proportion to what it took
    of each. A line that is no longer refunded as a whole has its units again."""
    taken: dict[int, Counter[str]] = {}
    for refund in booked:
        for part in parts_of(session, refund):
            sums = taken.setdefault(part.line_id, Counter())
            sums.update(quantity=part.quantity, amount=part.amount_minor, tax=part.tax_minor)
    amounts = spread(amount_minor, [sums["amount"] for sums in taken.values()], counted_in)
    shares = [
        (line_id, _share_back(sums, amount, counted_in))
        for (line_id, sums), amount in zip(taken.items(), amounts, strict=True)
    ]
    return [Part(lines[line_id], share) for line_id, share in shares if share != Share(0, 0, 0)]


def _share_back(taken: Counter[str], amount_minor: int, counted_in: Currency) -> Share:
    if not taken["amount"]:
        return Share(-taken["quantity"], 0, 0)
    tax = part_minor(taken["tax"], amount_minor, taken["amount"], counted_in)
    return Share(-taken["quantity"] if amount_minor else 0, -amount_minor, -min(tax, amount_minor))
