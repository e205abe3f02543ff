"""Puts coupon codes on lines and carts, after the checks of domain.coupons.rules; a use for a line is reserved."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.cart.cart_coupon import coupon_of, set_cart_coupon
from domain.cart.lines import line_of
from domain.cart.open_order import covers_line
from domain.cart.owners import Owner, RequestedLine
from domain.cart.products import is_available, products
from domain.cart.versions import increase_version
from domain.cart.views import CartEntry, PricedCart, PricingContext, guest_cart, learner_cart
from domain.cart.views import line_of as priced_line
from domain.catalogue.scope import CatalogueScope
from domain.coupons import queries as coupon_queries
from domain.coupons import rules as coupon_rules
from domain.coupons.rules import UNUSABLE
from domain.coupons.terms import Terms
from domain.identity import learners
from domain.organisations.access import access_of
from domain.pricing.offers import Line
from domain.pricing.rules import RefusalReason
from domain.reservations import carts as reservation_carts
from domain.reservations import counters as reservation_counters
from domain.reservations.kinds import Resource
from domain.reservations.owners import CartOwner
from domain.shop_settings.shop import ShopSettings
from domain.tables import CartLine

NO_LINE = RefusalReason("line", "This is not in your cart. Add it first, then use the code.")


@dataclass(frozen=True)
class LineCode:
    """A line after its code was set: `price` of one unit (None: it has no code, and costs its list price),
    `unit_discount` by the code (None: no reduction of one unit, or another price is lower), `code` as displayed (""
    for none)."""

    price: Decimal | None
    unit_discount: Decimal | None
    code: str


def set_on_line(
    session: Session, learner_id: int, product_id: int, code: str, at: datetime, shop: ShopSettings
) -> LineCode | RefusalReason:
    """Reserve one use of a code for a learner's line and set it as the line's code; "" removes the line's code.

    A refusal changes nothing. A repeated call renews the reservation and counts once. A use that the learner's open
    order has, and that no other line needs, is enough: it is free again when the next order is placed.
    """
    learners.lock_account_alone(session, learner_id)
    line = line_of(session, learner_id, product_id)
    if line is None or line.is_saved:
        return NO_LINE
    terms = coupon_queries.by_code(session, code, at) if code.strip() else None
    if code.strip():
        reason = _refusal(session, learner_id, product_id, terms, at, shop)
        if reason is not None or terms is None:
            return reason or UNUSABLE
    owner = CartOwner(learner_id, product_id)
    former, new = _coupon(line.coupon_id), _coupon(None if terms is None else terms.id)
    reservation_counters.lock(session, [resource for resource in (former, new) if resource is not None])
    if new is not None and (reason := _reserve(session, owner, new, at)) is not None:
        return reason
    if former is not None and former != new:
        reservation_carts.release(session, former, owner)
    line.coupon_id = None if new is None else new.id
    session.flush()
    increase_version(session, learner_id)
    return _line_code(learner_cart(session, learner_id, at, shop), product_id)


def _coupon(coupon_id: int | None) -> Resource | None:
    return None if coupon_id is None else Resource("coupon", coupon_id)


def _reserve(session: Session, owner: CartOwner, coupon: Resource, at: datetime) -> RefusalReason | None:
    return (
        None if covers_line(session, owner, coupon.id, at) else reservation_carts.reserve(session, coupon, owner, 1, at)
    )


def _line_code(priced: PricedCart, product_id: int) -> LineCode | RefusalReason:
    item = next((item for item in priced.lines if item.product.id == product_id), None)
    if item is None:
        return NO_LINE
    unit_price, list_price = item.priced.unit_price, item.product.card.list_price
    is_reduced = bool(item.code) or unit_price != list_price
    return LineCode(unit_price if is_reduced else None, item.priced.unit_discount, item.code or "")


def _refusal(
    session: Session, learner_id: int, product_id: int, terms: Terms | None, at: datetime, shop: ShopSettings
) -> RefusalReason | None:
    """Check terms for a line of the learner's cart. Runs before anything is locked."""
    context = _pricing_context(session, Owner(learner_id), terms, at, shop)
    lines = _pricing_lines(session, context, learner_id)
    line = next((line for line in lines if line.id == product_id), None)
    if line is None:
        return NO_LINE
    is_elsewhere = _is_elsewhere(session, learner_id, product_id, terms, at)
    of_line = replace(context.coupon_context(terms, product_id), lines=lines, line=line, is_elsewhere=is_elsewhere)
    return coupon_rules.first_refusal(terms, of_line)


