"""The props of components/admin/DetailView.tsx: facts of one thing, and short tables of what belongs to it.

Both are made of the cells of lists (table_cells.py), so that an amount or a day looks the same everywhere.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, NotRequired, TypeVar

from typing_extensions import TypedDict

from host.loaders.ui.table_cells import Cell, CellKind, Column, rows_of_cells

T = TypeVar("T")


class Fact(TypedDict):
    """`cell` null: there is no value."""

    label: str
    cell: Cell | None


class ShortColumn(TypedDict):
    key: str
    label: str
    kind: CellKind


# Beside what the page is about: among the facts, or folded under its title where few look at it.
TablePlace = Literal["main", "folded", "side"]


class ShortTable(TypedDict):
    """All rows of a list that is never long. `empty`: why there are none."""

    id: str
    title: str
    columns: list[ShortColumn]
    rows: list[list[Cell | None]]
    empty: str
    place: TablePlace


class FactGroup(TypedDict):
    """Facts under a title of their own, such as who bought. `place`: "main" of what the page is about."""

    id: str
    title: str
    facts: list[Fact]
    place: Literal["main", "side"]


class DetailProps(TypedDict):
    """The page of one thing. `backHref` leads to its list. `groups`: more facts."""

    title: str
    heading: str
    backHref: str
    backText: str
    facts: list[Fact]
    groups: NotRequired[list[FactGroup]]
    tables: list[ShortTable]


def facts(columns: Sequence[Column[T]], row: T) -> list[Fact]:
    return [{"label": column.label, "cell": column.cells([row])[0]} for column in columns]


def fact_group(group_id: str, title: str, shown: list[Fact]) -> FactGroup:
    return {"id": group_id, "title": title, "facts": shown, "place": "side"}


def short_table(table_id: str, title: str, empty: str, columns: Sequence[Column[T]], rows: Iterable[T]) -> ShortTable:
    return {
        "id": table_id,
        "title": title,
        "columns": [{"key": column.key, "label": column.label, "kind": column.kind} for column in columns],
        "rows": rows_of_cells(columns, rows),
        "empty": empty,
        "place": "main",
    }


def placed(place: TablePlace, table: ShortTable) -> ShortTable:
    return {**table, "place": place}
