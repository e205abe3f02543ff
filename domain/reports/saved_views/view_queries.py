"""What a saved view asks of its report: checked when it is saved, and each time it is opened or mailed, as reports
change."""

from collections.abc import Callable
from datetime import date
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode

from domain.errors import InvalidInput
from domain.reports.all_reports import SOURCES
from domain.reports.saved_views import periods
from domain.reports.saved_views.periods import Days
from domain.reports.visit_reports.descriptions import ReportDescription
from domain.reports.visit_reports.parameters import (
    CURRENCY,
    DEFAULT_LIMIT,
    ReportQuery,
    filter_pairs,
    names_of,
    read_parameters,
)

MAX_QUERY = 10_000
Pairs = list[tuple[str, str]]
NO_REPORT = "This report does not exist any more. Delete the view, or save another one in its place."


class OpenedView(NamedTuple):
    """`query` None: the report does not exist any more. `pairs`: the parameters as they were saved, with the days of
    now. `gone`: names of those that the report does not know any more; it takes the usual values."""

    query: ReportQuery | None
    pairs: Pairs
    gone: list[str]

    @property
    def notice(self) -> str:
        """What the reader must know, else ""."""
        if self.query is None:
            return NO_REPORT
        if not self.gone:
            return ""
        names = ", ".join(self.gone)
        return f"The report does not know some of what was saved any more, so it shows the usual values: {names}."


def checked_query(report_name: str, query: str, period: str, today: date) -> str:
    """The parameters in the form in which they are stored: all of them, so that a view stays as it is when the usual
    values change. Without days where they move. Raises InvalidInput."""
    report = SOURCES[report_name].report if report_name in SOURCES else None
    if report is None:
        raise InvalidInput({"report": "There is no such report."})
    if len(query) > MAX_QUERY:
        raise InvalidInput({"query": "This is too long to be saved. Remove a filter."})
    if period and (not report.has_period or periods.days_of(period, today) is None):
        raise InvalidInput({"period": "Choose one of the periods of the list."})
    found, errors = _read(report, parse_qsl(query), today)
    if errors:
        raise InvalidInput({"query": f"The report does not know these values: {', '.join(errors)}."})
    days = ("from", "to") if period else ()
    stored = urlencode([pair for pair in all_pairs(found) if pair[0] not in days])
    if len(stored) > MAX_QUERY:
        raise InvalidInput({"query": "This is too long to be saved. Remove a filter."})
    return stored


def all_pairs(query: ReportQuery) -> Pairs:
    """Every parameter of a report but its page, whose first one a view opens."""
    values = {
        "from": query.since.isoformat(),
        "to": query.until.isoformat(),
        "compare": query.compare,
        "by": query.by,
        "audience": query.audience,
        "sort": query.sort,
        **query.choices,
    }
    values |= {CURRENCY: query.currency} if query.currency else {}
    values |= {"limit": str(query.limit)} if query.limit != DEFAULT_LIMIT else {}
    known = names_of(query.report)
    return [*((name, text) for name, text in values.items() if name in known), *filter_pairs(query.filters)]


def opened(
    report_name: str, stored: str, period: str, today: date, days_of: Callable[[str, date], Days | None]
) -> OpenedView:
    """`days_of`: of periods.py, for a page or for a mail."""
    pairs = parse_qsl(stored)
    days = days_of(period, today) if period else None
    if days is not None:
        pairs = [("from", days[0].isoformat()), ("to", days[1].isoformat()), *pairs]
    if report_name not in SOURCES:
        return OpenedView(None, pairs, [])
    query, errors = _read(SOURCES[report_name].report, pairs, today)
    return OpenedView(query, pairs, [*errors, *(["period"] if period and days is None else [])])


def _read(report: ReportDescription, pairs: Pairs, today: date) -> tuple[ReportQuery, list[str]]:
    """The query, and the names of parameters that the report does not know or whose values it does not."""
    known = names_of(report)
    query, errors = read_parameters(report, dict(pairs), today, [text for name, text in pairs if name == "f"])
    unknown = dict.fromkeys(name for name, _ in pairs if name not in known)
    return query, [*errors, *(name for name in unknown if name not in errors)]
