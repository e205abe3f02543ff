"""Arguments of commands."""

import argparse
from datetime import date
from decimal import Decimal

from domain import money
from domain.errors import Refused
from domain.money import Currency
from domain.typed_values import read_day, read_integer


def line_units(text: str) -> tuple[int, int | None]:
    """A line of an order and its units, such as 2 or 2:1; None: all that are left. Raises ArgumentTypeError."""
    number, _, quantity = text.partition(":")
    try:
        return int(number), int(quantity) if quantity else None
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a line such as 2 or 2:1") from None


def integer(text: str) -> int:
    """Raises argparse.ArgumentTypeError."""
    try:
        return read_integer(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def positive(text: str) -> int:
    """A number of at most five digits. Raises argparse.ArgumentTypeError."""
    number = integer(text)
    if not 0 < number < 100_000:
        raise argparse.ArgumentTypeError(f"{text} is not from 1 to 99999")
    return number


def day(text: str) -> date:
    """A day such as 2026-11-01. Raises ArgumentTypeError."""
    try:
        return read_day(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a day such as 2026-11-01") from None


def amount(text: str, currency: Currency) -> Decimal:
    """An amount that the command has parsed as a text. Raises Refused."""
    try:
        return money.parse(text, currency)
    except ValueError as error:
        raise Refused(f"{error}.") from None
