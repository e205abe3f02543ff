"""What things cost: tests/agreements/pricing.json, and what must hold for every cart there can be."""

import random
from decimal import Decimal

import pytest

from domain import pricing
from domain.money import from_minor
from domain.pricing import Line, Offer
from tests.agreements import cases
from tests.domain.pricing_cases import quoted

SEEDS = range(60)


@pytest.mark.parametrize("case", cases("pricing.json", "quotes"))
def test_a_cart_costs_what_was_agreed(case):
    assert quoted(case) == case["quote"]


def any_offer(chance: random.Random, name: str, for_cart: bool = False) -> Offer | None:
    if chance.random() < 0.3:
        return None
    kind = chance.choice(("percent", "amount") if for_cart else ("percent", "amount", "price"))
    most = 10_000 if kind == "percent" else 30_000
    return Offer(
        name=name,
        kind=kind,
        value=from_minor(chance.randint(0, most)),
        minimum=from_minor(chance.choice((0, 0, 5_000, 20_000))),
        covers=chance.choice(("all", "all", "course", "item", "tax", "data")),
        products=frozenset(chance.sample(range(8), chance.choice((0, 0, 3)))),
    )


def any_line(chance: random.Random, number: int) -> Line:
    price = chance.choice((0, 1, 99, 4_900, 9_999, chance.randint(0, 50_000)))
    sale = chance.choice((None, chance.randint(0, price)))
    return Line(
        id=number,
        kind=chance.choice(("course", "item")),
        category=chance.choice(("tax", "data")),
        list_price=from_minor(price),
        sale_price=None if sale is None else from_minor(sale),
        quantity=chance.choice((1, 1, 2, 99)),
        organisation=any_offer(chance, "Northwind"),
        code=any_offer(chance, "CODE"),
    )


def any_cart(seed: int) -> tuple[random.Random, list[Line], Offer | None]:
    chance = random.Random(seed)
    return chance, [any_line(chance, number) for number in range(chance.randint(0, 8))], any_offer(chance, "CART", True)


def totals(quote: pricing.Quote) -> dict[int, Decimal]:
    return {line.id: line.total for line in quote.lines}


@pytest.mark.parametrize("seed", SEEDS)
def test_no_line_falls_below_nothing_and_the_total_is_their_sum(seed):
    _, lines, coupon = any_cart(seed)
    quote = pricing.quote(lines, coupon, Decimal("7.70"))
    assert all(step.total >= 0 for line in quote.lines for step in line.steps)
    assert all(line.unit_price >= 0 for line in quote.lines)
    assert quote.total == sum(totals(quote).values()) == quote.subtotal - quote.discount + quote.tax


@pytest.mark.parametrize("seed", SEEDS)
def test_the_steps_of_a_line_lead_to_its_total(seed):
    _, lines, coupon = any_cart(seed)
    for line, priced in zip(lines, pricing.quote(lines, coupon).lines, strict=True):
        assert priced.total == line.list_price * line.quantity + sum(step.change for step in priced.steps)
        assert all(loser.total >= priced.total for loser in priced.losers)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_order_of_lines_changes_nothing(seed):
    chance, lines, coupon = any_cart(seed)
    shuffled = chance.sample(lines, len(lines))
    first, second = pricing.quote(lines, coupon), pricing.quote(shuffled, coupon)
    assert totals(first) == totals(second)
    assert {line.id: line for line in first.lines} == {line.id: line for line in second.lines}
    assert (first.subtotal, first.discount, first.total) == (second.subtotal, second.discount, second.total)


@pytest.mark.parametrize("seed", SEEDS)
def test_an_offer_more_never_raises_a_price(seed):
    chance, lines, coupon = any_cart(seed)
    without = totals(pricing.quote(lines))
    assert all(total <= without[one] for one, total in totals(pricing.quote(lines, coupon)).items())
    if lines:
        changed = chance.randrange(len(lines))
        plain = [Line(**{**vars(line), "code": None}) if at == changed else line for at, line in enumerate(lines)]
        before = totals(pricing.quote(plain, coupon))
        assert all(total <= before[one] for one, total in totals(pricing.quote(lines, coupon)).items())


@pytest.mark.parametrize("seed", SEEDS)
def test_an_amount_off_the_cart_is_taken_whole_or_takes_the_whole(seed):
    chance, lines, _ = any_cart(seed)
    bare = [Line(**{**vars(line), "code": None, "organisation": None}) for line in lines]
    amount = Offer("CART", "amount", from_minor(chance.randint(0, 90_000)))
    quote = pricing.quote(bare, amount)
    assert quote.discount == min(amount.value, sum(line.base for line in bare))
