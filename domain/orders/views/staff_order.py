"""An order as staff see it: all that its learner sees, whose it is, and every event with who caused it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.errors import NotFound
from domain.orders import events, mails, parcels
from domain.orders.explanation.used_rates import UsedRates, stored_rates
from domain.orders.refunds.refund_rows import refunds_of
from domain.orders.settings import DEFAULT_SETTINGS, OrderSettings
from domain.orders.views.event_texts import MAILS_TO_BUYER
from domain.orders.views.order import order_view
from domain.orders.views.records import OrderView, PaymentView, RefundView
from domain.orders.views.state_texts import STATES
from domain.orders.views.status import payments_of
from domain.postal_addresses.validation import DOUBT
from domain.tables import Learner, Order, OrderEvent, OrderParcel
from domain.text_direction import isolated

# The newest of the buyer's other orders; the page of the learner has them all.
MAX_OTHERS = 10
# Actors of events (domain/orders/events.py) in words.
_ACTORS = {
    events.LEARNER: "Buyer",
    events.GATEWAY: "Payment gateway",
    events.SYSTEM: "This site",
    events.COMMAND: "Command line",
}
# Kinds of events whose names would say little; the others are their own words, such as refund_requested.
_EVENTS = {
    "place": "Ordered",
    "enrol": "Enrolled for free",
    events.CONSENTED: "Agreed that we begin at once",
    events.WITHDRAWN: "Withdrew from the contract",
    "begin": "Payment on its way",
    "fail": "Payment failed",
    "settle": "Paid",
    "expire": "Time to pay ended",
    "cancel": "Cancelled",
    "supersede": "Replaced by another order",
    "mismatch": "Paid another amount",
    "refund_paid_manually": "Refund paid by hand",
    "refund_at_gateway": "Refunded at the gateway",
    "refund_all": "Everything refunded",
    events.MONEY_BACK: "Money of the dispute returned",
    "refund_in_part": "Request approved in part",
    "refund_retried": "Failed refund tried again",
    "shipped": "Sent",
    "parcel_corrected": "Parcel corrected",
}
# What a lost dispute cost: its bank has taken the money already.
_LOST = "Booked what the bank took"


@dataclass(frozen=True)
class OrderBuyer:
    id: int
    name: str
    student_number: str


@dataclass(frozen=True)
class OtherOrder:
    """Another order of the buyer; amounts in minor units."""

    code: str
    state: str
    placed_at: datetime
    total: int
    refunded: int


@dataclass(frozen=True)
class StaffPayment:
    """A payment or an attempt at one. `gateway_id`: what it is called there, None before it is known. `is_live` None:
    not known."""

    view: PaymentView
    gateway: str
    gateway_id: str | None
    is_live: bool | None


@dataclass(frozen=True)
class StaffRefundRow:
    """`gateway_id`: what the refund is called at the gateway, None where it has none."""

    view: RefundView
    gateway_id: str | None


@dataclass(frozen=True)
class StaffEvent:
    """`amount` in minor units; None: the event is about none. `change`: of the state, "" without one."""

    at: datetime
    text: str
    actor: str
    change: str
    amount: int | None


@dataclass(frozen=True)
class SentParcel:
    """`carrier` and `tracking`: "" where nobody said so."""

    number: int
    carrier: str
    tracking: str


@dataclass(frozen=True)
class StaffOrder:
    """`order` without voucher codes, which are worth money to whoever reads them. `doubts`: what may be wrong with its
    addresses, as its buyer was told. `rates`: of tax, by class of product. `others`: the newest orders of the buyer
    beside this one. `to_send`: units by the numbers of the lines with such goods; `on_the_way`: parcels.
    `last_carrier`: of the newest parcel of all orders, "" before there was one."""

    order: OrderView
    doubts: tuple[str, ...]
    buyer: OrderBuyer
    timeline: tuple[StaffEvent, ...]
    rates: tuple[UsedRates, ...]
    payments: tuple[StaffPayment, ...]
    refunds: tuple[StaffRefundRow, ...]
    others: tuple[OtherOrder, ...]
    to_send: Mapping[int, int]
    on_the_way: tuple[SentParcel, ...]
    has_unused_codes: bool
    last_carrier: str


def staff_order(session: Session, code: str, at: datetime, settings: OrderSettings = DEFAULT_SETTINGS) -> StaffOrder:
    """Raises NotFound."""
    columns = (Order, Learner.id, Learner.name, Learner.student_number)
    query = select(*columns).join(Learner, Learner.id == Order.learner_id).where(Order.code == code.upper())
    # MariaDB compares a code, which is ASCII, with nothing else.
    row = session.execute(query).one_or_none() if code.isascii() else None
    if row is None:
        raise NotFound(f"There is no order {code[:20]}.")
    order, learner_id, name, student_number = row
    view = order_view(session, learner_id, code, at, settings)
    lines = tuple(replace(line, voucher_codes=()) for line in view.lines)
    timeline = events.timeline(session, order.id)
    names = _staff_names(session, timeline)
    return StaffOrder(
        order=replace(view, lines=lines),
        doubts=doubts_of(order.billing, order.delivery),
        buyer=OrderBuyer(learner_id, name, student_number.upper()),
        timeline=tuple(_event(event, names) for event in timeline),
        rates=stored_rates(session, order),
        payments=_payments(session, order, view),
        refunds=_refunds(session, order, view),
        others=_other_orders(session, order),
        to_send={line.number: line.to_send for line in lines if line.to_send},
        on_the_way=tuple(
            SentParcel(row.number, row.carrier, row.tracking)
            for row in parcels.parcels_of(session, order.id)
            if row.delivered_at is None
        ),
        has_unused_codes=any(
            code.used_at is None and code.void_at is None for line in view.lines for code in line.voucher_codes
        ),
        last_carrier=_last_carrier(session),
    )


def _last_carrier(session: Session) -> str:
    return session.scalar(select(OrderParcel.carrier).order_by(OrderParcel.id.desc()).limit(1)) or ""


def _payments(session: Session, order: Order, view: OrderView) -> tuple[StaffPayment, ...]:
    """A payment is known at the gateway by its intent, and before there is one by the page to pay on."""
    rows = {row.number: row for row in payments_of(session, order.id)}
    about = [(payment, rows[payment.number]) for payment in view.payments]
    return tuple(
        StaffPayment(payment, row.gateway, row.intent_id or row.session_id, row.livemode) for payment, row in about
    )


def _refunds(session: Session, order: Order, view: OrderView) -> tuple[StaffRefundRow, ...]:
    ids = {row.number: row.gateway_id for row in refunds_of(session, order.id)}
    return tuple(StaffRefundRow(refund, ids[refund.number]) for refund in view.refunds)


def _other_orders(session: Session, order: Order) -> tuple[OtherOrder, ...]:
    columns = (Order.code, Order.state, Order.placed_at, Order.total_minor, Order.refunded_minor)
    is_other = (Order.learner_id == order.learner_id, Order.id != order.id)
    query = select(*columns).where(*is_other).order_by(Order.placed_at.desc(), Order.id.desc()).limit(MAX_OTHERS)
    return tuple(OtherOrder(*row) for row in session.execute(query))


def doubts_of(*addresses: Mapping[str, Any] | None) -> tuple[str, ...]:
    """What may be wrong with addresses that were taken, each once."""
    return tuple(dict.fromkeys(address[DOUBT] for address in addresses if address and address.get(DOUBT)))


def _staff_names(session: Session, timeline: Iterable[OrderEvent]) -> dict[str, str]:
    """Actors of the staff by what their events say, each with the name of the person."""
    ids = [int(event.actor.removeprefix(events.STAFF)) for event in timeline if event.actor.startswith(events.STAFF)]
    if not ids:
        return {}
    query = select(Learner.id, Learner.name).where(Learner.id.in_(ids))
    return {events.staff(learner_id): name for learner_id, name in session.execute(query) if name}


def _event(event: OrderEvent, staff_names: Mapping[str, str]) -> StaffEvent:
    states = [STATES[state].text for state in (event.from_state, event.to_state) if state]
    amount = event.facts.get("amount_minor", event.facts.get("total_minor"))
    actor = _ACTORS.get(event.actor) or staff_names.get(event.actor)
    return StaffEvent(
        at=event.occurred_at,
        text=_text(event),
        actor=actor or event.actor.replace(events.STAFF, "Staff member "),
        change=" → ".join(states) if len({*states}) > 1 else "",
        amount=None if amount is None else int(amount),
    )


def _text(event: OrderEvent) -> str:
    facts = event.facts
    if event.kind == mails.MAIL_SENT:
        return MAILS_TO_BUYER.get(str(facts.get("mail")), "Mail sent")
    if event.kind == "refund_accepted" and facts.get("reason") == "dispute":
        return _LOST
    text = _EVENTS.get(event.kind) or event.kind.replace("_", " ").capitalize()
    return f"{text} with {isolated(facts['carrier'])}" if facts.get("carrier") else text
