"""One product's price, as a person changes it."""

from datetime import datetime
from decimal import Decimal

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain import money
from domain.errors import NotFound, Refused
from domain.publishing.shelves import moved
from domain.tables import Product


def product_called(session: Session, slug: str) -> Product:
    """The course or item with this slug, written `course:{slug}` or `item:{slug}` where both have it.

    Raises NotFound for an unknown one, Refused for one that could mean two.
    """
    kind, colon, bare = slug.rpartition(":")
    query = select(Product).where(Product.slug == bare)
    found = list(session.scalars(query.where(Product.kind == kind) if colon else query))
    if not found:
        raise NotFound(f"No course or shop item is called {slug}.")
    if len(found) > 1:
        raise Refused(f"A course and a shop item are both called {slug}: write course:{slug} or item:{slug}.")
    return found[0]


def change_price(session: Session, slug: str, list_price: Decimal, sale_price: Decimal | None, at: datetime) -> int:
    """The product's id. `sale_price` None ends a sale; a new one begins at once and has no end.

    `slug` as for product_called, whose errors it raises; Refused also for a price that cannot be.
    """
    list_price, sale_price = _possible(list_price), None if sale_price is None else _possible(sale_price)
    if sale_price is not None and sale_price >= list_price:
        raise Refused(f"The sale price {sale_price} must be below the price {list_price}.")
    product = product_called(session, slug)
    if product.kind == "item" and not list_price:
        raise Refused("A shop item must cost something: search engines list none without a price above zero.")
    is_over = product.sale_until is not None and product.sale_until <= at
    if sale_price != product.sale_price or is_over:
        product.sale_from = product.sale_until = None
    product.list_price, product.sale_price = list_price, sale_price
    if session.is_modified(product):
        product.updated_at = at
        session.flush()
        moved(session)
    return product.id


def _possible(amount: Decimal) -> Decimal:
    if not amount.is_finite() or not 0 <= amount <= money.LARGEST:
        raise Refused(f"A price lies between 0 and {money.LARGEST}.")
    return money.rounded(amount)
