"""When a page changed in a way that crawlers can see: the only writer of `page_changes`, in the transaction of the
change.

A sale begins and ends by the clock, without anybody writing: whoever sets it also writes the times when it will, which
are taken back when the price or the state of the product changes again.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import delete, insert, update
from sqlalchemy.orm import Session

from domain.catalogue.listing import is_on_sale
from domain.tables import PageChange, Product

ChangeKind = Literal["publish", "change", "price", "move", "retire"]
PATH_LENGTH = 191
# Columns that no page shows, or that only say when and by whom something was written.
UNSEEN = frozenset(
    {
        *("source_id", "featured", "popularity", "version", "updated_at", "published_at", "retired_at"),
        *("lowest_before", "sale_from", "sale_until", "list_price", "sale_price", "status"),
    }
)
_PRICE = ("list_price", "sale_price", "sale_from", "sale_until")
Row = Mapping[str, Any]


@dataclass(frozen=True)
class ProductChanged:
    """Columns of a product before and after; `before` None: it is new."""

    product_id: int
    before: Row | None
    after: Row


def path_of_product(kind: str, product_id: int, slug: str) -> str:
    """As days of visits name the page."""
    path = f"/course-details?course={slug.casefold()}" if kind == "course" else f"/shop-details/{product_id}"
    return path[:PATH_LENGTH]


def columns_of(product: Product) -> dict[str, Any]:
    """What of a product decides about its changes, to compare it with later."""
    return {name: getattr(product, name) for name in ("kind", "slug", "status", *_PRICE)}


def note_products(session: Session, changes: Sequence[ProductChanged], at: datetime) -> None:
    """Note what a transaction has changed of products: one change of each page at most, of the kind that matters
    most."""
    rows, replanned = [], []
    for change in changes:
        kind = _kind_of(change, at)
        if kind is not None:
            rows.append(_row(change, kind, at))
        if _replans(change):
            replanned.append(change)
    _replace_planned(session, replanned, at)
    rows += [row for change in replanned for row in _planned(change, at)]
    if rows:
        session.execute(insert(PageChange), rows)


def note_product(session: Session, product: Product, before: Row, at: datetime) -> None:
    """Note a change of the price or the state of one product. `before`: its `columns_of`."""
    note_products(session, [ProductChanged(product.id, before, columns_of(product))], at)


def note_content(session: Session, product_ids: Collection[int], at: datetime) -> None:
    """Note that what the pages of these products say has changed, in whatever column or table. Not of drafts."""
    products = [session.get_one(Product, product_id) for product_id in sorted(product_ids)]
    rows = [_row_of(product, "change", at) for product in products if product.status in ("published", "retired")]
    if rows:
        session.execute(insert(PageChange), rows)


def note_move(session: Session, product: Product, at: datetime) -> None:
    """Note that the page of a product has another address from now on; what is planned moves with it. The pages of
    items are named by their number, so these only change."""
    if product.status not in ("published", "retired"):
        return
    row = _row_of(product, "move" if product.kind == "course" else "change", at)
    moved = update(PageChange).where(PageChange.product_id == product.id, PageChange.changed_at > at)
    session.execute(moved.values(path=row["path"]), execution_options=_UNSYNCHRONISED)
    session.execute(insert(PageChange), [row])


def note_page(session: Session, path: str, at: datetime) -> None:
    """Note that a page that is no product's has changed."""
    row = {"path": path[:PATH_LENGTH], "product_id": None, "kind": "change", "changed_at": at}
    session.execute(insert(PageChange), [row])


def _kind_of(change: ProductChanged, at: datetime) -> ChangeKind | None:
    """None: nobody can see a difference."""
    before, after = change.before, change.after
    was, status = None if before is None else before["status"], after["status"]
    if status == "published" and was != "published":
        return "publish"
    if was == "published" and status != "published":
        return "retire"
    if before is None or status not in ("published", "retired"):
        return None
    if status == "published" and _shown(before, at) != _shown(after, at):
        return "price"
    names = after.keys() - UNSEEN - {"id"}
    return "change" if any(before.get(name) != after[name] for name in names) else None


def _shown(row: Row, at: datetime) -> tuple[Any, Any]:
    """List and sale price as the page shows them."""
    is_reduced = is_on_sale(row["sale_price"], row["sale_from"], row["sale_until"], at)
    return row["list_price"], row["sale_price"] if is_reduced else None


def _replans(change: ProductChanged) -> bool:
    before, after = change.before, change.after
    if before is None:
        return after["sale_price"] is not None
    return any(before[name] != after[name] for name in (*_PRICE, "status"))


def _planned(change: ProductChanged, at: datetime) -> Iterator[dict[str, Any]]:
    """When the sale will begin and end."""
    after = change.after
    if after["status"] == "published" and after["sale_price"] is not None:
        for time in (after["sale_from"], after["sale_until"]):
            if time is not None and time > at:
                yield _row(change, "price", time)


def _replace_planned(session: Session, changes: Sequence[ProductChanged], at: datetime) -> None:
    known = [change.product_id for change in changes if change.before is not None]
    if known:
        planned = delete(PageChange).where(PageChange.product_id.in_(known), PageChange.changed_at > at)
        session.execute(planned, execution_options=_UNSYNCHRONISED)


def _row(change: ProductChanged, kind: ChangeKind, at: datetime) -> dict[str, Any]:
    after = change.after
    path = path_of_product(after["kind"], change.product_id, after["slug"])
    return {"path": path, "product_id": change.product_id, "kind": kind, "changed_at": at}


def _row_of(product: Product, kind: ChangeKind, at: datetime) -> dict[str, Any]:
    return _row(ProductChanged(product.id, None, columns_of(product)), kind, at)


_UNSYNCHRONISED: Mapping[str, Any] = {"synchronize_session": False}
