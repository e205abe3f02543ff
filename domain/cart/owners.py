"""The owner of a cart, and the lines that a browser requests."""

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Owner:
    """A learner, or a guest, identified by the digest of the secret in the browser's cookie."""

    learner_id: int | None = None
    guest_key: str | None = None


@dataclass(frozen=True)
class RequestedLine:
    """A product id and a quantity. Prices and names that a browser sends are ignored. `is_gift`: for somebody else."""

    id: int
    quantity: int = 1
    is_gift: bool = field(default=False, kw_only=True)


def requested_lines(lines: Iterable[tuple[int, int]]) -> list[RequestedLine]:
    """Each product once, in the order of `lines`; a repeated product has its larger quantity."""
    quantities: dict[int, int] = {}
    for product_id, quantity in lines:
        quantities[product_id] = max(quantity, quantities.get(product_id, 1))
    return [RequestedLine(product_id, quantity) for product_id, quantity in quantities.items()]
