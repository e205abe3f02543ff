"""The currency that a shop's prices are in, recorded once: another setting would give them another meaning."""

from uuid import uuid4

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from domain.errors import Refused
from domain.money import Currency
from domain.tables import ContractProduct, Coupon, DeliveryRate, Order, Product, StoredShop

_ONLY = 1


def record_currency(session: Session, currency: Currency) -> None:
    """Store the currency. Raises Refused for another one than before once anything has a price."""
    stored = session.get(StoredShop, _ONLY)
    if stored is None:
        session.add(StoredShop(id=_ONLY, uid=str(uuid4()), currency=currency.code))
    elif stored.currency != currency.code:
        if _has_prices(session):
            raise Refused(
                f"This shop has prices in {stored.currency}: start it with CURRENCY={stored.currency}. "
                f"A shop in {currency.code} needs a database of its own."
            )
        stored.currency = currency.code
    session.flush()


def _has_prices(session: Session) -> bool:
    priced = (
        select(Product.id).where(Product.list_price > 0),
        select(Coupon.id).where(or_(Coupon.kind == "amount", Coupon.minimum > 0)),
        select(ContractProduct.product_id).where(ContractProduct.price > 0),
        select(DeliveryRate.id),
        select(Order.id),
    )
    return any(session.scalar(query.limit(1)) is not None for query in priced)
