"""An order as its learner sees it, in a number of statements that does not grow with its lines."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain import money
from domain.documents.body import title_of
from domain.documents.e_invoice import STRUCTURED
from domain.documents.postal_lines import postal_lines
from domain.documents.readable_documents import documents_of
from domain.documents.tax_sums import NO_TAX, line_taxes, sums_by_rate
from domain.orders import events
from domain.orders.closing import awaits_transfer
from domain.orders.lines import lines_of
from domain.orders.refunds.in_part import declined_of
from domain.orders.refunds.refund_rows import refunds_of
from domain.orders.refunds.refundable import refund_offer
from domain.orders.settings import DEFAULT_SETTINGS, Context, OrderSettings
from domain.orders.transfers import transfer_view
from domain.orders.views.event_texts import event_views
from domain.orders.views.lines import line_views
from domain.orders.views.offers import unused_offers
from domain.orders.views.records import (
    DocumentView,
    LineView,
    OrderView,
    PaymentView,
    RefundLineView,
    RefundView,
    Returned,
    TaxView,
    TotalsView,
)
from domain.orders.views.state_texts import FAILED, failure_text, payment_text, reason_text, refund_text, state_text
from domain.orders.views.status import own_order, payable, payments_of
from domain.tables import DeclinedPart, Document, Order, OrderLine, Payment, Refund, RefundLine
from domain.text_direction import isolated


def order_view(
    session: Session, learner_id: int, code: str, at: datetime, settings: OrderSettings = DEFAULT_SETTINGS
) -> OrderView:
    """Raises NotFound for an unknown order and for that of somebody else alike."""
    order = own_order(session, learner_id, code)
    lines, payments, refunds = (
        lines_of(session, order.id),
        payments_of(session, order.id),
        refunds_of(session, order.id),
    )
    can_pay = payable(order, payments, at, settings)
    transfer = transfer_view(session, order, payments, settings.bank, settings.locale)
    returned = [Returned(refund.reason, refund.state) for refund in refunds]
    text = state_text(order, returned, can_pay=can_pay, transfer=transfer)
    is_awaited = awaits_transfer(order, payments)
    parts = _refund_parts(session, refunds)
    owed = _owed_of_lines(refunds, parts, lines)
    offers = unused_offers(order.quote, money.currency(order.currency))
    return OrderView(
        code=order.code,
        state=order.state,
        state_text=text.text,
        next_step=text.next_step,
        tone=text.tone,
        is_disputed=order.disputed_at is not None,
        can_pay=can_pay,
        can_cancel=order.state == "placed" or is_awaited,
        currency=order.currency,
        placed_at=order.placed_at,
        paid_at=order.paid_at,
        ended_at=order.ended_at,
        reserved_until=order.reserved_until,
        price_mode=order.price_mode,
        tax_kind=order.tax_kind,
        totals=_totals(order, sum(owed.values())),
        taxes=_taxes(order, lines),
        lines=_with_owed(line_views(session, order, lines, offers, at), owed),
        unused_offers=offers.of_cart,
        email=order.email,
        vat_id=str(order.billing.get("vat_id", "")),
        purchase_order=order.purchase_order,
        quote_number=order.quote_number,
        billing=tuple(postal_lines(order.billing)),
        delivery=None if order.delivery is None else tuple(postal_lines(order.delivery)),
        payments=tuple(_payment(payment, refunds) for payment in payments),
        refunds=_refunds(refunds, (parts, _declined_parts(session, refunds)), {line.id: line for line in lines}),
        documents=tuple(_document(row) for row in documents_of(session, order.id)),
        events=event_views(order, events.timeline(session, order.id), settings.locale),
        refund_offer=refund_offer(session, order, Context(at, settings)) if order.state == "paid" else None,
        transfer=transfer if is_awaited else None,
    )


def _document(row: Document) -> DocumentView:
    title = title_of(row.kind, row.body["total_minor"])
    return DocumentView(row.kind, title, row.number, row.issued_at, STRUCTURED in row.body)


def _totals(order: Order, owed: int) -> TotalsView:
    return TotalsView(
        subtotal=order.subtotal_minor,
        discount=order.discount_minor,
        delivery=order.delivery_minor,
        tax=order.tax_minor,
        total=order.total_minor,
        refunded=order.refunded_minor - owed,
        owed=owed,
    )


def _taxes(order: Order, lines: Sequence[OrderLine]) -> tuple[TaxView, ...]:
    """As the invoice sums them, but without those of nothing."""
    sums = sums_by_rate([(line.net_minor, line_taxes(line.taxes)) for line in lines], NO_TAX)
    return tuple(TaxView(row.label, row.percent, row.tax_minor, row.net_minor) for row in sums if row.tax_minor)


def _payment(payment: Payment, refunds: Sequence[Refund]) -> PaymentView:
    owed = sum(row.amount_minor for row in refunds if row.payment_id == payment.id and row.state == FAILED)
    return PaymentView(
        number=payment.number,
        state=payment.state,
        state_text=payment_text(payment, owed),
        method=payment.method,
        amount=payment.amount_minor,
        refunded=payment.refunded_minor - owed,
        at=payment.created_at,
        paid_at=payment.paid_at,
        failure=failure_text(payment),
    )


def _refund_parts(session: Session, refunds: Sequence[Refund]) -> list[RefundLine]:
    """The lines of all refunds, in the order of the lines of the order."""
    query = select(RefundLine).where(RefundLine.refund_id.in_([refund.id for refund in refunds]))
    return list(session.scalars(query.order_by(RefundLine.refund_id, RefundLine.line_id))) if refunds else []


def _declined_parts(session: Session, refunds: Sequence[Refund]) -> Sequence[DeclinedPart]:
    """What is not given back is answered: most orders have none."""
    return declined_of(session, [refund.id for refund in refunds if refund.answer])


def _owed_of_lines(
    refunds: Sequence[Refund], parts: Sequence[RefundLine], lines: Sequence[OrderLine]
) -> Mapping[int, int]:
    """What was to go back and did not arrive, by the number of the line."""
    failed = {refund.id for refund in refunds if refund.state == FAILED}
    numbers = {line.id: line.number for line in lines}
    owed: dict[int, int] = defaultdict(int)
    for part in parts:
        if part.refund_id in failed:
            owed[numbers[part.line_id]] += part.amount_minor
    return owed


def _with_owed(lines: Sequence[LineView], owed: Mapping[int, int]) -> tuple[LineView, ...]:
    return tuple(
        replace(line, refunded=line.refunded - owed[line.number], owed=owed[line.number])
        if line.number in owed
        else line
        for line in lines
    )


def _refunds(
    refunds: Sequence[Refund],
    parts: tuple[Sequence[RefundLine], Sequence[DeclinedPart]],
    lines: Mapping[int, OrderLine],
) -> tuple[RefundView, ...]:
    """`parts`: what goes back, and what was asked for and does not."""
    back, not_back = (_line_views(rows, lines) for rows in parts)
    return tuple(_refund(refund, back[refund.id], not_back[refund.id]) for refund in refunds)


def _line_views(
    parts: Sequence[RefundLine] | Sequence[DeclinedPart], lines: Mapping[int, OrderLine]
) -> Mapping[int, tuple[RefundLineView, ...]]:
    """By the refund."""
    views: dict[int, tuple[RefundLineView, ...]] = defaultdict(tuple)
    for part in parts:
        line = lines[part.line_id]
        name = f"Delivery: {isolated(line.name)}" if line.kind == "delivery" else line.name
        views[part.refund_id] += (RefundLineView(line.number, name, part.quantity, part.amount_minor),)
    return views


def _refund(refund: Refund, lines: tuple[RefundLineView, ...], not_back: tuple[RefundLineView, ...]) -> RefundView:
    return RefundView(
        number=refund.number,
        state=refund.state,
        state_text=refund_text(refund, is_in_part=bool(not_back)),
        reason=refund.reason,
        reason_text=reason_text(refund),
        note=refund.note if refund.reason == "request" else "",
        amount=refund.amount_minor,
        lines=lines,
        not_back=not_back,
        answer=refund.answer,
        at=refund.requested_at,
        changed_at=refund.changed_at,
    )
