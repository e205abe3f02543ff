"""The parameters of a report: of a page's address, of a call, of a file."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Literal, cast

from domain import money
from domain.reports.visit_reports.descriptions import DAY, HOUR, PARTS, ReportDescription, is_hourly
from domain.reports.visit_reports.stored_figures import Value
from domain.typed_values import is_number, read_day
from domain.visits.days.figures import BY_VISIT

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
MAX_FILTERS = 5
# A year as whole weeks: each day is compared with the same weekday.
YEAR = timedelta(days=364)
CURRENCY = "currency"
NO_VALUES = "This report is not of single values."


@dataclass(frozen=True)
class ReportQuery:
    """`since` to `until`: days, both of them included. `filters`: values of dimensions that everything is of. `sort`: a
    figure or "name", with "-" before it the highest first. `choices`: the parameters of the report's own; `currency`
    "": that of the most orders."""

    report: ReportDescription
    since: date
    until: date
    compare: Compare
    by: str
    audience: Audience
    filters: tuple[Value, ...]
    sort: str
    page: int = 1
    limit: int = DEFAULT_LIMIT
    choices: Mapping[str, str] = field(default_factory=dict)
    currency: str = ""

    @property
    def days(self) -> int:
        return (self.until - self.since).days + 1

    @property
    def chosen(self) -> Value | None:
        """The one value of the report's own dimension that stored figures are of."""
        return _chosen(self.report, self.filters)

    @property
    def needs_files(self) -> bool:
        """Whether stored figures do not say it: they are of one value at a time."""
        if not self.filters or not self.report.filters:
            return False
        return self.chosen is None or self.by not in _stored_levels(self.chosen, is_one_day=self.days == 1)

    @property
    def shift(self) -> timedelta | None:
        """How much earlier the days are that it is compared with."""
        return {"none": None, "previous": timedelta(days=self.days), "year": YEAR}[self.compare]


class _Reader:
    """Reads one parameter after the other; what it does not understand is an error, and its default holds."""

    def __init__(self, values: Mapping[str, str], filters: Sequence[str]):
        self.errors: dict[str, str] = {}
        self.filters = filters
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
        if is_number(text, 5) and 0 < int(text) <= most:
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
    report: ReportDescription, values: Mapping[str, str], today: date, filters: Sequence[str] = ()
) -> tuple[ReportQuery, Mapping[str, str]]:
    """The query, and errors by the name of the parameter: a call refuses them, a page takes the usual values.
    `filters`: all values of `f`."""
    names = names_of(report)
    reader = _Reader({name: text for name, text in values.items() if name in names}, filters)
    since, until = _period(reader, today, report.usual_days)
    chosen = _filters(reader, report)
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
    return _levels(query.report, query.filters, is_one_day=query.days == 1)


def _levels(report: ReportDescription, filters: tuple[Value, ...], *, is_one_day: bool) -> tuple[str, ...]:
    hours = (HOUR,) if is_one_day else ()
    if not filters:
        return report.dimensions or (*hours, DAY)
    if report.chosen_levels:
        return report.chosen_levels
    filtered = {dimension for dimension, _ in filters}
    others = tuple(dimension for dimension in report.dimensions if dimension not in filtered)
    chosen = _chosen(report, filters)
    if chosen is not None:
        stored = _stored_levels(chosen, is_one_day=is_one_day)
        others = tuple(dimension for dimension in others if dimension not in stored)
        return (*stored, *others) if report.filters else stored
    # Single pages have no hours in their file.
    return (*others, *(() if filtered.intersection(BY_VISIT) else hours), DAY)


def _stored_levels(chosen: Value, *, is_one_day: bool) -> tuple[str, ...]:
    """What stored figures of one value can be listed by."""
    part = (PARTS[chosen],) if chosen in PARTS else ()
    return (*part, *((HOUR,) if is_one_day and is_hourly(chosen[0]) else ()), DAY)


def _chosen(report: ReportDescription, filters: tuple[Value, ...]) -> Value | None:
    return filters[0] if len(filters) == 1 and filters[0][0] in report.dimensions else None


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


def _filters(reader: _Reader, report: ReportDescription) -> tuple[Value, ...]:
    """The values of `f` that are understood."""
    found: dict[str, str] = {}
    for text in filter(None, reader.filters):
        dimension, value = _value(text)
        if error := _filter_error(report, dimension, value, found):
            reader.errors["f"] = error
        else:
            found[dimension] = value
    return tuple(found.items())


def _value(text: str) -> Value:
    dimension, _, value = text.partition(":")
    return dimension, value


def _filter_error(report: ReportDescription, dimension: str, value: str, found: Mapping[str, str]) -> str:
    """Why this value cannot be chosen beside those that were found, else ""."""
    names = report.choosable
    if dimension not in names or not value:
        return f"Choose a value as {' or '.join(f'{name}:…' for name in names)}." if names else NO_VALUES
    if len(value) > MAX_VALUE:
        return f"Give at most {MAX_VALUE} letters."
    if found.get(dimension, value) != value:
        return f"Give one value of {dimension}."
    most = MAX_FILTERS if report.filters else 1
    if dimension not in found and len(found) == most:
        return "Give one value." if most == 1 else f"Give at most {most} values."
    return ""


def query_text(query: ReportQuery, write: Callable[[list[tuple[str, str]]], str]) -> str:
    """What is recorded of a look at a report."""
    pairs = [("from", query.since.isoformat()), ("to", query.until.isoformat()), ("compare", query.compare)]
    pairs += [("by", query.by), ("audience", query.audience)]
    pairs += filter_pairs(query.filters)
    pairs += [*query.choices.items(), *([(CURRENCY, query.currency)] if query.currency else [])]
    return write([*pairs, ("sort", query.sort), ("page", str(query.page))])


def filter_pairs(filters: Iterable[Value]) -> list[tuple[str, str]]:
    return [("f", ":".join(value)) for value in filters]
