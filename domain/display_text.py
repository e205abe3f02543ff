"""Amounts and days as people read them, in the form of components/format/format.ts (contracts/cases/format.json)."""

import unicodedata
from collections.abc import Mapping
from datetime import date
from types import MappingProxyType

from domain.money import Currency, from_minor

NBSP = "\N{NO-BREAK SPACE}"
# Unicode CLDR 46 for American English; all other currencies have their code.
SYMBOLS: Mapping[str, str] = MappingProxyType(
    {"AUD": "A$", "BRL": "R$", "CAD": "CA$", "CNY": "CN¥", "EUR": "€", "GBP": "£", "HKD": "HK$", "ILS": "₪", "INR": "₹"}
    | {"JPY": "¥", "KRW": "₩", "MXN": "MX$", "NZD": "NZ$", "PHP": "₱", "TWD": "NT$", "USD": "$", "VND": "₫"}
    | {"XAF": "FCFA", "XCD": "EC$", "XOF": f"F{NBSP}CFA", "XPF": "CFPF"}
)
BRITISH: Mapping[str, str] = MappingProxyType({**SYMBOLS, "JPY": "JP¥", "USD": "US$"})
BY_LOCALE = {"en-US": SYMBOLS, "en-GB": BRITISH}


def money_text(minor: int, currency: Currency, locale: str = "en-US") -> str:
    """1234567 -> "$12,345.67", "KWD 1,234.567". Locales other than American and British English get the code of the
    currency: there is no data of theirs here."""
    symbol = BY_LOCALE.get(locale, {}).get(currency.code, currency.code)
    space = "" if unicodedata.category(symbol[-1]).startswith("S") else NBSP
    return f"{'-' if minor < 0 else ''}{symbol}{space}{from_minor(abs(minor), currency):,f}"


def price_text(minor: int, currency: Currency, locale: str = "en-US") -> str:
    """Like money_text, but "Free" for 0."""
    return money_text(minor, currency, locale) if minor else "Free"


_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def day_text(day: date, locale: str = "en-US") -> str:
    """A day, or that of a time in UTC: "March 4, 2026", and "4 March 2026" in British English. strftime would depend
    on the machine's locale."""
    month = _MONTHS[day.month - 1]
    return f"{day.day} {month} {day.year}" if locale == "en-GB" else f"{month} {day.day}, {day.year}"
