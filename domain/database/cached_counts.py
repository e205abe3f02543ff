"""Counts of many rows that a page may say for some seconds after they were true."""

from time import monotonic
from typing import Generic, TypeVar

# A count of more rows than CACHED_ABOVE is kept for RECOUNT_S, unless it says otherwise.
CACHED_ABOVE, RECOUNT_S = 1_000, 10.0
T = TypeVar("T")


class CachedCounts(Generic[T]):
    """What was counted in more than CACHED_ABOVE rows, of all (None) or of an organisation; kept by each process.
    `keep_s`: how long, in seconds."""

    def __init__(self, keep_s: float = RECOUNT_S) -> None:
        self._keep_s = keep_s
        self._counts: dict[int | None, tuple[T, float]] = {}

    def get(self, tenant_id: int | None) -> T | None:
        entry = self._counts.get(tenant_id)
        return entry[0] if entry is not None and monotonic() < entry[1] else None

    def put(self, tenant_id: int | None, count: T, rows: int) -> None:
        """`rows`: how many were read for it."""
        now = monotonic()
        kept = {key: entry for key, entry in self._counts.items() if now < entry[1] and key != tenant_id}
        self._counts = {**kept, tenant_id: (count, now + self._keep_s)} if rows > CACHED_ABOVE else kept
