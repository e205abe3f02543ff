"""/admin/visits/saved, …/new and …/{id}: saved views of reports, and their mails."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time
from typing import NamedTuple

from sqlalchemy.orm import Session

from domain.display_text import clock_text, day_text
from domain.errors import NotFound
from domain.identity.learners import has_verified_address
from domain.reports.all_reports import SOURCES
from domain.reports.saved_views import periods, subscriptions, view_queries, views
from domain.reports.saved_views.subscriptions import Subscription
from domain.reports.saved_views.view_queries import OpenedView
from domain.reports.saved_views.views import SavedView
from domain.reports.visit_reports.descriptions import OVERVIEW, label_of, name_of
from domain.reports.visit_reports.parameters import ReportQuery
from domain.reports.visit_reports.wording import AUDIENCE_TEXTS, COMPARE_TEXTS, heading_of, period_text
from domain.routes import Page
from domain.text_direction import isolated
from host.api.admin import saved_reports as calls
from host.api.admin.actions import Action
from host.api.admin.saved_reports import DEFAULT_HOUR, FIXED, FREQUENCY_TEXTS, PATH
from host.loaders.areas import area_page
from host.loaders.support.page_ids import number
from host.loaders.ui import table_cells as cells
from host.loaders.ui.action_props import ActionPageProps, new_page
from host.loaders.ui.detail_props import Fact, facts, short_table
from host.loaders.ui.table_cells import Cell, Column
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult
from host.reports import links

NO_VIEWS = "You have saved no view yet. Open a report, choose what it shows, and press “Save view”."
NOTHING_SHARED = "Nobody else shares a view."
_BACK = "All saved views"


class _ShownView(NamedTuple):
    """A saved view as it is today; `href` None: its report does not exist any more."""

    view: SavedView
    opened: OpenedView
    href: str | None


class _Chosen(NamedTuple):
    """What a view shows, `period` in words."""

    query: ReportQuery
    period: str


def _name_cell(row: _ShownView) -> Cell:
    if row.href is None:
        return {"kind": "text", "text": row.view.name}
    return {"kind": "link", "text": row.view.name, "href": row.href}


def _period_text(row: _ShownView) -> str | None:
    if row.view.period and "period" not in row.opened.gone:
        return periods.text_of(row.view.period)
    query = row.opened.query
    return None if query is None or not query.report.has_period else period_text(query)


_NAME: Column[_ShownView] = Column("name", "View", "link", lambda rows: [_name_cell(row) for row in rows])
_REPORT: Column[_ShownView] = cells.text("report", "Report", lambda row: _title(row.view.report))
_PERIOD: Column[_ShownView] = cells.text("period", "Period", _period_text)
_MAIL: Column[_ShownView] = cells.text("mail", "Mail to you", lambda row: FREQUENCY_TEXTS.get(row.view.mail))
_SHARED: Column[_ShownView] = cells.text("shared", "Shared", lambda row: "With all" if row.view.is_shared else None)
_OWNER: Column[_ShownView] = cells.text("owner", "Saved by", lambda row: row.view.owner or None)
_NOTICE: Column[_ShownView] = cells.text("notice", "What has changed", lambda row: row.opened.notice or None)
_MORE: Column[_ShownView] = cells.link("more", "Mail and sharing", lambda row: ("Change", f"{PATH}/{row.view.id}"))
_ABOUT = (_NAME, _REPORT, _PERIOD)


def _title(report: str) -> str:
    return SOURCES[report].report.title if report in SOURCES else report


@page("admin-saved-reports")
async def load_list(request: PageRequest, route: Page) -> PageResult[ActionPageProps]:
    """Raises ServiceUnavailable."""
    found, deleted = await request.db.read(_read_all, _learner(request))
    today = _today(request)
    shown = [_shown(view, today) for view in found]
    own, shared = [row for row in shown if row.view.is_own], [row for row in shown if not row.view.is_own]
    news = (_NOTICE,) if any(row.opened.notice for row in shown) else ()
    props: ActionPageProps = {
        "title": route.title,
        "heading": route.title,
        "backHref": links.HOME,
        "backText": "Visits",
        "facts": [],
        "texts": [],
        "tables": [
            short_table("own", "Yours", NO_VIEWS, (_NAME, _REPORT, _PERIOD, _SHARED, _MAIL, *news, _MORE), own),
            short_table(
                "shared",
                "Shared by others",
                NOTHING_SHARED,
                (_NAME, _REPORT, _PERIOD, _OWNER, _MAIL, *news, _MORE),
                shared,
            ),
        ],
        "actions": _restoring(deleted),
    }
    return area_page.page(request, route, props)


def _read_all(session: Session, learner_id: int) -> tuple[list[SavedView], Sequence[tuple[int, str]]]:
    return views.views_of(session, learner_id), views.deleted_views(session, learner_id)


def _restoring(deleted: Sequence[tuple[int, str]]) -> list[Action]:
    if not deleted:
        return []
    return [calls.bring_back.form(options={"id": {str(view_id): name for view_id, name in deleted}})]


@page("admin-saved-report-new")
async def load_new(request: PageRequest, route: Page) -> PageResult[ActionPageProps]:
    """Raises NotFound, ServiceUnavailable."""
    today, name = _today(request), request.query.get("report", OVERVIEW.name)
    opened = view_queries.opened(name, request.query.get("query", ""), "", today, periods.days_of)
    if opened.query is None or opened.gone:
        raise NotFound("Open a report, and press “Save view”.")
    query = opened.query
    is_verified = await request.db.read(has_verified_address, _learner(request))
    form = calls.save_view.form(
        text=f"It opens the report with what is chosen now. Times are of {request.settings.day_rules.zone}.",
        values={
            "report": query.report.name,
            "query": request.query.get("query", ""),
            "period": next(iter(_periods(query, today))),
            "frequency": "never",
            "hour": DEFAULT_HOUR,
        },
        options={"period": _periods(query, today)},
        hints={"period": "A period that moves with time can be mailed."},
        without=(
            *(() if query.report.has_period else ("period",)),
            *(() if is_verified else ("frequency", "hour")),
        ),
    )
    href = links.href_of(query, today)
    props = new_page(route.title, href, query.report.title, [form])
    props["facts"] = facts(_CHOSEN, _Chosen(query, period_text(query) if query.report.has_period else ""))
    return area_page.page(request, route, props)


def _periods(query: ReportQuery, today: date) -> dict[str, str]:
    moving = {name: periods.text_of(name) for name in periods.names_for(query.since, query.until, today)}
    return {**moving, FIXED: f"Always {period_text(query)}"}


@page("admin-saved-report")
async def load(request: PageRequest, route: Page) -> PageResult[ActionPageProps]:
    """Raises NotFound, also for somebody else's private view, and ServiceUnavailable."""
    view, mails, is_verified = await request.db.read(_read, _learner(request), number(request))
    row = _shown(view, _today(request))
    chosen = [] if row.opened.query is None else facts(_CHOSEN, _Chosen(row.opened.query, _period_text(row) or ""))
    mail = _mail_fact(request, mails, is_verified=is_verified)
    shown = [*facts((_OPEN, _NOTICE, _OWNER), row), *chosen, mail]
    props: ActionPageProps = {
        "title": route.title,
        "heading": view.name,
        "backHref": PATH,
        "backText": _BACK,
        "facts": [fact for fact in shown if fact["cell"] is not None],
        "texts": [],
        "tables": [],
        "actions": _actions(row, mails, is_verified=is_verified),
    }
    return area_page.page(request, route, props)