def _is_elsewhere(session: Session, learner_id: int, product_id: int | None, terms: Terms | None, at: datetime) -> bool:
    """Whether another line has the coupon, or for a line (`product_id` is not None) the whole cart has it."""
    coupon_id = 0 if terms is None or terms.id is None else terms.id
    of_lines = select(CartLine.product_id).where(
        CartLine.learner_id == learner_id, CartLine.coupon_id == coupon_id, CartLine.is_saved.is_(False)
    )
    on_cart = coupon_of(session, Owner(learner_id), at) == coupon_id
    return any(other != product_id for other in session.scalars(of_lines)) or (product_id is not None and on_cart)


def _pricing_context(
    session: Session, owner: Owner, terms: Terms | None, at: datetime, shop: ShopSettings
) -> PricingContext:
    """What a code is checked against. The same queries run for an unknown code: the time taken does not show whether a
    code exists."""
    ids = [0 if terms is None or terms.id is None else terms.id]
    uses = coupon_queries.uses_by(session, owner.learner_id, ids, at) if owner.learner_id is not None else []
    return PricingContext(at, shop, owner, access_of(session, owner.learner_id, at), {}, uses)


def _pricing_lines(session: Session, context: PricingContext, learner_id: int) -> list[Line]:
    """The lines that count towards a minimum, without their own codes."""
    columns = (CartLine.product_id, CartLine.quantity)
    query = select(*columns).where(CartLine.learner_id == learner_id, CartLine.is_saved.is_(False))
    return _lines_of_requests(session, context, [RequestedLine(*row) for row in session.execute(query)])


def _lines_of_requests(session: Session, context: PricingContext, lines: Sequence[RequestedLine]) -> list[Line]:
    by_id = products(session, [line.id for line in lines])
    available = [line for line in lines if line.id in by_id and is_available(by_id[line.id], context.access)]
    return [priced_line(context, CartEntry(by_id[line.id], line.quantity)) for line in available]


def set_on_cart(
    session: Session, owner: Owner, code: str, lines: Sequence[RequestedLine], at: datetime, shop: ShopSettings
) -> RefusalReason | None:
    """Put a coupon on a whole cart (`lines`: of a guest's cart); "" removes it. A refusal changes nothing.

    No use is reserved before the order; until then the limit is only checked.
    """
    if owner.learner_id is not None:
        learners.lock_account_alone(session, owner.learner_id)
    if not code.strip():
        set_cart_coupon(session, owner, None, at, shop.cookie_minutes)
        return None
    terms = coupon_queries.by_code(session, code, at)
    context, learner_id = _pricing_context(session, owner, terms, at, shop), owner.learner_id
    cart_lines = (
        _lines_of_requests(session, context, lines)
        if learner_id is None
        else _pricing_lines(session, context, learner_id)
    )
    is_elsewhere = learner_id is not None and _is_elsewhere(session, learner_id, None, terms, at)
    of_cart = replace(context.coupon_context(terms, None), lines=cart_lines, is_elsewhere=is_elsewhere)
    reason = coupon_rules.first_refusal(terms, of_cart)
    if reason is None and terms is not None:
        set_cart_coupon(session, owner, terms.id, at, shop.cookie_minutes)
    return reason


def priced_cart(
    session: Session,
    owner: Owner,
    lines: Sequence[RequestedLine],
    at: datetime,
    shop: ShopSettings,
    scope: CatalogueScope | None = None,
) -> PricedCart:
    """The owner's cart. A learner's lines are stored here; a guest's are the browser's `lines`."""
    if owner.learner_id is not None:
        return learner_cart(session, owner.learner_id, at, shop)
    return guest_cart(session, owner, lines, at, shop, scope)
