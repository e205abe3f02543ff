"""Amounts and days as people read them, by what domain/locales.py knows of the shop's locale: the text that
components/format/format.ts writes in pages (contracts/cases/format.json, contracts/cases/locales.json)."""

import unicodedata
from datetime import date, datetime
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from typing import NamedTuple

from domain.locales import DEFAULT_LOCALE, Row, row
from domain.money import Currency

__all__ = [
    "DEFAULT_LOCALE",
    "amount_text",
    "count_text",
    "day_text",
    "minutes_text",
    "money_text",
    "percent_text",
    "plain_text",
    "price_text",
    "size_text",
    "time_text",
    "whole_money_text",
]
# As many as a tax rate has.
_PERCENT_QUANTUM = Decimal("0.001")


class Separators(NamedTuple):
    """What stands between digits. `grouping`: digits before the first mark at least, of the last group, of others."""

    decimal: str
    group: str
    grouping: list[int]


class MoneyForm(NamedTuple):
    """How amounts of one currency are written: patterns with {} for the digits."""

    positive: str
    negative: str
    separators: Separators


# A page shows dozens of amounts.
@lru_cache(4_096)
def money_text(minor: int, currency: Currency, locale: str) -> str:
    """1234567 -> "$12,345.67", "12.345,67 €", "KWD 1,234.567"."""
    form = money_form(currency, locale)
    text = _grouped(_plain(abs(minor), currency), row(locale)["zero"], form.separators)
    return (form.negative if minor < 0 else form.positive).replace("{}", text)


def price_text(minor: int, currency: Currency, locale: str) -> str:
    """Like money_text, but "Free" for 0."""
    return money_text(minor, currency, locale) if minor else "Free"


def whole_money_text(major: int, currency: Currency, locale: str) -> str:
    """150 -> "$150", "150 €": an amount of major units, without decimals."""
    form = money_form(currency, locale)
    return form.positive.replace("{}", _grouped(str(major), row(locale)["zero"], form.separators))


def amount_text(minor: int, currency: Currency, locale: str) -> str:
    """1234567 -> "12,345.67", without the currency."""
    return _number_text(_plain(abs(minor), currency), locale, is_negative=minor < 0)


def count_text(value: int, locale: str) -> str:
    """1234567 -> "1,234,567"."""
    return _number_text(str(abs(value)), locale, is_negative=value < 0)


def plain_text(plain: str, locale: str) -> str:
    """ "-1234.5" -> "-1234,5": digits and decimal sign of the locale, without groups, as people type a number."""
    form = row(locale)
    return _own_digits(plain.replace(".", form["decimal"]), form["zero"])


def percent_text(percent: Decimal, locale: str) -> str:
    """With at most three decimals: "9.975%", "9,975 %"."""
    form = row(locale)
    plain = f"{percent.quantize(_PERCENT_QUANTUM, ROUND_HALF_UP):f}".rstrip("0").rstrip(".")
    text: str = form["percent"]
    return text.replace("{}", _grouped(plain, form["zero"], _separators(form)))


def day_text(day: date, locale: str) -> str:
    """A day, or that of a time in UTC: "March 4, 2026", "4 March 2026", "4. März 2026"; always of the Gregorian
    calendar."""
    form = row(locale)
    text: str = form["day"]
    own = {"day": str(day.day), "dd": f"{day.day:02}", "year": str(day.year)}
    digits = {name: _own_digits(value, form["zero"]) for name, value in own.items()}
    return text.format(month=form["months"][day.month - 1], **digits)


def time_text(at: datetime, locale: str) -> str:
    """An instant to the minute, such as "Mar 1, 2026, 10:30 UTC" where days are written so."""
    return f"{day_text(at.date(), locale)}, {at:%H:%M} UTC"


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


@lru_cache(64)
def money_form(currency: Currency, locale: str) -> MoneyForm:
    """How the locale writes amounts of this currency."""
    form = row(locale)
    sign: str = form["signs"].get(currency.code, currency.code)
    odd = form["odd"].get(currency.code, {})
    positive, negative = odd.get("patterns") or form["money" if _is_symbol(sign, form["money"][0]) else "wordMoney"]
    own = {**form, **odd}
    separators = Separators(own["moneyDecimal"], own["moneyGroup"], own["moneyGrouping"])
    return MoneyForm(positive.replace("¤", sign), negative.replace("¤", sign), separators)


def _is_symbol(sign: str, pattern: str) -> bool:
    """Whether a currency's sign has a symbol beside the digits, such as $, and no letter or point."""
    edge = sign[-1] if pattern.index("¤") < pattern.index("{}") else sign[0]
    return unicodedata.category(edge)[0] in "SZ"


def _plain(minor: int, currency: Currency) -> str:
    """1205 with two decimals -> 12.05."""
    digits = str(minor).zfill(currency.exponent + 1)
    point = len(digits) - currency.exponent
    return f"{digits[:point]}.{digits[point:]}" if currency.exponent else digits


def _number_text(plain: str, locale: str, *, is_negative: bool) -> str:
    form = row(locale)
    text = _grouped(plain, form["zero"], _separators(form))
    pattern: str = form["negative"]
    return pattern.replace("{}", text) if is_negative else text


def _separators(form: Row) -> Separators:
    return Separators(form["decimal"], form["group"], form["grouping"])


def _grouped(plain: str, zero: str, separators: Separators) -> str:
    """ "1234.5" -> "1,234.5", "1.234,5", or digits of another script."""
    whole, _, part = plain.partition(".")
    least, size, others = separators.grouping
    text = separators.decimal + part if part else ""
    if len(whole) >= size + least:
        while len(whole) > size:
            whole, text, size = whole[:-size], separators.group + whole[-size:] + text, others
    return _own_digits(whole + text, zero)


def _own_digits(text: str, zero: str) -> str:
    return text if zero == "0" else text.translate(_digits(zero))


@lru_cache(16)
def _digits(zero: str) -> dict[int, int]:
    return {ord("0") + digit: ord(zero) + digit for digit in range(10)}
