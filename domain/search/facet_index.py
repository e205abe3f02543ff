"""Which facet values each product has, remembered for one state of the catalogue.

To look up five thousand products and group them costs the records many times what the rest of a search does, and every
search with a frequent word asks for the same ones. So what was learnt is kept in this process until the catalogue's
version moves, or a sale begins or ends: four bytes for each product, and one entry for each combination of values.
"""

from array import array
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Pool, Select, String, bindparam, case, func, select
from sqlalchemy.orm import Session

from domain import catalogue
from domain.catalogue import FACETS
from domain.search.among import among, listed
from domain.tables import Product
from domain.tables.base import UTCTime

# The value of each facet in their order; the category's is its id.
Values = tuple[Any, ...]
# Requests are answered side by side: one may be of a moment before what another has just learnt.
ASIDE = timedelta(seconds=1)
# Products with ids beyond are not remembered; 16 MiB hold the others.
MOST_IDS = 4_000_000
_ROOM = 1_024


@dataclass(eq=False)
class Cells:
    """`of[product]` is the number of its cell, `values[number]` what that cell has; 0 stands for what is not learnt.

    Right for one version, and until the next sale begins or ends.
    """

    version: int
    at: datetime
    until: datetime | None = None
    of: "array[int] | defaultdict[int, int]" = field(default_factory=lambda: array("I"))
    values: list[Values] = field(default_factory=lambda: [()])
    _numbers: dict[Values, int] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def holds(self, version: int, at: datetime) -> bool:
        is_now = self.at - ASIDE <= at and (self.until is None or at < self.until)
        return self.version == version and is_now

    def make_room(self, largest: int) -> None:
        with self._lock:
            if isinstance(self.of, array) and largest >= len(self.of):
                self.of.extend([0] * (largest + _ROOM - len(self.of)))

    def add(self, values: Values, products: Sequence[int]) -> None:
        with self._lock:
            number = self._numbers.setdefault(values, len(self.values))
            if number == len(self.values):
                self.values.append(values)
        for product in products:
            self.of[product] = number

    def passing(self, chosen: Sequence[frozenset[Any]]) -> set[int]:
        """Numbers of the cells that have one of the chosen values of every facet for which some are chosen."""
        filters = [(at, values) for at, values in enumerate(chosen) if values]
        return {
            number
            for number, cell in enumerate(self.values)
            if number and all(cell[at] in values for at, values in filters)
        }


# One for each database, by its pool: engines of SQLAlchemy come and go with their options.
_kept: WeakKeyDictionary[Pool, Cells] = WeakKeyDictionary()


def cells_of(session: Session, products: Sequence[int], at: datetime) -> Cells:
    """Cells that know all of these products, save those that are no longer there."""
    largest = max(products, default=0)
    cells = _kept_cells(session, at) if largest < MOST_IDS else Cells(0, at, of=defaultdict(int))
    cells.make_room(largest)
    number_of = cells.of
    missing = [product for product in products if not number_of[product]]
    if missing:
        _learn(session, cells, missing, at)
    return cells


def _kept_cells(session: Session, at: datetime) -> Cells:
    pool, version = session.get_bind().engine.pool, catalogue.version(session)
    cells = _kept.get(pool)
    if cells is None or not cells.holds(version, at):
        cells = _kept[pool] = Cells(version, at)
    return cells


def _learn(session: Session, cells: Cells, products: Sequence[int], at: datetime) -> None:
    moments: list[datetime] = []
    for row in session.execute(_combinations(), {"ids": listed(products), "at": at}):
        cells.add(tuple(row[: len(FACETS)]), [int(one) for one in row.products.split(",")])
        moments += [moment for moment in (row.begins, row.ends) if moment is not None]
    cells.at = max(cells.at, at)
    cells.until = min((moment for moment in (cells.until, *moments) if moment is not None), default=None)


@lru_cache(1)
def _combinations() -> Select[Any]:
    """Products by their values, and when the next sale among them begins or ends.

    Nothing here asks for published products: only they are in the index, and SQLite would take that question for a
    reason to walk through all of them instead of looking up the few.
    """
    names = [f"facet_{facet}" for facet in FACETS]
    values = [catalogue.facet_value(facet).label(name) for facet, name in zip(FACETS, names, strict=True)]
    at = bindparam("at", type_=UTCTime())
    begins = func.min(case((Product.sale_from > at, Product.sale_from))).label("begins")
    ends = func.min(case((Product.sale_until > at, Product.sale_until))).label("ends")
    products = func.group_concat(Product.id, type_=String).label("products")
    return select(*values, products, begins, ends).where(among(Product.id)).group_by(*names)
