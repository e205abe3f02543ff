"""CSV of commands, on standard output, for spreadsheets."""

import csv
import sys
from collections.abc import Callable, Sequence
from decimal import Decimal

BYTE_ORDER_MARK = "\ufeff"
# A spreadsheet would read text that begins so as a formula.
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")


def open_csv() -> Callable[[Sequence[str | int | Decimal]], None]:
    """Begins the output; returns what writes a row."""
    sys.stdout.write(BYTE_ORDER_MARK)
    writer = csv.writer(sys.stdout)

    def write(cells: Sequence[str | int | Decimal]) -> None:
        writer.writerow([cell_text(cell) for cell in cells])

    return write


def cell_text(cell: str | int | Decimal) -> str:
    """Numbers as decimal text; text so that no spreadsheet takes it for a formula."""
    if isinstance(cell, Decimal):
        return f"{cell:f}"
    if isinstance(cell, int):
        return str(cell)
    return f"'{cell}" if cell.startswith(FORMULA_SIGNS) else cell
