"""The fields that rows of courses and of items share."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from urllib.parse import unquote, urlsplit

from domain.catalogue_import.report import BadRow
from domain.catalogue_import.values import RowValues
from domain.publishing import ProductRecord, slugs

STATUSES = {word: word for word in ("draft", "scheduled", "published", "retired")}


@dataclass(frozen=True)
class ImportedRow:
    """A good row. `category_name`: of a category to create; `doubt`: a warning about a row that is imported."""

    record: ProductRecord
    category_name: str
    doubt: str = ""


def shared_fields(values: RowValues) -> tuple[dict[str, Any], str]:
    """The fields both kinds of record have, and the name of the category."""
    name = values.required("name")
    category, category_name = _category(values)
    source_id, slug = _address(values, name)
    price = _required_price(values)
    fields = {
        "source_id": source_id,
        "slug": slug,
        "name": name,
        "category": category,
        "list_price": price,
        "sale_price": _sale_below(values, price),
        "published_at": values.time("published_at"),
    }
    return fields, category_name


def _address(values: RowValues, name: str) -> tuple[str | None, str]:
    """The source's id, if the file has the column, and the slug: from its own column, else from the name."""
    source_id = values.required("source_id", slugs.MAX_LENGTH) if values.has("source_id") else None
    text = values.text("slug", 2048)
    if "/" in text:
        text = unquote(urlsplit(text).path.rstrip("/").rpartition("/")[2])
    slug = slugs.slug_from(text or name, source_id)
    if not slug:
        raise BadRow(f"no slug can be derived from the name {name[:40]!r}")
    return source_id, slug


def _category(values: RowValues) -> tuple[str, str]:
    """Slug and name of the category."""
    name = values.required("category")
    slug = slugs.slug_from(name)
    if not slug:
        raise BadRow(f"no slug can be derived from the category {name[:40]!r}")
    return slug, name


def _required_price(values: RowValues) -> Decimal:
    """The list price. A row that is marked as not paid is free, whatever its price column says."""
    if values.flag("is_paid") is False:
        return Decimal(0)
    price = values.price("list_price")
    if price is None:
        raise BadRow("has no price")
    return price


def preserved_fields(values: RowValues, absent: frozenset[str], optional: Iterable[str]) -> frozenset[str]:
    """Columns that the file does not contain: their stored values stay."""
    return absent.union(name for name in optional if not values.has(name))


def _sale_below(values: RowValues, price: Decimal) -> Decimal | None:
    """The sale price; None when it equals the price."""
    sale = values.price("sale_price")
    if sale is not None and sale > price:
        raise BadRow(f"the sale price {sale} is above the price {price}")
    return None if sale == price else sale


def doubt(values: RowValues) -> str:
    """A misplaced quotation mark joins two rows into one, and only a line break in the name reveals it."""
    return "the name spans several lines: perhaps two rows were joined" if values.has_line_break("name") else ""
