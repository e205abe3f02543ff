"""What a person has bought, given and may study, as statements for the export of their account. Amounts of orders are
in minor units of the order's currency."""

from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import Select, case, or_, select

from domain.orders.events import CONSENTED
from domain.tables import (
    Certificate,
    CheckoutDraft,
    Document,
    Enrolment,
    EnrolmentGrant,
    Gift,
    KnownAddress,
    Order,
    OrderEvent,
    OrderLine,
    OrderParcel,
    Product,
    Refund,
    VoucherCode,
)

ExportedTable = Select[*tuple[Any, ...]]


def enrolments(learner_id: int) -> ExportedTable:
    columns = (
        Product.id,
        Product.name,
        Enrolment.enrolled_at.label("enrolledAt"),
        Enrolment.access_until.label("accessUntil"),
        Enrolment.started_at.label("startedAt"),
        Enrolment.last_active_at.label("lastActiveAt"),
        Enrolment.done_lessons.label("doneLessons"),
        Enrolment.completed_at.label("completedAt"),
        Enrolment.completion_reason.label("completionReason"),
    )
    query = select(*columns).select_from(Enrolment).join(Product, Product.id == Enrolment.product_id)
    return query.where(Enrolment.learner_id == learner_id).order_by(Enrolment.id)


def grants(learner_id: int) -> ExportedTable:
    columns = (
        Enrolment.product_id.label("courseId"),
        EnrolmentGrant.source,
        EnrolmentGrant.granted_at.label("grantedAt"),
        EnrolmentGrant.until,
        EnrolmentGrant.ended_at.label("endedAt"),
        EnrolmentGrant.reason,
    )
    query = select(*columns).select_from(EnrolmentGrant).join(Enrolment, Enrolment.id == EnrolmentGrant.enrolment_id)
    return query.where(Enrolment.learner_id == learner_id).order_by(EnrolmentGrant.id)


def certificates(learner_id: int) -> ExportedTable:
    columns = (
        Certificate.code,
        Certificate.number,
        Certificate.product_id.label("courseId"),
        Certificate.course_name.label("courseName"),
        Certificate.holder_name.label("holderName"),
        Certificate.credits,
        Certificate.minutes,
        Certificate.rule_text.label("rule"),
        Certificate.completed_at.label("completedAt"),
        Certificate.issued_at.label("issuedAt"),
        Certificate.expires_at.label("expiresAt"),
        Certificate.revoked_at.label("revokedAt"),
        Certificate.revoked_reason.label("revokedReason"),
    )
    return select(*columns).where(Certificate.learner_id == learner_id).order_by(Certificate.id)


def gifts(learner_id: int) -> ExportedTable:
    """Given and received; a gift that staff gave names nobody as its giver."""
    columns = (
        Product.id,
        Product.name,
        case((Gift.learner_id == learner_id, "received"), else_="given").label("direction"),
        Gift.recipient_email.label("recipient"),
        Gift.message,
        Gift.send_at.label("sendAt"),
        Gift.state,
        Gift.claimed_at.label("claimedAt"),
    )
    is_own = or_(Gift.learner_id == learner_id, (Gift.giver_id == learner_id) & Gift.order_line_id.is_not(None))
    return select(*columns).join(Product, Product.id == Gift.product_id).where(is_own).order_by(Gift.id)


def orders(learner_id: int) -> ExportedTable:
    columns = (
        Order.code,
        Order.state,
        Order.currency,
        Order.subtotal_minor.label("subtotal"),
        Order.discount_minor.label("discount"),
        Order.delivery_minor.label("delivery"),
        Order.tax_minor.label("tax"),
        Order.total_minor.label("total"),
        Order.refunded_minor.label("refunded"),
        Order.email,
        Order.billing,
        Order.delivery.label("deliveryAddress"),
        Order.purchase_order.label("purchaseOrder"),
        Order.quote_number.label("quoteNumber"),
        Order.placed_at.label("placedAt"),
        Order.paid_at.label("paidAt"),
        Order.ended_at.label("endedAt"),
    )
    return select(*columns).where(Order.learner_id == learner_id).order_by(Order.id)


