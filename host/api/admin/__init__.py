"""Calls of the area for staff: a file a noun. Each declares its permission."""

from host.api.admin import audit, coupons, images, imports, orders, staff

__all__ = ["audit", "coupons", "images", "imports", "orders", "staff"]
