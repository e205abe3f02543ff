"""Coupons: who may use which, and how often.

One validator (rules.RULES) checks typed codes, codes of links, the special offer and terms of contracts. Limits hold
because uses are reserved, transferred to an order and committed, or released (reservations.py).
"""

from domain.coupons.create import MAX_BATCH, CouponDraft, create, create_batch, set_state
from domain.coupons.listing import ListedCoupon, list_coupons
from domain.coupons.queries import Use, active_uses, by_code, by_ids, normalised, special_offer, uses_by
from domain.coupons.reservations import (
    RESERVATION_TTL,
    WHOLE_CART,
    ReservationSlot,
    commit_order,
    release,
    release_expired,
    release_order,
    reserve,
    transfer_to_order,
)
from domain.coupons.rules import UNUSABLE, CouponContext, first_refusal
from domain.coupons.terms import Terms

__all__ = [
    "MAX_BATCH",
    "RESERVATION_TTL",
    "UNUSABLE",
    "WHOLE_CART",
    "CouponContext",
    "CouponDraft",
    "ListedCoupon",
    "ReservationSlot",
    "Terms",
    "Use",
    "active_uses",
    "by_code",
    "by_ids",
    "commit_order",
    "create",
    "create_batch",
    "first_refusal",
    "list_coupons",
    "normalised",
    "release",
    "release_expired",
    "release_order",
    "reserve",
    "set_state",
    "special_offer",
    "transfer_to_order",
    "uses_by",
]
