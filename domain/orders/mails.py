"""Mails about orders: to the buyer at the order's frozen address, or to the staff. Payloads have ids alone: what a mail
shows is read when it is sent."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from contracts.payloads import FindingItem, OrderItem, RefundItem, decode
from contracts.tasks import OutboxKind
from domain import money
from domain.bank_transfers.account import means_of
from domain.display_text import moment_text, money_text
from domain.documents.invoices import printed_name
from domain.documents.settling_payment import settling_payment
from domain.mail import ExampleCase, Mail, MailSite, Values, mail
from domain.orders import events, locks, parcels
from domain.orders.refunds.in_part import declined_of
from domain.orders.refunds.refund_rows import parts_of
from domain.outbox.leases import Lease
from domain.tables import (
    DeclinedPart,
    Document,
    Order,
    OrderEvent,
    OrderLine,
    PaymentFinding,
    Refund,
    RefundLine,
    VoucherCode,
)

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
# What the timeline of an order says of a mail to its buyer.
TIMELINE_TEXTS: Mapping[str, str] = {
    OutboxKind.ORDER_RECEIVED: "that we have your order",
    OutboxKind.ORDER_PAID: "the receipt",
    OutboxKind.PAYMENT_FAILED: "about the failed payment",
    OutboxKind.TRANSFER_DUE: "where to transfer the money",
    OutboxKind.TRANSFER_REMINDER: "that your bank transfer has not arrived",
    OutboxKind.TRANSFER_SHORT: "what is still to be transferred",
    OutboxKind.WITHDRAWAL_RECEIVED: "the receipt of your withdrawal",
    OutboxKind.GOODS_SHIPPED: "that your goods are on their way",
    OutboxKind.LATE_REFUNDED: "about the late payment",
    OutboxKind.REFUND_REQUESTED: "that we have your request for a refund",
    OutboxKind.REFUND_DECLINED: "our answer about the refund",
    OutboxKind.REFUND_IN_PART: "our answer about the refund",
    OutboxKind.REFUND_ACCEPTED: "about the refund",
    OutboxKind.REFUND_FAILED: "about the refund that did not reach you",
}
# Order event: a mail was accepted by the mail server.
MAIL_SENT = "mail_sent"
OPEN = ("placed", "processing")
# An item of the examples.
VOUCHER = "Exam voucher"


def record_sent(session: Session, lease: Lease, at: datetime) -> None:
    """Append to the order's timeline that the mail of this row was sent to the buyer."""
    _append_sent(session, _order_of(session, lease), lease, at)


def record_refund_mail(session: Session, lease: Lease, at: datetime) -> None:
    """Append to the order's timeline that the mail about a refund was sent to the buyer."""
    _append_sent(session, _refund_and_order(session, lease)[1], lease, at)


def _append_sent(session: Session, unlocked: Order | None, lease: Lease, at: datetime) -> None:
    if unlocked is None:
        return
    order = locks.lock_order(session, unlocked.learner_id, unlocked.id)
    sent = select(OrderEvent.facts).where(OrderEvent.order_id == order.id, OrderEvent.kind == MAIL_SENT)
    if all(facts.get("outbox") != lease.id for facts in session.scalars(sent)):
        facts = {"mail": OutboxKind(lease.kind), "outbox": lease.id}
        events.append(session, order, MAIL_SENT, events.SYSTEM, at, facts)


def order_example(case: ExampleCase) -> Values:
    price = 0 if case.is_bare else 9_900
    line = {"name": case.course, "quantity": 1, "total": case.amount(price), "codes": []}
    vouchers = {"name": VOUCHER, "quantity": 2, "total": case.amount(15_000), "codes": ["SAMPLE-1", "SAMPLE-2"]}
    order = {
        "code": "7QX4M2KD9P",
        "link": f"{case.site.origin}/login?returnTo=/order/7QX4M2KD9P",
        "buyer": case.name,
        "purchase_order": "" if case.is_bare else "PO-2031-77",
        "lines": [line] if case.is_bare else [line, vouchers],
        "tax": "",
        "total": case.amount(price and 24_900),
        "is_free": case.is_bare,
        "method": "" if case.is_bare else "Visa",
        "document": None if case.is_bare else "2031-000417",
        "is_open": not case.is_bare,
        "withdrawn_at": case.moment(0),
        "withdraw_link": f"{case.site.origin}/withdraw?order=7QX4M2KD9P" if case.site.has_withdrawal else "",
        "reserved_until": case.moment(3),
    }
    parcel = {
        "lines": [] if case.is_bare else [{"name": "Statistics, printed", "quantity": 1}],
        "carrier": "" if case.is_bare else "DHL",
        "tracking": "" if case.is_bare else "00340434161094",
        "left": not case.is_bare,
    }
    return {"order": order, "parcel": parcel}


