"""The lines of an order as its learner sees them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from domain.documents.tax_sums import line_taxes
from domain.learning.gifts import sending as gift_sending
from domain.orders.parcels import PackedLine, packed_lines, units_to_send
from domain.orders.views.line_parts import LineParts, line_parts
from domain.orders.views.offers import UnusedOffers
from domain.orders.views.records import GiftView, LineParcelView, LineTaxView, LineView, StepView
from domain.orders.views.state_texts import gift_text
from domain.tables import Gift, Order, OrderLine


def line_views(
    session: Session, order: Order, lines: Sequence[OrderLine], offers: UnusedOffers, at: datetime
) -> tuple[LineView, ...]:
    parts = line_parts(session, order, lines)
    sent = [line.id for line in lines if line.shipped_quantity]
    packed = packed_lines(session, sent) if sent else []
    views = (_line(line, parts, offers, at) for line in lines)
    return tuple(replace(view, **_goods(order, line, packed)) for view, line in zip(views, lines, strict=True))


def _goods(order: Order, line: OrderLine, packed: Sequence[PackedLine]) -> dict[str, Any]:
    """What is to send of a line and what was sent; `packed`: of all lines."""
    return {
        "to_send": units_to_send(line) if order.state == "paid" else 0,
        "parcels": tuple(_parcel(entry) for entry in packed if entry.line_id == line.id),
    }


def _parcel(entry: PackedLine) -> LineParcelView:
    row = entry.parcel
    return LineParcelView(row.number, entry.quantity, row.carrier, row.tracking, row.shipped_at, row.delivered_at)


def _line(line: OrderLine, parts: LineParts, offers: UnusedOffers, at: datetime) -> LineView:
    return LineView(
        number=line.number,
        kind=line.kind,
        name=line.name,
        product=None if line.product_id is None else parts.products.get(line.product_id),
        sku=line.sku,
        fulfilment=line.fulfilment,
        quantity=line.quantity,
        list_price=line.list_minor,
        unit_price=line.unit_minor,
        net=line.net_minor,
        tax=line.tax_minor,
        total=line.total_minor,
        steps=tuple(map(_step, line.steps)),
        unused_offers=offers.of_product(line.product_id),
        taxes=tuple(LineTaxView(tax.label, tax.percent, tax.minor) for tax in line_taxes(line.taxes)),
        refunded=line.refunded_minor,
        refunded_quantity=line.refunded_quantity,
        shipped_at=line.shipped_at,
        delivered_at=line.delivered_at,
        to_send=0,
        parcels=(),
        ended_at=line.ended_at,
        voucher_codes=tuple(parts.voucher_codes.get(line.id, ())),
        files=tuple(parts.files.get(line.number, ())),
        courses=tuple(parts.courses.get(line.id, ())),
        gift=None if line.gift is None else _gift(line.gift, parts.gifts.get(line.id), at),
    )


def _step(step: Mapping[str, Any]) -> StepView:
    included = int(step.get("included_minor", 0))
    return StepView(step["step"], step["name"], step["change_minor"], step["total_minor"], included)


def _gift(gift: Mapping[str, Any], row: Gift | None, at: datetime) -> GiftView:
    """`row`: of the paid order; None before."""
    send_at = gift.get("send_at")
    view = GiftView(
        recipient_email=str(gift.get("recipient_email", "")),
        message=str(gift.get("message", "")),
        send_at=datetime.fromisoformat(send_at) if send_at else None,
    )
    if row is None:
        return view
    can_send = gift_sending.first_refusal(row, at) is None
    text = gift_text(row, at, has_day=view.send_at is not None)
    return replace(view, state_text=text, claimed_at=row.claimed_at, can_send_again=can_send)
