"""Questions about codes, as they travel to a worker and back: JSON in, JSON out.

Host and worker call the same functions. Each may be asked twice: whoever gave up waiting for a
worker asks again in place.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from domain import coupons
from domain.cart.codes import set_on_cart, set_on_line
from domain.cart.owners import Owner, Wanted
from domain.coupons import Asking
from domain.organisations import access_of
from domain.pricing.rules import Reason

Answer = dict[str, Any]
Question = Callable[..., Answer]


def describe(session: Session, code: str, learner_id: int | None, at: str) -> Answer:
    """What a code is worth, if this person may use it at all: {reason, message} or the offer's terms, money as text."""
    now = datetime.fromisoformat(at)
    terms = coupons.by_code(session, code, now)
    access = access_of(session, learner_id, now)
    reason = coupons.refusal_of(terms, Asking(now, organisations=access.organisations))
    if reason is not None or terms is None:
        return _refused(reason or coupons.UNUSABLE)
    offer = terms.offer
    facts = {"kind": offer.kind, "value": str(offer.value), "minimum": str(offer.minimum), "covers": offer.covers}
    return {"reason": "", "message": "", **facts}


def code_on_line(session: Session, learner_id: int, product_id: int, code: str, at: str) -> Answer:
    """{reason, message}, or what a unit of the line costs now: {price, off, code}."""
    made = set_on_line(session, learner_id, product_id, code, datetime.fromisoformat(at))
    if isinstance(made, Reason):
        return _refused(made)
    off = None if made.off is None else str(made.off)
    return {"reason": "", "message": "", "price": str(made.price), "off": off, "code": made.code}


def code_on_cart(session: Session, owner: dict[str, Any], code: str, lines: list[list[int]], at: str) -> Answer:
    """{reason, message}; both empty when the coupon is on the cart, or off it."""
    wanted = [Wanted(*line) for line in lines]
    reason = set_on_cart(session, Owner(**owner), code, wanted, datetime.fromisoformat(at))
    return {"reason": "", "message": ""} if reason is None else _refused(reason)


def _refused(reason: Reason) -> Answer:
    return {"reason": reason.code, "message": reason.message}


QUESTIONS: dict[str, Question] = {
    "coupons.describe": describe,
    "coupons.code_on_line": code_on_line,
    "coupons.code_on_cart": code_on_cart,
}
# They change nothing: asked in place, they need no lock.
READING = {"coupons.describe"}
