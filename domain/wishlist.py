"""Wishlists, with the price at which each item was added: a learner's is stored here, a guest's in the browser."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from domain.cart import lines as cart_lines
from domain.cart import products as cart_products
from domain.cart.products import CartProduct
from domain.catalogue.scope import CatalogueScope, filter_in_scope
from domain.database.database import insert_ignoring
from domain.identity import learners
from domain.learning.grants import owned_ids
from domain.organisations.access import access_of
from domain.tables import WishlistEntry

MAX_ITEMS = 200


@dataclass(frozen=True)
class WishlistItem:
    """`price` after sale; `is_available` False: it is no longer in the shop."""

    product: CartProduct
    price: Decimal
    seen_price: Decimal | None
    is_available: bool
    is_owned: bool


def learner_wishlist(session: Session, learner_id: int, at: datetime) -> list[WishlistItem]:
    """The newest item first."""
    query = select(WishlistEntry.product_id, WishlistEntry.seen_price).where(WishlistEntry.learner_id == learner_id)
    rows = session.execute(query.order_by(WishlistEntry.added_at.desc(), WishlistEntry.id.desc())).all()
    return preview(session, learner_id, {row.product_id: row.seen_price for row in rows}, at)


def preview(
    session: Session,
    learner_id: int | None,
    prices: Mapping[int, Decimal | None],
    at: datetime,
    scope: CatalogueScope | None = None,
) -> list[WishlistItem]:
    """Items of these product ids, each with the price at which it was added; products this person may not see are left
    out."""
    access = access_of(session, learner_id, at)
    visible = filter_in_scope(session, scope, cart_products.products(session, list(prices)).values())
    products = {product.id: product for product in visible}
    own = owned_ids(session, learner_id, list(prices), at) if learner_id is not None else set()
    return [
        WishlistItem(product, product.price(at), seen, product.status == "published", product_id in own)
        for product_id, seen in prices.items()
        if (product := products.get(product_id)) is not None and access.allows(product)
    ]


def add(session: Session, learner_id: int, product_id: int, at: datetime) -> str | None:
    """None when the product is on the wishlist now, else the reason why not."""
    return _add_all(session, learner_id, {product_id: None}, at)[product_id]


def _add_all(
    session: Session, learner_id: int, prices: Mapping[int, Decimal | None], at: datetime
) -> dict[int, str | None]:
    """Product id → refusal or None. `prices`: at which a guest added each product; None: today's price."""
    learners.lock_account(session, learner_id)
    access, products = access_of(session, learner_id, at), cart_products.products(session, list(prices))
    present = set(session.scalars(select(WishlistEntry.product_id).where(WishlistEntry.learner_id == learner_id)))
    refusals: dict[int, str | None] = {}
    new: list[dict[str, Any]] = []
    for product_id, seen in prices.items():
        product = products.get(product_id)
        if product is None or not cart_products.is_available(product, access):
            refusals[product_id] = "This is not in the shop. It may have been withdrawn."
        elif product_id not in present and len(present) + len(new) >= MAX_ITEMS:
            refusals[product_id] = f"A wishlist holds {MAX_ITEMS} items. Remove one first."
        else:
            refusals[product_id] = None
            if product_id not in present:
                price = product.price(at) if seen is None else seen
                new.append({"learner_id": learner_id, "product_id": product_id, "seen_price": price, "added_at": at})
    insert_ignoring(session, WishlistEntry, new)
    return refusals


def remove(session: Session, learner_id: int, product_id: int) -> None:
    session.execute(
        delete(WishlistEntry).where(WishlistEntry.learner_id == learner_id, WishlistEntry.product_id == product_id)
    )


def move(session: Session, learner_id: int, product_id: int, at: datetime) -> str | None:
    """Move an item to the cart. None, or the reason why not; it then stays on the wishlist."""
    refusal = cart_lines.add(session, learner_id, product_id, at)
    if refusal is None:
        remove(session, learner_id, product_id)
    return refusal


def merge(session: Session, learner_id: int, prices: Mapping[int, Decimal | None], at: datetime) -> None:
    """Add a guest's items to the learner's wishlist; items that are there already keep their price."""
    _add_all(session, learner_id, prices, at)
