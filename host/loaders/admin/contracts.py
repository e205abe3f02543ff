"""/admin/contracts, …/new and …/{id}: contracts of organisations, making one, and changing its terms."""

from sqlalchemy.orm import Session

from domain.audit.recording import Subject
from domain.display_text import count_text
from domain.money import Currency, to_text
from domain.organisations import contract_changes, contract_list
from domain.organisations.contract_changes import ContractDraft, StaffContract
from domain.permissions import Permission
from domain.routes import Page
from domain.seats.seat_rows import ACCESS_AFTER_END
from domain.staff.recorded_events import AuditEntry, subject_entries
from host.api.admin.actions import ORGANISATIONS, Picked
from host.loaders.areas import area_page
from host.loaders.areas.area_list import AreaList, list_page
from host.loaders.areas.audit_table import events_table
from host.loaders.organisations.contract_table import CONTRACT_COLUMNS, PATH, SEAT_KINDS
from host.loaders.support.page_ids import may, number
from host.loaders.ui import table_cells as cells
from host.loaders.ui.action_props import Action, ActionField, ActionPageProps, action, field
from host.loaders.ui.detail_props import facts
from host.loaders.ui.table_cells import Column
from host.loaders.ui.table_spec import TableSpec, search
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

YES_NO = {"yes": "Yes", "no": "No"}
KINDS = {"percent": "Percent off", "amount": "Amount off", "price": "Price of each"}
POLICIES = {"invitation": "By invitation", "code": "By code too", "domain": "By email domain too"}

LIST = AreaList(
    TableSpec(
        caption="Contracts",
        source=contract_list.CONTRACTS,
        columns=(
            cells.link("contract", "Contract", lambda row: (f"{row.organisation}, {row.id}", f"{PATH}/{row.id}")),
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
    slug = request.query.get("organisation", "")
    picked: list[Picked] = [{"value": slug, "text": slug}] if slug else []
    hint = "A part of its name."
    organisation = field("organisation", "Organisation", kind="pick", source=ORGANISATIONS, hint=hint, picked=picked)
    fields = [organisation, *_fields(None, request)]
    props: ActionPageProps = {
        "title": route.title,
        "heading": route.title,
        "backHref": PATH,
        "backText": "All contracts",
        "facts": [],
        "texts": [],
        "tables": [],
        "actions": [action("Terms", PATH, "Make contract", fields=fields, leads_to=PATH)],
    }
    return area_page.page(request, route, props)


@page("admin-contract")
async def load(request: PageRequest, route: Page) -> PageResult[ActionPageProps]:
    """Raises NotFound, ServiceUnavailable."""
    contract, events = await request.db.read(_read, number(request))
    is_unpaid = contract.is_unpaid
    may_change = may(request, Permission.CONTRACTS_WRITE) and not is_unpaid
    props: ActionPageProps = {
        "title": route.title,
        "heading": f"Contract {count_text(contract.id)} with {contract.organisation}",
        "backHref": PATH,
        "backText": "All contracts",
        "facts": facts(_FACTS, contract.terms),
        "texts": [{"id": "unpaid", "title": "Not paid yet", "text": contract_changes.UNPAID}] if is_unpaid else [],
        "tables": [events_table(events)],
        "actions": [_change(contract, request)] if may_change else [],
    }
    return area_page.page(request, route, props)


def _read(session: Session, contract_id: int) -> tuple[StaffContract, list[AuditEntry]]:
    contract = contract_changes.contract_of(session, contract_id)
    return contract, [*subject_entries(session, Subject("contract", contract_id))]


def _change(contract: StaffContract, request: PageRequest) -> Action:
    version = field("version", "", kind="fixed", value=str(contract.version))
    fields = [*_fields(contract.terms, request), version]
    after = ACCESS_AFTER_END.days
    text = f"They hold from now on. Access by its seats follows the last day, {after} days longer."
    return action("Change the terms", f"{PATH}/{contract.id}/change", "Change terms", text=text, fields=fields)


def _fields(row: ContractDraft | None, request: PageRequest) -> list[ActionField]:
    """The fields of the terms, with those of a contract, or the usual ones."""
    values = _usual(request) if row is None else _values(row, request.settings.shop.currency)
    known = [
        field("startsOn", "First day", hint="Such as 2026-01-31.", max_length=10),
        field("endsOn", "Last day", hint="Empty: no end agreed.", is_required=False, max_length=10),
        field("seats", "Seats", hint="Empty: as many as needed.", is_required=False, max_length=6),
        field("seatKind", "A seat is for", kind="choice", options=SEAT_KINDS),
        field("seatPrice", "Price of a seat", hint="Empty: none is sold.", is_required=False, max_length=20),
        field("isSelfService", "Owners buy more seats themselves", kind="choice", options=YES_NO),
        field("kind", "Prices of members", kind="choice", options=KINDS),
        field("value", "By how much", max_length=20),
        field("hasAllCourses", "Covers all courses", kind="choice", options=YES_NO),
        field("products", "Products", kind="products", hint=_PRODUCTS_HINT, is_required=False, max_length=20_000),
        field("isRestricted", "Members see only these", kind="choice", options=YES_NO),
        field("joinPolicy", "How people join", kind="choice", options=POLICIES),
        field("joiningGivesSeat", "Joining by code or email domain gives a seat", kind="choice", options=YES_NO),
        field("startDays", "Days to start a seat", max_length=4),
        field("idleDays", "Idle days before a notice", max_length=4),
        field("freesCompleted", "A completed seat is free again", kind="choice", options=YES_NO),
        field("showsNames", "Reports name members who agreed", kind="choice", options=YES_NO),
        field("reason", "Reason", hint="For the record.", is_required=False),
    ]
    for entry in known:
        entry["value"] = values.get(entry["name"], "")
    return known


_PRODUCTS_HINT = "The short name of a product a line, with its own price after it: vat-basics 39.00"


def _usual(request: PageRequest) -> dict[str, str]:
    return {
        "startsOn": request.at.date().isoformat(),
        "seatKind": "course",
        "isSelfService": "no",
        "kind": "percent",
        "value": "0",
        "hasAllCourses": "no",
        "isRestricted": "no",
        "joinPolicy": "invitation",
        "joiningGivesSeat": "no",
        "startDays": "30",
        "idleDays": "90",
        "freesCompleted": "no",
        "showsNames": "no",
    }


def _values(row: ContractDraft, currency: Currency) -> dict[str, str]:
    def yes_no(is_so: bool) -> str:
        return "yes" if is_so else "no"

    value = f"{row.value.normalize():f}" if row.kind == "percent" else to_text(row.value, currency)
    return {
        "startsOn": row.starts_at.date().isoformat(),
        "endsOn": "" if row.ends_at is None else row.ends_at.date().isoformat(),
        "seats": "" if row.seats is None else str(row.seats),
        "seatKind": row.seat_kind,
        "seatPrice": "" if row.seat_price is None else to_text(row.seat_price, currency),
        "isSelfService": yes_no(row.is_self_service),
        "kind": row.kind,
        "value": value,
        "hasAllCourses": yes_no(row.has_all_courses),
        "products": "\n".join(
            slug if price is None else f"{slug} {to_text(price, currency)}" for slug, price in row.products.items()
        ),
        "isRestricted": yes_no(row.is_restricted),
        "joinPolicy": row.join_policy,
        "joiningGivesSeat": yes_no(row.joining_gives_seat),
        "startDays": str(row.start_days),
        "idleDays": str(row.idle_days),
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
