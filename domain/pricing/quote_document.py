"""A quote as one JSON document, inputs and output: what an order stores. quote_reader.py reads it.

Amounts and percentages are decimal text in major units, times ISO 8601. Fields of the dataclasses keep their names, so
that a field which is added later is missing in older documents and gets its default.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from domain.money import Currency
from domain.pricing.inputs import QuoteInputs
from domain.pricing.quote import Quote

# Raised when the form of the document changes, not when fields are added.
FORMAT = 1


def to_json(inputs: QuoteInputs, quote: Quote) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "engine": quote.engine_version,
        "inputs": _plain(inputs),
        "output": _plain(quote),
    }


def _plain(value: Any) -> Any:
    for kind, write in _WRITERS:
        if isinstance(value, kind):
            return write(value)
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    return value


_WRITERS: tuple[tuple[type, Callable[[Any], Any]], ...] = (
    (Decimal, lambda amount: f"{amount:f}"),
    (datetime, datetime.isoformat),
    (Currency, lambda currency: currency.code),
    (Mapping, lambda mapping: {key: _plain(value) for key, value in mapping.items()}),
    (frozenset, sorted),
    (tuple, lambda items: [_plain(item) for item in items]),
)
