"""What pages get of the shop's locale, by which components/format writes numbers, amounts and days."""

from functools import lru_cache
from typing import NotRequired

from typing_extensions import TypedDict

from domain import locales
from domain.display_text import money_form
from domain.money import Currency


class CompactStep(TypedDict):
    """How numbers of at least 10 ** `zeros` are written in short: divided by 10 ** `power`, as "{}K"."""

    zeros: int
    power: int
    text: str


class ShortForms(TypedDict):
    """For tables and charts, which only areas have: names of months in short, and patterns of days and of times."""

    day: str
    months: list[str]
    dayOfYear: str
    month: str
    monthsAlone: list[str]
    moment: str
    time: str
    compact: list[CompactStep]


class LocaleForms(TypedDict):
    """How the locale writes. In patterns {} stands for the digits, {month} for one of `months`, {dd}, {hh}, {kk},
    {mm} for two digits, {h} for an hour of 24, {k} for one of 12; `periods` are the parts of the day by the hour with
    which each begins; `hours` and `minutes` are patterns of durations. `grouping`: how many digits stand before the
    first separator at least, in the last group, in the others."""

    zero: str
    decimal: str
    group: str
    grouping: list[int]
    negative: str
    percent: str
    money: str
    negativeMoney: str
    moneyDecimal: str
    moneyGroup: str
    moneyGrouping: list[int]
    day: str
    months: list[str]
    moment: str
    time: str
    periods: dict[str, str]
    hours: str
    minutes: str
    short: NotRequired[ShortForms]


@lru_cache(8)
def locale_forms(locale: str, currency: Currency, *, is_area: bool = False) -> LocaleForms:
    """`is_area`: with the short forms. Nobody changes what it returns: it becomes JSON."""
    row, money = locales.row(locale), money_form(currency, locale)
    forms: LocaleForms = {
        "zero": row["zero"],
        "decimal": row["decimal"],
        "group": row["group"],
        "grouping": row["grouping"],
        "negative": row["negative"],
        "percent": row["percent"],
        "money": money.positive,
        "negativeMoney": money.negative,
        "moneyDecimal": money.separators.decimal,
        "moneyGroup": money.separators.group,
        "moneyGrouping": money.separators.grouping,
        "day": row["day"],
        "months": row["months"],
        "moment": row["moment"],
        "time": row["time"],
        "periods": row["periods"],
        "hours": row["hours"],
        "minutes": row["minutes"],
    }
    if is_area:
        forms["short"] = row["short"]
    return forms
