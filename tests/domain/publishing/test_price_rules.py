"""The arithmetic of a rule for many prices, and how a rule is checked and stored."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from domain import money
from domain.errors import InvalidInput, Refused
from domain.publishing.bulk import price_rules
from domain.publishing.bulk.price_rules import PriceRule, new_prices, rule_of
from tests.support.factories import NOON
from tests.support.shops import USD

YEN = money.currency("JPY")
UP = PriceRule("raise", USD, percent=Decimal(10))
DAY = timedelta(days=1)


def percent(change: Any, number: str, rounding: Any = "exact", currency: Any = USD) -> PriceRule:
    return PriceRule(change, currency, percent=Decimal(number), rounding=rounding)


def amount(change: Any, number: str) -> PriceRule:
    return PriceRule(change, USD, amount=Decimal(number))


@pytest.mark.parametrize(
    ("rule", "list_price", "sale_price", "expected"),
    [
        (amount("set", "49.00"), "100.00", None, ("49.00", None)),
        (amount("set", "90.00"), "100.00", "80.00", ("90.00", "80.00")),
        (percent("raise", "10"), "19.99", None, ("21.99", None)),
        (percent("lower", "12.5"), "40.00", None, ("35.00", None)),
        (percent("raise", "7", "whole"), "19.99", None, ("21.00", None)),
        (percent("raise", "7", "nines"), "19.99", None, ("20.99", None)),
        (percent("lower", "33", "nines"), "29.00", None, ("18.99", None)),
        (percent("raise", "5", "exact", YEN), "1980", None, ("2079", None)),
        (percent("raise", "5", "whole", YEN), "1980", None, ("2100", None)),
        (percent("raise", "5", "nines", YEN), "1980", None, ("2099", None)),
        (amount("sale", "75.00"), "100.00", None, ("100.00", "75.00")),
        (percent("sale_percent", "25"), "99.99", "50.00", ("99.99", "74.99")),
        (PriceRule("end_sale", USD), "100.00", "80.00", ("100.00", None)),
    ],
)
def test_what_a_rule_makes_of_a_price(rule, list_price, sale_price, expected):
    found = new_prices(rule, Decimal(list_price), sale_price and Decimal(sale_price))
    assert found == tuple(value and Decimal(value) for value in expected)


@pytest.mark.parametrize(
    ("rule", "list_price", "reason"),
    [
        (percent("lower", "60"), "0.01", "0.004 would be rounded to nothing: the smallest price is 0.01."),
        (percent("lower", "70", "whole"), "1.00", "0.3 would be rounded to nothing: the smallest price is 0.01."),
        (percent("raise", "10"), "0.00", "It costs nothing, and a percentage of nothing is nothing."),
    ],
)
def test_a_price_that_would_be_nothing_is_refused(rule, list_price, reason):
    with pytest.raises(Refused) as refusal:
        new_prices(rule, Decimal(list_price), None)
    assert str(refusal.value) == reason


@pytest.mark.parametrize(
    ("rule", "field"),
    [
        (PriceRule("set", USD), "amount"),
        (amount("set", "0"), "amount"),
        (amount("sale", "9.999"), "amount"),
        (PriceRule("raise", USD), "percent"),
        (percent("lower", "100"), "percent"),
        (percent("sale_percent", "-5"), "percent"),
        (percent("raise", "901"), "percent"),
        (replace(amount("sale", "9.00"), ends_at=NOON - DAY), "endsAt"),
        (replace(amount("sale", "9.00"), starts_at=NOON + 2 * DAY, ends_at=NOON + DAY), "endsAt"),
    ],
)
def test_a_rule_says_what_it_lacks(rule, field):
    with pytest.raises(InvalidInput) as refusal:
        price_rules.require_complete(rule, NOON)
    assert [*refusal.value.errors] == [field]


@pytest.mark.parametrize(
    "rule",
    [UP, PriceRule("sale", USD, amount=Decimal("9.90"), starts_at=NOON, ends_at=NOON + DAY, reason="Spring")],
)
def test_a_rule_is_stored_whole(rule):
    assert rule_of(rule.as_json(), USD) == rule
