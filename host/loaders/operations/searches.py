"""/admin/searches: what visitors searched for and did not find, by the week, also as a file; what is not worth a course
is dismissed."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import date
from urllib.parse import urlencode

from sqlalchemy.orm import Session
from typing_extensions import TypedDict

from domain.display_text import day_text
from domain.permissions import Permission
from domain.routes import Page
from domain.search.unanswered import Unanswered, searches_by_day, unanswered, week_of, weeks
from domain.typed_values import read_day
from host.api.admin import searches as calls
from host.api.admin.actions import Action
from host.loaders.areas import area_page
from host.loaders.support.page_ids import may
from host.loaders.ui import csv_rows
from host.loaders.ui import table_cells as cells
from host.loaders.ui.chart_props import ChartProps
from host.loaders.ui.detail_props import ShortTable, short_table
from host.loaders.ui.table_cells import Column
from host.rendering.page_registry import csv_file, page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

PATH = "/admin/searches"
_NONE = "Everything that was searched for in this week was found, or is dismissed."
_NONE_DISMISSED = "No search of this week is dismissed."


class WeekLink(TypedDict):
    text: str
    href: str
    isCurrent: bool


class SearchesProps(TypedDict):
    """`weeks`: the newest first. `csvHref`: all searches of the week as a file, null while none are listed. `others`: a
    link to those that are dismissed, or that are not. `report`: a link to what came of all searches, null for whoever
    may not read reports. `actions`: about the search that was chosen."""

    title: str
    csvHref: str | None
    weeks: list[WeekLink]
    others: WeekLink
    report: WeekLink | None
    actions: list[Action]
    chart: ChartProps
    table: ShortTable


@page("admin-searches")
async def load(request: PageRequest, route: Page) -> PageResult[SearchesProps]:
    """A week that is not one is the present one. Raises ServiceUnavailable."""
    known = weeks(request.at.date())
    shown = _Shown(_week(request.query.get("week", ""), known), known[0], request.query.get("dismissed") == "yes")
    monday, may_change = shown.monday, may(request, Permission.CATALOGUE_WRITE)
    found, days = await request.db.read(_read, shown)
    chosen = {row.query for row in found} & {request.query.get("query", "")}
    props: SearchesProps = {
        "title": route.title,
        "csvHref": f"/csv{_Shown(monday, known[0]).href()}" if found else None,
        "weeks": [_link(week, shown) for week in known],
        "others": _others(shown),
        "report": _REPORT if may(request, Permission.REPORTS_READ) else None,
        "actions": [_form(query, shown) for query in chosen if may_change],
        "chart": _chart(days, request.at.date()),
        "table": short_table(
            "queries",
            "Dismissed searches" if shown.is_dismissed else "Searches without results",
            _NONE_DISMISSED if shown.is_dismissed else _NONE,
            _columns(shown, may_change=may_change),
            found,
        ),
    }
    return area_page.page(request, route, props)


@csv_file("admin-searches")
async def csv(request: PageRequest) -> AsyncIterator[bytes]:
    """All searches without results of a week, and when and by whom they were dismissed. Raises ServiceUnavailable."""
    monday = _week(request.query.get("week", ""), weeks(request.at.date()))
    found, currency = await request.db.read(unanswered, monday), request.settings.shop.currency
    columns = (*_COLUMNS, *_DISMISSED)
    yield csv_rows.header(columns, currency) + csv_rows.lines(columns, found, currency)


@dataclass(frozen=True)
class _Shown:
    """The week that is shown, the newest one, and whether its dismissed searches are shown or the others."""

    monday: date
    newest: date
    is_dismissed: bool = False

    def href(self, query: str = "") -> str:
        """The address of the page; `query`: of a search that is chosen."""
        week = {} if self.monday == self.newest else {"week": self.monday}
        dismissed = {"dismissed": "yes"} if self.is_dismissed else {}
        words = urlencode({**week, **dismissed, **({"query": query} if query else {})})
        return f"{PATH}?{words}" if words else PATH


_REPORT: WeekLink = {"text": "What came of searches", "href": "/admin/reports/searches", "isCurrent": False}


def _read(session: Session, shown: _Shown) -> tuple[list[Unanswered], list[tuple[date, int, int]]]:
    found = unanswered(session, shown.monday, is_dismissed=shown.is_dismissed)
    return found, searches_by_day(session, shown.monday)


def _form(query: str, shown: _Shown) -> Action:
    leads_to = shown.href()
    if shown.is_dismissed:
        title = f"Bring back “{query}”"
        return calls.bring_back.form(title=title, values={"query": query}, leads_to=leads_to)
    values = {"query": query, "week": shown.monday}
    return calls.dismiss.form(title=f"Dismiss “{query}”", values=values, leads_to=leads_to)


def _others(shown: _Shown) -> WeekLink:
    text = "Show the others" if shown.is_dismissed else "Show dismissed"
    other = replace(shown, is_dismissed=not shown.is_dismissed)
    return {"text": text, "href": other.href(), "isCurrent": False}


def _week(text: str, known: list[date]) -> date:
    try:
        monday = week_of(read_day(text))
    except ValueError:
        return known[0]
    return monday if monday in known else known[0]


def _link(week: date, shown: _Shown) -> WeekLink:
    text = "This week" if week == shown.newest else f"Week of {day_text(week)}"
    return {"text": text, "href": replace(shown, monday=week).href(), "isCurrent": week == shown.monday}


def _chart(days: list[tuple[date, int, int]], today: date) -> ChartProps:
    """Days to come have no value."""
    over = [day <= today for day, _, _ in days]
    return {
        "kind": "bar",
        "title": "Searches of the week",
        "summary": "",
        "unit": "count",
        "unitLabel": "Searches",
        "period": "by the day, UTC",
        "points": {"kind": "day", "labels": [day.isoformat() for day, _, _ in days]},
        "series": [
            {"label": "All", "values": [n if is_over else None for is_over, (_, n, _) in zip(over, days, strict=True)]},
            {
                "label": "Without results",
                "values": [n if is_over else None for is_over, (_, _, n) in zip(over, days, strict=True)],
            },
        ],
        "empty": "Nobody searched in this week.",
        "csvHref": None,
    }


_COLUMNS: tuple[Column[Unanswered], ...] = (
    cells.text("query", "Search", lambda row: row.query),
    cells.count("times", "Times", lambda row: row.times),
    cells.time("last", "Last", lambda row: row.last),
)


_DISMISSED: tuple[Column[Unanswered], ...] = (
    cells.time("dismissed", "Dismissed", lambda row: row.dismissed_at),
    cells.text("dismissedBy", "Dismissed by", lambda row: row.dismissed_by),
)


def _columns(shown: _Shown, *, may_change: bool) -> tuple[Column[Unanswered], ...]:
    action = "Bring back" if shown.is_dismissed else "Dismiss"
    change: Column[Unanswered] = cells.link("change", "Action", lambda row: (action, shown.href(row.query)))
    if shown.is_dismissed:
        return (*_COLUMNS, *_DISMISSED, *([change] if may_change else []))
    listed = (*_COLUMNS, cells.link("found", "What was found instead", _search))
    return (*listed, cells.link("create", "Course", _create), change) if may_change else listed


def _search(row: Unanswered) -> tuple[str, str]:
    """The page of the search as visitors see it now."""
    return "See the page", f"/search?{urlencode({'q': row.query})}"


def _create(row: Unanswered) -> tuple[str, str]:
    return "Create one", f"/admin/courses/new?{urlencode({'name': row.query[:100].capitalize()})}"
