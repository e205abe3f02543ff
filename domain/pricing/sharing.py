"""One amount off a whole cart, shared among the lines it covers."""

from collections.abc import Sequence
from decimal import Decimal

from domain.money import from_minor, to_minor
from domain.pricing.offers import Line


def shares(amount: Decimal, lines: Sequence[Line]) -> dict[int, Decimal]:
    """Line id -> its share, in proportion to what the lines cost after sale; together the amount, or all they cost.

    Cents that are left over go one each to the largest remainders, among equals to the smaller id: whatever the order
    of the lines, everyone gets the same.
    """
    bases = {line.id: to_minor(line.base) for line in lines}
    whole = sum(bases.values())
    if not whole:
        return {line.id: from_minor(0) for line in lines}
    off = min(to_minor(amount), whole)
    made = {one: off * base // whole for one, base in bases.items()}
    by_remainder = sorted(bases, key=lambda one: (-(off * bases[one] % whole), one))
    for one in by_remainder[: off - sum(made.values())]:
        made[one] += 1
    return {one: from_minor(minor) for one, minor in made.items()}
