"""The validator: a table of rules. Each returns None, or the reason why not and what to do about it.

Refusals that would tell a guesser that a code exists (expired, paused, used up, of another organisation) have the text
of an unknown code. Refusals that only a rightful user can get say what to do.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from domain.coupons.terms import Terms
from domain.pricing import rules as pricing_rules
from domain.pricing.offers import Line
from domain.pricing.rules import RefusalReason
from domain.shop_settings.shop import ShopSettings
from domain.text_direction import isolated

UNUSABLE = RefusalReason(
    "unusable", "This code cannot be used. Check its spelling, or ask whoever gave it to you for a new one."
)


def no_longer_usable(name: str) -> RefusalReason:
    """The refusal of a code that was accepted before: its owner knows that it exists, and reads which one it is."""
    text = f"The code {isolated(name)} can no longer be used. Remove it, or use another one."
    return RefusalReason(UNUSABLE.code, text)


@dataclass(frozen=True)
class CouponContext:
    """What a code is checked against. `line` None: for the whole cart. `lines` None: without a cart.

    `learner_uses`: the learner's uses on other lines; `has_reservation`: this use is reserved already. `is_elsewhere`:
    the code is on another line of the cart, or, for a line, on the whole cart.
    """

    at: datetime
    shop: ShopSettings
    lines: Sequence[Line] | None = None
    line: Line | None = None
    organisations: frozenset[int] = frozenset()
    learner_uses: int = 0
    has_reservation: bool = False
    is_elsewhere: bool = False


Rule = Callable[[Terms, CouponContext], RefusalReason | None]


def is_active(terms: Terms, _context: CouponContext) -> RefusalReason | None:
    return None if terms.state == "active" else UNUSABLE


def is_running(terms: Terms, context: CouponContext) -> RefusalReason | None:
    has_begun = terms.starts_at is None or terms.starts_at <= context.at
    is_over = terms.ends_at is not None and terms.ends_at <= context.at
    return None if has_begun and not is_over else UNUSABLE


def is_allowed_for(terms: Terms, context: CouponContext) -> RefusalReason | None:
    return None if terms.organisation_id in (None, *context.organisations) else UNUSABLE


def has_uses_left(terms: Terms, context: CouponContext) -> RefusalReason | None:
    if context.has_reservation or terms.total_limit is None or terms.uses < terms.total_limit:
        return None
    return UNUSABLE


def has_uses_left_for_learner(terms: Terms, context: CouponContext) -> RefusalReason | None:
    if context.has_reservation or terms.learner_limit is None or context.learner_uses < terms.learner_limit:
        return None
    return learner_limit_reached(terms.name, terms.learner_limit)


def learner_limit_reached(name: str, limit: int | None) -> RefusalReason:
    times = "once" if limit == 1 else f"{limit} times"
    text = f"You can use {isolated(name)} {times}, and you have. Remove it from another line to use it here."
    return RefusalReason("learner-limit", text)


def is_nowhere_else(terms: Terms, context: CouponContext) -> RefusalReason | None:
    """An amount that counts once per order is on one line, or on the whole cart. The engine checks it again."""
    if not (terms.offer.once_per_order and context.is_elsewhere):
        return None
    name = isolated(terms.name)
    text = f"{name} counts once per order, and your cart has it already. Remove it there to use it here."
    return RefusalReason("once", text)


def suits_cart(terms: Terms, context: CouponContext) -> RefusalReason | None:
    """Applies the rules that the pricing engine applies to every quote: covered products and minimum."""
    if context.lines is None:
        return None
    return pricing_rules.first_refusal(terms.offer, context.line, context.lines, context.shop)


RULES: tuple[Rule, ...] = (
    is_active,
    is_running,
    is_allowed_for,
    has_uses_left,
    has_uses_left_for_learner,
    is_nowhere_else,
    suits_cart,
)


def first_refusal(terms: Terms | None, context: CouponContext) -> RefusalReason | None:
    """The refusal of the first rule that refuses, None if none does. `terms` None: the code is unknown."""
    if terms is None:
        return UNUSABLE
    return next((reason for rule in RULES if (reason := rule(terms, context)) is not None), None)
