"""Caches in this process which facet values each product has.

Looking up and grouping 5,000 products costs the database many times the rest of a search, and every search with a
frequent word needs the same ones. The cache is valid until the catalogue's version changes, or a sale begins or ends.
It takes four bytes per product, and one entry (a cell) per combination of values.
"""

from array import array
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Pool, Select, String, bindparam, case, func, select
from sqlalchemy.orm import Session

from domain.catalogue import facet_cells
from domain.catalogue import listing as catalogue_listing
from domain.catalogue.facet_cells import Values
from domain.catalogue.listing import FACETS
from domain.search.id_sets import id_in, id_list
from domain.tables import Product
from domain.tables.base import UTCTime

# Requests run concurrently: one may have a slightly earlier time than the one that filled the cache.
_CLOCK_TOLERANCE = timedelta(seconds=1)
# Products with larger ids are not cached; the others take at most 16 MiB.
MAX_IDS = 4_000_000
_GROWTH = 1_024


@dataclass(eq=False)
class FacetIndex:
    """`cell_of[product]` is the number of the product's cell, 0 if it is not cached; `values[number]` are its values.

    Valid for one version of the catalogue and one scale of the price bands, until the next sale begins or ends.
    """

    version: int
    at: datetime
    price_scale: int = 1
    # The slug of each category, by its id.
    slugs: Mapping[int, str] = field(default_factory=dict)
    until: datetime | None = None
    cell_of: "array[int] | defaultdict[int, int]" = field(default_factory=lambda: array("I"))
    values: list[Values] = field(default_factory=lambda: [()])
    _numbers: dict[Values, int] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def is_current(self, version: int, price_scale: int, at: datetime) -> bool:
        is_in_time = self.at - _CLOCK_TOLERANCE <= at and (self.until is None or at < self.until)
        return (self.version, self.price_scale) == (version, price_scale) and is_in_time

    def grow(self, largest: int) -> None:
        """Make room for product ids up to `largest`."""
        with self._lock:
            if isinstance(self.cell_of, array) and largest >= len(self.cell_of):
                self.cell_of.extend([0] * (largest + _GROWTH - len(self.cell_of)))

    def add(self, values: Values, products: Sequence[int]) -> None:
        with self._lock:
            number = self._numbers.setdefault(values, len(self.values))
            if number == len(self.values):
                self.values.append(values)
        for product in products:
            self.cell_of[product] = number

    def matching(self, chosen: Sequence[frozenset[Any]]) -> set[int]:
        """Numbers of the cells with one of the chosen values of every facet that has chosen values."""
        filters = [(at, values) for at, values in enumerate(chosen) if values]
        return {
            number
            for number, cell in enumerate(self.values)
            if number and all(cell[at] in values for at, values in filters)
        }


# One per database, by its connection pool: SQLAlchemy makes a new engine object for each set of options.
_cached: WeakKeyDictionary[Pool, FacetIndex] = WeakKeyDictionary()


def facet_index_of(session: Session, products: Sequence[int], price_scale: int, at: datetime) -> FacetIndex:
    """An index with all of these products, except deleted ones; `price_scale` as in ShopQuery."""
    largest = max(products, default=0)
    if largest < MAX_IDS:
        index = _current_index(session, price_scale, at)
    else:
        index = FacetIndex(0, at, price_scale, facet_cells.category_slugs(session), cell_of=defaultdict(int))
    index.grow(largest)
    cell_of = index.cell_of.__getitem__
    if not all(map(cell_of, products)):
        _load(session, index, [product for product in products if not cell_of(product)], at)
    return index


def _current_index(session: Session, price_scale: int, at: datetime) -> FacetIndex:
    pool, version = session.get_bind().engine.pool, catalogue_listing.version(session)
    index = _cached.get(pool)
    if index is None or not index.is_current(version, price_scale, at):
        index = _cached[pool] = FacetIndex(version, at, price_scale, facet_cells.category_slugs(session))
    return index


def _load(session: Session, index: FacetIndex, products: Sequence[int], at: datetime) -> None:
    moments: list[datetime] = []
    for row in session.execute(_combinations(index.price_scale), {"ids": id_list(products), "at": at}):
        index.add(tuple(row[: len(FACETS)]), [int(product) for product in row.products.split(",")])
        moments += [moment for moment in (row.begins, row.ends) if moment is not None]
    index.at = max(index.at, at)
    index.until = min((moment for moment in (index.until, *moments) if moment is not None), default=None)


@lru_cache(1)
def _combinations(price_scale: int) -> Select[Any]:
    """Products by their facet values, and when the next sale among them begins or ends.

    Without a condition on the status: only published products are in the search index, and with it SQLite would scan
    all products instead of looking up these.
    """
    names = [f"facet_{facet}" for facet in FACETS]
    values = [
        catalogue_listing.facet_value(facet, price_scale).label(name) for facet, name in zip(FACETS, names, strict=True)
    ]
    at = bindparam("at", type_=UTCTime())
    begins = func.min(case((Product.sale_from > at, Product.sale_from))).label("begins")
    ends = func.min(case((Product.sale_until > at, Product.sale_until))).label("ends")
    products = func.group_concat(Product.id, type_=String).label("products")
    return select(*values, products, begins, ends).where(id_in(Product.id)).group_by(*names)
