"""The pages that search engines should know, as they are now: products on sale, and pages of their own."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from domain import money
from domain.catalogue.listing import PRICE, PRODUCTS
from domain.catalogue.search_snippets import fallback_title
from domain.crawlers.page_changes import path_of_product
from domain.route_rows import public_pages
from domain.tables import PageChange, SearchSnippet


class PageNow(NamedTuple):
    """`price_minor`: as the page says it, None of pages that are no product's. `published_at`: since when this address
    has shown it, None: not known. `own_title`: the stored title of a product's page."""

    path: str
    name: str
    price_minor: int | None
    published_at: datetime | None
    changed_at: datetime | None
    own_title: str | None = None

    @property
    def title(self) -> str | None:
        """The title without the shop's name, as the page says it; None of pages that are no product's."""
        if self.price_minor is None:
            return None
        return fallback_title(self.name) if self.own_title is None else self.own_title


# When a page was published, and when it last changed.
ChangeTimes = tuple[datetime | None, datetime | None]


class SeenChange(NamedTuple):
    at: datetime
    kind: str


_NOTHING: ChangeTimes = (None, None)
# Rows are columns of tables, as there is one for each page: those of mapped classes take longer to read.
_CHANGES: Any = PageChange.__table__.c
_SNIPPETS: Any = SearchSnippet.__table__.c


def pages_now(session: Session, at: datetime) -> list[PageNow]:
    times = _times(session, at)
    return [*_products(session, times, at), *_own_pages(times)]


def _times(session: Session, at: datetime) -> Mapping[str, ChangeTimes]:
    """The times of the changes of each path."""
    is_publication = _CHANGES.kind.in_(("publish", "move"))
    published_at = func.max(case((is_publication, _CHANGES.changed_at)))
    query = select(_CHANGES.path, published_at, func.max(_CHANGES.changed_at))
    rows = session.execute(query.where(_CHANGES.changed_at <= at, _CHANGES.kind != "retire").group_by(_CHANGES.path))
    return {path: (published, changed) for path, published, changed in rows.all()}


def _products(session: Session, times: Mapping[str, ChangeTimes], at: datetime) -> Iterator[PageNow]:
    columns = (*(PRODUCTS[name] for name in ("id", "kind", "slug", "name", "published_at")), PRICE, _SNIPPETS.title)
    query = select(*columns).outerjoin(SearchSnippet.__table__, _SNIPPETS.product_id == PRODUCTS.id)
    currency = money.shop_currency()
    found = session.execute(query.where(PRODUCTS.status == "published"), {"at": at}).all()
    for product_id, kind, slug, name, first_published_at, price, title in found:
        path = path_of_product(kind, product_id, slug)
        published_at, changed_at = times.get(path, _NOTHING)
        yield PageNow(
            path, name, money.to_minor(price, currency), published_at or first_published_at, changed_at, title
        )


def _own_pages(times: Mapping[str, ChangeTimes]) -> Iterator[PageNow]:
    for page in public_pages():
        if page.indexable and page.served and "{" not in page.path and page.id not in _OF_PRODUCTS:
            yield PageNow(page.path, page.title, None, *times.get(page.path, _NOTHING))


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
