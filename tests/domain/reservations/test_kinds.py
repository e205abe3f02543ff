"""Another kind of limited resource needs a record and no other code."""

import pytest
from sqlalchemy import select

from domain.pricing.rules import RefusalReason
from domain.reservations import carts as reservation_carts
from domain.reservations import orders as reservation_orders
from domain.reservations.carts import RESERVATION_TTL
from domain.reservations.kinds import KINDS, Resource, ResourceKind
from domain.reservations.owners import CartOwner, OrderOwner
from domain.tables import Product
from tests.support import factories, order_rows
from tests.support.factories import NOON

pytestmark = pytest.mark.each_database

FULL = RefusalReason("full", "This group is full.")
LATER = NOON + RESERVATION_TTL


@pytest.fixture
def places(session, monkeypatch) -> Resource:
    """The places of a group of 5, counted in a column of the course."""
    places = ResourceKind(
        counter=Product.popularity,
        step=1,
        is_left=lambda quantity: Product.popularity + quantity <= 5,
        refusal=lambda _session, _id: FULL,
    )
    monkeypatch.setitem(KINDS, "place", places)
    course = factories.course(session, factories.category(session).id, popularity=0)
    return Resource("place", course.id)


def count(session, places: Resource) -> int:
    return session.scalars(select(Product.popularity).where(Product.id == places.id)).one()


def test_a_further_kind_is_reserved_renewed_claimed_and_released(session, places):
    ada, grace = (factories.learner(session, name).id for name in ("Ada Lovelace", "Grace Hopper"))
    order_id = order_rows.open_order(session, ada).id
    line_id = order_rows.order_line(session, order_id, product_id=places.id, quantity=3).id
    hers, ordered = CartOwner(ada, places.id), OrderOwner(ada, order_id, line_id, CartOwner(ada, places.id).key)
    for quantity in (2, 3, 3):
        assert reservation_carts.reserve(session, places, hers, quantity, NOON) is None
    assert reservation_carts.reserve(session, places, CartOwner(grace, places.id), 3, NOON) == FULL
    assert (reservation_orders.claim(session, places, ordered, 3, LATER), count(session, places)) == (None, 3)
    assert reservation_carts.reserve(session, places, CartOwner(grace, places.id), 2, NOON) is None
    assert (reservation_carts.release_expired(session, LATER), count(session, places)) == (1, 3)
    assert (reservation_orders.release_order(session, order_id), count(session, places)) == (1, 0)
