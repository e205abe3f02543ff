"""The rows of a table as CSV, in the columns that its address chooses (docs/decisions: lists as CSV).

Amounts are decimal text in the shop's currency, days and times ISO 8601 in UTC, progress whole percent. A spreadsheet
takes text that begins like a formula for one: such text gets an apostrophe before it. Numbers never do.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from domain.csv_text import BOM, csv_lines, safe_text
from domain.money import Currency, from_minor
from host.loaders.ui.table_cells import Cell, CellKind, Column, rows_of_cells
from host.loaders.ui.table_query import TableQuery
from host.loaders.ui.table_spec import TableSpec

T = TypeVar("T")
# A picture has no text; its row is named by the first column.
_LEFT_OUT: frozenset[CellKind] = frozenset({"image"})


def csv_columns(spec: TableSpec[T], query: TableQuery) -> list[Column[T]]:
    """The shown columns that have a text."""
    return [column for column in spec.columns if column.key in query.columns and column.kind not in _LEFT_OUT]


def header(columns: Sequence[Column[Any]], currency: Currency) -> bytes:
    """The first line, with the byte order mark."""
    return (BOM + csv_lines([[_heading(column, currency) for column in columns]])).encode()


def lines(columns: Sequence[Column[T]], rows: Iterable[T], currency: Currency) -> bytes:
    return csv_lines([_text(cell, currency) for cell in cells] for cells in rows_of_cells(columns, rows)).encode()


def _heading(column: Column[Any], currency: Currency) -> str:
    units = {"money": f" ({currency.code})", "time": " (UTC)", "progress": " (%)"}
    return safe_text(column.label + units.get(column.kind, ""))


def _text(cell: Cell | None, currency: Currency) -> str:
    return "" if cell is None else _TEXTS[cell["kind"]](cell, currency)


_TEXTS: dict[CellKind, Callable[[Any, Currency], str]] = {
    "text": lambda cell, _: safe_text(cell["text"]),
    "link": lambda cell, _: safe_text(cell["text"]),
    "badge": lambda cell, _: safe_text(cell["text"]),
    "money": lambda cell, currency: f"{from_minor(cell['minor'], currency):f}",
    "count": lambda cell, _: str(cell["value"]),
    "date": lambda cell, _: str(cell["day"]),
    "time": lambda cell, _: cell["at"].isoformat(),
    "progress": lambda cell, _: str(cell["percent"]),
    "strip": lambda cell, _: safe_text(cell["text"]),
}
