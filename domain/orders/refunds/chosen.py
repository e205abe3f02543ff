"""The parts of lines that a refund takes back: of chosen units, with delivery once no goods are left; of an amount."""

from collections.abc import Mapping, Sequence

from domain.money import Currency
from domain.orders.refunds.refund_rows import Part
from domain.orders.refunds.shares import Share, share_of, share_of_amount, spread
from domain.tables import OrderLine


def parts_of_units(lines: Sequence[OrderLine], units: Mapping[int, int], currency: Currency) -> list[Part]:
    """`lines`: all of the order. `units`: line number -> units, at least 1 and at most what is left. What remains of
    delivery goes back with the last of the goods."""
    parts = [Part(line, share_of(line, units[line.number], currency)) for line in lines if line.number in units]
    delivery = [line for line in lines if line.kind == "delivery" and line.number not in units]
    if delivery_goes_back(lines, units):
        parts += [Part(line, share_of(line, line.quantity - line.refunded_quantity, currency)) for line in delivery]
    return parts


def parts_of_amount(lines: Sequence[OrderLine], amount_minor: int, currency: Currency) -> list[Part]:
    """An amount over lines, in proportion to what is left of each. A line of which nothing is left is back with all its
    units. When nothing is left of any, all are: also those that cost nothing. Raises ValueError for more than is left.
    """
    left = [line.total_minor - line.refunded_minor for line in lines]
    is_all = amount_minor == sum(left)
    amounts = zip(lines, spread(amount_minor, left, currency), strict=True)
    parts = [Part(line, _share(line, amount, currency)) for line, amount in amounts if amount or is_all]
    return [part for part in parts if part.share.amount_minor or part.share.quantity]


def _share(line: OrderLine, amount_minor: int, currency: Currency) -> Share:
    if amount_minor == line.total_minor - line.refunded_minor:
        return Share(line.quantity - line.refunded_quantity, amount_minor, line.tax_minor - line.refunded_tax_minor)
    return share_of_amount(line, amount_minor, currency)


def delivery_goes_back(lines: Sequence[OrderLine], units: Mapping[int, int]) -> bool:
    """The chosen units are the last of the goods."""
    goods = [line for line in lines if line.fulfilment == "shipped"]
    is_chosen = any(line.number in units for line in goods)
    return is_chosen and all(line.refunded_quantity + units.get(line.number, 0) == line.quantity for line in goods)


def delivery_left_minor(lines: Sequence[OrderLine]) -> int:
    """What is left of delivery, in minor units."""
    return sum(line.total_minor - line.refunded_minor for line in lines if line.kind == "delivery")
