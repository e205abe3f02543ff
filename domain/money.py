"""Money: Decimal in major units in Python, integer minor units for TypeScript and SQLite. Always rounded half up."""

import re
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from functools import lru_cache

CENT = Decimal("0.01")
# The maximum of DECIMAL(12,2).
MAX_AMOUNT = Decimal("9999999999.99")
_GROUPED = re.compile(r"\d{1,3}(,\d{3})+(\.\d+)?")


def round_to_cent(amount: Decimal) -> Decimal:
    """The amount rounded to the minor unit, halves away from zero (contracts/cases/money.json)."""
    return amount.quantize(CENT, ROUND_HALF_UP)


@lru_cache(10_000)
def to_minor(amount: Decimal) -> int:
    """1.005 -> 101: the form of TypeScript and of JSON props."""
    return int(round_to_cent(amount).scaleb(2))


@lru_cache(10_000)
def from_minor(minor: int) -> Decimal:
    return Decimal(minor).scaleb(-2)


def parse(text: str) -> Decimal:
    """The amount of a price in a file: "1,299.00", "$20", "Free".

    Raises ValueError with a sentence when it is not a price, negative or too large.
    """
    bare = text.strip().lstrip("$€£").strip()
    # Only commas that group thousands: "49,99" must not become 4999.
    if _GROUPED.fullmatch(bare):
        bare = bare.replace(",", "")
    if bare.casefold() == "free":
        return Decimal("0.00")
    try:
        amount = Decimal(bare)
    except InvalidOperation:
        raise ValueError(f"{text[:40]!r} is not a price") from None
    if not amount.is_finite() or amount < 0 or amount > MAX_AMOUNT:
        raise ValueError(f"{text[:40]!r} is not a price between 0 and {MAX_AMOUNT}")
    return round_to_cent(amount)
