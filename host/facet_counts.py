"""The counts of the filters of a list: they cost more than the cards, and change only with the catalogue."""

from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from domain.catalogue import facet_cells
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
    """The counts of one version of the catalogue; each site state has its own, so that a sale that begins or ends
    drops them too."""

    def __init__(self) -> None:
        self._pages: OrderedDict[ShopQuery, CountedPage] = OrderedDict()
        self._cells: OrderedDict[CatalogueScope | None, FacetCells] = OrderedDict()
        self._flight = SingleFlight[FacetCells]()

    def get(self, query: ShopQuery, at: datetime) -> CountedPage | None:
        page = self._pages.get(query)
        if page is None or (at - page.at).total_seconds() > MAX_AGE_S:
            return None
        return page

    def put(self, query: ShopQuery, page: CountedPage) -> None:
        self._pages[query] = page
        if len(self._pages) > MAX_ENTRIES:
            self._pages.popitem(last=False)

    async def read(self, db: Database, query: ShopQuery, version: int, at: datetime) -> CountedPage:
        """The counts of these filters, by the cells of this version or, while it is read, of a newer one. Requests that
        come meanwhile wait for the same reading. Raises ServiceUnavailable."""
        cells = self._cells.get(query.scope)
        if cells is None:
            cells = await self._flight.run(str(query.scope), lambda: _read(db, query, at))
            if cells.version == version:
                self._cells[query.scope] = cells
                if len(self._cells) > MAX_SCOPES:
                    self._cells.popitem(last=False)
        page = CountedPage(cells.counts(query), at)
        if cells.version == version:
            self.put(query, page)
        return page


async def _read(db: Database, query: ShopQuery, at: datetime) -> FacetCells:
    """Piece by piece: one read of a large catalogue would take longer than its deadline."""
    pieces = [await db.read(facet_cells.read_piece, query.scope, query.price_scale, at)]
    while (next_id := pieces[-1].next_id) is not None:
        pieces.append(await db.read_many(facet_cells.read_piece, query.scope, query.price_scale, at, next_id))
    return FacetCells(pieces)
