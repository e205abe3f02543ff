"""Addresses of reports: their whole state is in the query."""

from calendar import monthrange
from dataclasses import replace
from datetime import date, timedelta

from domain.reports.all_reports import SOURCES
from domain.reports.visit_reports.descriptions import OVERVIEW, ReportDescription
from domain.reports.visit_reports.parameters import (
    AUDIENCES,
    COMPARE,
    CURRENCY,
    ReportQuery,
    levels_of,
    names_of,
    usual_sort,
)
from host.loaders.ui.table_query import address
from host.reports.models import HiddenValue, ReportLink, ReportLinkGroup

HOME = "/admin/visits"
_NOW = "/admin/reports/now"
_DAY = timedelta(days=1)


def path_of(report: ReportDescription) -> str:
    return HOME if report.name == OVERVIEW.name else f"/admin/reports/{report.name}"


def pairs_of(query: ReportQuery, today: date) -> list[tuple[str, str]]:
    """The parameters that differ from the usual ones."""
    usual = {
        "from": (today - timedelta(days=query.report.usual_days - 1)).isoformat(),
        "to": today.isoformat(),
        "compare": COMPARE[0],
        "audience": AUDIENCES[0],
        "by": levels_of(query)[0],
        "sort": usual_sort(query.report, query.by),
        CURRENCY: "",
        **{choice.name: next(iter(choice.options)) for choice in query.report.choices},
    }
    found = {"from": query.since.isoformat(), "to": query.until.isoformat(), "compare": query.compare}
    found |= {"by": query.by, "audience": query.audience, "sort": query.sort}
    found |= {**query.choices, CURRENCY: query.currency}
    known = names_of(query.report)
    is_usual_period = found["from"] == usual["from"] and found["to"] == usual["to"]
    names = [
        name
        for name in found
        if name in known and (not is_usual_period if name in ("from", "to") else found[name] != usual[name])
    ]
    chosen = [] if query.chosen is None else [("f", ":".join(query.chosen))]
    return [*((name, found[name]) for name in names), *chosen]


def href_of(query: ReportQuery, today: date, page: int = 1) -> str:
    pairs = pairs_of(query, today)
    return address(path_of(query.report), [*pairs, *([("page", str(page))] if page > 1 else [])])


def period_pairs(query: ReportQuery, today: date) -> list[tuple[str, str]]:
    """What other reports share: period, comparison, audience."""
    shared = replace(query, chosen=None, by=query.report.dimensions[0] if query.report.dimensions else query.by)
    return [pair for pair in pairs_of(shared, today) if pair[0] in ("from", "to", "compare", "audience")]


def report_links(query: ReportQuery | None, today: date) -> list[ReportLinkGroup]:
    """Each report over the period of `query`, and the last minutes; None: these are shown."""
    shared = [] if query is None else period_pairs(query, today)
    groups: dict[str, list[ReportLink]] = {OVERVIEW.group: []}
    for report, _ in SOURCES.values():
        groups.setdefault(report.group, []).append(
            {
                "text": report.title if report.name != OVERVIEW.name else "Overview",
                "href": address(path_of(report), shared),
                "isCurrent": query is not None and report is query.report,
            }
        )
    groups[OVERVIEW.group].append({"text": "Now", "href": _NOW, "isCurrent": query is None})
    return [{"title": title, "links": links} for title, links in groups.items()]


def presets(query: ReportQuery, today: date) -> list[ReportLink]:
    first = today.replace(day=1)
    last_month = first - _DAY
    periods = (
        ("Today", today, today),
        ("Yesterday", today - _DAY, today - _DAY),
        ("7 days", today - 6 * _DAY, today),
        ("28 days", today - 27 * _DAY, today),
        ("90 days", today - 89 * _DAY, today),
        ("This month", first, today),
        ("Last month", last_month.replace(day=1), last_month),
        ("12 months", _year_before(today), today),
    )
    return [
        {
            "text": text,
            "href": _at(query, since, until, today),
            "isCurrent": (since, until) == (query.since, query.until),
        }
        for text, since, until in periods
    ]


def _year_before(today: date) -> date:
    day = min(today.day, monthrange(today.year - 1, today.month)[1])
    return today.replace(year=today.year - 1, day=day) + _DAY


def _at(query: ReportQuery, since: date, until: date, today: date) -> str:
    """Hours are of one day alone."""
    moved = replace(query, since=since, until=until)
    usual = levels_of(moved)
    by = query.by if query.by in query.report.dimensions and query.by in usual else usual[0]
    moved = replace(moved, by=by)
    return href_of(replace(moved, sort=usual_sort(moved.report, moved.by)) if query.by != by else moved, today)


def value_href(query: ReportQuery, dimension: str, key: str, today: date) -> str:
    """The report of one value."""
    chosen = replace(query, chosen=(dimension, key))
    by = levels_of(chosen)[0]
    chosen = replace(chosen, by=by)
    return href_of(replace(chosen, sort=usual_sort(chosen.report, chosen.by)), today)


def day_href(query: ReportQuery, day: date, today: date) -> str:
    return _at(query, day, day, today)


def all_href(query: ReportQuery, today: date) -> str:
    """The report without the chosen value."""
    dimension = query.report.dimensions[0] if query.chosen is None else query.chosen[0]
    whole = replace(query, chosen=None, by=dimension)
    return href_of(replace(whole, sort=usual_sort(whole.report, whole.by)), today)


def level_href(query: ReportQuery, level: str, today: date) -> str:
    other = replace(query, by=level)
    return href_of(replace(other, sort=usual_sort(other.report, other.by)), today)


def hidden(query: ReportQuery) -> list[HiddenValue]:
    """What the form keeps: not what it has fields for."""
    found = [] if query.chosen is None else [("f", ":".join(query.chosen))]
    found += [("by", query.by)] if query.by in query.report.dimensions else []
    return [{"name": name, "value": value} for name, value in found]
