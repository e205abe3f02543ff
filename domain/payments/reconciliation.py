"""Reconciliation: the gateway's transactions against our payments and refunds, a page at a time.

A difference is a row of `payment_findings` until a later run finds everything right, or somebody resolves it:
missing_here  a movement of this shop that we do not count as made         orphan  one that names no order of ours
missing_there a payment of ours that the gateway has no transaction of     amount  another amount or currency

A charge is compared by the state that it has now: one of a debit that is on its way is right while ours is, and so is
one that failed while ours is not paid. Of a dispute, what is booked is compared with what the shop has lost by it.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, cast

from sqlalchemy import func, or_, select, update
from sqlalchemy.orm import Session

from contracts.payloads import FindingItem
from contracts.tasks import OutboxKind
from domain.database.database import affected_rows, insert_ignoring
from domain.outbox import queue as outbox_queue
from domain.payments import disputes, gateway_events
from domain.payments.gateway import Event, Transaction
from domain.tables import Order, OrderEvent, Payment, PaymentFinding, Refund

FindingKind = Literal["missing_here", "missing_there", "amount", "orphan"]
# Our payments whose charge is in such a state at the gateway. Of an attempt that failed, the next one may be under way.
STATES_OF_CHARGE: Mapping[str, Collection[str]] = {
    "pending": ("processing", "paid"),
    "succeeded": ("paid",),
    "failed": ("new", "open", "failed", "expired", "void"),
}
# Refunds that the gateway must have.
SENT = ("pending", "succeeded")


@dataclass(frozen=True)
class MoneyFinding:
    """`gateway_id`: of the charge or refund; of our payment without one, the id of its session."""

    kind: FindingKind
    gateway_id: str
    order_id: int | None


@dataclass(frozen=True)
class PageReport:
    """What a page had. `foreign`: transactions of other shops at the same gateway. `waiting`: new ones that may be on
    their way to us. `right`: our payments that agree. `names`: the ids under which a finding about one of the compared
    transactions would have been stored. `retrieved`: what is retrieved once more, because its event may have been given
    up: the charges of disputes whose books differ, each with its gateway."""

    foreign: int
    waiting: int
    findings: tuple[MoneyFinding, ...]
    right: frozenset[int]
    names: frozenset[str]
    retrieved: frozenset[tuple[str, str]]


def compare_page(session: Session, shop_uid: str, page: Sequence[Transaction], settled_until: datetime) -> PageReport:
    """Reads with one query for each table, however many transactions the page has.

    What is newer than `settled_until` is compared too, but not missing here: its event or its poll may be under way.
    """
    payments, refunds, orders = _payments_of(session, page), _refunds_of(session, page), _orders_of(session, page)
    booked = _booked_for_disputes(session, page, payments)
    foreign, waiting, right, names, retrieved = 0, 0, set(), set(), set()
    # Several movements of one dispute make one finding.
    findings: dict[MoneyFinding, None] = {}
    for row in page:
        payment, refund = _payment_of(row, payments), refunds.get(row.id)
        if _is_foreign(row, payment, shop_uid):
            foreign += 1
            continue
        order_id = _order_id(row, payment, refund, orders)
        kind = (
            _dispute_difference(row, booked) if row.kind == "dispute" else _difference(row, payment, refund, order_id)
        )
        if row.created_at >= settled_until and (kind == "missing_here" or (kind and row.kind == "dispute")):
            waiting += 1
            continue
        names.add(row.id)
        if kind:
            findings[MoneyFinding(kind, row.id, order_id)] = None
            if row.kind == "dispute" and payment is not None and payment.charge_id:
                retrieved.add((payment.gateway, payment.charge_id))
        elif row.kind == "charge" and row.charge_state == "succeeded" and payment is not None:
            right.add(payment.id)
            names |= {_name(payment), payment.session_id or row.id, payment.key}
    return PageReport(foreign, waiting, tuple(findings), frozenset(right), frozenset(names), frozenset(retrieved))


def _is_foreign(row: Transaction, payment: Payment | None, shop_uid: str) -> bool:
    """Whether a movement is another shop's at the same gateway. A dispute names no shop: one of a charge that nobody
    knows here is not ours, or the charge itself is a finding."""
    if row.kind == "dispute":
        return payment is None
    return row.reference is not None and row.reference.shop != shop_uid


def _name(payment: Payment) -> str:
    return payment.charge_id or payment.session_id or payment.key


def _payments_of(session: Session, page: Sequence[Transaction]) -> dict[str, Payment]:
    """Payments by the gateway's ids, intents and charges."""
    intents = [row.intent_id for row in page if row.intent_id]
    charges = [row.charge_id for row in page if row.charge_id]
    query = select(Payment).where(or_(Payment.intent_id.in_(intents), Payment.charge_id.in_(charges)))
    by_id: dict[str, Payment] = {}
    for payment in session.scalars(query):
        by_id |= {key: payment for key in (payment.intent_id, payment.charge_id) if key}
    return by_id


