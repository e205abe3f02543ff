"""/admin/quotes, …/new and …/{id}: quotes of organisations, making one at an agreed price, and withdrawing one."""

from datetime import UTC, datetime

from sqlalchemy.orm import Session

from domain.audit.recording import Subject
from domain.permissions import Permission
from domain.quotes import quote_views
from domain.quotes.quote_views import QuoteView
from domain.routes import Page
from domain.staff.recorded_events import AuditEntry, subject_entries
from domain.text_direction import isolated
from host.api.admin.organisations.quotes import PATH, make_quote, withdraw_quote
from host.loaders.areas import area_page
from host.loaders.areas.area_list import AreaList, list_page
from host.loaders.areas.audit_table import events_table
from host.loaders.support.order_tones import PATH as ORDERS_PATH
from host.loaders.support.page_ids import may, number
from host.loaders.support.quote_texts import CONTENT_COLUMNS, FILE_COLUMNS, STATES, quote_facts
from host.loaders.ui import table_cells as cells
from host.loaders.ui.action_props import ActionPageProps, new_page
from host.loaders.ui.table_spec import TableSpec, choice, search
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult


def _now() -> datetime:
    return datetime.now(UTC)


LIST = AreaList(
    TableSpec(
        caption="Quotes",
        source=quote_views.all_quotes(_now),
        names_people=True,
        columns=(
            cells.link("number", "Number", lambda row: (row.number, f"{PATH}/{row.id}")),
            cells.text("organisation", "Organisation", lambda row: row.organisation),
            *CONTENT_COLUMNS,
            cells.text("person", "For", lambda row: row.person or None, hidden=True),
            *FILE_COLUMNS,
        ),
        filters=(
            search("organisation", "Organisation or number"),
            choice("state", "State", {str(state): text for state, (text, _) in STATES.items()}),
        ),
        empty={
            "title": "No quotes yet",
            "text": "Quotes that organisations ask for, or that you make for one, are listed here.",
            "action": {"text": "Make a quote", "href": f"{PATH}/new"},
        },
    ),
    links=({"text": "Make a quote", "href": f"{PATH}/new"},),
)
list_page("admin-quotes", LIST)


@page("admin-quote-new")
async def load_new(request: PageRequest, route: Page) -> PageResult[ActionPageProps]:
    """A form for a price that was agreed."""
    days = request.settings.seat_term_days or 365
    values = {"quantity": 10, "termDays": days, "organisation": request.query.get("organisation", "")}
    return area_page.page(request, route, new_page(route.title, PATH, "All quotes", [make_quote.form(values=values)]))


@page("admin-quote")
async def load(request: PageRequest, route: Page) -> PageResult[ActionPageProps]:
    """Raises NotFound, ServiceUnavailable."""
    found, events = await request.db.read(_read, number(request), request.at)
    may_read_orders = may(request, Permission.ORDERS_READ)
    can_withdraw = found.state == "open" and may(request, Permission.CONTRACTS_WRITE)
    by_whom = "Made by the staff, with a price by hand." if found.is_by_staff else "Asked for by an owner."
    props: ActionPageProps = {
        "title": route.title,
        "heading": f"Quote {found.number} for {isolated(found.organisation)}",
        "backHref": PATH,
        "backText": "All quotes",
        "facts": quote_facts(
            found, order_href=f"{ORDERS_PATH}/{found.order}" if found.order and may_read_orders else ""
        ),
        "texts": [{"id": "origin", "title": "How it came about", "text": by_whom}],
        "tables": [events_table(events)],
        "actions": [withdraw_quote.form(found.id)] if can_withdraw else [],
    }
    return area_page.page(request, route, props)


def _read(session: Session, quote_id: int, at: datetime) -> tuple[QuoteView, list[AuditEntry]]:
    found = quote_views.quote_of(session, None, quote_id, None, at)
    return found, [*subject_entries(session, Subject("quote", quote_id))]
