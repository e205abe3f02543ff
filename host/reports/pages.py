"""/admin/visits and /admin/reports/{name}: reports about visits, also as files."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import replace

from domain.reports.visit_reports import wording
from domain.reports.visit_reports.accesses import AccessAction
from domain.reports.visit_reports.answers import ReportAnswer
from domain.reports.visit_reports.descriptions import OVERVIEW, ReportDescription
from domain.reports.visit_reports.figure_sources import ReportUnavailable
from domain.reports.visit_reports.parameters import MAX_PAGE, ReportQuery, read_parameters
from domain.routes import Page
from host.loaders.areas import area_page
from host.loaders.shop import PageLinks
from host.loaders.ui import csv_rows
from host.loaders.ui.chart_props import require_consistent
from host.loaders.ui.table_query import address
from host.messaging.report_client import REPORT_CLIENT
from host.rendering.page_registry import csv_file, page, parquet_file
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult
from host.reports import links, view
from host.reports.answering import NOW, Reader, report_of
from host.reports.chart_view import chart
from host.reports.day_progress import progress_of
from host.reports.live_view import live_props
from host.reports.models import VisitReportProps
from host.reports.parquet_file import parquet_of
from host.reports.refusals import being_computed, unavailable
from host.warehouse import WAREHOUSE


@page("admin-visits", learner_limits=("reports_per_learner_minute",))
async def load_overview(request: PageRequest, route: Page) -> PageResult[VisitReportProps]:
    """Raises RateLimited, ServiceUnavailable."""
    return await _page(request, route, report_of(OVERVIEW.name))


@page("admin-report", learner_limits=("reports_per_learner_minute",))
async def load_report(request: PageRequest, route: Page) -> PageResult[VisitReportProps]:
    """Raises NotFound, RateLimited, ServiceUnavailable."""
    if request.values["name"] == NOW:
        reader, today = await _reader(request), request.settings.day_rules.day_of(request.at)
        props = live_props(await reader.live(), route, today, request.at)
        props["reports"].append(links.saved_links(await reader.views(), None, today))
        return area_page.page(request, route, props, title=props["heading"])
    return await _page(request, route, report_of(request.values["name"]))


async def _page(request: PageRequest, route: Page, report: ReportDescription) -> PageResult[VisitReportProps]:
    today = request.settings.day_rules.day_of(request.at)
    query, errors = _query(request, report)
    reader, status = await _reader(request), 200
    try:
        answer = await reader.answer(query, "view")
        empty = wording.empty_text(answer)
    except ReportUnavailable as error:
        answer, empty, status = await reader.blank(query), str(error), 503
    file_path, pairs = f"/csv{links.path_of(report)}", links.pairs_of(query, today)
    props: VisitReportProps = {
        "title": route.title,
        "heading": report.title,
        "about": report.about,
        "reports": [*links.report_links(query, today), links.saved_links(await reader.views(), query, today)],
        "presets": links.presets(query, today),
        "form": view.form(answer, today),
        "ignored": view.ignored(report, errors),
        "chosen": view.chosen(answer, today),
        "figures": [] if empty else view.figures(answer),
        "chart": require_consistent(chart(answer)),
        "levels": view.levels(query, today),
        "table": view.table(answer, today),
        "columns": view.columns(answer),
        "pages": _pages(answer, request),
        "csvHref": None if empty else address(file_path, pairs),
        "parquetHref": None if empty else address(file_path, [*pairs, ("as", "parquet")]),
        "empty": empty,
        "notes": [] if empty else wording.notes(answer),
    }
    if answer.built_at is not None:
        props["builtAt"] = answer.built_at
    if (found := progress_of(answer)) is not None:
        props["progress"] = found
    return replace(area_page.page(request, route, props, title=report.title), status=status)


def _query(request: PageRequest, report: ReportDescription) -> tuple[ReportQuery, Mapping[str, str]]:
    today = request.settings.day_rules.day_of(request.at)
    return read_parameters(report, request.query, today, request.query.getall("f", []))


def _pages(answer: ReportAnswer, request: PageRequest) -> PageLinks:
    query, today = answer.query, request.settings.day_rules.day_of(request.at)
    return {
        "previous": links.href_of(query, today, query.page - 1) if query.page > 1 else None,
        "next": links.href_of(query, today, query.page + 1) if answer.has_more and query.page < MAX_PAGE else None,
        "entries": [],
    }


async def _reader(request: PageRequest) -> Reader:
    """Within the limit of whoever opens the page."""
    if request.actor is None or request.app is None:
        raise LookupError(f"{request.path} was loaded for nobody")
    if request.limit is not None:
        await request.limit()
    return Reader(request.db, request.app[REPORT_CLIENT], request.settings, request.actor.learner_id, request.at)


@csv_file("admin-visits")
async def overview_csv(request: PageRequest) -> AsyncIterator[bytes]:
    """Raises RateLimited, ServiceUnavailable."""
    yield await _file(request, report_of(OVERVIEW.name))


@csv_file("admin-report")
async def report_csv(request: PageRequest) -> AsyncIterator[bytes]:
    """Raises NotFound, RateLimited, ServiceUnavailable."""
    yield await _file(request, report_of(request.values["name"]))


@parquet_file("admin-visits")
async def overview_parquet(request: PageRequest) -> bytes:
    """Raises RateLimited, ServiceUnavailable."""
    return await _parquet(request, report_of(OVERVIEW.name))


@parquet_file("admin-report")
async def report_parquet(request: PageRequest) -> bytes:
    """Raises NotFound, RateLimited, ServiceUnavailable."""
    return await _parquet(request, report_of(request.values["name"]))


async def _parquet(request: PageRequest, report: ReportDescription) -> bytes:
    answer = await _all_rows(request, report, "parquet")
    assert request.app is not None  # noqa: S101 _reader has looked
    return await parquet_of(answer, request.app[WAREHOUSE])


async def _all_rows(request: PageRequest, report: ReportDescription, action: AccessAction) -> ReportAnswer:
    """In the order of the page."""
    query, _ = _query(request, report)
    try:
        answer = await (await _reader(request)).answer(replace(query, page=1), action)
    except ReportUnavailable as error:
        raise unavailable(error) from error
    if answer.is_blank:
        raise being_computed(answer)
    return answer


async def _file(request: PageRequest, report: ReportDescription) -> bytes:
    answer = await _all_rows(request, report, "csv")
    columns, currency = view.file_columns(answer), wording.currency_of(answer)
    return csv_rows.header(columns, currency) + csv_rows.lines(columns, answer.rows, currency)
