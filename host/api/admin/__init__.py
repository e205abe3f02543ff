"""Calls of the area for staff: a file a noun. Each declares its permission."""

from host.api.admin import audit, coupons, imports, orders, staff

__all__ = ["audit", "coupons", "imports", "orders", "staff"]
