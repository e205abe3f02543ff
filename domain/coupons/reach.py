"""Which products a coupon applies to, and the lowest price among them: what the limits of roles are measured by."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from sqlalchemy import and_, case, func, or_, select
from sqlalchemy.orm import Session

from domain.coupons.create import RESERVED, CouponDraft, id_of_category, product_id_of
from domain.tables import Coupon, CouponProduct, Product


@dataclass(frozen=True)
class Reach:
    """`applies_to`: all, course, item or category, then with its id. `product_ids`: the only products; (): all that
    `applies_to` names."""

    applies_to: str
    category_id: int | None
    product_ids: tuple[int, ...]


def reach_of_draft(session: Session, draft: CouponDraft) -> Reach:
    """Raises NotFound for a category or product that there is not."""
    products = tuple(product_id_of(session, text) for text in draft.products)
    if draft.applies_to in RESERVED:
        return Reach(draft.applies_to, None, products)
    return Reach("category", id_of_category(session, draft.applies_to), products)


def reach_of_coupon(session: Session, coupon: Coupon) -> Reach:
    ids = session.scalars(select(CouponProduct.product_id).where(CouponProduct.coupon_id == coupon.id))
    return Reach(coupon.applies_to, coupon.category_id, tuple(ids))


def lowest_price(session: Session, reach: Reach, at: datetime) -> Decimal | None:
    """The lowest price above 0 of what is or may be sold, with sales that run or are still to begin. None without
    any."""
    goes_on = or_(Product.sale_until.is_(None), Product.sale_until > at)
    has_sale = and_(Product.sale_price > 0, goes_on)
    price = case((has_sale, Product.sale_price), else_=Product.list_price)
    query = select(func.min(price)).where(price > 0, Product.status != "retired")
    if reach.applies_to in ("course", "item"):
        query = query.where(Product.kind == reach.applies_to)
    if reach.applies_to == "category":
        query = query.where(Product.category_id == reach.category_id)
    if reach.product_ids:
        query = query.where(Product.id.in_(reach.product_ids))
    lowest: Decimal | None = session.scalar(query)
    return lowest
