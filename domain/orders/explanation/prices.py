"""Prices: the stored quote against the engine of its version, and the columns of order and lines against both."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from domain import money
from domain.orders.explanation.fields import FieldDifference, columns_of, compare, compare_value
from domain.orders.explanation.order_rows import OrderRows
from domain.pricing import quote_reader
from domain.pricing.order_columns import line_columns, order_columns
from domain.pricing.quote import Quote
from domain.tables import Order


def price_differences(rows: OrderRows, quote: Quote) -> Iterator[FieldDifference]:
    """`quote`: as it is computed again."""
    yield from _quote_differences(rows.order, quote)
    yield from compare("order", columns_of(rows.order), order_columns(quote))
    yield from compare_value("number of lines", len(rows.lines), len(quote.lines))
    currency = money.currency(quote.currency)
    for line, priced in zip(rows.lines, quote.lines, strict=False):
        # The engine prices seats as any other line.
        kind = {"kind": line.kind} if line.kind == "seats" else {}
        yield from compare(f"line {line.number}", columns_of(line), line_columns(priced, currency) | kind)
        if line.product_id is not None:
            yield from compare_value(f"line {line.number}, product_id", line.product_id, priced.id)
    yield from _sum_differences(rows)


def _quote_differences(order: Order, quote: Quote) -> Iterator[FieldDifference]:
    """Steps, refused and rejected offers too."""
    _inputs, stored = quote_reader.from_json(order.quote)
    yield from compare("quote", *(asdict(each, dict_factory=_without_messages) for each in (stored, quote)))


def _without_messages(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    """Messages repeat amounts that are compared beside them, and a later release of Babel may write them otherwise."""
    return {name: value for name, value in fields if name != "message"}


def _sum_differences(rows: OrderRows) -> Iterator[FieldDifference]:
    order, lines = rows.order, rows.lines
    yield from compare_value("order, total of its lines", order.total_minor, sum(line.total_minor for line in lines))
    yield from compare_value("order, tax of its lines", order.tax_minor, sum(line.tax_minor for line in lines))
    for line in lines:
        yield from compare_value(f"line {line.number}, net and tax", line.total_minor, line.net_minor + line.tax_minor)
