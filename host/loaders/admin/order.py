"""/admin/orders/{code}: one order with its prices, payments, refunds and everything that happened to it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy.orm import Session

from config.settings import Settings
from domain.display_text import money_text
from domain.orders import locks
from domain.orders.explanation.used_rates import UsedRates
from domain.orders.refunds import decisions, failed_refunds, staff_refunds
from domain.orders.refunds.decisions import OpenRequest
from domain.orders.refunds.failed_refunds import FailedRefund
from domain.orders.refunds.staff_refunds import LineToRefund
from domain.orders.settings import Context
from domain.orders.views.records import (
    DocumentView,
    LineParcelView,
    LineView,
    OrderView,
    PaymentView,
    RefundLineView,
    RefundView,
    StepView,
)
from domain.orders.views.staff_order import (
    OrderBuyer,
    OtherOrder,
    StaffEvent,
    StaffOrder,
    StaffPayment,
    StaffRefundRow,
    staff_order,
)
from domain.orders.views.state_texts import listed_text
from domain.permissions import Permission
from domain.rates.tax_rates import CLASSES
from domain.reports.attribution import stored_paths
from domain.reports.attribution.answer import ORDER_PATH
from domain.routes import Page
from domain.support.learners.mails import LearnerMail, mails_of_order
from domain.text_direction import isolated
from host.api.admin.actions import Action, FormEntry
from host.api.admin.orders import refund_all, refund_lines
from host.loaders.areas import area_page
from host.loaders.support import order_actions, refund_requests
from host.loaders.support.learners import PATH as LEARNERS_PATH
from host.loaders.support.mail import PATH as MAIL_PATH
from host.loaders.support.mail import STATES as MAIL_STATES
from host.loaders.support.mail import kind_text
from host.loaders.support.order_tones import PATH, TONES
from host.loaders.support.page_ids import may
from host.loaders.support.payments import STATES as PAYMENT_STATES
from host.loaders.support.refunds import state_badge
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

T = TypeVar("T")
# The address at which the dashboard of the gateway is known.
STRIPE = "https://api.stripe.com"
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
    """What this person may refund of an order. `waiting`: requests about which they may decide.
    `failed`: refunds that did not arrive."""

    lines: Sequence[LineToRefund] = ()
    ends_something: bool = False
    waiting: Sequence[OpenRequest] = ()
    failed: Sequence[FailedRefund] = ()


class AdminOrderProps(DetailProps):
    """`decisions`: what waits: requests for refunds, refunds that failed, goods to send. `refund`: of the units that
    are left, and `refundAll`: of all of them; null without any, and for those who may not refund. `others`: what can be
    done besides."""

    decisions: list[Action]
    refundAll: Action | None
    refund: Action | None
    others: list[Action]


@page("admin-order")
async def load(request: PageRequest, route: Page) -> PageResult[AdminOrderProps]:
    """Raises NotFound, ServiceUnavailable."""
    may_refund = may(request, Permission.REFUNDS_WRITE)
    context = Context(request.at, request.settings.orders)
    found, refundable, sent = await request.db.read(_read, request.values["code"], context, may_refund)
    code, settings = found.order.code, request.settings
    may_write = may(request, Permission.ORDERS_WRITE)
    props: AdminOrderProps = {
        "title": route.title,
        "heading": f"Order {code}",
        "backHref": PATH,
        "backText": "All orders",
        "facts": [*facts(_FACTS, found.order), *await _led_by(request, code)],
        "groups": _groups(request, found),
        "tables": _tables(request, found, sent),
        "decisions": [
            *refund_requests.actions(code, refundable.waiting, settings),
            *refund_requests.failed_actions(code, refundable.failed, settings),
            *(order_actions.waiting(found) if may_write else []),
        ],
        "refundAll": _refund_all(code, refundable) if any(line.quantity for line in refundable.lines) else None,
        "refund": _refund(code, refundable, settings) if refundable.lines else None,
        "others": order_actions.others(found) if may_write else [],
    }
    return area_page.page(request, route, props)


async def _led_by(request: PageRequest, code: str) -> list[Fact]:
    """For those who may see reports: the visits before the order, once it is paid. Raises ServiceUnavailable."""
    ref = await request.db.read(stored_paths.ref_of_code, code) if may(request, Permission.REPORTS_READ) else None
    return [] if ref is None else facts((cells.link("path", "What led to it", _path_link),), ref)


def _path_link(ref: str) -> tuple[str, str]:
    return "Visits before it", f"{ORDER_PATH}{ref}"


def _groups(request: PageRequest, found: StaffOrder) -> list[FactGroup]:
    order, documents = found.order, found.order.documents
    return [
        fact_group("buyer", "Buyer", [*facts((_buyer(request), *_BUYER), found.buyer), *facts(_CONTACT, order)]),
        fact_group("addresses", "Addresses", [*facts(_ADDRESSES, order), *facts(_DOUBTS, found)]),
        fact_group("documents", "Documents", [fact for document in documents for fact in _document(order, document)]),
        fact_group("gateway", "At the gateway", _at_gateway(found, request.settings)),
    ]


def _document(order: OrderView, document: DocumentView) -> list[Fact]:
    path = f"/documents/{order.code}/{document.number}.pdf"
    return facts((cells.link("number", document.title, lambda row: (row.number, path)),), document)


def _buyer(request: PageRequest) -> Column[OrderBuyer]:
    return _BUYER_LINK if may(request, Permission.LEARNERS_READ) else _BUYER_NAME


def _read(
    session: Session, code: str, context: Context, may_refund: bool
) -> tuple[StaffOrder, _Refundable, list[LearnerMail]]:
    found = staff_order(session, code, context.at, context.settings)
    sent = mails_of_order(session, found.order.code)
    if not may_refund:
        return found, _Refundable(), sent
    order_id = locks.ref_of(session, found.order.code).id
    refundable = _Refundable(
        staff_refunds.refundable_lines(session, order_id, context),
        staff_refunds.ends_something(session, order_id, context),
        decisions.open_requests(session, order_id, context),
        failed_refunds.failed_refunds(session, order_id),
    )
    return found, refundable, sent


def _refund_all(code: str, refundable: _Refundable) -> Action:
    return refund_all.form(code, id="refund-all", without=_meaningless(refundable))


def _meaningless(refundable: _Refundable) -> list[str]:
    """Fields that cannot matter."""
    matters = {"keepsAccess": refundable.ends_something, "restocks": any(line.can_restock for line in refundable.lines)}
    return [name for name, found in matters.items() if not found]


def _refund(code: str, refundable: _Refundable, settings: Settings) -> Action:
    """With a field for the units of each line."""
    units = {str(line.number): _units(line, settings) for line in refundable.lines}
    return refund_lines.form(code, id="refund", without=_meaningless(refundable), entries={"units": units})


def _units(line: LineToRefund, settings: Settings) -> FormEntry:
    """No unit can be refunded while a person has to decide about a request for all of them."""
    amount = money_text(line.amount_minor, settings.shop.currency, settings.locale)
    request = "A request of the buyer waits for a decision." if line.is_requested else ""
    hint = " ".join(filter(None, (f"Up to {line.quantity}, together {amount}.", request, line.refusal)))
    return FormEntry(isolated(line.name), hint, maximum=line.quantity)


def _tables(request: PageRequest, found: StaffOrder, sent: list[LearnerMail]) -> list[ShortTable]:
    order = found.order
    mail = _MAIL_LINK if may(request, Permission.MAIL_READ) else _MAIL_TEXT
    steps = [PriceStep(line.name, step) for line in order.lines for step in line.steps]
    prices = short_table("prices", "How the prices came about", "No steps were recorded.", _STEP_COLUMNS, steps)
    return [
        short_table("lines", "Lines", "This order has no lines.", _LINES, order.lines),
        short_table("payments", "Payments", "Nobody has begun to pay.", _PAYMENTS, found.payments),
        short_table("refunds", "Refunds", "Nothing was refunded.", _REFUNDS, found.refunds),
        short_table("timeline", "Timeline", "Nothing has happened yet.", _EVENTS, found.timeline),
        placed(
            "side", short_table("others", "Other orders of the buyer", "This is their only one.", _OTHERS, found.others)
        ),
        placed("folded", short_table("mails", "Mail about it", "None that is still stored.", (mail, *_MAILS), sent)),
        placed("folded", prices),
        placed("folded", short_table("rates", "Tax rates", "No tax was computed.", _RATES, found.rates)),
    ]


def _delivered(line: LineView) -> str | None:
    """Where the goods of a line are; with their units where they are in several places."""
    if line.ended_at is not None:
        return "Taken back"
    places = [(parcel.quantity, _parcel_text(parcel)) for parcel in line.parcels]
    places += [(line.to_send, "To pack")] if line.parcels and line.to_send else []
    if len(places) == 1:
        return places[0][1]
    return "; ".join(f"{units} \N{MULTIPLICATION SIGN} {text}" for units, text in places) or None


def _parcel_text(parcel: LineParcelView) -> str:
    way = f" with {isolated(parcel.carrier)}" if parcel.carrier else ""
    number = f", {parcel.tracking}" if parcel.tracking else ""
    return f"{'Arrived' if parcel.delivered_at is not None else 'Sent'}{way}{number}"


def _refunded_text(refund: RefundView) -> str | None:
    """What goes back; of a request also what does not, and the words to its buyer."""
    back, not_back = (", ".join(map(_part_text, parts)) for parts in (refund.lines, refund.not_back))
    left = f"Not given back: {not_back}" if not_back else ""
    return ". ".join(filter(None, (back, left, refund.answer))) or None


def _part_text(part: RefundLineView) -> str:
    return (
        f"{part.quantity} \N{MULTIPLICATION SIGN} {isolated(part.name)}" if part.quantity > 1 else isolated(part.name)
    )


def _number_text(payment: PaymentView) -> str:
    return f"{payment.number}{f' by {payment.method}' if payment.method else ''}"


def _at_gateway(found: StaffOrder, settings: Settings) -> list[Fact]:
    """What the gateway calls the order's payments and refunds; of payments a link where its dashboard is known."""
    column: Column[StaffPayment] = cells.text("gateway", "", lambda row: row.gateway_id)
    if settings.payments_api_base == STRIPE:
        column = cells.link("gateway", "", _dashboard)
    payments = [_called(f"Payment {row.view.number}", column, row) for row in found.payments]
    refunds = [_called(f"Refund {row.view.number}", _REFUND_ID, row) for row in found.refunds]
    return [fact for fact in (*payments, *refunds) if fact["cell"] is not None]


