"""The parameters of a report: of a page's address, of a call, of a file."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Literal, cast

from domain import money
from domain.reports.visit_reports.descriptions import (
    DAY,
    HOUR,
    PARTS,
    ReportDescription,
    is_hourly,
)
from domain.typed_values import read_day

Compare = Literal["none", "previous", "year"]
Audience = Literal["people", "suspected", "crawlers"]
COMPARE: tuple[Compare, ...] = ("previous", "year", "none")
AUDIENCES: tuple[Audience, ...] = ("people", "suspected", "crawlers")
NAMES = ("from", "to", "compare", "by", "audience", "f", "sort", "page", "limit")
# As many points as a chart has.
MAX_DAYS = 400
MAX_LIMIT = 500
DEFAULT_LIMIT = 50
MAX_PAGE = 1_000
MAX_VALUE = 191
# A year as whole weeks: each day is compared with the same weekday.
YEAR = timedelta(days=364)
CURRENCY = "currency"


@dataclass(frozen=True)
class ReportQuery:
    """`since` to `until`: days, both of them included. `chosen`: the one value of a dimension that everything is of.
    `sort`: a figure or "name", with "-" before it the highest first. `choices`: the parameters of the report's own;
    `currency` "": that of the most orders."""

    report: ReportDescription
    since: date
    until: date
    compare: Compare
    by: str
    audience: Audience
    chosen: tuple[str, str] | None
    sort: str
    page: int = 1
    limit: int = DEFAULT_LIMIT
    choices: Mapping[str, str] = field(default_factory=dict)
    currency: str = ""

    @property
    def days(self) -> int:
        return (self.until - self.since).days + 1

    @property
    def shift(self) -> timedelta | None:
        """How much earlier the days are that it is compared with."""
        return {"none": None, "previous": timedelta(days=self.days), "year": YEAR}[self.compare]


class _Reader:
    """Reads one parameter after the other; what it does not understand is an error, and its default holds."""

    def __init__(self, values: Mapping[str, str]):
        self.errors: dict[str, str] = {}
        self._values = values

    def text(self, name: str) -> str:
        return self._values.get(name, "")

    def choice(self, name: str, choices: tuple[str, ...], default: str) -> str:
        text = self.text(name)
        if text in ("", *choices):
            return text or default
        self.errors[name] = f"Choose one of {', '.join(choices)}."
        return default

    def day(self, name: str, default: date, today: date) -> date:
        text = self.text(name)
        if not text:
            return default
        try:
            day = read_day(text)
        except ValueError:
            self.errors[name] = "Give a day such as 2026-03-04."
            return default
        if day > today:
            self.errors[name] = "Choose a day that has begun."
            return default
        return day

    def currency(self) -> str:
        """ "" when none is chosen."""
        text = self.text(CURRENCY)
        try:
            money.currency(text or "USD")
        except money.UnknownCurrency:
            self.errors[CURRENCY] = "Give the code of a currency, such as EUR."
            return ""
        return text

    def number(self, name: str, default: int, most: int) -> int:
        text = self.text(name)
        if not text:
            return default
        if text.isascii() and text.isdigit() and len(text) <= 5 and 0 < int(text) <= most:
            return int(text)
        self.errors[name] = f"Give a number from 1 to {most}."
        return default


def names_of(report: ReportDescription) -> tuple[str, ...]:
    """The parameters that a report has."""
    left_out = {"compare": report.has_comparison, "audience": report.has_audience}
    left_out |= {"from": report.has_period, "to": report.has_period}
    names = [name for name in NAMES if left_out.get(name, True)]
    return (*names, *(choice.name for choice in report.choices), *((CURRENCY,) if report.has_money else ()))


def usual_sort(report: ReportDescription, level: str) -> str:
    """A level that does not have the figure of the usual order is sorted by its first one."""
    columns = report.columns_of(level)
    is_known = report.first_sort.removeprefix("-") in ("name", *columns)
    return {DAY: "-name", HOUR: "name", **report.first_sort_by}.get(
        level, report.first_sort if is_known else f"-{columns[0]}"
    )


def read_parameters(
    report: ReportDescription, values: Mapping[str, str], today: date
) -> tuple[ReportQuery, Mapping[str, str]]:
    """The query, and errors by the name of the parameter: a call refuses them, a page takes the usual values."""
    names = names_of(report)
    reader = _Reader({name: text for name, text in values.items() if name in names})
    since, until = _period(reader, today, report.usual_days)
    chosen = _chosen(reader, report)
    levels = _levels(report, chosen, is_one_day=since == until)
    by = reader.choice("by", levels, levels[0])
    sorts = ("name", *report.columns_of(by))
    sort = reader.choice("sort", (*sorts, *(f"-{name}" for name in sorts)), usual_sort(report, by))
    query = ReportQuery(
        report,
        since,
        until,
        cast("Compare", reader.choice("compare", COMPARE, COMPARE[0]) if report.has_comparison else "none"),
        by,
        cast("Audience", reader.choice("audience", AUDIENCES, AUDIENCES[0])),
        chosen,
        sort,
        reader.number("page", 1, MAX_PAGE),
        reader.number("limit", DEFAULT_LIMIT, MAX_LIMIT),
        {
            choice.name: reader.choice(choice.name, tuple(choice.options), next(iter(choice.options)))
            for choice in report.choices
        },
        reader.currency() if report.has_money else "",
    )
    return query, reader.errors


def levels_of(query: ReportQuery) -> tuple[str, ...]:
    """What the rows may be of, the usual one first."""
    return _levels(query.report, query.chosen, is_one_day=query.days == 1)


def _levels(report: ReportDescription, chosen: tuple[str, str] | None, *, is_one_day: bool) -> tuple[str, ...]:
    hours = (HOUR,) if is_one_day else ()
    if chosen is not None:
        if report.chosen_levels:
            return report.chosen_levels
        part = (PARTS[chosen],) if chosen in PARTS else ()
        return (*part, *(hours if is_hourly(chosen[0]) else ()), DAY)
    if not report.dimensions:
        return (*hours, DAY)
    return report.dimensions


def _period(reader: _Reader, today: date, usual_days: int) -> tuple[date, date]:
    until = reader.day("to", today, today)
    since = reader.day("from", until - timedelta(days=usual_days - 1), today)
    if since > until:
        reader.errors["from"] = "Choose a first day that is not after the last."
    elif (until - since).days >= MAX_DAYS:
        reader.errors["from"] = f"Choose at most {MAX_DAYS} days."
    else:
        return since, until
    return today - timedelta(days=usual_days - 1), today


def _chosen(reader: _Reader, report: ReportDescription) -> tuple[str, str] | None:
    text = reader.text("f")
    if not text:
        return None
    dimension, mark, value = text.partition(":")
    choosable = [name for name in report.dimensions if report.is_drilled and name not in report.unchosen]
    if dimension not in choosable or not mark or not value:
        names = " or ".join(f"{name}:…" for name in choosable)
        reader.errors["f"] = f"Choose a value as {names}." if names else "This report is not of single values."
    elif len(value) > MAX_VALUE:
        reader.errors["f"] = f"Give at most {MAX_VALUE} letters."
    else:
        return dimension, value
    return None


def query_text(query: ReportQuery, write: Callable[[list[tuple[str, str]]], str]) -> str:
    """What is recorded of a look at a report."""
    pairs = [("from", query.since.isoformat()), ("to", query.until.isoformat()), ("compare", query.compare)]
    pairs += [("by", query.by), ("audience", query.audience)]
    pairs += [("f", ":".join(query.chosen))] if query.chosen else []
    pairs += [*query.choices.items(), *([(CURRENCY, query.currency)] if query.currency else [])]
    return write([*pairs, ("sort", query.sort), ("page", str(query.page))])
