"""/admin/bank-entries: what came and went on the account of the shop; …/{id}: one entry, and what staff decide;
/admin/bank-statements: a statement is sent, checked and booked."""

from sqlalchemy.orm import Session
from typing_extensions import TypedDict

from domain import money
from domain.bank_transfers.statements import MAX_BYTES
from domain.errors import NotFound
from domain.jobs import job_rows
from domain.payments.transfers import decisions, staff_list
from domain.payments.transfers.decisions import UNKNOWN
from domain.payments.transfers.job import KIND
from domain.payments.transfers.staff_list import BankEntryRow
from domain.permissions import Permission
from domain.routes import Page
from domain.typed_values import is_number
from host.api.admin import bank
from host.api.admin.actions import Action
from host.jobs.statement_status import StatementStatus, statement_status
from host.loaders.areas import area_page
from host.loaders.areas.area_list import AreaList, list_page
from host.loaders.support.order_tones import order_link
from host.loaders.support.page_ids import may, number
from host.loaders.ui import table_cells as cells
from host.loaders.ui.action_props import ActionPageProps
from host.loaders.ui.detail_props import facts
from host.loaders.ui.table_cells import BadgeTone, Column
from host.loaders.ui.table_spec import TableSpec, choice
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

PATH, STATEMENTS_PATH = "/admin/bank-entries", "/admin/bank-statements"
STATES: dict[str, tuple[str, BadgeTone]] = {
    "open": ("To decide", "bad"),
    "part": ("Waits for the rest", "info"),
    "used": ("Booked", "good"),
    "returned": ("Given back", "neutral"),
    "ignored": ("Set aside", "neutral"),
    "noted": ("Nothing to do", "neutral"),
}
KINDS = {
    "credit": "Credit",
    "debit": "Debit",
    "credit_reversed": "Credit that its bank took back",
    "debit_reversed": "Debit that came back",
}
WHYS = {
    "": "",
    "less": "It is less than its order costs.",
    "more": "It is more than its order cost: give the rest back.",
    "unknown": "It has no reference of an order.",
    "paid": "Its order is paid already: give it back, or book it for another one.",
    "ended": "Its order has ended, and this is less than it costs: give it back.",
    "currency": "Its details or its order have another currency.",
    "sum": "Its details have another amount.",
    "reversed": "Money that was booked is gone again. Its order stays paid until you decide what becomes of it.",
}


def _money(row: BankEntryRow, minor: int) -> str:
    """Accounts may have another currency than the shop."""
    return f"{money.from_minor(minor, money.currency(row.currency)):f} {row.currency}"


_COLUMNS: tuple[Column[BankEntryRow], ...] = (
    cells.day("day", "Day", lambda row: row.booked_on),
    cells.text("amount", "Amount", lambda row: _money(row, row.amount)),
    cells.badge("state", "State", lambda row: STATES[row.state]),
    cells.text("why", "Why", lambda row: WHYS[row.why] or None),
    cells.link("order", "Order", order_link),
    cells.text("payer", "Payer", lambda row: row.payer or None),
    cells.text("text", "Text", lambda row: row.text or None),
    cells.text("kind", "Kind", lambda row: KINDS[row.kind], hidden=True),
    cells.text("number", "Number of the bank", lambda row: row.bank_id or None, hidden=True),
)
_MORE: tuple[Column[BankEntryRow], ...] = (
    cells.text("used", "Booked for the order", lambda row: _money(row, row.used) if row.used else None),
    cells.text("back", "Given back", lambda row: _money(row, row.back) if row.back else None),
    cells.text("left", "Left", lambda row: _money(row, row.left) if row.left and row.kind == "credit" else None),
    cells.text("details", "In its details", lambda row: row.instructed or None),
    cells.text("note", "Decision", lambda row: row.note or None),
)
LIST = AreaList(
    TableSpec(
        caption="Bank entries",
        source=staff_list.ENTRIES,
        columns=(cells.link("entry", "Entry", lambda row: (f"No. {row.id}", f"{PATH}/{row.id}")), *_COLUMNS),
        filters=(choice("state", "State", {state: text for state, (text, _) in STATES.items()}),),
        empty={
            "title": "No entries",
            "text": "Send a statement of your bank: its entries are listed here, with the orders that they pay.",
            "action": {"text": "Send a statement", "href": STATEMENTS_PATH},
        },
        # Names of payers.
        names_people=True,
    ),
    links=({"text": "Send a statement", "href": STATEMENTS_PATH},),
)
list_page("admin-bank-entries", LIST)


@page("admin-bank-entry")
async def load(request: PageRequest, route: Page) -> PageResult[ActionPageProps]:
    """Raises NotFound, ServiceUnavailable."""
    row, actions = await request.db.read(_read, number(request), may(request, Permission.PAYMENTS_WRITE))
    props: ActionPageProps = {
        "title": route.title,
        "heading": f"{KINDS[row.kind]} of {_money(row, row.amount)}",
        "backHref": PATH,
        "backText": "All bank entries",
        "facts": facts((*_COLUMNS, *_MORE), row),
        "texts": [],
        "tables": [],
        "actions": actions,
    }
    return area_page.page(request, route, props)


def _read(session: Session, entry_id: int, may_decide: bool) -> tuple[BankEntryRow, list[Action]]:
    row = staff_list.entry_row(session, entry_id)
    if row is None:
        raise NotFound(UNKNOWN)
    entry = decisions.entry_of(session, entry_id)
    actions = []
    if decisions.can_assign(entry):
        actions.append(bank.assign_entry.form(entry_id, values={"order": row.order_code or ""}))
    if decisions.can_return(entry):
        actions.append(bank.return_entry.form(entry_id))
    if decisions.can_ignore(entry):
        actions.append(bank.ignore_entry.form(entry_id))
    return row, actions if may_decide else []


class BankStatementProps(TypedDict):
    """`job`: the one of the address; null without one."""

    title: str
    maxBytes: int
    job: StatementStatus | None


@page("admin-bank-statement")
async def load_statement(request: PageRequest, route: Page) -> PageResult[BankStatementProps] | PageResult:
    """Raises NotFound for a job of another kind, ServiceUnavailable."""
    job: StatementStatus | None = None
    if text := request.query.get("job", ""):
        if not is_number(text):
            raise NotFound("There is no such statement.")
        view = await request.db.read(job_rows.job_view, int(text), [KIND])
        job = statement_status(view, request.at, request.settings.locale)
    props = {"title": route.title, "maxBytes": MAX_BYTES, "job": None if job is None else job.model_dump(mode="json")}
    return area_page.page(request, route, props)
