"""The state of a table in its URL: read from a query, and written as the canonical address of a state.

Nothing in a query is an error. A value that the table does not know is left out, and the page says so: otherwise a
shared link might show more rows than its sender saw.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import quote_plus

from multidict import MultiMapping
from typing_extensions import TypedDict

from domain.database.list_page import MAX_COUNT, ListQuery
from domain.typed_values import is_number
from host.loaders.ui.table_spec import TableSpec

# Ids are 64-bit integers.
MAX_ID = 2**63 - 1


class IgnoredValue(TypedDict):
    """A value in the URL that the table does not know, and what it was meant for."""

    label: str
    value: str


@dataclass(frozen=True)
class TableQuery:
    """One state of a table. `sort`: key of a column, "-" before it for descending; "": the newest row first.

    `filters` in the order of the table, `columns` the shown ones. `ignored`: what the URL said besides.
    """

    filters: Mapping[str, str]
    sort: str
    columns: tuple[str, ...]
    page: int = 1
    before: int | None = None
    ignored: tuple[IgnoredValue, ...] = ()

    def list_query(self, size: int) -> ListQuery:
        return ListQuery(
            size=size,
            sort=self.sort.lstrip("-") or None,
            is_descending=self.sort.startswith("-") or not self.sort,
            filters=self.filters,
            page=self.page,
            before=self.before,
        )


def parse(spec: TableSpec[Any], query: MultiMapping[str]) -> TableQuery:
    """The state that a query asks for. Empty values are those of untouched fields and mean nothing."""
    if not query:
        return _untouched(spec)
    ignored: list[IgnoredValue] = []
    filters: dict[str, str] = {}
    for entry in spec.filters:
        value = query.get(entry.name, "").strip()
        known = entry.parse(value) if value else None
        if known:
            filters[entry.name] = known
        elif value:
            ignored.append({"label": entry.label, "value": value})
    sort = query.get("sort", "")
    default = spec.default_sort or ""
    if sort and sort.removeprefix("-") not in spec.source.sorts:
        ignored.append({"label": "Sort", "value": sort})
        sort = ""
    columns = _columns(spec, query.getall("columns", []), ignored)
    page, before = _place(spec, query, ignored)
    return TableQuery(filters, sort or default, columns, page, before, tuple(ignored))


@lru_cache(maxsize=256)
def _untouched(spec: TableSpec[Any]) -> TableQuery:
    """The query of an address without one, as most are opened."""
    return TableQuery({}, spec.default_sort or "", spec.default_columns)


def _columns(spec: TableSpec[Any], chosen: list[str], ignored: list[IgnoredValue]) -> tuple[str, ...]:
    """The chosen columns in the table's order, the first one always among them; none chosen: the default ones."""
    keys = [column.key for column in spec.columns]
    ignored += [{"label": "Column", "value": key} for key in chosen if key and key not in keys]
    known = {key for key in chosen if key in keys}
    return tuple(key for key in keys if key in known or key == keys[0]) if known else spec.default_columns


def _place(spec: TableSpec[Any], query: MultiMapping[str], ignored: list[IgnoredValue]) -> tuple[int, int | None]:
    """Page and key; of these a table has one."""
    name, label, largest = ("before", "Older than", MAX_ID) if spec.source.only_grows else ("page", "Page", MAX_COUNT)
    text = query.get(name, "")
    number = int(text) if is_number(text, 19) else 0
    if text and not 0 < number <= largest:
        ignored.append({"label": label, "value": text})
        number = 0
    return (1, number or None) if spec.source.only_grows else (number or 1, None)


def pairs(spec: TableSpec[Any], query: TableQuery) -> list[tuple[str, str]]:
    """The canonical query of a state: in the order of `spec.parameters`, without what is the default."""
    result = list(query.filters.items())
    if query.sort != (spec.default_sort or ""):
        result.append(("sort", query.sort))
    if query.columns != spec.default_columns:
        result += [("columns", key) for key in query.columns]
    if query.page > 1:
        result.append(("page", str(query.page)))
    if query.before is not None:
        result.append(("before", str(query.before)))
    return result


def address(path: str, query: list[tuple[str, str]]) -> str:
    """`query` as pairs of a name, which is a parameter's, and any text."""
    return f"{path}?{'&'.join(f'{name}={_quoted(value)}' for name, value in query)}" if query else path


def _quoted(value: str) -> str:
    # A page has dozens of names of columns, and to look for what must be quoted in each takes as long as its cells.
    return value if value.isascii() and value.isidentifier() else quote_plus(value)
