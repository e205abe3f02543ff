"""The props of components/ui/table/DataTable.tsx: rows, and every control as the address of the state it leads to."""

from dataclasses import replace
from functools import lru_cache
from typing import Any, Literal, TypeVar

from typing_extensions import TypedDict

from domain.database.list_page import ListPage
from host.loaders.controls import ActiveFilter
from host.loaders.shop import PageLinks, pagination
from host.loaders.ui.table_cells import Cell, CellKind, Column, rows_of_cells
from host.loaders.ui.table_query import IgnoredValue, TableQuery, address, pairs
from host.loaders.ui.table_spec import BulkAction, EmptyTable, TableSpec

T = TypeVar("T")
Direction = Literal["ascending", "descending"]
# The words for ascending and descending.
_ORDERS: dict[CellKind, tuple[str, str]] = {
    "date": ("oldest first", "newest first"),
    "time": ("oldest first", "newest first"),
    "text": ("A to Z", "Z to A"),
    "link": ("A to Z", "Z to A"),
    "badge": ("A to Z", "Z to A"),
}
_NUMBERS = ("lowest first", "highest first")


class ColumnSort(TypedDict):
    """`direction` of the rows as they are, null while another column decides; `href` reverses it or sorts by this."""

    direction: Direction | None
    href: str


class TableColumn(TypedDict):
    key: str
    label: str
    kind: CellKind
    sort: ColumnSort | None


class ColumnChoice(TypedDict):
    key: str
    label: str
    selected: bool


class TableRow(TypedDict):
    """`cells` in the order of the columns; null: the row has no value."""

    id: str
    cells: list[Cell | None]


class FilterOption(TypedDict):
    value: str
    label: str


class FilterField(TypedDict):
    """`value` "" while it does not filter; `options` of a choice, without the one for any value."""

    name: str
    label: str
    kind: Literal["choice", "search", "day"]
    value: str
    options: list[FilterOption]


class SortChoice(TypedDict):
    value: str
    label: str
    selected: bool


class TableTotal(TypedDict):
    """`isMore`: there are more than `count` rows, which were not counted."""

    count: int
    isMore: bool


class OlderLinks(TypedDict):
    """The links of a list that only grows; `newest` is null on its first page, `older` on its last."""

    newest: str | None
    older: str | None


class TableFrame(TypedDict):
    """What a table says whatever its rows are. `path` is where the form with filters and columns leads.
    `csvAllHref`: of the file with the columns that are not shown too, null when all are. `csvNeedsSignIn`: both lead to
    a sign-in, because that of this session is too old for a file about people."""

    caption: str
    path: str
    columns: list[TableColumn]
    columnChoices: list[ColumnChoice]
    sorts: list[SortChoice]
    filters: list[FilterField]
    activeFilters: list[ActiveFilter]
    clearHref: str
    csvHref: str | None
    csvAllHref: str | None
    csvNeedsSignIn: bool
    bulkActions: list[BulkAction]
    emptyState: EmptyTable


class TableProps(TableFrame):
    """One of `pagination` and `older` is null."""

    rows: list[TableRow]
    ignored: list[IgnoredValue]
    total: TableTotal
    pagination: PageLinks | None
    older: OlderLinks | None


def table_props(spec: TableSpec[T], query: TableQuery, page: ListPage[T], path: str) -> TableProps:
    """The page of a list as a table; `path` is that of the page that shows it."""
    first = query if query.page == 1 and query.before is None else replace(query, page=1, before=None)
    frame = (
        _frame(spec, first, path) if first.filters else _frame_without_filters(spec, first.sort, first.columns, path)
    )
    rows = zip(page.keys, rows_of_cells(_shown(spec, query), page.rows), strict=True)
    return {
        **frame,
        "rows": [{"id": str(key), "cells": cells} for key, cells in rows],
        "ignored": _ignored(query, page, spec),
        "total": {"count": page.total, "isMore": page.is_more},
        "pagination": None if spec.source.only_grows else _pagination(spec, first, page, path),
        "older": _older(spec, query, page, path) if spec.source.only_grows else None,
    }


# Most pages are one of few. Nobody changes what is within it: it becomes JSON.
@lru_cache(maxsize=256)
def _frame_without_filters(spec: TableSpec[Any], sort: str, columns: tuple[str, ...], path: str) -> TableFrame:
    return _frame(spec, TableQuery({}, sort, columns), path)


