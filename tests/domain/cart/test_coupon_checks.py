"""The functions behind the RPC calls, run twice: by a worker, and inline by a host that had no reply.
Both databases.
"""

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from contracts.payloads import ApplyToCart, ApplyToLine
from domain.cart.coupon_checks import apply_to_cart, apply_to_line
from domain.database.database import Database
from domain.tables import Cart, Reservation
from tests.support import factories
from tests.support.factories import NOON
from tests.support.shops import SHOP

AT = NOON.isoformat()


@pytest.fixture
def ids(database: Database) -> dict[str, int]:
    """A learner with one course in the cart, and the code SPRING, once for each learner."""
    with database.write_session() as session:
        course = factories.course(session, factories.category(session).id)
        learner = factories.learner(session)
        factories.cart_line(session, learner.id, course.id)
        coupon = factories.coupon(session, learner_limit=1)
        return {"learner": learner.id, "course": course.id, "coupon": coupon.id}


def count(session: Session, table: type) -> int:
    return session.scalar(select(func.count()).select_from(table)) or 0


@pytest.mark.each_database
def test_a_code_that_was_set_already_gives_the_same_answer_and_counts_once(database, ids):
    call = ApplyToLine(learner_id=ids["learner"], product_id=ids["course"], code="spring", at=AT)
    first, again = (database.write_sync(apply_to_line, call, SHOP) for _ in range(2))
    assert first == again == {"reason": "", "message": "", "price": "90.00", "off": "10.00", "code": "SPRING"}
    with database.read_session() as session:
        assert count(session, Reservation) == 1


@pytest.mark.parametrize("owner", ["learner", "guest"])
def test_a_coupon_that_was_put_on_the_cart_already_gives_the_same_answer(database, ids, owner):
    ids_of = {"learner": {"learner_id": ids["learner"]}, "guest": {"guest": "g" * 64}}
    call = ApplyToCart(owner=ids_of[owner], code="spring", at=AT, lines=[[ids["course"], 1]])
    assert [database.write_sync(apply_to_cart, call, SHOP) for _ in range(2)] == [{"reason": "", "message": ""}] * 2
    with database.read_session() as session:
        assert session.scalars(select(Cart.coupon_id)).all() == [ids["coupon"]]


@pytest.mark.each_database
@pytest.mark.mariadb
@pytest.mark.parametrize("database", ["mariadb"], indirect=True)
def test_two_transactions_may_create_the_cart_at_the_same_time(database, ids):
    """On SQLite the second one begins when the first has ended."""
    call = ApplyToCart(owner={"learner_id": ids["learner"]}, code="spring", at=AT)
    with database.write_session() as session:
        # From here on the transaction sees the database as it is now.
        assert count(session, Cart) == 0
        database.write_sync(apply_to_cart, call, SHOP)
        assert apply_to_cart(session, call, SHOP) == {"reason": "", "message": ""}
    with database.read_session() as session:
        assert session.scalars(select(Cart.coupon_id)).all() == [ids["coupon"]]
