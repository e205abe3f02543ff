"""Limited resources (uses of coupons, pieces of stock) set aside for cart lines and orders.

    reason = reserve(session, Resource("coupon", coupon.id), CartOwner(learner_id, product_id), 1, at)      # 30 minutes
    reason = claim(session, resource, OrderOwner(learner_id, order.id, line.id, from_key), 1, at)           # no end
    commit(session, order.id, needed)          # paid; raises ReservationsMissing
    release_order(session, order.id)           # expired, cancelled, superseded, refunded

Three guards hold a limit, each of which alone is enough: the resource's row is locked, its counter is changed by an
UPDATE with the limit as its condition, and a learner's uses are numbered under a unique key.
"""

from domain.reservations.carts import RESERVATION_TTL, release, release_carts_of, release_expired, reserve
from domain.reservations.counters import lock
from domain.reservations.kinds import Resource
from domain.reservations.orders import ReservationsMissing, claim, commit, of_order, release_order, restock
from domain.reservations.owners import CartOwner, OrderOwner, cart_key, order_cart_key, order_line_key
from domain.reservations.queries import open_order_units
from domain.reservations.rows import RELEASE_BATCH

__all__ = [
    "RELEASE_BATCH",
    "RESERVATION_TTL",
    "CartOwner",
    "OrderOwner",
    "ReservationsMissing",
    "Resource",
    "cart_key",
    "claim",
    "commit",
    "lock",
    "of_order",
    "open_order_units",
    "order_cart_key",
    "order_line_key",
    "release",
    "release_carts_of",
    "release_expired",
    "release_order",
    "reserve",
    "restock",
]
