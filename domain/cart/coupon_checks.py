"""The functions behind the RPC calls about coupon codes: payload in, JSON out.

Host and worker run the same functions. Each may run twice: a host whose RPC call timed out runs it inline.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from contracts.payloads import ApplyToCart, ApplyToLine, DescribeCode
from contracts.tasks import Task
from domain.cart.codes import set_on_cart, set_on_line
from domain.cart.owners import Owner, RequestedLine
from domain.coupons import queries as coupon_queries
from domain.coupons import rules as coupon_rules
from domain.coupons.rules import UNUSABLE, CouponContext
from domain.money import to_text
from domain.organisations.access import access_of
from domain.pricing.rules import RefusalReason
from domain.shop_settings.shop import ShopSettings

Reply = dict[str, Any]
# The shop comes from the settings of the process, not with the call: host and workers have the same.
Handler = Callable[[Session, Any, ShopSettings], Reply]


def describe(session: Session, call: DescribeCode, shop: ShopSettings) -> Reply:
    """The terms of a code with money as text, or {reason, message} when this person may not use it."""
    now = datetime.fromisoformat(call.at)
    terms = coupon_queries.by_code(session, call.code, now)
    access = access_of(session, call.learner_id, now)
    reason = coupon_rules.first_refusal(terms, CouponContext(now, shop, organisations=access.organisations))
    if reason is not None or terms is None:
        return _refused(reason or UNUSABLE)
    offer = terms.offer
    value = f"{offer.value:.2f}" if offer.kind == "percent" else to_text(offer.value, shop.currency)
    minimum = to_text(offer.minimum, shop.currency)
    fields = {"kind": offer.kind, "value": value, "minimum": minimum, "covers": offer.applies_to}
    return {"reason": "", "message": "", **fields}


def apply_to_line(session: Session, call: ApplyToLine, shop: ShopSettings) -> Reply:
    """Set a line's code. {price, off, code} of one unit of the line, or {reason, message} of a refusal."""
    at = datetime.fromisoformat(call.at)
    result = set_on_line(session, call.learner_id, call.product_id, call.code, at, shop)
    if isinstance(result, RefusalReason):
        return _refused(result)
    off = None if result.unit_discount is None else to_text(result.unit_discount, shop.currency)
    price = None if result.price is None else to_text(result.price, shop.currency)
    return {"reason": "", "message": "", "price": price, "off": off, "code": result.code}


def apply_to_cart(session: Session, call: ApplyToCart, shop: ShopSettings) -> Reply:
    """Set or remove the cart's coupon. {reason, message}, both empty on success."""
    owner = Owner(call.owner.get("learner_id"), call.owner.get("guest"))
    lines = [RequestedLine(*line) for line in call.lines]
    reason = set_on_cart(session, owner, call.code, lines, datetime.fromisoformat(call.at), shop)
    return {"reason": "", "message": ""} if reason is None else _refused(reason)


def _refused(reason: RefusalReason) -> Reply:
    return {"reason": reason.code, "message": reason.message}


HANDLERS: dict[Task, Handler] = {
    Task.DESCRIBE_CODE: describe,
    Task.APPLY_TO_LINE: apply_to_line,
    Task.APPLY_TO_CART: apply_to_cart,
}
# These change nothing and need no write transaction.
READ_ONLY = {Task.DESCRIBE_CODE}
