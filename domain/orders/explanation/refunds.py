"""Refunds: what lines, order and payments count against the refunds that made it so, and each share of units."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from domain.money import Currency, currency, part_minor
from domain.orders.explanation.fields import FieldDifference, columns_of, compare, compare_value
from domain.orders.explanation.order_rows import OrderRows
from domain.orders.refunds.refund_rows import OF_NO_LINE, parts_of
from domain.tables import OrderLine, Refund, RefundLine

# No money is set aside for these.
NOT_COUNTED = ("requested", "declined")
# Amounts of these are given from outside, and shared over the lines.
AMOUNT_FROM_OUTSIDE = ("gateway", "dispute", "dispute_won")
# The first event of a refund whose money is set aside.
SET_ASIDE = ("refund_approved", "refund_at_gateway", "refund_paid_manually", "refund_accepted", "dispute_money_back")

Parts = Mapping[int, Sequence[RefundLine]]


@dataclass
class Back:
    """What of a line is back so far."""

    refunded_quantity: int = 0
    refunded_minor: int = 0
    refunded_tax_minor: int = 0


def refund_differences(session: Session, rows: OrderRows) -> Iterator[FieldDifference]:
    parts = {refund.id: parts_of(session, refund) for refund in rows.refunds}
    yield from _line_differences(rows, parts)
    for refund in rows.refunds:
        if parts[refund.id]:
            sums = {"amount_minor": 0, "tax_minor": 0}
            for part in parts[refund.id]:
                sums["amount_minor"] += part.amount_minor
                sums["tax_minor"] += part.tax_minor
            yield from compare(f"refund {refund.number}", columns_of(refund), sums)
    counted = [refund for refund in rows.refunds if refund.state not in NOT_COUNTED]
    with_lines = [refund.amount_minor for refund in counted if parts[refund.id]]
    yield from compare_value("order, refunded_minor", rows.order.refunded_minor, sum(with_lines))
    yield from _payment_differences(rows, counted)


def _line_differences(rows: OrderRows, parts: Parts) -> Iterator[FieldDifference]:
    """Shares, in the order in which money was set aside for them, and what the lines count of them."""
    lines = {line.id: line for line in rows.lines}
    back = {line.id: Back() for line in rows.lines}
    by_number = {refund.number: refund for refund in rows.refunds}
    # A failed refund that was tried again has another number than its first events say.
    for event in reversed(rows.events):
        if event.kind == "refund_retried" and event.facts["refund"] in by_number:
            by_number[event.facts["former"]] = by_number[event.facts["refund"]]
    counted: set[int] = set()
    counted_in = currency(rows.order.currency)
    for event in rows.events:
        refund = by_number.get(event.facts.get("refund", 0))
        if event.kind not in SET_ASIDE or refund is None or refund.id in counted:
            continue
        counted.add(refund.id)
        for part in parts[refund.id]:
            yield from _share_differences(lines[part.line_id], refund, part, back[part.line_id], counted_in)
            _add(back[part.line_id], part)
    for line in rows.lines:
        yield from compare(f"line {line.number}", columns_of(line), vars(back[line.id]))


def _add(back: Back, part: RefundLine) -> None:
    back.refunded_quantity += part.quantity
    back.refunded_minor += part.amount_minor
    back.refunded_tax_minor += part.tax_minor


def _share_differences(
    line: OrderLine, refund: Refund, part: RefundLine, back: Back, counted_in: Currency
) -> Iterator[FieldDifference]:
    """Units are worth what all units back so far are worth, less what was refunded already."""
    if not part.quantity or refund.reason in AMOUNT_FROM_OUTSIDE:
        return
    units = back.refunded_quantity + part.quantity
    amount = max(0, part_minor(line.total_minor, units, line.quantity, counted_in) - back.refunded_minor)
    tax = max(0, part_minor(line.tax_minor, units, line.quantity, counted_in) - back.refunded_tax_minor)
    share = {"amount_minor": amount, "tax_minor": min(tax, amount)}
    yield from compare(f"refund {refund.number}, line {line.number}", columns_of(part), share)


def _payment_differences(rows: OrderRows, counted: Sequence[Refund]) -> Iterator[FieldDifference]:
    """What is refunded of each payment; and an order that was paid was paid once, with its total."""
    refunded = Counter[int | None]()
    for refund in counted:
        refunded[refund.payment_id] += refund.amount_minor
    for payment in rows.payments:
        where = f"payment {payment.number}, refunded_minor"
        yield from compare_value(where, payment.refunded_minor, refunded[payment.id])
    returned = {refund.payment_id for refund in counted if refund.reason in OF_NO_LINE}
    kept = [payment for payment in rows.payments if payment.state == "paid" and payment.id not in returned]
    total = rows.order.total_minor
    expected = [total] if rows.order.paid_at is not None and total else []
    yield from compare_value("payments that bought the order", [payment.amount_minor for payment in kept], expected)
