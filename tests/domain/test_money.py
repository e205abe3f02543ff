"""Currencies, rounding, minor units and parsing prices: contracts/cases/money.json."""

from decimal import Decimal

import pytest

from domain import money
from domain.money import currency
from tests.support.agreement_cases import cases
from tests.support.shops import JPY, KWD, USD


@pytest.mark.parametrize("case", cases("money.json", "currencies"))
def test_a_currency_has_its_decimals_and_its_smallest_step(case):
    found = currency(case["code"])
    assert (found.exponent, money.to_minor(found.quantum, found)) == (case["exponent"], case["quantum"])
    assert str(found.quantum) == case["step"]


@pytest.mark.parametrize("code", ["CLF", "UDS", "usd", ""])
def test_a_currency_with_four_decimals_or_an_unknown_one_is_refused(code):
    with pytest.raises(money.UnknownCurrency, match=f"'{code}' is not a currency of ISO 4217 with at most 3 decimals"):
        currency(code)


@pytest.mark.parametrize("case", cases("money.json", "rounding"))
def test_an_amount_is_rounded_half_up_to_the_quantum(case):
    used = currency(case["currency"])
    amount = money.rounded(Decimal(case["amount"]), used)
    assert (money.to_minor(amount, used), money.to_text(amount, used)) == (case["minor"], case["text"])
    assert money.is_rounded(Decimal(case["amount"]), used) is (Decimal(case["amount"]) == amount)


@pytest.mark.parametrize("case", cases("money.json", "minor"))
def test_minor_units_become_an_amount_with_the_digits_of_its_currency(case):
    used = currency(case["currency"])
    amount = money.from_minor(case["minor"], used)
    assert (str(amount), money.to_minor(amount, used)) == (case["amount"], case["minor"])


@pytest.mark.parametrize(("amount", "used"), [("1.005", USD), ("0.5", JPY), ("1.0005", KWD)])
def test_a_fraction_of_a_minor_unit_is_refused(amount, used):
    with pytest.raises(ValueError, match=f"{amount} {used.code} has more than {used.exponent} decimals"):
        money.to_minor(Decimal(amount), used)


def test_amounts_of_the_database_have_more_decimals_than_their_currency():
    assert money.to_minor(Decimal("49.900"), USD) == 4990
    assert money.to_minor(Decimal("4990.000"), JPY) == 4990
    assert money.to_text(Decimal("4990.000"), JPY) == "4990"


@pytest.mark.parametrize("case", cases("money.json", "parse"))
def test_a_price_is_parsed(case):
    assert str(money.parse(case["text"], currency(case["currency"]))) == case["amount"]


@pytest.mark.parametrize("case", cases("money.json", "refused"))
def test_an_invalid_price_is_refused_with_a_sentence(case):
    with pytest.raises(ValueError) as refusal:  # noqa: PT011 the whole sentence is compared below
        money.parse(case["text"], currency(case["currency"]))
    assert str(refusal.value) == case["why"]
