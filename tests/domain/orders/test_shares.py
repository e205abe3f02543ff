"""Shares of refunds: whatever is refunded in whatever parts, the parts sum to the line."""

import itertools
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as any_of

from adapters.payments.amounts import from_gateway, to_gateway
from domain.money import currency, quantum_minor
from domain.orders.refunds.shares import Share, share_of, share_of_amount, spread
from tests.support.examples import EXAMPLES

USD = currency("USD")
# With three decimals, with none, with hundredths at the gateway alone, and others.
CODES = ("BHD", "JOD", "KWD", "OMR", "TND", "JPY", "ISK", "UGX", "HUF", "USD", "EUR", "TWD")


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
        shares.append(share_of(line, 1, USD))
        line.take(shares[-1])
    assert shares == [Share(1, 333, 53), Share(1, 334, 54), Share(1, 333, 53)]


@pytest.mark.parametrize("total", [0, 1, 2, 99, 100, 1001, 99_999_999])
def test_the_parts_sum_to_the_line_in_every_order_of_units(total):
    for parts in itertools.chain.from_iterable(itertools.permutations([1, 2, 4], length) for length in (1, 2, 3)):
        line = Line(7, total, total // 6)
        for quantity in (*parts, 7 - sum(parts)):
            line.take(share_of(line, quantity, USD))
        assert line.refunded == (7, total, total // 6)


def test_an_amount_refunded_before_counts_and_no_share_is_negative():
    line = Line(quantity=2, total_minor=1000, tax_minor=200)
    line.take(share_of_amount(line, 700, USD))
    assert line.refunded == (0, 700, 140)
    assert share_of(line, 1, USD) == Share(1, 0, 0)
    assert share_of(line, 2, USD) == Share(2, 300, 60)


@pytest.mark.parametrize(("quantity", "left"), [(3, 2), (-1, 2)])
def test_more_units_than_are_left_are_refused(quantity, left):
    with pytest.raises(ValueError, match=f"{quantity} of {left} units"):
        share_of(Line(quantity=2, total_minor=10, tax_minor=0), quantity, USD)


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
    assert spread(amount, left, USD) == parts


def test_more_than_is_left_cannot_be_spread():
    with pytest.raises(ValueError, match="7 of 6 minor units"):
        spread(7, [1, 5], USD)


def test_one_of_three_books_for_10_dinars_is_a_multiple_of_ten_fils_and_the_last_takes_what_is_left():
    line = Line(quantity=3, total_minor=10_000, tax_minor=1_500)
    for _ in range(3):
        line.take(share_of(line, 1, currency("KWD")))
        to_gateway(line.refunded_minor, "KWD")
    assert line.refunded == (3, 10_000, 1_500)
    first = share_of(Line(quantity=3, total_minor=10_000, tax_minor=1_500), 1, currency("KWD"))
    assert first == Share(1, 3_330, 500)


@settings(max_examples=EXAMPLES, derandomize=True, database=None, deadline=None)
@given(
    any_of.sampled_from(CODES),
    any_of.lists(any_of.tuples(any_of.integers(1, 9), any_of.integers(0, 50_000), any_of.floats(0, 1)), min_size=1),
    any_of.randoms(use_true_random=False),
)
def test_whatever_is_refunded_the_gateway_takes_each_amount_and_the_parts_sum(code, rows, random):
    """Units, amounts of a line and amounts over all lines, in any order, until nothing is left."""
    coin = currency(code)
    quantum = quantum_minor(coin)
    lines = [Line(units, total * quantum, int(total * part) * quantum) for units, total, part in rows]
    while left := [line for line in lines if line.refunded_minor < line.total_minor]:
        line, way = random.choice(left), random.choice(("units", "amount", "spread"))
        most = (line.total_minor - line.refunded_minor) // quantum
        if way == "units" and line.refunded_quantity < line.quantity:
            taken = [(line, share_of(line, random.randint(1, line.quantity - line.refunded_quantity), coin))]
        elif way == "amount":
            taken = [(line, share_of_amount(line, random.randint(1, most) * quantum, coin))]
        else:
            parts = spread(most * quantum, [one.total_minor - one.refunded_minor for one in lines], coin)
            taken = [(one, share_of_amount(one, part, coin)) for one, part in zip(lines, parts, strict=True)]
            assert sum(parts) == most * quantum
        for one, share in taken:
            for minor in (share.amount_minor, share.tax_minor):
                assert from_gateway(to_gateway(minor, code), code) == minor
            one.take(share)
    for line in lines:
        line.take(share_of(line, line.quantity - line.refunded_quantity, coin))
        assert line.refunded == (line.quantity, line.total_minor, line.tax_minor)
