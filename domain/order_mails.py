"""Mails about orders: to the buyer at the order's frozen address, or to the staff. Payloads have ids alone: what a mail
shows is read when it is sent."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from contracts.payloads import FindingItem, OrderItem, RefundItem, decode
from contracts.tasks import OutboxKind
from domain import money
from domain.display_text import DEFAULT_LOCALE, moment_text, money_text
from domain.documents.invoices import printed_name
from domain.documents.settling_payment import settling_payment
from domain.orders import events, locks
from domain.orders.refunds.by_staff import words_to_buyer
from domain.outbox import Lease
from domain.tables import Document, Order, OrderEvent, OrderLine, PaymentFinding, Refund, VoucherCode

ABOUT_ORDER = frozenset(
    {
        OutboxKind.ORDER_RECEIVED,
        OutboxKind.ORDER_PAID,
        OutboxKind.PAYMENT_FAILED,
        OutboxKind.GOODS_SHIPPED,
        OutboxKind.WITHDRAWAL_RECEIVED,
    }
)
ABOUT_REFUND = frozenset(
    {
        OutboxKind.LATE_REFUNDED,
        OutboxKind.REFUND_REQUESTED,
        OutboxKind.REFUND_DECLINED,
        OutboxKind.REFUND_ACCEPTED,
        OutboxKind.REFUND_FAILED,
        OutboxKind.STAFF_REFUND_REQUESTED,
        OutboxKind.STAFF_REFUND_FAILED,
    }
)
TO_STAFF = frozenset(
    {
        OutboxKind.STAFF_REFUND_REQUESTED,
        OutboxKind.STAFF_REFUND_FAILED,
        OutboxKind.MISMATCH,
        OutboxKind.DISPUTE,
        OutboxKind.FINDING,
    }
)
KINDS = ABOUT_ORDER | ABOUT_REFUND | TO_STAFF
# Kind of a finding -> what it says about an id of the gateway.
FINDINGS = {
    "missing_here": "The gateway has {0}, which the shop does not count as made.",
    "missing_there": "The shop counts {0} as made, and the gateway has no such transaction.",
    "amount": "{0} has another amount or currency at the gateway.",
    "orphan": "The gateway has {0} for no order of this shop.",
}
# Order event -> what it says about a dispute over an amount, of which the bank has taken a part.
DISPUTES = {
    "disputed": ("disputed", "{amount} of it is disputed. Respond at the gateway before its deadline."),
    "dispute_appealed": (
        "an appeal is under way",
        "The bank is asked again. Until it decides, it has {taken}.",
    ),
    "dispute_closed": ("the dispute is decided", "The bank has taken {taken} of the disputed {amount}: it is booked."),
    "dispute_won": ("the dispute is over", "The bank has taken nothing of the disputed {amount}, or given all back."),
}
# Order event: a mail was accepted by the mail server.
MAIL_SENT = "mail_sent"
OPEN = ("placed", "processing")


@dataclass(frozen=True)
class MailSite:
    """What mails say about the shop. `origin`: where their links lead; `staff_email`: who gets mails to the staff;
    `locale`: in whose form amounts and days are written; `token_key`: of the tokens in links to gifts.
    `has_withdrawal`: of a shop in the Union."""

    name: str
    origin: str
    staff_email: str
    locale: str = DEFAULT_LOCALE
    token_key: bytes = field(default=b"", repr=False)
    has_withdrawal: bool = False


@dataclass(frozen=True)
class OrderMail:
    """A mail to the address `to`; `values`: what its template shows."""

    to: str
    values: Mapping[str, Any]


def compose(session: Session, lease: Lease, site: MailSite) -> OrderMail | None:
    """The mail of a row; None when its order is gone, or for staff without an address."""
    kind, refund = OutboxKind(lease.kind), _refund_of(session, lease)
    if kind is OutboxKind.FINDING:
        return _finding_mail(session, decode(FindingItem, lease.body).finding_id, site)
    order = _order_of(session, lease, refund)
    if order is None:
        return None
    values = {
        "site": site,
        "order": _order(session, order, site, with_codes=kind is OutboxKind.ORDER_PAID),
        "refund": None if refund is None else _refund(session, order, refund, site),
    }
    if kind is OutboxKind.DISPUTE:
        values["dispute"] = _dispute(session, order, site)
    to = site.staff_email if kind in TO_STAFF else order.email
    return OrderMail(to, values) if to else None


def _finding_mail(session: Session, finding_id: int, site: MailSite) -> OrderMail | None:
    """About the first of a run's new findings; it says how many are open. None when all were resolved meanwhile."""
    finding = session.get(PaymentFinding, finding_id)
    count = session.scalars(select(func.count(PaymentFinding.id)).where(PaymentFinding.resolved_at.is_(None))).one()
    if finding is None or not count or not site.staff_email:
        return None
    code = session.scalar(select(Order.code).where(Order.id == finding.order_id))
    values = {"text": FINDINGS[finding.kind].format(finding.gateway_id), "order_code": code, "count": count}
    return OrderMail(site.staff_email, {"site": site, "finding": values})


