"""Counts of every facet over a set of products from one statement: how many have each combination of values.

Nothing here asks for published products: only they are in the index, and SQLite would take that question for a reason
to walk through all of them instead of looking up the few.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, func, select
from sqlalchemy.orm import Session

from domain import catalogue
from domain.catalogue import FACETS, ShopQuery
from domain.search.among import among, listed
from domain.tables import Category, Product

Counts = dict[str, dict[str, int]]
# A value of each facet, the category's being its id, and how many products have them all.
Cell = Row[Any]


def tally(session: Session, ids: Iterable[int], query: ShopQuery, at: datetime) -> tuple[int, Counts]:
    """Products that pass every filter, and for each facet how many each value would leave, given the other filters."""
    connection = session.connection()
    slugs: dict[Any, str] = dict(connection.execute(select(Category.id, Category.slug)).all())
    cells = connection.execute(_combinations(), {"ids": listed(ids), "at": at}).all()
    ids_of = {slug: category for category, slug in slugs.items()}
    chosen: list[frozenset[Any]] = [frozenset(query.chosen(facet)) for facet in FACETS]
    chosen[FACETS.index("category")] = frozenset(ids_of.get(slug, -1) for slug in query.category)
    total, counts = _counted(cells, chosen)
    named = {
        facet: {value: n for value, n in one.items() if value is not None}
        for facet, one in zip(FACETS, counts, strict=True)
    }
    named["category"] = {slugs[category]: n for category, n in named["category"].items()}
    return total, named


def _counted(cells: Sequence[Cell], chosen: Sequence[frozenset[Any]]) -> tuple[int, list[dict[Any, int]]]:
    """A product counts for a facet when no other facet's filter stops it."""
    total = 0
    counts: list[dict[Any, int]] = [{} for _ in chosen]
    filtered = [at for at, values in enumerate(chosen) if values]
    everywhere = range(len(chosen))
    for cell in cells:
        count = cell[-1]
        missed = [at for at in filtered if cell[at] not in chosen[at]] if filtered else filtered
        if len(missed) > 1:
            continue
        if not missed:
            total += count
        for at in missed or everywhere:
            of_facet, value = counts[at], cell[at]
            of_facet[value] = of_facet.get(value, 0) + count
    return total, counts


@lru_cache(1)
def _combinations() -> Select[Any]:
    names = [f"facet_{facet}" for facet in FACETS]
    values = [catalogue.facet_value(facet).label(name) for facet, name in zip(FACETS, names, strict=True)]
    return select(*values, func.count()).where(among(Product.id)).group_by(*names)


def filters(query: ShopQuery) -> list[ColumnElement[bool]]:
    """What the query's facets ask of a product."""
    return [catalogue.filter_of(facet, query.chosen(facet)) for facet in FACETS if query.chosen(facet)]
