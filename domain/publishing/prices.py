"""Changing the price of one product by hand."""

from datetime import datetime
from decimal import Decimal

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain import money
from domain.errors import NotFound, Refused
from domain.money import Currency
from domain.publishing.categories import bump_version
from domain.tables import Product


def product_by_slug(session: Session, slug: str) -> Product:
    """The course or item with this slug, written `course:{slug}` or `item:{slug}` where both have it.

    Raises NotFound for an unknown slug and Refused for one that fits both a course and an item.
    """
    kind, colon, bare = slug.rpartition(":")
    query = select(Product).where(Product.slug == bare)
    products = list(session.scalars(query.where(Product.kind == kind) if colon else query))
    if not products:
        raise NotFound(f"No course or shop item is called {slug}.")
    if len(products) > 1:
        raise Refused(f"A course and a shop item are both called {slug}: write course:{slug} or item:{slug}.")
    return products[0]


def change_price(
    session: Session, slug: str, list_price: Decimal, sale_price: Decimal | None, at: datetime, currency: Currency
) -> int:
    """Set the price and return the product's id. None as `sale_price` ends a sale; a new sale begins at once.

    `slug` and errors as for `product_by_slug`; raises Refused also for an invalid price, and for
    one finer than the currency.
    """
    list_price = _valid_amount(list_price, currency)
    sale_price = None if sale_price is None else _valid_amount(sale_price, currency)
    if sale_price is not None and sale_price >= list_price:
        raise Refused(f"The sale price {sale_price} must be below the price {list_price}.")
    product = product_by_slug(session, slug)
    if product.kind == "item" and not list_price:
        raise Refused("A shop item must cost something: search engines list none without a price above zero.")
    is_over = product.sale_until is not None and product.sale_until <= at
    if sale_price != product.sale_price or is_over:
        product.sale_from = product.sale_until = None
    product.list_price, product.sale_price = list_price, sale_price
    if session.is_modified(product):
        product.updated_at = at
        session.flush()
        bump_version(session)
    return product.id


def _valid_amount(amount: Decimal, currency: Currency) -> Decimal:
    if not amount.is_finite() or not 0 <= amount <= money.max_amount(currency):
        raise Refused(f"A price lies between 0 and {money.max_amount(currency)}.")
    if not money.is_rounded(amount, currency):
        raise Refused(f"{amount} is finer than {currency.code} allows: {money.too_fine(currency)}.")
    return money.rounded(amount, currency)
