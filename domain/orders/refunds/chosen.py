"""The parts of lines that a refund of chosen units takes back, with delivery once no goods are left."""

from collections.abc import Mapping, Sequence

from domain.money import Currency
from domain.orders.refunds.rows import Part
from domain.orders.refunds.shares import share_of
from domain.tables import OrderLine


def parts_of_units(lines: Sequence[OrderLine], units: Mapping[int, int], currency: Currency) -> list[Part]:
    """`lines`: all of the order. `units`: line number -> units, at least 1 and at most what is left. What remains of
    delivery goes back with the last of the goods."""
    parts = [Part(line, share_of(line, units[line.number], currency)) for line in lines if line.number in units]
    delivery = [line for line in lines if line.kind == "delivery" and line.number not in units]
    if delivery_goes_back(lines, units):
        parts += [Part(line, share_of(line, line.quantity - line.refunded_quantity, currency)) for line in delivery]
    return parts


def delivery_goes_back(lines: Sequence[OrderLine], units: Mapping[int, int]) -> bool:
    """The chosen units are the last of the goods."""
    goods = [line for line in lines if line.fulfilment == "shipped"]
    is_chosen = any(line.number in units for line in goods)
    return is_chosen and all(line.refunded_quantity + units.get(line.number, 0) == line.quantity for line in goods)


def delivery_left_minor(lines: Sequence[OrderLine]) -> int:
    """What is left of delivery, in minor units."""
    return sum(line.total_minor - line.refunded_minor for line in lines if line.kind == "delivery")
