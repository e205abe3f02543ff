"""Values in parts that a statement can name or store: databases take so many at most."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")


def parts_of(values: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """The values in their order; the last part may have fewer."""
    return (values[start : start + size] for start in range(0, len(values), size))
