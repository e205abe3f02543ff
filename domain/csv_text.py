"""Rows as CSV for spreadsheets, which take text that begins like a formula for one: such text gets an apostrophe before
it. Numbers never do."""

import csv
from collections.abc import Iterable
from io import StringIO

# Spreadsheets take UTF-8 without it for the character set of their machine.
BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def safe_text(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def csv_lines(rows: Iterable[Iterable[str]]) -> str:
    text = StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(rows)
    return text.getvalue()
