"""Amounts, dates and percents as documents print them."""

from datetime import date

MINUS = "\N{MINUS SIGN}"


def amount_text(minor: int, exponent: int) -> str:
    """1234567 with two decimals -> 1,234,567.00 without a symbol: the document names its currency."""
    sign, digits = MINUS if minor < 0 else "", f"{abs(minor):0{exponent + 1}}"
    whole = f"{int(digits[: len(digits) - exponent]):,}"
    return f"{sign}{whole}.{digits[-exponent:]}" if exponent else f"{sign}{whole}"


def date_text(iso: str) -> str:
    """2026-03-01 -> 1 March 2026: no order of numbers that readers could take for another."""
    day = date.fromisoformat(iso)
    return f"{day.day} {day:%B} {day.year}"
