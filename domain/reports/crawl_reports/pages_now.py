"""The pages that search engines should know, as they are now: products on sale, and pages of their own."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from domain import money
from domain.catalogue.listing import price_now
from domain.catalogue.search_snippets import fallback_title
from domain.crawlers.page_changes import path_of_product
from domain.route_rows import public_pages
from domain.tables import PageChange, Product, SearchSnippet


class PageNow(NamedTuple):
    """`title` without the shop's name, `price_minor`: as the page says them; None of pages that are no product's.
    `published_at`: since when this address has shown it, None: not known."""

    path: str
    name: str
    title: str | None
    price_minor: int | None
    published_at: datetime | None
    changed_at: datetime | None


class ChangeTimes(NamedTuple):
    published_at: datetime | None
    changed_at: datetime | None


class SeenChange(NamedTuple):
    at: datetime
    kind: str


_NOTHING = ChangeTimes(None, None)


def pages_now(session: Session, at: datetime) -> list[PageNow]:
    times = _times(session, at)
    return [*_products(session, times, at), *_own_pages(times)]


def _times(session: Session, at: datetime) -> Mapping[str, ChangeTimes]:
    """When pages were published and last changed, by path."""
    is_publication = PageChange.kind.in_(("publish", "move"))
    published_at = func.max(case((is_publication, PageChange.changed_at)))
    query = select(PageChange.path, published_at, func.max(PageChange.changed_at))
    rows = session.execute(
        query.where(PageChange.changed_at <= at, PageChange.kind != "retire").group_by(PageChange.path)
    )
    return {path: ChangeTimes(published, changed) for path, published, changed in rows}


def _products(session: Session, times: Mapping[str, ChangeTimes], at: datetime) -> Iterator[PageNow]:
    columns = (Product.id, Product.kind, Product.slug, Product.name, Product.published_at)
    prices = (Product.list_price, Product.sale_price, Product.sale_from, Product.sale_until)
    query = select(*columns, *prices, SearchSnippet.title).outerjoin(
        SearchSnippet, SearchSnippet.product_id == Product.id
    )
    currency = money.shop_currency()
    for row in session.execute(query.where(Product.status == "published")):
        path = path_of_product(row.kind, row.id, row.slug)
        known = times.get(path, _NOTHING)
        title = fallback_title(row.name) if row.title is None else row.title
        price = money.to_minor(price_now(row, at), currency)
        yield PageNow(path, row.name, title, price, known.published_at or row.published_at, known.changed_at)


def _own_pages(times: Mapping[str, ChangeTimes]) -> Iterator[PageNow]:
    for page in public_pages():
        if page.indexable and page.served and "{" not in page.path and page.id not in _OF_PRODUCTS:
            yield PageNow(page.path, page.title, None, None, *times.get(page.path, _NOTHING))


_OF_PRODUCTS = frozenset({"course-details", "shop-details"})


def changes_since(session: Session, since: Mapping[str, datetime], at: datetime) -> dict[str, list[SeenChange]]:
    """The changes of each of these pages after its time, the oldest first."""
    found: dict[str, list[SeenChange]] = {path: [] for path in since}
    for paths in _chunks(sorted(since)):
        query = select(PageChange.path, PageChange.changed_at, PageChange.kind).order_by(PageChange.changed_at)
        is_seen = (PageChange.changed_at <= at, PageChange.kind != "retire")
        for path, time, kind in session.execute(query.where(PageChange.path.in_(paths), *is_seen)):
            if time > since[path]:
                found[path].append(SeenChange(time, kind))
    return found


def _chunks(values: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(values), 500):
        yield values[start : start + 500]
