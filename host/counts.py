"""Facet counts by query: they cost more than the cards and change only with the catalogue."""

from collections import OrderedDict
from datetime import datetime

from domain.catalogue import ShopQuery

# Total hits, and per facet the hits each value would leave.
Counts = tuple[int, dict[str, dict[str, int]]]

# Price bands follow sale windows, so counts of one catalogue version still age.
FRESH_S = 60
MOST = 500


class CountsCache:
    """The counts of one version of the catalogue; a new version begins with an empty one."""

    def __init__(self) -> None:
        self._kept: OrderedDict[ShopQuery, tuple[datetime, Counts]] = OrderedDict()

    def get(self, query: ShopQuery, at: datetime) -> Counts | None:
        found = self._kept.get(query)
        if found is None or (at - found[0]).total_seconds() > FRESH_S:
            return None
        return found[1]

    def put(self, query: ShopQuery, at: datetime, counts: Counts) -> None:
        self._kept[query] = (at, counts)
        if len(self._kept) > MOST:
            self._kept.popitem(last=False)
