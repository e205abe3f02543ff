"""Facet counts by query: they cost more than the cards and change only with the catalogue."""

from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from domain.catalogue import ShopQuery

# Total hits, and per facet the hits each value would leave.
Counts = tuple[int, dict[str, dict[str, int]]]

# Price bands follow sale windows, so counts of one catalogue version still age.
FRESH_S = 60
MOST = 500


@dataclass(frozen=True)
class Counted:
    """Counts as they were `at`, and what the list's controls look like with them, by sort."""

    counts: Counts
    at: datetime
    controls: dict[str, dict[str, Any]] = field(default_factory=dict)


class CountsCache:
    """The counts of one version of the catalogue; a new version begins with an empty one."""

    def __init__(self) -> None:
        self._kept: OrderedDict[ShopQuery, Counted] = OrderedDict()

    def get(self, query: ShopQuery, at: datetime) -> Counted | None:
        found = self._kept.get(query)
        if found is None or (at - found.at).total_seconds() > FRESH_S:
            return None
        return found

    def put(self, query: ShopQuery, counted: Counted) -> None:
        self._kept[query] = counted
        if len(self._kept) > MOST:
            self._kept.popitem(last=False)
