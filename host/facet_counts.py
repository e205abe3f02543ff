"""A cache of facet counts by query: they cost more than the cards, and change only with the catalogue."""

from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from domain.catalogue.listing import ShopQuery

# Total hits, and per facet the hits that each value would leave.
Counts = tuple[int, dict[str, dict[str, int]]]

# Price bands follow sale windows, so counts of one catalogue version still age.
MAX_AGE_S = 60
MAX_ENTRIES = 500


@dataclass(frozen=True)
class CountedPage:
    """Counts of the time `at`, and by sort the list's controls with them (`ListControls` of the loaders)."""

    counts: Counts
    at: datetime
    controls: dict[str, Any] = field(default_factory=dict)


class FacetCountsCache:
    """The counts of one version of the catalogue; each site state has its own."""

    def __init__(self) -> None:
        self._pages: OrderedDict[ShopQuery, CountedPage] = OrderedDict()

    def get(self, query: ShopQuery, at: datetime) -> CountedPage | None:
        page = self._pages.get(query)
        if page is None or (at - page.at).total_seconds() > MAX_AGE_S:
            return None
        return page

    def put(self, query: ShopQuery, page: CountedPage) -> None:
        self._pages[query] = page
        if len(self._pages) > MAX_ENTRIES:
            self._pages.popitem(last=False)
