"""The kinds of limited resources, a record each: for another kind of resource only a record is added.

A resource is a row with a counter. Reservations change the counter by an UPDATE whose condition is the limit.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import ColumnElement, and_, or_, select
from sqlalchemy.orm import Session

from domain.catalogue.stock import shown_stock, too_few_text
from domain.coupons.rules import UNUSABLE, learner_limit_reached
from domain.pricing.rules import RefusalReason
from domain.tables import Coupon, Product, ShopItem

KindName = Literal["coupon", "stock"]


@dataclass(frozen=True)
class Resource:
    """`id`: of the coupon, or of the shop item whose stock it is."""

    kind: KindName
    id: int


@dataclass(frozen=True)
class LearnerLimit:
    """How often one learner may use a resource (None: no limit), and the refusal when they have."""

    number: int | None
    refusal: RefusalReason


@dataclass(frozen=True)
class ResourceKind:
    """`counter`: the column that a reservation of n units changes by `step` * n while `is_left(n)` holds.

    `refusal(session, id)`: why none is left. `learner_limit(session, id)`: for kinds whose uses are numbered for each
    learner. `shown(value)`: what cached pages show of the counter; the catalogue's version changes with it.
    `returns_with_refund`: a refund of the order makes it available again; if not, only `restock` does.
    """

    counter: Any
    step: Literal[1, -1]
    is_left: Callable[[ColumnElement[int]], ColumnElement[bool]]
    refusal: Callable[[Session, int], RefusalReason]
    learner_limit: Callable[[Session, int], LearnerLimit] | None = None
    shown: Callable[[int | None], object] | None = None
    returns_with_refund: bool = True

    @property
    def table(self) -> Any:
        return self.counter.class_


def _is_coupon_left(quantity: ColumnElement[int]) -> ColumnElement[bool]:
    within_limit = or_(Coupon.total_limit.is_(None), Coupon.uses + quantity <= Coupon.total_limit)
    return and_(Coupon.state == "active", within_limit)


def _coupon_refusal(_session: Session, _coupon_id: int) -> RefusalReason:
    return UNUSABLE


def _coupon_learner_limit(session: Session, coupon_id: int) -> LearnerLimit:
    """Read from the locked row: what the transaction read before the lock may be out of date."""
    columns = select(Coupon.display_code, Coupon.learner_limit)
    name, number = session.execute(columns.where(Coupon.id == coupon_id).with_for_update()).one()
    return LearnerLimit(number, learner_limit_reached(name, number))


def _is_stock_left(quantity: ColumnElement[int]) -> ColumnElement[bool]:
    """Without a number the stock is unlimited, and stays so: NULL - n is NULL."""
    return or_(ShopItem.stock.is_(None), ShopItem.stock >= quantity)


def _stock_refusal(session: Session, item_id: int) -> RefusalReason:
    stock = session.scalar(select(ShopItem.stock).where(ShopItem.id == item_id).with_for_update()) or 0
    name = session.scalar(select(Product.name).where(Product.id == item_id)) or "This item"
    return RefusalReason("stock", too_few_text(name, stock))


# In the order in which their rows are locked.
KINDS: dict[KindName, ResourceKind] = {
    "stock": ResourceKind(
        ShopItem.stock, -1, _is_stock_left, _stock_refusal, shown=shown_stock, returns_with_refund=False
    ),
    "coupon": ResourceKind(Coupon.uses, 1, _is_coupon_left, _coupon_refusal, _coupon_learner_limit),
}
