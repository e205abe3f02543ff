"""Prices of a member's organisations in the data of a page. Documents have everyone's prices: caches store them."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from domain import money
from domain.database.database import Database
from domain.money import Currency
from domain.organisations.prices import ProductPrice, member_prices
from domain.shop_settings.shop import ShopSettings

_PRICE_FIELDS = {"id", "listPrice", "price"}


async def with_member_prices(db: Database, learner_id: int, props: Any, at: datetime, shop: ShopSettings) -> Any:
    """The props with the learner's price of every card, course and shop item that costs them less. Loaders' own
    objects are not changed: they are cached. Raises ServiceUnavailable."""
    products = list(_products(props, shop.currency))
    prices = await db.read(member_prices, learner_id, products, at, shop) if products else {}
    return _replaced(props, prices, shop.currency) if prices else props


def _products(value: Any, currency: Currency) -> Iterator[ProductPrice]:
    if isinstance(value, list):
        for item in value:
            yield from _products(item, currency)
    elif isinstance(value, dict):
        if value.keys() >= _PRICE_FIELDS:
            yield ProductPrice(value["id"], _kind(value), money.from_minor(value["price"], currency))
        for item in value.values():
            yield from _products(item, currency)


def _kind(value: Mapping[str, Any]) -> str:
    """Cards name their kind; the page of a shop item has its `itemKind`, that of a course neither."""
    return str(value.get("kind", "item" if "itemKind" in value else "course"))


def _replaced(value: Any, prices: Mapping[int, Decimal], currency: Currency) -> Any:
    if isinstance(value, list):
        return [_replaced(item, prices, currency) for item in value]
    if not isinstance(value, dict):
        return value
    copy = {name: _replaced(item, prices, currency) for name, item in value.items()}
    if value.keys() >= _PRICE_FIELDS and value["id"] in prices:
        copy["price"] = money.to_minor(prices[value["id"]], currency)
        if "saleUntil" in value:
            # The end of the sale is not the end of this price.
            copy["saleUntil"] = None
    return copy
