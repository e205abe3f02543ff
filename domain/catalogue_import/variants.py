"""Rows of shop exports that are no products of their own: variations, and further pictures of the product above."""

from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

from domain.catalogue_import.parse import BadRecord, Row
from domain.catalogue_import.report import BadRow
from domain.catalogue_import.values import RowValues
from domain.catalogue_import.words import FORMS


def form_of(values: RowValues) -> str:
    """simple, variable, variation, grouped or external, as a shop's export says; simple when it says nothing."""
    for field in ("form", "item_kind"):
        for word in values.text(field).casefold().split(","):
            if found := FORMS.get(word.strip()):
                return found
    return "simple"


class VariantRows:
    """Tells the rows that belong to a product of another row."""

    def __init__(self) -> None:
        self._handle, self._line = "", 0

    def reason(self, row: Row) -> str:
        """Why the row is no product of its own; "" when it is one."""
        values = row.values
        parent = _text(values.get("parent"))
        if parent and parent != "0":
            return f"a variation of {parent[:40]}"
        if (
            _text(values.get("form")).casefold() in _VARIATIONS
            or _text(values.get("item_kind")).casefold() in _VARIATIONS
        ):
            return "a variation of another product"
        handle = _text(values.get("slug"))
        if handle and not _text(values.get("name")) and "name" in values and handle == self._handle:
            is_variant = any(_text(values.get(field)) for field in ("list_price", "sku"))
            return f"{'a variant' if is_variant else 'another picture'} of {handle[:40]}, line {self._line}"
        if handle:
            self._handle, self._line = handle, row.line
        return ""


class LowestPrices:
    """The lowest price of the variations of each product, by the id or stock number that they name. Read from the whole
    file, for products whose row has none."""

    def __init__(self, rows: Iterable[Row | BadRecord], read: Any):
        self._prices: dict[str, Decimal] = {}
        for parent, price in _priced(rows, read):
            self._prices[parent] = min(price, self._prices.get(parent, price))

    def of(self, row: Row) -> Decimal | None:
        keys = (_text(row.values.get(field)) for field in ("sku", "source_id"))
        return min((self._prices[key] for key in keys if key in self._prices), default=None)


def _priced(rows: Iterable[Row | BadRecord], read: Any) -> Iterator[tuple[str, Decimal]]:
    for row in rows:
        if isinstance(row, BadRecord) or not (parent := _text(row.values.get("parent"))):
            continue
        try:
            price = read(row)
        except BadRow:
            continue
        if price is not None:
            yield parent.removeprefix("id:"), price


_VARIATIONS = frozenset(word for word, form in FORMS.items() if form == "variation")


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else "" if value is None else str(value)
