"""Money: Decimal in major units in Python, integer minor units for TypeScript, JSON and the gateway. Rounded half up.

Every function takes the currency: it decides how many decimals an amount has and to what prices are rounded.
"""

import re
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_DOWN, ROUND_HALF_UP, Decimal
from functools import lru_cache

from contracts.currencies import EXPONENTS
from domain.currency_signs import bare_amount
from domain.typed_values import DecimalSign, UnclearSign, read_grouped

# The maximum of the column type Money, DECIMAL(13,3).
_MAX_STORED = Decimal("9999999999.999")
_MAX_EXPONENT = 3
_FREE = frozenset(
    ("free", "gratis", "gratuit", "gratuito", "kostenlos", "бесплатно", "безкоштовно", "無料", "免费", "무료")
)
# What stands for "no smaller units" after an amount: 500.--, 20,-, 49:-, 499/-
_NO_CENTS = re.compile(r"(?:[.,:](?:-{1,2}|[\u2013\u2014])|/[-\u2013\u2014])\Z")


class UnknownCurrency(ValueError):
    """Not a currency of ISO 4217 with at most three decimals."""


# Compared by identity, as there is one object for each code: the caches below then hash and compare it fastest.
@dataclass(frozen=True, eq=False)
class Currency:
    """`exponent`: decimals of an amount; `quantum`: the smallest difference of prices, in major units.

    It is 0.010 where there are three decimals, because payment gateways want a last digit of 0 there. The function
    `currency` returns the one object of a code.
    """

    code: str
    exponent: int
    quantum: Decimal


def _currency(code: str, exponent: int) -> Currency:
    return Currency(code, exponent, Decimal("0.010") if exponent == _MAX_EXPONENT else Decimal(1).scaleb(-exponent))


_CURRENCIES = {code: _currency(code, exponent) for code, exponent in EXPONENTS.items() if exponent <= _MAX_EXPONENT}


def currency(code: str) -> Currency:
    """Raises UnknownCurrency."""
    found = _CURRENCIES.get(code)
    if found is None:
        raise UnknownCurrency(f"{code!r} is not a currency of ISO 4217 with at most {_MAX_EXPONENT} decimals")
    return found


_shop = _CURRENCIES["USD"]


def shop_currency() -> Currency:
    """The currency of the shop whose texts this process writes: CURRENCY in the host, else that of the demo shop."""
    return _shop


def set_shop_currency(chosen: Currency) -> Currency:
    """A process serves one shop, so it is set once, at the start. Returns the one of before."""
    global _shop
    before, _shop = _shop, chosen
    return before


def rounded(amount: Decimal, currency: Currency) -> Decimal:
    """The amount rounded to the currency's quantum, halves away from zero (contracts/cases/money.json)."""
    return _to_quantum(amount, currency, ROUND_HALF_UP)


def rounded_up(amount: Decimal, currency: Currency) -> Decimal:
    """The smallest amount of the currency that is not less: for what costs so much at most."""
    return _to_quantum(amount, currency, ROUND_CEILING)


def price_scale(currency: Currency) -> int:
    """How many of the currency's major units buy about what one dollar buys, as a round number: for amounts that the
    shop itself chooses, such as limits of filters and prices of the demo."""
    return 100 if currency.exponent == 0 else 1


def is_rounded(amount: Decimal, currency: Currency) -> bool:
    """Whether the amount is a multiple of the currency's quantum: what a price must be."""
    return amount == rounded(amount, currency)


def max_amount(currency: Currency) -> Decimal:
    """The largest price that can be stored."""
    return _to_quantum(_MAX_STORED, currency, ROUND_DOWN)


def _to_quantum(amount: Decimal, currency: Currency, rounding: str) -> Decimal:
    quantum = currency.quantum
    if currency.exponent == _MAX_EXPONENT:
        amount = amount.quantize(quantum.normalize(), rounding)
    return amount.quantize(quantum, rounding)


@lru_cache(10_000)
def to_minor(amount: Decimal, currency: Currency) -> int:
    """12.30 USD -> 1230: the form of TypeScript and of JSON props. Raises ValueError for a fraction of a minor unit."""
    minor = amount.scaleb(currency.exponent)
    if minor != minor.to_integral_value():
        raise ValueError(f"{amount} {currency.code} has more than {currency.exponent} decimals")
    return int(minor)


@lru_cache(10_000)
def from_minor(minor: int, currency: Currency) -> Decimal:
    return Decimal(minor).scaleb(-currency.exponent)


def quantum_minor(currency: Currency) -> int:
    """The currency's quantum in minor units: 10 where there are three decimals, else 1."""
    return to_minor(currency.quantum, currency)


def part_minor(total: int, part: int, whole: int, currency: Currency) -> int:
    """total * part / whole in minor units, rounded to the currency's quantum, half up. The whole is the total."""
    if part == whole:
        return total
    quantum = quantum_minor(currency)
    return (2 * total * part + whole * quantum) // (2 * whole * quantum) * quantum


def to_text(amount: Decimal, currency: Currency) -> str:
    """The amount with the currency's decimals and without a symbol: "1234.50", "1234", "1.230"."""
    return f"{rounded(amount, currency):f}"


# The prices of a large file are few.
@lru_cache(4096)
def parse(text: str, currency: Currency, decimal: DecimalSign = ".") -> Decimal:
    """The amount of a price in a file: "1,299.00", "$20", "19.99 €", "Fr. 500.--", "Free".

    Raises ValueError with a sentence when it is not a price, negative, too large, finer than the currency, or in
    another one.
    """
    bare = _NO_CENTS.sub("", bare_amount(" ".join(text.split()), currency.code))
    if bare.casefold() in _FREE:
        bare = "0"
    try:
        amount = read_grouped(bare, decimal)
    except UnclearSign:
        raise
    except ValueError:
        raise ValueError(f"{text[:40]!r} is not a price") from None
    most = max_amount(currency)
    if not 0 <= amount <= most:
        raise ValueError(f"{text[:40]!r} is not a price between 0 and {most}")
    if not is_rounded(amount, currency):
        raise ValueError(f"{text[:40]!r} is finer than {currency.code} allows: {too_fine(currency)}")
    return rounded(amount, currency)


def too_fine(currency: Currency) -> str:
    """What prices must be multiples of, in words for whoever sets one."""
    return f"prices are multiples of {currency.quantum}"
