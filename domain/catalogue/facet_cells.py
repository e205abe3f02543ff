"""How many published products have each combination of facet values: a cell. The counts of every list follow from these
few thousand numbers, so that the products are read once for all filters together."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import BigInteger, bindparam, func, select
from sqlalchemy.orm import Session

from domain.catalogue import listing
from domain.catalogue.listing import FACETS, PRODUCTS, ShopQuery
from domain.catalogue.scope import CatalogueScope, scope_conditions
from domain.database.prepared_select import PreparedSelect
from domain.tables import Category

# One value per facet, in the order of FACETS; the category's is its id.
Values = tuple[Any, ...]
# The number of hits, and for each facet the hits of each value.
Counts = tuple[int, dict[str, dict[str, int]]]
# Ids of one read: a tenth of a second, so that the reads of a large catalogue end within their deadline.
PIECE = 100_000
_categories = Category.__table__.c
_SLUGS = PreparedSelect(select(_categories.id, _categories.slug), tuple)


@dataclass(frozen=True)
class CellsPiece:
    """Cells of some products; `next_id`: where the next piece begins, None after the last one. `edits`: as of
    `listing.edits`, of the catalogue that was read."""

    cells: Sequence[tuple[Values, int]]
    next_id: int | None
    edits: int
    slugs: Mapping[int, str]


class FacetCells:
    """The cells of a catalogue of one number of `edits`, and the slugs of its categories."""

    def __init__(self, pieces: Iterable[CellsPiece]):
        cells: Counter[Values] = Counter()
        edits, self._slugs = set[int](), dict[int, str]()
        for piece in pieces:
            cells.update(dict(piece.cells))
            edits.add(piece.edits)
            self._slugs.update(piece.slugs)
        self._cells = cells
        # None: the catalogue changed between two pieces.
        self.edits = edits.pop() if len(edits) == 1 else None

    def by_category(self) -> Iterator[tuple[int, str, int]]:
        """Ids of categories and kinds (KINDS), some of them several times, with numbers of products."""
        category, kind = FACETS.index("category"), FACETS.index("kind")
        return ((values[category], values[kind], number) for values, number in self._cells.items())

    def counts(self, query: ShopQuery) -> Counts:
        """The number of hits, and for each facet the hits of each value, given the filters of the other facets."""
        return counts(self._cells.items(), query, self._slugs)


def read_piece(
    session: Session, scope: CatalogueScope | None, price_scale: int, at: datetime, first: int = 0
) -> CellsPiece:
    """The cells of the published products with ids from `first` on, PIECE ids at most. `price_scale` as in
    ShopQuery."""
    edits, [(start, last)] = listing.edits(session), _ENDS.all(session, first=first)
    end = start + PIECE
    cells = _cells(scope, price_scale).all(session, at=at, first=start, end=end)
    return CellsPiece(cells, end if end <= last else None, edits, category_slugs(session))


def facet_counts(session: Session, query: ShopQuery, at: datetime) -> Counts:
    """What a list of these filters counts, read now."""
    pieces = [read_piece(session, query.scope, query.price_scale, at)]
    while (next_id := pieces[-1].next_id) is not None:
        pieces.append(read_piece(session, query.scope, query.price_scale, at, next_id))
    return FacetCells(pieces).counts(query)


def category_slugs(session: Session) -> dict[int, str]:
    """By id."""
    return dict(_SLUGS.all(session))


def counts(cells: Iterable[tuple[Values, int]], query: ShopQuery, slugs: Mapping[int, str]) -> Counts:
    """`slugs` by id, of the categories."""
    total, found = _counted(cells, chosen_values(query, slugs))
    named = {
        facet: {value: number for value, number in of_facet.items() if value is not None}
        for facet, of_facet in zip(FACETS, found, strict=True)
    }
    named["category"] = {slugs[id_]: number for id_, number in named["category"].items() if id_ in slugs}
    return total, named


def chosen_values(query: ShopQuery, slugs: Mapping[int, str]) -> list[frozenset[Any]]:
    """The selected values of each facet. Categories by id, with -1, which no product has, for an unknown one."""
    ids_of = {slug: category for category, slug in slugs.items()}
    chosen: list[frozenset[Any]] = [frozenset(query.selected(facet)) for facet in FACETS]
    chosen[FACETS.index("category")] = frozenset(ids_of.get(slug, -1) for slug in query.category)
    return chosen


def _counted(cells: Iterable[tuple[Values, int]], chosen: Sequence[frozenset[Any]]) -> tuple[int, list[dict[Any, int]]]:
    """A product counts for a facet when it passes the filters of all other facets."""
    total = 0
    found: list[dict[Any, int]] = [{} for _ in chosen]
    filtered = [at for at, values in enumerate(chosen) if values]
    all_facets = range(len(chosen))
    for values, number in cells:
        missed = [at for at in filtered if values[at] not in chosen[at]] if filtered else filtered
        if len(missed) > 1:
            continue
        if not missed:
            total += number
        for at in missed or all_facets:
            of_facet, value = found[at], values[at]
            of_facet[value] = of_facet.get(value, 0) + number
    return total, found


# The first id from one on, and the last of all.
_ENDS = PreparedSelect(
    select(
        select(func.coalesce(func.min(PRODUCTS.id), 0)).where(PRODUCTS.id >= bindparam("first")).scalar_subquery(),
        select(func.coalesce(func.max(PRODUCTS.id), 0)).scalar_subquery(),
    ),
    tuple,
)


@lru_cache(100)
def _cells(scope: CatalogueScope | None, price_scale: int) -> PreparedSelect[tuple[Values, int]]:
    names = [f"facet_{facet}" for facet in FACETS]
    values = [listing.facet_value(facet, price_scale).label(name) for facet, name in zip(FACETS, names, strict=True)]
    is_in_piece = (
        PRODUCTS.id >= bindparam("first", type_=BigInteger),
        PRODUCTS.id < bindparam("end", type_=BigInteger),
        listing.IS_LISTED,
    )
    query = select(*values, func.count()).where(*is_in_piece, *scope_conditions(scope)).group_by(*names)
    return PreparedSelect(query, lambda row: ((cell := tuple(row))[:-1], cell[-1]))
