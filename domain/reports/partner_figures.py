"""What an organisation may see of what its link brought in a month, by the rules of k_anonymity.py; the unit is the
session (docs/decisions/0151).

The sessions of a month are a group of their own: no session belongs to two months or to two organisations. Orders are
counted against the sessions of their month, and refunds against the orders that were shown before, so that the figures
of several months and kinds say no more together than each does alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from domain.reports.k_anonymity import at_least, is_large_enough

# Money is shown of so many orders or more, of as many buyers.
MONEY_ORDERS = 10


@dataclass(frozen=True)
class LinkSessions:
    """The sessions that came by a link in a month, and how many of them saw a product, the cart and the checkout."""

    sessions: int = 0
    product: int = 0
    cart: int = 0
    checkout: int = 0


@dataclass(frozen=True)
class MoneyOfOrder:
    """What one buyer paid, or got back, for an order: net of tax, above 0, in minor units of one currency."""

    buyer: int
    amount_minor: int


@dataclass(frozen=True)
class ShownSessions:
    """None: too few, or too alike, to show; below `sessions`: so many or more."""

    sessions: int | None
    product: int | None
    cart: int | None
    checkout: int | None


@dataclass(frozen=True)
class ShownMoney:
    """`orders`: so many or more. `amount_minor`: what so many orders amount to at the mean of all, so that the amount
    does not tell how many more there are. None: too few, or too alike, to show."""

    orders: int | None = None
    amount_minor: int | None = None


def shown_sessions(exact: LinkSessions, k: int) -> ShownSessions:
    total = exact.sessions
    steps = (at_least(total, number, k) for number in (exact.product, exact.cart, exact.checkout))
    return ShownSessions(total if is_large_enough(total, k) else None, *steps)


def shown_money(group: int, orders: Sequence[MoneyOfOrder], k: int) -> ShownMoney:
    """What may be shown of these orders. `group`: how many there can be; for sales the sessions of the month, for
    refunds the orders shown so far without the refunds shown so far."""
    number = at_least(group, len(orders), k)
    buyers = len({order.buyer for order in orders})
    if number is None or min(number, buyers) < MONEY_ORDERS:
        return ShownMoney(number)
    mean = sum(order.amount_minor for order in orders) // len(orders)
    return ShownMoney(number, number * mean)
