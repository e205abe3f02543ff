"""Prices that a cart link promises for a day: a line that was taken over from it costs no more until then.

The promised prices take the place of the product's own where its lines are read, so that cart, checkout and order price
them once, by the same engine as everything else. A price that has fallen meanwhile is better than the promise.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from domain.cart.products import CartProduct


@dataclass(frozen=True)
class Promise:
    """Prices of one unit until a time; `sale_price` None: there was no sale."""

    list_price: Decimal
    sale_price: Decimal | None
    until: datetime

    @property
    def unit(self) -> Decimal:
        return self.list_price if self.sale_price is None else self.sale_price


def of_product(product: CartProduct, at: datetime, until: datetime) -> Promise:
    """Today's prices of a product, as everybody has them."""
    return Promise(product.card.list_price, product.sale_price(at), until)


def of_line(line: Any) -> Promise | None:
    """That of a CartLine or its row."""
    if line.promised_until is None:
        return None
    return Promise(line.promised_list, line.promised_sale, line.promised_until)


def with_promise(product: CartProduct, promise: Promise | None, at: datetime) -> CartProduct:
    """The product at the prices of the promise where those are lower, for as long as it holds."""
    if promise is None or at >= promise.until or promise.unit >= product.price(at):
        return product
    card = product.card._replace(
        list_price=promise.list_price,
        sale_price=promise.sale_price,
        sale_from=None,
        sale_until=None if promise.sale_price is None else promise.until,
    )
    return replace(product, card=card, promised_until=promise.until)


def with_promises(products: Mapping[int, CartProduct], lines: Any, at: datetime) -> dict[int, CartProduct]:
    """The products of these rows of CartLine, each as its line has it."""
    by_line = {line.product_id: line for line in lines}
    return {
        id_: replace(with_promise(product, of_line(by_line[id_]), at), agent=by_line[id_].agent)
        if id_ in by_line
        else product
        for id_, product in products.items()
    }
