"""The stored currency of a shop. Both databases."""

from decimal import Decimal

import pytest
from sqlalchemy import select

from domain.errors import Refused
from domain.shop_settings.stored import record_currency
from domain.tables import StoredShop
from tests.support import factories
from tests.support.shops import JPY, USD


def stored(session) -> tuple[str, str]:
    return session.execute(select(StoredShop.uid, StoredShop.currency)).one()


@pytest.mark.each_database
def test_a_shop_without_prices_may_change_its_currency_and_stays_the_same_shop(session):
    record_currency(session, USD)
    uid, currency = stored(session)
    assert (len(uid), currency) == (36, "USD")
    factories.course(session, factories.category(session).id, list_price=Decimal(0))
    record_currency(session, JPY)
    assert stored(session) == (uid, "JPY")


def test_the_same_currency_is_accepted_again(session):
    factories.course(session, factories.category(session).id)
    for _ in range(2):
        record_currency(session, USD)
    assert stored(session)[1] == "USD"


@pytest.mark.parametrize(
    "price",
    [
        lambda session: factories.course(session, factories.category(session).id, list_price=Decimal("0.01")),
        lambda session: factories.coupon(session, kind="amount", value=Decimal(5)),
        lambda session: factories.coupon(session, kind="percent", value=Decimal(5), minimum=Decimal(50)),
    ],
    ids=["a product", "an amount off", "a minimum"],
)
def test_another_currency_is_refused_once_anything_has_a_price(session, price):
    record_currency(session, USD)
    price(session)
    with pytest.raises(Refused, match="This shop has prices in USD: start it with CURRENCY=USD"):
        record_currency(session, JPY)
    assert stored(session)[1] == "USD"
