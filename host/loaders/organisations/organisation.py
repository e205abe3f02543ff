"""/admin/organisations and /admin/organisations/{id}: the applications that wait, and one organisation with its thread
and what can be decided."""

from datetime import datetime

from sqlalchemy.orm import Session

from domain.display_text import day_text, moment_text
from domain.organisations import contract_list
from domain.organisations.applications import thread as application_thread
from domain.organisations.applications.thread import Application
from domain.organisations.applications.working_days import working_days_left
from domain.organisations.contract_list import ContractRow
from domain.organisations.staff_list import ORGANISATIONS, UNDECIDED
from domain.permissions import Permission
from domain.routes import Page
from domain.staff.recorded_events import AuditEntry, organisation_entries
from host.api.admin.actions import Action
from host.api.admin.organisations import decisions
from host.loaders.areas import area_page
from host.loaders.areas.area_list import AreaList, list_page
from host.loaders.areas.audit_table import DELETED, events_table
from host.loaders.organisations.contract_table import contracts_table
from host.loaders.organisations.tabs import PATH, OrganisationTab, tabs_of
from host.loaders.support.page_ids import may, number
from host.loaders.ui import table_cells as cells
from host.loaders.ui.action_props import ActionPageProps, TextPart
from host.loaders.ui.detail_props import facts
from host.loaders.ui.table_cells import BadgeTone, Column
from host.loaders.ui.table_spec import TableSpec, choice, search
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

STATES: dict[str, tuple[str, BadgeTone]] = {
    "submitted": ("To decide", "warning"),
    "information": ("Asked for information", "info"),
    "approved": ("Approved", "good"),
    "declined": ("Declined", "neutral"),
}


class AdminOrganisationProps(ActionPageProps):
    """`isDecided`: its application does not wait for a decision. `contractHref`: where a contract with it is made,
    null for those who may not, and before its approval."""

    tabs: list[OrganisationTab]
    isDecided: bool
    contractHref: str | None


LIST = AreaList(
    TableSpec(
        caption="Organisations",
        source=ORGANISATIONS,
        columns=(
            cells.link("name", "Name", lambda row: (row.name, f"{PATH}/{row.id}")),
            cells.badge("state", "State", lambda row: STATES[row.state]),
            cells.text("slug", "Short name", lambda row: row.slug),
            cells.time("applied", "Applied", lambda row: row.applied_at),
            cells.count("people", "People", lambda row: row.people),
            cells.count("contracts", "Contracts", lambda row: row.contracts),
        ),
        filters=(
            search("q", "Name"),
            choice(
                "state", "State", {"undecided": "Not decided yet"} | {name: text for name, (text, _) in STATES.items()}
            ),
        ),
        empty={
            "title": "No organisations yet",
            "text": "Organisations that apply on the page “Register an organisation” are listed here.",
            "action": None,
        },
    )
)
list_page("admin-organisations", LIST)


@page("admin-organisation")
async def load(request: PageRequest, route: Page) -> PageResult[AdminOrganisationProps]:
    """Raises NotFound, ServiceUnavailable."""
    shown, contracts, events = await request.db.read(_read, number(request))
    props: AdminOrganisationProps = {
        "title": route.title,
        "heading": shown.name,
        "backHref": PATH,
        "backText": "All organisations",
        "facts": facts(_facts(request), shown),
        "texts": _texts(shown),
        "tables": [contracts_table(contracts), events_table(events)],
        "actions": _actions(shown) if may(request, Permission.ORGANISATIONS_DECIDE) else [],
        "tabs": tabs_of(shown.id, ""),
        "isDecided": shown.state not in UNDECIDED,
        "contractHref": _contract_href(request, shown),
    }
    return area_page.page(request, route, props)


def _read(session: Session, organisation_id: int) -> tuple[Application, list[ContractRow], list[AuditEntry]]:
    shown = application_thread.thread_of(session, organisation_id)
    contracts = contract_list.contracts_of_organisation(session, organisation_id)
    return shown, contracts, [*organisation_entries(session, organisation_id)]


def _facts(request: PageRequest) -> tuple[Column[Application], ...]:
    at, locale, origin = request.at, request.settings.locale, request.settings.site_origin
    return (
        cells.badge("state", "State", lambda row: STATES[row.state]),
        cells.text("due", "Answer promised for", lambda row: due_text(row, at, locale)),
        cells.text("slug", "Short name", lambda row: row.slug),
        cells.text("website", "Website", lambda row: row.website or None),
        cells.count("size", "People, as they say", lambda row: row.size),
        cells.text("domains", "Email domains", lambda row: ", ".join(row.domains) or None),
        cells.text("requested", "Domains to decide", lambda row: ", ".join(row.requested_domains) or None),
        cells.time("applied", "Applied", lambda row: row.applied_at),
        cells.time("decided", "Decided", lambda row: row.decided_at),
        cells.text(
            "partner", "Partner link", lambda row: partner_link(origin, row) if row.state == "approved" else None
        ),
    )


def _contract_href(request: PageRequest, shown: Application) -> str | None:
    can_make = shown.state == "approved" and may(request, Permission.CONTRACTS_WRITE)
    return f"/admin/contracts/new?organisation={shown.slug}" if can_make else None


def partner_link(origin: str, row: Application) -> str:
    return f"{origin}/d?k={row.slug}"


def due_text(row: Application, at: datetime, locale: str) -> str | None:
    """Day and working days left; None while the staff have not the next word."""
    if row.due_at is None:
        return None
    day, left = day_text(row.due_at, locale), working_days_left(row.due_at, at)
    if at > row.due_at:
        return f"{day}, overdue"
    return f"{day}, {left} working {'day' if left == 1 else 'days'} left"


def _texts(shown: Application) -> list[TextPart]:
    request: list[TextPart] = (
        [] if shown.request is None else [{"id": "request", "title": "Application", "text": shown.request}]
    )
    messages: list[TextPart] = [
        {
            "id": f"message-{place}",
            "title": f"{'Staff' if message.is_staff else 'Applicant'}: {message.author or DELETED}, "
            f"{moment_text(message.sent_at)}",
            "text": message.text,
        }
        for place, message in enumerate(shown.messages, 1)
    ]
    return [*request, *messages]


def _actions(shown: Application) -> list[Action]:
    if shown.state in UNDECIDED:
        return _decisions(shown)
    return _domain_actions(shown) if shown.state == "approved" else []


def _decisions(shown: Application) -> list[Action]:
    domains = ", ".join(shown.requested_domains)
    options = {"domains": {"approve": f"Approve {domains}", "leave": "Approve none of them"}}
    approve = decisions.approve.form(shown.id, options=options, without=() if domains else ("domains",))
    return [approve, decisions.ask.form(shown.id), decisions.decline.form(shown.id)]


def _domain_actions(shown: Application) -> list[Action]:
    choices = (
        (decisions.approve_domain, shown.requested_domains),
        (decisions.remove_domain, [*shown.requested_domains, *shown.domains]),
    )
    return [
        declared.form(shown.id, options={"domain": {name: name for name in domains}})
        for declared, domains in choices
        if domains
    ]
