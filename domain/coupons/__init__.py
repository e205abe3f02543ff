"""Coupons: who may use which, and how often.

One validator (rules.RULES) for typed codes, codes of a link, the special offer and what an organisation agreed on.
Limits are kept by reserve -> take over -> commit, or release (holds.py).
"""

from domain.coupons.creating import LARGEST_BATCH, New, create, create_batch, set_state
from domain.coupons.holds import (
    HOLD,
    WHOLE_CART,
    Place,
    commit_order,
    free_expired,
    release,
    release_order,
    reserve,
    take_over,
)
from domain.coupons.listing import Listed, listed
from domain.coupons.records import Use, by_code, by_ids, folded, live_uses, special, uses_by
from domain.coupons.rules import UNUSABLE, Asking, refusal_of
from domain.coupons.terms import Terms

__all__ = [
    "HOLD",
    "LARGEST_BATCH",
    "UNUSABLE",
    "WHOLE_CART",
    "Asking",
    "Listed",
    "New",
    "Place",
    "Terms",
    "Use",
    "by_code",
    "by_ids",
    "commit_order",
    "create",
    "create_batch",
    "folded",
    "free_expired",
    "listed",
    "live_uses",
    "refusal_of",
    "release",
    "release_order",
    "reserve",
    "set_state",
    "special",
    "take_over",
    "uses_by",
]
