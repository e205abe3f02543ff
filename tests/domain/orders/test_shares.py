"""Shares of refunds: whatever is refunded in whatever parts, the parts sum to the line."""

import itertools
from dataclasses import dataclass

import pytest

from domain.orders.refunds.shares import Share, share_of, share_of_amount, spread


@dataclass
class Line:
    quantity: int
    total_minor: int
    tax_minor: int
    refunded_quantity: int = 0
    refunded_minor: int = 0
    refunded_tax_minor: int = 0

    def take(self, share: Share) -> None:
        self.refunded_quantity += share.quantity
        self.refunded_minor += share.amount_minor
        self.refunded_tax_minor += share.tax_minor

    @property
    def refunded(self) -> tuple[int, int, int]:
        return (self.refunded_quantity, self.refunded_minor, self.refunded_tax_minor)


def test_one_of_three_units_is_a_third_rounded_and_the_last_takes_what_is_left():
    line = Line(quantity=3, total_minor=1000, tax_minor=160)
    shares = []
    for _ in range(3):
        shares.append(share_of(line, 1))
        line.take(shares[-1])
    assert shares == [Share(1, 333, 53), Share(1, 334, 54), Share(1, 333, 53)]


@pytest.mark.parametrize("total", [0, 1, 2, 99, 100, 1001, 99_999_999])
def test_the_parts_sum_to_the_line_in_every_order_of_units(total):
    for parts in itertools.chain.from_iterable(itertools.permutations([1, 2, 4], length) for length in (1, 2, 3)):
        line = Line(7, total, total // 6)
        for quantity in (*parts, 7 - sum(parts)):
            line.take(share_of(line, quantity))
        assert line.refunded == (7, total, total // 6)


def test_an_amount_refunded_before_counts_and_no_share_is_negative():
    line = Line(quantity=2, total_minor=1000, tax_minor=200)
    line.take(share_of_amount(line, 700))
    assert line.refunded == (0, 700, 140)
    assert share_of(line, 1) == Share(1, 0, 0)
    assert share_of(line, 2) == Share(2, 300, 60)


@pytest.mark.parametrize(("quantity", "left"), [(3, 2), (-1, 2)])
def test_more_units_than_are_left_are_refused(quantity, left):
    with pytest.raises(ValueError, match=f"{quantity} of {left} units"):
        share_of(Line(quantity=2, total_minor=10, tax_minor=0), quantity)


@pytest.mark.parametrize(
    ("amount", "left", "parts"),
    [
        (100, [100, 200, 300], [17, 33, 50]),
        (600, [100, 200, 300], [100, 200, 300]),
        (1, [1, 1], [1, 0]),
        (0, [0, 0], [0, 0]),
        (5, [0, 9], [0, 5]),
    ],
)
def test_an_amount_is_spread_in_proportion_and_its_parts_sum_to_it(amount, left, parts):
    assert spread(amount, left) == parts


def test_more_than_is_left_cannot_be_spread():
    with pytest.raises(ValueError, match="7 of 6 minor units"):
        spread(7, [1, 5])
