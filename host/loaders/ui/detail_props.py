"""The props of components/admin/DetailView.tsx: facts of one thing, and short tables of what belongs to it.

Both are made of the cells of lists (table_cells.py), so that an amount or a day looks the same everywhere.
"""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from typing_extensions import TypedDict

from host.loaders.ui.table_cells import Cell, CellKind, Column

T = TypeVar("T")


class Fact(TypedDict):
    """`cell` null: there is no value."""

    label: str
    cell: Cell | None


class ShortColumn(TypedDict):
    key: str
    label: str
    kind: CellKind


class ShortTable(TypedDict):
    """All rows of a list that is never long. `empty`: why there are none."""

    id: str
    title: str
    columns: list[ShortColumn]
    rows: list[list[Cell | None]]
    empty: str


class DetailProps(TypedDict):
    """The page of one thing. `backHref` leads to its list."""

    title: str
    heading: str
    backHref: str
    backText: str
    facts: list[Fact]
    tables: list[ShortTable]


def facts(columns: Sequence[Column[T]], row: T) -> list[Fact]:
    return [{"label": column.label, "cell": column.cell(row)} for column in columns]


def short_table(table_id: str, title: str, empty: str, columns: Sequence[Column[T]], rows: Iterable[T]) -> ShortTable:
    return {
        "id": table_id,
        "title": title,
        "columns": [{"key": column.key, "label": column.label, "kind": column.kind} for column in columns],
        "rows": [[column.cell(row) for column in columns] for row in rows],
        "empty": empty,
    }
