"""/admin/tax-rates, …/new and …/{id}: what orders are charged as tax, adding a rate, and ending one."""

from datetime import UTC, date, datetime

from sqlalchemy.orm import Session

from domain.audit.recording import Subject
from domain.display_text import percent_text
from domain.rates import tax_list, tax_rates
from domain.rates.tax_list import TaxRateRow
from domain.routes import Page
from domain.staff.recorded_events import AuditEntry, subject_entries
from host.api.admin.actions import Action
from host.api.admin.tax_rates import add_tax_rate, end_tax_rate, withdraw_tax_rate
from host.loaders.areas import area_page
from host.loaders.areas.area_list import AreaList, list_page
from host.loaders.areas.audit_table import events_table
from host.loaders.support.page_ids import number
from host.loaders.ui import table_cells as cells
from host.loaders.ui.action_props import ActionPageProps, new_page
from host.loaders.ui.detail_props import facts
from host.loaders.ui.table_cells import BadgeTone, Column
from host.loaders.ui.table_spec import TableSpec, choice, search
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

PATH = "/admin/tax-rates"
STATES: dict[str, tuple[str, BadgeTone]] = {
    "now": ("Holds now", "good"),
    "planned": ("Planned", "info"),
    "ended": ("Ended", "neutral"),
}
CLASSES = dict(tax_rates.CLASSES)


def today() -> date:
    """The day by which orders are taxed: in UTC."""
    return datetime.now(UTC).date()


_COLUMNS: tuple[Column[TaxRateRow], ...] = (
    cells.text("class", "Class", lambda row: tax_rates.CLASSES[row.tax_class]),
    cells.text("name", "Name", lambda row: row.label),
    cells.text("percent", "Percent", lambda row: percent_text(row.percent)),
    cells.badge("state", "State", lambda row: STATES[row.state]),
    cells.day("starts", "First day", lambda row: row.starts_on),
    cells.day("ends", "Last day", lambda row: row.ends_on),
    cells.text("replaces", "Replaces others", lambda row: "Yes" if row.replaces else None),
)

LIST = AreaList(
    TableSpec(
        caption="Tax rates",
        source=tax_list.tax_rates(today),
        columns=(
            cells.link("place", "Place", lambda row: (tax_rates.place_text(row), f"{PATH}/{row.id}"), sortable=True),
            *_COLUMNS,
        ),
        filters=(
            search("country", "Country, such as DE"),
            choice("class", "Class", {str(name): text for name, text in CLASSES.items()}),
            choice("state", "State", {state: text for state, (text, _) in STATES.items()}),
        ),
        default_sort="place",
        empty={
            "title": "No tax rates yet",
            "text": "Where no rate names a place and a class of product, no tax is charged.",
            "action": {"text": "Add a tax rate", "href": f"{PATH}/new"},
        },
    ),
    links=({"text": "Add a tax rate", "href": f"{PATH}/new"},),
)
list_page("admin-tax-rates", LIST)


@page("admin-tax-rate-new")
async def load_new(request: PageRequest, route: Page) -> PageResult[ActionPageProps]:
    actions = [add_tax_rate.form(title="Add this rate", leads_to=PATH)]
    return area_page.page(request, route, new_page(route.title, PATH, "All tax rates", actions))


@page("admin-tax-rate")
async def load(request: PageRequest, route: Page) -> PageResult[ActionPageProps]:
    """Raises NotFound, ServiceUnavailable."""
    row, events = await request.db.read(_read, number(request), request.at.date())
    props: ActionPageProps = {
        "title": route.title,
        "heading": f"{row.label} {percent_text(row.percent)}, {tax_rates.place_text(row)}",
        "backHref": PATH,
        "backText": "All tax rates",
        "facts": facts(_COLUMNS, row),
        "texts": [],
        "tables": [events_table(events)],
        "actions": _actions(row),
    }
    return area_page.page(request, route, props)


def _read(session: Session, rate_id: int, on: date) -> tuple[TaxRateRow, list[AuditEntry]]:
    return tax_list.rate_of(session, rate_id, on), [*subject_entries(session, Subject("tax_rate", rate_id))]


def _actions(row: TaxRateRow) -> list[Action]:
    """What can still be changed about a rate."""
    if row.state == "ended":
        return []
    last = "" if row.ends_on is None else row.ends_on.isoformat()
    end = end_tax_rate.form(row.id, values={"endsOn": last})
    return [end, withdraw_tax_rate.form(row.id, leads_to=PATH)] if row.state == "planned" else [end]
