"""Addresses of reports: their whole state is in the query."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from urllib.parse import urlencode

from domain.reports.all_reports import SOURCES
from domain.reports.saved_views import periods, view_queries
from domain.reports.saved_views.periods import PERIODS
from domain.reports.saved_views.view_queries import OpenedView, all_pairs
from domain.reports.saved_views.views import SavedView
from domain.reports.visit_reports.descriptions import OVERVIEW, ReportDescription
from domain.reports.visit_reports.parameters import (
    AUDIENCES,
    COMPARE,
    CURRENCY,
    ReportQuery,
    filter_pairs,
    levels_of,
    names_of,
    usual_sort,
)
from domain.reports.visit_reports.stored_figures import Value
from host.api.admin.saved_reports import PATH as SAVED
from host.loaders.ui.table_query import address
from host.reports.models import HiddenValue, ReportLink, ReportLinkGroup

HOME = "/admin/visits"
_NOW = "/admin/reports/now"
# The page of all has the rest.
MAX_SAVED_LINKS = 8


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
    return [*((name, found[name]) for name in names), *filter_pairs(query.filters)]


def href_of(query: ReportQuery, today: date, page: int = 1) -> str:
    return address(path_of(query.report), _pairs_at(query, today, page))


def _pairs_at(query: ReportQuery, today: date, page: int) -> list[tuple[str, str]]:
    return [*pairs_of(query, today), *([("page", str(page))] if page > 1 else [])]


def row_href(query: ReportQuery, href: str, today: date) -> str:
    """Where a row leads: a page below the report is told what the report shows, so that it leads back to it."""
    is_below = href.startswith(f"{path_of(query.report)}/")
    return address(href, _pairs_at(query, today, query.page)) if is_below else href


def period_pairs(query: ReportQuery, today: date, report: ReportDescription) -> list[tuple[str, str]]:
    """What another report shares: period, comparison, audience, and of several filters those that it has too."""
    shared = replace(query, filters=(), by=query.report.dimensions[0] if query.report.dimensions else query.by)
    pairs = [pair for pair in pairs_of(shared, today) if pair[0] in ("from", "to", "compare", "audience")]
    filters = [value for value in query.filters if query.report.filters and value[0] in report.filters]
    return [*pairs, *filter_pairs(filters)]


def save_href(query: ReportQuery) -> str:
    """The page on which what a report shows is saved."""
    return address(f"{SAVED}/new", [("report", query.report.name), ("query", urlencode(all_pairs(query)))])


def opened_href(opened: OpenedView, today: date) -> str | None:
    """Where a saved view leads; with values that the report does not know any more, which its page then names. None: to
    no report any more."""
    if opened.query is None:
        return None
    return address(path_of(opened.query.report), opened.pairs) if opened.gone else href_of(opened.query, today)


def saved_links(views: Sequence[SavedView], query: ReportQuery | None, today: date) -> ReportLinkGroup:
    """Saved views beside the reports: the first ones, and the page of all."""
    here, links = None if query is None else href_of(query, today), list[ReportLink]()
    for view in views:
        href = opened_href(open_view(view, today), today)
        if href is not None and len(links) < MAX_SAVED_LINKS:
            links.append({"text": view.name, "href": href, "isCurrent": href == here})
    links.append({"text": "All saved views", "href": SAVED, "isCurrent": False})
    return {"title": "Saved", "links": links}


def open_view(view: SavedView, today: date) -> OpenedView:
    """With the days of now."""
    return view_queries.opened(view.report, view.query, view.period, today, periods.days_of)


def report_links(query: ReportQuery | None, today: date) -> list[ReportLinkGroup]:
    """Each report over the period of `query`, and the last minutes; None: these are shown."""
    groups: dict[str, list[ReportLink]] = {OVERVIEW.group: []}
    for report, *_ in SOURCES.values():
        groups.setdefault(report.group, []).append(
            {
                "text": report.title if report.name != OVERVIEW.name else "Overview",
                "href": address(path_of(report), [] if query is None else period_pairs(query, today, report)),
                "isCurrent": query is not None and report is query.report,
            }
        )
    groups[OVERVIEW.group].append({"text": "Now", "href": _NOW, "isCurrent": query is None})
    return [{"title": title, "links": links} for title, links in groups.items()]


def presets(query: ReportQuery, today: date) -> list[ReportLink]:
    if not query.report.has_period:
        return []
    return [
        {
            "text": period.text,
            "href": _at(query, *period.days(today), today),
            "isCurrent": period.days(today) == (query.since, query.until),
        }
        for period in PERIODS.values()
    ]


def _at(query: ReportQuery, since: date, until: date, today: date) -> str:
    """Hours are of one day alone."""
    moved = replace(query, since=since, until=until)
    usual = levels_of(moved)
    by = query.by if query.by in query.report.dimensions and query.by in usual else usual[0]
    moved = replace(moved, by=by)
    return href_of(replace(moved, sort=usual_sort(moved.report, moved.by)) if query.by != by else moved, today)


def value_href(query: ReportQuery, dimension: str, key: str, today: date) -> str:
    """The report of one value more; of a report without filters that of this one value."""
    filters = {**dict(query.filters if query.report.filters else ()), dimension: key}
    chosen = replace(query, filters=tuple(sorted(filters.items())), page=1)
    levels = levels_of(chosen)
    chosen = replace(chosen, by=query.by if query.by in levels else levels[0])
    return href_of(replace(chosen, sort=usual_sort(chosen.report, chosen.by)), today)


def without_href(query: ReportQuery, value: Value, today: date) -> str:
    """The report without one of its filters, by whose dimension it is listed again."""
    left = tuple(other for other in query.filters if other != value)
    whole = replace(query, filters=left, page=1)
    levels = levels_of(whole)
    by = value[0] if value[0] in levels else query.by if query.by in levels else levels[0]
    whole = replace(whole, by=by)
    return href_of(replace(whole, sort=usual_sort(whole.report, whole.by)), today)


def day_href(query: ReportQuery, day: date, today: date) -> str:
    return _at(query, day, day, today)


def all_href(query: ReportQuery, today: date) -> str:
    """The report without any filter."""
    own = [dimension for dimension, _ in query.filters if dimension in query.report.dimensions]
    whole = replace(query, filters=(), page=1)
    whole = replace(whole, by=own[0] if own else levels_of(whole)[0])
    return href_of(replace(whole, sort=usual_sort(whole.report, whole.by)), today)


def level_href(query: ReportQuery, level: str, today: date) -> str:
    other = replace(query, by=level)
    return href_of(replace(other, sort=usual_sort(other.report, other.by)), today)


def hidden(query: ReportQuery) -> list[HiddenValue]:
    """What the form keeps: not what it has fields for."""
    found = filter_pairs(query.filters)
    found += [("by", query.by)] if query.by in query.report.dimensions else []
    return [{"name": name, "value": value} for name, value in found]
