"""Allocates an amount off a whole cart to the lines that it applies to."""

from collections.abc import Sequence
from decimal import Decimal

from domain.money import Currency, from_minor, to_minor
from domain.pricing.offers import Line


def allocate(amount: Decimal, lines: Sequence[Line], currency: Currency) -> dict[int, Decimal]:
    """Line id -> its share, in proportion to the lines' prices after sale. The sum is `amount`, at most their total.

    Counted in the currency's quantum, such as cents. Left-over ones go one each to the largest remainders, among equals
    to the smaller id, so that the order of the lines does not matter.
    """
    quantum = to_minor(currency.quantum, currency)
    bases = {line.id: to_minor(line.base, currency) // quantum for line in lines}
    total = sum(bases.values())
    if not total:
        return {line.id: from_minor(0, currency) for line in lines}
    off = min(to_minor(amount, currency) // quantum, total)
    shares = {line_id: off * base // total for line_id, base in bases.items()}
    by_remainder = sorted(bases, key=lambda line_id: (-(off * bases[line_id] % total), line_id))
    for line_id in by_remainder[: off - sum(shares.values())]:
        shares[line_id] += 1
    return {line_id: from_minor(share * quantum, currency) for line_id, share in shares.items()}
