"""Amounts and dates as documents print them."""

from datetime import date
from decimal import Decimal

from domain import display_text
from domain.money import Currency

MINUS = "\N{MINUS SIGN}"
# The locale of invoices whose bodies name none, and of days that no font of a document can write.
NEUTRAL_LOCALE = "en-GB"


def amount_text(minor: int, currency: Currency, locale: str) -> str:
    """1234567 with two decimals -> 12,345.67 without a symbol: the document names its currency."""
    return f"{MINUS if minor < 0 else ''}{display_text.amount_text(abs(minor), currency, locale)}"


def percent_text(percent: str, locale: str) -> str:
    """ "19" -> 19%, 19 %."""
    return display_text.percent_text(Decimal(percent), locale)


def date_text(iso: str, locale: str = NEUTRAL_LOCALE) -> str:
    """2026-03-01 -> 1 March 2026."""
    return display_text.day_text(date.fromisoformat(iso), locale)
