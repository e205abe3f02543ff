"""The rows of a day that say what people looked for, but for their day."""

from collections.abc import Sequence
from typing import NamedTuple

# A query that nobody can send: the sums of those that are too rare to outlive the log of searches.
RARE = ""
# So many searches of a day point to no single visitor.
MIN_SEARCHES = 3


class SearchDayRow(NamedTuple):
    """A row of `search_days`."""

    query: str
    searches: int
    no_results: int
    in_sessions: int
    followed: int
    abandoned: int
    last_results: int


class SearchPurchaseRow(NamedTuple):
    """A row of `search_purchases`."""

    query: str
    product_id: int
    buyers: int


class UnknownPathRow(NamedTuple):
    """A row of `unknown_path_days`."""

    path: str
    referrer: str
    sessions: int


DemandRow = SearchDayRow | SearchPurchaseRow | UnknownPathRow


class DemandRows(NamedTuple):
    """Each in the order of its keys."""

    searches: Sequence[SearchDayRow] = ()
    purchases: Sequence[SearchPurchaseRow] = ()
    unknown_paths: Sequence[UnknownPathRow] = ()


def without_rare(rows: Sequence[SearchDayRow]) -> list[SearchDayRow]:
    """Queries of fewer than MIN_SEARCHES as one row, so that sums stay what they were."""
    frequent = [row for row in rows if row.query != RARE and row.searches >= MIN_SEARCHES]
    rest = [row for row in rows if row.query == RARE or row.searches < MIN_SEARCHES]
    if not rest:
        return frequent
    sums = [sum(numbers) for numbers in zip(*(row[1:-1] for row in rest), strict=True)]
    return [SearchDayRow._make((RARE, *sums, 0)), *frequent]
