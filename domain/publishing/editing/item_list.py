"""All shop items as a list for staff."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, select

from domain.database.list_page import ListSource
from domain.publishing.editing.course_list import DRAFTS, IS_DRAFT, draft_columns, in_category, missing_of
from domain.publishing.product_changes import ITEMS, PRODUCTS
from domain.tables import Category

_products = PRODUCTS.c
# By another name than filters use.
_categories = Category.__table__.alias("own_categories")
_RULE_COLUMNS = (
    *("kind", "name", "subtitle", "image", "image_width", "image_height", "category_id"),
    *("list_price", "sale_price"),
)


class ItemRow(NamedTuple):
    """`stock` None: as many as people want. `missing`: what a draft or scheduled item lacks for its page."""

    id: int
    name: str
    slug: str
    status: str
    item_kind: str
    category: str
    sku: str
    stock: int | None
    updated_at: datetime
    missing: tuple[str, ...]


def _make(cells: Iterable[Any]) -> ItemRow:
    item_id, name, slug, status, kind, category, sku, stock, updated_at, *facts = cells
    missing = missing_of(_RULE_COLUMNS, facts) if facts[0] else ()
    return ItemRow(item_id, name, slug, status, kind or "", category, sku, stock, updated_at, missing)


def _named(text: str) -> ColumnElement[bool]:
    is_named = _products.name.icontains(text, autoescape=True)
    return is_named | (ITEMS.c.sku == text)


ITEM_LIST: ListSource[ItemRow] = ListSource(
    rows=select(
        *(_products.id, _products.name, _products.slug, _products.status, _products.item_kind, _categories.c.name),
        *(ITEMS.c.sku, ITEMS.c.stock, _products.updated_at),
        *draft_columns(_RULE_COLUMNS, ITEMS.c.description),
    )
    .join_from(PRODUCTS, ITEMS, _products.id == ITEMS.c.id)
    .outerjoin(_categories, _categories.c.id == _products.category_id)
    .outerjoin(DRAFTS, IS_DRAFT)
    .where(_products.kind == "item"),
    counted=select(_products.id).join_from(PRODUCTS, ITEMS, _products.id == ITEMS.c.id).where(_products.kind == "item"),
    make=_make,
    key=_products.id,
    filters={
        "q": _named,
        "status": _products.status.__eq__,
        "kind": _products.item_kind.__eq__,
        "category": in_category,
    },
)
