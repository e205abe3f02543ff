"""Places or settles an order in a child process that is killed at a fault point (tests/support/children.py)."""

from sqlalchemy import make_url, select

from domain import fault_points
from domain.checkout import placement
from domain.checkout.priced import RequestedItem
from domain.database.database import Database
from domain.orders.settings import Context
from domain.payments import settlement
from domain.tables import Order, Product
from tests.domain.orders import selling
from tests.domain.orders.selling import LATER, SETTINGS, SHOP, Pricing
from tests.support.factories import NOON


def place(db: Database, learner_id: int) -> None:
    """A book and a course, always with the same key."""
    with db.read_session() as session:
        ids = session.scalars(select(Product.id).where(Product.slug.in_(("the-book", "vat-basics"))))
        order_request = selling.order_request(
            session, learner_id, *[RequestedItem(product_id) for product_id in sorted(ids)]
        )
    db.write_sync(placement.place, order_request, Pricing(), Context(NOON, SETTINGS))
    fault_points.hit("place.committed")


def settle(db: Database, learner_id: int) -> None:
    """The learner's first order is paid."""
    with db.read_session() as session:
        order = session.scalars(select(Order).where(Order.learner_id == learner_id).order_by(Order.id)).first()
        assert order is not None
        ref, found = selling.ref_of(session, order), selling.snapshot(order)
    fault_points.hit("settle.retrieved")
    db.write_sync(settlement.apply, ref, found, SHOP, LATER)
    fault_points.hit("settle.committed")


STEPS = {"place": place, "settle": settle}


def run(url: str, step: str, point: str, learner_id: int) -> None:
    fault_points.arm(point)
    STEPS[step](Database(make_url(url), deadline_s=30, busy_ms=30_000), learner_id)