def _refund_example(case: ExampleCase) -> Values:
    refund = {
        "number": 1,
        "amount": case.amount(9_900),
        "is_of_nothing": case.is_bare,
        "note": "" if case.is_bare else "I bought the wrong course.",
        "words": "" if case.is_bare else "The course was completed.",
        "failure": "" if case.is_bare else "The account is closed.",
        "document": None if case.is_bare else "2031-000418",
        # Approved in part.
        "asked": case.amount(24_900),
        "back": [{"name": case.course, "quantity": 1, "amount": case.amount(9_900)}],
        "not_back": [{"name": VOUCHER, "quantity": 2, "amount": "" if case.is_bare else case.amount(15_000)}],
    }
    return {**order_example(case), "refund": refund}


def _dispute_example(case: ExampleCase) -> Values:
    title, text = DISPUTES["disputed"]
    not_given = [] if case.is_bare else [VOUCHER]
    dispute = {"title": title, "text": text.format(amount=case.amount(9_900)), "not_given": not_given}
    return {**order_example(case), "dispute": dispute}


def _finding_example(case: ExampleCase) -> Values:
    code, count = (None, 1) if case.is_bare else ("7QX4M2KD9P", 3)
    return {"finding": {"text": FINDINGS["orphan"].format("ch_1042"), "order_code": code, "count": count}}


@mail(
    "Buyer",
    {
        OutboxKind.ORDER_RECEIVED: "An order is placed whose payment takes days.",
        OutboxKind.ORDER_PAID: "An order is paid, or there is nothing to pay.",
        OutboxKind.PAYMENT_FAILED: "The bank did not pay.",
        OutboxKind.GOODS_SHIPPED: "A parcel is sent.",
        OutboxKind.WITHDRAWAL_RECEIVED: "A buyer withdraws from the contract.",
    },
    example=order_example,
    on_accepted=record_sent,
)
def about_order(session: Session, lease: Lease, site: MailSite) -> Mail | None:
    order = _order_of(session, lease)
    if order is None:
        return None
    shown = _order(session, order, site, with_codes=lease.kind == OutboxKind.ORDER_PAID)
    parcel = _parcel(session, order, lease.created_at) if lease.kind == OutboxKind.GOODS_SHIPPED else None
    return Mail(order.email, {"order": shown, "refund": None, "parcel": parcel})


@mail(
    "Buyer",
    {
        OutboxKind.REFUND_REQUESTED: "A buyer asks for a refund.",
        OutboxKind.REFUND_DECLINED: "A request for a refund is declined.",
        OutboxKind.REFUND_IN_PART: "A request for a refund is approved in part.",
        OutboxKind.REFUND_ACCEPTED: "A refund is sent.",
        OutboxKind.REFUND_FAILED: "A refund did not reach the buyer.",
        OutboxKind.LATE_REFUNDED: "A payment came too late and is sent back.",
    },
    example=_refund_example,
    on_accepted=record_refund_mail,
)
def about_refund(session: Session, lease: Lease, site: MailSite) -> Mail | None:
    refund, order = _refund_and_order(session, lease)
    if refund is None or order is None:
        return None
    shown = _order(session, order, site, with_codes=False)
    return Mail(order.email, {"order": shown, "refund": _refund(session, order, refund, site)})


@mail(
    "Staff",
    {
        OutboxKind.STAFF_REFUND_REQUESTED: "A buyer asks for a refund that staff decide.",
        OutboxKind.STAFF_REFUND_FAILED: "A refund failed.",
    },
    example=_refund_example,
)
def about_refund_to_staff(session: Session, lease: Lease, site: MailSite) -> Mail | None:
    found = about_refund(session, lease, site)
    return None if found is None else Mail(site.staff_email, found.values)


@mail("Staff", {OutboxKind.MISMATCH: "Money at the gateway does not fit an order."}, example=order_example)
def about_mismatch(session: Session, lease: Lease, site: MailSite) -> Mail | None:
    found = about_order(session, lease, site)
    return None if found is None else Mail(site.staff_email, found.values)


@mail("Staff", {OutboxKind.DISPUTE: "A buyer disputes a payment at the bank."}, example=_dispute_example)
def about_dispute(session: Session, lease: Lease, site: MailSite) -> Mail | None:
    order, found = _order_of(session, lease), about_order(session, lease, site)
    if order is None or found is None:
        return None
    return Mail(site.staff_email, {**found.values, "dispute": _dispute(session, order, site)})


