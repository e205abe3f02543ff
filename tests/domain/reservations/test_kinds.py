"""Another kind of limited resource needs a record and no other code."""

import pytest
from sqlalchemy import select

from domain import reservations
from domain.pricing.rules import RefusalReason
from domain.reservations import CartOwner, OrderOwner, Resource
from domain.reservations.kinds import KINDS, Kind
from domain.tables import Product
from tests.support import factories, order_rows
from tests.support.factories import NOON

pytestmark = pytest.mark.each_database

FULL = RefusalReason("full", "This group is full.")
LATER = NOON + reservations.RESERVATION_TTL


@pytest.fixture
def places(session, monkeypatch) -> Resource:
    """The places of a group of 5, counted in a column of the course."""
    places = Kind(
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
        assert reservations.reserve(session, places, hers, quantity, NOON) is None
    assert reservations.reserve(session, places, CartOwner(grace, places.id), 3, NOON) == FULL
    assert (reservations.claim(session, places, ordered, 3, LATER), count(session, places)) == (None, 3)
    assert reservations.reserve(session, places, CartOwner(grace, places.id), 2, NOON) is None
    assert (reservations.release_expired(session, LATER), count(session, places)) == (1, 3)
    assert (reservations.release_order(session, order_id), count(session, places)) == (1, 0)
