"""The migration to one table of reservations, down and up on both databases, and on the filled demo shop."""

from typing import Any

import pytest
from sqlalchemy import select, text

from domain import reservations
from domain.database.database import Database
from domain.migrations import runner
from domain.reservations import CartOwner, OrderOwner, Resource
from domain.tables import File, ItemFile, Learner, Product, ShopItem
from tests.support import factories, order_rows
from tests.support.factories import NOON

BEFORE, AFTER = "0009_order_chain", "0010_reservations"
# Of one coupon: the orders of the demo have others.
USES = (
    "SELECT coupon_id, learner_id, product_id, order_id, slot, state, expires_at IS NULL FROM coupon_uses "
    "WHERE coupon_id = {coupon} ORDER BY slot"
)
ROWS = (
    "SELECT owner_key, order_id, line_id, product_id, slot, state, expires_at IS NULL FROM reservations "
    "WHERE kind = 'coupon' AND resource_id = {coupon} ORDER BY slot"
)


def rows(db: Database, query: str) -> list[tuple]:
    with db.engine.connect() as connection:
        return [tuple(row) for row in connection.execute(text(query))]


def fill(db: Database) -> dict[str, Any]:
    """A use of a coupon in a cart, one of an order's line and one of its whole cart; two pieces of an item reserved by
    an open order, one of a paid order."""
    with db.write_session() as session:
        learner_id = session.scalars(select(Learner.id).order_by(Learner.id)).first()
        course_id = session.scalars(select(Product.id).where(Product.kind == "course")).first()
        item = session.scalars(select(ShopItem).where(ShopItem.stock > 5)).first()
        coupon = factories.coupon(session, "MOVING")
        opened, paid = order_rows.open_order(session, learner_id, code="A" * 20), order_rows.order(session, learner_id)
        lines = [
            order_rows.order_line(session, opened.id, number, product_id=product_id)
            for number, product_id in enumerate((course_id, item.id), start=1)
        ]
        bought = order_rows.order_line(session, paid.id, product_id=item.id)
        use, pieces = Resource("coupon", coupon.id), Resource("stock", item.id)
        reservations.reserve(session, use, CartOwner(learner_id, course_id), 1, NOON)
        reservations.claim(session, use, OrderOwner(learner_id, opened.id, lines[0].id), 1, NOON)
        reservations.claim(session, use, OrderOwner(learner_id, opened.id), 1, NOON)
        reservations.claim(session, pieces, OrderOwner(learner_id, opened.id, lines[1].id), 2, NOON)
        reservations.claim(session, pieces, OrderOwner(learner_id, paid.id, bought.id), 1, NOON)
        reservations.commit(session, paid.id, reservations.of_order(session, paid.id))
        file = File(sha256="0" * 64, name="a.pdf", media_type="application/pdf", bytes=1, kind="book", created_at=NOON)
        session.add(file)
        session.flush()
        session.add(ItemFile(item_id=item.id, file_id=file.id, position=0))
        ids = {"learner": learner_id, "course": course_id, "item": item.id, "coupon": coupon.id}
        return {**ids, "order": opened.id, "line": lines[0].id}


@pytest.fixture
def shop(current: Database) -> Database:
    """A learner, a course and an item."""
    with current.write_session() as session:
        factories.learner(session)
        category = factories.category(session).id
        factories.course(session, category)
        factories.item(session, category, detail={"stock": 9})
    return current


def counters(db: Database, ids: dict[str, Any]) -> tuple[int, int]:
    (uses,) = rows(db, f"SELECT uses FROM coupons WHERE id = {ids['coupon']}")
    (stock,) = rows(db, f"SELECT stock FROM shop_items WHERE id = {ids['item']}")
    return uses[0], stock[0]


def test_uses_move_to_coupon_uses_and_back_and_reserved_stock_is_available_again(shop):
    compare_uses_and_stock(shop)


def test_uses_and_stock_of_the_demo_shop_move_too(own_demo):
    compare_uses_and_stock(own_demo)


def compare_uses_and_stock(shop: Database) -> None:
    ids = fill(shop)
    uses, stock = counters(shop, ids)
    learner, course, order, line = ids["learner"], ids["course"], ids["order"], ids["line"]
    runner.downgrade(shop.engine, BEFORE)
    assert rows(shop, USES.format(**ids)) == [
        (ids["coupon"], learner, course, 0, 1, "reserved", 0),
        (ids["coupon"], learner, course, order, 2, "reserved", 1),
        (ids["coupon"], learner, 0, order, 3, "reserved", 1),
    ]
    # Two pieces were reserved, the paid one stays sold.
    assert counters(shop, ids) == (uses, stock + 2) == (3, stock + 2)
    runner.upgrade(shop.engine, AFTER)
    assert rows(shop, ROWS.format(**ids)) == [
        (f"cart:{learner}:{course}", None, None, course, 1, "reserved", 0),
        (f"order:{order}:{line}", order, line, course, 2, "reserved", 1),
        (f"order:{order}:cart", order, None, None, 3, "reserved", 1),
    ]
    assert counters(shop, ids) == (3, stock + 2)
    assert rows(shop, f"SELECT position FROM item_files WHERE item_id = {ids['item']}") == [(0,)]


def test_what_the_build_before_left_fits_the_new_rules(shop):
    """An order's use had an end; a use without an order could be committed only by a fault; nothing kept a stock from
    falling below 0."""
    ids = fill(shop)
    runner.downgrade(shop.engine, BEFORE)
    names = "coupon_id, learner_id, product_id, order_id, slot, state, reserved_at, expires_at"
    add = text(f"INSERT INTO coupon_uses ({names}) VALUES (:coupon, :learner, 7, :order, :slot, :state, :at, :at)")
    with shop.engine.begin() as connection:
        connection.execute(text("DELETE FROM coupon_uses"))
        about = {"coupon": ids["coupon"], "learner": ids["learner"], "at": "2026-03-01 12:00:00"}
        for slot, (order, state) in enumerate([(ids["order"], "reserved"), (0, "committed"), (99_999, "reserved")], 1):
            connection.execute(add, {**about, "order": order, "state": state, "slot": slot})
        connection.execute(text(f"UPDATE coupons SET uses = 3 WHERE id = {ids['coupon']}"))
        connection.execute(text(f"UPDATE shop_items SET stock = -1 WHERE id = {ids['item']}"))
    runner.upgrade(shop.engine, AFTER)
    assert rows(shop, ROWS.format(**ids)) == [
        (f"order:{ids['order']}:cart", ids["order"], None, None, 1, "reserved", 1)
    ]
    assert counters(shop, ids) == (1, 0)
