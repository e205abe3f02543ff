"""Everything that is checked about one order."""

from dataclasses import dataclass
from itertools import chain

from sqlalchemy.orm import Session

from domain.orders import events
from domain.orders.explanation.documents import document_differences
from domain.orders.explanation.fields import FieldDifference, compare_value
from domain.orders.explanation.order_rows import OrderRows, rows_of
from domain.orders.explanation.prices import price_differences
from domain.orders.explanation.refunds import refund_differences
from domain.orders.explanation.used_rates import UsedRates, used_rates
from domain.pricing import engine_versions
from domain.pricing.quote import Quote


@dataclass(frozen=True)
class Explanation:
    """`quote`: the prices as the engine of the order computes them now. `differences`: () when everything agrees.
    `rates`: those of tax that it was charged."""

    rows: OrderRows
    quote: Quote
    differences: tuple[FieldDifference, ...]
    rates: tuple[UsedRates, ...]


def explain(session: Session, code: str) -> Explanation:
    """Compute an order again and compare. Raises NotFound, and UnknownEngine for an order of a newer build."""
    rows = rows_of(session, code)
    quote = engine_versions.replay(rows.order.quote)
    found = chain(
        price_differences(rows, quote),
        document_differences(session, rows),
        refund_differences(session, rows),
        compare_value("timeline, first wrong event", events.first_wrong(rows.order, rows.events), None),
    )
    return Explanation(rows, quote, tuple(found), tuple(used_rates(session, rows.order, quote)))
