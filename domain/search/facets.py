"""Counts facet values over a set of products, and filters them."""

from collections import Counter
from collections.abc import Sequence

from domain.catalogue import facet_cells
from domain.catalogue.listing import ShopQuery
from domain.search.facet_index import FacetIndex

Counts = dict[str, dict[str, int]]


def tally(index: FacetIndex, ids: Sequence[int], query: ShopQuery) -> tuple[int, Counts]:
    """The number of products that pass every filter, and for each facet the count per value under the other filters.
    `index`: of these products."""
    cells = Counter(map(index.cell_of.__getitem__, ids))
    # Products that were deleted meanwhile.
    cells.pop(0, None)
    return facet_cells.counts(((index.values[cell], count) for cell, count in cells.items()), query, index.slugs)


def matching(index: FacetIndex, ids: Sequence[int], query: ShopQuery) -> list[int]:
    """The products that pass every filter, in their order."""
    cells = index.matching(facet_cells.chosen_values(query, index.slugs))
    return [product for product in ids if index.cell_of[product] in cells]
