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

__all__ = [
    "audit",
    "coupon_lab",
    "coupons",
    "courses",
    "dead_letters",
    "images",
    "imports",
    "mail",
    "messages",
    "orders",
    "prices",
    "reviews",
    "staff",
]
