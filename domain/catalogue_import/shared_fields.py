"""What courses and items have in common as rows of a file."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from urllib.parse import unquote, urlsplit

from domain.imports.fields import Values
from domain.imports.findings import BadRow
from domain.publishing import ProductRecord, slugs

STATUSES = {word: word for word in ("draft", "scheduled", "published", "retired")}


@dataclass(frozen=True)
class Entry:
    """A good row. `category_name` is what a missing category will be called; `doubt` is said though the row is kept."""

    record: ProductRecord
    category_name: str
    doubt: str = ""


def shared(values: Values) -> tuple[dict[str, Any], str]:
    """The fields both kinds of record have, and the name of the category."""
    name = values.needed("name")
    category, category_name = _shelf(values)
    source_id, slug = _address(values, name)
    price = _needed_price(values)
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


def _address(values: Values, name: str) -> tuple[str | None, str]:
    """The source's id, when the file has such a column, and the slug: from its own column, else from the name."""
    source_id = values.needed("source_id", slugs.LONGEST) if values.has("source_id") else None
    given = values.text("slug", 2048)
    if "/" in given:
        given = unquote(urlsplit(given).path.rstrip("/").rpartition("/")[2])
    slug = slugs.made_from(given or name, source_id)
    if not slug:
        raise BadRow(f"no address can be made from the name {name[:40]!r}")
    return source_id, slug


def _shelf(values: Values) -> tuple[str, str]:
    """Slug and name of the category."""
    name = values.needed("category")
    slug = slugs.made_from(name)
    if not slug:
        raise BadRow(f"no address can be made from the category {name[:40]!r}")
    return slug, name


def _needed_price(values: Values) -> Decimal:
    """What a file calls not paid costs nothing, whatever stands beside it."""
    if values.flag("is_paid") is False:
        return Decimal(0)
    price = values.price("list_price")
    if price is None:
        raise BadRow("has no price")
    return price


def kept(values: Values, never_said: frozenset[str], sometimes_said: Iterable[str]) -> frozenset[str]:
    """Columns the file says nothing about: what people changed in them since stays."""
    return never_said.union(name for name in sometimes_said if not values.has(name))


def _sale_below(values: Values, price: Decimal) -> Decimal | None:
    """The sale price; one that equals the price is none."""
    sale = values.price("sale_price")
    if sale is not None and sale > price:
        raise BadRow(f"the sale price {sale} is above the price {price}")
    return None if sale == price else sale


def doubt_about(values: Values) -> str:
    """A quotation mark in the wrong place makes one row of two, and nothing but the line end in the name shows it."""
    return "the name goes over several lines: perhaps two rows that ran together" if values.is_folded("name") else ""
