"""Coupons: who may use which, and how often.

One validator (rules.RULES) checks typed codes, codes of links, the special offer and terms of contracts. Limits hold
because uses are reserved for a cart line, claimed by an order and committed, or released (domain/reservations/).
"""

from domain.coupons.create import (
    MAX_BATCH,
    CouponDraft,
    create,
    create_batch,
    organisation_id_of,
    product_id_of,
)
from domain.coupons.listing import ListedCoupon, list_coupons
from domain.coupons.queries import Use, active_uses, by_code, by_ids, normalised, special_offer, uses_by
from domain.coupons.rules import UNUSABLE, CouponContext, first_refusal, no_longer_usable
from domain.coupons.terms import Terms

__all__ = [
    "MAX_BATCH",
    "UNUSABLE",
    "CouponContext",
    "CouponDraft",
    "ListedCoupon",
    "Terms",
    "Use",
    "active_uses",
    "by_code",
    "by_ids",
    "create",
    "create_batch",
    "first_refusal",
    "list_coupons",
    "no_longer_usable",
    "normalised",
    "organisation_id_of",
    "product_id_of",
    "special_offer",
    "uses_by",
]
