"""Requests of learners for refunds as staff see them in their area, and their decisions, within their limits."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain import money
from domain.audit import recording
from domain.audit.recording import Subject
from domain.display_text import moment_text, money_text
from domain.errors import Conflict, NotFound, Refused
from domain.orders import events
from domain.orders.lines import lines_of
from domain.orders.locks import OrderRef
from domain.orders.refunds import by_staff, in_part, refund_effects, staff_limits
from domain.orders.refunds.by_staff import StaffRefund
from domain.orders.refunds.chosen import parts_of_units
from domain.orders.refunds.in_part import ChosenPart
from domain.orders.refunds.refund_rows import refunds_of
from domain.orders.refunds.staff_limits import Authority
from domain.orders.refunds.staff_refunds import AMOUNT_CHANGED, RefundPreview
from domain.orders.settings import Context
from domain.reservations import orders as reservation_orders
from domain.tables import Learner, Order, OrderEvent, OrderLine, Refund
from domain.tables.commerce.orders import MAX_ANSWER
from domain.text_direction import isolated

MAX_WORDS = MAX_ANSWER
# Events of a request that was decided.
DECISIONS = ("refund_in_part", "refund_approved", "refund_paid_manually", "refund_declined")


@dataclass(frozen=True)
class OpenRequest:
    """`lines`: name, units, amount in minor units; delivery goes back with the last of the goods. `products`: number,
    units and amount of the others. `ends`: in sentences.
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
    products: tuple[tuple[int, int, int], ...] = ()


@dataclass(frozen=True)
class StaffDecision:
    """About the request `number` of an order. `words`: for the buyer, of one that is declined or approved in part; else
    for the record. `part`: what goes back of one that is approved in part.
    `amount_minor`: what was shown, and the only amount that is refunded. `overrules`: against the objections that were
    shown."""

    number: int
    words: str
    amount_minor: int | None = None
    keeps_access: bool = False
    restocks: bool = False
    overrules: bool = False
    part: ChosenPart | None = None


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
        products=tuple(
            (part.line.number, part.share.quantity, part.share.amount_minor)
            for part in parts
            if part.line.kind != "delivery"
        ),
    )


def preview_approval(session: Session, ref: OrderRef, decision: StaffDecision, context: Context) -> RefundPreview:
    """What the approval of a request, or of a part of it, sends and ends; nothing is changed. Raises NotFound, Refused,
    Conflict, InvalidInput as the approval would."""
    order = session.get_one(Order, ref.id)
    row = _require_request(by_staff.find_refund(session, order.id, decision.number))
    if row.state != "requested":
        raise _decided(session, row, context)
    if decision.part is not None:
        return _preview_part(session, order, row, decision, context)
    request = _open_request(session, order, row, lines_of(session, order.id), context)
    if request.amount_minor is None:
        raise Refused(by_staff.REFUNDED_MEANWHILE)
    if not decision.overrules:
        by_staff.require_no_objection(request.objections)
    if request.amount_minor != decision.amount_minor:
        raise Refused(AMOUNT_CHANGED)
    ends = () if decision.keeps_access else request.ends
    return RefundPreview(request.amount_minor, order.currency, request.lines, ends)


def _preview_part(
    session: Session, order: Order, row: Refund, decision: StaffDecision, context: Context
) -> RefundPreview:
    """Says the amount, which the approval then has to name."""
    by_staff.words_to_buyer(decision.words)
    divided, lines = by_staff.divide(session, order, row, decision.part), lines_of(session, order.id)
    if not decision.overrules:
        by_staff.require_no_objection(by_staff.objections(session, order, row, context, divided.numbers))
    ends = () if decision.keeps_access else tuple(refund_effects.ends_with(session, lines, divided.back, context.at))
    return RefundPreview(
        amount_minor=divided.back_minor,
        currency=order.currency,
        lines=tuple((part.line.name, part.share.quantity, part.share.amount_minor) for part in divided.back),
        ends=ends,
        not_back=tuple((part.line.name, part.quantity, part.amount_minor) for part in divided.not_back),
    )


