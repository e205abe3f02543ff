"""/admin/orders/{code}: one order with its prices, payments, refunds and everything that happened to it."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from config.settings import Settings
from domain.display_text import money_text
from domain.orders import locks
from domain.orders.explanation.used_rates import UsedRates
from domain.orders.refunds import decisions, staff_refunds
from domain.orders.refunds.decisions import OpenRequest
from domain.orders.refunds.staff_refunds import LineToRefund
from domain.orders.settings import Context
from domain.orders.views.records import DocumentView, LineView, OrderView, PaymentView, RefundView, StepView
from domain.orders.views.staff_order import OrderBuyer, StaffEvent, StaffOrder, staff_order
from domain.permissions import Permission
from domain.rates.tax_rates import CLASSES
from domain.routes import Page
from domain.text_direction import isolated
from host.api.admin.actions import Action, FormEntry
from host.api.admin.orders import refund_lines
from host.loaders.areas import area_page
from host.loaders.support import refund_requests
from host.loaders.support.learners import PATH as LEARNERS_PATH
from host.loaders.support.order_tones import PATH, TONES
from host.loaders.support.page_ids import may
from host.loaders.ui import table_cells as cells
from host.loaders.ui.detail_props import (
    DetailProps,
    Fact,
    FactGroup,
    ShortTable,
    fact_group,
    facts,
    placed,
    short_table,
)
from host.loaders.ui.table_cells import Column
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

# Steps of a price in words; the others have the name of a code or a tax.
_STEPS = {"list": "List price", "sale": "Sale"}


@dataclass(frozen=True)
class PriceStep:
    """One step of the price of one line."""

    line: str
    step: StepView

    @property
    def text(self) -> str:
        return _STEPS.get(self.step.step) or self.step.name or self.step.step.capitalize()


@dataclass(frozen=True)
class _Refundable:
    """What this person may refund of an order. `waiting`: requests about which they may decide."""

    lines: Sequence[LineToRefund] = ()
    ends_something: bool = False
    waiting: Sequence[OpenRequest] = ()


class AdminOrderProps(DetailProps):
    """`decisions`: about requests that wait. `refund`: of the units that are left; null without any, and for those who
    may not refund."""

    decisions: list[Action]
    refund: Action | None


@page("admin-order")
async def load(request: PageRequest, route: Page) -> PageResult[AdminOrderProps]:
    """Raises NotFound, ServiceUnavailable."""
    may_refund = may(request, Permission.REFUNDS_WRITE)
    context = Context(request.at, request.settings.orders)
    found, refundable = await request.db.read(_read, request.values["code"], context, may_refund)
    props: AdminOrderProps = {
        "title": route.title,
        "heading": f"Order {found.order.code}",
        "backHref": PATH,
        "backText": "All orders",
        "facts": facts(_FACTS, found.order),
        "groups": _groups(request, found),
        "tables": _tables(found),
        "decisions": refund_requests.actions(found.order.code, refundable.waiting, request.settings),
        "refund": _refund(found.order.code, refundable, request.settings) if refundable.lines else None,
    }
    return area_page.page(request, route, props)


def _groups(request: PageRequest, found: StaffOrder) -> list[FactGroup]:
    order, documents = found.order, found.order.documents
    return [
        fact_group("buyer", "Buyer", [*facts((_buyer(request), *_BUYER), found.buyer), *facts(_CONTACT, order)]),
        fact_group("addresses", "Addresses", [*facts(_ADDRESSES, order), *facts(_DOUBTS, found)]),
        fact_group("documents", "Documents", [fact for document in documents for fact in _document(order, document)]),
    ]


def _document(order: OrderView, document: DocumentView) -> list[Fact]:
    path = f"/documents/{order.code}/{document.number}.pdf"
    return facts((cells.link("number", document.title, lambda row: (row.number, path)),), document)


def _buyer(request: PageRequest) -> Column[OrderBuyer]:
    return _BUYER_LINK if may(request, Permission.LEARNERS_READ) else _BUYER_NAME


def _read(session: Session, code: str, context: Context, may_refund: bool) -> tuple[StaffOrder, _Refundable]:
    found = staff_order(session, code, context.at, context.settings)
    if not may_refund:
        return found, _Refundable()
    order_id = locks.ref_of(session, found.order.code).id
    refundable = _Refundable(
        staff_refunds.refundable_lines(session, order_id, context),
        staff_refunds.ends_something(session, order_id, context),
        decisions.open_requests(session, order_id, context),
    )
    return found, refundable


def _refund(code: str, refundable: _Refundable, settings: Settings) -> Action:
    """With a field for the units of each line."""
    # A field is left out where it cannot matter.
    matters = {"keepsAccess": refundable.ends_something, "restocks": any(line.is_goods for line in refundable.lines)}
    units = {str(line.number): _units(line, settings) for line in refundable.lines}
    without = [name for name, found in matters.items() if not found]
    return refund_lines.form(code, id="refund", without=without, entries={"units": units})


def _units(line: LineToRefund, settings: Settings) -> FormEntry:
    """No unit can be refunded while a person has to decide about a request for all of them."""
    amount = money_text(line.amount_minor, settings.shop.currency, settings.locale)
    request = "A request of the buyer waits for a decision." if line.is_requested else ""
    hint = " ".join(filter(None, (f"Up to {line.quantity}, together {amount}.", request, line.refusal)))
    return FormEntry(isolated(line.name), hint, maximum=line.quantity)


def _tables(found: StaffOrder) -> list[ShortTable]:
    order = found.order
    steps = [PriceStep(line.name, step) for line in order.lines for step in line.steps]
    prices = short_table("prices", "How the prices came about", "No steps were recorded.", _STEP_COLUMNS, steps)
    return [
        short_table("lines", "Lines", "This order has no lines.", _LINES, order.lines),
        short_table("payments", "Payments", "Nobody has begun to pay.", _PAYMENTS, order.payments),
        short_table("refunds", "Refunds", "Nothing was refunded.", _REFUNDS, order.refunds),
        short_table("timeline", "Timeline", "Nothing has happened yet.", _EVENTS, found.timeline),
        placed("folded", prices),
        placed("folded", short_table("rates", "Tax rates", "No tax was computed.", _RATES, found.rates)),
    ]


def _delivered(line: LineView) -> str | None:
    if line.ended_at is not None:
        return "Taken back"
    return "Sent" if line.shipped_at is not None else None


_FACTS: tuple[Column[OrderView], ...] = (
    cells.badge("state", "State", lambda row: (row.state_text, TONES[row.state])),
    cells.badge("disputed", "Dispute", lambda row: ("Disputed", "bad") if row.is_disputed else None),
    cells.minor("total", "Total", lambda row: row.totals.total),
    cells.minor("discount", "Discount", lambda row: row.totals.discount or None),
    cells.minor("delivery", "Delivery", lambda row: row.totals.delivery or None),
    cells.minor("tax", "Tax", lambda row: row.totals.tax or None),
    cells.minor("refunded", "Refunded", lambda row: row.totals.refunded or None),
    cells.time("placed", "Placed", lambda row: row.placed_at),
    cells.time("paid", "Paid", lambda row: row.paid_at),
)
_CONTACT: tuple[Column[OrderView], ...] = (cells.text("email", "Email", lambda row: row.email or None),)
_ADDRESSES: tuple[Column[OrderView], ...] = (
    cells.text("billing", "Billing address", lambda row: ", ".join(row.billing) or None),
    cells.text("delivered", "Delivered to", lambda row: ", ".join(row.delivery or ()) or None),
    cells.text("vat", "VAT id", lambda row: row.vat_id or None),
)
_DOUBTS: tuple[Column[StaffOrder], ...] = (
    cells.text("doubts", "Told to the buyer", lambda row: " ".join(row.doubts) or None),
)
# For those who may open the page of a learner; for others without the link.
_BUYER_LINK: Column[OrderBuyer] = cells.link(
    "buyer", "Buyer", lambda row: (row.name or row.student_number, f"{LEARNERS_PATH}/{row.id}")
)
_BUYER_NAME: Column[OrderBuyer] = cells.text("buyer", "Buyer", lambda row: row.name or None)
_BUYER: tuple[Column[OrderBuyer], ...] = (cells.text("student", "Student number", lambda row: row.student_number),)
_LINES: tuple[Column[LineView], ...] = (
    cells.text("name", "Product", lambda line: line.name),
    cells.count("quantity", "Quantity", lambda line: line.quantity),
    cells.minor("unit", "Unit price", lambda line: line.unit_price),
    cells.minor("tax", "Tax", lambda line: line.tax or None),
    cells.minor("total", "Total", lambda line: line.total),
    cells.minor("refunded", "Refunded", lambda line: line.refunded or None),
    cells.text("delivered", "Delivery", _delivered),
)
_STEP_COLUMNS: tuple[Column[PriceStep], ...] = (
    cells.text("line", "Line", lambda row: row.line),
    cells.text("step", "Step", lambda row: row.text),
    cells.minor("change", "Change", lambda row: row.step.change),
    cells.minor("total", "Price after it", lambda row: row.step.total),
)
_RATES: tuple[Column[UsedRates], ...] = (
    cells.text("class", "Class", lambda row: CLASSES[row.tax_class]),
    cells.text("used", "Charged", lambda row: row.used),
    cells.text("replaced", "In place of", lambda row: row.replaced or None),
)
_PAYMENTS: tuple[Column[PaymentView], ...] = (
    cells.text("number", "Payment", lambda row: f"{row.number}{f' by {row.method}' if row.method else ''}"),
    cells.text("state", "State", lambda row: row.state_text),
    cells.minor("amount", "Amount", lambda row: row.amount),
    cells.minor("refunded", "Refunded", lambda row: row.refunded or None),
    cells.time("at", "Begun", lambda row: row.at),
    cells.time("paid", "Paid", lambda row: row.paid_at),
    cells.text("failure", "Failure", lambda row: row.failure or None),
)
_REFUNDS: tuple[Column[RefundView], ...] = (
    cells.text("number", "Refund", lambda row: str(row.number)),
    cells.text("state", "State", lambda row: row.state.capitalize()),
    cells.text("reason", "Reason", lambda row: row.reason.capitalize()),
    cells.minor("amount", "Amount", lambda row: row.amount),
    cells.text("lines", "Lines", lambda row: ", ".join(part.name for part in row.lines) or None),
    cells.time("changed", "Changed", lambda row: row.changed_at),
)
_EVENTS: tuple[Column[StaffEvent], ...] = (
    cells.time("at", "Time", lambda row: row.at),
    cells.text("event", "Event", lambda row: row.text),
    cells.text("change", "State", lambda row: row.change or None),
    cells.text("actor", "By", lambda row: row.actor),
    cells.minor("amount", "Amount", lambda row: row.amount),
)
