"""Whose cart it is, and what a browser says is in it."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Owner:
    """A learner, or a guest by the digest of the secret in the browser's cookie."""

    learner_id: int | None = None
    guest: str | None = None


@dataclass(frozen=True)
class Wanted:
    """A product and how many of it. What a browser says beside that (prices, names) is not even read."""

    id: int
    quantity: int = 1


def wanted(lines: Iterable[tuple[int, int]]) -> list[Wanted]:
    """Each product once, in the order given; of one that comes twice the larger quantity counts."""
    found: dict[int, int] = {}
    for product_id, quantity in lines:
        found[product_id] = max(quantity, found.get(product_id, 1))
    return [Wanted(product_id, quantity) for product_id, quantity in found.items()]
