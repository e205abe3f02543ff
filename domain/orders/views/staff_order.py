"""An order as staff see it: all that its learner sees, whose it is, and every event with who caused it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.errors import NotFound
from domain.orders import events
from domain.orders.explanation.used_rates import UsedRates, stored_rates
from domain.orders.settings import DEFAULT_SETTINGS, OrderSettings
from domain.orders.views.order import order_view
from domain.orders.views.records import OrderView
from domain.orders.views.state_texts import STATES
from domain.postal_addresses.validation import DOUBT
from domain.tables import Learner, Order, OrderEvent

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
    "shipped": "Sent",
}


@dataclass(frozen=True)
class OrderBuyer:
    id: int
    name: str
    student_number: str


@dataclass(frozen=True)
class StaffEvent:
    """`amount` in minor units; None: the event is about none. `change`: of the state, "" without one."""

    at: datetime
    text: str
    actor: str
    change: str
    amount: int | None


@dataclass(frozen=True)
class StaffOrder:
    """`order` without voucher codes, which are worth money to whoever reads them. `doubts`: what may be wrong with its
    addresses, as its buyer was told. `rates`: of tax, by class of product."""

    order: OrderView
    doubts: tuple[str, ...]
    buyer: OrderBuyer
    timeline: tuple[StaffEvent, ...]
    rates: tuple[UsedRates, ...]


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
        replace(view, lines=lines),
        doubts_of(order.billing, order.delivery),
        OrderBuyer(learner_id, name, student_number.upper()),
        tuple(_event(event, names) for event in timeline),
        stored_rates(session, order),
    )


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
        text=_EVENTS.get(event.kind) or event.kind.replace("_", " ").capitalize(),
        actor=actor or event.actor.replace(events.STAFF, "Staff member "),
        change=" → ".join(states) if len({*states}) > 1 else "",
        amount=None if amount is None else int(amount),
    )
