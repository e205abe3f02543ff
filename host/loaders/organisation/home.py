"""/organization: the organisation at a glance; /organization/choose: which of one's own it is."""

from typing_extensions import TypedDict

from domain.identity import choosing
from domain.organisations import members
from domain.organisations.contracts import contracts_of
from domain.routes import Page
from host.http.local_redirects import safe_local_path
from host.loaders.areas import area_page
from host.loaders.organisation.contract_columns import contract_columns
from host.loaders.ui import table_cells as cells
from host.loaders.ui.detail_props import Fact, ShortTable, facts, short_table
from host.loaders.ui.table_cells import Column
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

HOME = "/organization"


class ManagedOrganisation(TypedDict):
    slug: str
    name: str


class OrganisationHomeProps(TypedDict):
    """`contracts`: those that run now."""

    title: str
    heading: str
    facts: list[Fact]
    contracts: ShortTable


class OrganisationChoiceProps(TypedDict):
    """`organisations`: those that the person manages; `current`: the slug of the chosen one. `target`: the page that a
    choice leads to."""

    title: str
    organisations: list[ManagedOrganisation]
    current: str | None
    target: str


async def load(request: PageRequest, route: Page) -> PageResult:
    """Raises ServiceUnavailable."""
    counts = await request.db.read(members.number_by_role, request.tenant)
    running = [row for row in await request.db.read(contracts_of, request.tenant) if row.is_running(request.at)]
    organisation = None if request.session is None else request.session.organisation
    empty = "No contract runs at the moment."
    props: OrganisationHomeProps = {
        "title": route.title,
        "heading": route.title if organisation is None else organisation.name,
        "facts": facts(_FACTS, counts),
        "contracts": short_table("contracts", "Running contracts", empty, contract_columns(request), running),
    }
    return area_page.page(request, route, dict(props))


async def load_choice(request: PageRequest, route: Page) -> PageResult:
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
    return area_page.page(request, route, dict(props))


_FACTS: tuple[Column[dict[str, int]], ...] = (
    cells.count("people", "People", lambda counts: sum(counts.values())),
    cells.count("owners", "Owners", lambda counts: counts["owner"]),
    cells.count("managers", "Managers", lambda counts: counts["manager"]),
    cells.count("members", "Members", lambda counts: counts["member"]),
)
