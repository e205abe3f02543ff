"""/organization/members/file: invite people from a CSV file, checked first."""

from typing_extensions import TypedDict

from domain.errors import NotFound
from domain.organisations.contracts import contracts_of
from domain.organisations.people_file import job as people_file_job
from domain.organisations.people_file.job import UNKNOWN
from domain.organisations.people_file.parse import MAX_ROWS
from domain.routes import Page
from domain.typed_values import is_number
from host.api.admin.actions import ActionOption
from host.jobs.people_file_status import PeopleFileStatus, people_file_status
from host.loaders.areas import area_page
from host.loaders.organisation.invitations import contract_options
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult


class PeopleFileProps(TypedDict):
    """`contracts`: that people may join through. `job`: the one of the address; null without one."""

    title: str
    contracts: list[ActionOption]
    maxRows: int
    job: PeopleFileStatus | None


@page("organization-people-file")
async def load(request: PageRequest, route: Page) -> PageResult[PeopleFileProps] | PageResult:
    """Raises NotFound for a job of others, ServiceUnavailable."""
    running = [row for row in await request.db.read(contracts_of, request.tenant) if row.is_running(request.at)]
    job: PeopleFileStatus | None = None
    if text := request.query.get("job", ""):
        if not is_number(text):
            raise NotFound(UNKNOWN)
        view = await request.db.read(people_file_job.own_job, request.tenant, int(text))
        job = people_file_status(view, request.at)
    props = {
        "title": route.title,
        "contracts": [{"value": value, "label": label} for value, label in contract_options(running).items()],
        "maxRows": MAX_ROWS,
        "job": None if job is None else job.model_dump(mode="json"),
    }
    return area_page.page(request, route, props)
