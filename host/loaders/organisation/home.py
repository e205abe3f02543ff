"""/organization: the organisation at a glance; /organization/choose: which of one's own it is."""

from typing_extensions import TypedDict

from domain.identity import choosing
from domain.organisations import members
from domain.organisations.contracts import contracts_of
from domain.reports import organisation_report
from domain.reports.organisation_report import MonthCosts
from domain.routes import Page
from domain.seats.views import overview
from domain.seats.views.overview import SeatNumbers
from host.http.local_redirects import safe_local_path
from host.loaders.areas import area_page
from host.loaders.organisation import seat_forecast
from host.loaders.organisation.contract_columns import overview_columns
from host.loaders.organisation.reports import or_more
from host.loaders.ui import table_cells as cells
from host.loaders.ui.detail_props import Fact, ShortTable, facts, short_table
from host.loaders.ui.table_cells import Column
from host.loaders.ui.waiting_work import WaitingWork
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

HOME = "/organization"


class ManagedOrganisation(TypedDict):
    slug: str
    name: str


class OrganisationHomeProps(TypedDict):
    """`contracts`: those that run now. `seats`: how they are used, `forecast`: how many will stand idle, in sentences,
    none without a seat in use, `waiting`: what waits for somebody, in words."""

    title: str
    heading: str
    facts: list[Fact]
    seats: list[Fact]
    forecast: list[str]
    waiting: list[WaitingWork]
    contracts: ShortTable


class OrganisationChoiceProps(TypedDict):
    """`organisations`: those that the person manages; `current`: the slug of the chosen one. `target`: the page that a
    choice leads to."""

    title: str
    organisations: list[ManagedOrganisation]
    current: str | None
    target: str


@page("organization-home")
async def load(request: PageRequest, route: Page) -> PageResult[OrganisationHomeProps]:
    """Raises ServiceUnavailable."""
    counts = await request.db.read(members.number_by_role, request.tenant)
    k = request.settings.report_k
    numbers = await request.db.read(overview.all_seat_numbers, request.tenant)
    outlook = await seat_forecast.read(request)
    report = await request.db.read(organisation_report.organisation_report, request.tenant, k, 1)
    running = [row for row in await request.db.read(contracts_of, request.tenant) if row.is_running(request.at)]
    organisation = None if request.session is None else request.session.organisation
    empty = "No contract runs at the moment."
    props: OrganisationHomeProps = {
        "title": route.title,
        "heading": route.title if organisation is None else organisation.name,
        "facts": facts(_FACTS, counts),
        "seats": [
            *facts(_SEATS, numbers),
            *seat_forecast.idle_facts(outlook),
            *(facts(_MONTH, report.newest) if report.newest else []),
        ],
        "forecast": seat_forecast.sentences(outlook) if outlook.seats else [],
        "waiting": _waiting(numbers),
        "contracts": short_table("contracts", "Running contracts", empty, overview_columns(request), running),
    }
    return area_page.page(request, route, props)


@page("organization-choose")
async def load_choice(request: PageRequest, route: Page) -> PageResult[OrganisationChoiceProps]:
    """Raises ServiceUnavailable."""
    if request.session is None:
        raise LookupError(f"{route.id} was loaded without a session")
    own = await request.db.read(choosing.choices, request.session.auth.learner_id)
    current = request.session.organisation
    target = safe_local_path(request.query.get("returnTo", "")) or HOME
    props: OrganisationChoiceProps = {
        "title": route.title,
        "organisations": [{"slug": row.slug, "name": row.name} for row in own],
        "current": None if current is None else current.slug,
        "target": target if target.startswith(HOME) else HOME,
    }
    return area_page.page(request, route, props)


def _waiting(numbers: SeatNumbers) -> list[WaitingWork]:
    """What a manager may look at next."""
    lines = (
        (numbers.waiting, "member waits for a seat", "members wait for a seat", "/organization/seats#waiting"),
        (numbers.noticed, "seat goes back soon", "seats go back soon", "/organization/seats?state=active"),
    )
    return [
        {"count": count, "isMore": False, "text": one if count == 1 else many, "href": href}
        for count, one, many, href in lines
        if count
    ]


def _by_month(number: int | None, row: MonthCosts) -> str:
    return or_more(number) if number is None else f"{or_more(number)} by the end of {row.month}"


_SEATS: tuple[Column[SeatNumbers], ...] = (
    cells.count("free", "Seats free", lambda row: row.free),
    cells.count("used", "Seats used", lambda row: row.used),
    cells.count("reserved", "Set aside for invitations", lambda row: row.reserved),
    cells.count("waiting", "Members waiting", lambda row: row.waiting),
)
# Figures of the newest month that is over: what people do is not counted live.
_MONTH: tuple[Column[MonthCosts], ...] = (
    cells.text("started", "Courses started", lambda row: _by_month(row.started, row)),
    cells.text("completed", "Courses completed", lambda row: _by_month(row.completed, row)),
)
_FACTS: tuple[Column[dict[str, int]], ...] = (
    cells.count("people", "People", lambda counts: sum(counts.values())),
    cells.count("owners", "Owners", lambda counts: counts["owner"]),
    cells.count("managers", "Managers", lambda counts: counts["manager"]),
    cells.count("members", "Members", lambda counts: counts["member"]),
)
