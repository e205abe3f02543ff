"""The data of the product feed: what is sold to everybody, part by part, and which of it changed since when.

Most changes of a product leave no trace of their own (stock, the name of a category, a sale that begins by the clock),
so changes are noticed: whoever has made the lines of the feed compares their digests with those of the last time.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, delete, insert, select
from sqlalchemy.orm import Session

from domain.catalogue.listing import IS_LISTED
from domain.database.database import insert_ignoring
from domain.tables import Category, Course, FeedProduct, FeedState, Product, ShopItem

# Products of one read: few enough that other readers hardly wait.
PART = 250
# Products that one transaction notes.
MAX_CHANGES = 1_000
# How much earlier a time is read than it says: clocks differ, and a host may send a file that is a little older. What
# comes twice does no harm, unlike what never comes.
OVERLAP = timedelta(minutes=5)
_STATE = 1


class FeedRow(NamedTuple):
    """A published product with all that the feed says of it; columns of the other kind are None."""

    id: int
    kind: str
    slug: str
    name: str
    subtitle: str
    level: str | None
    language: str | None
    item_kind: str | None
    list_price: Decimal
    sale_price: Decimal | None
    sale_from: datetime | None
    sale_until: datetime | None
    image: str
    image_width: int
    image_height: int
    image_alt: str
    updated_at: datetime
    category_slug: str
    category_name: str
    course_text: str | None
    provider: str | None
    item_text: str | None
    sku: str | None
    stock: int | None
    images: Sequence[Mapping[str, object]] | None


_OF_OTHERS = {
    "course_text": Course.description,
    "provider": Course.provider,
    "item_text": ShopItem.description,
    "sku": ShopItem.sku,
    "stock": ShopItem.stock,
    "images": ShopItem.images,
}
_OF_CATEGORY = ("category_slug", "category_name")
_COLUMNS = [
    (_OF_OTHERS[name] if name in _OF_OTHERS else getattr(Product, name)).label(name)
    for name in FeedRow._fields
    if name not in _OF_CATEGORY
]


def rows(session: Session, after: int, limit: int = PART) -> list[FeedRow]:
    """The published products with an id above `after`, in the order of their ids."""
    # Categories are read by themselves: joined, MariaDB begins with them and sorts all products of each.
    names = {row.id: row for row in session.execute(select(Category.id, Category.slug, Category.name))}
    query = (
        select(*_COLUMNS, Product.category_id)
        .outerjoin(Course, Course.id == Product.id)
        .outerjoin(ShopItem, ShopItem.id == Product.id)
        .where(IS_LISTED, Product.id > after)
        .order_by(Product.id)
        .limit(limit)
    )
    return [_feed_row(row, names[row.category_id]) for row in session.execute(query)]


def _feed_row(row: Any, category: Any) -> FeedRow:
    values = row._asdict()
    del values["category_id"]
    return FeedRow(**values, category_slug=category.slug, category_name=category.name)


def number(session: Session) -> int:
    """That of the last change that was noticed; 0 before the first."""
    return session.scalar(select(FeedState.number).where(FeedState.id == _STATE)) or 0


def differences(session: Session, digests: Mapping[int, str], after: int, until: int | None) -> dict[int, str]:
    """Product id -> digest of its line, of the products with ids above `after` up to `until` (None: all of them) that
    are not as they were noticed last; "" for a removed one. `digests`: of those that are there now."""
    known = _digests(
        session, FeedProduct.product_id > after, *([] if until is None else [FeedProduct.product_id <= until])
    )
    changed = {id_: digest for id_, digest in digests.items() if known.get(id_) != digest}
    return changed | {id_: "" for id_, digest in known.items() if digest and id_ not in digests}


def _digests(session: Session, *conditions: ColumnElement[bool]) -> dict[int, str]:
    rows = session.execute(select(FeedProduct.product_id, FeedProduct.digest).where(*conditions))
    return {row.product_id: row.digest for row in rows}


def record(session: Session, changed: Mapping[int, str], version: int, as_of: datetime, at: datetime) -> int | None:
    """Note some of the `differences` of the catalogue of this version and time, read `as_of`; returns the number of the
    feed. None: another process has noted a newer catalogue."""
    insert_ignoring(session, FeedState, [{"id": _STATE, "number": 0, "version": 0, "as_of": as_of}])
    state = session.get_one(FeedState, _STATE, with_for_update=True, populate_existing=True)
    if (version, as_of) < (state.version, state.as_of):
        return None
    state.version, state.as_of = version, as_of
    noted = _digests(session, FeedProduct.product_id.in_(list(changed)))
    new = {id_: digest for id_, digest in changed.items() if noted.get(id_) != digest}
    if new:
        state.number += 1
        session.flush()
        facts = {"number": state.number, "changed_at": at}
        session.execute(delete(FeedProduct).where(FeedProduct.product_id.in_(list(new))))
        values = [{"product_id": id_, "digest": digest, **facts} for id_, digest in sorted(new.items())]
        session.execute(insert(FeedProduct), values)
    return state.number


def changed_after(session: Session, since: int | datetime, until: int) -> dict[int, datetime]:
    """Product id -> when it changed, of those that changed after the feed had this number, or since this time, and
    before it had a number above `until`."""
    begin: ColumnElement[bool] = (
        FeedProduct.changed_at >= since - OVERLAP if isinstance(since, datetime) else FeedProduct.number > since
    )
    query = select(FeedProduct.product_id, FeedProduct.changed_at).where(begin, FeedProduct.number <= until)
    return {row.product_id: row.changed_at for row in session.execute(query.order_by(FeedProduct.product_id))}
