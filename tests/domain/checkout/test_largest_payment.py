"""What the gateway takes at once is asked before an order is placed, in the units of the shop's currency."""

import pytest

from adapters.payments.amounts import limits, to_gateway
from domain.checkout.priced import CheckoutPrice
from domain.checkout.purchase_checks import order_refusals
from domain.orders.settings import OrderSettings


def refusals(total_minor: int, currency: str) -> dict:
    price = CheckoutPrice((), currency, "exclusive", total_minor, 0, 0, 0, total_minor, 1, {})
    settings = OrderSettings(largest_payment_minor=limits(currency).largest_minor)
    return dict(order_refusals(price, "ada@example.test", settings))


@pytest.mark.parametrize(
    ("currency", "largest", "words"),
    [("ISK", 999_999, "ISK"), ("UGX", 999_999, "UGX"), ("USD", 99_999_999, "$999,999.99"), ("KWD", 99_999_990, "KWD")],
)
def test_an_order_of_more_than_the_gateway_takes_is_refused_before_it_is_placed(currency, largest, words):
    assert refusals(largest, currency) == {}
    assert to_gateway(largest, currency)
    text = refusals(largest + 10, currency)[None]
    assert text.startswith("At most ")
    assert text.endswith(" can be paid at once. Split this order into several.")
    assert words in text