def approve_as_staff(
    session: Session, ref: OrderRef, decision: StaffDecision, authority: Authority, context: Context
) -> Refund:
    """Approve a request, or a part of it, with the amount that was shown, recorded; what this person has decided so
    already stays as it is. For `Database.write_as`. Raises NotFound, Refused, Conflict, InvalidInput,
    RecentSignInRequired."""
    order, row = _lock(session, ref, decision.number)
    if row.state != "requested":
        is_so = row.state != "declined" and row.amount_minor == decision.amount_minor
        return _decided_so(session, row, authority, context, is_so=is_so)
    staff_limits.require_other(authority, order)
    if decision.overrules and authority.is_limited:
        raise Refused("Finance can approve it against the rules of refunds.")
    before, refund = order.refunded_minor, _refund_of(decision, authority)
    by_staff.approve_request(session, ref, decision.number, refund, context)
    if row.amount_minor != decision.amount_minor:
        raise Refused(AMOUNT_CHANGED)
    staff_limits.require_within_limit(authority, before + row.amount_minor, money.currency(order.currency), context)
    after: dict[str, Any] = {"refunded_minor": before + row.amount_minor, "refund": row.number}
    after |= {"keeps_access": decision.keeps_access, "restocks": decision.restocks}
    if decision.overrules:
        after["overrules"] = True
    if decision.part is not None:
        after["declined_minor"] = sum(part.amount_minor for part in in_part.declined_of(session, [row.id]))
    subject, old = Subject("order", order.code), {"refunded_minor": before}
    action = "order.approve_refund" if decision.part is None else "order.approve_refund_in_part"
    recording.record(session, action, subject, before=old, after=after, reason=decision.words)
    return row


def _decided_so(session: Session, row: Refund, authority: Authority, context: Context, *, is_so: bool) -> Refund:
    """A request of which this person has decided so already: their form was sent twice. Raises Conflict for others."""
    event = _decision_about(session, row)
    if not is_so or event is None or event.actor != authority.actor:
        raise _decided(session, row, context)
    recording.no_change(session)
    return row


def _decision_about(session: Session, row: Refund) -> OrderEvent | None:
    """The first: a refund that failed may be paid by hand later."""
    about = (event for event in events.timeline(session, row.order_id) if event.facts.get("refund") == row.number)
    return next((event for event in about if event.kind in DECISIONS), None)


def _decided(session: Session, row: Refund, context: Context) -> Conflict:
    """Who has decided what about a request, and when."""
    event = _decision_about(session, row)
    if event is None:
        return Conflict(f"This refund is {row.state} already. Load the page again.")
    currency = money.currency(session.scalars(select(Order.currency).where(Order.id == row.order_id)).one())

    def text(minor: int) -> str:
        return money_text(minor, currency, context.settings.locale)

    amount, asked = text(int(event.facts["amount_minor"])), event.facts.get("requested_minor")
    done = f"{amount} was declined" if row.state == "declined" else f"{amount} goes back"
    part = "" if asked is None else f" of {text(int(asked))}"
    by, at = _name_of(session, event.actor), moment_text(event.occurred_at, context.settings.locale)
    return Conflict(f"{by} has decided about this request on {at}: {done}{part}. Load the page again.")


def _name_of(session: Session, actor: str) -> str:
    name = ""
    if actor.startswith(events.STAFF):
        query = select(Learner.name).where(Learner.id == int(actor.removeprefix(events.STAFF)))
        name = session.scalar(query) or ""
    return isolated(name) if name else "Somebody else of the staff"


def decline_as_staff(
    session: Session, ref: OrderRef, decision: StaffDecision, authority: Authority, context: Context
) -> Refund:
    """Decline a request; its buyer gets the words by mail. What this person has declined already stays as it
    is. For `Database.write_as`. Raises NotFound, Refused, Conflict, InvalidInput without words."""
    words = by_staff.words_to_buyer(decision.words)
    order, row = _lock(session, ref, decision.number)
    if row.state != "requested":
        return _decided_so(session, row, authority, context, is_so=row.state == "declined")
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
        part=decision.part,
    )


def _lock(session: Session, ref: OrderRef, number: int) -> tuple[Order, Refund]:
    order, row = by_staff.lock_request(session, ref, number)
    return order, _require_request(row)


def _require_request(row: Refund) -> Refund:
    if row.reason not in ("request", "withdrawal"):
        raise NotFound(f"Nobody has asked for refund {row.number} of this order.")
    return row
