"""40 buyers in 4 processes want the last pieces or uses, on both databases: what is sold, the rows and the counter
agree after every change of an order. Without a guard they do not."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from threading import Barrier

import pytest
from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from domain.database.database import Database, affected_rows
from domain.reservations import carts as reservation_carts
from domain.reservations import orders as reservation_orders
from domain.reservations.orders import ReservationsMissing
from domain.reservations.owners import CartOwner, OrderOwner
from domain.tables import Coupon, Learner, Order, OrderLine, Reservation, ShopItem
from tests.domain.reservations import buyers
from tests.domain.reservations.buyers import Sold
from tests.domain.reservations.conftest import Racers
from tests.support.factories import NOON

AN_HOUR_LATER = NOON + timedelta(hours=1)
EACH_KIND = pytest.mark.parametrize("kind", ["stock", "coupon"])


class Market:
    """A shop with `number` units left, and its buyers, who are released into it in rounds."""

    def __init__(self, db: Database, racers: Racers, kind: str, number: int):
        self.db, self.racers, self.kind, self.number = db, racers, kind, number
        with db.write_session() as session:
            buyers.add_shop(session, kind, number)
            self.buyers = list(session.scalars(select(Learner.id).order_by(Learner.id)))

    def race(self, number: int = buyers.BUYERS) -> int:
        """How many of `number` buyers without an open order can place one."""
        with self.db.read_session() as session:
            busy = set(session.scalars(select(Order.open_learner_id)))
        free = [buyer for buyer in self.buyers if buyer not in busy]
        return self.racers.run(self.db, f"place {self.kind}", free[:number])

    def end(self, order_ids: list[int], state: str) -> None:
        """Expire or cancel orders."""
        with self.db.write_session() as session:
            for order_id in order_ids:
                assert reservation_orders.release_order(session, order_id) == 1
            buyers.set_state(session, order_ids, state)

    def pay(self, order_id: int) -> None:
        with self.db.write_session() as session:
            buyers.pay(session, order_id, self.kind)

    def pay_late(self, order_id: int) -> bool:
        """Pay an order that has ended: it claims anew what its line needs, or the money goes back."""
        with self.db.write_session() as session:
            is_claimed = buyers.claim_again(session, order_id, self.kind)
            if is_claimed:
                buyers.pay(session, order_id, self.kind)
        return is_claimed

    def refund(self, order_id: int) -> None:
        """Refund an order and take its goods back. Twice: a second call changes nothing."""
        with self.db.write_session() as session:
            (line_id,) = session.scalars(select(OrderLine.id).where(OrderLine.order_id == order_id))
            for _ in range(2):
                reservation_orders.release_order(session, order_id)
                reservation_orders.restock(session, order_id, line_id, 1)
            buyers.set_state(session, [order_id], "refunded")

    def sold(self) -> Sold:
        return buyers.sold(self.db, self.kind, self.number)


@pytest.mark.each_database
@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (1, "coupon"),
        (5, "stock"),
        pytest.param(1, "stock", marks=pytest.mark.soak),
        pytest.param(5, "coupon", marks=pytest.mark.soak),
    ],
)
def test_what_is_sold_is_what_there_was(database, racers, kind, number):
    market, all_sold = Market(database, racers, kind, number), Sold(number, number, number)
    assert (market.race(), market.sold()) == (number, all_sold)
    paid, *others = buyers.placed(database)
    market.pay(paid)
    assert database.write_sync(reservation_carts.release_expired, NOON + timedelta(days=9)) == 0
    assert (market.race(12), market.sold()) == (0, all_sold)
    ended = others[:2]
    for order_id, state in zip(ended, ("expired", "cancelled"), strict=False):
        market.end([order_id], state)
    assert market.sold() == Sold(*[number - len(ended)] * 3)
    assert (market.race(12), market.sold()) == (len(ended), all_sold)
    assert ([market.pay_late(order_id) for order_id in ended], market.sold()) == ([False] * len(ended), all_sold)
    market.refund(paid)
    assert market.sold() == Sold(number - 1, number - 1, number - 1)
    got_late = [market.pay_late(order_id) for order_id in ended]
    assert (got_late, market.race(12), market.sold()) == ([True, False][: len(ended)], 1 - sum(got_late), all_sold)


@pytest.mark.each_database
@EACH_KIND
def test_without_the_guards_too_much_is_sold(database, kind):
    with database.write_session() as session:
        buyers.add_shop(session, kind, 1)
        four = list(session.scalars(select(Learner.id).order_by(Learner.id).limit(4)))
    everybody = Barrier(len(four))
    place = partial(buyers.place_unguarded, kind, database)
    with ThreadPoolExecutor(len(four)) as threads:
        assert sum(threads.map(lambda buyer: place(buyer, everybody.wait), four)) == 4
    assert buyers.sold(database, kind, 1) == Sold(4, 4, 1)


# What follows needs no race: a clock, and the way an order takes over what its cart had, are orders of steps.


@pytest.fixture(params=["stock", "coupon"])
def last_one(request, database) -> tuple[Database, str, int, int]:
    """A shop with one unit; Ada and Grace want it."""
    with database.write_session() as session:
        buyers.add_shop(session, request.param, 1)
        ada, grace = session.scalars(select(Learner.id).order_by(Learner.id).limit(2))
    return database, request.param, ada, grace


def release_all_expired(session: Session) -> int:
    return reservation_carts.release_expired(session, AN_HOUR_LATER)


def release_with_orders(session: Session) -> int:
    """The clock without its guard: a reservation of an order ends half an hour after it began, as a cart's does."""
    old = list(session.scalars(select(Reservation.id).where(Reservation.reserved_at < AN_HOUR_LATER)))
    affected_rows(session, delete(Reservation).where(Reservation.id.in_(old)))
    affected_rows(session, update(ShopItem).where(ShopItem.stock.is_not(None)).values(stock=ShopItem.stock + len(old)))
    affected_rows(session, update(Coupon).values(uses=0))
    return len(old)


