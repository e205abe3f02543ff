"""What led to a learner's orders, for the file of all data on one person (domain/account/export.py)."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Select, select

from domain.reports import sales_lines
from domain.tables import OrderPathTouchpoint

_NAMES = ("channel", "source", "campaign", "coupon", "special", "student", "partner")


def _touchpoints(learner_id: int) -> Select[*tuple[Any, ...]]:
    about = [getattr(OrderPathTouchpoint, name) for name in _NAMES]
    at = (OrderPathTouchpoint.position, OrderPathTouchpoint.visited_at.label("at"))
    query = select(sales_lines.ORDER_CODE.label("order"), *at, *about)
    own = sales_lines.of_buyer(query, OrderPathTouchpoint.order_id, learner_id)
    return own.order_by(OrderPathTouchpoint.order_id, OrderPathTouchpoint.position)


EXPORTED: Mapping[str, Any] = {"orderTouchpoints": _touchpoints}
