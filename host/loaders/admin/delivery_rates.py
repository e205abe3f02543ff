"""/admin/delivery-rates, …/new and …/{id}: what delivery costs, adding a rate, and ending one."""

from dataclasses import replace
from datetime import date

from sqlalchemy.orm import Session

from domain.audit.recording import Subject
from domain.rates import delivery_list, delivery_rates
from domain.rates.delivery_list import DeliveryRateRow
from domain.rates.delivery_zones import place_text, places_text, short_places_text
from domain.routes import Page
from domain.staff.recorded_events import AuditEntry, subject_entries
from domain.text_direction import isolated
from host.api.admin.actions import Action
from host.api.admin.delivery_rates import (
    add_delivery_rate,
    change_zone_places,
    end_delivery_rate,
    withdraw_delivery_rate,
)
from host.loaders.admin.tax_rates import STATES, today
from host.loaders.areas import area_page
from host.loaders.areas.area_list import AreaList, list_page
from host.loaders.areas.audit_table import events_table
from host.loaders.support.page_ids import number
from host.loaders.ui import table_cells as cells
from host.loaders.ui.action_props import ActionPageProps, new_page
from host.loaders.ui.detail_props import facts
from host.loaders.ui.table_cells import Column
from host.loaders.ui.table_spec import EmptyAction, TableSpec, choice
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

PATH = "/admin/delivery-rates"
_NEW: EmptyAction = {"text": "Add a delivery rate", "href": f"{PATH}/new"}

_COUNTRIES: Column[DeliveryRateRow] = cells.text("countries", "Countries", lambda row: places_text(row.places))
_RATE: tuple[Column[DeliveryRateRow], ...] = (
    cells.text("weights", "Weights", delivery_rates.weights_text),
    cells.minor("price", "Price", lambda row: row.price_minor),
    cells.minor("free", "Nothing from", lambda row: row.free_from_minor),
    cells.text("days", "Working days", lambda row: f"{row.days_min} to {row.days_max}"),
    cells.badge("state", "State", lambda row: STATES[row.state]),
    cells.day("starts", "First day", lambda row: row.starts_on),
    cells.day("ends", "Last day", lambda row: row.ends_on),
)

LIST = AreaList(
    TableSpec(
        caption="Delivery rates",
        source=delivery_list.delivery_rates(today),
        columns=(
            cells.link("service", "Zone and service", lambda row: (_name(row), f"{PATH}/{row.id}")),
            cells.text("some", "Countries", lambda row: short_places_text(row.places)),
            *_RATE,
            replace(_COUNTRIES, label="All countries", hidden=True),
        ),
        filters=(choice("state", "State", {state: text for state, (text, _) in STATES.items()}),),
        empty={
            "title": "No delivery rates yet",
            "text": "Where no rate reaches, nothing is delivered.",
            "action": _NEW,
        },
    ),
    links=(_NEW,),
)
list_page("admin-delivery-rates", LIST)


def _name(row: DeliveryRateRow) -> str:
    return f"{isolated(row.zone)}: {isolated(row.service)}"


@page("admin-delivery-rate-new")
async def load_new(request: PageRequest, route: Page) -> PageResult[ActionPageProps]:
    actions = [add_delivery_rate.form(title="Add this rate", leads_to=PATH)]
    return area_page.page(request, route, new_page(route.title, PATH, "All delivery rates", actions))


@page("admin-delivery-rate")
async def load(request: PageRequest, route: Page) -> PageResult[ActionPageProps]:
    """Raises NotFound, ServiceUnavailable."""
    row, events = await request.db.read(_read, number(request), request.at.date())
    props: ActionPageProps = {
        "title": route.title,
        "heading": _name(row),
        "backHref": PATH,
        "backText": "All delivery rates",
        "facts": facts((_COUNTRIES, *_RATE), row),
        "texts": [],
        "tables": [events_table(events)],
        "actions": _actions(row),
    }
    return area_page.page(request, route, props)


def _read(session: Session, rate_id: int, on: date) -> tuple[DeliveryRateRow, list[AuditEntry]]:
    """With the events of the rate and of its zone, the newest first."""
    row = delivery_list.rate_of(session, rate_id, on)
    about = (Subject("delivery_rate", rate_id), Subject("delivery_zone", row.zone_id))
    events = [event for subject in about for event in subject_entries(session, subject)]
    return row, sorted(events, key=lambda event: event.number, reverse=True)


def _actions(row: DeliveryRateRow) -> list[Action]:
    """What can still be changed about a rate and its zone."""
    picked = [{"value": place.text, "text": place_text(place)} for place in row.places]
    title = f"Countries of the zone {isolated(row.zone)}"
    zone = change_zone_places.form(row.zone_id, title=title, values={"countries": picked})
    if row.state == "ended":
        return [zone]
    last = "" if row.ends_on is None else row.ends_on.isoformat()
    end = end_delivery_rate.form(row.id, values={"endsOn": last})
    withdraw = [withdraw_delivery_rate.form(row.id, leads_to=PATH)] if row.state == "planned" else []
    return [end, *withdraw, zone]
