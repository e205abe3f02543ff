"""Amounts and days as people read them, by Babel's data of the shop's locale: the host's texts have the form that
components/format/format.ts gives those of the browser (contracts/cases/format.json).

Babel takes 0.1 s to import, which processes that write no such text are spared.
"""

import unicodedata
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING

from domain.money import Currency, from_minor

if TYPE_CHECKING:
    from babel import Locale
    from babel.numbers import NumberPattern

DEFAULT_LOCALE = "en-US"
NBSP = "\N{NO-BREAK SPACE}"
# As many as a tax rate has.
_PERCENT_DECIMALS = 3


# A text takes Babel 50 µs, and a page shows dozens.
@lru_cache(4_096)
def money_text(minor: int, currency: Currency, locale: str) -> str:
    """1234567 -> "$12,345.67", "12.345,67 €", "KWD 1,234.567"."""
    found, amount = _locale(locale), from_minor(minor, currency)
    pattern = _money_pattern(found, currency)
    return _spaced(pattern.apply(amount, found, currency=currency.code, currency_digits=False))


def price_text(minor: int, currency: Currency, locale: str) -> str:
    """Like money_text, but "Free" for 0."""
    return money_text(minor, currency, locale) if minor else "Free"


def amount_text(minor: int, currency: Currency, locale: str) -> str:
    """1234567 -> "12,345.67", without the currency."""
    from babel.numbers import format_decimal

    decimals = f".{'0' * currency.exponent}" if currency.exponent else ""
    return _spaced(format_decimal(from_minor(minor, currency), f"#,##0{decimals}", _locale(locale)))


def percent_text(percent: Decimal, locale: str) -> str:
    """With at most three decimals: "9.975%", "9,975 %"."""
    from babel.numbers import parse_pattern

    found = _locale(locale)
    pattern = parse_pattern(found.percent_formats[None].pattern)
    pattern.frac_prec = (0, _PERCENT_DECIMALS)
    return _spaced(pattern.apply(percent / 100, found))


def day_text(day: date, locale: str) -> str:
    """A day, or that of a time in UTC: "March 4, 2026", "4 March 2026", "4. März 2026"."""
    from babel.dates import format_date

    return _spaced(format_date(day, "long", _locale(locale)))


def minutes_text(minutes: int) -> str:
    """95 -> 1 h 35 min"""
    hours, rest = divmod(minutes, 60)
    return " ".join(text for number, text in ((hours, f"{hours} h"), (rest, f"{rest} min")) if number)


def size_text(size: int) -> str:
    """The size of a file, in any locale: "840 B", "12 KB", "3.4 MB"."""
    if size < 1_000:
        return f"{size} B"
    if size < 1_000_000:
        return f"{(size + 500) // 1_000} KB"
    return f"{size / 1_000_000:.1f} MB"


def _spaced(text: str) -> str:
    """With one kind of space that does not break, as in the browser."""
    return text.replace("\N{NARROW NO-BREAK SPACE}", NBSP)


@lru_cache(32)
def _locale(name: str) -> "Locale":
    """That of an unknown language: American English."""
    from babel import Locale, UnknownLocaleError

    try:
        return Locale.parse(name, sep="-")
    except (UnknownLocaleError, ValueError):
        return Locale.parse(DEFAULT_LOCALE, sep="-")


@lru_cache(32)
def _money_pattern(locale: "Locale", currency: Currency) -> "NumberPattern":
    """With a space between a number and a symbol that ends in a letter, as CLDR has it."""
    from babel.numbers import get_currency_symbol, parse_pattern

    standard, symbol = locale.currency_formats["standard"].pattern, get_currency_symbol(currency.code, locale)
    if not unicodedata.category(symbol[-1]).startswith("S"):
        standard = standard.replace("¤#", f"¤{NBSP}#")
    pattern = parse_pattern(standard)
    pattern.frac_prec = (currency.exponent, currency.exponent)
    return pattern
