"""Whoever saw every month of a link, of every kind and with any steps, and knows which sessions came when, finds for
each session histories in which it did anything that a session can do: tried for all of them.

An order costs 10.00 here, which whoever looks knows, too: so an amount tells how many orders it is of.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import product

import pytest

from domain.reports import partner_figures
from domain.reports.partner_figures import (
    LinkSessions,
    MoneyOfOrder,
    ShownMoney,
    ShownSessions,
    shown_money,
    shown_sessions,
)

K, PRICE = 3, 1_000
# How far a session got: it came, saw a product, the cart, the checkout, bought, and got its money back later.
STEPS = 6
BOUGHT, REFUNDED = 4, 5
# How many sessions of a month got as far as each step, and no further.
History = tuple[int, ...]


def splits(number: int, parts: int) -> Iterator[History]:
    if parts == 1:
        yield (number,)
        return
    for first in range(number + 1):
        for rest in splits(number - first, parts - 1):
            yield (first, *rest)


def reached(history: History, step: int) -> int:
    return sum(history[step:])


def orders(number: int) -> list[MoneyOfOrder]:
    return [MoneyOfOrder(buyer, PRICE) for buyer in range(number)]


def shown(months: Sequence[History], k: int) -> tuple[object, ...]:
    """What a partner sees: of each month sessions, sales, and the refunds of the sales of the month before."""
    found: list[object] = []
    left = returned = 0
    for history in (*months, (0,) * STEPS):
        sessions = LinkSessions(sum(history), *(reached(history, step) for step in (1, 2, 3)))
        sales = shown_money(sessions.sessions, orders(reached(history, BOUGHT)), k)
        left += sales.orders or 0
        refunds = shown_money(left, orders(returned), k)
        left -= refunds.orders or 0
        found += [shown_sessions(sessions, k), sales, refunds]
        returned = history[REFUNDED]
    return tuple(found)


def disclosed(sizes: Sequence[int], k: int = K) -> bool:
    """Whether what is shown of months with so many sessions leaves out something that a session may have done."""
    possible: defaultdict[tuple[object, ...], list[set[int]]] = defaultdict(lambda: [set() for _ in sizes])
    for months in product(*(list(splits(size, STEPS)) for size in sizes)):
        for steps, history in zip(possible[shown(months, k)], months, strict=True):
            steps |= {step for step, number in enumerate(history) if number}
    return any(
        size and len(steps) < STEPS for found in possible.values() for size, steps in zip(sizes, found, strict=True)
    )


@pytest.mark.parametrize("sizes", [(1,), (2,), (3,), (5,), (6,), (8,), (2, 3), (4, 4), (1, 6)])
def test_every_session_may_have_done_anything_whatever_is_shown(sizes):
    assert not disclosed(sizes)


@pytest.mark.parametrize("sizes", [(7,), (3, 4)])
def test_money_of_few_orders_tells_nothing_either(monkeypatch, sizes):
    """As if money were shown of three orders already: months in which ten are shown have too many histories to try."""
    monkeypatch.setattr(partner_figures, "MONEY_ORDERS", 3)
    assert not disclosed(sizes)


@pytest.mark.soak
@pytest.mark.parametrize("sizes", [(13,), (15,), (6, 6), (3, 3, 4)])
def test_no_larger_months_tell_more(sizes):
    assert not disclosed(sizes)


Rule = Callable[..., object]


def exact_sessions(sessions: LinkSessions, _k: int) -> object:
    return ShownSessions(sessions.sessions, sessions.product, sessions.cart, sessions.checkout)


def exact_money(_group: int, found: Sequence[MoneyOfOrder], _k: int) -> object:
    return ShownMoney(len(found), sum(order.amount_minor for order in found))


def whole_amount(group: int, found: Sequence[MoneyOfOrder], k: int) -> object:
    """Steps for orders, but the amount of all of them."""
    money = partner_figures.shown_money(group, found, k)
    return money if money.amount_minor is None else ShownMoney(money.orders, PRICE * len(found))


@pytest.mark.parametrize(
    ("name", "rule"),
    [("shown_sessions", exact_sessions), ("shown_money", exact_money), ("shown_money", whole_amount)],
)
def test_exact_figures_would_tell_what_sessions_did(monkeypatch, name, rule):
    """The negative control, for each kind of figure."""
    monkeypatch.setattr(partner_figures, "MONEY_ORDERS", 3)
    monkeypatch.setitem(globals(), name, rule)
    assert disclosed((7,))


def test_steps_of_two_sizes_would_tell_the_exact_figure():
    """Why rows have what was first shown: in steps of 3 and of 5, 10 of 20 sessions are 9 and 10, and no other number
    is both."""
    exact = [LinkSessions(20, number) for number in range(21)]
    numbers = [tuple(shown_sessions(sessions, k).product for k in (3, 5)) for sessions in exact]
    assert [number for number, pair in enumerate(numbers) if pair == numbers[11]] == [10, 11]
    assert [number for number, pair in enumerate(numbers) if pair == numbers[9]] == [9]


@pytest.mark.parametrize(
    ("exact", "figures"),
    [
        ((0, 0, 0, 0), (None, None, None, None)),
        ((4, 4, 4, 4), (None, None, None, None)),
        ((5, 5, 5, 5), (5, None, None, None)),
        ((14, 9, 4, 0), (14, 5, None, None)),
        ((10, 10, 10, 10), (10, 5, 5, 5)),
    ],
)
def test_sessions_are_shown_of_five_and_what_they_did_in_steps(exact, figures):
    assert shown_sessions(LinkSessions(*exact), 5) == ShownSessions(*figures)


@pytest.mark.parametrize(
    ("group", "amounts", "money"),
    [
        (100, [], ShownMoney()),
        (100, [1_000] * 4, ShownMoney()),
        (100, [1_000] * 9, ShownMoney(5)),
        (100, [1_000] * 10, ShownMoney(10, 10_000)),
        (100, [1_000] * 14, ShownMoney(10, 10_000)),
        (14, [1_000] * 14, ShownMoney(5)),
        # The mean is 1,333.33.
        (100, [1_000] * 8 + [2_000] * 4, ShownMoney(10, 13_330)),
    ],
)
def test_money_is_shown_of_ten_orders_at_their_mean(group, amounts, money):
    assert shown_money(group, [MoneyOfOrder(buyer, amount) for buyer, amount in enumerate(amounts)], 5) == money


def test_ten_orders_of_one_buyer_show_no_money():
    assert shown_money(100, [MoneyOfOrder(1, 1_000)] * 12, 5) == ShownMoney(10)
