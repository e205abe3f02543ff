"""What becomes of the prices of many courses or items: a rule that people choose, and its arithmetic."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from typing import Any, Literal, TypeVar, get_args

from domain import money
from domain.display_text import percent_text
from domain.errors import InvalidInput, Refused
from domain.money import Currency

T = TypeVar("T")
PriceChangeKind = Literal["set", "raise", "lower", "sale", "sale_percent", "end_sale"]
Rounding = Literal["exact", "whole", "nines"]
ROUNDINGS: tuple[Rounding, ...] = get_args(Rounding)
BY_AMOUNT, BY_PERCENT, SALES = ("set", "sale"), ("raise", "lower", "sale_percent"), ("sale", "sale_percent")
# A raise by more is a mistake of typing.
MAX_PERCENT = 900


@dataclass(frozen=True)
class PriceRule:
    """`amount`: of `set` and `sale`; `percent`: of the list price, of the others but `end_sale`, whose result gets
    `rounding`. `starts_at`, `ends_at`: of a sale; None: at once, and no end."""

    change: PriceChangeKind
    currency: Currency
    amount: Decimal | None = None
    percent: Decimal | None = None
    rounding: Rounding = "exact"
    starts_at: datetime | None = None
    ends_at: datetime | None = None
    reason: str = ""

    def as_json(self) -> dict[str, Any]:
        return {name: _text(value) for name, value in vars(self).items() if name != "currency"}


def rule_of(stored: Mapping[str, Any], currency: Currency) -> PriceRule:
    """The rule that `as_json` made these values of."""

    def read(name: str, kind: Callable[[str], T]) -> T | None:
        return None if stored[name] is None else kind(stored[name])

    return PriceRule(
        stored["change"],
        currency,
        read("amount", Decimal),
        read("percent", Decimal),
        stored["rounding"],
        read("starts_at", datetime.fromisoformat),
        read("ends_at", datetime.fromisoformat),
        stored["reason"],
    )


def require_complete(rule: PriceRule, at: datetime) -> None:
    """Raises InvalidInput for a rule that lacks what it needs, or that no price could follow."""
    errors: dict[str, str] = {}
    currency = rule.currency
    if rule.change in BY_AMOUNT and not rule.amount:
        errors["amount"] = "Enter an amount above zero."
    elif rule.amount is not None and not money.is_rounded(rule.amount, currency):
        errors["amount"] = f"This is finer than {currency.code} allows: {money.too_fine(currency)}."
    if rule.change in BY_PERCENT:
        most = MAX_PERCENT if rule.change == "raise" else 100
        if rule.percent is None or not 0 < rule.percent <= most or (rule.percent == most == 100):
            errors["percent"] = f"Enter a percentage above 0 and {'up to' if most > 100 else 'below'} {most}."
    if rule.change in SALES and rule.ends_at is not None and rule.ends_at <= max(rule.starts_at or at, at):
        errors["endsAt"] = "The sale must end after it begins, and in the future."
    if errors:
        raise InvalidInput(errors)


# The prices of many products are few.
@lru_cache(4_096)
def new_prices(rule: PriceRule, list_price: Decimal, sale_price: Decimal | None) -> tuple[Decimal, Decimal | None]:
    """List and sale price after the change; `sale_price`: of a sale that runs. Raises Refused for a price that would
    be nothing. What a shop takes for a price is for `prices.valid_prices`."""
    if rule.change == "end_sale":
        return list_price, None
    amount = _by_percent(rule, list_price) if rule.amount is None else rule.amount
    return (list_price, amount) if rule.change in SALES else (amount, sale_price)


def in_words(rule: PriceRule) -> str:
    """The name of its job, with {} for what it changes."""
    amount = "" if rule.amount is None else f"{money.to_text(rule.amount, rule.currency)} {rule.currency.code}"
    percent = "" if rule.percent is None else percent_text(rule.percent)
    return {
        "set": f"Set the price of {{}} to {amount}",
        "raise": f"Raise the price of {{}} by {percent}",
        "lower": f"Lower the price of {{}} by {percent}",
        "sale": f"Put {{}} on sale at {amount}",
        "sale_percent": f"Put {{}} on sale at {percent} less",
        "end_sale": "End the sale of {}",
    }[rule.change]


def _by_percent(rule: PriceRule, list_price: Decimal) -> Decimal:
    if not list_price:
        raise Refused("It costs nothing, and a percentage of nothing is nothing.")
    percent = rule.percent or Decimal(0)
    exact = list_price * (100 + (percent if rule.change == "raise" else -percent)) / 100
    amount = rounded(exact, rule.rounding, rule.currency)
    if amount <= 0:
        shown, least = f"{exact.normalize():f}", money.to_text(rule.currency.quantum, rule.currency)
        raise Refused(f"{shown} would be rounded to nothing: the smallest price is {least}.")
    return amount


def rounded(amount: Decimal, rounding: Rounding, currency: Currency) -> Decimal:
    """To the currency's smallest price; to the nearest whole unit; or to the nearest price just below one, such as
    19.99. Where a currency has no decimals, a unit is a hundred of it."""
    if rounding == "exact":
        return money.rounded(amount, currency)
    unit, less = Decimal(money.price_scale(currency)), currency.quantum if rounding == "nines" else Decimal(0)
    return money.rounded(((amount + less) / unit).quantize(Decimal(1), ROUND_HALF_UP) * unit - less, currency)


def _text(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value) if isinstance(value, Decimal) else value
