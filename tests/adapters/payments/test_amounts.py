"""Amounts in the gateway's units, and back."""

import pytest

from adapters.payments.amounts import InvalidAmount, from_gateway, limits, to_gateway
from contracts.currencies import EXPONENTS
from domain.payments.gateway import AmountLimits
from standins.payments.currencies import CURRENCIES, total_problem


@pytest.mark.parametrize(
    ("amount_minor", "currency", "at_gateway"),
    [
        (0, "USD", 0),
        (1999, "USD", 1999),
        (1999, "JPY", 1999),
        (1990, "KWD", 1990),
        (5, "ISK", 500),
        (5, "UGX", 500),
        (99_999_999, "EUR", 99_999_999),
    ],
)
def test_an_amount_converts_to_the_gateways_units_and_back(amount_minor, currency, at_gateway):
    assert to_gateway(amount_minor, currency) == at_gateway
    assert from_gateway(at_gateway, currency) == amount_minor


@pytest.mark.parametrize(("amount_minor", "currency"), [(1995, "KWD"), (1, "BHD"), (-1, "USD"), (100, "XXX")])
def test_an_amount_that_the_gateway_cannot_take_is_refused(amount_minor, currency):
    with pytest.raises(InvalidAmount):
        to_gateway(amount_minor, currency)


@pytest.mark.parametrize("currency", ["ISK", "UGX"])
def test_a_fraction_of_our_minor_unit_is_refused(currency):
    with pytest.raises(InvalidAmount):
        from_gateway(550, currency)


@pytest.mark.parametrize(
    ("currency", "largest"),
    [("USD", 99_999_999), ("JPY", 99_999_999), ("ISK", 999_999), ("UGX", 999_999), ("KWD", 99_999_990)],
)
def test_what_the_gateway_takes_at_once_is_counted_in_our_units(currency, largest):
    assert limits(currency).largest_minor == largest
    with pytest.raises(InvalidAmount):
        to_gateway(largest + limits(currency).step_minor, currency)


@pytest.mark.parametrize("code", sorted(code.upper() for code in CURRENCIES if code.upper() in EXPONENTS))
def test_the_gateway_takes_the_largest_amount_of_each_currency(code):
    assert total_problem(to_gateway(limits(code).largest_minor, code), code.lower()) is None


def test_a_currency_with_three_decimals_is_taken_in_tens():
    assert limits("TND") == AmountLimits(99_999_990, 10)
