"""Counts facet values over a set of products, and filters them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.catalogue.listing import FACETS, ShopQuery
from domain.search.facet_index import Values, facet_index_of
from domain.tables import Category

Counts = dict[str, dict[str, int]]


def tally(session: Session, ids: Sequence[int], query: ShopQuery, at: datetime) -> tuple[int, Counts]:
    """The number of products that pass every filter, and for each facet the count per value under the other filters."""
    slugs = _slugs(session)
    index = facet_index_of(session, ids, query.price_scale, at)
    cells = Counter(map(index.cell_of.__getitem__, ids))
    # Products that were deleted meanwhile.
    cells.pop(0, None)
    total, counts = _count(((index.values[cell], count) for cell, count in cells.items()), _chosen(query, slugs))
    named = {
        facet: {value: n for value, n in counts_of_facet.items() if value is not None}
        for facet, counts_of_facet in zip(FACETS, counts, strict=True)
    }
    named["category"] = {slugs[category]: n for category, n in named["category"].items()}
    return total, named


def matching(session: Session, ids: Sequence[int], query: ShopQuery, at: datetime) -> list[int]:
    """The products that pass every filter, in their order."""
    index = facet_index_of(session, ids, query.price_scale, at)
    cells = index.matching(_chosen(query, _slugs(session)))
    return [product for product in ids if index.cell_of[product] in cells]


def _slugs(session: Session) -> dict[Any, str]:
    return dict(session.connection().execute(select(Category.id, Category.slug)).all())


def _chosen(query: ShopQuery, slugs: dict[Any, str]) -> list[frozenset[Any]]:
    """The selected values of each facet. Categories by id, with -1, which no product has, for an unknown one."""
    ids_of = {slug: category for category, slug in slugs.items()}
    chosen: list[frozenset[Any]] = [frozenset(query.selected(facet)) for facet in FACETS]
    chosen[FACETS.index("category")] = frozenset(ids_of.get(slug, -1) for slug in query.category)
    return chosen


def _count(cells: Iterable[tuple[Values, int]], chosen: Sequence[frozenset[Any]]) -> tuple[int, list[dict[Any, int]]]:
    """A product counts for a facet when it passes the filters of all other facets."""
    total = 0
    counts: list[dict[Any, int]] = [{} for _ in chosen]
    filtered = [at for at, values in enumerate(chosen) if values]
    all_facets = range(len(chosen))
    for values, count in cells:
        missed = [at for at in filtered if values[at] not in chosen[at]] if filtered else filtered
        if len(missed) > 1:
            continue
        if not missed:
            total += count
        for at in missed or all_facets:
            of_facet, value = counts[at], values[at]
            of_facet[value] = of_facet.get(value, 0) + count
    return total, counts
