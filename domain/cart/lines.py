"""Adds, changes and removes the lines of a learner's cart. Repeating a call changes nothing.

Whoever writes a line has locked its learner before, so that lines need no lock of their own: to find them MariaDB would
read, and wait for, those of other learners where the table is small."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple, cast

from sqlalchemy import Table, bindparam, delete, func, select
from sqlalchemy.orm import Session

from domain.cart import promises
from domain.cart.owners import RequestedLine
from domain.cart.products import CartProduct, PurchaseContext, products, purchase_refusal
from domain.cart.versions import increase_version
from domain.database.database import insert_ignoring
from domain.database.prepared_change import ChangeByIds
from domain.database.prepared_select import SelectByIds
from domain.identity import learners
from domain.learning.grants import owned_ids
from domain.organisations.access import access_of
from domain.reservations import carts as reservation_carts
from domain.reservations import counters as reservation_counters
from domain.reservations.kinds import Resource
from domain.reservations.owners import CartOwner
from domain.tables import CartLine

MAX_LINES = 100
MAX_QUANTITY = 99


class LineInCart(NamedTuple):
    """What of a line tells the code that it has reserved."""

    id: int
    learner_id: int
    product_id: int
    coupon_id: int | None


_rows = CartLine.__table__.c
_IN_CART = SelectByIds(
    lambda ids: (
        select(*(_rows[name] for name in LineInCart._fields))
        .where(_rows.learner_id == bindparam("learner"), _rows.product_id.in_(ids), _rows.is_saved.is_(False))
        .order_by(_rows.id)
    ),
    LineInCart._make,
)
_DELETE = ChangeByIds(lambda ids: delete(cast("Table", CartLine.__table__)).where(_rows.id.in_(ids)))


def line_of(session: Session, learner_id: int, product_id: int) -> CartLine | None:
    """A line of a learner whose row is locked."""
    return session.scalar(select(CartLine).where(CartLine.learner_id == learner_id, CartLine.product_id == product_id))


@dataclass(frozen=True)
class AddResult:
    """The result for one product: `refusal` None when it is in the cart now; `was_in_cart`: it was before; `quantity`
    of the line, limited by the stock (`is_short`: to fewer than was wanted) and to 1 of what is bought once."""

    refusal: str | None
    was_in_cart: bool
    quantity: int
    name: str = ""
    is_short: bool = False


def add(session: Session, learner_id: int, product_id: int, at: datetime) -> str | None:
    """None when the product is in the cart now, else the refusal, a text for the learner; the cart then has no line of
    it. An existing line keeps its quantity; one saved for later moves back to the cart."""
    return add_all(session, learner_id, [RequestedLine(product_id)], at)[0].refusal


def add_all(session: Session, learner_id: int, lines: Sequence[RequestedLine], at: datetime) -> list[AddResult]:
    """Add several products, each once; an existing line gets the larger quantity, as far as the stock allows."""
    learners.lock_account_alone(session, learner_id)
    ids = [line.id for line in lines]
    is_requested = (CartLine.learner_id == learner_id, CartLine.product_id.in_(ids))
    present = {line.product_id: line for line in session.scalars(select(CartLine).where(*is_requested))}
    by_id, own = products(session, ids, learner_id), owned_ids(session, learner_id, ids, at)
    access, room = access_of(session, learner_id, at), MAX_LINES - count(session, learner_id)
    results: list[AddResult] = []
    new: list[dict[str, Any]] = []
    for line in lines:
        product, existing = by_id.get(line.id), present.get(line.id)
        wanted = line.quantity if existing is None else max(line.quantity, existing.quantity)
        if product is not None and product.is_bought_once:
            wanted = 1
        quantity = wanted if product is None or not product.stock else min(wanted, product.stock)
        has_room = existing is not None or len(new) < room
        is_gift = _is_gift(line, product, existing)
        is_owned = line.id in own and not is_gift
        refusal = purchase_refusal(PurchaseContext(product, access, is_owned, has_room, quantity))
        name = product.name if product else ""
        results.append(AddResult(refusal, existing is not None, quantity, name, quantity < wanted))
        if refusal is None and existing is not None:
            existing.is_saved, existing.quantity, existing.is_gift = False, quantity, is_gift
        elif refusal is None and product is not None:
            row = {"learner_id": learner_id, "product_id": line.id, "quantity": quantity, "coupon_id": None}
            seen = {"seen_price": product.price(at), "added_at": at}
            new.append({**row, **seen, "is_saved": False, "is_gift": is_gift})
    _delete_lines(
        session,
        [
            present[line.id]
            for line, result in zip(lines, results, strict=True)
            if result.refusal and result.was_in_cart
        ],
    )
    insert_ignoring(session, CartLine, new)
    # An unchanged cart may get a new version; a changed one must.
    increase_version(session, learner_id)
    return results


def _is_gift(line: RequestedLine, product: CartProduct | None, existing: CartLine | None) -> bool:
    """A gift stays one. Only what opens courses can be one: goods are sent to another delivery address."""
    is_marked = line.is_gift or (existing is not None and existing.is_gift)
    return is_marked and product is not None and product.is_bought_once


def count(session: Session, learner_id: int) -> int:
    query = select(func.count()).select_from(CartLine).where(CartLine.learner_id == learner_id)
    return session.scalar(query) or 0


def remove(session: Session, learner_id: int, product_id: int) -> None:
    """Remove a line, if it exists, and release its code. Raises NotFound for a deleted account."""
    learners.lock_account_alone(session, learner_id)
    line = line_of(session, learner_id, product_id)
    if line is None:
        return
    _delete_lines(session, [line])
    increase_version(session, learner_id)


def lines_in_cart(session: Session, learner_id: int, product_ids: Collection[int]) -> Sequence[LineInCart]:
    """The lines of these products that are not saved for later, of a learner whose row is locked."""
    return _IN_CART.all(session, product_ids, learner=learner_id)


def remove_bought(session: Session, learner_id: int, product_ids: Collection[int]) -> None:
    """Remove the lines of products that were bought, and release their codes."""
    lines = lines_in_cart(session, learner_id, product_ids)
    if lines:
        _release_codes(session, lines)
        _DELETE.run(session, [line.id for line in lines])
        increase_version(session, learner_id)


def _delete_lines(session: Session, lines: Sequence[CartLine]) -> None:
    _release_codes(session, lines)
    for line in lines:
        session.delete(line)
    session.flush()


def _release_codes(session: Session, lines: Sequence[CartLine] | Sequence[LineInCart]) -> None:
    reservation_counters.lock(
        session, [Resource("coupon", line.coupon_id) for line in lines if line.coupon_id is not None]
    )
    for line in lines:
        _release_code(session, line)


def _release_code(session: Session, line: CartLine | LineInCart) -> None:
    if line.coupon_id is not None:
        owner = CartOwner(line.learner_id, line.product_id)
        reservation_carts.release(session, Resource("coupon", line.coupon_id), owner)


@dataclass(frozen=True)
class Change:
    """A change of a line; None leaves a field unchanged. `is_saved`: for later."""

    quantity: int | None = None
    is_saved: bool | None = None


def change(session: Session, learner_id: int, product_id: int, wanted: Change, at: datetime) -> str | None:
    """Change a line's quantity, or save it for later and back. None, or the refusal; then nothing is changed. Raises
    NotFound for a deleted account."""
    learners.lock_account_alone(session, learner_id)
    line = line_of(session, learner_id, product_id)
    if line is None:
        return "This is not in your cart any more."
    quantity = line.quantity if wanted.quantity is None else wanted.quantity
    if wanted.quantity is not None or wanted.is_saved is False:
        product = products(session, [product_id], learner_id).get(product_id)
        refusal = purchase_refusal(PurchaseContext(product, access_of(session, learner_id, at), quantity=quantity))
        if refusal is not None:
            return refusal
    line.quantity = quantity
    if wanted.is_saved is not None:
        line.is_saved = wanted.is_saved
    if wanted.is_saved and line.coupon_id is not None:
        # A line saved for later does not keep a reserved use from others.
        _release_code(session, line)
        line.coupon_id = None
    session.flush()
    increase_version(session, learner_id)
    return None


def mark_prices_seen(session: Session, learner_id: int, prices: dict[int, Decimal], at: datetime) -> None:
    """Store the prices that the learner has seen; one that has changed again meanwhile is not stored. Raises
    NotFound for a deleted account."""
    learners.lock_account_alone(session, learner_id)
    current = products(session, list(prices))
    query = select(CartLine).where(CartLine.learner_id == learner_id, CartLine.product_id.in_(prices))
    for line in session.scalars(query):
        product = current.get(line.product_id)
        if product is None:
            continue
        price = promises.with_promise(product, promises.of_line(line), at).price(at)
        if price == prices[line.product_id]:
            line.seen_price = price


def clear(session: Session, learner_id: int) -> None:
    """Remove the lines of the cart and release their codes; what is saved for later stays. Raises NotFound for a
    deleted account."""
    learners.lock_account_alone(session, learner_id)
    is_in_cart = (CartLine.learner_id == learner_id, CartLine.is_saved.is_(False))
    lines = session.scalars(select(CartLine).where(*is_in_cart).order_by(CartLine.id)).all()
    if lines:
        _delete_lines(session, lines)
        increase_version(session, learner_id)
