"""What n units of a line are worth when they are refunded: parts always sum to the line, to the minor unit, and each is
a multiple of the currency's quantum, because the gateway sends nothing finer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from domain.money import Currency, part_minor, quantum_minor


class RefundCounts(Protocol):
    """The columns of an order line that its refunds count."""

    quantity: int
    total_minor: int
    tax_minor: int
    refunded_quantity: int
    refunded_minor: int
    refunded_tax_minor: int


@dataclass(frozen=True)
class Share:
    """Part of a line: units, their amount with tax, and the tax in it, in minor units."""

    quantity: int
    amount_minor: int
    tax_minor: int


def share_of(line: RefundCounts, quantity: int, currency: Currency) -> Share:
    """The share of `quantity` further units: what all units back so far are worth, less what was refunded already.

    Raises ValueError for more units than are left. An earlier refund of an amount counts, so that the share may be 0.
    """
    back = line.refunded_quantity + quantity
    if quantity < 0 or back > line.quantity:
        raise ValueError(f"{quantity} of {line.quantity - line.refunded_quantity} units")
    amount = max(0, part_minor(line.total_minor, back, line.quantity, currency) - line.refunded_minor)
    tax = max(0, part_minor(line.tax_minor, back, line.quantity, currency) - line.refunded_tax_minor)
    return Share(quantity, amount, min(tax, amount))


def share_of_amount(line: RefundCounts, amount_minor: int, currency: Currency) -> Share:
    """An amount of a line without units: its tax is in proportion to the line's."""
    left = line.total_minor - line.refunded_minor
    if not 0 <= amount_minor <= left:
        raise ValueError(f"{amount_minor} of {left} minor units")
    back = line.refunded_minor + amount_minor
    tax = part_minor(line.tax_minor, back, line.total_minor, currency) if line.total_minor else 0
    return Share(0, amount_minor, min(amount_minor, max(0, tax - line.refunded_tax_minor)))


def spread(amount_minor: int, left: Sequence[int], currency: Currency) -> list[int]:
    """An amount over lines in proportion to what is `left` of each, in the currency's quanta; what remains goes to the
    largest remainders, the first among equals. An amount that is no multiple of the quantum, which only the gateway
    could name, is spread in minor units. Raises ValueError for more than the sum of `left`."""
    total = sum(left)
    if not 0 <= amount_minor <= total:
        raise ValueError(f"{amount_minor} of {total} minor units")
    if not total:
        return [0] * len(left)
    quantum = quantum_minor(currency)
    if any(value % quantum for value in (amount_minor, *left)):
        quantum = 1
    count = amount_minor // quantum
    parts = [count * value // total for value in left]
    by_remainder = sorted(range(len(left)), key=lambda index: (-(count * left[index] % total), index))
    for index in by_remainder[: count - sum(parts)]:
        parts[index] += 1
    return [part * quantum for part in parts]