def _payment_of(row: Transaction, payments: Mapping[str, Payment]) -> Payment | None:
    return payments.get(row.charge_id or "") or payments.get(row.intent_id or "")


def _refunds_of(session: Session, page: Sequence[Transaction]) -> dict[str, Refund]:
    ids = [row.id for row in page if row.kind == "refund"]
    refunds = session.scalars(select(Refund).where(Refund.gateway_id.in_(ids)))
    return {refund.gateway_id or "": refund for refund in refunds}


def _booked_for_disputes(
    session: Session, page: Sequence[Transaction], payments: Mapping[str, Payment]
) -> dict[str, int | None]:
    """What is booked for each dispute of the page, 0 also for one whose order is marked; None: nobody here knows it."""
    ids = {row.id: _payment_of(row, payments) for row in page if row.kind == "dispute"}
    query = select(Refund.dispute_id, func.sum(Refund.amount_minor)).where(Refund.dispute_id.in_(ids))
    booked = {row[0]: int(row[1]) for row in session.execute(query.group_by(Refund.dispute_id))} if ids else {}
    of_orders = {payment.order_id for payment in ids.values() if payment is not None}
    facts = select(OrderEvent.facts).where(OrderEvent.order_id.in_(of_orders), OrderEvent.kind.in_(disputes.KINDS))
    known = {row.get("dispute") for row in session.scalars(facts)} if of_orders else set()
    return {id_: booked.get(id_, 0) if id_ in known else None for id_ in ids}


def _dispute_difference(row: Transaction, booked: Mapping[str, int | None]) -> FindingKind | None:
    ours = booked[row.id]
    if ours is None:
        return "missing_here"
    return None if ours == row.amount_minor else "amount"


def _orders_of(session: Session, page: Sequence[Transaction]) -> dict[str, int]:
    codes = {row.reference.order for row in page if row.reference is not None}
    rows = session.execute(select(Order.code, Order.id).where(Order.code.in_(codes)))
    return {row.code: row.id for row in rows}


def _order_id(
    row: Transaction, payment: Payment | None, refund: Refund | None, orders: Mapping[str, int]
) -> int | None:
    if payment is not None:
        return payment.order_id
    if refund is not None:
        return refund.order_id
    return None if row.reference is None else orders.get(row.reference.order)


def _difference(
    row: Transaction, payment: Payment | None, refund: Refund | None, order_id: int | None
) -> FindingKind | None:
    if order_id is None:
        return "orphan"
    if row.kind == "refund":
        if refund is None:
            return "missing_here"
        is_same = payment is None or row.currency == payment.currency
        return None if is_same and row.amount_minor == refund.amount_minor else "amount"
    if payment is None or payment.state not in STATES_OF_CHARGE[row.charge_state]:
        return "missing_here"
    if row.charge_state != "succeeded":
        return None
    is_same = (row.amount_minor, row.currency) == (payment.amount_minor, payment.currency)
    return None if is_same else "amount"


@dataclass(frozen=True)
class Unreconciled:
    """A paid payment that no run has found at the gateway. `missing`: the finding if it is not there."""

    charge_id: str | None
    missing: MoneyFinding


def unreconciled_payments(
    session: Session, gateway: str, until: datetime, seen: Collection[str], limit: int
) -> list[Unreconciled]:
    """The newest payments of any age that no run has found at the gateway, but for those whose charge is among the ids
    that this one has seen there: the movement of a debit may be weeks older than the payment."""
    is_paid = (Payment.gateway == gateway, Payment.state == "paid", Payment.reconciled_at.is_(None))
    query = select(Payment).where(*is_paid, Payment.paid_at < until).order_by(Payment.paid_at.desc()).limit(limit)
    rows = [payment for payment in session.scalars(query) if payment.charge_id not in seen]
    return [
        Unreconciled(payment.charge_id, MoneyFinding("missing_there", _name(payment), payment.order_id))
        for payment in rows
    ]


