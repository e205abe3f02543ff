"""Codes on lines and carts: checked by the one validator, held where they are scarce."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain import coupons
from domain.cart.guests import keep_coupon
from domain.cart.lines import line_of
from domain.cart.owners import Owner, Wanted
from domain.cart.products import is_shown, products
from domain.cart.views import Basis, Entry, View, of_guest, of_learner
from domain.cart.views import line_of as priced_line
from domain.catalogue import Narrowed
from domain.coupons import WHOLE_CART, Place, Terms, holds
from domain.organisations import access_of
from domain.pricing import Line
from domain.pricing.rules import Reason
from domain.tables import CartLine

NO_LINE = Reason("line", "This is not in your cart. Add it first, then use the code.")


@dataclass(frozen=True)
class LineCode:
    """A line after its code was set: `price` of one unit to pay, `off` what the code takes off it (None: nothing, or
    another price is lower), `code` as it is written ("" none)."""

    price: Decimal
    off: Decimal | None
    code: str


def set_on_line(session: Session, learner_id: int, product_id: int, code: str, at: datetime) -> LineCode | Reason:
    """Hold one use of a code for a learner's line and put it there; "" takes the line's code off.

    A refusal changes nothing. Repeating renews the hold, so that a call answered twice counts once.
    """
    line = line_of(session, learner_id, product_id)
    if line is None or line.is_saved:
        return NO_LINE
    terms = coupons.by_code(session, code, at) if code.strip() else None
    if code.strip():
        reason = _refusal(session, learner_id, product_id, terms, at)
        if reason is not None or terms is None:
            return reason or coupons.UNUSABLE
    place = Place(learner_id, product_id)
    holds.lock(session, [one for one in (line.coupon_id, terms.id if terms else None) if one is not None])
    if terms is not None and (reason := coupons.reserve(session, terms, place, at)) is not None:
        return reason
    if line.coupon_id is not None and (terms is None or line.coupon_id != terms.id):
        coupons.release(session, line.coupon_id, place)
    line.coupon_id = None if terms is None else terms.id
    session.flush()
    return _line_code(of_learner(session, learner_id, at), product_id)


def _line_code(view: View, product_id: int) -> LineCode | Reason:
    found = next((one for one in view.lines if one.product.id == product_id), None)
    if found is None:
        return NO_LINE
    return LineCode(found.priced.unit_price, found.priced.unit_off, found.code or "")


def _refusal(session: Session, learner_id: int, product_id: int, terms: Terms | None, at: datetime) -> Reason | None:
    """What the validator says to these terms on this line of the learner's cart, before anything is locked."""
    basis = _basis(session, Owner(learner_id), terms, at)
    lines = _lines_of(session, basis, learner_id)
    own = next((one for one in lines if one.id == product_id), None)
    if own is None:
        return NO_LINE
    return coupons.refusal_of(terms, replace(basis.asking(terms, product_id), lines=lines, line=own))


def _basis(session: Session, owner: Owner, terms: Terms | None, at: datetime) -> Basis:
    """What a code is checked against. A code that does not exist is asked about all the same: its answer is as long
    in coming as that of one that is over."""
    ids = [0 if terms is None or terms.id is None else terms.id]
    uses = coupons.uses_by(session, owner.learner_id, ids, at) if owner.learner_id is not None else []
    return Basis(at, owner, access_of(session, owner.learner_id, at), {}, uses)


def _lines_of(session: Session, basis: Basis, learner_id: int) -> list[Line]:
    """The lines that count towards a minimum, without their own codes."""
    columns = (CartLine.product_id, CartLine.quantity)
    mine = select(*columns).where(CartLine.learner_id == learner_id, CartLine.is_saved.is_(False))
    return _priced(session, basis, [Wanted(*row) for row in session.execute(mine)])


def _priced(session: Session, basis: Basis, lines: Sequence[Wanted]) -> list[Line]:
    found = products(session, [line.id for line in lines])
    shown = [line for line in lines if line.id in found and is_shown(found[line.id], basis.access)]
    return [priced_line(basis, Entry(found[line.id], line.quantity)) for line in shown]


def set_on_cart(session: Session, owner: Owner, code: str, lines: Sequence[Wanted], at: datetime) -> Reason | None:
    """Put a coupon on a whole cart (a guest's has `lines`), "" takes it off. None when done; a refusal changes nothing.

    Nothing is held: the order reserves it. Until then the limit only decides whether it may stand here.
    """
    if not code.strip():
        keep_coupon(session, owner, None, at)
        return None
    terms = coupons.by_code(session, code, at)
    basis, own = _basis(session, owner, terms, at), owner.learner_id
    shown = _priced(session, basis, lines) if own is None else _lines_of(session, basis, own)
    reason = coupons.refusal_of(terms, replace(basis.asking(terms, WHOLE_CART), lines=shown))
    if reason is None and terms is not None:
        keep_coupon(session, owner, terms.id, at)
    return reason


def view_of(
    session: Session, owner: Owner, lines: Sequence[Wanted], at: datetime, only: Narrowed | None = None
) -> View:
    """The cart of whoever it is: a learner's lines are the server's, a guest's the browser's."""
    if owner.learner_id is not None:
        return of_learner(session, owner.learner_id, at)
    return of_guest(session, owner, lines, at, only)
