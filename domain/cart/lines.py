"""A learner's lines on the server: put in, changed, taken out. Repeating any of it changes nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from domain import coupons
from domain.cart.owners import Wanted
from domain.cart.products import Buying, owned, products, why_not
from domain.coupons import Place
from domain.db import upsert_ignoring
from domain.organisations import access_of
from domain.tables import CartLine

MOST_LINES = 100
LARGEST_QUANTITY = 99


def line_of(session: Session, learner_id: int, product_id: int) -> CartLine | None:
    """Locked for the rest of the transaction: whoever changes a line's code locks the line first, then the coupons."""
    mine = (CartLine.learner_id == learner_id, CartLine.product_id == product_id)
    return session.scalar(select(CartLine).where(*mine).with_for_update())


@dataclass(frozen=True)
class Put:
    """What became of one product: `refusal` None when it stands in the cart now; `was_there`: it did before;
    `quantity`: how many of it could be had."""

    refusal: str | None
    was_there: bool
    quantity: int
    name: str = ""


def put(session: Session, learner_id: int, product_id: int, at: datetime) -> str | None:
    """None when the line stands in the cart now, else why not, in words for the learner; it is then not, or no more,
    in the cart. One that was there keeps its quantity; one saved for later comes back."""
    return put_all(session, learner_id, [Wanted(product_id)], at)[0].refusal


def put_all(session: Session, learner_id: int, lines: Sequence[Wanted], at: datetime) -> list[Put]:
    """The same for several, each once; of one that was there the larger quantity stands, as far as the stock goes."""
    ids = [line.id for line in lines]
    mine = (CartLine.learner_id == learner_id, CartLine.product_id.in_(ids))
    locked = session.scalars(select(CartLine).where(*mine).order_by(CartLine.id).with_for_update())
    present = {line.product_id: line for line in locked}
    found, theirs = products(session, ids), owned(session, learner_id, ids)
    access, room = access_of(session, learner_id, at), MOST_LINES - count(session, learner_id)
    done: list[Put] = []
    new: list[dict[str, Any]] = []
    for line in lines:
        product, there = found.get(line.id), present.get(line.id)
        wanted = line.quantity if there is None else max(line.quantity, there.quantity)
        quantity = wanted if product is None or not product.stock else min(wanted, product.stock)
        has_room = there is not None or len(new) < room
        refusal = why_not(Buying(product, access, line.id in theirs, has_room, quantity))
        done.append(Put(refusal, there is not None, quantity, product.name if product else ""))
        if refusal is None and there is not None:
            there.is_saved, there.quantity = False, quantity
        elif refusal is None and product is not None:
            row = {"learner_id": learner_id, "product_id": line.id, "quantity": quantity, "coupon_id": None}
            new.append({**row, "seen_price": product.price(at), "is_saved": False, "added_at": at})
    _drop_all(
        session, [present[line.id] for line, put in zip(lines, done, strict=True) if put.refusal and put.was_there]
    )
    upsert_ignoring(session, CartLine, new)
    return done


def count(session: Session, learner_id: int) -> int:
    mine = select(func.count()).select_from(CartLine).where(CartLine.learner_id == learner_id)
    return session.scalar(mine) or 0


def take_out(session: Session, learner_id: int, product_id: int) -> None:
    """The line goes and its code is given back; what is not there is not missed."""
    line = line_of(session, learner_id, product_id)
    _drop_all(session, [] if line is None else [line])


def _drop_all(session: Session, lines: Sequence[CartLine]) -> None:
    coupons.holds.lock(session, [line.coupon_id for line in lines if line.coupon_id is not None])
    for line in lines:
        if line.coupon_id is not None:
            coupons.release(session, line.coupon_id, Place(line.learner_id, line.product_id))
        session.delete(line)
    session.flush()


@dataclass(frozen=True)
class Change:
    """Of a line; None leaves it as it is. `is_saved`: for later."""

    quantity: int | None = None
    is_saved: bool | None = None


def change(session: Session, learner_id: int, product_id: int, asked: Change, at: datetime) -> str | None:
    """Another quantity, or saved for later and back. None, or why not; then nothing is changed."""
    line = line_of(session, learner_id, product_id)
    if line is None:
        return "This is not in your cart any more."
    quantity = line.quantity if asked.quantity is None else asked.quantity
    if asked.quantity is not None or asked.is_saved is False:
        product = products(session, [product_id]).get(product_id)
        refusal = why_not(Buying(product, access_of(session, learner_id, at), quantity=quantity))
        if refusal is not None:
            return refusal
    line.quantity = quantity
    if asked.is_saved is not None:
        line.is_saved = asked.is_saved
    if asked.is_saved and line.coupon_id is not None:
        # What is not about to be bought keeps no use from others.
        coupons.release(session, line.coupon_id, Place(learner_id, product_id))
        line.coupon_id = None
    session.flush()
    return None


def seen(session: Session, learner_id: int, prices: dict[int, Decimal], at: datetime) -> None:
    """The learner was told of these prices; one that has moved again meanwhile is told again."""
    current = products(session, list(prices))
    mine = select(CartLine).where(CartLine.learner_id == learner_id, CartLine.product_id.in_(prices))
    for line in session.scalars(mine.with_for_update()):
        product = current.get(line.product_id)
        if product is not None and product.price(at) == prices[line.product_id]:
            line.seen_price = prices[line.product_id]
