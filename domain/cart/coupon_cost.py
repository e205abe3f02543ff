"""What a coupon can cost the shop at most, in one order and over all its uses, for staff.

Prices change, so that what follows from them is no upper limit.
"""

from dataclasses import dataclass
from decimal import Decimal

from domain.cart.lines import MAX_LINES, MAX_QUANTITY
from domain.display_text import count_text
from domain.pricing.amount_texts import amount_in_text
from domain.shop_settings.shop import ShopSettings

PERCENT = "a percentage grows with the prices of what is bought"
UNLIMITED = "it may be used any number of times"


@dataclass(frozen=True)
class CouponTerms:
    """What of a coupon decides its cost. `products`: how many it names; 0: all that `applies_to` names. A limit of
    None: no limit."""

    kind: str
    value: Decimal
    once_per_order: bool
    applies_to: str = "all"
    products: int = 0
    total_limit: int | None = None
    learner_limit: int | None = None


@dataclass(frozen=True)
class Most:
    """`amount` None: there is no upper limit, and `why` says why not; else `why` says what it is the sum of."""

    amount: Decimal | None
    why: str

    def text(self, shop: ShopSettings) -> str:
        """ "$500.00 (100 uses)", or "No upper limit (it may be used any number of times)"."""
        most = "No upper limit" if self.amount is None else amount_in_text(self.amount, shop)
        return f"{most} ({self.why})"


@dataclass(frozen=True)
class CouponCost:
    per_order: Most
    in_total: Most


def cost_at_most(terms: CouponTerms, codes: int = 1) -> CouponCost:
    """`codes`: how many coupons have these terms; `per_order` is of one of them."""
    if terms.kind == "percent":
        return CouponCost(Most(None, PERCENT), Most(None, PERCENT))
    per_use, of_use = _per_use(terms)
    if terms.total_limit is None:
        in_total = Most(None, UNLIMITED)
    else:
        uses = terms.total_limit * codes
        in_total = Most(per_use * uses, _count(uses, "use", "uses"))
    return CouponCost(_per_order(terms, per_use, of_use), in_total)


def cost_texts(terms: CouponTerms, shop: ShopSettings, codes: int = 1) -> dict[str, str]:
    """In what -> how much at most."""
    cost = cost_at_most(terms, codes)
    return {"In one order": cost.per_order.text(shop), "Over all uses": cost.in_total.text(shop)}


def _per_use(terms: CouponTerms) -> tuple[Decimal, str]:
    """What one use takes off, and of how much."""
    if terms.once_per_order:
        return terms.value, "once per order"
    # A course is bought once.
    pieces = 1 if terms.applies_to == "course" else MAX_QUANTITY
    return terms.value * pieces, _count(pieces, "piece of a line", "pieces of a line")


def _per_order(terms: CouponTerms, per_use: Decimal, of_use: str) -> Most:
    """Each line of an order is a use."""
    if terms.once_per_order:
        return Most(per_use, of_use)
    limits = (MAX_LINES, terms.products or MAX_LINES, terms.total_limit, terms.learner_limit)
    lines = min(limit for limit in limits if limit is not None)
    return Most(per_use * lines, f"{of_use}, on {_count(lines, 'line', 'lines')}")


def _count(number: int, one: str, many: str) -> str:
    return f"{count_text(number)} {one if number == 1 else many}"
