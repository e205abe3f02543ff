"""Rounding, minor units and parsing prices: contracts/cases/money.json."""

from decimal import Decimal

import pytest

from domain import money
from tests.support.agreement_cases import cases


@pytest.mark.parametrize("case", cases("money.json", "rounding"))
def test_an_amount_is_rounded_half_up_to_the_minor_unit(case):
    amount = Decimal(case["amount"])
    assert money.to_minor(amount) == case["minor"]
    assert money.round_to_cent(amount) * 100 == case["minor"]


@pytest.mark.parametrize("case", cases("money.json", "minor"))
def test_minor_units_become_an_amount_with_two_digits(case):
    assert str(money.from_minor(case["minor"])) == case["amount"]


@pytest.mark.parametrize("case", cases("money.json", "parse"))
def test_a_price_is_parsed(case):
    assert str(money.parse(case["text"])) == case["amount"]


@pytest.mark.parametrize("case", cases("money.json", "refused"))
def test_an_invalid_price_is_refused_with_a_sentence(case):
    with pytest.raises(ValueError) as refusal:  # noqa: PT011 the whole sentence is compared below
        money.parse(case["text"])
    assert str(refusal.value) == case["why"]
