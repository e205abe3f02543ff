"""The pricing engine: the cases of contracts/cases/pricing.json, and properties of random carts."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as any_of

from domain.money import is_rounded
from domain.pricing import engine as pricing_engine
from domain.pricing.inputs import QuoteInputs
from domain.pricing.offers import Line, Offer
from domain.pricing.quote import Quote
from domain.shop_settings.shop import ShopSettings
from domain.tax.context import TaxComponent, TaxContext
from domain.tax.places import Place
from tests.domain.pricing.cases import inputs, percent, quoted
from tests.support.agreement_cases import cases
from tests.support.examples import EXAMPLES
from tests.support.shops import SHOPS

# Every run has equal carts, so that failures can be repeated.
same_carts = settings(max_examples=EXAMPLES, derandomize=True, database=None, deadline=None)


@pytest.mark.parametrize("case", cases("pricing.json", "quotes") + cases("pricing.json", "orders"))
def test_a_cart_has_the_quote_of_its_case(case):
    assert quoted(case) == case["quote"]


@pytest.mark.parametrize("case", cases("price-messages.json", "cases"))
def test_messages_write_amounts_as_the_shops_pages_do(case):
    quote = pricing_engine.price(inputs(case))
    rejected = [offer for line in quote.lines for offer in line.rejected_offers]
    assert [offer.message for offer in (*quote.refusals, *rejected)] == case["messages"]


def offers(shop: ShopSettings, name: str, *kinds: str) -> any_of.SearchStrategy[Offer | None]:
    def offer_of(kind: str) -> any_of.SearchStrategy[Offer]:
        values = any_of.integers(0, 10_000).map(percent) if kind == "percent" else amounts(shop, 30_000)
        return any_of.builds(
            Offer,
            name=any_of.just(name),
            kind=any_of.just(kind),
            value=values,
            minimum=any_of.sampled_from((0, 0, 5_000, 20_000)).map(lambda quanta: quanta * shop.currency.quantum),
            applies_to=any_of.sampled_from(("all", "course", "item", "tax", "data")),
            products=any_of.frozensets(any_of.integers(0, 7), max_size=3),
        )

    return any_of.none() | any_of.sampled_from(kinds).flatmap(offer_of)


def amounts(shop: ShopSettings, most: int) -> any_of.SearchStrategy[Decimal]:
    return any_of.integers(0, most).map(lambda quanta: quanta * shop.currency.quantum)


def lines_of(shop: ShopSettings) -> any_of.SearchStrategy[list[Line]]:
    prices = amounts(shop, 99) | amounts(shop, 50_000) | amounts(shop, 99_999_999)
    return any_of.lists(
        any_of.builds(
            Line,
            id=any_of.integers(0, 7),
            kind=any_of.sampled_from(("course", "item")),
            category=any_of.sampled_from(("tax", "data")),
            list_price=prices,
            sale_price=any_of.none() | prices,
            quantity=any_of.integers(1, 99),
            organisation=offers(shop, "Northwind", "percent", "amount", "price"),
            code=offers(shop, "CODE", "percent", "amount", "price"),
        ),
        max_size=8,
        unique_by=lambda line: line.id,
    )


def cart_of(shop: ShopSettings) -> any_of.SearchStrategy[tuple[ShopSettings, list[Line], Offer | None]]:
    return any_of.tuples(any_of.just(shop), lines_of(shop), offers(shop, "CART", "percent", "amount"))


TAX = TaxContext(Place("CH"), {"service": (TaxComponent("VAT", Decimal("7.7")),)})


CARTS = any_of.sampled_from(SHOPS).flatmap(cart_of)


def totals(quote: Quote) -> dict[int, Decimal]:
    return {line.id: line.total for line in quote.lines}


def without(line: Line, *names: str) -> Line:
    return Line(**{**vars(line), **dict.fromkeys(names)})


def amounts_of(quote: Quote) -> list[Decimal]:
    """Every amount of a quote."""
    steps = [amount for line in quote.lines for step in line.steps for amount in (step.change, step.total)]
    offers = [offer.total for line in quote.lines for offer in line.rejected_offers]
    units = [line.unit_price for line in quote.lines]
    return [*steps, *offers, *units, quote.subtotal, quote.discount, quote.tax, quote.total]


@same_carts
@given(CARTS)
def test_every_amount_is_a_multiple_of_the_quantum_and_none_is_below_0(cart):
    shop, lines, coupon = cart
    quote = pricing_engine.price(QuoteInputs(tuple(lines), coupon, shop, TAX))
    assert all(is_rounded(amount, shop.currency) for amount in amounts_of(quote))
    assert all(step.total >= 0 for line in quote.lines for step in line.steps)
    assert all(line.unit_price >= 0 for line in quote.lines)


@same_carts
@given(CARTS)
def test_the_total_is_the_sum_of_the_lines(cart):
    shop, lines, coupon = cart
    quote = pricing_engine.price(QuoteInputs(tuple(lines), coupon, shop, TAX))
    assert quote.total == sum(totals(quote).values()) == quote.subtotal - quote.discount + quote.tax


@same_carts
@given(CARTS)
def test_the_steps_of_a_line_add_up_to_its_total(cart):
    shop, lines, coupon = cart
    for line, priced in zip(lines, pricing_engine.price(QuoteInputs(tuple(lines), coupon, shop)).lines, strict=True):
        assert priced.total == line.list_price * line.quantity + sum(step.change for step in priced.steps)
        assert all(offer.total >= priced.total for offer in priced.rejected_offers)


@same_carts
@given(CARTS.flatmap(lambda cart: any_of.tuples(any_of.just(cart), any_of.permutations(cart[1]))))
def test_the_order_of_lines_changes_nothing(both):
    (shop, lines, coupon), reordered = both
    first, second = (pricing_engine.price(QuoteInputs(tuple(each), coupon, shop)) for each in (lines, reordered))
    assert {line.id: line for line in first.lines} == {line.id: line for line in second.lines}
    assert (first.subtotal, first.discount, first.total) == (second.subtotal, second.discount, second.total)


@same_carts
@given(CARTS)
def test_a_coupon_on_the_cart_never_raises_a_price(cart):
    shop, lines, coupon = cart
    before, after = (totals(pricing_engine.price(QuoteInputs(tuple(lines), each, shop))) for each in (None, coupon))
    assert all(total <= before[line_id] for line_id, total in after.items())


@same_carts
@given(CARTS.filter(lambda cart: bool(cart[1])), any_of.integers(0, 7))
def test_a_code_on_a_line_never_raises_a_price(cart, place):
    shop, lines, coupon = cart
    at = place % len(lines)
    before = totals(
        pricing_engine.price(QuoteInputs((*lines[:at], without(lines[at], "code"), *lines[at + 1 :]), coupon, shop))
    )
    after = totals(pricing_engine.price(QuoteInputs(tuple(lines), coupon, shop)))
    assert all(total <= before[line_id] for line_id, total in after.items())


@same_carts
@given(CARTS, any_of.integers(0, 90_000))
def test_an_amount_off_the_cart_reduces_it_by_the_amount_or_to_0(cart, quanta):
    shop, lines, _ = cart
    bare = [without(line, "code", "organisation") for line in lines]
    off = Offer("CART", "amount", quanta * shop.currency.quantum)
    assert pricing_engine.price(QuoteInputs(tuple(bare), off, shop)).discount == min(
        off.value, sum(line.base for line in bare)
    )
