"""/admin/organisations/{id}/members: who belongs to an organisation."""

from typing_extensions import TypedDict

from domain.database.list_page import read_list_page
from domain.organisations.applications import thread as application_thread
from domain.organisations.staff_list import PEOPLE, is_in
from domain.routes import Page
from host.loaders.areas import area_page
from host.loaders.organisation.member_columns import MEMBER_COLUMNS, ROLE_NAMES, member_name
from host.loaders.organisations.tabs import PATH, OrganisationTab, tabs_of
from host.loaders.support.page_ids import number
from host.loaders.ui import table_cells as cells
from host.loaders.ui.table_props import TableProps, table_props
from host.loaders.ui.table_query import parse
from host.loaders.ui.table_spec import TableSpec, choice
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult


class OrganisationPeopleProps(TypedDict):
    title: str
    heading: str
    backHref: str
    backText: str
    tabs: list[OrganisationTab]
    table: TableProps


SPEC = TableSpec(
    caption="Members",
    source=PEOPLE,
    columns=(cells.text("name", "Name", member_name), *MEMBER_COLUMNS),
    filters=(choice("role", "Role", ROLE_NAMES),),
    empty={"title": "Nobody yet", "text": "Everybody who belongs to the organisation is listed here.", "action": None},
    # Names and addresses of people.
    has_csv=False,
)


@page("admin-organisation-members")
async def load(request: PageRequest, route: Page) -> PageResult[OrganisationPeopleProps]:
    """Raises NotFound, ServiceUnavailable."""
    organisation_id = number(request)
    shown = await request.db.read(application_thread.thread_of, organisation_id)
    query = parse(SPEC, request.query)
    list_query, is_its = query.list_query(SPEC.page_size), is_in(organisation_id)
    page = await request.db.read(read_list_page, PEOPLE, list_query, is_its)
    props: OrganisationPeopleProps = {
        "title": route.title,
        "heading": shown.name,
        "backHref": PATH,
        "backText": "All organisations",
        "tabs": tabs_of(organisation_id, "members"),
        "table": table_props(SPEC, query, page, request.path),
    }
    return area_page.page(request, route, props)
