"""The lowest price of the 30 days before a product's sale, which the Union wants beside a reduction.

It changes only when the product's prices do, so that the functions that change them store it in
`products.lowest_before`, where every page reads it with the price.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import groupby
from typing import Any, Protocol

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from domain.tables import PriceChange, Product

# The lowest price that a reduction is compared with (Directive 98/6/EC, article 6a).
LOWEST_OF = timedelta(days=30)


class Entry(Protocol):
    """One price from `starts_at` on, until the next; `ends_at`: of its sale."""

    @property
    def starts_at(self) -> datetime: ...
    @property
    def ends_at(self) -> datetime | None: ...
    @property
    def list_price(self) -> Decimal: ...
    @property
    def sale_price(self) -> Decimal | None: ...


def lowest_price(entries: Sequence[Entry], since: datetime, until: datetime, otherwise: Decimal) -> Decimal:
    """The lowest price from `since` until just before `until`; `entries` in the order in which they begin.
    `otherwise`: the price when none of them was in force then."""
    lowest: list[Decimal] = []
    for place, entry in enumerate(entries):
        ends = entries[place + 1].starts_at if place + 1 < len(entries) else until
        begins, ends = max(entry.starts_at, since), min(ends, until)
        if begins >= ends:
            continue
        # A sale is the lowest price of its entry, and the entry begins with it.
        is_reduced = entry.sale_price is not None and (entry.ends_at is None or begins < entry.ends_at)
        lowest.append(entry.sale_price if is_reduced and entry.sale_price is not None else entry.list_price)
    return min(lowest, default=otherwise)


def before_sale(product: Any, entries: Sequence[Entry]) -> Decimal | None:
    """The lowest price of the 30 days before the sale in the product, which runs or is to come; None without a sale.

    `product` has the columns of prices and `published_at`: what a draft cost was asked of nobody. A product that has
    been on sale from the start has its list price as the price before.
    """
    if product.sale_price is None:
        return None
    begins, published = _sale_begins(product, entries), product.published_at
    if begins is None or published is None or published >= begins:
        return Decimal(product.list_price)
    return lowest_price(entries, max(begins - LOWEST_OF, published), begins, product.list_price)


def _sale_begins(product: Any, entries: Sequence[Entry]) -> datetime | None:
    """Without a time of its own, a sale begins with the first entry of those that end the list with its price."""
    begins: datetime | None = product.sale_from
    if begins is not None:
        return begins
    for entry in reversed(entries):
        is_before = begins is None or entry.ends_at is None or entry.ends_at >= begins
        if entry.sale_price != product.sale_price or not is_before:
            break
        begins = entry.starts_at
    return begins


def read(session: Session, product_ids: Iterable[int]) -> Mapping[int, Decimal | None]:
    """`before_sale` of these products as they are stored."""
    columns = (Product.id, Product.list_price, Product.sale_price, Product.sale_from, Product.published_at)
    products = session.execute(select(*columns).where(Product.id.in_(product_ids))).all()
    reduced = [product.id for product in products if product.sale_price is not None]
    entries = _entries(session, reduced) if reduced else {}
    return {product.id: before_sale(product, entries.get(product.id, ())) for product in products}


def recent(session: Session, product_ids: Sequence[int], at: datetime) -> Mapping[int, Decimal | None]:
    """What each of these products cost at least in the 30 days before `at`; None where nobody was asked to pay."""
    columns = (Product.id, Product.list_price, Product.sale_price, Product.sale_from, Product.sale_until)
    products = session.execute(select(*columns, Product.published_at).where(Product.id.in_(product_ids))).all()
    entries = _entries(session, product_ids)
    return {product.id: _recent(product, entries.get(product.id, ()), at) for product in products}


def _recent(product: Any, entries: Sequence[Entry], at: datetime) -> Decimal | None:
    published = product.published_at
    if published is None or published >= at:
        return None
    since = max(at - LOWEST_OF, published)
    if entries:
        return lowest_price(entries, since, at, product.list_price)
    # Its price never changed, but a sale of it may have begun.
    sale_price, begins, ends = product.sale_price, product.sale_from or since, product.sale_until or at
    return Decimal(sale_price if sale_price is not None and begins < at and ends > since else product.list_price)


def _entries(session: Session, product_ids: Sequence[int]) -> Mapping[int, Sequence[Any]]:
    """The prices that are, or will be, in the product; a planned one replaces the sale when its time comes."""
    columns = (PriceChange.starts_at, PriceChange.ends_at, PriceChange.list_price, PriceChange.sale_price)
    query = select(PriceChange.product_id, *columns).where(
        PriceChange.product_id.in_(product_ids), PriceChange.applied_at.is_not(None)
    )
    rows = session.execute(query.order_by(PriceChange.product_id, PriceChange.starts_at, PriceChange.id))
    return {product_id: list(group) for product_id, group in groupby(rows, key=lambda row: row.product_id)}


def store(session: Session, product_ids: Sequence[int]) -> None:
    """Compute and store the lowest price of these products, with three statements; objects in the session keep
    theirs."""
    if product_ids:
        lowest = read(session, product_ids)
        session.execute(update(Product), [{"id": key, "lowest_before": price} for key, price in lowest.items()])