def missing_refunds(
    session: Session, gateway: str, since: datetime, until: datetime, seen: Collection[str]
) -> list[MoneyFinding]:
    """Refunds that were sent in that time and are not among the ids of the gateway's refunds."""
    is_sent = (Refund.state.in_(SENT), Refund.gateway_id.is_not(None), Payment.gateway == gateway)
    query = select(Refund.gateway_id, Refund.order_id).join(Payment, Payment.id == Refund.payment_id)
    in_time = (Refund.requested_at >= since, Refund.changed_at < until)
    rows = session.execute(query.where(*is_sent, *in_time).order_by(Refund.id))
    return [MoneyFinding("missing_there", key, order_id) for key, order_id in rows if key and key not in seen]


def store_page(session: Session, report: PageReport, at: datetime) -> None:
    """Mark the payments that agree, store the differences, and resolve former ones of the same transactions."""
    if report.right:
        is_new = (Payment.id.in_(report.right), Payment.reconciled_at.is_(None))
        affected_rows(session, update(Payment).where(*is_new).values(reconciled_at=at))
    _resolve_others(session, report, at)
    for gateway, charge_id in sorted(report.retrieved):
        # Once a day: a later run of it finds the same event.
        event = Event(f"reconciliation-{at:%Y-%m-%d}-{charge_id}", "reconciliation.dispute", charge_id, at, None)
        gateway_events.store(session, gateway, event, at)
    store_findings(session, report.findings, at)


def _resolve_others(session: Session, report: PageReport, at: datetime) -> None:
    current = {(finding.kind, finding.gateway_id) for finding in report.findings}
    query = select(PaymentFinding).where(
        PaymentFinding.gateway_id.in_(report.names), PaymentFinding.resolved_at.is_(None)
    )
    for row in session.scalars(query):
        if (row.kind, row.gateway_id) not in current:
            row.resolved_at = at


def store_findings(session: Session, findings: Sequence[MoneyFinding], at: datetime) -> None:
    """Store findings; one that was resolved before is open again. Staff get one mail when any of them is new."""
    new = _not_open(session, findings)
    rows = [
        {"kind": finding.kind, "gateway_id": finding.gateway_id, "order_id": finding.order_id, "detected_at": at}
        for finding in new
    ]
    for kind in {finding.kind for finding in new}:
        ids = [finding.gateway_id for finding in new if finding.kind == kind]
        was_resolved = (PaymentFinding.kind == kind, PaymentFinding.gateway_id.in_(ids))
        again = {"resolved_at": None, "detected_at": at}
        affected_rows(session, update(PaymentFinding).where(*was_resolved).values(**again))
    insert_ignoring(session, PaymentFinding, rows)
    if new:
        is_first = (PaymentFinding.kind == new[0].kind, PaymentFinding.gateway_id == new[0].gateway_id)
        # With a lock: another run may have stored it since this transaction began.
        finding_id = session.scalars(select(PaymentFinding.id).where(*is_first).with_for_update()).one()
        outbox_queue.enqueue(session, OutboxKind.FINDING, FindingItem(finding_id=finding_id), at)


def _not_open(session: Session, findings: Sequence[MoneyFinding]) -> list[MoneyFinding]:
    ids = [finding.gateway_id for finding in findings]
    is_open = (PaymentFinding.gateway_id.in_(ids), PaymentFinding.resolved_at.is_(None))
    columns = select(PaymentFinding.kind, PaymentFinding.gateway_id)
    known = {(row.kind, row.gateway_id) for row in session.execute(columns.where(*is_open))} if ids else set()
    return [finding for finding in findings if (finding.kind, finding.gateway_id) not in known]


def last_agreed_at(session: Session) -> datetime | None:
    """When a comparison last found a payment that agrees with the gateway's; None before there was one."""
    return session.scalar(select(func.max(Payment.reconciled_at)))


def open_findings(session: Session) -> list[MoneyFinding]:
    """What is not resolved, the oldest first."""
    query = select(PaymentFinding).where(PaymentFinding.resolved_at.is_(None)).order_by(PaymentFinding.id)
    return [MoneyFinding(cast("FindingKind", row.kind), row.gateway_id, row.order_id) for row in session.scalars(query)]