def record_sent(session: Session, lease: Lease, at: datetime) -> None:
    """Append to the order's timeline that the mail of this row was sent to the buyer; a second call changes nothing."""
    kind = OutboxKind(lease.kind)
    unlocked = None if kind in TO_STAFF else _order_of(session, lease, _refund_of(session, lease))
    if unlocked is None:
        return
    order = locks.lock_order(session, unlocked.learner_id, unlocked.id)
    sent = select(OrderEvent.facts).where(OrderEvent.order_id == order.id, OrderEvent.kind == MAIL_SENT)
    if all(facts.get("outbox") != lease.id for facts in session.scalars(sent)):
        events.append(session, order, MAIL_SENT, events.SYSTEM, at, {"mail": kind, "outbox": lease.id})


def _refund_of(session: Session, lease: Lease) -> Refund | None:
    if OutboxKind(lease.kind) not in ABOUT_REFUND:
        return None
    return session.get(Refund, decode(RefundItem, lease.body).refund_id)


def _order_of(session: Session, lease: Lease, refund: Refund | None) -> Order | None:
    if OutboxKind(lease.kind) in ABOUT_REFUND:
        return None if refund is None else session.get(Order, refund.order_id)
    return session.get(Order, decode(OrderItem, lease.body).order_id)


def _order(session: Session, order: Order, site: MailSite, *, with_codes: bool) -> dict[str, Any]:
    until, payment = order.reserved_until, settling_payment(session, order)
    return {
        "code": order.code,
        # No secret: whoever follows the link signs in.
        "link": f"{site.origin}/login?returnTo=/order/{order.code}",
        "buyer": " ".join(str(order.billing.get("name", "")).split()),
        "lines": _lines(session, order, site, with_codes=with_codes),
        "tax": _amount(order.tax_minor, order, site) if order.tax_minor and order.price_mode == "exclusive" else "",
        "total": _price(order.total_minor, order, site),
        "is_free": not order.total_minor,
        "method": "" if payment is None else payment.method,
        "document": session.scalar(
            select(Document.number).where(Document.order_id == order.id, Document.kind == "invoice")
        ),
        "is_open": order.state in OPEN and until is not None,
        "withdrawn_at": _withdrawn_at(session, order, site),
        "withdraw_link": f"{site.origin}/withdraw?order={order.code}" if site.has_withdrawal else "",
        "reserved_until": "" if until is None else moment_text(until, site.locale),
    }


def _dispute(session: Session, order: Order, site: MailSite) -> dict[str, Any]:
    """What is known of the order's disputes: the newest event of one, and what could not be given again after it."""
    of_disputes = select(OrderEvent).where(OrderEvent.order_id == order.id, OrderEvent.kind.in_(DISPUTES))
    event = session.scalars(of_disputes.order_by(OrderEvent.number.desc()).limit(1)).one()
    title, text = DISPUTES[event.kind]
    given = select(OrderEvent.facts).where(OrderEvent.order_id == order.id, OrderEvent.kind == events.MONEY_BACK)
    back = session.scalars(given.where(OrderEvent.number > event.number)).first() or {}
    amounts = {name: _amount(int(event.facts.get(f"{name}_minor", 0)), order, site) for name in ("amount", "taken")}
    return {"title": title, "text": text.format(**amounts), "not_given": back.get("not_given", [])}


def _withdrawn_at(session: Session, order: Order, site: MailSite) -> str:
    query = select(OrderEvent.occurred_at).where(OrderEvent.order_id == order.id, OrderEvent.kind == events.WITHDRAWN)
    at = session.scalar(query)
    return "" if at is None else moment_text(at, site.locale)


def _lines(session: Session, order: Order, site: MailSite, *, with_codes: bool) -> list[dict[str, Any]]:
    """With the amounts in the order's price mode, and the voucher codes of each line."""
    codes: dict[int, list[str]] = {}
    query = select(VoucherCode).join(OrderLine, OrderLine.id == VoucherCode.line_id)
    valid = query.where(OrderLine.order_id == order.id, VoucherCode.void_at.is_(None)).order_by(VoucherCode.id)
    for code in session.scalars(valid) if with_codes else ():
        codes.setdefault(code.line_id, []).append(code.code)
    lines = session.scalars(select(OrderLine).where(OrderLine.order_id == order.id).order_by(OrderLine.number))
    is_net = order.price_mode == "exclusive"
    return [
        {
            "name": printed_name(line),
            "quantity": line.quantity,
            "total": _price(line.net_minor if is_net else line.total_minor, order, site),
            "codes": codes.get(line.id, []),
        }
        for line in lines
    ]


def _price(minor: int, order: Order, site: MailSite) -> str:
    return _amount(minor, order, site) if minor else "Free"


def _refund(session: Session, order: Order, refund: Refund, site: MailSite) -> dict[str, Any]:
    note = session.scalar(select(Document.number).where(Document.refund_id == refund.id))
    return {
        "number": refund.number,
        "amount": _amount(refund.amount_minor, order, site),
        "is_of_nothing": refund.amount_minor == 0,
        "note": refund.note,
        "words": words_to_buyer(refund),
        "failure": refund.failure,
        "document": note,
    }


def _amount(minor: int, order: Order, site: MailSite) -> str:
    return money_text(minor, money.currency(order.currency), site.locale)