def _called(label: str, column: Column[T], row: T) -> Fact:
    return {"label": label, "cell": column.cells([row])[0]}


def _dashboard(payment: StaffPayment) -> tuple[str, str] | None:
    if payment.gateway_id is None:
        return None
    test = "" if payment.is_live else "test/"
    return payment.gateway_id, f"https://dashboard.stripe.com/{test}payments/{payment.gateway_id}"


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
    cells.text("purchaseOrder", "Purchase order number", lambda row: row.purchase_order or None),
    cells.text("quote", "Quote", lambda row: row.quote_number or None),
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
_PAYMENTS: tuple[Column[StaffPayment], ...] = (
    cells.text("number", "Payment", lambda row: _number_text(row.view)),
    cells.badge("state", "State", lambda row: PAYMENT_STATES[row.view.state]),
    cells.minor("amount", "Amount", lambda row: row.view.amount),
    cells.minor("refunded", "Refunded", lambda row: row.view.refunded or None),
    cells.time("at", "Begun", lambda row: row.view.at),
    cells.time("paid", "Paid", lambda row: row.view.paid_at),
    cells.text("failure", "Failure", lambda row: row.view.failure or None),
)
_REFUNDS: tuple[Column[StaffRefundRow], ...] = (
    cells.text("number", "Refund", lambda row: str(row.view.number)),
    cells.badge("state", "State", lambda row: state_badge(row.view.state, is_in_part=bool(row.view.not_back))),
    cells.text("reason", "Reason", lambda row: row.view.reason.capitalize()),
    cells.minor("amount", "Amount", lambda row: row.view.amount),
    cells.text("lines", "Lines", lambda row: _refunded_text(row.view)),
    cells.time("changed", "Changed", lambda row: row.view.changed_at),
)
_REFUND_ID: Column[StaffRefundRow] = cells.text("gateway", "", lambda row: row.gateway_id)
_OTHERS: tuple[Column[OtherOrder], ...] = (
    cells.link("code", "Order", lambda row: (row.code, f"{PATH}/{row.code}")),
    cells.badge("state", "State", lambda row: (listed_text(row.state, row.refunded, row.total), TONES[row.state])),
    cells.day_of("placed", "Placed", lambda row: row.placed_at),
    cells.minor("total", "Total", lambda row: row.total),
)
# For those who may open the page of a mail; for others without the link.
_MAIL_LINK: Column[LearnerMail] = cells.link(
    "kind", "About", lambda row: (kind_text(row.kind), f"{MAIL_PATH}/{row.id}")
)
_MAIL_TEXT: Column[LearnerMail] = cells.text("kind", "About", lambda row: kind_text(row.kind))
_MAILS: tuple[Column[LearnerMail], ...] = (
    cells.badge("state", "State", lambda row: MAIL_STATES[row.state]),
    cells.time("written", "Written", lambda row: row.created_at),
)
_EVENTS: tuple[Column[StaffEvent], ...] = (
    cells.time("at", "Time", lambda row: row.at),
    cells.text("event", "Event", lambda row: row.text),
    cells.text("change", "State", lambda row: row.change or None),
    cells.text("actor", "By", lambda row: row.actor),
    cells.minor("amount", "Amount", lambda row: row.amount),
)
