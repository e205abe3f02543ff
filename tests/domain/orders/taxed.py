"""Orders from Germany, priced by the engine: VAT of 19 % on courses and delivery, 7 % on books, delivery for 4.90."""

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

from sqlalchemy.orm import Session

from domain.checkout import placement
from domain.checkout import quote as checkout_quote
from domain.checkout.placement import OrderRequest, Placed, Seen
from domain.checkout.priced import RequestedItem
from domain.money import currency
from domain.orders.lines import lines_of
from domain.orders.refunds import requests
from domain.orders.refunds.refund_rows import Part, RefundTerms
from domain.orders.refunds.shares import share_of
from domain.orders.settings import Context
from domain.payments.gateway import Reference, RefundSnapshot
from domain.tables import DeliveryPlace, DeliveryRate, DeliveryZone, Order, Refund, TaxRate
from tests.domain.orders import selling
from tests.domain.orders.selling import LATER, SETTINGS, World
from tests.support.factories import NOON
from tests.support.shops import SHOP

BACK_AT = LATER + timedelta(days=3)
ADDRESS = {"name": "Ada", "country": "DE"}


def fill(session: Session) -> World:
    zone = DeliveryZone(name="Germany")
    session.add(zone)
    session.flush()
    since = date(2020, 1, 1)
    session.add(DeliveryPlace(zone_id=zone.id, country="DE"))
    rate = {"zone_id": zone.id, "service": "Standard", "price_minor": 490, "days_min": 2, "days_max": 4}
    session.add(DeliveryRate(**rate, starts_on=since))
    for tax_class, percent in (("service", 19), ("goods", 7), ("book", 7), ("delivery", 19)):
        tax = {"country": "DE", "tax_class": tax_class, "label": "VAT", "percent": Decimal(percent)}
        session.add(TaxRate(**tax, starts_on=since))
    session.flush()
    return selling.fill(session)


def price(session, request, at):
    return checkout_quote.price(session, request, SHOP, at)


def place(session: Session, learner_id: int, *lines: RequestedItem, key: str = "key-1", at=NOON, **about) -> Order:
    request = OrderRequest(learner_id, key, Seen(), lines, **{"billing": ADDRESS, "delivery": ADDRESS, **about})
    request = replace(request, seen=price(session, request, at).seen)
    result = placement.place(session, request, price, Context(at, SETTINGS))
    assert isinstance(result, Placed), result
    return session.get_one(Order, result.order_id)


def buy(session: Session, learner_id: int, *lines: RequestedItem, key: str = "key-1", at=NOON, **about) -> Order:
    """A paid order. `about`: other fields of the request."""
    order = place(session, learner_id, *lines, key=key, at=at, **about)
    paid_at = at + timedelta(minutes=5)
    found = selling.snapshot(order, paid_at=paid_at)
    assert selling.apply(session, order, found, at=paid_at) == "settled"
    return order


def give_back(session: Session, order: Order, units: dict[int, int], state: str = "succeeded", at=BACK_AT) -> Refund:
    """A refund of units by the numbers of their lines, which the gateway has in this state."""
    lines = {line.number: line for line in lines_of(session, order.id)}
    parts = [
        Part(lines[number], share_of(lines[number], quantity, currency(order.currency)))
        for number, quantity in units.items()
    ]
    payment = selling.payment_of(session, order)
    refund = requests.refund_lines(
        session, order, parts, RefundTerms("request", "learner", payment), Context(at, SETTINGS)
    )
    if state != "approved":
        tell(session, order, refund, state, at)
    return refund


def tell(session: Session, order: Order, refund: Refund, state: str, at=BACK_AT) -> None:
    """The gateway has the refund in this state."""
    reference = Reference("shop-1", order.code, 1, refund.number)
    answer = RefundSnapshot(f"re_{order.code}_{refund.number}", state, refund.amount_minor, "USD", at, reference)
    selling.apply(session, order, selling.snapshot(order, refunds=(answer,)), at=at)
