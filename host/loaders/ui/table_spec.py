"""Declares a table: its columns, filters and texts. table_query.py reads its state from a URL, table_props.py shows it.

ORDERS = TableSpec(
    caption="Orders",
    source=orders.LIST,
    columns=(cells.link("code", "Code", …), cells.time("created", "Created", …, sortable=True)),
    filters=(choice("state", "State", {"open": "Open", "paid": "Paid"}),),
    default_sort="-created",
    empty=EmptyTable(title="No orders yet", text="Orders appear here as soon as somebody pays.", action=None),
)
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, Literal, TypeVar

from typing_extensions import TypedDict

from domain.database.list_page import ListSource
from domain.typed_values import read_day
from host.loaders.ui.table_cells import Column

T = TypeVar("T")
PAGE_SIZE = 50
# Parameters of every table; no filter may have their names.
RESERVED = ("sort", "columns", "page", "before")
MAX_SEARCH_LENGTH = 100


class EmptyAction(TypedDict):
    text: str
    href: str


class EmptyTable(TypedDict):
    """Shown before there is any row: what will be here, and the first step."""

    title: str
    text: str
    action: EmptyAction | None


class BulkAction(TypedDict):
    """An action on the selected rows. The page carries it out; a dangerous one asks first."""

    id: str
    label: str
    isDangerous: bool


@dataclass(frozen=True)
class TableFilter:
    """A filter by one value. `options`: value -> text, of a choice."""

    name: str
    label: str
    kind: Literal["choice", "search", "day"]
    options: Mapping[str, str]

    def parse(self, value: str) -> str | None:
        """The value in its canonical form; None for one that this filter does not know."""
        if self.kind == "choice":
            return value if value in self.options else None
        if self.kind == "search":
            return value[:MAX_SEARCH_LENGTH]
        try:
            return read_day(value).isoformat()
        except ValueError:
            return None

    def text(self, value: str) -> str:
        return self.options.get(value, value)


def choice(name: str, label: str, options: Mapping[str, str]) -> TableFilter:
    return TableFilter(name, label, "choice", options)


def search(name: str, label: str) -> TableFilter:
    return TableFilter(name, label, "search", {})


def day(name: str, label: str) -> TableFilter:
    """One bound of a period; two of them make a period."""
    return TableFilter(name, label, "day", {})


# Compared by identity: what a table says is kept for each.
@dataclass(frozen=True, eq=False)
class TableSpec(Generic[T]):
    """A table of one list. The first column names the row and is always shown.

    `default_sort`: the key of a sortable column, "-" before it for descending; None: the newest row first. `row_id` is
    what bulk actions send. `names_people`: its file needs a recent sign-in. Raises ValueError when columns or filters
    do not fit the source.
    """

    caption: str
    source: ListSource[T]
    columns: tuple[Column[T], ...]
    empty: EmptyTable
    filters: tuple[TableFilter, ...] = ()
    default_sort: str | None = None
    page_size: int = PAGE_SIZE
    bulk_actions: tuple[BulkAction, ...] = ()
    has_csv: bool = True
    names_people: bool = False

    def __post_init__(self) -> None:
        keys = [column.key for column in self.columns]
        names = [entry.name for entry in self.filters]
        sortable = {column.key for column in self.columns if column.sortable}
        problems = [
            (len({*keys}) < len(keys) or not keys, "each column needs a key of its own"),
            (bool({*names} & {*RESERVED}) or len({*names}) < len(names), "a filter has a name that is taken"),
            (sortable != {*self.source.sorts}, "the sortable columns are not the sorts of the source"),
            ({*names} != {*self.source.filters}, "the filters are not those of the source"),
            (self.columns[:1] != () and self.columns[0].hidden, "the first column is hidden"),
            (self.default_sort is not None and self.default_sort.lstrip("-") not in sortable, "no such default sort"),
        ]
        for is_wrong, problem in problems:
            if is_wrong:
                raise ValueError(f"the table {self.caption!r}: {problem}")

    @cached_property
    def default_columns(self) -> tuple[str, ...]:
        return tuple(column.key for column in self.columns if not column.hidden)

    @property
    def parameters(self) -> tuple[str, ...]:
        """The query parameters in the order of its URLs; `columns` alone is repeatable."""
        paging = "before" if self.source.only_grows else "page"
        return (*(entry.name for entry in self.filters), "sort", "columns", paging)
