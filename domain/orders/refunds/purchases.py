"""Reads what the rules of refunds need to know of the lines of an order."""

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, func, select, union
from sqlalchemy.orm import Session

from domain.orders.refund_rules import KIND_OF_FULFILMENT, Kind, PurchasedLine, kind_terms
from domain.seats import orders as seat_orders
from domain.tables import (
    Certificate,
    CourseClosure,
    Enrolment,
    EnrolmentGrant,
    Gift,
    Order,
    OrderLine,
    Product,
    Refund,
    RefundLine,
    VoucherCode,
)


def purchases(session: Session, order: Order, lines: Sequence[OrderLine]) -> list[tuple[OrderLine, PurchasedLine]]:
    """The products and seats among the lines of a paid order, each with what the rules need."""
    lines = [line for line in lines if line.kind in ("product", seat_orders.KIND)]
    requested, used = requested_units(session, order.id), _used_codes(session, lines)
    certified, withdrawn = _that_opened(session, lines, _is_certified()), _withdrawn(session, lines)
    closed = _that_opened(session, lines, _is_closed())
    return [
        (
            line,
            PurchasedLine(
                kind=_kind_of(line),
                terms=kind_terms(order.refund_terms, _kind_of(line)),
                paid_at=order.paid_at or order.placed_at,
                quantity=line.quantity,
                refunded=line.refunded_quantity,
                requested=requested[line.id],
                used=_assigned(session, line) if line.kind == seat_orders.KIND else used[line.id],
                delivered_at=line.delivered_at,
                withdrawn_at=withdrawn.get(line.product_id or 0),
                withdrawn_days=order.refund_terms.get("withdrawn_days", 0),
                has_certificate=line.id in certified,
                is_closed=line.id in closed,
            ),
        )
        for line in lines
    ]


def _kind_of(line: OrderLine) -> Kind:
    return "seats" if line.kind == seat_orders.KIND else KIND_OF_FULFILMENT[line.fulfilment]


def _assigned(session: Session, line: OrderLine) -> int:
    """Seats of the line that no refund could take now."""
    return line.quantity - line.refunded_quantity - seat_orders.free_of(session, line)


def requested_units(session: Session, order_id: int) -> Counter[int]:
    """By line: units about which a person has to decide."""
    columns = select(RefundLine.line_id, func.sum(RefundLine.quantity)).join(Refund, Refund.id == RefundLine.refund_id)
    is_open = (Refund.order_id == order_id, Refund.state == "requested")
    rows = session.execute(columns.where(*is_open).group_by(RefundLine.line_id))
    return Counter({line_id: int(units) for line_id, units in rows})


def set_aside_units(session: Session, line_id: int) -> int:
    """Units of a line of which a refund waits for a decision, or was approved and is not accepted yet."""
    is_open = (RefundLine.line_id == line_id, Refund.state.in_(("requested", "approved", "sent")))
    counted = select(func.coalesce(func.sum(RefundLine.quantity), 0)).join(Refund, Refund.id == RefundLine.refund_id)
    return int(session.scalars(counted.where(*is_open)).one())


def _used_codes(session: Session, lines: Sequence[OrderLine]) -> Counter[int]:
    is_used = (VoucherCode.line_id.in_(_ids(lines)), VoucherCode.used_at.is_not(None))
    columns = select(VoucherCode.line_id, func.count(VoucherCode.id).label("units"))
    query = columns.where(*is_used).group_by(VoucherCode.line_id)
    return Counter({row.line_id: row.units for row in session.execute(query)})


def _that_opened(session: Session, lines: Sequence[OrderLine], condition: ColumnElement[bool]) -> Collection[int]:
    """The lines that gave access, to the buyer or by a gift, to a course of whose enrolment the condition is true."""
    bought = (
        select(EnrolmentGrant.source_id)
        .join(Enrolment, Enrolment.id == EnrolmentGrant.enrolment_id)
        .where(EnrolmentGrant.source == "order", EnrolmentGrant.source_id.in_(_ids(lines)), condition)
    )
    given = (
        select(Gift.order_line_id)
        .join(EnrolmentGrant, (EnrolmentGrant.source == "gift") & (EnrolmentGrant.source_id == Gift.id))
        .join(Enrolment, Enrolment.id == EnrolmentGrant.enrolment_id)
        .where(Gift.order_line_id.in_(_ids(lines)), condition)
    )
    return set(session.scalars(union(bought, given)))


def _is_certified() -> ColumnElement[bool]:
    """Revoked certificates count: what they say was learnt was learnt."""
    return select(Certificate.id).where(Certificate.enrolment_id == Enrolment.id).exists()


def _withdrawn(session: Session, lines: Sequence[OrderLine]) -> dict[int, datetime]:
    retired = func.coalesce(Product.retired_at, Product.updated_at, type_=Product.updated_at.type)
    columns = select(Product.id, retired.label("retired"))
    ids = [line.product_id for line in lines]
    rows = session.execute(columns.where(Product.id.in_(ids), Product.status == "retired"))
    return {row.id: row.retired for row in rows}


def _is_closed() -> ColumnElement[bool]:
    """Access to the course ends or has ended for legal reasons."""
    closed = select(CourseClosure.course_id).where(CourseClosure.cancelled_at.is_(None))
    return Enrolment.product_id.in_(closed)


def _ids(lines: Sequence[OrderLine]) -> list[int]:
    return [line.id for line in lines]
