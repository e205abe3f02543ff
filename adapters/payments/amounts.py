"""Amounts in the gateway's units. It counts a currency in our minor units, but for two currencies without decimals that
it counts in hundredths, and for those with three decimals it wants the last one to be 0.

Source: https://docs.stripe.com/currencies ("Zero-decimal", "Three-decimal", "Special cases").
"""

from contracts.currencies import EXPONENTS
from domain.payments.gateway import AmountLimits

COUNTED_IN_HUNDREDTHS = frozenset({"ISK", "UGX"})
HUNDREDTHS = 100
MULTIPLE_OF_THREE_DECIMALS = 10


# The gateway takes no larger amount, in its own units.
LARGEST = 99_999_999


class InvalidAmount(ValueError):
    """The gateway cannot take this amount, or we cannot count it."""


def limits(currency: str) -> AmountLimits:
    """What the gateway takes in a currency, in our minor units."""
    step = MULTIPLE_OF_THREE_DECIMALS if EXPONENTS.get(currency) == 3 else 1
    return AmountLimits(LARGEST // _factor(currency) // step * step, step)


def to_gateway(amount_minor: int, currency: str) -> int:
    """Our minor units in the gateway's. Raises InvalidAmount."""
    if amount_minor < 0 or currency not in EXPONENTS:
        raise InvalidAmount(f"{amount_minor} {currency} cannot be charged")
    if EXPONENTS[currency] == 3 and amount_minor % MULTIPLE_OF_THREE_DECIMALS:
        raise InvalidAmount(f"{amount_minor} {currency} has a third decimal, which the gateway refuses")
    if amount_minor > limits(currency).largest_minor:
        raise InvalidAmount(f"{amount_minor} {currency} is more than the gateway takes at once")
    amount = amount_minor * _factor(currency)
    if from_gateway(amount, currency) != amount_minor:
        raise InvalidAmount(f"{amount_minor} {currency} does not convert back")
    return amount


def from_gateway(amount: int, currency: str) -> int:
    """The gateway's units in ours. Raises InvalidAmount for a fraction of our minor unit."""
    amount_minor, rest = divmod(amount, _factor(currency))
    if rest:
        raise InvalidAmount(f"{amount} of the gateway's units of {currency} is no whole amount")
    return amount_minor


def _factor(currency: str) -> int:
    return HUNDREDTHS if currency in COUNTED_IN_HUNDREDTHS else 1
