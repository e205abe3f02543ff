"""What a refund of lines ends, in words for staff: access, certificates, gifts, voucher codes and coupon uses."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, exists, func, or_, select
from sqlalchemy.orm import Session, aliased

from domain.orders.item_files import DOWNLOAD
from domain.orders.refunds.refund_rows import Part
from domain.tables import (
    Certificate,
    Coupon,
    Enrolment,
    EnrolmentGrant,
    Gift,
    OrderLine,
    Product,
    Reservation,
    VoucherCode,
)
from domain.text_direction import isolated


def ends_with(session: Session, lines: Sequence[OrderLine], parts: Sequence[Part], at: datetime) -> list[str]:
    """What ends with a refund of these parts, in sentences. `lines`: all of the order. A line of which units are left
    loses only codes of vouchers. Reads what `fulfilment.take_back` and `fulfilment.void_codes` write."""
    back = [part.line.id for part in parts if _is_whole(part)]
    units = {part.line.id: part.share.quantity for part in parts if not _is_whole(part)}
    return [
        *_access(session, back, at),
        *_downloads(lines, back),
        *_gifts(session, back),
        *_voucher_codes(session, back, units),
        *_coupon_uses(session, lines, back),
    ]


def _is_whole(part: Part) -> bool:
    return part.line.refunded_quantity + part.share.quantity == part.line.quantity


def _access(session: Session, back: Collection[int], at: datetime) -> Iterable[str]:
    """A course stays open, with its certificate, while another grant gives access to it."""
    is_ending = _of_lines(EnrolmentGrant, back)
    other = aliased(EnrolmentGrant)
    is_active = (other.ended_at.is_(None), or_(other.until.is_(None), other.until > at))
    stays = exists().where(other.enrolment_id == Enrolment.id, ~_of_lines(other, back), *is_active)
    is_certified = exists().where(Certificate.enrolment_id == Enrolment.id, Certificate.revoked_at.is_(None))
    query = (
        select(Product.name, stays, is_certified)
        .join(Enrolment, Enrolment.product_id == Product.id)
        .join(EnrolmentGrant, EnrolmentGrant.enrolment_id == Enrolment.id)
        .where(is_ending, EnrolmentGrant.ended_at.is_(None))
        .order_by(EnrolmentGrant.id)
    )
    for name, is_kept, has_certificate in session.execute(query):
        if is_kept:
            yield f"Access to {isolated(name)} stays: it has another source."
            continue
        yield f"Access to {isolated(name)} ends."
        if has_certificate:
            yield f"The certificate of {isolated(name)} is revoked."


def _of_lines(grant: type[EnrolmentGrant], line_ids: Collection[int]) -> ColumnElement[bool]:
    gifts = select(Gift.id).where(Gift.order_line_id.in_(line_ids))
    was_bought = (grant.source == "order") & grant.source_id.in_(line_ids)
    return was_bought | ((grant.source == "gift") & grant.source_id.in_(gifts))


def _downloads(lines: Sequence[OrderLine], back: Collection[int]) -> Iterable[str]:
    for line in lines:
        if line.id in back and line.fulfilment == DOWNLOAD and line.ended_at is None:
            yield f"The files of {isolated(line.name)} can no longer be downloaded."


def _gifts(session: Session, back: Collection[int]) -> Iterable[str]:
    query = select(Product.name, Gift.state).join(Product, Product.id == Gift.product_id)
    is_open = (Gift.order_line_id.in_(back), Gift.state != "returned")
    for name, state in session.execute(query.where(*is_open).order_by(Gift.id)):
        yield f"The gift of {isolated(name)} is taken back{', although it was claimed' if state == 'claimed' else ''}."


def _voucher_codes(session: Session, back: Collection[int], units: Mapping[int, int]) -> Iterable[str]:
    """All codes of whole lines, and of the others as many as units go back, the unused ones first."""
    unused = func.sum(VoucherCode.used_at.is_(None), type_=VoucherCode.number.type)
    query = select(OrderLine.id, OrderLine.name, func.count(VoucherCode.id), unused).join(
        OrderLine, OrderLine.id == VoucherCode.line_id
    )
    is_valid = (VoucherCode.line_id.in_({*back, *units}), VoucherCode.void_at.is_(None))
    rows = session.execute(query.where(*is_valid).group_by(OrderLine.id, OrderLine.name))
    for line_id, name, valid, unused_codes in rows:
        codes, left = min(valid, units.get(line_id, valid)), int(unused_codes or 0)
        ending = min(left, codes)
        if ending:
            yield f"{_count(ending, 'unused code')} of {isolated(name)} can no longer be used."
        if codes > ending:
            used = f"{_count(codes - ending, 'code')} of {isolated(name)}"
            yield f"{used} {'was' if codes - ending == 1 else 'were'} used already."


def _coupon_uses(session: Session, lines: Sequence[OrderLine], back: Collection[int]) -> Iterable[str]:
    """The coupon of the whole cart goes with the last line that it lowered (`reservations.release_order`)."""
    if not back:
        return
    lowered = [line for line in lines if line.cart_code and line.ended_at is None]
    is_last = all(line.id in back or line.refunded_quantity >= line.quantity for line in lowered)
    of_lines = Reservation.line_id.in_(back)
    is_released = or_(of_lines, Reservation.line_id.is_(None)) if is_last else of_lines
    query = select(Coupon.display_code, func.count(Reservation.id)).join(Coupon, Coupon.id == Reservation.resource_id)
    is_use = (Reservation.kind == "coupon", Reservation.order_id == lines[0].order_id, is_released)
    for code, uses in session.execute(query.where(*is_use).group_by(Coupon.id, Coupon.display_code)):
        yield f"{_count(uses, 'use')} of the coupon {isolated(code)} can be made again."


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
