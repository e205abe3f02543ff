"""Amounts in the gateway's units, and back."""

import pytest

from adapters.payments.amounts import InvalidAmount, from_gateway, to_gateway


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
