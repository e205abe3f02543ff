"""Buyers of the last pieces of an item, or of the last uses of a coupon: each places an order of one line, on both
databases. `sold` compares what orders have with the counter and the rows."""

from collections.abc import Callable, Collection
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from domain.database.database import Database
from domain.reservations import orders as reservation_orders
from domain.reservations import owners as reservation_owners
from domain.reservations.kinds import Resource
from domain.reservations.owners import OrderOwner
from domain.tables import Coupon, Order, OrderLine, Reservation, ShopItem
from tests.support import factories, order_rows
from tests.support.factories import NOON

BUYERS = 40
# States in which an order has what its lines need.
WITH_RESERVATIONS = ("placed", "paid")


class SoldOut(Exception):
    """Ends the transaction: no order is left behind."""


def add_shop(session: Session, kind: str, number: int) -> None:
    """One item with `number` pieces, one coupon with `number` uses, and the buyers."""
    category_id = factories.category(session).id
    item = factories.item(session, category_id, detail={"stock": number if kind == "stock" else None})
    factories.coupon(session, "LAST", total_limit=number if kind == "coupon" else None)
    for buyer in range(BUYERS):
        factories.learner(session, f"Buyer {buyer}", student_number=f"b-{buyer}")
    assert item.id


def resource(session: Session, kind: str) -> Resource:
    if kind == "stock":
        return Resource("stock", session.scalars(select(ShopItem.id)).one())
    return Resource("coupon", session.scalars(select(Coupon.id)).one())


def place(session: Session, kind: str, learner_id: int, at: datetime = NOON) -> int:
    """Place an order and return its id. Raises SoldOut."""
    order, owner = add_order(session, learner_id)
    if reservation_orders.claim(session, resource(session, kind), owner, 1, at) is not None:
        raise SoldOut
    return order.id


def add_order(session: Session, learner_id: int) -> tuple[Order, OrderOwner]:
    number = session.scalar(select(func.count()).select_from(Order).where(Order.learner_id == learner_id)) or 0
    order = order_rows.open_order(session, learner_id, code=f"{learner_id:010}{number:010}")
    line = order_rows.order_line(session, order.id, product_id=session.scalars(select(ShopItem.id)).one())
    return order, OrderOwner(learner_id, order.id, line.id)


def try_to_place(kind: str, db: Database, learner_id: int) -> bool:
    try:
        with db.write_session() as session:
            place(session, kind, learner_id)
    except SoldOut:
        return False
    return True


def place_unguarded(kind: str, db: Database, learner_id: int, between: Callable[[], object]) -> bool:
    """The negative control: reads what is left, and then writes what it has computed."""
    with db.read_session() as session:
        taken = resource(session, kind)
        stock = session.scalars(select(ShopItem.stock)).one()
        uses, limit = session.execute(select(Coupon.uses, Coupon.total_limit)).one()
    if (stock if kind == "stock" else limit - uses) < 1:
        return False
    between()
    with db.write_session() as session:
        _, owner = add_order(session, learner_id)
        if kind == "stock":
            session.execute(update(ShopItem).values(stock=stock - 1))
        else:
            session.execute(update(Coupon).values(uses=uses + 1))
        session.add(row_of(taken, owner, slot=1 if kind == "coupon" else None))
    return True


def row_of(taken: Resource, owner: OrderOwner, slot: int | None) -> Reservation:
    place_of = {"learner_id": owner.learner_id, "order_id": owner.order_id, "line_id": owner.line_id}
    about = {"kind": taken.kind, "resource_id": taken.id, "slot": slot, "owner_key": owner.key}
    return Reservation(**place_of, **about, reserved_at=NOON)


def claim_again(session: Session, order_id: int, kind: str) -> bool:
    line_id, learner_id = session.execute(
        select(OrderLine.id, Order.learner_id).join(Order, Order.id == OrderLine.order_id).where(Order.id == order_id)
    ).one()
    owner = OrderOwner(learner_id, order_id, line_id)
    return reservation_orders.claim(session, resource(session, kind), owner, 1, NOON) is None


def pay(session: Session, order_id: int, kind: str) -> None:
    """Raises ReservationsMissing."""
    (line_id,) = session.scalars(select(OrderLine.id).where(OrderLine.order_id == order_id))
    needed = {(resource(session, kind), reservation_owners.order_line_key(order_id, line_id)): 1}
    reservation_orders.commit(session, order_id, needed)
    set_state(session, [order_id], "paid")


def set_state(session: Session, order_ids: Collection[int], state: str) -> None:
    session.execute(update(Order).where(Order.id.in_(order_ids)).values(state=state, open_learner_id=None))


class Sold(NamedTuple):
    """Orders that have what they sold, units that rows have, and units that the counter counts."""

    orders: int
    rows: int
    counter: int


def sold(db: Database, kind: str, number: int) -> Sold:
    with db.read_session() as session:
        orders = session.scalar(select(func.count()).where(Order.state.in_(WITH_RESERVATIONS)))
        rows = session.scalar(select(func.coalesce(func.sum(Reservation.quantity), 0)))
        stock, uses = session.scalars(select(ShopItem.stock)).one(), session.scalars(select(Coupon.uses)).one()
    return Sold(orders or 0, int(rows or 0), number - stock if kind == "stock" else uses)


def placed(db: Database) -> list[int]:
    with db.read_session() as session:
        return list(session.scalars(select(Order.id).where(Order.state == "placed").order_by(Order.id)))
