"""/organization/reports: frozen months by course and by team, and of the partner link, each also as a file; and members
who agreed to be named."""

from collections.abc import AsyncIterator, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import orjson

from domain.display_text import count_text, percent_text
from domain.money import Currency, rounded_up
from domain.reports import organisation_report
from domain.reports.organisation_report import (
    SHOWN_MONTHS,
    MonthCosts,
    MonthFigures,
    NamedProgress,
    OrganisationReport,
)
from domain.routes import Page
from domain.seats.views import overview
from domain.seats.views.overview import SeatNumbers
from domain.typed_values import is_number
from host.loaders.areas import area_page
from host.loaders.organisation import partner_months, seat_forecast
from host.loaders.organisation.partner_months import OF_LINK, PartnerLinkReport
from host.loaders.shop import PageLinks
from host.loaders.ui import csv_rows
from host.loaders.ui import table_cells as cells
from host.loaders.ui.detail_props import DetailProps, ShortTable, facts, short_table
from host.loaders.ui.table_cells import Column
from host.loaders.ui.table_query import address
from host.rendering.page_registry import csv_file, page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult
from host.rendering.shell import json_bytes

HIDDEN = "Too few, or too alike, to show"
# Pages of the members who agreed to be named: to skip more takes noticeable time.
MAX_PAGE = 200
NOT_YET = "The first month with a seat is shown here once it is over."


class FileRow(NamedTuple):
    """`by`: what the figures are of."""

    by: str
    figures: MonthFigures


class FrozenTables(NamedTuple):
    """The tables of the shown months, as JSON: a large organisation has some thousand cells, which no request makes
    again."""

    has_months: bool
    tables: tuple[orjson.Fragment, ...]


class ReportProps(DetailProps):
    """`csvHref`: the figures as a file, null while there are none. `note`: how to read them. `pages`: of the members
    who agreed to be named. `partnerLink`: what it brought."""

    csvHref: str | None
    note: str
    partnerLink: PartnerLinkReport
    pages: PageLinks


@page("organization-reports")
async def load(request: PageRequest, route: Page) -> PageResult[ReportProps]:
    """Raises ServiceUnavailable."""
    tenant, k, page = request.tenant, request.settings.report_k, _page(request)
    frozen = await _frozen(request, k)
    key = (request.path, tenant.organisation_id)
    named = await request.db.read_briefly((*key, "named"), organisation_report.named_progress, tenant, page)
    numbers = await request.db.read_briefly((*key, "seats"), overview.recent_seat_numbers, tenant)
    people = short_table("people", "Members who agreed to be named", _NO_NAMES, _NAMED, named.rows)
    tables: list[Any] = [*frozen.tables, people]
    props: ReportProps = {
        "title": route.title,
        "heading": route.title,
        "backHref": "/organization",
        "backText": "Overview",
        "facts": [*facts((_FREE,), numbers), *seat_forecast.idle_facts(await seat_forecast.read(request))],
        "tables": tables,
        "csvHref": "/csv/organization/reports" if frozen.has_months else None,
        "note": _note(k),
        "partnerLink": await partner_months.read(request),
        "pages": {
            "previous": _href(request, page - 1) if page > 1 else None,
            "next": _href(request, page + 1) if named.is_more and page < MAX_PAGE else None,
            "entries": [],
        },
    }
    return area_page.page(request, route, props)


def _page(request: PageRequest) -> int:
    """The first one for whatever is none."""
    text = request.query.get("page", "")
    return int(text) if is_number(text, 3) and 0 < int(text) <= MAX_PAGE else 1


def _href(request: PageRequest, page: int) -> str:
    return address(request.path, [("page", str(page))] if page > 1 else [])


def _note(k: int) -> str:
    return (
        "Figures count everybody who had a seat by the end of the month, in the team of their first month. They come "
        f"in steps of {k}, so that they tell nothing about one person; members who agreed to be named are added as "
        "they are. Months are fixed once they are over. A completion costs at most its share of what all seats cost."
    )


async def _frozen(request: PageRequest, k: int) -> FrozenTables:
    """They are kept in the site state, with its bound, until a month is added or the catalogue, which names the
    courses, changes."""
    newest = await request.db.read_inline(organisation_report.newest_row, request.tenant)
    key, kept = f"report {request.tenant.organisation_id} {k} {newest}", request.site.composed
    frozen: FrozenTables | None = kept.get(key)
    if frozen is None:
        read = organisation_report.organisation_report
        report = await request.db.read(read, request.tenant, k, SHOWN_MONTHS)
        texts = [json_bytes(table) for table in _tables(report, request.settings.shop.currency)]
        frozen = FrozenTables(bool(report.months), tuple(map(orjson.Fragment, texts)))
        kept.put(key, frozen, sum(map(len, texts)))
    return frozen


