"""The order of a run: groups of long tests first, then files with many tests, so that the processes end together."""

from collections import Counter

import pytest

# Files with one of these markers begin, in this order.
LONG_GROUPS = ("faults", "journey", "fuzz", "mariadb")


def long_groups_first(items: list[pytest.Item]) -> None:
    """Sorts whole files, because the tests of a file share fixtures."""
    ranks: dict[str, int] = {}
    sizes = Counter(_file(item) for item in items)
    for item in items:
        ranks[_file(item)] = min(ranks.get(_file(item), len(LONG_GROUPS)), _rank(item))
    items.sort(key=lambda item: (ranks[_file(item)], -sizes[_file(item)], _file(item)))


def _file(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]


def _rank(item: pytest.Item) -> int:
    ranks = [rank for rank, marker in enumerate(LONG_GROUPS) if item.get_closest_marker(marker)]
    return min(ranks, default=len(LONG_GROUPS))