def _frame(spec: TableSpec[Any], first: TableQuery, path: str) -> TableFrame:
    """`first`: the state, on its first page."""
    shown = _shown(spec, first)
    return {
        "caption": spec.caption,
        "path": path,
        "columns": [_column(spec, first, column, path) for column in shown],
        "columnChoices": [
            {"key": column.key, "label": column.label, "selected": column in shown} for column in spec.columns[1:]
        ],
        "sorts": _sorts(spec, first),
        "filters": _filters(spec, first),
        "activeFilters": _active_filters(spec, first, path),
        "clearHref": _href(spec, replace(first, filters={}) if first.filters else first, path),
        "csvHref": _href(spec, first, f"/csv{path}") if spec.has_csv else None,
        "csvAllHref": _csv_of_all(spec, first, path),
        "csvNeedsSignIn": False,
        "bulkActions": list(spec.bulk_actions),
        "emptyState": spec.empty,
    }


def _shown(spec: TableSpec[T], query: TableQuery) -> list[Column[T]]:
    return [column for column in spec.columns if column.key in query.columns]


def _csv_of_all(spec: TableSpec[Any], first: TableQuery, path: str) -> str | None:
    keys = tuple(column.key for column in spec.columns)
    return _href(spec, replace(first, columns=keys), f"/csv{path}") if spec.has_csv and first.columns != keys else None


def _href(spec: TableSpec[Any], query: TableQuery, path: str) -> str:
    return address(path, pairs(spec, query))


def _column(spec: TableSpec[Any], first: TableQuery, column: Column[Any], path: str) -> TableColumn:
    sort: ColumnSort | None = None
    if column.sortable:
        ascending, descending = column.key, f"-{column.key}"
        direction: dict[str, Direction] = {ascending: "ascending", descending: "descending"}
        # The first press shows the beginning of the alphabet, but the newest day and the largest number.
        begins = ascending if _ORDERS.get(column.kind, _NUMBERS)[0] == "A to Z" else descending
        turned = {ascending: descending, descending: ascending}.get(first.sort, begins)
        sort = {"direction": direction.get(first.sort), "href": _href(spec, replace(first, sort=turned), path)}
    return {"key": column.key, "label": column.label, "kind": column.kind, "sort": sort}


def _sorts(spec: TableSpec[Any], query: TableQuery) -> list[SortChoice]:
    choices: list[SortChoice] = []
    if spec.source.sorts and spec.default_sort is None:
        choices.append({"value": "", "label": "Newest first", "selected": not query.sort})
    for column in spec.columns:
        if column.sortable:
            ascending, descending = _ORDERS.get(column.kind, _NUMBERS)
            for value, words in ((column.key, ascending), (f"-{column.key}", descending)):
                label = f"{column.label}, {words}"
                choices.append({"value": value, "label": label, "selected": value == query.sort})
    return choices


def _filters(spec: TableSpec[Any], query: TableQuery) -> list[FilterField]:
    return [
        {
            "name": entry.name,
            "label": entry.label,
            "kind": entry.kind,
            "value": query.filters.get(entry.name, ""),
            "options": [{"value": value, "label": label} for value, label in entry.options.items()],
        }
        for entry in spec.filters
    ]


def _active_filters(spec: TableSpec[Any], first: TableQuery, path: str) -> list[ActiveFilter]:
    active: list[ActiveFilter] = []
    for entry in spec.filters:
        if entry.name in first.filters:
            others = {name: value for name, value in first.filters.items() if name != entry.name}
            label = f"{entry.label}: {entry.text(first.filters[entry.name])}"
            active.append({"label": label, "href": _href(spec, replace(first, filters=others), path)})
    return active


def _ignored(query: TableQuery, page: ListPage[Any], spec: TableSpec[Any]) -> list[IgnoredValue]:
    ignored = list(query.ignored)
    if not spec.source.only_grows and page.page < query.page:
        ignored.append({"label": "Page", "value": str(query.page)})
    return ignored


def _pagination(spec: TableSpec[Any], first: TableQuery, page: ListPage[Any], path: str) -> PageLinks:
    return _pages(_href(spec, first, path), page.page, max(1, -(-page.total // spec.page_size)))


# As the frame: of few lists, and nobody changes it.
@lru_cache(maxsize=256)
def _pages(first: str, shown: int, pages: int) -> PageLinks:
    return pagination(first, shown, pages)


def _older(spec: TableSpec[Any], query: TableQuery, page: ListPage[Any], path: str) -> OlderLinks:
    def href(before: int | None) -> str:
        return _href(spec, replace(query, before=before), path)

    return {
        "newest": None if query.before is None else href(None),
        "older": href(page.keys[-1]) if page.has_older else None,
    }