def _tables(report: OrganisationReport, currency: Currency) -> list[ShortTable]:
    return [
        short_table("costs", "Seats and cost", NOT_YET, _costs(currency), report.costs[:SHOWN_MONTHS]),
        short_table("courses", "By course", NOT_YET, _columns("Course"), _newest(report, report.courses)),
        short_table("teams", "By team", NOT_YET, _columns("Team"), _newest(report, report.teams)),
    ]


def _newest(report: OrganisationReport, figures: Sequence[MonthFigures]) -> list[MonthFigures]:
    shown = report.months[:SHOWN_MONTHS]
    return [row for row in figures if row.month in shown]


@csv_file("organization-reports")
async def csv(request: PageRequest) -> AsyncIterator[bytes]:
    """All months, as the page shows them; of nobody by name. With `of=partner-link` those of the link."""
    if request.query.get("of") == OF_LINK:
        yield await partner_months.file(request)
        return
    tenant, k = request.tenant, request.settings.report_k
    report = await request.db.read(organisation_report.organisation_report, tenant, k)
    rows = [FileRow("Course", row) for row in report.courses] + [FileRow("Team", row) for row in report.teams]
    currency = request.settings.shop.currency
    yield csv_rows.header(_FILE, currency) + csv_rows.lines(_FILE, rows, currency)


def or_more(number: int | None) -> str:
    """A figure about people, or why it is not shown."""
    return HIDDEN if number is None else f"{count_text(number)} or more"


def _costs(currency: Currency) -> tuple[Column[MonthCosts], ...]:
    return (
        cells.text("month", "Month", lambda row: row.month),
        cells.count("seats", "Seats", lambda row: row.seats),
        cells.count("unused", "Unused", lambda row: row.unused),
        cells.amount("cost", "Cost of the seats", lambda row: _whole(row.cost, currency), currency),
        cells.text("completed", "Courses completed", lambda row: or_more(row.completed)),
        cells.amount(
            "each", "Cost of a completion, at most", lambda row: _whole(row.per_completion, currency), currency
        ),
    )


def _whole(amount: Decimal | None, currency: Currency) -> Decimal | None:
    """A share of a sum has more decimals than the currency, and so may a sum of the currency of former years."""
    return None if amount is None else rounded_up(amount, currency)


def _columns(label: str) -> tuple[Column[MonthFigures], ...]:
    return (
        cells.text("name", label, lambda row: row.name),
        cells.text("month", "Month", lambda row: row.month),
        cells.count_or_text("learners", "Learners", lambda row: HIDDEN if row.learners is None else row.learners),
        cells.text("started", "Started", lambda row: or_more(row.started)),
        cells.text("completed", "Completed", lambda row: or_more(row.completed)),
        cells.text(
            "score", "Mean score", lambda row: HIDDEN if row.score is None else f"About {percent_text(row.score)}"
        ),
    )


_FILE: tuple[Column[FileRow], ...] = (
    cells.text("by", "By", lambda row: row.by),
    cells.text("name", "Name", lambda row: row.figures.name),
    cells.text("month", "Month", lambda row: row.figures.month),
    cells.count("learners", "Learners", lambda row: row.figures.learners),
    cells.count("started", "Started, or more", lambda row: row.figures.started),
    cells.count("completed", "Completed, or more", lambda row: row.figures.completed),
    cells.count("score", "Mean score, about %", lambda row: row.figures.score),
)
_FREE: Column[SeatNumbers] = cells.count("free", "Unused seats now", lambda row: row.free)
_NO_NAMES = "Nobody is named: the contract does not provide for it, or no member has agreed."
_NAMED: tuple[Column[NamedProgress], ...] = (
    cells.text("name", "Member", lambda row: row.name),
    cells.text("course", "Course", lambda row: row.course),
    cells.day("assigned", "Seat since", lambda row: None if row.assigned_at is None else row.assigned_at.date()),
    cells.text("started", "Started", lambda row: "Yes" if row.is_started else "No"),
    cells.text("week", "Last active in week", lambda row: row.week),
    cells.progress("percent", "Done", lambda row: row.percent / 100),
    cells.day("completed", "Completed", lambda row: None if row.completed_at is None else row.completed_at.date()),
    cells.text("certificate", "Certificate", lambda row: "Yes" if row.has_certificate else None),
)
