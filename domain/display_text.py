"""Amounts and days as people read them, by what domain/locales.py knows of the shop's locale: the text that
components/format/format.ts writes in pages (contracts/cases/format.json, contracts/cases/locales.json).

Functions without a `locale` that the caller gives write in that of this process (domain.locales.shop_locale). A text
with letters or digits that are read from the right has signs around it, so that it keeps its place in a sentence
(`isolated`); `amount_text` and `plain_text`, which stand alone or in a field, have none."""

import unicodedata
from datetime import UTC, date, datetime
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from typing import NamedTuple

from domain.locales import DEFAULT_LOCALE, Row, row, shop_locale
from domain.money import Currency
from domain.text_direction import isolated

__all__ = [
    "DEFAULT_LOCALE",
    "amount_text",
    "clock_text",
    "count_text",
    "day_text",
    "decimal_text",
    "minutes_text",
    "moment_text",
    "money_text",
    "month_text",
    "percent_text",
    "plain_text",
    "price_text",
    "short_text",
    "size_text",
    "whole_money_text",
]
# As many as a tax rate has.
_THOUSANDTH = Decimal("0.001")
NBSP = "\N{NO-BREAK SPACE}"


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
    return isolated((form.negative if minor < 0 else form.positive).replace("{}", text))


def price_text(minor: int, currency: Currency, locale: str) -> str:
    """Like money_text, but "Free" for 0."""
    return money_text(minor, currency, locale) if minor else "Free"


def whole_money_text(major: int, currency: Currency, locale: str) -> str:
    """150 -> "$150", "150 €": an amount of major units, without decimals."""
    form = money_form(currency, locale)
    return isolated(form.positive.replace("{}", _grouped(str(major), row(locale)["zero"], form.separators)))


def amount_text(minor: int, currency: Currency, locale: str) -> str:
    """1234567 -> "12,345.67", without the currency."""
    return _number_text(_plain(abs(minor), currency), locale, is_negative=minor < 0)


def count_text(value: int, locale: str | None = None) -> str:
    """1234567 -> "1,234,567"."""
    return isolated(_count(value, locale))


def decimal_text(value: float | Decimal, decimals: int = 1, locale: str | None = None) -> str:
    """With exactly that many decimals: "4.6", "4,6"; a half is rounded up, as people do and pages too."""
    return isolated(_decimal(value, decimals, locale))


def plain_text(plain: str, locale: str) -> str:
    """ "-1234.5" -> "-1234,5": digits and decimal sign of the locale, without groups, as people type a number."""
    form = row(locale)
    return _own_digits(plain.replace(".", form["decimal"]), form["zero"])


def short_text(value: float | Decimal, locale: str | None = None) -> str:
    """With at most three decimals, and none that is 0: "1.5", "2"."""
    return isolated(_short(value, locale or shop_locale()))


def percent_text(percent: float | Decimal, locale: str | None = None) -> str:
    """As short_text has the number: "9.975%", "9,975 %"."""
    pattern: str = _form(locale)["percent"]
    return isolated(pattern.replace("{}", _short(percent, locale or shop_locale())))


def day_text(day: date, locale: str | None = None) -> str:
    """A day, or that of a time in UTC: "March 4, 2026", "4 March 2026", "4. März 2026"; always of the Gregorian
    calendar."""
    return isolated(_day(day, locale))


def month_text(day: date, locale: str | None = None) -> str:
    """The month of a day, short: "Mar 2026"; as `month` of components/format/compactFormat.ts."""
    form = _form(locale)
    short, year = form["short"], _own_digits(str(day.year), form["zero"])
    return isolated(short["month"].format(month=short["months"][day.month - 1], year=year))


def clock_text(at: datetime, locale: str | None = None) -> str:
    """The time of day in UTC, to the minute: "9:05 AM", "09:05"."""
    return isolated(_clock(at, locale))


def moment_text(at: datetime, locale: str | None = None) -> str:
    """Day and time in UTC, and that it is: "March 4, 2026 at 9:05 AM UTC"."""
    pattern: str = _form(locale)["moment"]
    return isolated(f"{pattern.format(date=_day(at.astimezone(UTC), locale), time=_clock(at, locale))} UTC")


def minutes_text(minutes: int, locale: str | None = None) -> str:
    """A duration: "1 hr 35 min", "1 Std. 35 Min."."""
    form = _form(locale)
    hours, rest = divmod(minutes, 60)
    units = [("hours", hours)] if hours else []
    if rest or not hours:
        units.append(("minutes", rest))
    return isolated(NBSP.join(form[unit].replace("{}", _count(number, locale)) for unit, number in units))


def size_text(size: int, locale: str | None = None) -> str:
    """The size of a file: "840 B", "12 KB", "3.4 MB"."""
    if size < 1_000:
        return isolated(f"{_count(size, locale)} B")
    if size < 1_000_000:
        return isolated(f"{_count((size + 500) // 1_000, locale)} KB")
    return isolated(f"{_decimal(size / 1_000_000, 1, locale)} MB")


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


def _form(locale: str | None) -> Row:
    return row(locale or shop_locale())


def _count(value: int, locale: str | None) -> str:
    return _number_text(str(abs(value)), locale, is_negative=value < 0)


def _decimal(value: float | Decimal, decimals: int, locale: str | None) -> str:
    number = Decimal(str(value)).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    return _number_text(f"{abs(number):f}", locale, is_negative=number < 0)


@lru_cache(1024)
def _short(value: float | Decimal, locale: str) -> str:
    number = Decimal(str(value)).quantize(_THOUSANDTH, ROUND_HALF_UP)
    return _number_text(f"{abs(number):f}".rstrip("0").rstrip("."), locale, is_negative=number < 0)


def _day(day: date, locale: str | None) -> str:
    return _written_day(day.year, day.month, day.day, locale or shop_locale())


# A list or a mail run writes the same few days again and again.
@lru_cache(4096)
def _written_day(year: int, month: int, day: int, locale: str) -> str:
    form = _form(locale)
    text: str = form["day"]
    own = {"day": str(day), "dd": f"{day:02}", "year": str(year)}
    digits = {name: _own_digits(value, form["zero"]) for name, value in own.items()}
    return text.format(month=form["months"][month - 1], **digits)


def _clock(at: datetime, locale: str | None) -> str:
    form, clock = _form(locale), at.astimezone(UTC)
    hours = {"h": clock.hour, "k": clock.hour % 12 or 12}
    own = {"mm": f"{clock.minute:02}"}
    for name, hour in hours.items():
        own |= {name: str(hour), name * 2: f"{hour:02}"}
    digits = {name: _own_digits(value, form["zero"]) for name, value in own.items()}
    periods = [name for hour, name in form["periods"].items() if int(hour) <= clock.hour]
    text: str = form["time"]
    return text.format(period=periods[-1] if periods else "", **digits)


def _number_text(plain: str, locale: str | None, *, is_negative: bool) -> str:
    form = _form(locale)
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
