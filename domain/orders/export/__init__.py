"""Exports for bookkeeping: document lines, payments by day, tax by place and rate; and whether documents and money
agree."""

from domain.orders.export.agreement import Agreement
from domain.orders.export.export import KINDS, Kind, export
from domain.orders.export.period import Period

__all__ = ["KINDS", "Agreement", "Kind", "Period", "export"]
