"""Counts of every facet over a set of products from one statement: how many have each combination of values."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from domain import catalogue
from domain.catalogue import FACETS, ShopQuery
from domain.search.among import among, listed
from domain.tables import Category, Product

Counts = dict[str, dict[str, int]]


@dataclass(frozen=True)
class Cell:
    """Products alike in every facet; `values` in the order of FACETS."""

    values: tuple[str | None, ...]
    count: int


def cells(session: Session, ids: Iterable[int], at: datetime) -> list[Cell]:
    slugs: dict[Any, str] = dict(session.execute(select(Category.id, Category.slug)).tuples().all())
    found = session.execute(_combinations(), {"ids": listed(ids), "at": at})
    return [Cell((slugs[category], *values), count) for category, *values, count in found]


@lru_cache(1)
def _combinations() -> Select[Any]:
    names = [f"facet_{facet}" for facet in FACETS]
    values = [catalogue._facet_value(facet).label(name) for facet, name in zip(FACETS, names, strict=True)]
    query = select(*values, func.count()).where(Product.status == "published", among(Product.id))
    return query.group_by(*names)


def counted(found: Sequence[Cell], query: ShopQuery) -> tuple[int, Counts]:
    """Products that pass every filter, and for each facet how many each value would leave, given the other filters."""
    chosen = [frozenset(query.chosen(facet)) for facet in FACETS]
    total = 0
    counts: Counts = {facet: {} for facet in FACETS}
    for cell in found:
        missed = [at for at, value in enumerate(cell.values) if chosen[at] and value not in chosen[at]]
        if not missed:
            total += cell.count
        if len(missed) > 1:
            continue
        for at in missed or range(len(FACETS)):
            value = cell.values[at]
            if value is not None:
                of_facet = counts[FACETS[at]]
                of_facet[value] = of_facet.get(value, 0) + cell.count
    return total, counts
