"""/organization/seats: the seats of the organisation, who waits for one, and giving one to a member."""

from datetime import datetime

from sqlalchemy.orm import Session

from domain.display_text import day_text
from domain.permissions import Permission, Tenant, permissions_of
from domain.routes import Page
from domain.seats.views import overview, seat_list
from domain.seats.views.overview import AssignableContract
from domain.seats.views.seat_list import SeatRow, WaitingRow
from host.api.admin.actions import Action
from host.api.organisation.seats import assign
from host.loaders.areas import area_page
from host.loaders.areas.area_list import AreaList, ListPageProps, list_file
from host.loaders.organisation import seat_forecast
from host.loaders.organisation.seat_forecast import SeatForecast
from host.loaders.organisation.seat_texts import NOT_SHARED, PATH, STATES, last_use, seat_name
from host.loaders.ui import table_cells as cells
from host.loaders.ui.detail_props import ShortTable, short_table
from host.loaders.ui.table_cells import BadgeTone, Column
from host.loaders.ui.table_spec import TableSpec, choice, search
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

# Key in the site state.
_ALL_COURSES = "courses for seats"


class SeatsPageProps(ListPageProps):
    """`waiting`: members without a seat, in their turn. `actions`: [] without a contract that runs. `mayBuy`: whether
    this person buys for the organisation."""

    forecast: SeatForecast
    waiting: ShortTable
    actions: list[Action]
    mayBuy: bool


def _state(row: SeatRow) -> tuple[str, BadgeTone]:
    if row.grace_until is not None:
        return "Goes back soon", "warning"
    return STATES[row.state]


def _activity(row: SeatRow) -> str | None:
    """The week, or why it is not shown."""
    if row.state not in ("active", "spent"):
        return None
    return last_use(row.state, row.last_active_at) if row.is_shared else NOT_SHARED


LIST = AreaList(
    TableSpec(
        caption="Seats",
        source=seat_list.SEATS,
        columns=(
            cells.link("seat", "Seat", lambda row: (seat_name(row.number), f"{PATH}/{row.id}")),
            cells.badge("state", "State", _state),
            cells.text("person", "Person", lambda row: row.name or row.email or row.invited),
            cells.text("email", "Email", lambda row: row.email, hidden=True),
            cells.text("course", "Course", lambda row: row.course),
            cells.day("assigned", "Assigned", lambda row: row.assigned_at and row.assigned_at.date()),
            cells.text("active", "Last active in week", _activity),
            cells.day("back", "Goes back", lambda row: row.grace_until and row.grace_until.date()),
            cells.time("paused", "Paused until", lambda row: row.paused_until, hidden=True),
        ),
        filters=(
            choice("state", "State", {state: text for state, (text, _) in STATES.items()}),
            search("person", "Name or email"),
            search("course", "Course"),
        ),
        empty={
            "title": "No seats yet",
            "text": "The seats of your contracts are listed here: who has each, for which course, and since when.",
            "action": None,
        },
        # Names and addresses of people.
        has_csv=False,
    )
)
list_file("organization-seats", LIST)


@page("organization-seats")
async def load(request: PageRequest, route: Page) -> PageResult[SeatsPageProps]:
    """Raises ServiceUnavailable."""
    table = await LIST.table(request)
    name = (request.path, "choices", request.tenant.organisation_id)
    waiting, contracts = await request.db.read_briefly(name, _read, request.tenant, request.at)
    courses = await _courses(request, contracts) if contracts else {}
    props: SeatsPageProps = {
        "title": route.title,
        "table": table,
        "forecast": seat_forecast.props(await seat_forecast.read(request)),
        "waiting": short_table("waiting", "Waiting for a seat", "Nobody waits.", _WAITING, waiting),
        "actions": [_assign(contracts, courses)] if contracts else [],
        "mayBuy": request.actor is not None
        and Permission.PURCHASES_WRITE in permissions_of("organisation", request.actor.roles),
    }
    return area_page.page(request, route, props)


def _read(session: Session, tenant: Tenant, at: datetime) -> tuple[list[WaitingRow], list[AssignableContract]]:
    return seat_list.waiting_members(session, tenant), overview.running_contracts(session, tenant, at)


async def _courses(request: PageRequest, running: list[AssignableContract]) -> dict[str, str]:
    """Slug -> name of those to choose from. All of the shop are the same for every organisation, and are kept in the
    site state until the catalogue changes."""
    if not any(contract.has_all_courses for contract in running):
        name = (request.path, "courses", request.tenant.organisation_id)
        return await request.db.read_briefly(name, overview.covered_courses, request.tenant, request.at)
    kept = request.site.composed
    courses: dict[str, str] | None = kept.get(_ALL_COURSES)
    if courses is None:
        courses = await request.db.read(overview.all_courses)
        kept.put(_ALL_COURSES, courses, sum(len(slug) + len(name) for slug, name in courses.items()))
    return courses


def _assign(contracts: list[AssignableContract], courses: dict[str, str]) -> Action:
    names = {str(row.id): f"From {day_text(row.starts_at)}, a seat for a {row.seat_kind}" for row in contracts}
    has_persons = any(row.seat_kind == "person" for row in contracts)
    none = {"": "The courses that the contract names"} if has_persons else {}
    return assign.form(
        options={"contract": names, "course": {**none, **courses}},
        required=() if has_persons else ("course",),
    )


_WAITING: tuple[Column[WaitingRow], ...] = (
    cells.text("person", "Member", lambda row: row.name or row.email),
    cells.text("course", "Course", lambda row: row.course),
    cells.time("since", "Since", lambda row: row.requested_at),
    cells.text("first", "Comes first", lambda row: "Lost a seat before" if row.has_priority else None),
)
