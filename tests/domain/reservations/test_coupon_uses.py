"""Uses of coupons on both databases: reserved for a cart line, renewed, claimed by an order, committed, released; never
more than the limit."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from domain.coupons import queries as coupon_queries
from domain.coupons.rules import UNUSABLE
from domain.reservations import carts as reservation_carts
from domain.reservations import orders as reservation_orders
from domain.reservations import owners as reservation_owners
from domain.reservations.carts import RESERVATION_TTL
from domain.reservations.kinds import Resource
from domain.reservations.orders import ReservationsMissing
from domain.reservations.owners import CartOwner, OrderOwner
from domain.tables import Coupon, OrderLine, Reservation
from tests.support import factories, order_rows
from tests.support.factories import NOON

LATER = NOON + RESERVATION_TTL
# Products of cart lines; for an order they have to exist.
ONE, TWO = 1, 2


@pytest.fixture
def ada(session) -> int:
    return factories.learner(session).id


@pytest.fixture
def grace(session) -> int:
    return factories.learner(session, "Grace Hopper").id


@pytest.fixture
def order(session, ada) -> int:
    """Ada's open order of the products ONE and TWO."""
    category_id, order = factories.category(session).id, order_rows.open_order(session, ada)
    for product_id, slug in ((ONE, "one"), (TWO, "two")):
        factories.course(session, category_id, slug, id=product_id)
        order_rows.order_line(session, order.id, product_id, product_id=product_id)
    return order.id


def line_of(session, order: int, product: int) -> int:
    of_product = (OrderLine.order_id == order, OrderLine.product_id == product)
    return session.scalars(select(OrderLine.id).where(*of_product)).one()


def the_coupon(session, code: str = "spring") -> Resource:
    return Resource("coupon", session.scalars(select(Coupon.id).where(Coupon.code == code)).one())


def reserve(session, learner: int, product: int = ONE, at=NOON):
    return reservation_carts.reserve(session, the_coupon(session), CartOwner(learner, product), 1, at)


def release(session, learner: int, product: int = ONE) -> None:
    reservation_carts.release(session, the_coupon(session), CartOwner(learner, product))


def claim(session, learner: int, order: int, product: int = ONE, at=NOON):
    """For the line of a product, from the cart's line of it."""
    owner = OrderOwner(learner, order, line_of(session, order, product), CartOwner(learner, product).key)
    return reservation_orders.claim(session, the_coupon(session), owner, 1, at)


def claim_for_cart(session, learner: int, order: int, at=NOON):
    return reservation_orders.claim(session, the_coupon(session), OrderOwner(learner, order), 1, at)


def commit(session, order: int) -> int:
    return reservation_orders.commit(session, order, reservation_orders.of_order(session, order))


def uses(session) -> list[tuple]:
    columns = (Reservation.learner_id, Reservation.product_id, Reservation.order_id, Reservation.state)
    return [tuple(row) for row in session.execute(select(*columns).order_by(Reservation.id))]


def counter(session) -> int:
    return session.scalars(select(Coupon.uses).execution_options(populate_existing=True)).one()


@pytest.mark.each_database
def test_a_use_is_reserved_for_half_an_hour(session, ada):
    coupon = factories.coupon(session, total_limit=1)
    assert reserve(session, ada) is None
    assert uses(session) == [(ada, ONE, None, "reserved")]
    assert session.scalars(select(Reservation.expires_at)).one() == NOON + timedelta(minutes=30)
    assert (counter(session), coupon_queries.active_uses(session, coupon.id, NOON)) == (1, 1)
    assert coupon_queries.active_uses(session, coupon.id, LATER) == 0


def test_a_repeat_renews_the_reservation_and_counts_once(session, ada):
    factories.coupon(session, total_limit=1, learner_limit=1)
    for minutes in (0, 10, 29):
        assert reserve(session, ada, at=NOON + timedelta(minutes=minutes)) is None
    assert (len(uses(session)), counter(session)) == (1, 1)
    assert session.scalars(select(Reservation.expires_at)).one() == NOON + timedelta(minutes=59)


@pytest.mark.each_database
def test_the_last_use_cannot_be_reserved_by_others(session, ada, grace):
    factories.coupon(session, total_limit=1)
    assert reserve(session, ada) is None
    assert reserve(session, grace) == UNUSABLE
    assert (uses(session), counter(session)) == ([(ada, ONE, None, "reserved")], 1)


@pytest.mark.each_database
def test_an_expired_reservation_can_be_taken_by_others(session, ada, grace):
    factories.coupon(session, total_limit=1)
    reserve(session, ada)
    assert reserve(session, grace, at=LATER) is None
    assert (uses(session), counter(session)) == ([(grace, ONE, None, "reserved")], 1)
    assert reserve(session, ada, at=LATER) == UNUSABLE


def test_an_expired_reservation_that_nobody_took_is_renewed(session, ada):
    factories.coupon(session, total_limit=1)
    reserve(session, ada)
    assert reserve(session, ada, at=LATER) is None
    assert (len(uses(session)), counter(session)) == (1, 1)


def test_a_learner_uses_a_coupon_up_to_their_limit(session, ada, grace):
    factories.coupon(session, learner_limit=2)
    assert [reserve(session, ada, product) for product in (1, 2)] == [None, None]
    refusal = reserve(session, ada, 3)
    assert refusal is not None
    assert refusal.code == "learner-limit"
    assert reserve(session, grace, 3) is None
    assert counter(session) == 3


def test_a_learners_expired_reservation_does_not_count(session, ada):
    factories.coupon(session, learner_limit=1)
    reserve(session, ada, ONE)
    assert reserve(session, ada, TWO, at=LATER) is None
    assert (uses(session), counter(session)) == ([(ada, TWO, None, "reserved")], 1)