def _read(session: Session, learner_id: int, view_id: int) -> tuple[SavedView, Subscription | None, bool]:
    view = views.view(session, learner_id, view_id)
    mails = subscriptions.subscription(session, learner_id, view_id)
    return view, mails, has_verified_address(session, learner_id)


def _actions(row: _ShownView, mails: Subscription | None, *, is_verified: bool) -> list[Action]:
    view, found = row.view, list[Action]()
    is_mailed = mails is not None and not mails.ended
    if is_verified and _can_be_mailed(row):
        values = {"frequency": mails.frequency, "hour": mails.hour} if mails else {"hour": DEFAULT_HOUR}
        title, button = ("Change the mail", "Save") if is_mailed else ("Get it by mail", "Mail me")
        found.append(calls.mail_view.form(view.id, values=values, title=title, button=button))
    if is_mailed:
        found.append(calls.stop_mail.form(view.id))
    if view.is_own:
        values = {"name": view.name, "isShared": view.is_shared}
        found += [calls.change_view.form(view.id, values=values), calls.delete_view.form(view.id)]
    return found


def _can_be_mailed(row: _ShownView) -> bool:
    query = row.opened.query
    return query is not None and (bool(row.view.period) or not query.report.has_period)


def _mail_fact(request: PageRequest, mails: Subscription | None, *, is_verified: bool) -> Fact:
    if not is_verified:
        text = subscriptions.NOT_VERIFIED
    elif mails is None:
        text = "Not sent to you"
    elif mails.ended:
        text = mails.ended
    else:
        zone = request.settings.day_rules.zone
        day = subscriptions.next_day(mails.frequency, mails.hour, zone, request.at)
        # Written as a time of day, whatever its zone.
        hour = clock_text(datetime.combine(day, time(mails.hour), UTC))
        text = f"{FREQUENCY_TEXTS[mails.frequency]}; the next one on {day_text(day)}, from {hour} {zone}"
    return {"label": "Mail", "cell": {"kind": "text", "text": text}}


_OPEN: Column[_ShownView] = cells.link(
    "open", "Report", lambda row: None if row.href is None else (_title(row.view.report), row.href)
)
_CHOSEN: tuple[Column[_Chosen], ...] = (
    cells.text("period", "Period", lambda row: row.period or None),
    cells.text(
        "compare",
        "Compared with",
        lambda row: COMPARE_TEXTS[row.query.compare] if row.query.report.has_comparison else None,
    ),
    cells.text("by", "Rows by", lambda row: heading_of(row.query)),
    cells.text(
        "audience", "Who", lambda row: AUDIENCE_TEXTS[row.query.audience] if row.query.report.has_audience else None
    ),
    cells.text("filters", "Filters", lambda row: _filters(row.query) or None),
)


def _filters(query: ReportQuery) -> str:
    return "; ".join(
        f"{query.report.levels.get(dimension) or name_of(dimension)}: {isolated(label_of(dimension, key))}"
        for dimension, key in query.filters
    )


def _shown(view: SavedView, today: date) -> _ShownView:
    opened = links.open_view(view, today)
    return _ShownView(view, opened, links.opened_href(opened, today))


def _today(request: PageRequest) -> date:
    return request.settings.day_rules.day_of(request.at)


def _learner(request: PageRequest) -> int:
    if request.actor is None:
        raise LookupError(f"{request.path} was loaded for nobody")
    return request.actor.learner_id
