"""The fields that rows of courses and of items share."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from decimal import Decimal
from functools import lru_cache
from typing import Any

from domain.catalogue_import.columns import FIELDS, REQUIRED
from domain.catalogue_import.identity import RowIdentity, identity
from domain.catalogue_import.presets import Kind
from domain.catalogue_import.report import BadRow
from domain.catalogue_import.values import RowValues
from domain.publishing import slugs
from domain.publishing.records import ProductRecord

# Read from every row, whatever columns the file has.
ALWAYS_READ = (*REQUIRED, "source_id", "slug", "published_at")


@dataclass(frozen=True)
class ImportedRow:
    """A good row. `category_name`: of a category to create; `doubt`: a warning about a row that is imported;
    `is_titled`: nothing but its title tells it from other rows."""

    record: ProductRecord
    category_name: str
    doubt: str = ""
    is_titled: bool = False


@dataclass(frozen=True)
class SharedFields:
    fields: dict[str, Any]
    category_name: str
    identity: RowIdentity

    def imported(self, record: ProductRecord, values: RowValues) -> ImportedRow:
        return ImportedRow(record, self.category_name, doubt(values), self.identity.is_titled)


def shared_fields(values: RowValues, *, may_lack_price: bool = False, provider: str = "") -> SharedFields:
    """The fields both kinds of record have. `may_lack_price`: a product whose variations have the prices; its own is 0
    then."""
    name = values.required("name")
    category, category_name = _category(values)
    product = identity(values, name, provider)
    price, sale_price = _prices(values, may_lack_price=may_lack_price)
    fields = {
        "source_id": product.source_id,
        "finds_by_slug": product.source_id is not None and not product.is_own,
        "slug": product.slug,
        "name": name,
        "category": category,
        "list_price": price,
        "sale_price": sale_price,
        "published_at": values.maybe(values.time, "published_at"),
    }
    return SharedFields(fields, category_name, product)


def _category(values: RowValues) -> tuple[str, str]:
    """Slug and name of the category."""
    name = values.category()
    slug = _category_slug(name)
    if not slug:
        raise BadRow(f"no slug can be derived from the category {name[:40]!r}")
    return slug, name


@lru_cache(1024)
def _category_slug(name: str) -> str:
    return slugs.slug_from(name)


def _prices(values: RowValues, *, may_lack_price: bool) -> tuple[Decimal, Decimal | None]:
    """List price and sale price. A row that is marked as not paid is free, whatever its price column says."""
    if values.has("is_paid") and values.maybe(values.flag, "is_paid") is False:
        return Decimal(0), None
    _refuse_other_currency(values)
    price = values.price("list_price")
    if price is None:
        if not may_lack_price:
            raise BadRow("has no price")
        values.doubts.append("has no price of its own, so a draft at 0")
        return Decimal(0), None
    before = values.maybe(values.price, "compare_at_price")
    if before is not None and before > price:
        return before, price
    return price, _sale_below(values, price)


def _refuse_other_currency(values: RowValues) -> None:
    """A price of another currency would be charged in this one. A constant of the import is in the shop's."""
    if not values.has("currency"):
        return
    code = values.text("currency").upper()
    if code and code != values.currency_code and values.is_from_file("list_price"):
        raise BadRow(
            f"{values.column('currency')}: its price is in {code[:10]}, and this shop's in {values.currency_code}"
        )


def optional_fields(kind: Kind, record: type[ProductRecord], always: Iterable[str]) -> frozenset[str]:
    """The fields of a record that a file may have a column for, without those that are read from every row."""
    return frozenset({row.name for row in fields(record)} & FIELDS[kind].keys()) - frozenset(always)


def preserved_fields(values: RowValues, absent: frozenset[str], optional: Iterable[str]) -> frozenset[str]:
    """Columns that the file does not contain, or values that could not be read: what is stored stays."""
    return absent.union(name for name in optional if not values.has(name))


def _sale_below(values: RowValues, price: Decimal) -> Decimal | None:
    """The sale price; None when it equals the price."""
    sale = values.maybe(values.price, "sale_price")
    if sale is not None and sale > price:
        raise BadRow(f"the sale price {sale} is above the price {price}")
    return None if sale == price else sale


def doubt(values: RowValues) -> str:
    """A misplaced quotation mark joins two rows into one, and only a line break in the name reveals it."""
    joined = ["the name spans several lines: perhaps two rows were joined"] if values.has_line_break("name") else []
    return "; ".join([*joined, *values.doubts])