def test_a_released_use_is_available_once(session, ada, grace):
    factories.coupon(session, total_limit=1)
    reserve(session, ada)
    for _ in range(2):
        release(session, ada)
    assert (uses(session), counter(session)) == ([], 0)
    assert reserve(session, grace) is None


@pytest.mark.parametrize("at", [NOON, LATER])
def test_a_reservation_moves_to_the_order_expired_or_not_and_the_line_may_have_another(session, ada, order, at):
    factories.coupon(session, total_limit=2, learner_limit=2)
    reserve(session, ada)
    assert [claim(session, ada, order, at=at) for _ in range(2)] == [None, None]
    assert (uses(session), counter(session)) == ([(ada, ONE, order, "reserved")], 1)
    release(session, ada)
    assert reserve(session, ada) is None
    assert uses(session) == [(ada, ONE, order, "reserved"), (ada, ONE, None, "reserved")]


def test_an_order_without_a_reservation_in_the_cart_claims_a_new_use(session, ada, order):
    factories.coupon(session, total_limit=2)
    assert [claim(session, ada, order, TWO), claim_for_cart(session, ada, order)] == [None, None]
    assert (uses(session), counter(session)) == (
        [(ada, TWO, order, "reserved"), (ada, None, order, "reserved")],
        2,
    )


@pytest.mark.each_database
def test_a_claim_beyond_a_limit_is_refused_with_the_reason_and_changes_nothing(session, ada, grace, order):
    coupon = factories.coupon(session, total_limit=1)
    reserve(session, grace)
    assert claim(session, ada, order) == UNUSABLE
    coupon.total_limit, coupon.learner_limit = None, 1
    session.flush()
    assert claim(session, ada, order) is None
    refusal = claim_for_cart(session, ada, order)
    assert (refusal and refusal.code, counter(session), len(uses(session))) == ("learner-limit", 2, 2)


def test_an_expired_reservation_gives_way_to_an_orders_claim(session, ada, grace, order):
    factories.coupon(session, total_limit=1)
    reserve(session, grace)
    assert claim(session, ada, order, at=LATER) is None
    assert (uses(session), counter(session)) == ([(ada, ONE, order, "reserved")], 1)


def test_the_clock_never_releases_what_an_order_has(session, ada, grace, order):
    factories.coupon(session, total_limit=1)
    reserve(session, ada)
    claim(session, ada, order)
    for at in (LATER, NOON + timedelta(days=9)):
        assert reservation_carts.release_expired(session, at) == 0
        assert reserve(session, grace, at=at) == UNUSABLE
    assert (uses(session), counter(session)) == ([(ada, ONE, order, "reserved")], 1)


def test_paid_uses_stay_used(session, ada, grace, order):
    factories.coupon(session, total_limit=1)
    claim(session, ada, order)
    assert [commit(session, order) for _ in range(2)] == [1, 0]
    assert reserve(session, grace, at=LATER + timedelta(days=9)) == UNUSABLE
    assert uses(session) == [(ada, ONE, order, "committed")]


def test_an_order_that_lacks_a_use_is_not_committed(session, ada, order):
    factories.coupon(session)
    claim(session, ada, order)
    needed = reservation_orders.of_order(session, order)
    lacking = (the_coupon(session), reservation_owners.order_cart_key(order))
    with pytest.raises(ReservationsMissing) as raised:
        reservation_orders.commit(session, order, {**needed, lacking: 1})
    assert raised.value.missing == {lacking: 1}
    assert uses(session) == [(ada, ONE, order, "reserved")]


@pytest.mark.parametrize("is_paid", [False, True])
def test_a_cancelled_or_refunded_order_releases_its_uses_once(session, ada, order, is_paid):
    factories.coupon(session, total_limit=2)
    for product in (ONE, TWO):
        reserve(session, ada, product)
        claim(session, ada, order, product)
    if is_paid:
        commit(session, order)
    assert [reservation_orders.release_order(session, order) for _ in range(2)] == [2, 0]
    assert (uses(session), counter(session)) == ([], 0)


def test_the_use_of_the_whole_cart_goes_with_the_last_line_that_it_lowered(session, ada, order):
    factories.coupon(session)
    lines = session.scalars(select(OrderLine).order_by(OrderLine.id)).all()
    lines.append(order_rows.order_line(session, order, 3, product_id=ONE))
    lines[0].cart_code = lines[1].cart_code = "SPRING"
    session.flush()
    claim_for_cart(session, ada, order)
    released = []
    for line in lines:
        released.append(reservation_orders.release_order(session, order, [line.id]))
        line.refunded_quantity = line.quantity
        session.flush()
    assert (released, counter(session)) == ([0, 1, 0], 0)


@pytest.mark.each_database
def test_only_expired_reservations_are_released(session, ada, grace):
    factories.coupon(session)
    reserve(session, ada)
    reserve(session, grace, at=NOON + timedelta(minutes=1))
    assert [reservation_carts.release_expired(session, LATER) for _ in range(2)] == [1, 0]
    assert (uses(session), counter(session)) == ([(grace, ONE, None, "reserved")], 1)


def test_a_coupon_that_was_paused_meanwhile_is_not_reserved(session, ada):
    coupon = factories.coupon(session)
    coupon.state = "paused"
    session.flush()
    assert reserve(session, ada) == UNUSABLE
    assert (uses(session), counter(session)) == ([], 0)


def test_without_limits_a_learner_may_use_a_coupon_on_every_line(session, ada):
    factories.coupon(session)
    assert [reserve(session, ada, product) for product in range(1, 8)] == [None] * 7
    assert sorted(session.scalars(select(Reservation.slot))) == [1, 2, 3, 4, 5, 6, 7]
