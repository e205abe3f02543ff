"""The pricing engine: the cases of contracts/cases/pricing.json, and properties of random carts."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as any_of

from domain import pricing
from domain.money import from_minor
from domain.pricing import Line, Offer
from tests.domain.pricing.cases import quoted
from tests.support.agreement_cases import cases
from tests.support.examples import EXAMPLES

# The same carts in every run, so that failures can be repeated.
same_carts = settings(max_examples=EXAMPLES, derandomize=True, database=None, deadline=None)


@pytest.mark.parametrize("case", cases("pricing.json", "quotes"))
def test_a_cart_has_the_quote_of_its_case(case):
    assert quoted(case) == case["quote"]


def offers(name: str, *kinds: str) -> any_of.SearchStrategy[Offer | None]:
    def offer_of(kind: str) -> any_of.SearchStrategy[Offer]:
        return any_of.builds(
            Offer,
            name=any_of.just(name),
            kind=any_of.just(kind),
            value=any_of.integers(0, 10_000 if kind == "percent" else 30_000).map(from_minor),
            minimum=any_of.sampled_from((0, 0, 5_000, 20_000)).map(from_minor),
            applies_to=any_of.sampled_from(("all", "course", "item", "tax", "data")),
            products=any_of.frozensets(any_of.integers(0, 7), max_size=3),
        )

    return any_of.none() | any_of.sampled_from(kinds).flatmap(offer_of)


PRICES = any_of.integers(0, 99) | any_of.integers(0, 50_000) | any_of.integers(0, 99_999_999)
LINES = any_of.lists(
    any_of.builds(
        Line,
        id=any_of.integers(0, 7),
        kind=any_of.sampled_from(("course", "item")),
        category=any_of.sampled_from(("tax", "data")),
        list_price=PRICES.map(from_minor),
        sale_price=any_of.none() | PRICES.map(from_minor),
        quantity=any_of.integers(1, 99),
        organisation=offers("Northwind", "percent", "amount", "price"),
        code=offers("CODE", "percent", "amount", "price"),
    ),
    max_size=8,
    unique_by=lambda line: line.id,
)
COUPONS = offers("CART", "percent", "amount")


def totals(quote: pricing.Quote) -> dict[int, Decimal]:
    return {line.id: line.total for line in quote.lines}


def without(line: Line, *names: str) -> Line:
    return Line(**{**vars(line), **dict.fromkeys(names)})


@same_carts
@given(LINES, COUPONS)
def test_no_line_costs_less_than_0_and_the_total_is_their_sum(lines, coupon):
    quote = pricing.quote(lines, coupon, Decimal("7.70"))
    assert all(step.total >= 0 for line in quote.lines for step in line.steps)
    assert all(line.unit_price >= 0 for line in quote.lines)
    assert quote.total == sum(totals(quote).values()) == quote.subtotal - quote.discount + quote.tax


@same_carts
@given(LINES, COUPONS)
def test_the_steps_of_a_line_add_up_to_its_total(lines, coupon):
    for line, priced in zip(lines, pricing.quote(lines, coupon).lines, strict=True):
        assert priced.total == line.list_price * line.quantity + sum(step.change for step in priced.steps)
        assert all(offer.total >= priced.total for offer in priced.rejected_offers)


@same_carts
@given(LINES.flatmap(lambda lines: any_of.tuples(any_of.just(lines), any_of.permutations(lines))), COUPONS)
def test_the_order_of_lines_changes_nothing(both, coupon):
    first, second = (pricing.quote(lines, coupon) for lines in both)
    assert {line.id: line for line in first.lines} == {line.id: line for line in second.lines}
    assert (first.subtotal, first.discount, first.total) == (second.subtotal, second.discount, second.total)


@same_carts
@given(LINES, COUPONS)
def test_a_coupon_on_the_cart_never_raises_a_price(lines, coupon):
    before = totals(pricing.quote(lines))
    assert all(total <= before[line_id] for line_id, total in totals(pricing.quote(lines, coupon)).items())


@same_carts
@given(LINES.filter(bool), COUPONS, any_of.integers(0, 7))
def test_a_code_on_a_line_never_raises_a_price(lines, coupon, place):
    at = place % len(lines)
    before = totals(pricing.quote([*lines[:at], without(lines[at], "code"), *lines[at + 1 :]], coupon))
    assert all(total <= before[line_id] for line_id, total in totals(pricing.quote(lines, coupon)).items())


@same_carts
@given(LINES, any_of.integers(0, 90_000))
def test_an_amount_off_the_cart_reduces_it_by_the_amount_or_to_0(lines, amount):
    bare = [without(line, "code", "organisation") for line in lines]
    off = Offer("CART", "amount", from_minor(amount))
    assert pricing.quote(bare, off).discount == min(off.value, sum(line.base for line in bare))
