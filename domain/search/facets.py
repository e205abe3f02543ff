"""Counts of every facet over a set of products, and which of them pass the filters."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.catalogue import FACETS, ShopQuery
from domain.search.cells import Values, cells_of
from domain.tables import Category

Counts = dict[str, dict[str, int]]


def tally(session: Session, ids: Sequence[int], query: ShopQuery, at: datetime) -> tuple[int, Counts]:
    """Products that pass every filter, and for each facet how many each value would leave, given the other filters."""
    slugs = _slugs(session)
    cells = cells_of(session, ids, at)
    numbers = Counter(map(cells.of.__getitem__, ids))
    # Products that went away meanwhile.
    numbers.pop(0, None)
    found = ((cells.values[number], count) for number, count in numbers.items())
    total, counts = _counted(found, _chosen(query, slugs))
    named = {
        facet: {value: n for value, n in one.items() if value is not None}
        for facet, one in zip(FACETS, counts, strict=True)
    }
    named["category"] = {slugs[category]: n for category, n in named["category"].items()}
    return total, named


def passing(session: Session, ids: Sequence[int], query: ShopQuery, at: datetime) -> list[int]:
    """Those of the products that pass every filter, in their order."""
    cells = cells_of(session, ids, at)
    wanted = cells.passing(_chosen(query, _slugs(session)))
    return [product for product in ids if cells.of[product] in wanted]


def _slugs(session: Session) -> dict[Any, str]:
    return dict(session.connection().execute(select(Category.id, Category.slug)).all())


def _chosen(query: ShopQuery, slugs: dict[Any, str]) -> list[frozenset[Any]]:
    """The values asked for in each facet; of a category its id, and one that nothing has for an unknown one."""
    ids_of = {slug: category for category, slug in slugs.items()}
    chosen: list[frozenset[Any]] = [frozenset(query.chosen(facet)) for facet in FACETS]
    chosen[FACETS.index("category")] = frozenset(ids_of.get(slug, -1) for slug in query.category)
    return chosen


def _counted(cells: Iterable[tuple[Values, int]], chosen: Sequence[frozenset[Any]]) -> tuple[int, list[dict[Any, int]]]:
    """A product counts for a facet when no other facet's filter stops it."""
    total = 0
    counts: list[dict[Any, int]] = [{} for _ in chosen]
    filtered = [at for at, values in enumerate(chosen) if values]
    everywhere = range(len(chosen))
    for values, count in cells:
        missed = [at for at in filtered if values[at] not in chosen[at]] if filtered else filtered
        if len(missed) > 1:
            continue
        if not missed:
            total += count
        for at in missed or everywhere:
            of_facet, value = counts[at], values[at]
            of_facet[value] = of_facet.get(value, 0) + count
    return total, counts
