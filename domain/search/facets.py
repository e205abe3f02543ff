"""Counts facet values over a set of products, and filters them."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from domain.catalogue import facet_cells
from domain.catalogue.listing import ShopQuery
from domain.search.facet_index import facet_index_of
from domain.tables import Category

Counts = dict[str, dict[str, int]]


def tally(session: Session, ids: Sequence[int], query: ShopQuery, at: datetime) -> tuple[int, Counts]:
    """The number of products that pass every filter, and for each facet the count per value under the other filters."""
    slugs = _slugs(session)
    index = facet_index_of(session, ids, query.price_scale, at)
    cells = Counter(map(index.cell_of.__getitem__, ids))
    # Products that were deleted meanwhile.
    cells.pop(0, None)
    return facet_cells.counts(((index.values[cell], count) for cell, count in cells.items()), query, slugs)


def matching(session: Session, ids: Sequence[int], query: ShopQuery, at: datetime) -> list[int]:
    """The products that pass every filter, in their order."""
    index = facet_index_of(session, ids, query.price_scale, at)
    cells = index.matching(facet_cells.chosen_values(query, _slugs(session)))
    return [product for product in ids if index.cell_of[product] in cells]


def _slugs(session: Session) -> dict[Any, str]:
    return dict(session.connection().execute(select(Category.id, Category.slug)).all())
