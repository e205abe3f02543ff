"""Stock that orders reserve, on both databases: never below 0, returned once, and a new version of
the catalogue only when pages show another text."""

import pytest
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from domain.catalogue import listing as catalogue_listing
from domain.catalogue.stock import shown_stock
from domain.pricing.rules import RefusalReason
from domain.reservations import orders as reservation_orders
from domain.reservations.kinds import Resource
from domain.reservations.owners import OrderOwner
from domain.tables import Reservation, ShopItem
from tests.support import factories, order_rows
from tests.support.factories import NOON
from tests.support.statements import counted


@pytest.fixture
def item(session) -> ShopItem:
    """A book with 3 left."""
    row = factories.item(session, factories.category(session).id, name="Tables", detail={"stock": 3})
    return session.get_one(ShopItem, row.id)


@pytest.fixture
def ada(session) -> int:
    return factories.learner(session).id


class Lines:
    """Lines of orders that claim pieces of one item."""

    def __init__(self, session, item: ShopItem, learner: int):
        self.session, self.item, self.learner = session, item, learner
        self.resource, self.orders = Resource("stock", item.id), 0

    def claim(self, quantity: int = 1):
        """The refusal, and the owner of the pieces: the line of a new order."""
        self.orders += 1
        order = order_rows.order(self.session, self.learner, f"{self.orders:020}", state="placed")
        line = order_rows.order_line(self.session, order.id, product_id=self.item.id, quantity=quantity)
        owner = OrderOwner(self.learner, order.id, line.id)
        return reservation_orders.claim(self.session, self.resource, owner, quantity, NOON), owner

    def commit(self, owner: OrderOwner) -> int:
        return reservation_orders.commit(
            self.session, owner.order_id, reservation_orders.of_order(self.session, owner.order_id)
        )

    def stock(self) -> int | None:
        return self.session.scalars(select(ShopItem.stock).where(ShopItem.id == self.item.id)).one()

    def taken(self) -> int:
        return sum(self.session.scalars(select(Reservation.quantity)))


@pytest.fixture
def lines(session, item, ada) -> Lines:
    return Lines(session, item, ada)


@pytest.mark.each_database
def test_an_order_takes_its_pieces_from_the_stock_once(lines):
    reason, owner = lines.claim(2)
    assert (reason, lines.stock(), lines.taken()) == (None, 1, 2)
    assert reservation_orders.claim(lines.session, lines.resource, owner, 2, NOON) is None
    assert (lines.stock(), lines.taken()) == (1, 2)


@pytest.mark.each_database
def test_more_than_is_left_is_refused_with_the_number_and_nothing_is_taken(lines):
    assert lines.claim(4)[0] == RefusalReason("stock", "Only 3 of Tables are left.")
    assert lines.claim(3)[0] is None
    assert lines.claim(1)[0] == RefusalReason("stock", "Tables is sold out.")
    assert (lines.stock(), lines.taken()) == (0, 3)


def test_an_unlimited_stock_stays_unlimited(lines):
    lines.item.stock = None
    lines.session.flush()
    reason, owner = lines.claim(50)
    assert (reason, lines.stock(), lines.taken()) == (None, None, 50)
    assert reservation_orders.release_order(lines.session, owner.order_id) == 1
    assert (lines.stock(), lines.taken()) == (None, 0)


def test_an_order_that_is_not_paid_returns_its_pieces_once(lines):
    _, owner = lines.claim(2)
    assert [reservation_orders.release_order(lines.session, owner.order_id) for _ in range(2)] == [1, 0]
    assert (lines.stock(), lines.taken()) == (3, 0)


def test_goods_of_a_paid_order_come_back_only_when_they_are_returned_and_not_twice(lines):
    _, owner = lines.claim(3)
    lines.commit(owner)
    assert reservation_orders.release_order(lines.session, owner.order_id) == 0
    returned = [
        reservation_orders.restock(lines.session, owner.order_id, owner.line_id, number) for number in (1, 9, 1)
    ]
    assert (returned, lines.stock(), lines.taken()) == ([1, 2, 0], 3, 0)


def test_a_line_is_released_without_the_others(lines):
    _, owner = lines.claim(1)
    other = order_rows.order_line(lines.session, owner.order_id, 2, product_id=lines.item.id)
    second = OrderOwner(owner.learner_id, owner.order_id, other.id)
    assert reservation_orders.claim(lines.session, lines.resource, second, 1, NOON) is None
    assert reservation_orders.release_order(lines.session, owner.order_id, [other.id]) == 1
    assert (lines.stock(), lines.taken()) == (2, 1)


@pytest.mark.each_database
def test_the_database_refuses_a_stock_below_0(session, item):
    item.stock = -1
    with pytest.raises(Exception, match="ck_shop_items_stock") as raised:
        session.flush()
    session.rollback()
    assert type(raised.value).__module__ == IntegrityError.__module__


@pytest.mark.parametrize(("stock", "shown"), [(None, None), (11, None), (10, 10), (1, 1), (0, 0)])
def test_pages_say_how_many_are_left_from_ten_on(stock, shown):
    assert shown_stock(stock) == shown


@pytest.mark.parametrize(("stock", "changes"), [(None, 0), (100, 0), (12, 0), (11, 1), (3, 1), (1, 1)])
def test_the_catalogue_has_a_new_version_only_when_pages_show_another_text(lines, stock, changes):
    lines.item.stock = stock
    lines.session.flush()
    before = catalogue_listing.version(lines.session)
    _, owner = lines.claim()
    lines.session.commit()
    assert catalogue_listing.version(lines.session) - before == changes
    reservation_orders.release_order(lines.session, owner.order_id)
    lines.session.commit()
    assert (catalogue_listing.version(lines.session) - before, lines.stock()) == (2 * changes, stock)


def test_the_version_is_counted_by_the_last_statement_of_a_purchase(lines):
    """The whole shop has one row: who holds it waits for nobody."""
    with counted(lines.session) as before:
        lines.claim()
        with lines.session.begin_nested():
            lines.session.execute(select(ShopItem.id)).all()
    with counted(lines.session) as at_the_end:
        lines.session.commit()
    assert [statement for statement in before if "catalogue_version" in statement] == []
    assert at_the_end[-1].startswith("UPDATE catalogue_version")


def test_a_refused_claim_leaves_the_catalogue_unchanged(lines):
    before = catalogue_listing.version(lines.session)
    lines.claim(4)
    lines.session.commit()
    assert catalogue_listing.version(lines.session) == before
