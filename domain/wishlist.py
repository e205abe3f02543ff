"""Wishes: of a learner in the records, of a guest in the browser; with what they cost when they were wished for."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from domain import cart
from domain.cart import CartProduct
from domain.cart.products import owned
from domain.catalogue import Narrowed, keep
from domain.db import upsert_ignoring
from domain.organisations import access_of
from domain.tables import Wish

MOST_WISHES = 200


@dataclass(frozen=True)
class ShownWish:
    """`price` after sale; `is_sold` False: it is no longer in the shop."""

    product: CartProduct
    price: Decimal
    seen_price: Decimal | None
    is_sold: bool
    is_owned: bool


def of_learner(session: Session, learner_id: int, at: datetime) -> list[ShownWish]:
    """The newest wish first."""
    mine = select(Wish.product_id, Wish.seen_price).where(Wish.learner_id == learner_id)
    rows = session.execute(mine.order_by(Wish.added_at.desc(), Wish.id.desc())).all()
    return look(session, learner_id, {row.product_id: row.seen_price for row in rows}, at)


def look(
    session: Session,
    learner_id: int | None,
    prices: Mapping[int, Decimal | None],
    at: datetime,
    only: Narrowed | None = None,
) -> list[ShownWish]:
    """Wishes by id with the price somebody saw, in their order; what this person may not see is left out."""
    access = access_of(session, learner_id, at)
    found = {one.id: one for one in keep(session, only, cart.products(session, list(prices)).values())}
    mine = owned(session, learner_id, list(prices)) if learner_id is not None else set()
    return [
        ShownWish(product, product.price(at), seen, product.status == "published", one in mine)
        for one, seen in prices.items()
        if (product := found.get(one)) is not None and access.allows(product)
    ]


def put(session: Session, learner_id: int, product_id: int, at: datetime) -> str | None:
    """None when it is on the list now, else why not."""
    return _put_all(session, learner_id, {product_id: None}, at)[product_id]


def _put_all(
    session: Session, learner_id: int, prices: Mapping[int, Decimal | None], at: datetime
) -> dict[int, str | None]:
    """Id -> refusal or None. A price is what it cost when a guest wished for it; None: what it costs today."""
    access, found = access_of(session, learner_id, at), cart.products(session, list(prices))
    there = set(session.scalars(select(Wish.product_id).where(Wish.learner_id == learner_id)))
    done: dict[int, str | None] = {}
    new: list[dict[str, Any]] = []
    for one, seen in prices.items():
        product = found.get(one)
        if product is None or not cart.is_shown(product, access):
            done[one] = "This is not in the shop. It may have been withdrawn."
        elif one not in there and len(there) + len(new) >= MOST_WISHES:
            done[one] = f"A wishlist holds {MOST_WISHES} things. Take something off it first."
        else:
            done[one] = None
            if one not in there:
                price = product.price(at) if seen is None else seen
                new.append({"learner_id": learner_id, "product_id": one, "seen_price": price, "added_at": at})
    upsert_ignoring(session, Wish, new)
    return done


def take_off(session: Session, learner_id: int, product_id: int) -> None:
    session.execute(delete(Wish).where(Wish.learner_id == learner_id, Wish.product_id == product_id))


def move(session: Session, learner_id: int, product_id: int, at: datetime) -> str | None:
    """To the cart, in one step. None, or why not; then it stays on the list."""
    refusal = cart.put(session, learner_id, product_id, at)
    if refusal is None:
        take_off(session, learner_id, product_id)
    return refusal


def merge(session: Session, learner_id: int, prices: Mapping[int, Decimal | None], at: datetime) -> None:
    """A guest's wishes join the learner's; what is there keeps the price it was wished for at."""
    _put_all(session, learner_id, prices, at)
