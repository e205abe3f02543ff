"""Money: Decimal in major units inside Python, integer minor units for TypeScript and SQLite. One rounding: half up."""

import re
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from functools import lru_cache

CENT = Decimal("0.01")
# DECIMAL(12,2) in the tables.
LARGEST = Decimal("9999999999.99")


_GROUPED = re.compile(r"\d{1,3}(,\d{3})+(\.\d+)?")


def rounded(amount: Decimal) -> Decimal:
    """The amount to the minor unit, halves away from zero (tests/agreements/money.json)."""
    return amount.quantize(CENT, ROUND_HALF_UP)


@lru_cache(10_000)
def to_minor(amount: Decimal) -> int:
    """1.005 -> 101: what TypeScript and JSON props carry."""
    return int(rounded(amount).scaleb(2))


@lru_cache(10_000)
def from_minor(minor: int) -> Decimal:
    return Decimal(minor).scaleb(-2)


def parse(text: str) -> Decimal:
    """A price as people write it in files: "1,299.00", "$20", "Free".

    Raises ValueError with a sentence when it is no price, negative or too large.
    """
    bare = text.strip().lstrip("$€£").strip()
    # Only commas that group thousands: "49,99" is no four thousand nine hundred and ninety-nine.
    if _GROUPED.fullmatch(bare):
        bare = bare.replace(",", "")
    if bare.casefold() == "free":
        return Decimal("0.00")
    try:
        amount = Decimal(bare)
    except InvalidOperation:
        raise ValueError(f"{text[:40]!r} is not a price") from None
    if not amount.is_finite() or amount < 0 or amount > LARGEST:
        raise ValueError(f"{text[:40]!r} is not a price between 0 and {LARGEST}")
    return rounded(amount)
