"""Requests of learners for refunds as staff see them in their area, and their decisions, within their limits."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from domain import money
from domain.audit import recording
from domain.audit.recording import Subject
from domain.errors import InvalidInput, NotFound, Refused
from domain.orders.lines import lines_of
from domain.orders.locks import OrderRef
from domain.orders.refunds import by_staff, refund_effects, staff_limits
from domain.orders.refunds.by_staff import StaffRefund
from domain.orders.refunds.chosen import parts_of_units
from domain.orders.refunds.refund_rows import refunds_of
from domain.orders.refunds.staff_limits import Authority
from domain.orders.refunds.staff_refunds import AMOUNT_CHANGED, RefundPreview
from domain.orders.settings import Context
from domain.reservations import orders as reservation_orders
from domain.tables import Order, OrderLine, Refund

MAX_WORDS = 500


@dataclass(frozen=True)
class OpenRequest:
    """`lines`: name, units, amount in minor units; delivery goes back with the last of the goods. `ends`: in sentences.
    `amount_minor` None: part of it was refunded meanwhile, so that it can only be declined. `can_restock`: some of it
    can be for sale again. `objections`: what the rules of refunds say against it by now."""

    number: int
    requested_at: datetime
    note: str
    amount_minor: int | None
    lines: tuple[tuple[str, int, int], ...] = ()
    ends: tuple[str, ...] = ()
    can_restock: bool = False
    objections: tuple[str, ...] = ()


@dataclass(frozen=True)
class StaffDecision:
    """About the request `number` of an order. `words`: for the buyer, of one that is declined; else for the record.
    `amount_minor`: what was shown, and the only amount that is refunded. `overrules`: against the objections that were
    shown."""

    number: int
    words: str
    amount_minor: int | None = None
    keeps_access: bool = False
    restocks: bool = False
    overrules: bool = False


def open_requests(session: Session, order_id: int, context: Context) -> list[OpenRequest]:
    """The oldest first, with the amounts of now."""
    rows = [row for row in refunds_of(session, order_id) if row.state == "requested"]
    lines = lines_of(session, order_id) if rows else []
    order = session.get_one(Order, order_id)
    return [_open_request(session, order, row, lines, context) for row in rows]


def _open_request(
    session: Session, order: Order, row: Refund, lines: Sequence[OrderLine], context: Context
) -> OpenRequest:
    try:
        parts = parts_of_units(lines, by_staff.requested_of(session, row, lines), money.currency(order.currency))
    except ValueError:
        return OpenRequest(row.number, row.requested_at, row.note, amount_minor=None)
    limited = reservation_orders.restockable(session, order.id)
    return OpenRequest(
        number=row.number,
        requested_at=row.requested_at,
        note=row.note,
        amount_minor=sum(part.share.amount_minor for part in parts),
        lines=tuple((part.line.name, part.share.quantity, part.share.amount_minor) for part in parts),
        ends=tuple(refund_effects.ends_with(session, lines, parts, context.at)),
        can_restock=any(part.line.id in limited for part in parts),
        objections=by_staff.objections(session, order, row, context),
    )


def preview_approval(session: Session, ref: OrderRef, decision: StaffDecision, context: Context) -> RefundPreview:
    """What the approval of a request sends and ends; nothing is changed. Raises NotFound, Refused as the approval
    would."""
    order = session.get_one(Order, ref.id)
    row = _require_request(by_staff.find_refund(session, order.id, decision.number))
    if row.state != "requested":
        raise Refused(f"This refund is {row.state} already.")
    request = _open_request(session, order, row, lines_of(session, order.id), context)
    if request.amount_minor is None:
        raise Refused(by_staff.REFUNDED_MEANWHILE)
    if not decision.overrules:
        by_staff.require_no_objection(request.objections)
    if request.amount_minor != decision.amount_minor:
        raise Refused(AMOUNT_CHANGED)
    ends = () if decision.keeps_access else request.ends
    return RefundPreview(request.amount_minor, order.currency, request.lines, ends)


def approve_as_staff(
    session: Session, ref: OrderRef, decision: StaffDecision, authority: Authority, context: Context
) -> Refund:
    """Approve a request with the amount that was shown, recorded; an approved one stays as it is. For
    `Database.write_as`. Raises NotFound, Refused, RecentSignInRequired."""
    order, row = _lock(session, ref, decision.number)
    if row.state not in ("requested", "declined"):
        recording.no_change(session)
        return row
    staff_limits.require_other(authority, order)
    if decision.overrules and authority.is_limited:
        raise Refused("Finance can approve it against the rules of refunds.")
    before, refund = order.refunded_minor, _refund_of(decision, authority)
    by_staff.approve_request(session, ref, decision.number, refund, context)
    if row.amount_minor != decision.amount_minor:
        raise Refused(AMOUNT_CHANGED)
    staff_limits.require_within_limit(authority, before + row.amount_minor, money.currency(order.currency), context)
    after = {"refunded_minor": before + row.amount_minor, "refund": row.number}
    after |= {"keeps_access": decision.keeps_access, "restocks": decision.restocks}
    if decision.overrules:
        after["overrules"] = True
    subject, old = Subject("order", order.code), {"refunded_minor": before}
    recording.record(session, "order.approve_refund", subject, before=old, after=after, reason=decision.words)
    return row


def decline_as_staff(
    session: Session, ref: OrderRef, decision: StaffDecision, authority: Authority, context: Context
) -> Refund:
    """Decline a request; its buyer gets the words by mail. A declined one stays as it is. For `Database.write_as`.
    Raises NotFound, Refused, InvalidInput without words."""
    words = " ".join(decision.words.split())
    if not 0 < len(words) <= MAX_WORDS:
        raise InvalidInput({"words": f"Tell the buyer why, in at most {MAX_WORDS} characters."})
    order, row = _lock(session, ref, decision.number)
    if row.state == "declined":
        recording.no_change(session)
        return row
    staff_limits.require_other(authority, order)
    refund = StaffRefund(authority.actor, words)
    by_staff.decline_request(session, ref, decision.number, refund, context)
    after = {"refund": row.number, "amount_minor": row.amount_minor}
    recording.record(session, "order.decline_refund", Subject("order", order.code), after=after, reason=words)
    return row


def _refund_of(decision: StaffDecision, authority: Authority) -> StaffRefund:
    return StaffRefund(
        authority.actor,
        decision.words,
        keeps_access=decision.keeps_access,
        restocks=decision.restocks,
        overrules=decision.overrules,
    )


def _lock(session: Session, ref: OrderRef, number: int) -> tuple[Order, Refund]:
    order, row = by_staff.lock_request(session, ref, number)
    return order, _require_request(row)


def _require_request(row: Refund) -> Refund:
    if row.reason not in ("request", "withdrawal"):
        raise NotFound(f"Nobody has asked for refund {row.number} of this order.")
    return row
