"""Amounts of the demo shop, which its files give in dollars, in the shop's currency."""

from decimal import Decimal

from domain.money import Currency, price_scale, rounded


def price(dollars: str | Decimal, currency: Currency) -> Decimal:
    """A hundred times as high in a currency without decimals."""
    return rounded(Decimal(dollars) * price_scale(currency), currency)
