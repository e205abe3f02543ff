"""The version of a cart: it grows with every change of its lines, codes and coupon, and with nothing else."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select, update

from domain.cart import codes as cart_codes
from domain.cart import lines as cart_lines
from domain.cart import merge as cart_merge
from domain.cart import views as cart_views
from domain.cart.lines import Change
from domain.cart.owners import Owner, RequestedLine
from domain.cart.versions import increase_version, version_of
from domain.database.database import Database
from domain.tables import Cart
from tests.support import factories
from tests.support.factories import NOON
from tests.support.shops import SHOP

pytestmark = pytest.mark.each_database


@pytest.fixture
def ada(session) -> int:
    return factories.learner(session).id


@pytest.fixture
def course(session) -> int:
    return factories.course(session, factories.category(session).id, "vat", name="VAT").id


def test_every_change_of_a_cart_gives_it_a_higher_version(session, ada, course):
    factories.coupon(session, "SPRING")
    changes = [
        lambda: cart_lines.add(session, ada, course, NOON),
        lambda: cart_lines.change(session, ada, course, Change(quantity=1), NOON),
        lambda: cart_codes.set_on_line(session, ada, course, "SPRING", NOON, SHOP),
        lambda: cart_codes.set_on_cart(session, Owner(ada), "SPRING", [], NOON, SHOP),
        lambda: cart_codes.set_on_cart(session, Owner(ada), "", [], NOON, SHOP),
        lambda: cart_lines.change(session, ada, course, Change(is_saved=True), NOON),
        lambda: cart_lines.remove(session, ada, course),
        lambda: cart_merge.merge(session, ada, [RequestedLine(course)], None, NOON),
    ]
    versions = [version_of(session, ada)]
    for change in changes:
        change()
        versions.append(version_of(session, ada))
    assert versions == sorted(set(versions))
    assert cart_views.learner_cart(session, ada, NOON, SHOP).version == versions[-1]


def test_reading_and_refusals_leave_the_version(session, ada, course):
    cart_lines.add(session, ada, course, NOON)
    version = version_of(session, ada)
    cart_views.learner_cart(session, ada, NOON, SHOP)
    assert cart_lines.change(session, ada, course + 1, Change(quantity=2), NOON) is not None
    cart_lines.remove(session, ada, course + 1)
    assert version_of(session, ada) == version


def test_a_guests_cart_has_no_version(session):
    assert cart_views.guest_cart(session, Owner(guest_key="g" * 64), [], NOON, SHOP).version == 0


def test_the_build_before_inserts_carts_without_a_version(session, ada):
    session.execute(Cart.__table__.insert(), {"learner_id": ada})
    assert version_of(session, ada) == 0


def test_concurrent_changes_are_all_counted(database: Database):
    with database.write_session() as session:
        ada = factories.learner(session).id

    def change(_: int) -> None:
        with database.write_session() as session:
            increase_version(session, ada)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(change, range(40)))
    with database.read_session() as session:
        assert version_of(session, ada) == 40


def test_a_version_that_is_read_before_it_is_written_loses_a_change(database: Database):
    """The negative control of the test above: both read before one of them writes."""
    with database.write_session() as session:
        ada = factories.learner(session).id
        increase_version(session, ada)
    seen = []
    for _ in range(2):
        with database.read_session() as session:
            seen.append(version_of(session, ada))
    for version in seen:
        with database.write_session() as session:
            session.execute(update(Cart).where(Cart.learner_id == ada).values(version=version + 1))
    with database.read_session() as session:
        assert session.scalar(select(Cart.version)) == 2