def both_pay(last_one, release) -> list[str]:
    """Ada places an order; an hour later the clock releases, Grace orders, and both pay. What becomes of each."""
    db, kind, ada, grace = last_one
    outcomes = []
    with db.write_session() as session:
        orders = {ada: buyers.place(session, kind, ada)}
        release(session)
    if buyers.try_to_place(kind, db, grace):
        orders[grace] = buyers.placed(db)[-1]
    for buyer in (ada, grace):
        try:
            with db.write_session() as session:
                buyers.pay(session, orders[buyer], kind)
            outcomes.append("paid")
        except KeyError:
            outcomes.append("sold out")
        except ReservationsMissing:
            outcomes.append("nothing left")
    return outcomes


@pytest.mark.each_database
def test_who_placed_an_order_gets_what_it_has_however_late_they_pay(last_one):
    assert both_pay(last_one, release_all_expired) == ["paid", "sold out"]
    assert buyers.sold(last_one[0], last_one[1], 1) == Sold(1, 1, 1)


@pytest.mark.each_database
def test_a_clock_that_releases_what_orders_have_takes_money_for_nothing(last_one):
    """Negative control."""
    assert both_pay(last_one, release_with_orders) == ["nothing left", "paid"]


def by_claim(session: Session, owner: CartOwner, coupon) -> bool:
    """Place an order with what the cart line has."""
    _, place = buyers.add_order(session, owner.learner_id)
    place = OrderOwner(place.learner_id, place.order_id, place.line_id, owner.key)
    return reservation_orders.claim(session, coupon, place, 1, AN_HOUR_LATER) is None


def by_transfer(session: Session, owner: CartOwner, coupon) -> bool:
    """As the order took a reservation over before: a row that is not there any more is not missed."""
    _, place = buyers.add_order(session, owner.learner_id)
    place_of = {"order_id": place.order_id, "line_id": place.line_id, "owner_key": place.key, "expires_at": None}
    is_reserved = (Reservation.kind == coupon.kind, Reservation.owner_key == owner.key)
    affected_rows(session, update(Reservation).where(*is_reserved).values(**place_of))
    return True


def orders_after_expiry(db: Database, take_over) -> Sold:
    """Ada's code expires in her cart and is released, Grace gets it, and both place orders with it."""
    with db.write_session() as session:
        buyers.add_shop(session, "coupon", 1)
        ada, grace = (CartOwner(id_, 1) for id_ in session.scalars(select(Learner.id).order_by(Learner.id).limit(2)))
        coupon = buyers.resource(session, "coupon")
        assert reservation_carts.reserve(session, coupon, ada, 1, NOON) is None
        assert release_all_expired(session) == 1
        assert reservation_carts.reserve(session, coupon, grace, 1, AN_HOUR_LATER) is None
    for owner in (ada, grace):
        with Session(db.engine) as session:
            if take_over(session, owner, coupon):
                session.commit()
    return buyers.sold(db, "coupon", 1)


@pytest.mark.each_database
def test_a_use_that_expired_in_the_cart_is_claimed_anew_or_the_order_is_refused(database):
    assert orders_after_expiry(database, by_claim) == Sold(1, 1, 1)


@pytest.mark.each_database
def test_taking_over_what_is_not_there_any_more_sells_a_use_twice(database):
    """Negative control."""
    assert orders_after_expiry(database, by_transfer) == Sold(2, 1, 1)
