"""A week of sales of every kind, for tests of reports: with codes, taxes, delivery, seats, in two currencies, of
nothing; refunded on other days, failed on the way back, disputed, paid twice, and not paid."""

from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from decimal import Decimal

from sqlalchemy.orm import Session

from domain.checkout import placement, seat_purchase
from domain.checkout import quote as checkout_quote
from domain.checkout.placement import OrderRequest, Placed, Seen
from domain.checkout.priced import RequestedItem
from domain.checkout.seat_purchase import SeatForm
from domain.orders.settings import Context
from domain.payments.gateway import DisputeSnapshot
from domain.permissions import Tenant
from domain.seats import numbers
from domain.tables import Learner, Order
from tests.domain.orders import selling, taxed
from tests.domain.orders.selling import SETTINGS
from tests.domain.seats.test_seat_orders import ADDRESS, SELLS, TERMS
from tests.support import factories
from tests.support.factories import NOON
from tests.support.shops import JPY, SHOP

ONE_DAY = timedelta(days=1)
# NOON is on this day.
FIRST = date(2026, 3, 1)
DAYS = tuple(FIRST + number * ONE_DAY for number in range(7))
YEN = replace(SHOP, currency=JPY)


@dataclass(frozen=True)
class Week:
    """The order of nothing, the one with refunds, their learners, and what else tests name."""

    learner: int
    number: str
    course: int
    book: int
    mixed: Order
    free: Order
    disputed: Order
    waiting: Order


def at_day(number: int) -> datetime:
    """Noon of a day of DAYS, from 1."""
    return NOON + (number - 1) * ONE_DAY


def fill(session: Session) -> Week:
    world = taxed.fill(session)
    spring = factories.coupon(session, "Spring10").id
    gift = factories.coupon(session, "ALL", value=Decimal(100)).id
    autumn = factories.coupon(session, "AUTUMN", value=Decimal(20)).id
    people = [factories.learner(session, f"Buyer {number}").id for number in range(8)]
    course, books = RequestedItem(world.course), RequestedItem(world.book, 3)
    mixed = taxed.buy(session, world.learner, replace(course, coupon_id=spring), books, key="mixed", at=at_day(1))
    taxed.give_back(session, mixed, {2: 1}, at=at_day(3))
    taxed.give_back(session, mixed, {2: 1}, at=at_day(4))
    free = taxed.place(session, people[0], replace(course, coupon_id=gift), key="free", at=at_day(1))
    _buy_in_yen(session, people[1], RequestedItem(world.voucher), at_day(1))
    taxed.buy(session, people[2], course, RequestedItem(world.voucher), key="cart", at=at_day(2), coupon_id=autumn)
    _buy_seats(session, world.course, at_day(2))
    disputed = taxed.buy(session, people[3], course, key="disputed", at=at_day(2))
    _dispute(session, disputed, disputed.total_minor, 1, at_day(5))
    _dispute(session, disputed, disputed.total_minor - 1_000, 2, at_day(6))
    failed = taxed.buy(session, people[4], course, key="failed", at=at_day(3))
    refund = taxed.give_back(session, failed, {1: 1}, "pending", at_day(3))
    taxed.tell(session, failed, refund, "failed", at_day(4))
    waiting = taxed.buy(session, people[5], course, key="waiting", at=at_day(3))
    taxed.give_back(session, waiting, {1: 1}, "approved", at_day(4))
    twice = taxed.buy(session, people[6], course, key="twice", at=at_day(4))
    selling.add_payment(session, twice, 2)
    second = selling.snapshot(twice, 2, paid_at=at_day(5))
    selling.apply(session, twice, second, 2, at_day(5))
    taxed.place(session, people[7], course, key="placed", at=at_day(4))
    number = session.get_one(Learner, world.learner).student_number
    return Week(world.learner, number, world.course, world.book, mixed, free, disputed, waiting)


def _buy_in_yen(session: Session, learner_id: int, item: RequestedItem, at: datetime) -> None:
    def price(session, request, at):
        return checkout_quote.price(session, request, YEN, at)

    request = OrderRequest(learner_id, "yen", Seen(), (item,), billing=taxed.ADDRESS, terms_date="2026-01-01")
    request = replace(request, seen=price(session, request, at).seen)
    placed = placement.place(session, request, price, Context(at, SETTINGS))
    assert isinstance(placed, Placed), placed
    order = session.get_one(Order, placed.order_id)
    assert selling.pay(session, order, at) == "settled"


def _buy_seats(session: Session, course: int, at: datetime) -> None:
    organisation = factories.organisation(session).id
    contract = factories.contract(
        session, organisation, course, seats=1, seat_kind="course", ends_at=at + 300 * ONE_DAY, starts_at=NOON, **SELLS
    )
    numbers.set_number(session, contract, 1, NOON)
    buyer = factories.learner(session, "Olga Owner").id
    form = SeatForm(buyer, "seats", contract.id, 3, 2_500, ADDRESS, TERMS.date)
    placed = seat_purchase.place_seats(session, Tenant(organisation), form, TERMS, Context(at, SETTINGS))
    assert isinstance(placed, Placed), placed
    order = session.get_one(Order, placed.order_id)
    assert selling.pay(session, order, at) == "settled"


def _dispute(session: Session, order: Order, taken_minor: int, movements: int, at: datetime) -> None:
    dispute = DisputeSnapshot("dp_1", "closed", order.total_minor, "USD", at, "fraudulent", taken_minor, movements)
    selling.apply(session, order, selling.snapshot(order, disputes=(dispute,)), at=at)
