"""Refunds of lines that staff make in their area: shown first, then made exactly as shown, within their limits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain import money
from domain.audit import recording
from domain.audit.recording import Subject
from domain.errors import Refused
from domain.money import Currency
from domain.orders.lines import lines_of
from domain.orders.locks import OrderRef, lock_order
from domain.orders.refund_rules import first_refusal
from domain.orders.refunds import by_staff, refund_effects, staff_limits
from domain.orders.refunds.by_staff import StaffRefund
from domain.orders.refunds.purchases import purchases, requested_units
from domain.orders.refunds.refund_rows import Part, require_of_order
from domain.orders.refunds.shares import share_of
from domain.orders.refunds.staff_limits import Authority
from domain.orders.settings import Context
from domain.reservations import orders as reservation_orders
from domain.tables import Order, OrderLine, Refund
from domain.text_direction import isolated

AMOUNT_CHANGED = "The amount has changed meanwhile. Look at it again."


@dataclass(frozen=True)
class LineToRefund:
    """`quantity`: units that can be refunded; `amount_minor`: what they are worth together. `refusal`: why a learner
    could not ask for it any more, None while they can; `is_requested`: a request about units of it waits;
    `can_restock`: what goes back can be for sale again."""

    number: int
    name: str
    quantity: int
    amount_minor: int
    refusal: str | None
    is_requested: bool
    can_restock: bool


@dataclass(frozen=True)
class AreaRefund:
    """`units`: line number -> units, at least 1; {}: all lines. `form_key`: of the form; the same one refunds once.
    `amount_minor`: what was shown, and the only amount that is refunded."""

    units: Mapping[int, int]
    reason: str
    form_key: str
    amount_minor: int
    keeps_access: bool = False
    restocks: bool = False


@dataclass(frozen=True)
class RefundPreview:
    """`lines`: what goes back, delivery too: name, units, amount in minor units. `ends`: in words. `not_back`: as
    `lines`, what of a request does not go back."""

    amount_minor: int
    currency: str
    lines: tuple[tuple[str, int, int], ...]
    ends: tuple[str, ...] = field(default_factory=tuple)
    not_back: tuple[tuple[str, int, int], ...] = ()


def refundable_lines(session: Session, order_id: int, context: Context) -> list[LineToRefund]:
    """The lines of a paid order of which units are left; [] for an order in another state."""
    order = session.get_one(Order, order_id)
    if order.state != "paid":
        return []
    lines, currency = lines_of(session, order.id), money.currency(order.currency)
    requested, refusals = requested_units(session, order.id), _refusals(session, order, lines, context)
    limited = reservation_orders.restockable(session, order.id)
    return [
        _line(line, requested[line.id], refusals.get(line.number), currency, can_restock=line.id in limited)
        for line in lines
        if line.refunded_quantity < line.quantity
    ]


def ends_something(session: Session, order_id: int, context: Context) -> bool:
    """Whether a refund of what is left of a paid order can end anything, so that staff can let it stay valid."""
    lines, currency = lines_of(session, order_id), money.currency(session.get_one(Order, order_id).currency)
    units = {line.number: left for line in lines if (left := line.quantity - line.refunded_quantity)}
    parts = [Part(line, share_of(line, units[line.number], currency)) for line in lines if line.number in units]
    return refund_effects.ends_with(session, lines, parts, context.at) != []


def units_left(session: Session, order_id: int, context: Context) -> dict[int, int]:
    """All that can be refunded of a paid order: units by the numbers of its lines, without those about which a request
    waits."""
    return {line.number: line.quantity for line in refundable_lines(session, order_id, context) if line.quantity}


def _line(
    line: OrderLine, requested: int, refusal: str | None, currency: Currency, *, can_restock: bool
) -> LineToRefund:
    left = line.quantity - line.refunded_quantity - requested
    return LineToRefund(
        number=line.number,
        name=f"Delivery: {isolated(line.name)}" if line.kind == "delivery" else line.name,
        quantity=left,
        amount_minor=share_of(line, left, currency).amount_minor,
        refusal=refusal,
        is_requested=requested > 0,
        can_restock=can_restock,
    )


def _refusals(session: Session, order: Order, lines: Sequence[OrderLine], context: Context) -> dict[int, str | None]:
    """Why each line cannot be refunded, by its number; None: it can."""
    return {line.number: first_refusal(purchase, context) for line, purchase in purchases(session, order, lines)}


def preview(
    session: Session, ref: OrderRef, units: Mapping[int, int], keeps_access: bool, context: Context
) -> RefundPreview:
    """What a refund of these units sends and ends; nothing is changed. Raises Refused as the refund would."""
    order = session.get_one(Order, ref.id)
    by_staff.require_paid(order)
    lines = lines_of(session, order.id)
    parts = by_staff.parts_to_refund(session, lines, dict(units), money.currency(order.currency))
    return RefundPreview(
        amount_minor=sum(part.share.amount_minor for part in parts),
        currency=order.currency,
        lines=tuple((part.line.name, part.share.quantity, part.share.amount_minor) for part in parts),
        ends=() if keeps_access else tuple(refund_effects.ends_with(session, lines, parts, context.at)),
    )


def refund_as_staff(
    session: Session, ref: OrderRef, refund: AreaRefund, authority: Authority, context: Context
) -> Refund:
    """Refund what a form has shown, recorded; a known key changes nothing. Raises Refused, also when the amount is
    another by now, and RecentSignInRequired."""
    order = lock_order(session, ref.learner_id, ref.id)
    if (known := session.scalar(select(Refund).where(Refund.form_key == refund.form_key))) is not None:
        recording.no_change(session)
        return require_of_order(known, order)
    staff_limits.require_other(authority, order)
    before = order.refunded_minor
    refusals = _refusals(session, order, lines_of(session, order.id), context)
    staff_limits.require_in_terms(authority, refund.units, refusals)
    row = by_staff.refund_order(session, ref, _staff_refund(refund, authority.actor), context)
    if row.amount_minor != refund.amount_minor:
        raise Refused(AMOUNT_CHANGED)
    staff_limits.require_within_limit(authority, before + row.amount_minor, money.currency(order.currency), context)
    _record(session, order, row, refund, before)
    return row


def _staff_refund(refund: AreaRefund, actor: str) -> StaffRefund:
    return StaffRefund(
        actor,
        refund.reason,
        units=dict(refund.units),
        keeps_access=refund.keeps_access,
        restocks=refund.restocks,
        form_key=refund.form_key,
    )


def _record(session: Session, order: Order, row: Refund, refund: AreaRefund, before: int) -> None:
    units = {str(number): quantity for number, quantity in refund.units.items()}
    after = {"refunded_minor": before + row.amount_minor, "refund": row.number, "units": units}
    after |= {"keeps_access": refund.keeps_access, "restocks": refund.restocks}
    subject = Subject("order", order.code)
    recording.record(
        session, "order.refund", subject, before={"refunded_minor": before}, after=after, reason=refund.reason
    )
