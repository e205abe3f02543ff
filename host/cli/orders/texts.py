"""How commands print amounts, times and tables."""

import sys
from collections.abc import Sequence
from datetime import datetime

from rich.console import Console
from rich.table import Table
from rich.text import Text

from domain import money

# In a file or pipe no cell is truncated to the width of a terminal.
TABLE_WIDTH = 220


def amount(minor: int, currency: str) -> str:
    """Such as USD 12.30."""
    return f"{currency} {decimal(minor, currency)}"


def decimal(minor: int, currency: str) -> str:
    known = money.currency(currency)
    return money.to_text(money.from_minor(minor, known), known)


def time(at: datetime | None) -> str:
    return at.strftime("%Y-%m-%d %H:%M:%S") if at else ""


def print_table(headings: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    """Nothing for no rows. Texts are printed as they are, also with brackets."""
    if not rows:
        return
    table = Table(*headings)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    Console(width=None if sys.stdout.isatty() else TABLE_WIDTH).print(table)
