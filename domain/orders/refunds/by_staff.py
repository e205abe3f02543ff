"""Refunds by staff: of whole lines, of units, or of an amount; and their decisions about requests of learners, which
are approved as they are or in part, or declined."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sqlalchemy import delete
from sqlalchemy.orm import Session

from contracts.tasks import OutboxKind
from domain import money
from domain.database.database import affected_rows
from domain.errors import InvalidInput, NotFound, Refused
from domain.money import Currency
from domain.orders import events, notices
from domain.orders.lines import lines_of
from domain.orders.locks import OrderRef, lock_order
from domain.orders.refund_rules import first_refusal
from domain.orders.refunds import gateway_results, in_part, requests
from domain.orders.refunds.chosen import parts_of_units
from domain.orders.refunds.in_part import ChosenPart, Divided
from domain.orders.refunds.purchases import purchases, requested_units
from domain.orders.refunds.refund_rows import Part, RefundTerms, insert_with_lines, parts_of, payment_of, refunds_of
from domain.orders.refunds.shares import share_of_amount
from domain.orders.settings import Context
from domain.tables import Order, OrderLine, Refund, RefundLine
from domain.tables.commerce.orders import MAX_ANSWER
from domain.text_direction import isolated

REFUNDED_MEANWHILE = "Part of this was refunded meanwhile. Decline the request."


@dataclass(frozen=True)
class StaffRefund:
    """`units`: line number -> units, None for all that are left; {}: all lines. `amount`: of one line, as decimal text;
    access is kept then. `is_manual`: the money is paid back outside the gateway. `actor` as in order events.
    `form_key`: of the form in the area for staff. `overrules`: a request is approved against the rules of refunds.
    `part`: what goes back of a request that is approved in part."""

    actor: str
    reason: str
    units: Mapping[int, int | None] = field(default_factory=dict)
    amount: str | None = None
    keeps_access: bool = False
    restocks: bool = False
    is_manual: bool = False
    form_key: str | None = None
    overrules: bool = False
    part: ChosenPart | None = None


def refund_order(session: Session, ref: OrderRef, refund: StaffRefund, context: Context) -> Refund:
    """Refund what is named. Raises Refused for more than is left, and while a request for the same units is open."""
    order = lock_order(session, ref.learner_id, ref.id)
    require_paid(order)
    lines = lines_of(session, order.id)
    if refund.amount is not None:
        parts = _amount_part(order, lines, refund)
    else:
        parts = parts_to_refund(session, lines, refund.units, money.currency(order.currency))
    terms = RefundTerms("staff", refund.actor, payment_of(session, order), refund.reason, form_key=refund.form_key)
    terms = replace(terms, keeps_access=refund.keeps_access or refund.amount is not None, restocks=refund.restocks)
    row = insert_with_lines(session, order, parts, terms, context.at)
    _approve(session, order, row, refund, context)
    return row


def require_paid(order: Order) -> None:
    """Raises Refused."""
    if order.state != "paid":
        raise Refused(f"This order is {order.state}: only what was paid can be refunded.")


def _approve(session: Session, order: Order, row: Refund, refund: StaffRefund, context: Context) -> None:
    approve = requests.approve_manually if refund.is_manual else requests.approve
    approve(session, order, row, refund.actor, context)


def _amount_part(order: Order, lines: Sequence[OrderLine], refund: StaffRefund) -> list[Part]:
    if len(refund.units) != 1 or any(refund.units.values()):
        raise Refused("An amount is refunded of one line: name it, without a quantity.")
    line = _line(lines, next(iter(refund.units)))
    currency = money.currency(order.currency)
    try:
        amount_minor = money.to_minor(money.parse(refund.amount or "", currency), currency)
        share = share_of_amount(line, amount_minor, currency)
    except ValueError as error:
        raise Refused(f"The amount cannot be refunded of line {line.number}: {error}.") from None
    if not amount_minor:
        raise Refused("The amount is 0.")
    return [Part(line, share)]


def parts_to_refund(
    session: Session, lines: Sequence[OrderLine], chosen_units: Mapping[int, int | None], currency: Currency
) -> list[Part]:
    """`lines`: all of the order. `chosen_units` as in StaffRefund. Raises Refused for more than is left, and for units
    about which a request is open."""
    requested = requested_units(session, lines[0].order_id)
    units: dict[int, int] = {}
    for number, quantity in (chosen_units or dict.fromkeys(line.number for line in lines)).items():
        line = _line(lines, number)
        left = line.quantity - line.refunded_quantity
        chosen = left if quantity is None else quantity
        if requested[line.id] and chosen > left - requested[line.id]:
            raise Refused(f"Decide about the open request for line {number} first.")
        if chosen > left or (chosen_units and not chosen):
            raise Refused(f"Line {number} has {left} of {line.quantity} left to refund.")
        if chosen:
            units[number] = chosen
    if not units:
        raise Refused("Everything was refunded.")
    return parts_of_units(lines, units, currency)


def _line(lines: Sequence[OrderLine], number: int) -> OrderLine:
    line = next((line for line in lines if line.number == number), None)
    if line is None:
        raise Refused(f"The order has no line {number}.")
    return line


def approve_request(session: Session, ref: OrderRef, number: int, refund: StaffRefund, context: Context) -> Refund:
    """Approve a learner's request, or `refund.part` of it: its units count, its amounts are those of now, and the rules
    of refunds are asked again. What is not given back is declined, and the reason is for the learner. Raises Refused
    where a rule has an objection that `refund` does not overrule; InvalidInput for a part that is none."""
    order, row = lock_request(session, ref, number)
    requests.require_waiting(row)
    divided = divide(session, order, row, refund.part)
    if not refund.overrules:
        require_no_objection(objections(session, order, row, context, divided.numbers))
    if refund.part is not None:
        row.answer = words_to_buyer(refund.reason)
        in_part.insert_declined(session, row, divided.not_back)
        facts = {"refund": row.number, "amount_minor": divided.back_minor, "requested_minor": divided.requested_minor}
        events.append(session, order, "refund_in_part", refund.actor, context.at, facts)
        notices.mail_refund(session, OutboxKind.REFUND_IN_PART, row, context.at)
    _write_parts(session, row, divided.back)
    row.keeps_access, row.restocks = refund.keeps_access, refund.restocks
    _approve(session, order, row, refund, context)
    return row


def divide(session: Session, order: Order, row: Refund, part: ChosenPart | None) -> Divided:
    """What goes back of a request and what does not; `part` None: all of it goes back. Raises Refused, InvalidInput."""
    lines = lines_of(session, order.id)
    try:
        return in_part.divide(lines, requested_of(session, row, lines), part, money.currency(order.currency))
    except ValueError:
        raise Refused(REFUNDED_MEANWHILE) from None


def words_to_buyer(text: str) -> str:
    """Raises InvalidInput for none, and for too many."""
    words = " ".join(text.split())
    if not 0 < len(words) <= MAX_ANSWER:
        raise InvalidInput({"words": f"Tell the buyer why, in at most {MAX_ANSWER} characters."})
    return words


def require_no_objection(found: Sequence[str]) -> None:
    """Raises Refused."""
    if found:
        raise Refused(f"{' '.join(found)} It can be approved all the same, or declined.")


def objections(
    session: Session, order: Order, row: Refund, context: Context, numbers: Collection[int] | None = None
) -> tuple[str, ...]:
    """What the rules of refunds say against a request by now, such as that a certificate was issued meanwhile. Days are
    counted until it was made. `numbers`: of the lines of which something goes back, None: of all. A withdrawal from the
    contract is not measured by them."""
    if row.reason != "request":
        return ()
    asked = Context(row.requested_at, context.settings)
    units = {part.line_id: part.quantity for part in parts_of(session, row) if part.quantity}
    found = []
    for line, bought in purchases(session, order, lines_of(session, order.id)):
        if line.id not in units or (numbers is not None and line.number not in numbers):
            continue
        without = replace(bought, requested=bought.requested - units[line.id])
        refusal = first_refusal(without, asked)
        if refusal is None and units[line.id] > without.units_left:
            refusal = f"Only {without.units_left} of {units[line.id]} can still be returned."
        if refusal is not None:
            found.append(f"{isolated(line.name)}: {refusal}")
    return tuple(found)


def decline_request(session: Session, ref: OrderRef, number: int, refund: StaffRefund, context: Context) -> Refund:
    order, row = lock_request(session, ref, number)
    requests.require_waiting(row)
    row.answer = words_to_buyer(refund.reason)
    requests.decline(session, order, row, refund.actor, context.at)
    return row


def lock_request(session: Session, ref: OrderRef, number: int) -> tuple[Order, Refund]:
    order = lock_order(session, ref.learner_id, ref.id)
    return order, find_refund(session, order.id, number)


def find_refund(session: Session, order_id: int, number: int) -> Refund:
    """Raises NotFound."""
    row = next((refund for refund in refunds_of(session, order_id) if refund.number == number), None)
    if row is None:
        raise NotFound(f"The order has no refund {number}.")
    return row


def requested_of(session: Session, row: Refund, lines: Sequence[OrderLine]) -> dict[int, int]:
    """Number of a line -> units, of a request."""
    numbers = {line.id: line.number for line in lines if line.kind != "delivery"}
    return {numbers[part.line_id]: part.quantity for part in parts_of(session, row) if part.line_id in numbers}


def _write_parts(session: Session, row: Refund, parts: Sequence[Part]) -> None:
    """The parts of now: others may have been refunded since the request, and delivery goes back with the last goods."""
    affected_rows(session, delete(RefundLine).where(RefundLine.refund_id == row.id))
    session.expire_all()
    for part in parts:
        session.add(RefundLine(refund_id=row.id, line_id=part.line.id, **vars(part.share)))
    row.amount_minor = sum(part.share.amount_minor for part in parts)
    row.tax_minor = sum(part.share.tax_minor for part in parts)
    session.flush()


def pay_failed_manually(session: Session, ref: OrderRef, refund: StaffRefund, context: Context) -> list[Refund]:
    """The money of the order's failed refunds was paid back outside the gateway. [] when none has failed."""
    order = lock_order(session, ref.learner_id, ref.id)
    failed = [row for row in refunds_of(session, order.id) if row.state == "failed"]
    for row in failed:
        row.note = "\n".join(filter(None, (row.note, refund.reason)))
        gateway_results.pay_manually(session, order, row, refund.actor, context)
    return failed
