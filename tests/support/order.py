"""The order of a run: groups of long tests first, so that the workers end together."""

import pytest

# Files with one of these markers begin, in this order.
LONG_GROUPS = ("faults", "journey", "fuzz", "mariadb")


def long_groups_first(items: list[pytest.Item]) -> None:
    """Sorts whole files, because the tests of a file share fixtures."""
    ranks: dict[str, int] = {}
    for item in items:
        file = item.nodeid.partition("::")[0]
        ranks[file] = min(ranks.get(file, len(LONG_GROUPS)), _rank(item))
    items.sort(key=lambda item: ranks[item.nodeid.partition("::")[0]])


def _rank(item: pytest.Item) -> int:
    ranks = [rank for rank, marker in enumerate(LONG_GROUPS) if item.get_closest_marker(marker)]
    return min(ranks, default=len(LONG_GROUPS))
