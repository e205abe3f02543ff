"""/admin/searches: what visitors searched for and did not find, by the week, also as a file."""

from collections.abc import AsyncIterator
from datetime import date
from urllib.parse import urlencode

from sqlalchemy.orm import Session
from typing_extensions import TypedDict

from domain.display_text import day_text
from domain.permissions import Permission
from domain.routes import Page
from domain.search.unanswered import Unanswered, searches_by_day, unanswered, week_of, weeks
from domain.typed_values import read_day
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


class WeekLink(TypedDict):
    text: str
    href: str
    isCurrent: bool


class SearchesProps(TypedDict):
    """`weeks`: the newest first. `csvHref`: the searches of the week as a file, null while there are none."""

    title: str
    csvHref: str | None
    weeks: list[WeekLink]
    chart: ChartProps
    table: ShortTable


@page("admin-searches")
async def load(request: PageRequest, route: Page) -> PageResult[SearchesProps]:
    """A week that is not one is the present one. Raises ServiceUnavailable."""
    known = weeks(request.at.date())
    monday = _week(request.query.get("week", ""), known)
    found, days = await request.db.read(_read, monday)
    props: SearchesProps = {
        "title": route.title,
        "csvHref": f"/csv{_href(monday, known[0])}" if found else None,
        "weeks": [_link(week, monday, known[0]) for week in known],
        "chart": _chart(days, request.at.date()),
        "table": short_table(
            "queries",
            "Searches without results",
            "Everything that was searched for in this week was found.",
            _columns(may(request, Permission.CATALOGUE_WRITE)),
            found,
        ),
    }
    return area_page.page(request, route, props)


@csv_file("admin-searches")
async def csv(request: PageRequest) -> AsyncIterator[bytes]:
    """The searches without results of a week, as the page lists them. Raises ServiceUnavailable."""
    monday = _week(request.query.get("week", ""), weeks(request.at.date()))
    found, currency = await request.db.read(unanswered, monday), request.settings.shop.currency
    yield csv_rows.header(_COLUMNS, currency) + csv_rows.lines(_COLUMNS, found, currency)


def _read(session: Session, monday: date) -> tuple[list[Unanswered], list[tuple[date, int, int]]]:
    return unanswered(session, monday), searches_by_day(session, monday)


def _week(text: str, known: list[date]) -> date:
    try:
        monday = week_of(read_day(text))
    except ValueError:
        return known[0]
    return monday if monday in known else known[0]


def _link(week: date, shown: date, newest: date) -> WeekLink:
    text = "This week" if week == newest else f"Week of {day_text(week)}"
    return {"text": text, "href": _href(week, newest), "isCurrent": week == shown}


def _href(week: date, newest: date) -> str:
    return PATH if week == newest else f"{PATH}?week={week}"


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


def _columns(may_create: bool) -> tuple[Column[Unanswered], ...]:
    shown = (*_COLUMNS, cells.link("found", "What was found instead", _search))
    return (*shown, cells.link("create", "Course", _create)) if may_create else shown


def _search(row: Unanswered) -> tuple[str, str]:
    """The page of the search as visitors see it now."""
    return "See the page", f"/search?{urlencode({'q': row.query})}"


def _create(row: Unanswered) -> tuple[str, str]:
    return "Create one", f"/admin/courses/new?{urlencode({'name': row.query[:100].capitalize()})}"