def order_lines(learner_id: int) -> ExportedTable:
    columns = (
        Order.code.label("order"),
        OrderLine.number,
        OrderLine.name,
        OrderLine.quantity,
        OrderLine.unit_minor.label("unit"),
        OrderLine.tax_minor.label("tax"),
        OrderLine.total_minor.label("total"),
        OrderLine.gift,
        OrderLine.shipped_at.label("shippedAt"),
    )
    return _of_orders(select(*columns).select_from(OrderLine), learner_id, OrderLine.order_id).order_by(OrderLine.id)


def parcels(learner_id: int) -> ExportedTable:
    columns = (
        Order.code.label("order"),
        OrderParcel.number,
        OrderParcel.carrier,
        OrderParcel.tracking,
        OrderParcel.shipped_at.label("shippedAt"),
        OrderParcel.delivered_at.label("deliveredAt"),
    )
    return _of_orders(select(*columns).select_from(OrderParcel), learner_id, OrderParcel.order_id).order_by(
        OrderParcel.id
    )


def order_events(learner_id: int) -> ExportedTable:
    consent = case((OrderEvent.kind == CONSENTED, OrderEvent.facts["text"].as_string()))
    columns = (Order.code.label("order"), OrderEvent.kind, OrderEvent.occurred_at.label("at"), consent.label("text"))
    return _of_orders(select(*columns).select_from(OrderEvent), learner_id, OrderEvent.order_id).order_by(OrderEvent.id)


def refunds(learner_id: int) -> ExportedTable:
    columns = (
        Order.code.label("order"),
        Refund.number,
        Refund.amount_minor.label("amount"),
        Refund.state,
        Refund.reason,
        Refund.note,
        Refund.answer,
        Refund.requested_at.label("requestedAt"),
    )
    return _of_orders(select(*columns).select_from(Refund), learner_id, Refund.order_id).order_by(Refund.id)


def voucher_codes(learner_id: int) -> ExportedTable:
    columns = (
        Order.code.label("order"),
        VoucherCode.code,
        VoucherCode.used_at.label("usedAt"),
        VoucherCode.void_at.label("voidAt"),
    )
    query = select(*columns).select_from(VoucherCode).join(OrderLine, OrderLine.id == VoucherCode.line_id)
    return _of_orders(query, learner_id, OrderLine.order_id).order_by(VoucherCode.id)


def documents(learner_id: int) -> ExportedTable:
    columns = (Order.code.label("order"), Document.number, Document.kind, Document.issued_at.label("issuedAt"))
    return _of_orders(select(*columns).select_from(Document), learner_id, Document.order_id).order_by(Document.id)


def drafts(learner_id: int) -> ExportedTable:
    """What was typed at the checkout and not ordered yet."""
    columns = (CheckoutDraft.values, CheckoutDraft.changed_at.label("changedAt"))
    return select(*columns).where(CheckoutDraft.learner_id == learner_id)


def known_addresses(learner_id: int) -> ExportedTable:
    """What the next checkout begins with."""
    columns = (KnownAddress.values, KnownAddress.ordered_at.label("orderedAt"))
    return select(*columns).where(KnownAddress.learner_id == learner_id)


def _of_orders(query: ExportedTable, learner_id: int, order_id: Any) -> ExportedTable:
    return query.join(Order, Order.id == order_id).where(Order.learner_id == learner_id)


# Name in the exported file -> its rows for a learner.
EXPORTED: Mapping[str, Callable[[int], ExportedTable]] = {
    "enrolments": enrolments,
    "grants": grants,
    "certificates": certificates,
    "gifts": gifts,
    "orders": orders,
    "orderLines": order_lines,
    "parcels": parcels,
    "orderEvents": order_events,
    "refunds": refunds,
    "voucherCodes": voucher_codes,
    "documents": documents,
    "checkoutDraft": drafts,
    "knownAddresses": known_addresses,
}
