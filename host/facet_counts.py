"""The counts of the filters of a list: they cost more than the cards, and change only with the catalogue."""

from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from domain.catalogue import details, facet_cells
from domain.catalogue.details import ShopStats
from domain.catalogue.facet_cells import Counts, FacetCells
from domain.catalogue.listing import ShopQuery
from domain.catalogue.scope import CatalogueScope
from domain.database.database import Database
from host.resilience.single_flight import SingleFlight

# Price bands follow sale windows, so counts of one catalogue version still age.
MAX_AGE_S = 60
MAX_ENTRIES = 500
# Scopes of restricted visitors whose cells are remembered.
MAX_SCOPES = 20


@dataclass(frozen=True)
class CountedPage:
    """Counts of the time `at`, and by sort the list's controls with them (`ListControls` of the loaders)."""

    counts: Counts
    at: datetime
    controls: dict[str, Any] = field(default_factory=dict)


class FacetCountsCache:
    """The counts of a catalogue of one number of `edits` (`listing.edits`). A site state of another number, or after a
    sale that began or ended, has its own."""

    def __init__(self) -> None:
        self._pages: OrderedDict[ShopQuery, CountedPage] = OrderedDict()
        # Cells by scope, with the time when they were read.
        self._cells: OrderedDict[CatalogueScope | None, tuple[FacetCells, datetime]] = OrderedDict()
        self._flight = SingleFlight[FacetCells]()
        self._stats: ShopStats | None = None
        self._stats_flight = SingleFlight[ShopStats]()

    def get(self, query: ShopQuery, at: datetime) -> CountedPage | None:
        page = self._pages.get(query)
        if page is None or (at - page.at).total_seconds() > MAX_AGE_S:
            return None
        return page

    def put(self, query: ShopQuery, page: CountedPage) -> None:
        self._pages[query] = page
        if len(self._pages) > MAX_ENTRIES:
            self._pages.popitem(last=False)

    async def read(self, db: Database, query: ShopQuery, edits: int, at: datetime) -> CountedPage:
        """The counts of these filters, as `cells` has them. Raises ServiceUnavailable."""
        cells = await self.cells(db, query, edits, at)
        page = CountedPage(cells.counts(query), at)
        if cells.edits == edits:
            self.put(query, page)
        return page

    async def cells(self, db: Database, query: ShopQuery, edits: int, at: datetime) -> FacetCells:
        """The cells after so many edits, or after more where the catalogue has just changed, for the scope and the
        price bands of `query`. Requests that come while they are read wait for the same reading. Raises
        ServiceUnavailable."""
        known = self._cells.get(query.scope)
        # What contracts are about may change without a change of the catalogue.
        if known is not None and (query.scope is None or (at - known[1]).total_seconds() <= MAX_AGE_S):
            return known[0]
        cells = await self._flight.run(str(query.scope), lambda: _read(db, query, at))
        if cells.edits == edits:
            self._cells[query.scope] = (cells, at)
            if len(self._cells) > MAX_SCOPES:
                self._cells.popitem(last=False)
        return cells

    async def stats(self, db: Database) -> ShopStats:
        """Numbers of the whole shop, as of the first request. Raises ServiceUnavailable."""
        if self._stats is None:
            self._stats = await self._stats_flight.run("stats", lambda: db.read(details.shop_stats))
        return self._stats


async def _read(db: Database, query: ShopQuery, at: datetime) -> FacetCells:
    """Piece by piece: one read of a large catalogue would take longer than its deadline."""
    pieces = [await db.read(facet_cells.read_piece, query.scope, query.price_scale, at)]
    while (next_id := pieces[-1].next_id) is not None:
        pieces.append(await db.read_many(facet_cells.read_piece, query.scope, query.price_scale, at, next_id))
    return FacetCells(pieces)
