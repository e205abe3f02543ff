"""/admin/contracts, …/new and …/{id}: contracts of organisations, making one, and changing its terms."""

from sqlalchemy.orm import Session

from domain.audit.recording import Subject
from domain.display_text import count_text
from domain.money import Currency, to_text
from domain.organisations import contract_changes, contract_list
from domain.organisations.contract_changes import ContractDraft, StaffContract
from domain.permissions import Permission
from domain.routes import Page
from domain.staff.recorded_events import AuditEntry, subject_entries
from domain.text_direction import isolated
from host.api.admin.actions import Action
from host.api.admin.organisations.contracts import POLICIES, SEAT_KINDS, YES_NO, change_contract, create_contract
from host.loaders.areas import area_page
from host.loaders.areas.area_list import AreaList, list_page
from host.loaders.areas.audit_table import events_table
from host.loaders.organisations.contract_table import CONTRACT_COLUMNS, PATH
from host.loaders.support.page_ids import may, number
from host.loaders.ui import table_cells as cells
from host.loaders.ui.action_props import ActionPageProps, new_page
from host.loaders.ui.detail_props import facts
from host.loaders.ui.table_cells import Column
from host.loaders.ui.table_spec import TableSpec, search
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

LIST = AreaList(
    TableSpec(
        caption="Contracts",
        source=contract_list.CONTRACTS,
        columns=(
            cells.link(
                "contract", "Contract", lambda row: (f"{isolated(row.organisation)}, {row.id}", f"{PATH}/{row.id}")
            ),
            *CONTRACT_COLUMNS,
        ),
        filters=(search("organisation", "Organisation"),),
        empty={
            "title": "No contracts yet",
            "text": "Contracts with organisations are listed here, with their seats.",
            "action": {"text": "Make a contract", "href": f"{PATH}/new"},
        },
    ),
    links=({"text": "Make a contract", "href": f"{PATH}/new"},),
)
list_page("admin-contracts", LIST)


@page("admin-contract-new")
async def load_new(request: PageRequest, route: Page) -> PageResult[ActionPageProps]:
    """A form with the usual terms."""
    values = {**_USUAL, "startsOn": request.at.date(), "organisation": request.query.get("organisation", "")}
    actions = [create_contract.form(values=values, leads_to=PATH)]
    return area_page.page(request, route, new_page(route.title, PATH, "All contracts", actions))


@page("admin-contract")
async def load(request: PageRequest, route: Page) -> PageResult[ActionPageProps]:
    """Raises NotFound, ServiceUnavailable."""
    contract, events = await request.db.read(_read, number(request))
    is_unpaid = contract.is_unpaid
    may_change = may(request, Permission.CONTRACTS_WRITE) and not is_unpaid
    props: ActionPageProps = {
        "title": route.title,
        "heading": f"Contract {count_text(contract.id)} with {isolated(contract.organisation)}",
        "backHref": PATH,
        "backText": "All contracts",
        "facts": facts(_FACTS, contract.terms),
        "texts": [{"id": "unpaid", "title": "Not paid yet", "text": contract_changes.UNPAID}] if is_unpaid else [],
        "tables": [events_table(events)],
        "actions": [_change(contract, request.settings.shop.currency)] if may_change else [],
    }
    return area_page.page(request, route, props)


def _read(session: Session, contract_id: int) -> tuple[StaffContract, list[AuditEntry]]:
    contract = contract_changes.contract_of(session, contract_id)
    return contract, [*subject_entries(session, Subject("contract", contract_id))]


def _change(contract: StaffContract, currency: Currency) -> Action:
    return change_contract.form(contract.id, values=_values(contract.terms, currency), version=contract.version)


_USUAL = {
    "seatKind": "course",
    "isSelfService": "no",
    "kind": "percent",
    "value": 0,
    "hasAllCourses": "no",
    "isRestricted": "no",
    "joinPolicy": "invitation",
    "joiningGivesSeat": "no",
    "startDays": 30,
    "idleDays": 90,
    "freesCompleted": "no",
    "showsNames": "no",
}


def _values(row: ContractDraft, currency: Currency) -> dict[str, object]:
    def yes_no(is_so: bool) -> str:
        return "yes" if is_so else "no"

    return {
        "startsOn": row.starts_at.date(),
        "endsOn": row.ends_at and row.ends_at.date(),
        "seats": row.seats,
        "seatKind": row.seat_kind,
        "seatPrice": None if row.seat_price is None else to_text(row.seat_price, currency),
        "isSelfService": yes_no(row.is_self_service),
        "kind": row.kind,
        "value": f"{row.value.normalize():f}" if row.kind == "percent" else to_text(row.value, currency),
        "hasAllCourses": yes_no(row.has_all_courses),
        "products": "\n".join(
            slug if price is None else f"{slug} {to_text(price, currency)}" for slug, price in row.products.items()
        ),
        "isRestricted": yes_no(row.is_restricted),
        "joinPolicy": row.join_policy,
        "joiningGivesSeat": yes_no(row.joining_gives_seat),
        "startDays": row.start_days,
        "idleDays": row.idle_days,
        "freesCompleted": yes_no(row.frees_completed),
        "showsNames": yes_no(row.shows_names),
    }


_FACTS: tuple[Column[ContractDraft], ...] = (
    cells.time("starts", "From", lambda row: row.starts_at),
    cells.time("ends", "Until", lambda row: row.ends_at),
    cells.count_or_text("seats", "Seats", lambda row: "As many as needed" if row.seats is None else row.seats),
    cells.text("kind", "A seat is for", lambda row: SEAT_KINDS[row.seat_kind]),
    cells.text("joining", "How people join", lambda row: POLICIES[row.join_policy]),
    cells.text("joins", "Joining gives a seat", lambda row: YES_NO["yes" if row.joining_gives_seat else "no"]),
    cells.text("names", "Reports name people", lambda row: "Who agreed" if row.shows_names else "Nobody"),
)
