"""A day of sales as it is computed: sums by the values of each dimension that orders alone know."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from sqlalchemy.orm import Session

from domain.reports import sales_lines
from domain.reports.sales_lines import SaleLine
from domain.visits.days.channels import NONE
from domain.visits.raw.local_days import DayRules, DayWindow

DIMENSIONS = ("all", "kind", "product", "category", "line_code", "cart_code", "student")


class SaleKey(NamedTuple):
    dimension: str
    currency: str
    key: str


class SaleFigures(NamedTuple):
    """The columns of tables.SaleDay."""

    orders: int
    lines: int
    units: int
    gross_minor: int
    discount_minor: int
    tax_minor: int
    refunded_minor: int
    net_minor: int
    returned_minor: int


Row = tuple[SaleKey, SaleFigures]


@dataclass
class _Sums:
    lines: int = 0
    units: int = 0
    gross_minor: int = 0
    discount_minor: int = 0
    tax_minor: int = 0
    refunded_minor: int = 0
    net_minor: int = 0
    returned_minor: int = 0
    order_ids: set[int] = field(default_factory=set)

    def add(self, line: SaleLine) -> None:
        self.order_ids.add(line.order_id)
        self.lines += 1
        self.units += line.units
        self.gross_minor += line.gross_minor
        self.discount_minor += line.discount_minor
        self.tax_minor += line.tax_minor
        self.refunded_minor += line.refunded_net_minor
        self.net_minor += line.net_minor

    @property
    def figures(self) -> SaleFigures:
        return SaleFigures(len(self.order_ids), *(getattr(self, name) for name in SaleFigures._fields[1:]))


def compute(session: Session, day: date, rules: DayRules) -> tuple[Row, ...]:
    """The rows of a local day, by their keys. They depend on the orders, and on the category that each product has
    now, on no other day and not on when they are computed. In a session that reads one state."""
    return compute_window(session, rules.window(day))


def compute_window(session: Session, window: DayWindow) -> tuple[Row, ...]:
    """The rows of a day, or of a part of one: `orders` of two parts are not those of both."""
    sums: dict[SaleKey, _Sums] = defaultdict(_Sums)
    for line in sales_lines.lines(session, window.since, window.until):
        for key in keys_of(line):
            sums[key].add(line)
    for back in sales_lines.returns(session, window.since, window.until):
        for key in keys_of(back.line):
            sums[key].returned_minor += back.net_minor
    return tuple((key, sums[key].figures) for key in sorted(sums))


def keys_of(line: SaleLine) -> Iterator[SaleKey]:
    """One in each dimension, so that the amounts of each sum to those of the day. What is no product counts under its
    kind."""
    kind = f"({line.kind})"
    values = {
        "all": "",
        "kind": line.kind,
        "product": kind if line.product_id is None else str(line.product_id),
        "category": kind if line.category_id is None else str(line.category_id),
        "line_code": line.line_code or NONE,
        "cart_code": line.cart_code or NONE,
        "student": line.student_number,
    }
    return (SaleKey(dimension, line.currency, values[dimension]) for dimension in DIMENSIONS)
