"""/admin/tax-rates, …/new and …/{id}: what orders are charged as tax, adding a rate, and ending one."""

from sqlalchemy.orm import Session

from domain.audit import Subject
from domain.audit.views.events import AuditEntry, subject_entries
from domain.errors import InvalidInput
from domain.postal_addresses.countries import countries
from domain.rates import tax_effects, tax_list, tax_rates
from domain.rates.tax_list import TaxRateRow
from domain.routes import Page
from host.loaders.areas import area_page
from host.loaders.areas.area_list import AreaList, list_page
from host.loaders.areas.audit_table import events_table
from host.loaders.support.page_ids import number
from host.loaders.ui import table_cells as cells
from host.loaders.ui.action_props import Action, ActionField, ActionPageProps, TextPart, action, field
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

_COLUMNS: tuple[Column[TaxRateRow], ...] = (
    cells.text("class", "Class", lambda row: tax_rates.CLASSES[row.tax_class]),
    cells.text("name", "Name", lambda row: row.label),
    cells.text("percent", "Percent", lambda row: f"{row.percent.normalize():f} %"),
    cells.badge("state", "State", lambda row: STATES[row.state]),
    cells.day("starts", "First day", lambda row: row.starts_on),
    cells.day("ends", "Last day", lambda row: row.ends_on),
    cells.text("replaces", "Replaces others", lambda row: "Yes" if row.replaces else None),
)

LIST = AreaList(
    TableSpec(
        caption="Tax rates",
        source=tax_list.TAX_RATES,
        columns=(
            cells.link("place", "Place", lambda row: (tax_rates.place_text(row), f"{PATH}/{row.id}"), sortable=True),
            *_COLUMNS,
        ),
        filters=(
            search("country", "Country, such as DE"),
            choice("class", "Class", CLASSES),
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
    """A form, and what the rate in the address would do. Raises ServiceUnavailable."""
    values = {name: request.query[name] for name in tax_rates.FIELDS if name in request.query}
    texts, actions = await _preview(request, values) if values else ([], [])
    title = "Change it before" if actions else "The rate"
    terms = action(title, f"{PATH}/check", "Show what it does", text=_ABOUT, fields=_fields(values))
    props: ActionPageProps = {
        "title": route.title,
        "heading": route.title,
        "backHref": PATH,
        "backText": "All tax rates",
        "facts": [],
        "texts": texts,
        "tables": [],
        "actions": [*actions, terms],
    }
    return area_page.page(request, route, props)


_ABOUT = "A rate begins today or later. Orders keep the rates that they were charged."


async def _preview(request: PageRequest, values: dict[str, str]) -> tuple[list[TextPart], list[Action]]:
    """What the rate would do, and the form that adds it; why it cannot be added, and no form."""
    try:
        draft = tax_rates.read_draft(values, request.at.date())
        effects = await request.db.read(tax_effects.effects, draft, request.at.date(), request.settings.shop)
    except InvalidInput as error:
        return [{"id": "errors", "title": "What is to be mended", "text": "\n".join(error.errors.values())}], []
    fixed = [field(name, "", kind="fixed", value=value) for name, value in values.items()]
    reason = field("reason", "Reason", hint="For the record.", is_required=False)
    add = action("Add this rate", PATH, "Add the rate", id="add", fields=[*fixed, reason], leads_to=PATH)
    return [{"id": "effects", "title": "What it will do", "text": "\n".join(effects)}], [add]


def _fields(values: dict[str, str]) -> list[ActionField]:
    area_hint = "As addresses have it, such as QC or Quebec. Empty: the whole country."
    codes_hint = "How they begin, such as 90. Empty: all of them."
    known = [
        field("country", "Country", kind="choice", options={"": "Choose a country", **countries()}),
        field("region", "Area", hint=area_hint, is_required=False, max_length=200),
        field("postalFrom", "Postal codes from", hint=codes_hint, is_required=False, max_length=20),
        field("postalTo", "Postal codes to", hint="Empty: as the first.", is_required=False, max_length=20),
        field("taxClass", "Class", kind="choice", options=CLASSES),
        field("label", "Name on documents", hint="Such as VAT.", max_length=tax_rates.MAX_LABEL),
        field("percent", "Percent", hint="0 for an exception without tax.", max_length=10),
        field("replaces", "Other rates of the place", kind="choice", options=_REPLACES),
        field("startsOn", "First day", hint="Such as 2027-01-01. Empty: today.", is_required=False, max_length=10),
        field("endsOn", "Last day", hint="Empty: no end.", is_required=False, max_length=10),
    ]
    for entry in known:
        entry["value"] = values.get(entry["name"], entry["value"])
    return known


_REPLACES = {"no": "Are charged as well", "yes": "Are replaced, the less exact ones"}


@page("admin-tax-rate")
async def load(request: PageRequest, route: Page) -> PageResult[ActionPageProps]:
    """Raises NotFound, ServiceUnavailable."""
    row, events = await request.db.read(_read, number(request))
    props: ActionPageProps = {
        "title": route.title,
        "heading": f"{row.label} {row.percent.normalize():f} %, {tax_rates.place_text(row)}",
        "backHref": PATH,
        "backText": "All tax rates",
        "facts": facts(_COLUMNS, row),
        "texts": [],
        "tables": [events_table(events)],
        "actions": _actions(row),
    }
    return area_page.page(request, route, props)


def _read(session: Session, rate_id: int) -> tuple[TaxRateRow, list[AuditEntry]]:
    return tax_list.rate_of(session, rate_id), [*subject_entries(session, Subject("tax_rate", rate_id))]


def _actions(row: TaxRateRow) -> list[Action]:
    if row.state == "ended":
        return []
    path, reason = f"{PATH}/{row.id}", field("reason", "Reason", hint="For the record.", is_required=False)
    last = "" if row.ends_on is None else row.ends_on.isoformat()
    day = field(
        "endsOn", "Last day", hint="Today or later. Empty: no end.", is_required=False, value=last, max_length=10
    )
    text = "Orders until then are charged by it. Where no other rate holds after it, no tax is charged."
    actions = [action("Last day", f"{path}/end", "Save the last day", text=text, fields=[day, reason])]
    if row.state == "planned":
        question = "It is deleted. A rate that ends for its sake still ends: give that one another last day."
        actions.append(
            action(
                "Take it back",
                f"{path}/withdraw",
                "Take it back",
                fields=[reason],
                question=question,
                leads_to=PATH,
            )
        )
    return actions
