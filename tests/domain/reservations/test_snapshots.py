"""What a transaction on MariaDB read before others changed it, at the level of a snapshot (`read_session`, in which it
may write): at the level of writes it would see the change. On SQLite a writer is alone from its begin."""

from dataclasses import replace
from decimal import Decimal

import pytest
from sqlalchemy import select, update

from domain.publishing import categories as publishing_categories
from domain.publishing import writer as publishing_writer
from domain.publishing.records import ItemRecord
from domain.reservations import orders as reservation_orders
from domain.reservations.orders import ReservationsMissing
from domain.tables import Learner, Order, ShopItem
from tests.domain.reservations import buyers
from tests.support.factories import NOON

pytestmark = [pytest.mark.mariadb, pytest.mark.parametrize("database", ["mariadb"], indirect=True)]


def test_what_another_transaction_released_meanwhile_is_missing(database):
    with database.write_session() as session:
        buyers.add_shop(session, "stock", 1)
        order_id = buyers.place(session, "stock", session.scalars(select(Learner.id)).first())
    with database.read_session() as session:
        session.scalars(select(Order.id)).all()
        assert database.write_sync(reservation_orders.release_order, order_id) == 1
        with pytest.raises(ReservationsMissing):
            buyers.pay(session, order_id, "stock")
    assert buyers.sold(database, "stock", 1).counter == 0


@pytest.mark.parametrize(("stock", "left"), [(5, 4), (9, 9)])
def test_an_import_does_not_return_what_was_sold_meanwhile(database, stock, left):
    """But a stock that it changes is what the file says."""
    about = {"subtitle": "A book.", "sku": "B-1", "item_kind": "book", "stock": 5}
    book = ItemRecord(slug="calm", name="Calm", category="tax", list_price=Decimal("39.00"), **about)
    with database.write_session() as session:
        publishing_categories.put_category(session, "tax", "Tax")
        publishing_writer.put_item(session, book, NOON)
    with database.read_session() as session:
        session.scalars(select(ShopItem.id)).all()
        with database.write_session() as other:
            other.execute(update(ShopItem).values(stock=ShopItem.stock - 1))
        publishing_writer.put_item(session, replace(book, name="Calmer", stock=stock), NOON)
    with database.read_session() as session:
        assert session.scalars(select(ShopItem.stock)).one() == left