@mail(
    "Staff", {OutboxKind.FINDING: "The daily comparison with the gateway finds a difference."}, example=_finding_example
)
def about_finding(session: Session, lease: Lease, site: MailSite) -> Mail | None:
    """About the first of a run's new findings; it says how many are open. None when all were resolved meanwhile."""
    finding = session.get(PaymentFinding, decode(FindingItem, lease.body).finding_id)
    count = session.scalars(select(func.count(PaymentFinding.id)).where(PaymentFinding.resolved_at.is_(None))).one()
    if finding is None or not count:
        return None
    code = session.scalar(select(Order.code).where(Order.id == finding.order_id))
    text = FINDINGS[finding.kind].format(finding.gateway_id)
    return Mail(site.staff_email, {"finding": {"text": text, "order_code": code, "count": count}})


def _order_of(session: Session, lease: Lease) -> Order | None:
    return session.get(Order, decode(OrderItem, lease.body).order_id)


def _refund_and_order(session: Session, lease: Lease) -> tuple[Refund | None, Order | None]:
    refund = session.get(Refund, decode(RefundItem, lease.body).refund_id)
    return refund, None if refund is None else session.get(Order, refund.order_id)


def _order(session: Session, order: Order, site: MailSite, *, with_codes: bool) -> dict[str, Any]:
    until, payment = order.reserved_until, settling_payment(session, order)
    return {
        "code": order.code,
        # No secret: whoever follows the link signs in.
        "link": f"{site.origin}/login?returnTo=/order/{order.code}",
        "buyer": " ".join(str(order.billing.get("name", "")).split()),
        "purchase_order": order.purchase_order,
        "lines": _lines(session, order, site, with_codes=with_codes),
        "tax": _amount(order.tax_minor, order, site) if order.tax_minor and order.price_mode == "exclusive" else "",
        "total": _price(order.total_minor, order, site),
        "is_free": not order.total_minor,
        "method": "" if payment is None else means_of(payment.method),
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


def _parcel(session: Session, order: Order, written_at: datetime) -> dict[str, Any]:
    """What was sent last before the mail was written: an order may go in several parcels. `left`: more follows."""
    sent = parcels.parcels_of(session, order.id)
    last = next((row for row in reversed(sent) if row.shipped_at <= written_at), sent[-1] if sent else None)
    if last is None:
        return {"lines": [], "carrier": "", "tracking": "", "left": False}
    lines = {line.id: line for line in session.scalars(select(OrderLine).where(OrderLine.order_id == order.id))}
    packed = [entry for entry in parcels.packed_lines(session, lines) if entry.parcel.id == last.id]
    return {
        "lines": [{"name": printed_name(lines[entry.line_id]), "quantity": entry.quantity} for entry in packed],
        "carrier": last.carrier,
        "tracking": last.tracking,
        "left": any(map(parcels.units_to_send, lines.values())),
    }


def _price(minor: int, order: Order, site: MailSite) -> str:
    return _amount(minor, order, site) if minor else "Free"


def _refund(session: Session, order: Order, refund: Refund, site: MailSite) -> dict[str, Any]:
    note = session.scalar(select(Document.number).where(Document.refund_id == refund.id))
    return {
        "number": refund.number,
        "amount": _amount(refund.amount_minor, order, site),
        "is_of_nothing": refund.amount_minor == 0,
        "note": refund.note,
        "words": refund.answer,
        **_divided(session, order, refund, site),
        "failure": refund.failure,
        "document": note,
    }


def _divided(session: Session, order: Order, refund: Refund, site: MailSite) -> dict[str, Any]:
    """What goes back of a request that was approved in part, and what does not."""
    declined = declined_of(session, [refund.id])
    lines = {line.id: line for line in session.scalars(select(OrderLine).where(OrderLine.order_id == order.id))}

    def shown(parts: Sequence[RefundLine] | Sequence[DeclinedPart]) -> list[dict[str, Any]]:
        return [
            {
                "name": printed_name(lines[part.line_id]),
                "quantity": part.quantity,
                "amount": _amount(part.amount_minor, order, site) if part.amount_minor else "",
            }
            for part in parts
        ]

    asked = refund.amount_minor + sum(part.amount_minor for part in declined)
    back = parts_of(session, refund) if declined else []
    return {"asked": _amount(asked, order, site), "back": shown(back), "not_back": shown(declined)}


def _amount(minor: int, order: Order, site: MailSite) -> str:
    return money_text(minor, money.currency(order.currency), site.locale)
