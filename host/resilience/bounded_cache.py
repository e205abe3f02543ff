"""Values that may be dropped at any time, bounded by their size."""

from collections.abc import Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class BoundedCache(Generic[T]):
    """At most `max_bytes`. A value for which there is no room drops all others: those in use are soon back."""

    def __init__(self, max_bytes: int):
        self._max_bytes, self._bytes = max_bytes, 0
        self._values: dict[Hashable, tuple[T, int]] = {}

    def get(self, key: Hashable) -> T | None:
        found = self._values.get(key)
        return None if found is None else found[0]

    def put(self, key: Hashable, value: T, size: int) -> None:
        self._bytes -= self._values.pop(key, (value, 0))[1]
        if self._bytes + size > self._max_bytes:
            self._values.clear()
            self._bytes = 0
        if size <= self._max_bytes:
            self._values[key] = value, size
            self._bytes += size

    def __len__(self) -> int:
        return len(self._values)
