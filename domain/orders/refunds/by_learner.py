"""Refunds that learners ask for: approved at once where the terms are plain and little is at stake, else a person
decides."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.errors import InvalidInput, NotFound, Refused
from domain.money import currency
from domain.orders import events
from domain.orders.expiry import UNKNOWN_ORDER
from domain.orders.lines import lines_of
from domain.orders.locks import lock_buyer, lock_row
from domain.orders.refund_rules import Confirmation
from domain.orders.refunds import requests
from domain.orders.refunds.chosen import parts_of_units
from domain.orders.refunds.refund_rows import Part, RefundTerms, payment_of, require_of_order
from domain.orders.refunds.refundable import NOT_PAID, RefundableLine, automatic_minor, refundable
from domain.orders.settings import Context
from domain.tables import Order, Refund
from domain.text_direction import isolated

MAX_NOTE_LENGTH = 1000
CHOOSE = "Choose what you want to return."
CONFIRM: Mapping[Confirmation, str] = {
    "deleted": "Confirm that you have deleted your copies.",
    "returned": "Confirm that you return the goods.",
}


@dataclass(frozen=True)
class LearnerRefundRequest:
    """`form_key`: a request with a known key changes nothing. `units`: line number -> units, at least 1."""

    learner_id: int
    code: str
    form_key: str
    units: Mapping[int, int]
    confirmed: frozenset[str] = frozenset()
    note: str = ""


@dataclass(frozen=True)
class RefundDecision:
    """`number`: of the refund in its order. `requested`: a person decides about it."""

    number: int
    state: Literal["approved", "requested"]
    amount_minor: int
    currency: str


def find_order(session: Session, learner_id: int, code: str) -> int:
    """The id of the learner's own order. Read it in a transaction of its own, before the one that locks. Raises
    NotFound for everybody else's orders, as for codes that no order has."""
    query = select(Order.id).where(Order.code == code.upper(), Order.learner_id == learner_id)
    order_id = session.scalar(query)
    if order_id is None:
        raise NotFound(UNKNOWN_ORDER)
    return order_id


def request_refund(session: Session, order_id: int, request: LearnerRefundRequest, context: Context) -> RefundDecision:
    """Write the request and, if nobody has to decide, approve it. Raises Refused, or InvalidInput with the names of the
    form's fields."""
    lock_buyer(session, request.learner_id)
    order = lock_row(session, request.learner_id, order_id)
    if (known := session.scalar(select(Refund).where(Refund.form_key == request.form_key))) is not None:
        return _decision(order, require_of_order(known, order))
    if order.state != "paid":
        raise Refused(NOT_PAID if order.state != "refunded" else "This order was refunded.")
    lines = {line.number: line for line in refundable(session, order, context)}
    _require_valid(request, lines)
    parts = parts_of_units(lines_of(session, order.id), request.units, currency(order.currency))
    limit = automatic_minor(session, order, context)
    terms = RefundTerms(
        "request",
        events.LEARNER,
        payment_of(session, order),
        request.note.strip()[:MAX_NOTE_LENGTH],
        # Goods that were not sent are still there.
        restocks=not any(lines[number].is_shipped for number in request.units),
        form_key=request.form_key,
    )
    if limit is not None and is_automatic(parts, limit):
        refund = requests.refund_lines(session, order, parts, terms, context)
    else:
        refund = requests.request(session, order, parts, terms, context.at)
    return _decision(order, refund)


def _decision(order: Order, refund: Refund) -> RefundDecision:
    state: Literal["approved", "requested"] = "requested" if refund.state in ("requested", "declined") else "approved"
    return RefundDecision(refund.number, state, refund.amount_minor, order.currency)


def is_automatic(parts: Iterable[Part], limit_minor: int) -> bool:
    """Little is at stake, and nothing of it was sent."""
    total, was_sent = 0, False
    for part in parts:
        total += part.share.amount_minor
        was_sent = was_sent or part.line.shipped_quantity > 0
    return not was_sent and total <= limit_minor


def _require_valid(request: LearnerRefundRequest, lines: Mapping[int, RefundableLine]) -> None:
    if not request.units:
        raise InvalidInput({"lines": CHOOSE})
    errors = {}
    for number, units in request.units.items():
        if (error := _line_error(lines.get(number), units)) is not None:
            errors[f"line.{number}"] = error
    needed = {line.confirmation for number, line in lines.items() if number in request.units and line.quantity}
    for confirmation, text in CONFIRM.items():
        if confirmation in needed and confirmation not in request.confirmed:
            errors[f"confirm.{confirmation}"] = text
    if errors:
        raise InvalidInput(errors)


def _line_error(line: RefundableLine | None, units: int) -> str | None:
    if line is None:
        return "This is not a line of this order."
    if line.refusal is not None:
        return f"{isolated(line.name)}: {line.refusal}"
    if not 1 <= units <= line.quantity:
        return f"{isolated(line.name)}: enter a quantity from 1 to {line.quantity}."
    return None
