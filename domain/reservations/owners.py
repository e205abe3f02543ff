"""Who has a reservation. `key` is unique for each resource: a repeated call finds its own row by it."""

from dataclasses import dataclass


def cart_key(learner_id: int, product_id: int) -> str:
    return f"cart:{learner_id}:{product_id}"


def order_line_key(order_id: int, line_id: int) -> str:
    return f"order:{order_id}:{line_id}"


def order_cart_key(order_id: int) -> str:
    return f"order:{order_id}:cart"


@dataclass(frozen=True)
class CartOwner:
    """A line of a learner's cart."""

    learner_id: int
    product_id: int

    @property
    def key(self) -> str:
        return cart_key(self.learner_id, self.product_id)


@dataclass(frozen=True)
class OrderOwner:
    """A line of an order, or (`line_id` None) its whole cart. `from_key`: of the cart line whose reservation it takes
    over, if there is one. `product_id`: of the line, if it is at hand."""

    learner_id: int
    order_id: int
    line_id: int | None = None
    from_key: str | None = None
    product_id: int | None = None

    @property
    def key(self) -> str:
        return order_cart_key(self.order_id) if self.line_id is None else order_line_key(self.order_id, self.line_id)
