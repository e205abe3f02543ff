"""Calls of the area for staff: a file a noun. Each declares its permission."""

from host.api.admin import (
    audit,
    coupon_lab,
    coupons,
    courses,
    dead_letters,
    images,
    imports,
    mail,
    messages,
    orders,
    prices,
    reviews,
    staff,
)
from host.api.admin.catalogue import bulk, categories, closures, content, items, lessons, outlines, retirement
from host.api.admin.organisations import contracts
from host.api.admin.organisations import decisions as organisation_decisions
from host.api.admin.people import coupon_alarms, coupon_batches, learners, picking, refunds

__all__ = [
    "audit",
    "bulk",
    "categories",
    "closures",
    "content",
    "contracts",
    "coupon_alarms",
    "coupon_batches",
    "coupon_lab",
    "coupons",
    "courses",
    "dead_letters",
    "images",
    "imports",
    "items",
    "learners",
    "lessons",
    "mail",
    "messages",
    "orders",
    "organisation_decisions",
    "outlines",
    "picking",
    "prices",
    "refunds",
    "retirement",
    "reviews",
    "staff",
]
