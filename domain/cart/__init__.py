"""Carts: their lines, who may buy what, and their prices.

refusal = cart.add(session, learner_id, product_id, at)      # None, or the reason why not
priced = cart.learner_cart(session, learner_id, at)          # lines with every step of their prices
"""

from domain.cart.cart_coupon import delete_expired_carts
from domain.cart.codes import LineCode, set_on_cart, set_on_line
from domain.cart.lines import (
    MAX_LINES,
    MAX_QUANTITY,
    Change,
    add,
    add_all,
    change,
    clear,
    lines_in_cart,
    mark_prices_seen,
    remove,
    remove_bought,
)
from domain.cart.merge import Merged, merge
from domain.cart.owners import Owner, RequestedLine, requested_lines
from domain.cart.products import CartProduct, is_available, products
from domain.cart.versions import version_of
from domain.cart.views import CartItem, PricedCart, guest_cart, learner_cart

__all__ = [
    "MAX_LINES",
    "MAX_QUANTITY",
    "CartItem",
    "CartProduct",
    "Change",
    "LineCode",
    "Merged",
    "Owner",
    "PricedCart",
    "RequestedLine",
    "add",
    "add_all",
    "change",
    "clear",
    "delete_expired_carts",
    "guest_cart",
    "is_available",
    "learner_cart",
    "lines_in_cart",
    "mark_prices_seen",
    "merge",
    "products",
    "remove",
    "remove_bought",
    "requested_lines",
    "set_on_cart",
    "set_on_line",
    "version_of",
]
