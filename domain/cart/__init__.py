"""Carts: lines, what may stand in them, what they cost.

refusal = cart.put(session, learner_id, product_id, at)      # None, or why not
view = cart.of_learner(session, learner_id, at)              # lines with every step of their prices
"""

from domain.cart.codes import LineCode, set_on_cart, set_on_line
from domain.cart.guests import GUEST_LIFE, forget_guests
from domain.cart.lines import LARGEST_QUANTITY, MOST_LINES, Change, change, put, seen, take_out
from domain.cart.merging import Merged, merge
from domain.cart.owners import Owner, Wanted, wanted
from domain.cart.products import CartProduct, is_shown, products
from domain.cart.views import ShownLine, View, of_guest, of_learner

__all__ = [
    "GUEST_LIFE",
    "LARGEST_QUANTITY",
    "MOST_LINES",
    "CartProduct",
    "Change",
    "LineCode",
    "Merged",
    "Owner",
    "ShownLine",
    "View",
    "Wanted",
    "change",
    "forget_guests",
    "is_shown",
    "merge",
    "of_guest",
    "of_learner",
    "products",
    "put",
    "seen",
    "set_on_cart",
    "set_on_line",
    "take_out",
    "wanted",
]
